"""Cubes that go somewhere together: one's own, and Picts while one controls them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

_Number = Annotated[int, Field(ge=0, le=99)]


@dataclass(frozen=True, slots=True)
class Troops:
    """A number of own cubes, and a number of Picts.

    >>> str(Troops(3)), str(Troops(2, 1)), str(Troops(0, 1)), str(Troops())
    ('3', '2 + 1 PICTS', '1 PICTS', '0')
    """

    own: _Number = 0
    picts: _Number = 0

    @property
    def total(self) -> int:
        return self.own + self.picts

    def __str__(self) -> str:
        picts = f"{self.picts} PICTS" if self.picts else ""
        return f"{self.own} + {picts}" if self.own and picts else picts or str(self.own)

    def __add__(self, other: Troops) -> Troops:
        return Troops(self.own + other.own, self.picts + other.picts)

    def __sub__(self, other: Troops) -> Troops:
        return Troops(self.own - other.own, self.picts - other.picts)

    def holds(self, other: Troops) -> bool:
        """Are the others among them?"""
        return other.own <= self.own and other.picts <= self.picts
