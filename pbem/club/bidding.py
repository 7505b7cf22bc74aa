"""Bids within an event: a game of bids settles who plays which side of a pairing. The pairing's game follows from it.

The two players of a pairing bid only against each other, so bids change no pairing. The results (sides, the net bid, the hash of
the last entry) become seats and options of the game. So anybody sees in its log that it is played at the price of the bid.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from pbem.errors import UsageError
from pbem.games import GamePack, find, known
from pbem.i18n import _
from pbem.kernel import Json
from pbem.records import dataclass

from .results import RatedGame

if TYPE_CHECKING:
    from .pairing import Encounter

_UNNAMED = ("first", "second")
"""The seats of bids for players with names that no seat can have."""


@dataclass(frozen=True, slots=True)
class Opening:
    """A game to be opened: its name, its options, and its player for each seat."""

    game: str
    options: Mapping[str, Json]
    seats: Mapping[str, str]
    bids: bool = False
    """Is it the bids for a game that is not open yet?"""


@dataclass(frozen=True, slots=True)
class Bidden:
    """What came of bids: the id of their log, the options of the game that follows, and who plays it, by seat."""

    game: str
    options: Mapping[str, Json]
    sides: Mapping[str, str]

    @property
    def bid(self) -> str:
        """The net bid in force, as E1; "" for none."""
        return str(self.options["bid"])

    @property
    def head(self) -> str:
        """The hash of the last entry of the bids' log."""
        return str(self.options["after"])


def game_of_bids(game: str) -> GamePack:
    """Return the game in which players bid for the sides of `game`. Raises UsageError if there is none."""
    for pack in map(find, known()):
        if any(name == game for name, _settled in pack.rules.following(pack.complete({}))):
            return pack
    raise UsageError(_("“bids”: nobody bids for a side of {game}", game=find(game).rules.title))


def opening_of_bids(game: str, options: Mapping[str, Json], pair: Encounter) -> Opening:
    """Return the game in which two bid for their sides. Raises UsageError where nobody can bid for games like theirs."""
    pack = game_of_bids(game)
    scenario = {"scenario": options["scenario"]} if "scenario" in options else {}
    more = {name: value for name, value in options.items() if name != "scenario" and value is not False}
    seats = _seats(pack, pair)
    told = {"players": " ".join(seats), **scenario, "games": " ".join(_as_text(*one) for one in more.items())}
    pack.complete(told)
    return Opening(pack.rules.id, told, dict(zip(seats, pair, strict=True)), bids=True)


def _as_text(name: str, value: Json) -> str:
    return name if value is True else f"{name}={value}"


def _seats(pack: GamePack, pair: Encounter) -> tuple[str, str]:
    """Return what the seats of two are called in their bids: as they are, in small letters, where such seats can be."""
    plain = [unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower() for name in pair]
    first, second = (re.sub("[^a-z0-9]+", "_", name).strip("_") for name in plain)
    try:
        pack.complete({"players": f"{first} {second}"})
    except UsageError:
        return _UNNAMED
    return first, second


def bids_of(game: RatedGame, seats: Mapping[str, str]) -> Bidden:
    """Return what came of the bids of two; `seats` says who sat on which seat of theirs."""
    (named,) = cast("list[dict[str, Any]]", game.result["games"])
    pack = find(named["game"])
    options = pack.complete({**named["options"], "after": game.head})
    return Bidden(game.id, options, {side: seats[seat] for side, seat in named["seats"].items()})
