"""The possible next touches while an order is made, question by question, from the view of the asked seat.

The law that judges the finished order decides what is legal. So every touch leads to a legal order, and every legal order can be
made. The drafts are canonical: a block gains its steps in its own place of a line, and lists keep their order. Acts and moves that
follow one another are in the order in which they were touched.

=========  =================================================================
reading    from the lines of a draft, the last perhaps unfinished, to orders
moves      the Move cards (4.0-4.7, rallying)
turn       `card`, and the event cards of `act`
battle     battles, retreats, regroups, pillage and raids
winter     `home`, `disband`, `build`
plans      lines that begin with PLAN; `battle_plans`: those for battles
ahead      lines that begin with AHEAD
names      the blocks and areas they name
=========  =================================================================
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from pbem.games.touching import beside
from pbem.look.touches import Touch, parts

from ...views import HammerView
from . import battle, turn, winter
from .ahead import ahead_touches
from .plans import plan_touches

_QUESTIONS: Mapping[str, Callable[[HammerView, Sequence[str]], Iterable[Touch]]] = {
    **turn.TOUCHES,
    **battle.TOUCHES,
    **winter.TOUCHES,
}


def touches(view: HammerView, draft: Sequence[str]) -> tuple[Touch, ...]:
    """Return what may come next after a draft; () for a seat that is not asked."""
    from ... import GAME  # the game is made of the rules and knows its look only by name

    if view.ask is None:
        return ()
    asked = _QUESTIONS[view.ask["what"]]
    return beside(
        GAME, view, draft,
        order=lambda lines: tuple(asked(view, lines)),
        plan=partial(plan_touches, view),
        ahead=partial(ahead_touches, view, order=parts(draft).order),
    )  # fmt: skip
