"""Puzzles that come with a game: positions in which an order or two win, or have the best chance.

They were found by search. A game keeps its puzzles in `puzzles/kept.json` of its package. Its package `puzzles` defines the aims
and their proof (`MATTER`): against all that is hidden (`proving`), or by the chances of all throws (`reckoning`). A puzzle has a
position, the seat to move, the aim, the orders that achieve it, and where it was found. The proof is repeated on request. Nothing
here knows any game by name.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from importlib.resources import files
from typing import TYPE_CHECKING

from pbem.errors import UsageError
from pbem.i18n import _

from .positions import Placed, read

if TYPE_CHECKING:
    from pbem.kernel import Json

    from .pack import GamePack
    from .proving import Matter, Proves

MOST_STEPS = 20_000
"""A proof of a kept puzzle takes far less for an order."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A puzzle of a game; `number` is counted from 1.

    `orders` is the number of legal orders, `arrangements` that of the arrangements of hidden things, as far as they matter.
    `chance` is that of the answers, where chances are computed; None if they win for certain whatever is hidden.
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
    chance: Fraction | None = None

    @property
    def matter(self) -> Matter:
        """What its proof looks at. Raises UsageError for a game that has no puzzles."""
        if self.pack.puzzles is None:
            raise UsageError(_("There are no puzzles for {game}.", game=self.pack.rules.title))
        return self.pack.puzzles

    @property
    def task(self) -> str:
        """The task as a sentence."""
        aim = self.matter.aim_in_words(self.aim)
        if self.chance is None:
            return aim
        return " ".join((aim, _("It can be done for certain.") if self.chance == 1 else _("Find the best chance.")))

    def placed(self) -> Placed:
        """Return the game at the puzzle's position."""
        return read("\n".join(self.position), self.pack)

    def prover(self) -> Proves:
        """Return what proves orders at it."""
        return self.matter.prover(self.placed().state, self.seat, self.aim, MOST_STEPS)

    def json(self) -> dict[str, Json]:
        """Return it as it is kept."""
        return {
            "seat": self.seat, "aim": self.aim, "wins": list(self.wins), "orders": self.orders, "arrangements": self.arrangements,
            "found": self.found, **({} if self.chance is None else {"chance": str(self.chance)}), "position": list(self.position),
        }  # fmt: skip


def written(placed: Placed) -> tuple[str, ...]:
    """Return a position in its stored form: in words, or as one line of JSON if words are not possible."""
    try:
        return tuple(placed.text().splitlines())
    except UsageError:
        return (json.dumps(placed.json(), ensure_ascii=False, separators=(",", ":")),)


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
        said["arrangements"], said["found"], Fraction(said["chance"]) if "chance" in said else None,
    )  # fmt: skip


def puzzle(pack: GamePack, number: int) -> Puzzle:
    """Return a puzzle of a game. Raises UsageError for a number that none has."""
    found = kept(pack)
    if not found:
        raise UsageError(_("There are no puzzles for {game}.", game=pack.rules.title))
    if not 1 <= number <= len(found):
        raise UsageError(_("The puzzles of {game} are numbered from 1 to {n}.", game=pack.rules.title, n=len(found)))
    return found[number - 1]
