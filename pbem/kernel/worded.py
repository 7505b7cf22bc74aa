"""What positions in words have in common, whatever the game: how they are written, and how a text on its way to one is read.

A game says which lines there are and what each means (`setting_up` in its package). That what is written is read as the same state,
that options come before what they decide, and that all bad lines are named at once, is here. It knows no game by name.
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

    It may have a `check` besides, which raises FormError for a state that the rules can stand at and no game comes to.
    """

    def read(self, text: str) -> tuple[dict[str, Json], Any]:
        """Return the options and the state that a text means. Raises OrderError with all bad lines."""

    def write(self, state: Any) -> str:
        """Return the canonical text of a state, which is read as the same state. Raises UsageError where there is none."""

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
    """One text on its way to a state, in a game whose first line says how many play: what was said, and what is wrong with it."""

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
        """What has been said, that can be said once alone; and in which line."""
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
        """Raise OrderError with all that is wrong so far, in the order of the lines; else with what is missing."""
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
    """Return the number that is said. Raises OrderError for another, in every game alike: what was `read`, and from where to where.

    >>> number(Line(1, "ROUND 2"), "2", 1, 5)
    2
    """
    if re.fullmatch(r"[0-9]{1,6}", said) and least <= int(said) <= most:
        return int(said)
    raise line.refusal(
        _("this is no number that can stand here"), _("{least} to {most}", least=least, most=most), read=read or said
    )


def once(said: dict[str, int], line: Line, what: str) -> None:
    """Note that a line says this. Raises OrderError where that was said before: only one of the two could count."""
    if what in said:
        raise line.refusal(_("{what} is said already, in line {no}", what=what, no=said[what]))
    said[what] = line.no


def items(listed: str) -> Iterator[str]:
    """Go through what stands between commas."""
    yield from filter(None, map(str.strip, listed.split(",")))


def _does_not_fit(line: Line, why: str) -> NoReturn:
    raise line.refusal(_("this does not fit: {why}", why=why)) from None
