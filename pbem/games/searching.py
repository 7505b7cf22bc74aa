"""Look-ahead by trial, for the built-in players of any game: two methods, in whole numbers only.

Both get guesses of what a seat cannot see, never a state; a game makes the guesses from the view alone. All chance comes from an
`Urn`, which a chooser seeds. There are no floats and no clocks, and the only order is that of the given lists. So the answer is
the same on every machine.

- `halving` tries few candidates on the same guesses with the same luck, and repeatedly drops the worse half. It is for games in
  which a trial is expensive.
- `grown` grows a tree of moves over many guesses (information-set Monte Carlo tree search). Each seat prefers moves that have
  served it well, and moves tried little. Moves that look alike to the searching seat are one branch, so it never acts on what it
  cannot know.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from math import isqrt
from typing import Generic, Protocol, TypeVar

from pbem.kernel import Chooser

T = TypeVar("T")
M = TypeVar("M", bound=Hashable)
C = TypeVar("C")

WORTH = 1000
"""The total worth of a game: a model divides it among the seats."""
_FINE = 16
"""The denominator to which means are taken."""
_MASK = (1 << 64) - 1


class Urn:
    """A chooser that is quick and the same everywhere: a linear congruence, of which the upper half is used."""

    __slots__ = ("_at",)

    def __init__(self, seed: int) -> None:
        self._at = (seed * 0x9E3779B97F4A7C15 + 0x2545F4914F6CDD1D) & _MASK

    @classmethod
    def of(cls, chooser: Chooser) -> Urn:
        """Return the urn that another chooser seeds."""
        return cls(chooser.randrange(1 << 30))

    def randrange(self, stop: int, /) -> int:
        """Return a whole number from 0 up to, and without, `stop` (which is less than 2**31)."""
        self._at = (self._at * 6364136223846793005 + 1442695040888963407) & _MASK
        return (self._at >> 33) * stop >> 31


def hopes(wins: Sequence[int], trials: int) -> list[int]:
    """Return each seat's hope to win in parts of `WORTH`, given its winnings in that number of trials, each worth `WORTH` in all.

    An extra trial in which all win alike is added, so that few trials make nothing certain. The parts add up to the whole.

    >>> hopes([3000, 1000], 4), hopes([0, 0, 2000], 2)
    ([700, 300], [111, 111, 778])
    """
    seats = len(wins)
    found = [(won + WORTH // seats) // (trials + 1) for won in wins]
    found[max(range(seats), key=wins.__getitem__)] += WORTH - sum(found)
    return found


# Few candidates, dear trials


def halving(candidates: Sequence[C], trial: Callable[[int, C], int], budget: int) -> C:
    """Return the candidate that `trial` finds best with about `budget` trials; of equals, the first.

    `trial` gets the number of a trial and a candidate: trials of one number must have the same guess and the same luck. Each round
    spends an equal part of the budget on the remaining candidates and keeps the better half. Each gets at least one trial.
    """
    left = [(0, place) for place in range(len(candidates))]
    rounds = max(1, (len(left) - 1).bit_length())
    number = 0
    while len(left) > 1:
        times = max(1, budget // (rounds * len(left)))
        left = [
            (total + sum(trial(number + i, candidates[place]) for i in range(times)), place) for total, place in left
        ]
        number += times
        left.sort(key=lambda found: (-found[0], found[1]))
        left = left[: (len(left) + 1) // 2]
    return candidates[left[0][1]]


# A tree over guesses


class SearchModel(Protocol[T, M]):
    """A game as one seat's tree search needs it: made only from a view.

    Tables are the game's own; `play` may change its argument. Seats are numbers, the first is 0.
    """

    def guess(self, luck: Urn, /) -> T:
        """Return a possible table, with all hidden things laid out afresh."""

    def asked(self, table: T, /) -> int | None:
        """Return the seat to move; None at the horizon."""

    def moves(self, table: T, root: bool, /) -> Sequence[M]:
        """Return the moves worth a thought, by what the asked seat knows: at the root it may be more of them than later on."""

    def label(self, table: T, move: M, /) -> Hashable:
        """Return what the searching seat sees of a move: moves with one label are one branch."""

    def play(self, table: T, move: M, luck: Urn, /) -> T:
        """Return the table after a move."""

    def finish(self, table: T, luck: Urn, /) -> Sequence[int]:
        """Play on in a simple way to the horizon, and return what each seat has of `WORTH`."""


class Branch:
    """The statistics of a move: how often it was taken, how often it could have been, and its takers' winnings."""

    __slots__ = ("could", "got", "next", "taken")

    def __init__(self) -> None:
        self.taken = self.got = self.could = 0
        self.next: dict[Hashable, Branch] = {}


class Tree(Generic[T, M]):
    """A tree of moves under one question."""

    def __init__(self, model: SearchModel[T, M], luck: Urn, curious: int) -> None:
        """Set up the tree; `curious` is the weight of moves tried little, in parts of `WORTH`."""
        self.model, self.luck = model, luck
        self.root = Branch()
        self._curious = (curious * _FINE) ** 2

    def grow(self, playouts: int) -> None:
        """Play that number of times from the root to the horizon, each time on a new guess."""
        for _time in range(playouts):
            self._once()

    def _once(self) -> None:
        model, luck, branch = self.model, self.luck, self.root
        table = model.guess(luck)
        path: list[tuple[int, Branch]] = []
        while (seat := model.asked(table)) is not None:
            ways: dict[Hashable, list[M]] = {}
            for move in model.moves(table, branch is self.root):
                ways.setdefault(model.label(table, move), []).append(move)
            label = self._chosen(branch, list(ways))
            moves = ways[label]
            branch = branch.next[label]
            path.append((seat, branch))
            table = model.play(table, moves[luck.randrange(len(moves))] if len(moves) > 1 else moves[0], luck)
            if not branch.taken:
                break
        worth = model.finish(table, luck)
        for seat, branch in path:
            branch.taken += 1
            branch.got += worth[seat]

    def _chosen(self, branch: Branch, labels: list[Hashable]) -> Hashable:
        """Return an untried move, chosen by luck, or otherwise the one that has served best, with a bonus for new ones."""
        known = branch.next
        fresh = [label for label in labels if label not in known]
        if fresh:
            label = fresh[self.luck.randrange(len(fresh))]
            known[label] = Branch()
        else:
            label = max(labels, key=lambda label: self._hope(known[label]))
        for other in labels:
            if other in known:
                known[other].could += 1
        return label

    def _hope(self, branch: Branch) -> int:
        if not branch.taken:
            return WORTH * _FINE * 2
        return branch.got * _FINE // branch.taken + isqrt(self._curious * branch.could.bit_length() // branch.taken)

    def best(self, path: Sequence[Hashable] = ()) -> Hashable:
        """Return the label that was taken most, after a path of labels; None where nothing was tried there."""
        branch = self.root
        for label in path:
            branch = branch.next[label]
        return max(branch.next, key=lambda label: (branch.next[label].taken, branch.next[label].got), default=None)
