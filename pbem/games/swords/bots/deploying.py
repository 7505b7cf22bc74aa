"""The use of a formation: which cubes are pulled, where they go, and the use of its special action."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import NamedTuple

from pbem.kernel import Order

from .. import law
from ..orders import Add, Cube, Deploy, Move, Special, Take
from ..rules import deploy_law, shapes
from ..rules.names import PICTS
from ..views import SwordsView
from .gathering import Promise
from .situation import Outlook

CASTLE = 6
"""The worth of a castle for each round to come, beyond the battles that it decides at present."""


class _Way(NamedTuple):
    """The destination of cubes and the effect of the special action; `gain` is the resulting gain."""

    gain: int
    region: str
    special: Special | None


def first_cube(view: SwordsView) -> Order:
    """Return where one of the first cubes is placed: where it gains most, and rather apart than together."""
    now = Outlook(view)
    return Cube(region=max(now.regions, key=lambda name: now.gain({name: 1})))


def deploy(view: SwordsView) -> Order:
    """Return the best deployment: what the map gains by it, and what the cubes that stay promise."""
    now, at = Outlook(view), law.formation(view)
    promise, table = Promise(now), now.table
    covered, ways = table.boards[now.seat], dict[tuple[str, int, int], _Way]()
    best, chosen = None, None
    for four in deploy_law.fours(table, at):
        kind = shapes.shape(four)
        there = deploy_law.left(table, at.seat, four)
        for pulled in combinations(there, deploy_law.must_pull(table, at.seat, four)):
            picts = sum(covered[square] == PICTS for square in pulled)
            key = (kind, len(pulled), picts)
            if key not in ways:
                ways[key] = _best_way(now, *key)
            found = ways[key].gain + promise.of([square for square in covered if square not in pulled])
            if best is None or found > best:
                best, chosen = found, (four, pulled, ways[key])
    assert chosen is not None  # noqa: S101 - it is asked of a formation
    four, pulled, way = chosen
    return Deploy(squares=four, pulled=pulled, region=way.region, special=way.special)


def _best_way(now: Outlook, kind: str, cubes: int, picts: int) -> _Way:
    """Return the best use of that number of cubes, some of them Picts, pulled from a formation of that shape."""
    return max(
        (way for region in deploy_law.goals(now.table, now.seat) for way in _ways(now, kind, region, cubes, picts)),
        key=lambda way: way.gain,
    )


def _ways(now: Outlook, kind: str, region: str, cubes: int, picts: int) -> list[_Way]:
    found = [_Way(now.gain({region: cubes}), region, None)]
    after = now.table.change(region, now.seat, cubes - picts).change(region, PICTS, picts)
    seen = set[tuple[object, ...]]()
    for special in deploy_law.specials(after, now.seat, region, kind):
        if isinstance(special, Move):
            # whether Picts or others go is the same to the map
            key: tuple[object, ...] = (special.start, special.goal, special.troops.total)
            if key in seen:
                continue
            seen.add(key)
        found.append(_Way(_gain(now, region, cubes, special), region, special))
    return found


def _gain(now: Outlook, region: str, cubes: int, special: Special) -> int:
    changes = Counter({region: cubes})
    match special:
        case Move(troops=troops, start=start, goal=goal):
            changes[start] -= troops.total
            changes[goal] += troops.total
            return now.gain(changes)
        case Add(region=goal):
            changes[goal] += 1
            return now.gain(changes) + now.cube
        case Take(castle=castle):
            changes[region] -= 1
            lasting = CASTLE * (1 + now.times.rounds) - now.cube
            return now.gain(changes) + now.gain_of_castle(castle, changes) + lasting
