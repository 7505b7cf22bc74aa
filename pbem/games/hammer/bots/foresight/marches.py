"""The moves of a side in the small model: which areas to take or to hold, and which blocks go there.

Candidates are parties of one group, or the strongest of two or three groups against one enemy. The gain of each is a rough
estimate. The best that the card pays for are made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt
from typing import NamedTuple

from ..adding import added
from .model import SmallGame
from .numbers import (
    COASTS,
    EDWARD,
    ENGLAND,
    ENGLISH,
    FAR,
    FORCE,
    HOMES,
    INFANTRY,
    KING,
    LIMIT,
    LIMITS,
    MORAY,
    NEAR,
    NORSE,
    PACE,
    SHORT_WAYS,
    TURNING,
    TURNS,
    WALLACE,
    WAYS,
    Dice,
    Way,
)

NOBLE = 10.0
NEARNESS = (1.0, 0.8, 0.65, 0.55, 0.5, 0.5)
"""How much of what winter brings counts now, by the turns still to come."""
CROWN = 40.0
"""The worth of killing a leader if his death ends the game (9.1)."""
TWO_HOMES = 0.35
ENOUGH = 0.4
CLOSENESS = (1.0, 0.6, 0.4, 0.28, 0.2, 0.12, 0.08, 0.05, 0.03, 0.02, 0.01, 0.0)
"""The weight of a goal, by its distance in borders."""


NEARBY = tuple(tuple(CLOSENESS[far] for far in row) for row in FAR)


class Party(NamedTuple):
    """Blocks that take a way together; the Norse take none."""

    blocks: tuple[int, ...]
    start: int
    end: int
    way: Way | None

    @property
    def via(self) -> int:
        return self.way.via if self.way else -1


class Idea(NamedTuple):
    """What might be done: what it gains, how many Group Moves it costs."""

    gain: float
    cost: int
    parties: tuple[Party, ...]


class Planner:
    """Plans the moves of one side, `second` when its enemy has moved already."""

    def __init__(self, model: SmallGame, side: int, moves: int, second: bool) -> None:
        self.model, self.side, self.moves = model, side, moves
        self.answers = model.left + (not second)
        self.own, self.foes = model.men[side], model.men[1 - side]
        self.near = NEARNESS[model.left]
        self.take, self.keep = [0.0] * len(NEAR), [0.0] * len(NEAR)
        self._stakes()
        self.threat = self._threats()
        self.draw = self._draws()
        self.room = self._rooms()
        self.prize: dict[int, float] = {}

    # what is at stake

    def _stakes(self) -> None:
        model, side, near = self.model, self.side, NOBLE * self.near
        for n in TURNING:
            ours, homes = model.side[n] == side, HOMES[n]
            value = near
            for home in homes:
                if len(homes) > 1:
                    other = homes[0] if home == homes[1] else homes[1]
                    held = self.foes[other] if ours else self.own[other]
                    value = near if held else near * TWO_HOMES
                if ours:
                    self.keep[home] += value
                else:
                    self.take[home] += value

    def _threats(self) -> list[float]:
        """By area, the root of the power that the enemy next to it can bring."""
        found = [0.0] * len(NEAR)
        if not self.answers:
            return found
        st = self.model.st
        for a, there in enumerate(self.foes):
            if not there:
                continue
            root, n = _root(st, there), len(there)
            for b in NEAR[a]:
                most = LIMIT[a, b] if ENGLAND not in (a, b) else 2
                found[b] += root if n <= most else root * most / n
        return found

    def _draws(self) -> list[float]:
        """Return, by area, how near it is to goals that are to be taken or retaken."""
        goals = [a for a, value in enumerate(self.take) if value and not self.own[a]]
        goals += [a for a, value in enumerate(self.keep) if value and self.foes[a]]
        return (
            [added(column) for column in zip(*(NEARBY[goal] for goal in goals), strict=True)]
            if goals
            else [0.0] * len(NEAR)
        )

    def _rooms(self) -> list[int]:
        """By area, how many blocks may winter there beside the nobles who will be at home."""
        found = list(LIMITS[self.side])
        for n in TURNING:
            if self.model.side[n] == self.side:
                home = max(HOMES[n], key=found.__getitem__)
                found[home] = max(0, found[home] - 1)
        return found

    # what blocks are worth where they are

    def standing(self, area: int, root: float, blocks: Sequence[int]) -> float:
        """Return the worth of the given blocks, with that root of power, in an area without enemies."""
        keep, threat = self.keep[area], self.threat[area]
        if not blocks:
            return keep * (0.35 if threat else 0.9) if self.answers else keep
        risk = 0.0
        if threat and self.answers:
            t, own = threat * threat, root * root * 1.3
            risk = 0.75 * t / (t + own)
        st, worth = self.model.st, (self.take[area] + keep) * (1.0 - risk)
        lost = 0.0
        for b in blocks:
            lost += 0.35 * st[b]
            if TURNS[b] and area not in HOMES[b]:
                lost += 4.0
            elif b == KING or (b == EDWARD and self.model.edward > 1):
                lost += 40.0
            elif b in (WALLACE, EDWARD, MORAY):
                lost += 4.0
        return worth - risk * lost + self._quarters(area, blocks)

    def _quarters(self, area: int, blocks: Sequence[int]) -> float:
        """Return the worth of their possible wintering there."""
        if area == ENGLAND:
            return -2.0 * len(blocks) if self.side == ENGLISH else 1.0
        room, able = self.room[area], 0
        if self.side == ENGLISH:
            if not room:
                return 0.0
            for b in blocks:
                able += INFANTRY[b]
            return 2.0 * min(able, room)
        if self.model.left > 1:
            return 0.0
        for b in blocks:
            able += not TURNS[b]
        return 0.8 * (able if able <= room else 2 * room - able)

    def attack(self, end: int, root: float, blocks: Sequence[int]) -> float:
        """Return the worth of an attack on an area, or of reinforcing it, by blocks with that root of power."""
        st, foes, own = self.model.st, self.foes[end], self.own[end]
        theirs = _root(st, foes) if own else _root_at(st, foes, end)
        ours = root + (_root(st, own) if own else 0.0)
        p = _odds(ours, theirs)
        before = 0.0
        if own:
            before = _odds(_root(st, own), theirs)
        prize = self.prize.get(end, -1.0)
        if prize < 0.0:
            prize = self.take[end] + self.keep[end] + added(0.5 * st[f] + 6.0 * TURNS[f] for f in foes)
            if KING in foes or (EDWARD in foes and self.model.edward > 1):
                prize += CROWN
            self.prize[end] = prize
        lost = 0.0
        for b in blocks:
            lost += 0.4 * st[b] + 5.0 * TURNS[b]
            if b == KING or (b == EDWARD and self.model.edward > 1):
                lost += 50.0
            elif b in (WALLACE, EDWARD, MORAY):
                lost += 4.0
        return (p - before) * prize - (1.0 - p) * lost * 0.8

    # ideas

    def ideas(self) -> list[Idea]:
        """Return all that comes to mind, with what it gains."""
        found: list[Idea] = []
        joint: dict[int, list[tuple[float, float, Party]]] = {}
        for start, there in enumerate(self.own):
            if there:
                self._from(start, there, found, joint)
        for end, parts in joint.items():
            if len(parts) > 1:
                found += self._together(end, parts)
        return found

    def _from(
        self, start: int, there: list[int], found: list[Idea], joint: dict[int, list[tuple[float, float, Party]]]
    ) -> None:
        model = self.model
        foes, st = self.foes[start], model.st
        free = len(there) - len(foes) if foes else len(there)
        if free <= 0:
            return
        on_foot = [b for b in there if b != NORSE]
        parties = list(self._parties(start, on_foot, free))
        now = 0.0 if foes else self.standing(start, _root_at(st, there, start), there)
        judged = []
        for party in parties:
            left = [b for b in there if b not in party]
            cost = now - (0.0 if foes else self.standing(start, _root_at(st, left, start), left))
            pace = min(PACE[b] for b in party)
            judged.append((party, _root(st, party), cost + 2.0 * bool(foes), sum([st[b] for b in party]), pace))
        for way in self._ways(start):
            self._along(way, judged, found, joint)
        if NORSE in there and not foes:
            self._by_sea(start, there, now, found)

    def _along(
        self,
        way: Way,
        judged: list[tuple[tuple[int, ...], float, float, int, int]],
        found: list[Idea],
        joint: dict[int, list[tuple[float, float, Party]]],
    ) -> None:
        end, steps = way.end, len(way.route)
        foes, own = self.foes[end], self.own[end]
        if not (foes or self.take[end] or self.keep[end] or own or self.draw[end] > self.draw[way.start]):
            return
        border = way.start == ENGLAND or end == ENGLAND
        best = None
        pull = 0.25 * (self.draw[end] - self.draw[way.start]) * self.near
        held = _root_at(self.model.st, own, end) if own else 0.0
        before = 0.0 if foes else self.standing(end, held, own)
        for party, root, cost, weight, pace in judged:
            if len(party) > way.limit or pace < steps:
                continue
            if border and len(party) > self.moves:
                continue
            if foes:
                gain = self.attack(end, root, party)
                if not border and (best is None or root > best[0]):
                    best = (root, cost, Party(party, way.start, end, way))
            else:
                gain = self.standing(end, held + root, [*own, *party]) - before
            gain += pull * weight - cost
            if gain > 0.0:
                found.append(Idea(gain, len(party) if border else 1, (Party(party, way.start, end, way),)))
        if best:
            joint.setdefault(end, []).append(best)

    def _together(self, end: int, parts: list[tuple[float, float, Party]]) -> Iterator[Idea]:
        parts.sort(key=lambda part: -part[0])
        for n in (2, 3):
            if n > len(parts) or n > self.moves:
                break
            some = parts[:n]
            blocks = [b for part in some for b in part[2].blocks]
            gain = self.attack(end, 0.92 * added(part[0] for part in some), blocks) - added(part[1] for part in some)
            if gain > 0.0:
                yield Idea(gain, n, tuple(part[2] for part in some))

    def _by_sea(self, start: int, there: list[int], now: float, found: list[Idea]) -> None:
        st, party = self.model.st, (NORSE,)
        left = [b for b in there if b != NORSE]
        cost, root = now - self.standing(start, _root_at(st, left, start), left), _root(st, party)
        for end in COASTS:
            if end == start:
                continue
            own = self.own[end]
            if self.foes[end]:
                gain = self.attack(end, root, party)
            else:
                before = _root(st, own)
                gain = self.standing(end, before + root, [*own, NORSE]) - self.standing(end, before, own)
            if gain > cost:
                found.append(Idea(gain - cost, 1, (Party(party, start, end, None),)))

    def _ways(self, start: int) -> Iterator[Way]:
        """Go through the ways that no enemy cuts short, the widest of the shortest to each end."""
        foes, truce = self.foes, self.model.truce == self.side
        closed = self.model.shut if self.foes[start] else {}
        best: dict[int, Way] = {}
        quick = any(PACE[b] > 2 for b in self.own[start])
        for way in WAYS[start] if quick else SHORT_WAYS[start]:
            route = way.route
            if len(route) > 1 and (foes[route[0]] or (len(route) > 2 and foes[route[1]])):
                continue
            if truce and (foes[way.end] or way.end == ENGLAND):
                continue
            if self.side == ENGLISH and way.end == ENGLAND:
                continue
            if closed and closed.get((start, route[0]), self.side) != self.side:
                continue
            old = best.get(way.end)
            if old is None or (max(2, len(old.route)) == max(2, len(route)) and way.limit > old.limit):
                best[way.end] = way
        yield from best.values()

    def _parties(self, start: int, there: list[int], free: int) -> Iterator[tuple[int, ...]]:
        """Go through the parties of a group: all, all but the noble at home, the two strongest, the strongest, the weakest."""
        st = self.model.st
        ranked = sorted(there, key=lambda b: (-st[b] * FORCE[b], b))
        others = [b for b in ranked if not (TURNS[b] and start in HOMES[b])]
        quick = [b for b in others if PACE[b] > 2]
        tried = [ranked, others, others[:-1], others[:2], others[:1], others[-1:], ranked[:1], quick[:1]]
        if start == ENGLAND:
            tried += [ranked[:3], ranked[1:2], ranked[1:3]]
        seen = set()
        for party in tried:
            chosen = tuple(party[:free])
            if chosen and chosen not in seen:
                seen.add(chosen)
                yield chosen


def plan(model: SmallGame, side: int, moves: int, second: bool, dice: Dice, whim: float) -> list[Party]:
    """Return the marches of a card with that number of Group Moves; `whim` is the share of chance."""
    if not moves:
        return []
    ideas = Planner(model, side, moves, second).ideas()
    return choose(model, side, moves, ideas, dice, whim)


def choose(model: SmallGame, side: int, moves: int, ideas: Sequence[Idea], dice: Dice, whim: float) -> list[Party]:
    """Return the best ideas that this number of Group Moves pays for."""
    ranked = [
        (idea.gain * (1.0 - whim + 2.0 * whim * dice.random()) / (1 + 0.6 * (idea.cost - 1)), n)
        for n, idea in enumerate(ideas)
    ]
    ranked.sort(reverse=True)
    left, found = moves, list[Party]()
    used, moved, ends = set[int](), set[int](), set[int]()
    for gain, n in ranked:
        if gain < ENOUGH:
            break
        idea = ideas[n]
        parties = idea.parties
        if any(p.end in ends or any(b in moved for b in p.blocks) for p in parties):
            continue
        border = any(ENGLAND in (p.start, p.end) for p in parties)
        cost = idea.cost if border else sum(p.way is None or p.start not in used for p in parties)
        if cost > left or _overdrawn(model, side, parties, moved):
            continue
        left -= cost
        found += parties
        for p in parties:
            used.update([p.start] if p.way else [])
            moved.update(p.blocks)
            ends.add(p.end)
    return found


def _overdrawn(model: SmallGame, side: int, parties: Sequence[Party], moved: set[int]) -> bool:
    """Would more blocks leave a contested area than may (4.6)?"""
    for p in parties:
        if foes := model.men[1 - side][p.start]:
            there = model.men[side][p.start]
            if len(p.blocks) + sum(b in moved for b in there) > len(there) - len(foes):
                return True
    return False


def march(model: SmallGame, side: int, parties: Sequence[Party], first: bool) -> None:
    """Make moves: main attack and reserves, borders closed (5.32, 5.33, 5.5). The first party into an area is its main attack."""
    own, foes = model.men[side], model.men[1 - side]
    held = {p.end: bool(own[p.end]) for p in parties if foes[p.end]}
    main: dict[int, tuple[int, int]] = {}
    for p in parties:
        for b in p.blocks:
            model.go(b, p.end)
        if p.end not in held:
            continue
        if p.way:
            model.shut[p.via, p.end] = model.shut[p.end, p.via] = side
        if held[p.end]:
            model.late.update(() if first else p.blocks)
            continue
        model.attacker[p.end] = side
        if main.setdefault(p.end, (p.start, p.via)) != (p.start, p.via):
            model.late.update(p.blocks)


def _odds(ours: float, theirs: float) -> float:
    """Return our chance in a fight, by the roots of both powers."""
    a, b = ours * ours, theirs * theirs
    return a * a / (a * a + b * b + 0.01)


def _root(st: list[int], blocks: Sequence[int]) -> float:
    """Return the root of the power of blocks: roots add up when blocks come together."""
    steps, force = 0, 0.0
    for b in blocks:
        steps += st[b]
        force += st[b] * FORCE[b]
    return sqrt(steps * force)


def _root_at(st: list[int], blocks: Sequence[int], area: int) -> float:
    """Return the same for defenders of an area."""
    steps, force = 0, 0.0
    for b in blocks:
        steps += st[b]
        force += st[b] * (FORCE[b] + 1 if TURNS[b] and area in HOMES[b] else FORCE[b])
    return sqrt(steps * force)
