"""Pairings of a round: round robin, Swiss or knock-out. It knows no games, keys or clock.

Each is a function of the ordered names and the earlier rounds, so anyone can repeat it. Swiss pairs are a matching of maximum
weight (networkx). The weights are chosen so that this matching is unique, whichever program finds it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Self

from pbem.errors import UsageError, installing
from pbem.i18n import _
from pbem.records import dataclass


class Encounter(tuple[str, ...]):
    """Those who meet, in the order of their seats: two, or a table of more; or one who rests."""

    __slots__ = ()

    def __new__(cls, *names: str) -> Self:
        """Return those of these names."""
        return super().__new__(cls, names)

    @property
    def first(self) -> str:
        """The player who has the first seat, or rests."""
        return self[0]

    @property
    def second(self) -> str:
        """The player who has the second seat; "" if the first rests."""
        return "" if self.rests else self[1]

    @property
    def rests(self) -> bool:
        """Is it one alone?"""
        return len(self) == 1


@dataclass(frozen=True, slots=True)
class Played:
    """A pairing with the result of each player in half points, None until it is decided; `game` is the id of the log."""

    pair: Encounter
    points: tuple[int, ...] | None
    game: str = ""
    ruled: bool = False
    """Was it the organiser who decided?"""

    def each(self) -> list[tuple[str, int]]:
        """Return who had how many half points, where it is decided; one who rests alone."""
        return list(zip(self.pair, self.points or (), strict=False))


# Everybody meets everybody


def round_robin(
    names: Sequence[str], number: int, *, twice: bool = False, apart: Collection[frozenset[str]] = ()
) -> list[Encounter]:
    """Return a round (from 1 on) in which all meet in turn, sides changing; none after the last. Those of a pair in `apart` rest.

    One stays in his place and the others go round him, so that each has each side as often as the other, or once more.
    """
    circle = [*names, *([""] if len(names) % 2 else [])]
    rounds = len(circle) - 1
    if number > rounds * (1 + twice):
        return []
    turn, back = (number - 1) % rounds, number > rounds
    fixed, others = circle[-1], circle[:-1]
    others = others[turn:] + others[:turn]
    half = len(others) // 2
    pairs = [(others[0], fixed) if turn % 2 == 0 else (fixed, others[0])]
    pairs += [(others[i], others[-i]) if i % 2 else (others[-i], others[i]) for i in range(1, half + 1)]
    turned = [(b, a) for a, b in pairs] if back else pairs
    return [one for a, b in turned for one in _met_or_rest(a, b, apart)]


def _met_or_rest(a: str, b: str, apart: Collection[frozenset[str]]) -> list[Encounter]:
    if not (a and b):
        return [Encounter(a or b)]
    return [Encounter(a), Encounter(b)] if frozenset((a, b)) in apart else [Encounter(a, b)]


# Whoever has lost is out


def knock_out(names: Sequence[str], before: Sequence[Sequence[Played]]) -> list[Encounter]:
    """Return the next round of those who have not lost, the first of the list kept apart; none when one is left.

    A game that nobody won is played again with sides changed, and the others wait for it.
    """
    if not before:
        return _bracket(names)
    again = [Encounter(*reversed(one.pair)) for one in before[-1] if one.pair.second and _level(one)]
    if again:
        return again
    left = _left_in(names, before)
    return [Encounter(left[i], left[i + 1]) for i in range(0, len(left) - 1, 2)]


def _bracket(names: Sequence[str]) -> list[Encounter]:
    """Return the first round: the first meets the last, and so on, so that the best meet last. A player without an opponent
    rests."""
    places = [1]
    while len(places) < len(names):
        most = 2 * len(places) + 1
        places = [place for upper in places for place in (upper, most - upper)]
    named = [names[place - 1] if place <= len(names) else "" for place in places]
    pairs = [(named[i], named[i + 1]) for i in range(0, len(named), 2)]
    return [Encounter(a, b) if a and b else Encounter(a or b) for a, b in pairs]


def _left_in(names: Sequence[str], before: Sequence[Sequence[Played]]) -> list[str]:
    """Return the players who are still in, in bracket order."""
    order = [name for pair in _bracket(names) for name in pair if name]
    out = {name for played in before for one in played if one.pair.second and not _level(one) for name in _lost(one)}
    return [name for name in order if name not in out]


def _level(one: Played) -> bool:
    return one.points is not None and one.points[0] == one.points[1]


def _lost(one: Played) -> Iterator[str]:
    most = max(one.points or (0,))
    yield from (name for name, had in one.each() if had < most)


# Those of like strength meet, and nobody twice


def swiss(
    table: Sequence[str], before: Sequence[Sequence[Played]], apart: Collection[frozenset[str]] = ()
) -> list[Encounter]:
    """Return the next Swiss round for the players in the order of the table, best first.

    Opponents have similar points and have not met; the upper half plays the lower half. Pairs in `apart` count as having met.

    With an odd number, the last player who has not rested yet rests. Of two opponents, the one who had the first seat less often
    gets it. Raises UsageError if the library for the matching is missing.
    """
    points, met, firsts = Counter[str](), set(apart), Counter[str]()
    rested = set[str]()
    for one in (one for played in before for one in played):
        for name, had in one.each():
            points[name] += had
        if one.pair.second:
            met.add(frozenset(one.pair))
            firsts[one.pair.first] += 1
            firsts[one.pair.second] -= 1
        else:
            rested.add(one.pair.first)
    resting = next((name for name in reversed(table) if name not in rested), table[-1]) if len(table) % 2 else ""
    names = [name for name in table if name != resting]
    pairs = [_sides(names[a], names[b], firsts) for a, b in _matched(names, points, met)]
    return [*pairs, *([Encounter(resting)] if resting else [])]


def _sides(better: str, worse: str, firsts: Counter[str]) -> Encounter:
    return Encounter(worse, better) if firsts[better] > firsts[worse] else Encounter(better, worse)


def _matched(names: Sequence[str], points: Counter[str], met: set[frozenset[str]]) -> list[tuple[int, int]]:
    """Return pairs of places: the matching of the greatest weight, the better one first."""
    try:
        from networkx import Graph, max_weight_matching
    except ImportError:
        raise UsageError(_("Events need a library that is not installed. {how}", how=installing("club"))) from None

    edges = [(a, b) for a in range(len(names)) for b in range(a + 1, len(names))]
    groups = Counter(points[name] for name in names)
    graph = Graph()
    for rank, (a, b) in enumerate(edges):
        first, second = names[a], names[b]
        apart = points[first] - points[second]
        wanted = groups[points[first]] // 2 if not apart else 1
        cost = (
            10**6 * (frozenset((first, second)) in met)  # worse than all that follows, for any number of players
            + 1000 * apart * apart
            + min(abs(b - a - wanted), 99)
        )
        tie = 1 << (len(edges) - rank)  # no two sets of edges have the same sum, so there is one best matching
        graph.add_edge(a, b, weight=(tie - (cost << (len(edges) + 1))))
    found = max_weight_matching(graph, maxcardinality=True)
    return sorted((min(pair), max(pair)) for pair in found)
