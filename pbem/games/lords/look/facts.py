"""Every kind of fact -> its sentence. `you` is the seat that heard it, or None."""

from __future__ import annotations

from collections.abc import Callable

from pbem.kernel import Json
from pbem.words import N_, _, _n

from .words import both, capital, cards, follower, lord, points

_Saying = Callable[[Json, str | None], str]


def _by(fact: Json, you: str | None, yours: str, others: str, **values: object) -> str:
    """Return what a seat does: `yours` is told to itself, `others` to everybody else; both are messages."""
    return _(yours, **values) if fact["seat"] == you else _(others, lord=lord(fact["seat"]), **values)


def _first(fact: Json, you: str | None) -> str:
    said = {"die": fact["die"], "lord": lord(fact["seat"])}
    return _("The die shows {die}: {lord} begins, with the Victor's Initiative.", **said)


def _hand(fact: Json, you: str | None) -> str:
    if "cards" in fact:
        return _("You are dealt {cards}.", cards=both(fact["cards"]))
    return _("{lord} is dealt {cards}.", lord=lord(fact["seat"]), cards=cards(fact["n"]))


def _round(fact: Json, you: str | None) -> str:
    return _("\nRound {round}: {lord} goes first", round=fact["round"], lord=lord(fact["first"]))


def _recruit(fact: Json, you: str | None) -> str:
    place, card = fact["place"], fact.get("card")
    if card:
        return _by(
            fact, you, N_("You take recruit {place}, {card}."), N_("{lord} takes recruit {place}, {card}."),
            place=place, card=card,
        )  # fmt: skip
    return _by(
        fact, you, N_("You take recruit {place}, face-down."), N_("{lord} takes recruit {place}, face-down."), place=place
    )  # fmt: skip


def _muster(fact: Json, you: str | None) -> str:
    card = fact.get("card") or _("a card")
    if "up" in fact:
        return _by(fact, you, N_("You muster {card}."), N_("{lord} musters {card}."), card=card)
    return _by(fact, you, N_("You muster {card} face-down."), N_("{lord} musters {card} face-down."), card=card)


def _power(fact: Json, you: str | None) -> str:
    card, power, target = fact["card"], fact["power"], follower(fact.get("target", ""))
    by = card if card.startswith(power) else _("{card}, as {power},", card=card, power=power)
    match power:
        case "Cockburn":
            return _(" {by} changes places with the supporter {target}.", by=by, target=target)
        case "Ferguson":
            took = _(": it is {card}", card=fact["took"]) if "took" in fact else ""
            return _(
                " {by} goes to {lord} for {target}{took}.", by=by, lord=lord(fact["from"]), target=target, took=took
            )
        case "Forsyth":
            return _(" {by} draws a card.", by=by)
        case "Makgill":
            return _(" {by} musters another.", by=by)
        case "Wemyss":
            shown = "" if fact["gone"] == target else _(": it was {card}", card=fact["gone"])
            return _(
                " {by} discards {target} from {lord}'s army{shown}.",
                by=by, target=target, lord=lord(fact["from"]), shown=shown,
            )  # fmt: skip
        case "Bruce":
            return _(" {by} will count for any clan.", by=by)
        case "Cochrane":
            return _(" {by} will claim two supporters.", by=by)
    return _(" {by} will stay for another round.", by=by)


def _draw(fact: Json, you: str | None) -> str:
    card = fact.get("card") or _("a card")
    return _by(fact, you, N_("You draw {card}."), N_("{lord} draws {card}."), card=card)


def _armies(fact: Json, you: str | None) -> str:
    head = _("\nThe skirmish is over")
    if not fact["armies"]:
        return "\n".join([head, _("Nobody has an army.")])
    totals = [army["total"] for army in fact["armies"]]
    lines = [
        _(
            "{place}. {lord}: {total}{doubled}{rank}",
            place=place, lord=lord(army["seat"]), total=army["total"],
            doubled=_(" ({n} doubled)", n=army["total"] // 2) if army["doubled"] else "",
            rank=_(", by rank {rank}", rank=army["rank"]) if totals.count(army["total"]) > 1 else "",
        )
        for place, army in enumerate(fact["armies"], 1)
    ]  # fmt: skip
    return "\n".join([head, *lines])


def _claim(fact: Json, you: str | None) -> str:
    return _by(
        fact, you, N_("You claim {cards}, and have {points}."), N_("{lord} claims {cards}, and has {points}."),
        cards=both(fact["cards"]), points=points(fact["points"]),
    )  # fmt: skip


def _pass(fact: Json, you: str | None) -> str:
    return _by(fact, you, N_("You can do nothing."), N_("{lord} can do nothing."))


def _flip(fact: Json, you: str | None) -> str:
    return _by(fact, you, N_("You turn up {cards}."), N_("{lord} turns up {cards}."), cards=both(fact["cards"]))


def _stay(fact: Json, you: str | None) -> str:
    return _n(
        "{cards} stays in the army of {lord}.", "{cards} stay in the army of {lord}.", len(fact["cards"]),
        cards=both(fact["cards"]), lord=lord(fact["seat"]),
    )  # fmt: skip


def _show_hand(fact: Json, you: str | None) -> str:
    return _by(fact, you, N_("You hold {cards}."), N_("{lord} holds {cards}."), cards=both(fact["cards"]))


SAYS: dict[str, _Saying] = {
    "first": _first,
    "hand": _hand,
    "round": _round,
    "recruit": _recruit,
    "muster": _muster,
    "power": _power,
    "draw": _draw,
    "armies": _armies,
    "claim": _claim,
    "shuffle": lambda fact, you: capital(_("{cards} are shuffled into a draw pile.", cards=cards(fact["cards"]))),
    "no cards": lambda fact, you: _("There is no card left to draw."),
    "supporters": lambda fact, you: _("Supporters: {cards}.", cards=both(fact["cards"])),
    "same": lambda fact, you: _("They are all of one strength: they are discarded, and others drawn."),
    "turn up": lambda fact, you: _("Recruit {place} is turned up: {card}.", place=fact["place"], card=fact["card"]),
    "new recruit": lambda fact, you: _(" In its place comes {card}.", card=fact["card"]),
    "pass": _pass,
    "flip": _flip,
    "unclaimed": lambda fact, you: _("Nobody claims {cards}: discarded.", cards=both(fact["cards"])),
    "stay": _stay,
    "show hand": _show_hand,
}


def result(result: Json) -> str:
    """Return a sentence for the end of the game."""
    score = ", ".join(f"{lord(seat)} {n}" for seat, n in result["points"].items())
    if not result["winner"]:
        return _("Nobody wins, the best are level: {score}.", score=score)
    winner = lord(result["winner"])
    if result["why"] == "throne":
        return _("{winner} claims the throne. Points: {score}.", winner=winner, score=score)
    return _("{winner} claims the throne: the last round is played. Points: {score}.", winner=winner, score=score)
