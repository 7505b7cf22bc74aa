"""Moves: which groups march where. The best march first, then the next, until the card gives no more or nothing is gained.

A candidate is one group, or two or three together, going to one area; what it is worth is judged by `ground`, what is legal by
the rules' own `move_law`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from ..orders import March
from ..rules.facts import BLOCKS, BORDER, NOBLES, NORSE, NORSE_COAST
from ..rules.move_law import Mover, Tally, crosses_to_or_from_england, move_refusals, norse_refusal, origin, routes
from .ground import Blocks, Ground
from .situation import Situation

MOST_TOGETHER = 3


class Plan(NamedTuple):
    """The marches in the order found, and what all of them gain: `gains[n]` with n Group Moves."""

    marches: tuple[March, ...]
    gains: tuple[float, ...]


class _Way(NamedTuple):
    """How a group can reach an area."""

    start: str
    route: tuple[str, ...]


class _Candidate(NamedTuple):
    """Marches to one area, what they gain and how many more Group Moves they take."""

    gain: float
    cost: int
    marches: tuple[March, ...]


class Marching:
    """Plans the moves of one card."""

    def __init__(self, now: Situation, who: Mover, ground: Ground) -> None:
        self.now, self.who, self.ground = now, who, ground
        self._ways = self._all_ways()
        self._begin()

    def _begin(self) -> None:
        self._marches: list[March] = []
        self._tally = Tally(self.who)
        self._staying: dict[str, Blocks] = dict(self.now.own)
        self._came: dict[str, dict[tuple[str, str], Blocks]] = {}
        """By area, the groups that come there, the main attack first."""

    def plan(self, enough: float) -> Plan:
        """Return the marches, each gaining more than `enough`: many small ones, or a great one first, whatever gains more."""
        return max(self._greedily(enough, 1.0), self._greedily(enough, 0.0), key=lambda plan: plan.gains[-1])

    def _greedily(self, enough: float, thrift: float) -> Plan:
        self._begin()
        gains = [0.0] * (self.who.group_moves + 1)
        total = 0.0
        while True:
            found = [c for c in self._candidates() if c.gain > enough]
            found.sort(key=lambda c: -c.gain / (1.0 + thrift * (c.cost - 1)) if c.cost else -2.0 * c.gain)
            best = next((c for c in found if self._is_legal(c)), None)
            if best is None:
                break
            for march in best.marches:
                self._add(march)
            total += best.gain
            gains[self._tally.cost] = total
        for n in range(1, len(gains)):
            gains[n] = max(gains[n], gains[n - 1])
        return Plan(tuple(self._marches), tuple(gains))

    def _is_legal(self, candidate: _Candidate) -> bool:
        return not move_refusals(self.who, [*self._marches, *candidate.marches])

    def _add(self, march: March) -> None:
        start = march.start or self.who.places[NORSE]
        self._staying[start] = tuple(n for n in self._staying[start] if n not in march.blocks)
        groups = self._came.setdefault(march.route[-1], {})
        group = origin(march, start)
        groups[group] = groups.get(group, ()) + march.blocks
        self._tally.add(march)
        self._marches.append(march)

    # candidates

    def _all_ways(self) -> dict[str, dict[str, tuple[str, ...]]]:
        """Return by start and end the route to take: the one most blocks can take, the shortest of those."""
        found: dict[str, dict[str, tuple[str, ...]]] = {}
        for start, names in self.now.own.items():
            ratings = {BLOCKS[n].move for n in names if n != NORSE}
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
        together: dict[str, list[March]] = {}
        left = self.who.group_moves - self._tally.cost
        for start, ways in self._ways.items():
            for end, route in ways.items():
                marches = [
                    March.model_construct(start=start, blocks=blocks, route=route, main=False)
                    for blocks in self._parties(start, route, left)
                ]
                for march in marches:
                    candidate = self._judge((march,))
                    if candidate.cost <= left:
                        yield candidate
                if marches and self.now.foes.get(end):
                    together.setdefault(end, []).append(marches[0])
        for marches in together.values():
            if len(marches) > 1:
                yield from self._joint(marches, left)
        if left:
            yield from self._norse()

    def _joint(self, marches: list[March], left: int) -> Iterator[_Candidate]:
        marches.sort(key=lambda march: -self.now.force(march.blocks).steps)
        for n in range(2, min(MOST_TOGETHER, len(marches)) + 1):
            candidate = self._judge(tuple(marches[:n]))
            if candidate.cost <= left:
                yield candidate

    def _norse(self) -> Iterator[_Candidate]:
        place = self.who.places.get(NORSE, "")
        if place and NORSE in self._staying[place]:
            for to in NORSE_COAST:
                if not norse_refusal(self.who, to):
                    yield self._judge((March.model_construct(start="", blocks=(NORSE,), route=(to,), main=False),))

    def _parties(self, start: str, route: tuple[str, ...], left: int) -> list[Blocks]:
        """Return which blocks of a group might go: as many as can, all but the noble at home, the strongest, the weakest."""
        able = [n for n in self._staying.get(start, ()) if n != NORSE and BLOCKS[n].move >= len(route)]
        most = min(
            BORDER[pair].limit - self._tally.crossed.get((BORDER[pair].a, BORDER[pair].b), 0)
            for pair in pairwise((start, *route))
        )
        if self.who.is_contested(start):
            most = min(most, self.who.free(start) - self._tally.left.get(start, 0))
        if crosses_to_or_from_england(start, route):
            most = min(most, left)
        elif start not in self._tally.groups and not left:
            most = 0
        if most <= 0 or not able:
            return []
        able.sort(key=self._power, reverse=True)
        others = [n for n in able if not (n in NOBLES and start in BLOCKS[n].homes)]
        parties = [able[:most], others[:most], able[:1], able[:2], others[:-1][:most], able[-1:], others[-1:]]
        return list(dict.fromkeys(tuple(p) for p in parties if p and len(p) <= most))

    def _power(self, name: str) -> tuple[int, str]:
        return self.now.strength[name] * BLOCKS[name].rating, name

    # judging

    def _judge(self, marches: tuple[March, ...]) -> _Candidate:
        end = marches[0].route[-1]
        groups = dict(self._came.get(end, {}))
        gain, cost = -self._worth(end, groups), 0
        fresh: set[str] = set()
        for march in marches:
            start = march.start or self.who.places[NORSE]
            group = origin(march, start)
            groups[group] = groups.get(group, ()) + march.blocks
            gain += self._without(start, march.blocks)
            if march.start == "":
                cost += 1
            elif crosses_to_or_from_england(start, march.route):
                cost += len(march.blocks)
            elif start not in self._tally.groups and start not in fresh:
                fresh.add(start)
                cost += 1
        return _Candidate(gain + self._worth(end, groups), cost, marches)

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
