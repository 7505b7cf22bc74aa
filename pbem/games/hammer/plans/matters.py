"""Which questions matter, for a seat that says ASK WHEN IT MATTERS. Only public facts decide.

- Battle action, at your first combat turn of a round: if a block could retreat and you are weaker. You are if you have fewer steps
  in front than the enemy, each block in his reserve taken for two. Also if Wallace, the King or Edward could leave with one step
  left.
- Hits: if unlike blocks could lose their last step.
- Losses of a pillage: if there is more than one block.
- Next battle: if two battles are neighbours.
- Regroup: from the fourth game turn on, if more blocks are there than can winter.
- English disbanding: if Edward might winter in Scotland this year.
- No other question matters. Plans answer; if they are silent, you are asked.

If plans are silent on a listed question that doesn't matter, the default applies: blocks fire, the first of like blocks takes the
hit, victors stay, and the board's first battle is next.
"""

from __future__ import annotations

from pbem.i18n import N_
from pbem.kernel import Planned

from .. import orders
from ..questions.question import PASS
from ..rules import (
    BLOCKS,
    CELTIC,
    EDWARD,
    ENGLISH,
    KING,
    LETTERS,
    NEIGHBOURS,
    WALLACE,
    castle_limit,
    combat_turn,
    has_one_target,
    ratings,
    tied_seen,
    why_edward_goes,
)
from ..views import HammerView

HIDDEN = 2
"""The assumed number of steps of a block in the enemy's reserve."""
LATE = 4
"""From this game turn on crowded areas are thought of: winter is near."""
LEADERS = (WALLACE, KING, EDWARD)


def matters(view: HammerView, what: str) -> bool:
    """Is this a question that its seat wants to answer itself?"""
    match what:
        case "battle action":
            return _act_matters(view)
        case "hits" | "pillage losses":
            return _somebody_could_go(view, what)
        case "next battle":
            return any(b in NEIGHBOURS[a] for a in view.contested for b in view.contested)
        case "regroup":
            area = (view.ask or {})["area"]
            return view.turn >= LATE and view.count(area, view.seat) > castle_limit(area, view.seat)
        case "disband":
            # who knows where Edward is: the question is put whenever he might winter in Scotland
            return view.seat == ENGLISH and not why_edward_goes(view.year, view.edward, view.wintered)
        case _:
            return False


def _act_matters(view: HammerView) -> bool:
    """At our first combat turn of a round, if we are the weaker side; and when a leader with one step left could leave."""
    turn = combat_turn(view)
    own, foe = (view.fight.strengths(side) for side in (view.seat, view.enemy))
    if not any(turn.exits.ways(name) for name in turn.blocks):
        return False
    if any(name in LEADERS and own[name] == 1 for name in turn.blocks):
        return True
    rated = ratings(view.variants)
    first = min((rated[name].letter for name in own), default=LETTERS[0])
    hidden = view.count(turn.area, view.enemy) - len(foe)
    return turn.letter == first and sum(own.values()) < sum(foe.values()) + HIDDEN * hidden


def _somebody_could_go(view: HammerView, what: str) -> bool:
    """Could blocks that are not alike lose their last step?"""
    if what == "hits":
        own = view.fight.strengths(view.seat)
        tied, _ = tied_seen(view)
        most = view.fight.hits if has_one_target(view.variants) else 1
        return own[tied[0]] <= most and len({_kind(name) for name in tied}) > 1
    return view.count((view.ask or {})["area"], view.seat) > 1


def _kind(name: str) -> tuple[object, ...]:
    block = BLOCKS[name]
    alone = name if block.is_noble or block.cross else ""  # what happens to him is like nobody else's
    return block.type, block.letter, block.rating, block.max, name in CELTIC, alone


def trifle(view: HammerView, what: str) -> Planned | None:
    """Return the answer to a question that does not matter, where the plans are silent; None where it is asked nevertheless."""
    match what:
        case "battle action":
            turn = combat_turn(view)
            acts = tuple(orders.Act(block=name, action="FIRE" if turn.fire else "PASS") for name in turn.blocks)
            return Planned(orders.BattleActions(area=turn.area, acts=acts), N_("ASK WHEN IT MATTERS: they fight on"))
        case "hits":
            tied, n = tied_seen(view)
            if len({_kind(name) for name in tied}) > 1:
                return None
            order = orders.Hits(area=(view.ask or {})["area"], blocks=tied[:n])
            return Planned(order, N_("ASK WHEN IT MATTERS: these blocks are alike"))
        case "regroup":
            return Planned(PASS, N_("ASK WHEN IT MATTERS: they stay"))
        case "next battle":
            order_of_board = orders.NextBattle(area=view.contested[0])
            return Planned(order_of_board, N_("ASK WHEN IT MATTERS: the battles lie apart"))
        case _:
            return None
