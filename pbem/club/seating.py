"""Who sits with whom in a round of tables of more than two. It knows no games, keys or clock.

The first aim is that people meet again as seldom as possible, the second that those with similar points sit together. If there are
more people than places, some rest, nobody twice before all have rested. The best of all seatings cannot be found in useful time.
This one cannot be improved by exchanging two people, and everybody finds the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from .pairing import Encounter, Played

MOST_AT_TABLE = 5
"""The maximum number of players at a table. Up to this number, the points of a table can be shared out in whole half points."""
TABLE_WON = 24
"""The half points of the winner of a table; the last has none."""
_AGAIN = 10**9
"""What a second meeting costs: more than all differences of points together. A third costs four times that, and so on."""
_MATES = 100
"""Those of one team sit together as unwillingly as if they had met so often."""

_Met = Mapping[frozenset[str], int]


def shared_out(placed: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """Return the half points of the players at a table, given the result of each (more is better).

    Each opponent beaten counts equally, and a tie counts half. So a win counts the same at a table of any size.

    >>> shared_out([(1, 9), (0, 5), (0, 7)])
    (24, 0, 12)
    >>> shared_out([(1,), (1,), (0,), (0,), (0,)])
    (21, 21, 6, 6, 6)
    """
    others = len(placed) - 1
    return tuple(
        TABLE_WON * (2 * sum(one > other for other in placed) + placed.count(one) - 1) // (2 * others) for one in placed
    )


def sizes(count: int, least: int, most: int) -> list[int]:
    """Return the number of players at each table, larger tables first, so that as few as possible rest.

    Sizes differ by at most one.

    >>> sizes(9, 3, 4), sizes(5, 3, 4), sizes(2, 3, 4)
    ([3, 3, 3], [4], [])
    """
    for playing in range(count, least - 1, -1):
        tables = -(-playing // most)
        if playing >= tables * least:
            return [playing // tables + (no < playing % tables) for no in range(tables)]
    return []


def at_tables(
    table: Sequence[str],
    before: Sequence[Sequence[Played]],
    least: int,
    most: int,
    apart: Collection[frozenset[str]] = (),
) -> list[Encounter]:
    """Return the next round for players in standings order: the tables, then those who rest; [] if too few players are left.

    Pairs in `apart` sit together only if unavoidable. The player who has had the first seat least often gets it.
    """
    had = [one for played in before for one in played]
    rested = Counter(one.pair.first for one in had if one.pair.rests)
    places = sizes(len(table), least, most)
    if not places:
        return []
    place = {name: no for no, name in enumerate(table)}
    resting = sorted(table, key=lambda name: (rested[name], -place[name]))[: len(table) - sum(places)]
    names = [name for name in table if name not in resting]
    points = Counter[str]()
    for one in had:
        points.update(dict(one.each()))
    met = Counter(dict.fromkeys(apart, _MATES))
    met.update(frozenset((a, b)) for one in had for a, b in _pairs(one.pair))
    found = _bettered(_dealt(names, places, points), points, met)
    return [*(_seated(group, had) for group in found), *(Encounter(name) for name in resting)]


def _pairs(names: Sequence[str]) -> Iterator[tuple[str, str]]:
    return ((a, b) for no, a in enumerate(names) for b in names[no + 1 :])


def _dealt(names: Sequence[str], places: Sequence[int], points: Mapping[str, int]) -> list[list[str]]:
    """Seat people from the top; those of the same points are dealt out to the tables on which they come to sit."""
    chairs = [no for no, size in enumerate(places) for _chair in range(size)]
    found: list[list[str]] = [[] for _size in places]
    at = 0
    while at < len(names):
        level = [name for name in names[at:] if points[name] == points[names[at]]]
        theirs = chairs[at : at + len(level)]
        in_turn = sorted((theirs[:no].count(chair), chair) for no, chair in enumerate(theirs))
        for name, (_turn, chair) in zip(level, in_turn, strict=True):
            found[chair].append(name)
        at += len(level)
    return found


def _bettered(groups: list[list[str]], points: Mapping[str, int], met: _Met) -> list[list[str]]:
    """Let two change places as long as that makes it better, always looking from the top."""
    better = True
    while better:
        better = False
        for no, group in enumerate(groups):
            for other in groups[no + 1 :]:
                for i in range(len(group)):
                    for j in range(len(other)):
                        if gained(group, i, other, j, points, met) > 0:
                            group[i], other[j] = other[j], group[i]
                            better = True
    return groups


def gained(group: Sequence[str], i: int, other: Sequence[str], j: int, points: Mapping[str, int], met: _Met) -> int:
    """Return by how much it is better when two of different tables change places."""

    def cost(name: str, at: Sequence[str], gone: str) -> int:
        return sum(
            _AGAIN * met.get(frozenset((name, one)), 0) ** 2 + (points[name] - points[one]) ** 2
            for one in at
            if one != gone
        )

    a, b = group[i], other[j]
    return cost(a, group, a) + cost(b, other, b) - cost(a, other, b) - cost(b, group, a)


def _seated(group: Sequence[str], had: Sequence[Played]) -> Encounter:
    """Give each seat to the player who has had it least often; of equals, to the one with the better standing."""
    left, found = list(group), list[str]()
    for no in range(len(group)):
        often = Counter(one.pair[no] for one in had if no < len(one.pair) and not one.pair.rests)
        found.append(min(left, key=lambda name: often[name]))
        left.remove(found[-1])
    return Encounter(*found)
