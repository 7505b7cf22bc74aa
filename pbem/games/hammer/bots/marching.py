"""Moves: which groups march where. The best march is chosen first, then the next, until the card is used up or nothing is gained.

A candidate is one group, or two or three together, going to one area, or a rally of some to a leader (option). `ground` judges its
worth, and the rules' own `move_law` whether it is legal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from ..orders import March
from ..rules import (
    BLOCKS,
    BORDER,
    NOBLES,
    NORSE,
    RALLY,
    SEA,
    Mover,
    Tally,
    attack_group,
    crosses_to_or_from_england,
    leaders,
    move_refusals,
    norse_coast,
    norse_refusal,
    origin,
    routes,
)
from .ground import Blocks, Ground
from .situation import Situation

MOST_TOGETHER = 3


class Plan(NamedTuple):
    """The marches in the order found, and what all of them gain: `gains[n]` with n Group Moves."""

    marches: tuple[March, ...]
    gains: tuple[float, ...]


class _Party(NamedTuple):
    """Blocks of one group that take the same route; `start` is "" for the Norse, as in a March, `rally` too."""

    start: str
    blocks: Blocks
    route: tuple[str, ...]
    rally: bool = False

    def march(self) -> March:
        return March.model_construct(
            start=self.start, blocks=self.blocks, route=self.route, main=False, rally=self.rally
        )


class _Candidate(NamedTuple):
    """Parties that go to one area, what they gain and how many more Group Moves they take."""

    gain: float
    cost: int
    parties: tuple[_Party, ...]


_NOBODY = _Candidate(0.0, 0, ())


class Marching:
    """Plans the moves of one card."""

    def __init__(self, now: Situation, who: Mover, ground: Ground) -> None:
        self.now, self.who, self.ground = now, who, ground
        self._ways = self._all_ways()
        self._borders = {
            (start, route): tuple(BORDER[pair] for pair in pairwise((start, *route)))
            for start, ways in self._ways.items()
            for route in ways.values()
        }
        self._strongest_first = {
            area: sorted((n for n in names if n != NORSE), key=self._power, reverse=True)
            for area, names in now.own.items()
        }
        self._known: dict[tuple[_Party, int, int], float] = {}
        self._changes = 0
        self._begin()

    def _begin(self) -> None:
        self._marches: list[March] = []
        self._tally = Tally(self.who)
        self._staying: dict[str, Blocks] = dict(self.now.own)
        self._came: dict[str, dict[tuple[str, str], Blocks]] = {}
        """By area, the groups that come there, the main attack first."""
        self._changed: dict[str, int] = {}
        """The time of the last change, by area: unchanged areas need not be judged again."""

    def plan(self, enough: float) -> Plan:
        """Return the marches, each gaining more than `enough`: many small ones, or a great one first, whatever gains more."""
        first = list(self._candidates())
        plans = [self._greedily(first, enough, thrift) for thrift in (1.0, 0.0)]
        return max(plans, key=lambda plan: plan.gains[-1])

    def promise(self, enough: float) -> tuple[float, ...]:
        """Return about how much is gained with each number of Group Moves, at less thought than `plan` takes."""
        return self._greedily(list(self._candidates()), enough, 1.0).gains

    def _greedily(self, first: Sequence[_Candidate], enough: float, thrift: float) -> Plan:
        self._begin()
        gains = [0.0] * (self.who.group_moves + 1)
        total, candidates = 0.0, first
        while True:
            found = [c for c in candidates if c.gain > enough]
            found.sort(key=lambda c: -c.gain / (1.0 + thrift * (c.cost - 1)) if c.cost else -2.0 * c.gain)
            best = next((c for c in found if self._is_legal(c)), None)
            if best is None:
                break
            for party in best.parties:
                self._add(party)
            total += best.gain
            gains[self._tally.cost] = total
            candidates = list(self._candidates())
        for n in range(1, len(gains)):
            gains[n] = max(gains[n], gains[n - 1])
        return Plan(tuple(self._marches), tuple(gains))

    def _is_legal(self, candidate: _Candidate) -> bool:
        return not move_refusals(self.who, [*self._marches, *(party.march() for party in candidate.parties)])

    def _add(self, party: _Party) -> None:
        start = party.start or self.who.places[NORSE]
        march = party.march()
        self._staying[start] = tuple(n for n in self._staying[start] if n not in party.blocks)
        self._changes += 1
        self._changed[start] = self._changed[party.route[-1]] = self._changes
        end = party.route[-1]
        groups = self._came.setdefault(end, {})
        group = attack_group(self.who.variants, *origin(march, start), end)
        groups[group] = groups.get(group, ()) + party.blocks
        self._tally.add(march)
        self._marches.append(march)

    # candidates

    def _all_ways(self) -> dict[str, dict[str, tuple[str, ...]]]:
        """Return by start and end the route to take: the one most blocks can take, the shortest of those."""
        found: dict[str, dict[str, tuple[str, ...]]] = {}
        for start, names in self.now.own.items():
            ratings = {self.who.rating(n) for n in names if n != NORSE}
            ways = found[start] = {}
            for route in routes(self.who, start, max(ratings)) if ratings else ():
                old = ways.get(route[-1])
                if old is None or self._ease(start, route) > self._ease(start, old):
                    ways[route[-1]] = route
        return found

    @staticmethod
    def _ease(start: str, route: tuple[str, ...]) -> tuple[int, int]:
        return -max(2, len(route)), min(BORDER[pair].limit for pair in pairwise((start, *route)))

    def _candidates(self) -> Iterator[_Candidate]:
        together: dict[str, list[_Party]] = {}
        left = self.who.group_moves - self._tally.cost
        for start, ways in self._ways.items():
            for end, route in ways.items():
                parties = [_Party(start, blocks, route) for blocks in self._parties(start, route, left)]
                for party in parties:
                    candidate = self._judge(party)
                    if candidate.cost <= left:
                        yield candidate
                if parties and self.now.foes.get(end):
                    together.setdefault(end, []).append(parties[0])
        for joint in together.values():
            if len(joint) > 1:
                yield from self._joint(joint, left)
        if left:
            yield from self._norse()
        if left and RALLY in self.who.variants:
            yield from self._rallies()

    def _joint(self, parties: list[_Party], left: int) -> Iterator[_Candidate]:
        parties.sort(key=lambda party: -self.now.force(party.blocks).steps)
        for n in range(2, min(MOST_TOGETHER, len(parties)) + 1):
            candidate = self._judge(*parties[:n])
            if candidate.cost <= left:
                yield candidate

    def _norse(self) -> Iterator[_Candidate]:
        place = self.who.places.get(NORSE, "")
        if place and NORSE in self._staying[place]:
            for to in norse_coast(self.who.variants):
                if not norse_refusal(self.who, to):
                    yield self._judge(_Party("", (NORSE,), (to,)))

    def _rallies(self) -> Iterator[_Candidate]:
        """Yield rallies of several groups to a leader's area, each group with those of its blocks that gain most."""
        places = {**self.who.places, **self._tally.moved}
        for end in dict.fromkeys(places[name] for name in leaders(self.who.side, places)):
            found: list[_Candidate] = []
            for start, ways in self._ways.items():
                if end in ways and not self.now.foes.get(end) and not crosses_to_or_from_england(start, ways[end]):
                    parties = [
                        _Party(start, blocks, ways[end], rally=True) for blocks in self._parties(start, ways[end], 1)
                    ]
                    found.append(max(map(self._judge, parties), default=_NOBODY))
            found = sorted((rally for rally in found if rally.gain > 0), reverse=True)
            for n in range(2, min(MOST_TOGETHER, len(found)) + 1):
                yield self._judge(*(party for rally in found[:n] for party in rally.parties))

    def _parties(self, start: str, route: tuple[str, ...], left: int) -> list[Blocks]:
        """Return which blocks of a group might go: as many as can, all but the noble at home, the strongest, the weakest."""
        staying, crossed = self._staying.get(start, ()), self._tally.crossed
        able = [n for n in self._strongest_first[start] if n in staying and self.who.rating(n) >= len(route)]
        most = min(border.limit - crossed.get((border.a, border.b), 0) for border in self._borders[start, route])
        if self.who.is_contested(start):
            most = min(most, self.who.free(start) - self._tally.left.get(start, 0))
        if crosses_to_or_from_england(start, route):
            most = min(most, left)
        elif start not in self._tally.groups and not left:
            most = 0
        if most <= 0 or not able:
            return []
        others = [n for n in able if not (n in NOBLES and start in BLOCKS[n].homes)]
        parties = [able[:most], others[:most], able[:1], able[:2], others[:-1][:most], able[-1:], others[-1:]]
        return list(dict.fromkeys(tuple(p) for p in parties if p and len(p) <= most))

    def _power(self, name: str) -> tuple[int, str]:
        return self.now.strength[name] * BLOCKS[name].rating, name

    # judging

    def _judge(self, *parties: _Party) -> _Candidate:
        cost = int(parties[0].rally and parties[0].route[-1] not in self._tally.rallies)
        fresh: set[str] = set()
        for start, blocks, route, rally in parties:
            if rally:
                continue  # all that rally at one place are one Group
            if not start:
                cost += 1
            elif crosses_to_or_from_england(start, route):
                cost += len(blocks)
            elif start not in self._tally.groups and start not in fresh:
                fresh.add(start)
                cost += 1
        if len(parties) > 1:
            return _Candidate(self._gain(parties), cost, parties)
        start, _, route, _ = parties[0]
        place = start or self.who.places[NORSE]
        key = parties[0], self._changed.get(place, 0), self._changed.get(route[-1], 0)
        gain = self._known.get(key)
        if gain is None:
            gain = self._known[key] = self._gain(parties)
        return _Candidate(gain, cost, parties)

    def _gain(self, parties: tuple[_Party, ...]) -> float:
        end = parties[0].route[-1]
        groups = dict(self._came.get(end, {}))
        gain = -self._worth(end, groups)
        for start, blocks, route, _ in parties:
            place = start or self.who.places[NORSE]
            last = (route[-2] if len(route) > 1 else start) if start else SEA
            group = attack_group(self.who.variants, place, last, end)
            groups[group] = groups.get(group, ()) + blocks
            gain += self._without(place, blocks)
        return gain + self._worth(end, groups)

    def _worth(self, area: str, groups: dict[tuple[str, str], Blocks]) -> float:
        coming, late = self._fronts(list(groups.values()))
        return self.ground.worth(area, self._staying.get(area, ()), coming, late)

    @staticmethod
    def _fronts(groups: Sequence[Blocks]) -> tuple[Blocks, Blocks]:
        return (groups[0] if groups else ()), tuple(name for group in groups[1:] for name in group)

    def _without(self, start: str, blocks: Blocks) -> float:
        """Return what changes where these blocks leave."""
        coming, late = self._fronts(list(self._came.get(start, {}).values()))
        before = self._staying[start]
        after = tuple(name for name in before if name not in blocks)
        return self.ground.worth(start, after, coming, late) - self.ground.worth(start, before, coming, late)
