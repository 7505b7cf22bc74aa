"""Every kind of fact as a sentence. `you` is the seat that heard it, or None."""

from __future__ import annotations

from pbem.i18n import N_, _, _n
from pbem.kernel import Json

from ..rules import told
from .words import both, capital, cards, follower, lord, points


def sentence(fact: told.LordsFact, you: str | None) -> str:
    """Return the sentence for a fact. Raises LookupError if there is none."""

    def by(seat: str, yours: str, others: str, **values: object) -> str:
        """Return the sentence for a seat's action: `yours` is for the seat itself, `others` for all others; both are messages."""
        return _(yours, **values) if seat == you else _(others, lord=lord(seat), **values)

    match fact:
        case told.First(seat, die):
            return _("The die shows {die}: {lord} begins, with the Victor's Initiative.", die=die, lord=lord(seat))
        case told.Dealt(seat, n, held):
            if held is None:
                return _("{lord} is dealt {cards}.", lord=lord(seat), cards=cards(n or 0))
            return _("You are dealt {cards}.", cards=both(held))
        case told.Round(no, first):
            return _("\nRound {round}: {lord} goes first", round=no, lord=lord(first))
        case told.Recruited(seat, place, None):
            yours, others = N_("You take recruit {place}, face-down."), N_("{lord} takes recruit {place}, face-down.")
            return by(seat, yours, others, place=place)
        case told.Recruited(seat, place, card):
            yours, others = N_("You take recruit {place}, {card}."), N_("{lord} takes recruit {place}, {card}.")
            return by(seat, yours, others, place=place, card=card)
        case told.Mustered(seat, card, True):
            return by(seat, N_("You muster {card}."), N_("{lord} musters {card}."), card=card)
        case told.Mustered(seat, card):
            yours, others = N_("You muster {card} face-down."), N_("{lord} musters {card} face-down.")
            return by(seat, yours, others, card=card or _("a card"))
        case told.PowerUsed():
            return _power(fact)
        case told.Drawn(seat, card):
            return by(seat, N_("You draw {card}."), N_("{lord} draws {card}."), card=card or _("a card"))
        case told.Armies(armies):
            return _armies(armies)
        case told.Claimed(seat, got, n):
            yours, others = N_("You claim {cards}, and have {points}."), N_("{lord} claims {cards}, and has {points}.")
            return by(seat, yours, others, cards=both(got), points=points(n))
        case told.Shuffled(n):
            return capital(_("{cards} are shuffled into a draw pile.", cards=cards(n)))
        case told.NoCards():
            return _("There is no card left to draw.")
        case told.Supporters(row):
            return _("Supporters: {cards}.", cards=both(row))
        case told.Same():
            return _("They are all of one strength: they are discarded, and others drawn.")
        case told.TurnedUp(place, card):
            return _("Recruit {place} is turned up: {card}.", place=place, card=card)
        case told.NewRecruit(_place, card):
            return _(" In its place comes {card}.", card=card)
        case told.Passed(seat):
            return by(seat, N_("You can do nothing."), N_("{lord} can do nothing."))
        case told.Flipped(seat, up):
            return by(seat, N_("You turn up {cards}."), N_("{lord} turns up {cards}."), cards=both(up))
        case told.Unclaimed(left):
            return _("Nobody claims {cards}: discarded.", cards=both(left))
        case told.Stayed(seat, stay):
            return _n(
                "{cards} stays in the army of {lord}.", "{cards} stay in the army of {lord}.", len(stay),
                cards=both(stay), lord=lord(seat),
            )  # fmt: skip
        case told.HandShown(seat, held):
            return by(seat, N_("You hold {cards}."), N_("{lord} holds {cards}."), cards=both(held))
    raise LookupError(fact.kind)


def _power(fact: told.PowerUsed) -> str:
    target, owner = follower(fact.target), lord(fact.from_ or "")
    by = fact.card if fact.card.startswith(fact.power) else _("{card}, as {power},", card=fact.card, power=fact.power)
    match fact.power:
        case "Cockburn":
            return _(" {by} changes places with the supporter {target}.", by=by, target=target)
        case "Ferguson":
            took = _(": it is {card}", card=fact.took) if fact.took else ""
            return _(" {by} goes to {lord} for {target}{took}.", by=by, lord=owner, target=target, took=took)
        case "Forsyth":
            return _(" {by} draws a card.", by=by)
        case "Makgill":
            return _(" {by} musters another.", by=by)
        case "Wemyss":
            if fact.gone != target:
                return _(" {by} discards {target}: it was {card}.", by=by, target=target, card=fact.gone)
            return _(" {by} discards {target} from {lord}'s army.", by=by, target=target, lord=owner)
        case "Bruce":
            return _(" {by} will count for any clan.", by=by)
        case "Cochrane":
            return _(" {by} will claim two supporters.", by=by)
    return _(" {by} will stay for another round.", by=by)


def _armies(armies: tuple[told.Army, ...]) -> str:
    head = _("\nThe skirmish is over")
    if not armies:
        return "\n".join([head, _("Nobody has an army.")])
    totals = [army.total for army in armies]
    lines = [
        _(
            "{place}. {lord}: {total}{doubled}{rank}",
            place=place, lord=lord(army.seat), total=army.total,
            doubled=_(" ({n} doubled)", n=army.total // 2) if army.doubled else "",
            rank=_(", by rank {rank}", rank=army.rank) if totals.count(army.total) > 1 else "",
        )
        for place, army in enumerate(armies, 1)
    ]  # fmt: skip
    return "\n".join([head, *lines])


def result(result: Json) -> str:
    """Return a sentence for the end of the game."""
    score = ", ".join(
        f"{lord(seat)} {n}" for seat, n in sorted(result["points"].items(), key=lambda one: (-one[1], one[0]))
    )
    if not result["winner"]:
        return _("Nobody wins, the best are level: {score}.", score=score)
    winner = lord(result["winner"])
    if result["why"] == "throne":
        return _("{winner} claims the throne. Points: {score}.", winner=winner, score=score)
    return _("{winner} claims the throne: the last round is played. Points: {score}.", winner=winner, score=score)
