"""How a block fights: its letter and the highest die that hits (2.12), as printed or changed by options, and its bonuses.

Rules 1.4 (home), sidebar Schiltroms with its ruling, and the option Andrew de Moray. Decided from what is open in a battle, so the
rules, the reports and the seats get the same result.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from .printed import BLOCKS, MORAY, SCOTTISH
from .variants import ANDREW_DE_MORAY, SCHILTROMS


class Rating(NamedTuple):
    """A combat rating: the letter says when a block acts, `most` up to which number a die hits (2.12)."""

    letter: str
    most: int

    def __str__(self) -> str:
        return f"{self.letter}{self.most}"


PRINTED: Mapping[str, Rating] = {name: Rating(block.letter, block.rating) for name, block in BLOCKS.items()}
"""The ratings printed on the blocks."""


@lru_cache(maxsize=16)
def ratings(variants: tuple[str, ...]) -> Mapping[str, Rating]:
    """Return the combat rating of every block, before anything is added in a battle.

    >>> str(ratings(())["Moray"]), str(ratings(("andrew_de_moray",))["Moray"])
    ('B2', 'A3')
    """
    return {**PRINTED, MORAY: Rating("A", 3)} if ANDREW_DE_MORAY in variants else PRINTED


def home_bonus(name: str, area: str, defends: bool, variants: tuple[str, ...]) -> bool:
    """Does a noble fight better because he defends his home: at 3 instead of 2 (1.4)? Andrew de Moray is rated 3 already."""
    return defends and area in BLOCKS[name].homes and ratings(variants)[name] == PRINTED[name]


def schiltrom(name: str, english: Iterable[str], variants: tuple[str, ...]) -> bool:
    """Return whether a block is in a schiltrom: Scottish infantry, while no archers are in the `english` front line.

    Ruling Schiltroms: archers still in reserve do not count.
    """
    block = BLOCKS[name]
    return (
        SCHILTROMS in variants
        and (block.owner, block.type) == (SCOTTISH, "infantry")
        and all(BLOCKS[foe].type != "archers" for foe in english)
    )
