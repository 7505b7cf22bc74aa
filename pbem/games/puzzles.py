"""Puzzles that come with a game: positions in which a seat wins for certain by an order or two, found by search and kept as data.

A game that has any keeps them in `puzzles/kept.json` of its package, and says in `puzzles` what a proof looks at (`MATTER`, see
`proving`). What is kept is a position in words, who is to move, what is to be won, the orders that do it, and where it was found;
whether they do, is proved anew by whoever asks. Nothing here knows any game by name.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING

from pbem.errors import UsageError
from pbem.i18n import _

from .pack import GamePack
from .positions import Placed, in_words
from .proving import Prover

if TYPE_CHECKING:
    from pbem.kernel import Json

    from .proving import Matter

MOST_STEPS = 20_000
"""A proof of a kept puzzle takes far less for an order."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A puzzle of a game; `number` is counted from 1.

    `orders` are how many are legal, `arrangements` in how many ways what is hidden may lie, as far as it matters.
    """

    pack: GamePack
    number: int
    position: tuple[str, ...]
    seat: str
    aim: str
    wins: tuple[str, ...]
    orders: int
    arrangements: int
    found: str

    @property
    def matter(self) -> Matter:
        """What its proof looks at. Raises UsageError for a game that has no puzzles."""
        if self.pack.puzzles is None:
            raise UsageError(_("There are no puzzles of {game}.", game=self.pack.rules.title))
        return self.pack.puzzles

    @property
    def task(self) -> str:
        """What is to be done, as a sentence."""
        return self.matter.aim_in_words(self.aim)

    def placed(self) -> Placed:
        """Return the game as it stands."""
        return in_words(self.pack, "\n".join(self.position))

    def prover(self) -> Prover:
        """Return what proves orders at it."""
        return Prover(self.pack.rules, self.matter, self.placed().state, self.seat, self.aim, MOST_STEPS)

    def json(self) -> dict[str, Json]:
        """Return it as it is kept."""
        return {
            "seat": self.seat, "aim": self.aim, "wins": list(self.wins), "orders": self.orders, "arrangements": self.arrangements,
            "found": self.found, "position": list(self.position),
        }  # fmt: skip


def kept(pack: GamePack) -> list[Puzzle]:
    """Return the puzzles that come with a game, in their order."""
    if pack.puzzles is None:
        return []
    text = files(f"{pack.package}.puzzles").joinpath("kept.json").read_text(encoding="utf-8")
    return [of_json(pack, number, said) for number, said in enumerate(json.loads(text), 1)]


def of_json(pack: GamePack, number: int, said: dict[str, Json]) -> Puzzle:
    """Return a puzzle from its JSON."""
    return Puzzle(
        pack, number, tuple(said["position"]), said["seat"], said["aim"], tuple(said["wins"]), said["orders"],
        said["arrangements"], said["found"],
    )  # fmt: skip


def puzzle(pack: GamePack, number: int) -> Puzzle:
    """Return a puzzle of a game. Raises UsageError for a number that none has."""
    found = kept(pack)
    if not found:
        raise UsageError(_("There are no puzzles of {game}.", game=pack.rules.title))
    if not 1 <= number <= len(found):
        raise UsageError(_("The puzzles of {game} are numbered from 1 to {n}.", game=pack.rules.title, n=len(found)))
    return found[number - 1]
