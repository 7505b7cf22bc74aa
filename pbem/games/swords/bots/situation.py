"""A view thought through: how many cubes each has where, which castles count there, and what a change of that would be worth."""

from __future__ import annotations

from collections.abc import Mapping

from ..rules.board import Board
from ..rules.names import EDINBURGH
from ..views import SwordsView
from .ground import Region, Times, worth

Changes = Mapping[str, int]
"""Region -> the number of our cubes added, negative if removed."""
NONE: Changes = {}


class Outlook:
    """What a seat makes of its view."""

    def __init__(self, view: SwordsView) -> None:
        self.view, self.table, self.seat = view, view.table, view.seat
        table = self.table
        self.seats = (self.seat, *(seat for seat in table.seats if seat != self.seat))
        left = len(table.deck) if table.round else len(table.parts.deployment_cards)
        self.times = Times(left, table.parts.rounds - max(1, table.round))
        self.flips = left + self.times.rounds * len(table.parts.deployment_cards)
        """The number of flips left in the game."""
        self.regions = {name: self._region(table, name) for name in table.parts.names}
        self._worth = {name: worth(region, self.times) for name, region in self.regions.items()}

    def _region(self, table: Board, name: str) -> Region:
        cubes = tuple(table.troops(seat, name).total for seat in self.seats)
        castles = tuple(len(table.held_castles(seat, name)) + table.has(seat, EDINBURGH) for seat in self.seats)
        return Region(table.tokens[name], cubes, castles)

    @property
    def cube(self) -> int:
        """The worth of a cube on the map, wherever it is."""
        return self.times.cube

    def with_cubes(self, name: str, more: int) -> Region:
        """Return a region with that number of our cubes added."""
        region = self.regions[name]
        return region._replace(cubes=(region.cubes[0] + more, *region.cubes[1:]))

    def gain(self, changes: Changes) -> int:
        """Return the gain from adding or removing cubes in some regions."""
        return sum(
            worth(self.with_cubes(name, more), self.times) - self._worth[name] for name, more in changes.items() if more
        )

    def gain_of_castle(self, castle: str, changes: Changes) -> int:
        """Return the gain from taking a castle from its owner, in addition to these changes."""
        owner = self.table.owner(self.table.castles.get(castle, ""))
        found = 0
        for name in self.table.parts.border_of(castle):
            before = self.with_cubes(name, changes.get(name, 0))
            castles = [n - (seat == owner) for seat, n in zip(self.seats, before.castles, strict=True)]
            after = before._replace(castles=(castles[0] + 1, *castles[1:]))
            found += worth(after, self.times) - worth(before, self.times)
        return found
