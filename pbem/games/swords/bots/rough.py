"""A rough table of Swords Over Scotland, made for fast play: numbers, lists and bits, changed in place.

It plays whole flips roughly as the easy player would, not by the exact rules, to estimate how a position may continue. Its Picts
are cubes of the seat that has them. Nobody bids for glory, and only cards that need no piece count (Crown, Bagpipes, Drums,
Edinburgh). The exact part comes before it: the rules play the tried order, and everything until the flip is over.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from pbem.games.searching import Urn

from ..rules import shapes
from ..rules.board import Board
from ..rules.names import BAGPIPES, CROWN, DRUMS, EDINBURGH
from ..rules.parts import PrintedParts
from .gathering import READY
from .ground import FLIPS, POINT, Region, Times, fought, worth

_BAGPIPES, _DRUMS = 4, 2
_TIMES = (*(1 if flips < 3 else 4 if flips < 7 else 9 for flips in range(FLIPS)), FLIPS - 1)
"""Times, distinguished only roughly, so that results can be reused."""
KEPT = 20_000
"""The number of cached answers of each kind in an atlas."""
_SHAPES = {shapes.LINE: 4, shapes.BOX: 3, shapes.T: 2, shapes.S: 1, shapes.L: 0}


class Atlas:
    """The printed parts as numbers. Regions, castles and squares are numbered in the order of the parts."""

    def __init__(self, parts: PrintedParts) -> None:
        self.names = parts.names
        self.neighbours = [[self.names.index(other) for other in parts.neighbours(name)] for name in self.names]
        self.castles = parts.strongholds
        self.castles_of = [[self.castles.index(castle) for castle in parts.castles_of(name)] for name in self.names]
        self.squares = tuple(parts.squares)
        self.number = {square: 1 << at for at, square in enumerate(self.squares)}
        self.beside = [sum(self.number.get(other, 0) for other in shapes.neighbours(s)) for s in self.squares]
        self.icons = [parts.icons.index(icon) for icon in parts.squares.values()]
        self.of_icon = [[at for at, icon in enumerate(self.icons) if icon == no] for no in range(len(parts.icons))]
        self.cards = [(parts.icons.index(card.icon), card.number) for card in parts.deployment_cards]
        self.last_number, self.rounds = parts.last_number, parts.rounds
        self._groups: dict[tuple[int, int], int] = {}
        self._fours: dict[tuple[int, int], list[tuple[int, int]]] = {}
        self._promises: dict[int, int] = {}
        self._pulls: dict[tuple[int, int, int], int] = {}

    def group(self, covered: int, at: int) -> int:
        """Return the group of covered squares that a cube on a square would be in, with it."""
        found = self._groups.get((covered, at))
        if found is None:
            _bound(self._groups)
            found, todo = 1 << at, self.beside[at] & covered
            while todo:
                low = todo & -todo
                found |= low
                todo = (todo | self.beside[low.bit_length() - 1] & covered) & ~found
            self._groups[covered, at] = found
        return found

    def fours(self, group: int, at: int) -> list[tuple[int, int]]:
        """Return the formations of a group that cover a square, each with the use of its shape."""
        found = self._fours.get((group, at))
        if found is None:
            _bound(self._fours)
            members = shapes.ordered([s for s, bit in self.number.items() if group & bit])
            found = [
                (sum(self.number[s] for s in four), _SHAPES[shapes.shape(four)])
                for four in shapes.formations(members, self.squares[at])
            ]
            self._fours[group, at] = found
        return found

    def promise(self, covered: int) -> int:
        """Return what covered squares promise, in tenths of a point: for each icon the largest group it can make."""
        found = self._promises.get(covered)
        if found is None:
            _bound(self._promises)
            found = 0
            for squares in self.of_icon:
                sizes = [self.group(covered, at).bit_count() for at in squares if not covered >> at & 1]
                found += READY[min(max(sizes, default=0), 4)]
            self._promises[covered] = found
        return found

    def pulled(self, covered: int, four: int, number: int) -> int:
        """Return the best remaining squares after that number of cubes of a formation is pulled."""
        key = covered, four, number
        found = self._pulls.get(key)
        if found is None:
            _bound(self._pulls)
            bits = [1 << at for at in range(len(self.squares)) if four >> at & 1]
            ways = [covered]
            for _cube in range(min(number, len(bits))):
                ways = sorted({way & ~bit for way in ways for bit in bits if way & bit})
            found = max(ways, key=self.promise)
            self._pulls[key] = found
        return found


def _bound(kept: dict[Any, Any]) -> None:
    """Let nothing that is kept grow without end."""
    if len(kept) >= KEPT:
        kept.clear()


@lru_cache(maxsize=4)
def atlas(parts: PrintedParts) -> Atlas:
    """Return the atlas of some parts."""
    return Atlas(parts)


class Rough:
    """A table between two flips, or with a card that is flipped and not played (`number` is not 0 then)."""

    __slots__ = (
        "afar", "atlas", "boards", "castles", "crown", "cubes", "deck", "drums", "fortress", "icon", "leader", "number", "pipes",
        "points", "round", "supply", "times", "tokens", "top",
    )  # fmt: skip

    def __init__(self, board: Board | None = None, *, flipped: bool = False) -> None:
        """Lay it out as a board of the rules is."""
        if board is None:
            return
        parts, seats = board.parts, board.seats
        self.atlas, self.afar = atlas(parts), board.terms.castles == "any"
        number = {seat: no for no, seat in enumerate(seats)}
        self.tokens = [board.tokens[name] for name in parts.names]
        self.cubes = [[board.troops(seat, name).total for name in parts.names] for seat in seats]
        self.castles = [number.get(board.owner(board.castles.get(name, "")), -1) for name in self.atlas.castles]
        self.boards = [sum(self.atlas.number[square] for square in board.boards[seat]) for seat in seats]
        self.supply = [board.spare(seat).total for seat in seats]
        self.points = [board.points[seat] for seat in seats]
        holders = [number.get(board.held.get(card, ""), -1) for card in (CROWN, BAGPIPES, DRUMS, EDINBURGH)]
        self.crown, self.pipes, self.drums, self.fortress = holders
        self.leader, self.round, self.top = number.get(board.leader, 0), board.round, board.top
        self.deck = [(parts.icons.index(card.icon), card.number) for card in board.deck]
        self.icon = parts.icons.index(board.icon) if flipped else 0
        self.number = board.number if flipped else 0
        self._tell_time()

    def copy(self) -> Rough:
        """Return a table that can be changed without changing this one."""
        new = Rough()
        new.atlas, new.tokens, new.leader, new.round, new.top = (
            self.atlas,
            self.tokens,
            self.leader,
            self.round,
            self.top,
        )
        new.crown, new.pipes, new.drums, new.fortress = self.crown, self.pipes, self.drums, self.fortress
        new.icon, new.number, new.times, new.afar = self.icon, self.number, self.times, self.afar
        new.cubes = [there[:] for there in self.cubes]
        new.castles, new.boards, new.supply = self.castles[:], self.boards[:], self.supply[:]
        new.points, new.deck = self.points[:], self.deck[:]
        return new

    @property
    def over(self) -> bool:
        """Is the last round scored?"""
        return not self.deck and not self.number and self.round >= self.atlas.rounds

    @property
    def first(self) -> list[int]:
        """Return the seats with the most points; of equals the holder of the Crown, then the seats with most cubes on the board."""
        best = [seat for seat, points in enumerate(self.points) if points == max(self.points)]
        if len(best) > 1 and self.crown in best:
            return [self.crown]
        cubes = {seat: sum(self.cubes[seat]) + self.castles.count(seat) for seat in best}
        return [seat for seat in best if cubes[seat] == max(cubes.values())]

    def _tell_time(self) -> None:
        """Say how far the round is, roughly."""
        self.times = Times(_TIMES[min(len(self.deck), FLIPS)], self.atlas.rounds - max(1, self.round))

    def flip(self, urn: Urn) -> None:
        """Play one flip, and score the round with its last."""
        if not self.number:
            self._next_card(urn)
        order = [(self.leader + i) % len(self.cubes) for i in range(len(self.cubes))]
        placed = [(seat, self._place(seat, urn)) for seat in order]
        for seat, at in placed:
            if at >= 0:
                self._deploy(seat, at, urn)
        self.end_flip(urn)

    def end_flip(self, urn: Urn) -> None:
        """Fight the battles, and score the round after its last flip."""
        self._battles(urn)
        self.number = 0
        if not self.deck:
            self._score()
        self._tell_time()

    def _next_card(self, urn: Urn) -> None:
        if not self.deck:
            self.deck = self.atlas.cards[:]
            self.round += 1
            self.top = self.deck[urn.randrange(len(self.deck))][1]
        on_top = [card for card in self.deck if card[1] == self.top]
        card = on_top[urn.randrange(len(on_top))]
        self.deck.remove(card)
        self.icon = card[0]
        self.top = self.deck[urn.randrange(len(self.deck))][1] if self.deck else 0
        self.number = self.top or self.atlas.last_number
        self._tell_time()

    # Placing and deploying

    def _place(self, seat: int, urn: Urn) -> int:
        """Cover the square that makes the largest group; return it, -1 if there is none."""
        covered, ground = self.boards[seat], self.atlas
        best, most = -1, -1
        for at in ground.of_icon[self.icon]:
            if not covered >> at & 1:
                size = min(ground.group(covered, at).bit_count(), 4)
                value = 200 if size == 4 else ground.promise(covered | 1 << at)
                value = 4 * value + urn.randrange(16)
                if value > most:
                    best, most = at, value
        if best < 0 or not (self.supply[seat] or self._fetch(seat)):
            return -1
        self.supply[seat] -= 1
        self.boards[seat] |= 1 << best
        return best

    def _fetch(self, seat: int) -> bool:
        """Take a cube from the region that loses least by it to the empty supply."""
        there = self.cubes[seat]
        held = [name for name, n in enumerate(there) if n]
        if not held:
            return False
        name = max(held, key=lambda name: (there[name] > 1, -self.tokens[name]))
        there[name] -= 1
        self.supply[seat] += 1
        return True

    def _deploy(self, seat: int, at: int, urn: Urn) -> None:
        ground, covered = self.atlas, self.boards[seat]
        group = ground.group(covered & ~(1 << at), at)
        if group.bit_count() < 4:
            return
        number = min(self.number, 4)
        best, most, good = covered, -1, 0
        for four, of_use in ground.fours(group, at):
            left = ground.pulled(covered, four, number)
            value = ground.promise(left) + 5 * of_use
            if value > most:
                best, most, good = left, value, of_use
        self.boards[seat] = best
        goals = [name for name, n in enumerate(self.cubes[seat]) if n] or list(range(len(self.tokens)))
        goal = self._best(seat, goals, number)
        self.cubes[seat][goal] += number
        if good in (_SHAPES[shapes.BOX], _SHAPES[shapes.LINE]) and self.supply[seat]:
            self.cubes[seat][self._best(seat, range(len(self.tokens)), 1)] += 1
            self.supply[seat] -= 1
        elif good == _SHAPES[shapes.T]:
            self._take(seat, goal)
        elif good == _SHAPES[shapes.S]:
            self._shift(seat, goal)

    def _best(self, seat: int, goals: list[int] | range, number: int) -> int:
        """Return the region where that number of additional cubes gains most."""
        return max(goals, key=lambda name: self.gain(seat, name, number)) if len(goals) > 1 else goals[0]

    def _take(self, seat: int, goal: int) -> None:
        border = self.atlas.castles_of[goal]
        castle = next(
            (c for c in border if self.castles[c] < 0), next((c for c in border if self.castles[c] != seat), -1)
        )
        if castle < 0 or self.cubes[seat][goal] < 2:
            return
        if self.castles[castle] >= 0:
            self.supply[self.castles[castle]] += 1
        self.castles[castle] = seat
        self.cubes[seat][goal] -= 1

    def _shift(self, seat: int, goal: int) -> None:
        there, best, most = self.cubes[seat], (0, 0, 0), 0
        for other in self.atlas.neighbours[goal]:
            for start, end in ((goal, other), (other, goal)):
                if n := there[start]:
                    gain = self.gain(seat, end, n) + self.gain(seat, start, -n)
                    if gain > most:
                        best, most = (start, end, n), gain
        start, end, n = best
        there[start] -= n
        there[end] += n

    # What regions are worth

    def region(self, seat: int, name: int) -> Region:
        """Return a region as a seat sees it."""
        cubes = [there[name] for there in self.cubes]
        mine = cubes.pop(seat)
        held = [self.castles[castle] for castle in self.atlas.castles_of[name]]
        if self.fortress < 0 and max(held, default=-1) < 0:
            return Region(self.tokens[name], (mine, *cubes), (0,) * (len(cubes) + 1))
        counts = [held.count(other) + (other == self.fortress) for other in range(len(self.cubes))]
        ours = counts.pop(seat)
        return Region(self.tokens[name], (mine, *cubes), (ours, *counts))

    def gain(self, seat: int, name: int, more: int) -> int:
        """Return the worth of that number of additional cubes in a region."""
        times, now = self.times, self.region(seat, name)
        after = Region(now.token, (now.cubes[0] + more, *now.cubes[1:]), now.castles)
        return worth(after, times) - worth(now, times)

    def value(self, seat: int) -> int:
        """Return the worth of the table to a seat, in tenths of a point: its own less that of the others."""
        seats = range(len(self.cubes))
        others = [POINT * self.points[other] for other in seats if other != seat]
        found = POINT * self.points[seat] - (sum(others) // len(others) + max(others)) // 2
        if self.over:
            best = max(self.points)
            return found + 100 * ((self.points[seat] == best) - (max(others) == POINT * best))
        times = self.times
        found += sum(worth(self.region(seat, name), times) for name in range(len(self.tokens)))
        found += times.cube * (sum(self.cubes[seat]) - sum(map(sum, self.cubes)) // len(seats))
        found += self.castles.count(seat) * (8 + 6 * times.rounds)
        return found + self.atlas.promise(self.boards[seat]) * min(len(self.deck) + FLIPS * times.rounds, 4) // 8

    # Battles

    def _battles(self, urn: Urn) -> None:
        for _time in range(12):
            standing = [name for name in range(len(self.tokens)) if self._stands(name)]
            if not standing:
                return
            self._battle(standing[urn.randrange(len(standing))], urn)

    def _stands(self, name: int) -> bool:
        there = [cubes[name] for cubes in self.cubes if cubes[name]]
        return len(there) > 1 and sum(there) >= self.tokens[name]

    def _battle(self, name: int, urn: Urn) -> None:
        seats = range(len(self.cubes))
        fighting = [seat for seat in seats if self.cubes[seat][name]]
        self._castles(name, fighting)
        present = [seat for seat in fighting if self.cubes[seat][name]]
        if len(present) > 1:
            said = {seat: self._committed(seat, name, urn) for seat in present}
            for seat, n in said.items():
                self.cubes[seat][name] -= n
                self.supply[seat] += n
            winner = _most(list(said.items()), self.crown, zero=True)
        else:
            winner = present[0] if present else -1
        if winner >= 0:
            self.points[winner] += self.tokens[name] + _BAGPIPES * (winner == self.pipes)
        for seat in fighting:
            if seat != winner:
                self.points[seat] += _DRUMS * (seat == self.drums)
                self._retreat(seat, name)
        if winner >= 0:
            self.leader = winner

    def _castles(self, name: int, fighting: list[int]) -> None:
        for seat in range(len(self.cubes)) if self.afar else fighting:
            held = sum(self.castles[castle] == seat for castle in self.atlas.castles_of[name])
            for _castle in range(held + (seat == self.fortress and seat in fighting)):
                other = max((o for o in fighting if o != seat), key=lambda o: self.cubes[o][name])
                if self.cubes[other][name]:
                    self.cubes[other][name] -= 1
                    self.supply[other] += 1

    def _committed(self, seat: int, name: int, urn: Urn) -> int:
        region = self.region(seat, name)
        weights = fought(region._replace(castles=(0,) * len(region.castles)), self.times).weights
        lot = urn.randrange(sum(weights))
        for number, weight in enumerate(weights):
            lot -= weight
            if lot < 0:
                return min(number, self.cubes[seat][name])
        return 0

    def _retreat(self, seat: int, name: int) -> None:
        n = self.cubes[seat][name]
        if n:
            goal = self._best(seat, self.atlas.neighbours[name], n)
            self.cubes[seat][name] = 0
            self.cubes[seat][goal] += n

    def _score(self) -> None:
        for name, token in enumerate(self.tokens):
            winner = _most([(seat, there[name]) for seat, there in enumerate(self.cubes)], self.crown)
            if winner >= 0:
                self.points[winner] += token


def _most(counts: list[tuple[int, int]], crown: int, *, zero: bool = False) -> int:
    """Return the seat that has the most alone, or by the Crown, or as the next below a tie; -1 for nobody. `zero`: zeros
    may tie."""
    numbers = [n for _seat, n in counts]
    for level in sorted({n for n in numbers if n > 0 or zero}, reverse=True):
        with_it = [seat for seat, n in counts if n == level]
        if len(with_it) > 1:
            if crown in with_it:
                return crown
        elif level:
            return with_it[0]
    return -1
