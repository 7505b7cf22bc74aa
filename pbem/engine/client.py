"""The engine as a Python object: starts it, or any program with the same protocol, and calls it by typed methods.

A refused request raises EngineRefused and changes nothing. A program that ends, times out or gives an invalid answer raises
ProgramFailed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from types import TracebackType
from typing import Any, Literal, Self, TypeVar

from pbem.errors import PlayerError
from pbem.i18n import _
from pbem.kernel import Json
from pbem.records import dataclass

from .program import LineProgram, ProgramFailed

T = TypeVar("T")
PATIENCE = 60
"""The default time limit for an answer, in seconds."""
ENGINE = (sys.executable, "-P", "-m", "pbem.engine")


class EngineRefused(PlayerError):
    """The engine has refused a request: `code` is one of its page's list; `problems` are objects as that page has them."""

    def __init__(self, code: str, why: str, problems: Sequence[Mapping[str, Any]] = ()) -> None:
        self.code, self.why, self.problems = code, why, tuple(problems)
        super().__init__(why)


@dataclass(frozen=True, slots=True)
class WantedNow:
    """What the rules want: the answers of `seats` to `what`, chance (`label`, `requests`), or nothing more (`result`)."""

    k: Literal["ask", "chance", "end"]
    seats: tuple[str, ...] = ()
    what: str = ""
    about: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """The subject of each seat's question."""
    label: str = ""
    requests: tuple[Mapping[str, Any], ...] = ()
    result: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class CameTo:
    """The state of a game after a step: the events on the way, the present request, and the outcome of chance if it was drawn."""

    events: tuple[Mapping[str, Any], ...]
    wants: WantedNow
    outcome: tuple[tuple[int | str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Begun(CameTo):
    """A game that has begun, or has been loaded at a position."""

    game: str = ""
    version: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)
    seats: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether an order is legal: its canonical text if it is, otherwise its problems."""

    legal: bool
    order: str = ""
    problems: tuple[Mapping[str, Any], ...] = ()


class Client:
    """An engine in a process of its own.

    with Client() as engine:
        engine.new("hammer")
    """

    def __init__(self, command: Sequence[str] = ENGINE, *, patience: int = PATIENCE) -> None:
        """Start an engine. Raises UsageError where the program cannot be started."""
        name = _("The engine") if command is ENGINE else " ".join(map(str, command))
        self._program = LineProgram(command, name, patience)
        self._asked = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the engine."""
        self._program.end()

    def ask(self, do: str, **fields: Json) -> Any:
        """Return the answer to any request of the page. Raises EngineRefused and ProgramFailed."""
        self._asked += 1
        answer = self._program.ask({"id": self._asked, "do": do, **fields})
        if answer.get("id") == self._asked and "ok" in answer:
            return answer["ok"]
        error = answer.get("error")
        if answer.get("id") in (self._asked, None) and isinstance(error, dict):  # null: it could not read the id
            raise self._what_is_said(_refused, error, do)
        self.close()
        raise ProgramFailed(_("{name} has answered another request than “{do}”.", name=self._program.name, do=do))

    def _read(self, read: Callable[[Any], T], do: str, **fields: Json) -> T:
        """Return what `read` makes of an answer. Raises ProgramFailed where it has not the form of one."""
        return self._what_is_said(read, self.ask(do, **fields), do)

    def _what_is_said(self, read: Callable[[Any], T], said: object, do: str) -> T:
        try:
            return read(said)
        except (LookupError, TypeError, ValueError, AttributeError):
            self.close()
            why = _("{name} gave an invalid answer to “{do}”.", name=self._program.name, do=do)
            raise ProgramFailed(why) from None

    def games(self) -> dict[str, dict[str, Any]]:
        """Return the games there are, by id, each with `title`, `version`, `options`."""
        return self._read(dict, "games")

    def new(
        self, game: str, options: Mapping[str, Json] | None = None, position: Mapping[str, Json] | str | None = None
    ) -> Begun:
        """Begin a game, at the position if there is one."""
        at = {} if position is None else {"position": position}
        return self._read(_begun, "new", game=game, options=dict(options or {}), **at)

    def load(self, dump: Mapping[str, Json]) -> Begun:
        """Take up what `dump` gave."""
        return self._read(_begun, "load", dump=dump)

    def dump(self) -> dict[str, Json]:
        """Return the current game, to be loaded later."""
        return self._read(dict, "dump")

    def wants(self) -> WantedNow:
        """Return what the rules want now."""
        return self._read(_wanted, "wants")

    def play(self, orders: Mapping[str, str]) -> CameTo:
        """Continue with the orders of all asked seats."""
        return self._read(_reached, "step", orders=dict(orders))

    def draw(self, seed: int | str) -> CameTo:
        """Continue with an outcome of chance that is drawn from a seed."""
        return self._read(_reached, "step", seed=seed)

    def dictate(self, outcome: Sequence[Sequence[int | str]]) -> CameTo:
        """Continue with an outcome of chance that you name: a list for each request."""
        return self._read(_reached, "step", outcome=[list(part) for part in outcome])

    def options(self, seat: str) -> list[str]:
        """Return all that a seat may order. Raises EngineRefused with `too_many` where these cannot be listed."""
        return self._read(_orders, "options", seat=seat)

    def samples(self, seat: str, samples: int = 1, seed: int | str = 0) -> list[str]:
        """Return this many legal orders, drawn from a seed."""
        return self._read(_orders, "options", seat=seat, samples=samples, seed=seed)

    def why_not(self, seat: str, order: str, *, mended: bool = True) -> Judgement:
        """Return whether an order is legal, and if not, why. Without `mended` it gives no suggestions, which is fast."""
        return self._read(_judgement, "why_not", seat=seat, order=order, **_quick(mended))

    def judge(self, seat: str, orders: Sequence[str], *, mended: bool = True) -> list[Judgement]:
        """Return the same of many orders, judged against one view, in their order."""
        return self._read(_judgements, "why_not", seat=seat, orders=list(orders), **_quick(mended))

    def view(self, seat: str | None = None) -> dict[str, Json]:
        """Return all that a seat may know; without one, what the public may."""
        return self._read(dict, "view", seat=seat)

    def position(self) -> dict[str, Json]:
        """Return the whole position."""
        return self._read(dict, "position")


def _quick(mended: bool) -> dict[str, Json]:
    """Return the fields of a request for this: none for the full answer, so that older programs understand it."""
    return {} if mended else {"mended": False}


def _refused(said: Mapping[str, Any]) -> EngineRefused:
    return EngineRefused(str(said["code"]), str(said["why"]), list(map(dict, said.get("problems", ()))))


def _wanted(said: Mapping[str, Any]) -> WantedNow:
    if said["k"] not in ("ask", "chance", "end") or isinstance(said.get("seats"), str):
        raise ValueError(said)
    found: dict[str, Any] = {name: tuple(said[name]) for name in ("seats", "requests") if name in said}
    found |= {name: said[name] for name in ("k", "what", "about", "label", "result") if name in said}
    return WantedNow(**found)


def _reached(said: Mapping[str, Any]) -> CameTo:
    return CameTo(tuple(said["events"]), _wanted(said["wants"]), tuple(map(tuple, said.get("outcome", ()))))


def _begun(said: Mapping[str, Any]) -> Begun:
    head = {name: said[name] for name in ("game", "version", "options")}
    return Begun(tuple(said["events"]), _wanted(said["wants"]), seats=tuple(said["seats"]), **head)


def _judgement(said: Mapping[str, Any]) -> Judgement:
    return Judgement(said["legal"], said.get("order", ""), tuple(said.get("problems", ())))


def _judgements(said: Mapping[str, Any]) -> list[Judgement]:
    return list(map(_judgement, said["answers"]))


def _orders(said: Mapping[str, Any]) -> list[str]:
    return list(said["orders"])
