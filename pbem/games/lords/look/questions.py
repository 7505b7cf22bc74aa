"""What is asked, and order lines to type over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from pbem.i18n import N_, _, _n

from .. import law
from ..game import GAME
from ..orders import Claim, Muster, Play
from ..rules.cards import TURNS
from ..views import LordsView
from .words import WIDTH, cards, fold

SHOWN = 8
"""So many ways to use one card are written out."""
REMARK = "   # "
"""What stands behind is for the reader: a line is an order as it stands, once the mark in front is taken away."""


CALLED: Mapping[str, str] = {"turn": N_("“turn”"), "claim": N_("“claim”")}
"""Every question -> what it is called."""


def question(view: LordsView) -> str:
    """Return what is asked of the seat."""
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


_ASKED = {"turn": _turn, "claim": _claim}


def template(view: LordsView) -> str:
    """Return order lines to type over: the first is legal as it stands."""
    if not view.question:
        return ""
    lines = [str(GAME.default(view))]
    if view.question == "claim":
        lines += [f"# {Claim(cards=tuple(view.supporters))}"]
    else:
        for line in _turns(view):
            if line.partition(REMARK)[0] == lines[0]:
                lines[0] = line
            else:
                lines.append(f"# {line}")
    return "\n".join(line for line in lines if len(line) <= WIDTH)


def _turns(view: LordsView) -> Iterator[str]:
    meeting = law.Meeting.begin(view)
    if law.may_recruit(view):
        for place, recruit in enumerate(view.recruits, 1):
            yield f"RECRUIT {place}{f'{REMARK}{recruit.card}' if recruit.up else ''}"
    for card in view.hand:
        yield str(Play(card=card)) + REMARK + _("or DOWN")
        for play in islice(law.uses(view, meeting, card), SHOWN):
            more = REMARK + _("and a MUSTER line more") if law.goes_on(play) else ""
            yield str(Muster(plays=(play,))) + more
    if view.turn == TURNS:
        yield "PLAN CLAIM STRONGEST" + REMARK + _("so that you are not asked")
    elif view.hand or law.may_recruit(view):
        yield "AHEAD TURN: RECRUIT 1" + REMARK + _("your next turn as well")
