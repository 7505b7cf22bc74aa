"""The winter: where nobles and the King go, which blocks disband, what is built."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from pbem.kernel import Order

from ..orders import DISBAND, STAY, Disband, GoHome, Going
from ..rules import (
    BLOCKS,
    EDWARD,
    ENGLAND,
    ENGLISH,
    KING,
    MORAY,
    NOBLES,
    SCOTTISH,
    SELKIRK,
    WALLACE,
    castle_limit,
    edward_refusal,
    home_choices,
    quarters,
    spend,
    wallace_refusal,
)
from ..views import HammerView
from .fighting import fed
from .situation import Situation

ARMY = 9
"""The number of steps beside Edward, of blocks that would disband, from which it pays that he winters in Scotland."""


def go_home(view: HammerView) -> Order:
    """Return where those with a choice go: where there is most room, away from the enemy."""
    now = Situation(view, second=True)
    goings = []
    for block, choices in home_choices(view).items():
        best = max((to for to in choices if to != DISBAND or len(choices) == 1), key=lambda to: _home(now, block, to))
        goings.append(Going(block=block, to=best))
    return GoHome(goings=tuple(goings))


def _home(now: Situation, block: str, to: str) -> tuple[float, str]:
    own = now.view.own(block)
    at = own.at if own else ""
    area = at if to == STAY else to
    others = [n for n in now.own.get(area, ()) if n != block]
    room = castle_limit(area, now.side) - len(others)
    value = 2.0 * min(room, 1) + 0.6 * castle_limit(area, now.side) - 0.25 * now.threats[area].steps
    if block == MORAY and to != STAY:
        value += 1.0
    if block == KING:
        value -= 0.25 * now.threats[area].steps
    return value + 0.2 * min(3.0, now.force(others).steps), to


def disband(view: HammerView) -> Order:
    """Return who disbands: of those who may stay as many of the strongest as there is room."""
    now = Situation(view, second=True)
    order = Disband()
    if now.side == ENGLISH and not edward_refusal(view) and _edward_winters(now):
        order = Disband(edward=True)
    if now.side == SCOTTISH and not wallace_refusal(view) and _wallace_hides(now):
        order = Disband(wallace=True)
    return disbanding(now, order)


def disbanding(now: Situation, order: Disband) -> Disband:
    """Return an order with those who go for want of room, given what it says of Edward and Wallace."""
    return order.model_copy(update={"blocks": tuple(who_goes(now, order))})


def who_goes(now: Situation, order: Disband) -> list[str]:
    """Return the blocks that disband for lack of room, the weakest first, given the orders for Edward and Wallace."""
    gone: list[str] = []
    for free, able in quarters(now.side, now.view.groups, order, now.view.variants).areas.values():
        gone += sorted(able, key=lambda n: _keeps(now, n))[: max(0, len(able) - free)]
    return gone


def _edward_winters(now: Situation) -> bool:
    """With an army beside him that would disband, before the last year, and no great levy to lose."""
    if now.last_year:
        return False
    own = now.view.own(EDWARD)
    there = [n for n in now.own.get(own.at, ()) if n not in NOBLES] if own else []
    return sum(now.strength[n] for n in there) >= ARMY and len(there) * 2 > now.view.pools[ENGLISH]  # type: ignore[index]


def _wallace_hides(now: Situation) -> bool:
    """From England, from a crowded area, or when two steps more are worth the way."""
    own = now.view.own(WALLACE)
    if own is None:
        return False
    others = [n for n in now.own.get(own.at, ()) if n != WALLACE]
    crowded = own.at == ENGLAND or castle_limit(own.at, SCOTTISH) <= len(others)
    hurt = BLOCKS[WALLACE].max - now.strength[WALLACE]
    return crowded or own.at == SELKIRK or (hurt >= 2 and now.threats[SELKIRK].steps < 6)


def _keeps(now: Situation, name: str) -> tuple[float, str]:
    block = BLOCKS[name]
    return now.strength[name] * (1 + block.rating) + 20.0 * (name in (KING, WALLACE)) + 6.0 * block.cross, name


def build(view: HammerView) -> Order:
    """Return what replacement points are used for: new blocks where there is room, then steps for the best."""
    now = Situation(view, second=True)
    return spend(view, partial(_best, now))


def _best(now: Situation, room: Mapping[str, int], left: Mapping[str, int]) -> str:
    """Return which block a step is worth most to; one that has got some already wants the next less."""
    return max(left, key=lambda name: (fed(now, name) - 0.4 * (room[name] - left[name]), name))
