"""The pipe to rules that another pbem has: one request, one answer, each a line of JSON.

How it gets there, in a process of its own (`process`) or by turns in this one (`beside`), is decided there. Here is what an
answer means: what the rules raise is raised here, and what is no answer at all is a WorldError, which no replay takes for what
rules say of a game.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from unicodedata import category

from pbem.errors import EndlessError, FormError, OrderError, PbemError, Problem, UsageError, WorldError
from pbem.i18n import _, spoken
from pbem.kernel import Chooser, Json

_KINDS: Mapping[str, type[PbemError]] = {kind.__name__: kind for kind in (UsageError, FormError, EndlessError)}
"""The errors of rules that are raised here as they were there."""


class Pipe(ABC):
    """What leads to the other pbem, which lies in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @abstractmethod
    def through(self, asked: str, chooser: Chooser | None) -> dict[str, Json]:
        """Return the answer to a line of JSON; "" asks what the rules are. Raises WorldError where none comes."""

    def ask(self, number: int, do: str, *given: Json, chooser: Chooser | None = None) -> Json:
        """Return what a thing there answers. Raises what the rules raise, and WorldError when they are none."""
        return self._heard(self.through(json.dumps([number, do, given, spoken()]), chooser))

    def first(self) -> Json:
        """Return what the process says at first."""
        return self._heard(self.through("", None))

    def _heard(self, answer: dict[str, Json]) -> Json:
        """Return what was answered. Raises what the rules raised."""
        try:
            if "order" in answer:
                raise OrderError(*(_problem(*problem) for problem in answer["order"]))
            if "error" in answer:
                raise self._error(answer["error"], printable(answer["why"]))
            return answer["ok"]
        except (KeyError, TypeError, ValueError):
            raise self.garbled(answer) from None

    def _error(self, kind: str, why: str) -> PbemError:
        if kind in _KINDS:
            return _KINDS[kind](why)
        why = why.rstrip(".")
        if kind == "none":
            return UsageError(_("The pbem in {folder} cannot be run: {why}.", folder=self.folder, why=why))
        return WorldError(_("The rules in {folder} stumble: {why}.", folder=self.folder, why=why))

    def garbled(self, said: object) -> WorldError:
        """Return the error for an answer that is none."""
        shown = printable(said.decode("utf-8", "replace") if isinstance(said, bytes) else json.dumps(said))
        return WorldError(
            _(
                "The rules in {folder} have answered what no rules answer: “{said}”.",
                folder=self.folder,
                said=shown.strip()[:80],
            )
        )


def _problem(line: int, read: str, why: str, rule: str, legal: str) -> Problem:
    return Problem(int(line), printable(read), printable(why), printable(rule), printable(legal))


def printable(text: str) -> str:
    """Return a text without what a terminal would obey."""
    return "".join(c if c == "\n" or category(c)[0] != "C" else "\ufffd" for c in text)
