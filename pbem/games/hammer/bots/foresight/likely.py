"""The likely state of the enemy's hidden blocks: which are on the map, where, and how strong.

Consequences of the rules are certain:
- Leaders never go to the pool.
- Before a year's first move the English other than infantry are in England, unless Edward has wintered.
- In a game's first turn all are at full strength.

In the first year of a game, blocks are near their places in the scenario. The other frequencies were counted in whole games.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from ..adding import added
from .model import SmallGame
from .numbers import (
    EDWARD,
    ENGLAND,
    ENGLISH,
    FAR,
    HOMES,
    INFANTRY,
    KING,
    LIMITS,
    MORAY,
    MOST,
    NORSE,
    SELKIRK,
    TURNS,
    WALLACE,
    Dice,
)

CERTAINLY = 1_000_000
LEADERS = (WALLACE, KING, MORAY)
PLACED_FIRST = (EDWARD, *LEADERS)
INFANTRY_STAYS = 3
"""The factor by which infantry is likelier to be on the map than another English block: it winters in castles."""
DEPLOYED = (1000, 8, 3, 1)
"""The likelihoods of a block's area in a game's first year, by the distance from where it was deployed."""
HOME = 0.97
"""How often a noble is at home where some block of his side is."""
STRAYED = 2
"""From so far away he is as likely to be at home as there, if he has left it."""
FULL_NOBLE, FULL_ENGLISH, FULL_LEADER, FULL_SCOT = 0.84, 0.85, 0.75, 0.5
"""How often they are at full strength."""
FULL_IN_FIRST_YEAR = 0.75
"""So often is anybody in a game's first year, after its first turn."""
SLOW = 3
"""So much likelier than others are blocks that move two areas, and no infantry, to be still in England."""
SELDOM = 0.1


class Calendar(NamedTuple):
    """What the date reveals: whether it is a year's first turn; in a game's first year, where blocks were deployed."""

    first_turn: bool
    deployed: Mapping[int, int]


def nobles(model: SmallGame, hidden: Sequence[int], slots: list[int], foe: int, when: Calendar, dice: Dice) -> None:
    """Place the nobles, and use up their slots: at home if blocks are there, otherwise in the nearest area with blocks."""
    away = []
    for n in hidden:
        homes = [home for home in HOMES[n] if home in slots]
        if homes and dice.random() < HOME:
            _put(model, n, homes[int(dice.random() * len(homes))], slots, foe, when, dice)
        else:
            away.append(n)
    for n in away:
        if slots:
            _put(model, n, min(sorted(set(slots)), key=_distance(n, dice)), slots, foe, when, dice)


def _distance(noble: int, dice: Dice) -> Callable[[int], float]:
    """Return the distance of areas for a noble who is not at home, greater for England, with a random part."""

    def far(area: int) -> float:
        away = min(FAR[area][home] for home in HOMES[noble])
        return (away or STRAYED) + dice.random() + 4.0 * (area == ENGLAND)

    return far


def others(model: SmallGame, hidden: list[int], slots: list[int], foe: int, when: Calendar, dice: Dice) -> None:
    """Place blocks other than nobles into the slots that are left; a block without a slot stays in the pool."""
    wintered = model.wintered == model.year - 1
    there = _drawn(hidden, [_stands(b, foe, wintered, when) for b in hidden], len(slots), dice)
    if foe == ENGLISH:
        weights = [_waits(b, when.first_turn and not wintered) for b in there]
        for b in _drawn(there, weights, slots.count(ENGLAND), dice):
            there.remove(b)
            _put(model, b, ENGLAND, slots, foe, when, dice)
    for b in sorted(there, key=lambda b: b not in PLACED_FIRST):
        if able := [a for a in slots if b != NORSE or a != ENGLAND]:
            (area,) = _drawn(able, [_likes(b, a, able.count(a), foe, when) for a in able], 1, dice)
            _put(model, b, area, slots, foe, when, dice)


def _put(model: SmallGame, b: int, area: int, slots: list[int], foe: int, when: Calendar, dice: Dice) -> None:
    slots.remove(area)
    model.place(b, area, strength(b, foe, area, when, dice))


def _stands(b: int, foe: int, wintered: bool, when: Calendar) -> float:
    """Return the likelihood that a block is on the map, relative to others of its side."""
    if b in LEADERS or b in when.deployed or (b == EDWARD and wintered):
        return CERTAINLY
    return INFANTRY_STAYS if foe == ENGLISH and INFANTRY[b] else 1


def _waits(b: int, surely: bool) -> float:
    """Return the likelihood that an English block is still in England."""
    if not INFANTRY[b] and surely:
        return CERTAINLY
    if b == EDWARD:
        return SELDOM
    return 1 if INFANTRY[b] else SLOW


def _likes(b: int, area: int, company: int, foe: int, when: Calendar) -> float:
    """Return the likelihood of a block's area: leaders at home, Edward in company, infantry at castles."""
    if b in when.deployed:
        return DEPLOYED[min(FAR[when.deployed[b]][area], len(DEPLOYED) - 1)]
    if b == MORAY:
        return 20 if area in HOMES[MORAY] else 1
    if b == WALLACE:
        return (8 if area == SELKIRK else 1) * (3 if company == 1 else 1)
    if b == EDWARD:
        return company
    if foe == ENGLISH and INFANTRY[b]:
        return 2 if LIMITS[ENGLISH][area] else 1
    return 1


def strength(b: int, foe: int, area: int, when: Calendar, dice: Dice) -> int:
    """Return how strong a hidden block may be; in England, and in a game's first turn, all are at full strength."""
    most = MOST[b]
    if (foe == ENGLISH and area == ENGLAND and not TURNS[b]) or (when.deployed and when.first_turn):
        return most
    if when.deployed:
        full = FULL_IN_FIRST_YEAR
    elif TURNS[b]:
        full = FULL_NOBLE
    elif foe == ENGLISH:
        full = FULL_ENGLISH
    else:
        full = FULL_LEADER if b in LEADERS else FULL_SCOT
    return most if dice.random() < full else 1 + int(dice.random() * (most - 1))


def _drawn(items: Sequence[int], weights: Sequence[float], count: int, dice: Dice) -> list[int]:
    """Return `count` of the items, drawn one after the other by their weights."""
    left, heavy, found = list(items), list(weights), list[int]()
    while left and len(found) < count:
        at = dice.random() * added(heavy)
        place = 0
        while place < len(left) - 1 and at >= heavy[place]:
            at -= heavy[place]
            place += 1
        found.append(left.pop(place))
        heavy.pop(place)
    return found
