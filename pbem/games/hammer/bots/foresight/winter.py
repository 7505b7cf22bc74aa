"""The winter in the small model: nobles go home, blocks disband, builds, the levy (7.0)."""

from __future__ import annotations

from .model import SmallGame
from .numbers import (
    CHURCHES,
    EDWARD,
    ENGLAND,
    ENGLISH,
    FRENCH,
    HOMES,
    INFANTRY,
    INLAND,
    KING,
    LIMITS,
    MORAY,
    MOST,
    NORSE,
    OFF,
    OWNERS,
    POOL,
    RATING,
    SCOTS,
    SELKIRK,
    TURNING,
    TURNS,
    WALLACE,
    Dice,
)

ARMY = 9
"""The number of steps beside Edward, which would otherwise go home, from which he winters in Scotland."""
LAST_OF_EDWARD_I = 1306
FRENCH_NOBLES = 8


def winter(model: SmallGame, dice: Dice, edward_stays: bool | None = None) -> None:
    """Play a winter. Edward stays in Scotland or not as given, or by the better choice. After the last winter somebody has won."""
    model.forget()
    homes(model)
    if model.year >= model.last > 0:
        disband_scots(model)
        model.count()
        return
    stays = stays_with_an_army(model) if edward_stays is None else edward_stays
    english_disband(model, stays)
    disband_scots(model)
    builds(model, dice)
    if not stays:
        levy(model, dice)
    if model.year == LAST_OF_EDWARD_I:
        model.edward = 2
    model.year += 1


def homes(model: SmallGame) -> None:
    """Let all nobles go home, first the English, and change sides where the enemy sits (7.1)."""
    turned = set[int]()
    for side in (ENGLISH, SCOTS):
        for n in TURNING:
            if model.side[n] == side and n not in turned:
                foes = model.men[1 - side]
                free = [h for h in HOMES[n] if not foes[h]]
                if free:
                    to = max(free, key=lambda h: (LIMITS[side][h] - len(model.men[side][h]) + (h == model.at[n]), h))
                else:
                    to = HOMES[n][0]
                    model.turn_over(n)
                    turned.add(n)
                if to != model.at[n]:
                    model.go(n, to)
    _court(model)


def _court(model: SmallGame) -> None:
    english = model.men[ENGLISH]
    (home,) = HOMES[MORAY]
    if model.at[MORAY] >= 0 and model.at[MORAY] != home and not english[home]:
        model.go(MORAY, home)
    if model.at[KING] >= 0:
        own = model.men[SCOTS]
        free = [c for c in CHURCHES if not english[c]]
        if free:
            to = max(free, key=lambda c: (LIMITS[SCOTS][c] > len(own[c]) - (model.at[KING] == c), c))
            if to != model.at[KING]:
                model.go(KING, to)


def edward_may_winter(model: SmallGame) -> bool:
    """May Edward winter where he is (7.4)?"""
    return (
        model.at[EDWARD] > ENGLAND
        and model.edward == 1
        and model.year != LAST_OF_EDWARD_I
        and model.wintered != model.year - 1
    )


def stays_with_an_army(model: SmallGame) -> bool:
    """Would Edward winter in Scotland: may he, and is an army beside him that would disband?"""
    if not edward_may_winter(model):
        return False
    return sum(model.st[b] for b in model.men[ENGLISH][model.at[EDWARD]] if not TURNS[b]) >= ARMY


def english_disband(model: SmallGame, stays: bool) -> None:
    """Disband the English, but for Edward's group if he stays."""
    own = model.men[ENGLISH]
    for area, there in enumerate(own):
        if stays and area == model.at[EDWARD]:
            model.wintered = model.year
            continue
        room = LIMITS[ENGLISH][area] - sum(TURNS[b] for b in there)
        keen = sorted((b for b in there if not TURNS[b]), key=lambda b: (not INFANTRY[b], -model.st[b] * RATING[b], b))
        for n, b in enumerate(keen):
            if area == ENGLAND or n >= room or not INFANTRY[b]:
                model.take(b)


def disband_scots(model: SmallGame) -> None:
    """Disband the Scots who find no room; Wallace hides in Selkirk where it helps (7.5)."""
    own = model.men[SCOTS]
    at = model.at[WALLACE]
    if at >= 0 and not model.men[ENGLISH][SELKIRK]:
        crowded = at == ENGLAND or len(own[at]) > LIMITS[SCOTS][at]
        hides = crowded or model.st[WALLACE] <= 2
        if hides or at == SELKIRK:
            if at != SELKIRK:
                model.go(WALLACE, SELKIRK)
            model.st[WALLACE] = min(MOST[WALLACE], model.st[WALLACE] + 2)
    for area, there in enumerate(own):
        room = LIMITS[SCOTS][area] - sum(TURNS[b] for b in there)
        keen = [b for b in there if not TURNS[b] and not (b == WALLACE and area == SELKIRK)]
        keen.sort(key=lambda b: (b not in (KING, MORAY), b != WALLACE, -model.st[b] * RATING[b], b))
        for b in keen[max(0, room) :]:
            model.take(b)


def builds(model: SmallGame, dice: Dice) -> None:
    """Build: the English steps of infantry and nobles, the Scots new blocks first (7.6)."""
    st = model.st
    for area, there in enumerate(model.men[ENGLISH]):
        points = LIMITS[ENGLISH][area] if there and not model.men[SCOTS][area] else 0
        _strengthen(st, [b for b in there if INFANTRY[b] or TURNS[b]], points)
    if model.at[FRENCH] == OFF and sum(model.side[n] for n in TURNING) + (model.at[MORAY] >= 0) >= FRENCH_NOBLES:
        model.at[FRENCH] = POOL
    pool = [b for b, owner in enumerate(OWNERS) if owner == SCOTS and model.at[b] == POOL]
    for area, there in enumerate(model.men[SCOTS]):
        points = LIMITS[SCOTS][area] if there and not model.men[ENGLISH][area] else 0
        while points and pool and len(there) < LIMITS[SCOTS][area]:
            drawn = pool[int(dice.random() * len(pool))]
            if drawn in (NORSE, FRENCH) and area in INLAND:
                break
            pool.remove(drawn)
            model.place(drawn, area, 1)
            points -= 1
        _strengthen(st, there, points)


def _strengthen(st: list[int], blocks: list[int], points: int) -> None:
    while points:
        weak = [b for b in blocks if st[b] < MOST[b]]
        if not weak:
            return
        st[min(weak, key=lambda b: (st[b], -RATING[b], b))] += 1
        points -= 1


def levy(model: SmallGame, dice: Dice) -> None:
    """Draw half of the English pool, at full strength (7.7)."""
    pool = [b for b, owner in enumerate(OWNERS) if owner == ENGLISH and model.at[b] == POOL]
    for _ in range((len(pool) + 1) // 2):
        drawn = pool.pop(int(dice.random() * len(pool)))
        model.place(drawn, ENGLAND, MOST[drawn])
