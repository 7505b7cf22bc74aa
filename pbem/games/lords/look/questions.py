"""The question, and order lines to copy and edit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain

from pbem.i18n import N_, _, _n
from pbem.kernel import Json, Order
from pbem.look import offers
from pbem.look.offers import Touching

from .. import law
from ..orders import Claim, Muster, Play, TakeRecruit
from ..reading import QUESTIONS, read_order
from ..rules.cards import TURNS
from ..views import LordsView
from .words import cards, fold

CALLED: Mapping[str, str] = {"turn": N_("“turn”"), "claim": N_("“claim”")}
"""Question -> its name."""


def question(view: LordsView) -> str:
    """Return the question to the seat."""
    return "\n".join(fold(_ASKED[view.question](view))) if view.question else ""


def _turn(view: LordsView) -> str:
    when = {"turn": view.turn, "turns": TURNS}
    if not view.hand and not law.may_recruit(view):
        return _("Turn {turn} of {turns}: you have no card, and there is no recruit. PASS is all you can do.", **when)
    limit = "" if law.may_recruit(view) else _(" You may not recruit now.")
    if view.terms.condition == "clan":
        activates = _("no other face-up follower of its clan is as strong or weaker")
    else:
        activates = _("no other face-up follower is weaker")
    return _(
        "Turn {turn} of {turns}: RECRUIT a card, or MUSTER a follower, face-up or DOWN.{limit} Face-up, you may USE its "
        "power if {activates}. DOWN, it stays hidden until the end of the round.",
        **when, limit=limit, activates=activates,
    )  # fmt: skip


def _claim(view: LordsView) -> str:
    claimed, before = cards(view.claims(view.seat)), view.placing.index(view.seat)
    if before:
        said = _n(
            "Which supporter do you want? You claim {cards}, after {n} other.",
            "Which supporter do you want? You claim {cards}, after {n} others.",
            before, cards=claimed,
        )  # fmt: skip
    else:
        said = _("Which supporter do you want? You claim {cards}, first of all.", cards=claimed)
    if view.terms.claims == "together":
        said += _(" Name them best first: you get the first that is left. After those named, the strongest.")
    return said


def matter(view: LordsView) -> dict[str, Json]:
    """Return what the seat's question is about, for programs; {} if nothing is asked."""
    match view.question:
        case "turn":
            return {"round": view.round, "turn": view.turn}
        case "claim":
            return {"cards": list(view.supporters), "claims": view.claims(view.seat)}
    return {}


_ASKED = {"turn": _turn, "claim": _claim}


def unsaid(view: LordsView, text: str) -> Iterator[str]:
    """Yield what a legal order means beyond its lines, a sentence each. Raises OrderError if the text is not an order."""
    match read_order(view, text):
        case Claim(cards=named) if view.terms.claims == "together" and (left := set(view.supporters) - set(named)):
            if named and len(left) > 1:
                yield _("If none of these is left, you claim the strongest of the others.")
        case Muster(plays=plays):
            meeting = law.Meeting.begin(view)
            for play in plays:
                if not play.use and not play.down and next(law.uses(view, meeting, play.card), None):
                    yield _("You do not use the power of {card} (no USE).", card=play.card)
                meeting = meeting.after(play.card)


def template(view: LordsView, advice: Order, touching: Touching) -> str:
    """Return order lines to copy and edit, made from the touches of the view; the advised order is first."""
    return offers.template(touching, str(advice), _along(view), ways=True)


def _along(view: LordsView) -> Iterator[str]:
    """Yield examples of lines that may accompany an order."""
    if view.question == "claim":
        yield str(Claim(cards=tuple(view.supporters)))
    elif view.turn == TURNS:
        yield "PLAN CLAIM STRONGEST"
    elif view.hand or law.may_recruit(view):
        yield "AHEAD TURN: RECRUIT 1"


_Listed = tuple[Order, str, str]
_RECRUITS = 5
"""The maximum number of recruits in a numbered list; its other items are followers."""


def choices(view: LordsView) -> list[_Listed]:
    """Return the answers that a numbered list shows."""
    if view.question == "claim":
        return [
            (Claim(), _("the strongest that is left"), ""),
            *((Claim(cards=(card,)), card, "") for card in view.supporters),
        ]
    found = chain(_recruiting(view), _mustering(view)) if view.question else ()
    return [one for one in found if QUESTIONS[view.question].why_not(view, one[0]) is None]


def _recruiting(view: LordsView) -> Iterator[_Listed]:
    """Go through the recruits, those that lie face-up first."""
    row = sorted(enumerate(view.recruits, 1), key=lambda one: not one[1].up)
    for place, recruit in row[:_RECRUITS]:
        if recruit.up:
            words = _("recruit {card}", card=recruit.card)
        else:
            words = _("recruit {place}, which lies face-down", place=place)
        yield TakeRecruit(place=place), words, ""
        if view.turn == TURNS and place == row[0][0]:
            claim = _("{words}; and claim the strongest supporters", words=words)
            yield TakeRecruit(place=place), claim, "CLAIM STRONGEST"


def _mustering(view: LordsView) -> Iterator[_Listed]:
    """Go through the cards of the hand: the weakest face-down, then each face-up, the strongest first."""
    hand = sorted(view.hand, key=view.terms.worth)
    for card in hand[:1]:
        yield Muster(plays=(Play(card=card, down=True),)), _("muster {card} face-down", card=card), ""
    for card in reversed(hand):
        yield Muster(plays=(Play(card=card),)), _("muster {card}, its power not used", card=card), ""
