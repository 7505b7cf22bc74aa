"""A view as a small model: own blocks as they are, the enemy's guessed from what everybody sees.

The guess is which blocks are where, and how strong. Nobles are mostly near home, and the English levy arrives at full strength.
Known facts of a battle under way are kept.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...rules import BLOCK_OF, SIDES, SLUG, last_year, scenario
from ...views import HammerView
from . import likely
from .model import SmallGame
from .numbers import (
    AREA,
    BLOCK,
    DEAD,
    OFF,
    OWNERS,
    POOL,
    TURNS,
    Dice,
)

NEVER = 9999
_PLACES = {"pool": POOL, "off": OFF, "dead": DEAD}


def small(view: HammerView, dice: Dice) -> SmallGame:
    """Return a model of a game that looks so to the seat of this view."""
    model = _public(view)
    _own(view, model)
    _foes(view, model, 1 - SIDES.index(view.seat), dice)
    _arrivals(view, model, dice)
    return model


def whole(views: Sequence[HammerView]) -> SmallGame:
    """Return the model of a game between two turns, of which the views of both sides are known: nothing is guessed."""
    model = _public(views[0])
    for view in views:
        _own(view, model)
    return model


def _own(view: HammerView, model: SmallGame) -> None:
    """Place the blocks of the view's own side."""
    for key, block in view.blocks.items():
        b = BLOCK[BLOCK_OF[key]]
        model.side[b] = SIDES.index(view.seat)
        if block.at in AREA:
            model.place(b, AREA[block.at], block.strength)
        else:
            model.at[b] = _PLACES[block.at]


def _public(view: HammerView) -> SmallGame:
    model = SmallGame()
    model.year, model.last = view.year, last_year(view.scenario, view.years or 0) or NEVER
    model.edward, model.wintered = view.edward, view.wintered
    model.truce = SIDES.index(view.truce) if view.truce else -1
    for name, b in BLOCK.items():
        model.side[b] = SIDES.index(view.nobles[SLUG[name]]) if TURNS[b] else OWNERS[b]
    for (start, end), holder in view.controlled.items():
        model.shut[AREA[start], AREA[end]] = SIDES.index(holder)
    if view.played is not None:
        model.left = min(view.cards[side].left for side in SIDES)
    return model


def _foes(view: HammerView, model: SmallGame, foe: int, dice: Dice) -> None:
    slots = {AREA[a]: n for a, counts in view.occupancy.items() if (n := counts[SIDES[foe]])}
    theirs = [b for b, owner in enumerate(OWNERS) if owner == foe or (TURNS[b] and model.side[b] == foe)]
    for names, place in ((view.dead, DEAD), (view.off, OFF)):
        for b in (BLOCK[name] for name in names if BLOCK[name] in theirs):
            model.at[b] = place
            theirs.remove(b)
    when = _calendar(view)
    _shown(view, model, foe, theirs, slots, when, dice)
    free = [a for a, n in slots.items() for _ in range(n)]
    likely.nobles(model, _shuffled([b for b in theirs if TURNS[b]], dice), free, foe, when, dice)
    likely.others(model, [b for b in theirs if not TURNS[b]], free, foe, when, dice)


def _calendar(view: HammerView) -> likely.Calendar:
    printed = scenario(view.scenario, view.variants)
    at_first = {**printed.english, **printed.scots} if view.year == printed.first_year else {}
    return likely.Calendar(view.turn <= 1, {BLOCK[name]: AREA[area] for name, area in at_first.items()})


def _shown(
    view: HammerView,
    model: SmallGame,
    foe: int,
    theirs: list[int],
    slots: dict[int, int],
    when: likely.Calendar,
    dice: Dice,
) -> None:
    """Place the enemy's blocks that everybody sees, and remove them and their slots from what has to be guessed."""
    for key, shown in view.revealed.items():
        b = BLOCK[BLOCK_OF[key]]
        if shown.side == SIDES[foe] and b in theirs:
            theirs.remove(b)
            if shown.at in AREA:
                area = AREA[shown.at]
                model.place(b, area, shown.strength or likely.strength(b, foe, area, when, dice))
                slots[area] -= 1


def _arrivals(view: HammerView, model: SmallGame, dice: Dice) -> None:
    """Say who attacks where, and who comes late."""
    main = {AREA[area]: SIDES.index(side) for area, side, *_ in view.main_attacks}
    model.attacker.update(main)
    for came in view.came:
        area, side = AREA[came.area], SIDES.index(came.side)
        if came.main or area not in main or (side != main[area] and came.side == view.first):
            continue
        there = model.men[side][area]
        if came.side == view.seat:
            ways = (came.start, came.via)
            own = [BLOCK[BLOCK_OF[key]] for key, block in view.blocks.items() if block.way == ways]
            model.late.update(b for b in own if b in there)
        else:
            hidden = [b for b in there if b not in model.late]
            model.late.update(_shuffled(hidden, dice)[: came.blocks])
    if fight := view.battle:
        front = {BLOCK[name] for side in SIDES for name in fight.front(side)}
        area = AREA[fight.area]
        model.attacker[area] = SIDES.index(fight.attacker)
        there = [b for men in model.men for b in men[area]]
        model.late = {b for b in model.late if b not in there} | {b for b in there if b not in front}


def _shuffled(items: list[int], dice: Dice) -> list[int]:
    keyed = [(dice.random(), n) for n in range(len(items))]
    return [items[n] for _, n in sorted(keyed)]
