"""What is asked, and order lines to type over."""

from __future__ import annotations

from collections.abc import Iterator

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


def question(view: LordsView) -> str:
    """Return what is asked of the seat."""
    match view.question:
        case "turn":
            return "\n".join(fold(_turn(view)))
        case "claim":
            return "\n".join(fold(_claim(view)))
    return ""


def _turn(view: LordsView) -> str:
    if not view.hand and not law.may_recruit(view):
        return f"Turn {view.turn} of {TURNS}: you have no card, and there is no recruit. PASS is all you can do."
    limit = "" if law.may_recruit(view) else " You may not recruit now."
    if view.terms.condition == "clan":
        activates = "no other face-up follower of its clan is as strong or weaker"
    else:
        activates = "no other face-up follower is weaker"
    return (
        f"Turn {view.turn} of {TURNS}: RECRUIT a card, or MUSTER a follower, face-up or DOWN.{limit} Face-up, you may USE its "
        f"power if {activates}. DOWN, it stays hidden until the end of the round."
    )


def _claim(view: LordsView) -> str:
    said = f"Which supporter do you want? You claim {cards(view.claims(view.seat))}, "
    before = view.placing.index(view.seat)
    when = "first of all." if not before else f"after {before} other{'s' if before > 1 else ''}."
    listed = " Name them best first: you get the first that is left. After those named, the strongest."
    return said + when + (listed if view.terms.claims == "together" else "")


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
        yield f"{Play(card=card)}{REMARK}or DOWN"
        for use in list(law.uses(view, meeting, card))[:SHOWN]:
            play = Play(card=card, use=True, **use._asdict())
            yield str(Muster(plays=(play,))) + (f"{REMARK}and a MUSTER line more" if law.goes_on(play) else "")
    if view.turn == TURNS:
        yield f"PLAN CLAIM STRONGEST{REMARK}so that you are not asked"
