"""The players of a match: a built-in player of the game, or a program in any language, called by lines of JSON.

Both see only the view of their seat and the facts it has heard. `docs/reference/engine.md` specifies the lines.
"""

from __future__ import annotations

import json
import random
import shlex
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from pbem.errors import UsageError
from pbem.games import GamePack
from pbem.games.bot import Bot
from pbem.i18n import _
from pbem.kernel import Json, View
from pbem.records import dataclass

from .program import LineProgram, ProgramFailed, shown

LISTED = 200
"""The maximum number of legal orders that a program is given in full."""
SAMPLES = 20
"""The number of samples given to a program if there are more."""
LONGEST = 20_000
"""The maximum number of letters of an order; the longest of 480,000 orders of Hammer had 330."""


@dataclass(frozen=True, slots=True)
class PutQuestion:
    """A question to a player: the game of the match, the seat, its view, and the facts it has heard since its last question."""

    play: int
    seat: str
    what: str
    said: Mapping[str, Json]
    """The view as JSON."""
    view: View
    heard: Sequence[Json]
    seed: str
    """What a player may take its own chance from: the same in each run of the match."""


class Contestant(Protocol):
    """One side of a match."""

    name: str

    def sit(self, seed: str) -> None:
        """Begin a game; all that is left to chance comes from the seed."""

    def answer(self, put: PutQuestion) -> str:
        """Return the text of an order. Raises ProgramFailed where none comes."""

    def leave(self) -> None:
        """The match is over."""


class HouseContestant(Contestant):
    """A built-in player."""

    def __init__(self, pack: GamePack, name: str) -> None:
        self.name, self._make = name, pack.bots[name]
        self._bot: Bot | None = None
        self._chooser = random.Random()  # noqa: S311 - a player's own choices, seeded in `sit`

    def sit(self, seed: str) -> None:
        self._bot, self._chooser = self._make(), random.Random(seed)  # noqa: S311

    def answer(self, put: PutQuestion) -> str:
        assert self._bot is not None  # noqa: S101 - it sits
        return str(self._bot.answer(put.view, self._chooser))

    def leave(self) -> None:
        self._bot = None


class ProgramContestant(Contestant):
    """A program. One that has failed is started again for the next game."""

    def __init__(self, pack: GamePack, options: Json, command: str, patience: int) -> None:
        """Start it. Raises UsageError where that cannot be done."""
        self.name, self._pack, self._options, self._patience = command, pack, options, patience
        self._words = shlex.split(command)
        self._program: LineProgram | None = None
        self._asked = 0
        self._start()

    def _start(self) -> LineProgram:
        if self._program is None:
            self._program = LineProgram(self._words, self.name, self._patience)
        return self._program

    def sit(self, seed: str) -> None:
        """Nothing: it is told which game it plays with each question, and one that has failed starts again at its next."""

    def answer(self, put: PutQuestion) -> str:
        self._asked += 1
        try:
            return self._order(self._start().ask({"id": self._asked, "do": "order", **self._told(put)}))
        except ProgramFailed:
            self.leave()
            raise
        except UsageError as error:  # it could be started before
            raise ProgramFailed(str(error)) from error

    def _order(self, answer: Mapping[str, Any]) -> str:
        """Return the order that an answer brings. Raises ProgramFailed."""
        order, said = answer.get("order"), shown(json.dumps(answer, ensure_ascii=False))
        if type(answer.get("id")) is not int or answer["id"] != self._asked:
            raise ProgramFailed(
                _(
                    "{name} has answered “{said}”: its id is not that of the question, {id}.",
                    name=self.name,
                    said=said,
                    id=self._asked,
                )
            )
        if not isinstance(order, str):
            raise ProgramFailed(_("{name} has answered “{said}” without an order, a text.", name=self.name, said=said))
        if len(order) > LONGEST:
            raise ProgramFailed(
                _(
                    "{name} has answered an order of {n} letters; {most} may be.",
                    name=self.name,
                    n=len(order),
                    most=LONGEST,
                )
            )
        return order

    def _told(self, put: PutQuestion) -> dict[str, Any]:
        rules = self._pack.rules
        options = rules.options(put.view)
        count = options.count()
        every = count is not None and count <= LISTED
        chooser = random.Random(put.seed)  # noqa: S311 - samples for a player, no dice
        orders = options if every else (options.sample(chooser) for _no in range(SAMPLES))
        return {
            "game": rules.id, "version": rules.version, "options": self._options, "play": put.play, "seat": put.seat,
            "what": put.what, "about": dict(self._pack.look.matter(put.view)), "view": put.said, "heard": list(put.heard),
            "orders": [str(order) for order in orders], "all": every, "default": str(rules.default(put.view)),
            "seed": put.seed,
        }  # fmt: skip

    def leave(self) -> None:
        if self._program is not None:
            self._program.end()
            self._program = None


def contestant(pack: GamePack, options: Json, said: str, patience: int) -> Contestant:
    """Return the player with this name: a built-in player, otherwise the program of a command line. Raises UsageError."""
    if player := pack.player(said):
        return HouseContestant(pack, player)
    try:
        return ProgramContestant(pack, options, said, patience)
    except (UsageError, ValueError) as error:
        wrong = _(
            "“{said}” is neither a built-in player of {game} ({known}) nor a program that can be started: {why}",
            said=said,
            game=pack.rules.title,
            known=pack.players,
            why=error,
        )
        raise UsageError(pack.or_meant(wrong, said)) from error
