"""The part of positions in words that all games share: writing them, and reading a text into one.

A game defines its lines and their meaning (`setting_up` in its package). This module ensures that a written position reads as the
same state, and that options precede what they decide. It reports all bad lines at once. It knows no game by name.
"""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Generic, NoReturn, Protocol, TypeVar

from pydantic import ValidationError

from pbem.errors import OrderError, PbemError, Problem, UsageError
from pbem.i18n import _
from pbem.i18n.misfits import fitting, misfit

from .game import Game
from .order import Line, Names, read_each, read_lines
from .wants import Json

S = TypeVar("S")


class Positions(Protocol):
    """A game's positions in words.

    It may also have a `check`, which raises FormError for a state that the rules accept but no game can reach.
    """

    def read(self, text: str) -> tuple[dict[str, Json], Any]:
        """Return the options and the state that a text means. Raises OrderError with all bad lines."""

    def write(self, state: Any) -> str:
        """Return the canonical text of a state, which reads as the same state. Raises UsageError if it has none."""

    def schema(self) -> dict[str, Json]:
        """Return the JSON Schema of the game's positions as JSON."""


class Worded(ABC, Generic[S]):
    """A game's positions in words (`Positions`), but for what its lines mean."""

    wordless: ClassVar[str]
    """The message about a state that only JSON can hold; `doing` are the procedures under way there."""

    @abstractmethod
    def read(self, text: str) -> tuple[dict[str, Json], S]:
        """Return the options and the state that a text means. Raises OrderError with all bad lines."""

    @abstractmethod
    def lines(self, state: S) -> Iterator[str]:
        """Go through the lines of a state's canonical text. Raises UsageError for one that has none."""

    def write(self, state: Any) -> str:
        """Return the canonical text of a state. Raises UsageError where it is not read as the same state again."""
        text = ""
        try:
            text = "\n".join(self.lines(state)) + "\n"
            same = self.read(text)[1] == state
        except PbemError:
            same = False
        if not same:
            doing = " > ".join(f"{frame.at}: {frame.step}" for frame in state.stack) or _("the end of the game")
            raise UsageError(_(self.wordless, doing=doing))
        return text


class WordedReading(ABC):
    """One text being read into a state, in a game with the number of players in its first line: its statements and its problems."""

    game: ClassVar[Game]
    words: ClassVar[Names]
    """The first words of lines, OPTION among them."""
    settled: ClassVar[Sequence[str]]
    """The options that no line OPTION says."""

    def __init__(self, text: str) -> None:
        self.options: dict[str, Json] = {}
        self.chosen: Any = None
        """The options, typed and complete."""
        self.seats: tuple[str, ...] = ()
        self.said: dict[str, int] = {}
        """Statements allowed only once, with their line numbers."""
        lines = read_lines(text)
        _read, self.problems = read_each(lines[:1], self._head)
        if not lines:
            self.problems.append(
                Problem(0, "", _("a position begins with the game and how many play"), legal=self._begins)
            )
        if self.problems:
            return
        # options say what there is: they are read before the others, wherever they stand
        options = [line for line in lines[1:] if self.words.fits(line.text.split()[0]) == ["OPTION"]]
        self.problems += read_each(options, self._option)[1]
        self.agreed()
        self.problems += read_each([line for line in lines[1:] if line not in options], self.line)[1]

    def agreed(self) -> None:
        """Take note of the options, now that they are known; those that were wrong are as usual."""
        self.chosen = self.game.options_model.model_validate(self.options)

    @abstractmethod
    def line(self, line: Line) -> None:
        """Take in a line that is neither the first nor an option. Raises OrderError."""

    def judge(self, missing: Problem | None = None) -> None:
        """Raise OrderError with all problems so far, in line order; if there are none, with `missing` if given."""
        if self.problems:
            raise OrderError(*sorted(self.problems, key=lambda problem: problem.line))
        if missing:
            raise OrderError(missing)

    @property
    def _begins(self) -> str:
        return f"{self.game.id.upper()} {self.game.version} for 3"

    def _head(self, line: Line) -> None:
        found = re.fullmatch(rf"{self.game.id} {self.game.version} for (\S+)", line.text.lower())
        allowed = self.game.options_model.model_json_schema()["properties"]["players"]
        if not found:
            raise line.refusal(_("a position begins with the game and how many play"), self._begins)
        self.options["players"] = number(line, found[1], allowed["minimum"], allowed["maximum"], f"for {found[1]}")
        self.seats = self.game.seats(self.options)

    def _option(self, line: Line) -> None:
        name, sign, value = line.text.partition(" ")[2].partition("=")
        names = [name for name in self.game.options_model.model_fields if name not in self.settled]
        if not sign or name not in names:
            raise line.refusal(_("this names no option"), ", ".join(f"OPTION {name}=…" for name in names))
        once(self.said, line, f"OPTION {name}")
        try:
            read = json.loads(value)
        except (ValueError, RecursionError) as error:
            if value.startswith(("{", "[")):
                _does_not_fit(line, str(error))
            read = value
        try:
            self.game.options_model.model_validate({**self.options, name: read})
        except ValidationError as error:
            first, schema = error.errors()[0], self.game.options_model.model_json_schema()
            if what := fitting(first, schema):
                raise line.refusal(_("this does not fit"), what) from None
            _does_not_fit(line, misfit(first, schema))
        self.options[name] = read


def number(line: Line, said: str, least: int, most: int, read: str = "") -> int:
    """Return the number in `said`. Raises OrderError if it is none or out of range, naming `read` and the limits, in every game
    alike.

    >>> number(Line(1, "ROUND 2"), "2", 1, 5)
    2
    """
    if re.fullmatch(r"[0-9]{1,6}", said) and least <= int(said) <= most:
        return int(said)
    raise line.refusal(
        _("this is not a number you can use here"), _("{least} to {most}", least=least, most=most), read=read or said
    )


def once(said: dict[str, int], line: Line, what: str) -> None:
    """Note that a line says this. Raises OrderError where that was said before: only one of the two could count."""
    if what in said:
        raise line.refusal(_("{what} is said already, in line {no}", what=what, no=said[what]))
    said[what] = line.no


def items(listed: str) -> Iterator[str]:
    """Yield the items between commas."""
    yield from filter(None, map(str.strip, listed.split(",")))


def _does_not_fit(line: Line, why: str) -> NoReturn:
    raise line.refusal(_("this does not fit: {why}", why=why)) from None
