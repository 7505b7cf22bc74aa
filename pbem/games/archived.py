"""The rules of a game from another pbem, in an archive or a folder, for the audit of a game played by other rules.

Two versions of one package cannot be imported side by side. So the other pbem runs in a process of its own, or in a page by turns
(`running`). The proxy for its rules asks it over a pipe: one request, one answer, each a line of JSON. It is a whole pbem, with
the kernel of its time. If it is the right one, its manifest is the one that the log names. `serving` has the table of methods and
how each is carried; every proxy method is made from it.

The other pbem may be a stranger's program, so its output is not trusted: it may end, hang, or answer anything. Errors of its rules
are raised here. An answer that is malformed is a WorldError, which no replay takes for a statement of the rules. Then there are no
rules, which is nobody's fault in the game.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from inspect import signature
from pathlib import Path
from typing import Any, cast
from unicodedata import category

from pydantic import BaseModel, ConfigDict, Field, ModelWrapValidatorHandler, model_validator

from pbem.errors import EndlessError, FormError, OrderError, PbemError, Problem, UsageError, WorldError
from pbem.i18n import _, spoken
from pbem.kernel import (
    BESIDES,
    Ask,
    Chance,
    Chooser,
    Draw,
    End,
    Event,
    Fact,
    Game,
    Json,
    Open,
    Options,
    Order,
    Outcome,
    Planned,
    Refusal,
    Release,
    Roll,
    SendingAhead,
    Show,
    Stop,
    Unseen,
    View,
    Wants,
)

from .serving import ATTRIBUTES, GAME, OPTIONS, Carried

CHUNK = 64
_KINDS: Mapping[str, type[PbemError]] = {kind.__name__: kind for kind in (UsageError, FormError, EndlessError)}
"""The errors of rules that are raised here as they were there."""


class Pipe(ABC):
    """The connection to another pbem, which is in a folder."""

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
        """Return the answer. Raises the error that the rules raised."""
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
        """Return the error for a malformed answer."""
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


class StateThere:
    """A state that the other rules hold, under a number."""

    def __init__(self, pipe: Pipe, number: int) -> None:
        self._pipe, self.number = pipe, number

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, StateThere) or other._pipe is not self._pipe:
            return NotImplemented
        return self.number == other.number or bool(self._pipe.ask(self.number, "same", other.number))

    def __hash__(self) -> int:
        return id(self._pipe)  # equal states may have different numbers


class OrderThere(Order):
    """An order that the other rules hold, under a number; equal orders have one number."""

    number: int = Field(repr=False)
    text: str

    def __str__(self) -> str:
        return self.text


class ViewThere(View):
    """A view, as the other rules have read it: its JSON."""

    model_config = ConfigDict(frozen=True, extra="allow")


class ChosenThere(BaseModel):
    """Options of a game, complete, as the other rules have read them."""

    model_config = ConfigDict(frozen=True, extra="allow")


class OptionsThere(Options):
    """What may be ordered by the other rules."""

    def __init__(self, pipe: Pipe, number: int) -> None:
        self._call = CallThere(pipe, number, OPTIONS)

    def __iter__(self) -> Iterator[Order]:
        most = 2
        number = self._call("__iter__")
        while True:
            found = self._call.orders(number, most)
            yield from found
            if len(found) < most:
                return
            most = CHUNK

    def __contains__(self, order: object) -> bool:
        return isinstance(order, OrderThere) and bool(self._call("__contains__", order))

    def count(self) -> int | None:
        return cast("int | None", self._call("count"))

    def sample(self, chooser: Chooser) -> Order:
        return cast(Order, self._call("sample", chooser))

    def __str__(self) -> str:
        return str(self._call("__str__"))


class CallThere:
    """Calls the methods of one object in the other pbem, by a table."""

    def __init__(self, pipe: Pipe, number: int, table: Mapping[str, Carried]) -> None:
        self.pipe, self._number, self._table = pipe, number, table

    def __call__(self, name: str, *given: Any) -> Any:
        """Return the result of one of its methods."""
        carried = self._table[name]
        sent = [_SEND.get(kind, _as_it_is)(value) for kind, value in zip(carried.takes, given, strict=True)]
        chooser = given[carried.takes.index("chooser")] if "chooser" in carried.takes else None
        return self.given(carried.gives, self.pipe.ask(self._number, name, *sent, chooser=chooser))

    def given(self, kind: str, found: Json) -> Any:
        """Return what came back, typed. Raises WorldError where it is not of its kind."""
        try:
            if found is None and (kind.endswith("?") or kind in ("refusal", "planned", "unseen")):
                return None
            return _GIVEN[kind.removesuffix("?")](self.pipe, found)
        except (ValueError, TypeError, KeyError, IndexError, AttributeError):
            raise self.pipe.garbled(found) from None

    def orders(self, number: int, most: int) -> list[Order]:
        """Return the next orders of an iterator there."""
        found = self.pipe.ask(number, "more", most)
        return [cast(Order, self.given("order", order)) for order in found]


class Elsewhere(Game):
    """Rules in another pbem. A state is its number there; `lent` gives it the methods of the contract."""

    view_model = ViewThere

    def __init__(self, pipe: Pipe, game_id: str, found: Json) -> None:
        self.call = CallThere(pipe, 0, GAME)
        about = {"sha256": "text", "manifest": "text", "pbem": "text", "methods": "texts"}
        said = {name: self.call.given(kind, found.get(name)) for name, kind in (about | ATTRIBUTES).items()}
        if said["id"] != game_id or not Path(said["pbem"]).is_relative_to(pipe.folder.resolve()):
            raise UsageError(_("The pbem in {folder} cannot be run.", folder=pipe.folder))
        for name in ATTRIBUTES:  # the contract has these for a class
            setattr(self, name, said[name])
        self.title = printable(self.title)  # type: ignore[misc]
        self.options_model = _options_model(self)  # type: ignore[misc]
        self.sha256: str = said["sha256"]
        """The SHA-256 of their manifest."""
        self.manifest: str = printable(said["manifest"])
        self._methods = frozenset(said["methods"])

    def has(self, method: str) -> bool:
        """Do the other rules know this method? A contract may have grown since their time."""
        return method in self._methods


def _options_model(game: Elsewhere) -> type[BaseModel]:
    """Return a model of a game's options that lets the other rules read them. Raises UsageError."""

    class Chosen(ChosenThere):
        @model_validator(mode="wrap")
        @classmethod
        def _there(cls, options: Any, made: ModelWrapValidatorHandler[Chosen]) -> Chosen:
            return made(game.read_options(options).model_dump() if game.has("read_options") else options)

    return Chosen


def _method(name: str, own: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method of the contract as the other rules have it. Methods that they do not know are as the contract has them."""
    by_name = signature(own)

    def method(self: Elsewhere, *given: Any, **named: Any) -> Any:
        if named:
            given = by_name.bind(self, *given, **named).args[1:]
        return self.call(name, *given) if self.has(name) else own(self, *given)

    method.__name__, method.__doc__ = name, own.__doc__
    return method


def lent(pipe: Pipe, game_id: str) -> Elsewhere:
    """Return the rules that a process lends, with their optional protocols."""
    found = pipe.first()
    known = found.get("methods") or ()
    besides = [part for part in BESIDES if all(name in known for name in GAME if hasattr(part, name))]
    if not found.get("marked") and SendingAhead in besides:
        besides.remove(SendingAhead)
    base: type[Elsewhere] = type("Lent", (Elsewhere, *besides), {})
    methods = {name: _method(name, getattr(base, name)) for name in GAME if hasattr(base, name)}
    forwarding: type[Elsewhere] = type("Forwarding", (base,), {"__module__": __name__, **methods})
    return forwarding(pipe, game_id, found)


# -- what goes there ------------------------------------------------------------------------------------------------


def _as_it_is(value: Any) -> Json:
    return value


def _numbered(thing: StateThere | OrderThere) -> int:
    return thing.number


def _view(view: View) -> Json:
    return view.model_dump(mode="json", exclude_none=True, by_alias=True)


def _given(given: Mapping[str, Order] | Outcome) -> Json:
    if isinstance(given, Mapping):
        return {"orders": {seat: cast(OrderThere, order).number for seat, order in given.items()}}
    return {"drawn": given}


_SEND: Mapping[str, Callable[[Any], Json]] = {
    "state": _numbered,
    "order": _numbered,
    "view": _view,
    "given": _given,
    "chooser": lambda chooser: None,
}


# -- what comes from there: any of these raises what it likes where it is not as it should be ------------------------


def _of(kind: type) -> Callable[[Pipe, Json], Any]:
    def given(pipe: Pipe, found: Json) -> Any:
        if type(found) is not kind:
            raise TypeError
        return found

    return given


_text, _number, _truth = _of(str), _of(int), _of(bool)


def _texts(pipe: Pipe, found: Json) -> tuple[str, ...]:
    return tuple(_text(pipe, item) for item in found)


def _order(pipe: Pipe, found: Json) -> Order:
    number, text = found
    return OrderThere(number=number, text=text)


def _stop(pipe: Pipe, found: Json) -> Stop:
    state, events, wants = found
    return Stop(StateThere(pipe, _number(pipe, state)), tuple(map(_event, events)), _wants(pipe, wants))


def _event(found: Json) -> Event:
    match found:
        case ["Fact", public, dict(private)]:
            return Fact(public, private)
        case ["Show", str(seat), str(label), int(place)]:
            return Show(seat, label, place)
        case ["Open", str(label), int(place)]:
            return Open(label, place)
        case ["Release", str(label)]:
            return Release(label)
    raise ValueError


def _wants(pipe: Pipe, found: Json) -> Wants:
    match found:
        case ["Ask", list(seats), str(what), "no" | "until resolved" | "until end" as secret, bool(mark)]:
            return Ask(_texts(pipe, seats), what, secret, mark)
        case ["Chance", str(label), list(requests), bool(listed)]:
            return Chance(label, tuple(map(_request, requests)), listed)
        case ["End", dict(result)]:
            return End(result)
    raise ValueError


def _request(found: Json) -> Roll | Draw:
    match found:
        case {"op": "roll", "n": int(n), "sides": int(sides)}:
            return Roll(n, sides)
        case {"op": "draw", "n": int(n), "of": list(names)}:
            return Draw(n, tuple(names))
    raise ValueError


def _refusal(pipe: Pipe, found: Json) -> Refusal:
    return Refusal(*_texts(pipe, found))


def _planned(pipe: Pipe, found: Json) -> Planned:
    order, clause = found
    return Planned(_order(pipe, order), _text(pipe, clause))


def _unseen(pipe: Pipe, found: Json) -> tuple[Unseen, ...]:
    return tuple(
        Unseen(tuple((_text(pipe, label), _number(pipe, place)) for label, place in places), _texts(pipe, names))
        for places, names in found
    )


_GIVEN: Mapping[str, Callable[[Pipe, Json], Any]] = {
    "json": lambda pipe, found: found,
    "object": _of(dict),
    "text": _text,
    "texts": _texts,
    "number": _number,
    "truth": _truth,
    "state": lambda pipe, found: StateThere(pipe, _number(pipe, found)),
    "order": _order,
    "orders": _number,
    "options": lambda pipe, found: OptionsThere(pipe, _number(pipe, found)),
    "view": lambda pipe, found: ViewThere.model_validate(found),
    "typed": lambda pipe, found: ChosenThere.model_validate(found),
    "stop": _stop,
    "wants": _wants,
    "refusal": _refusal,
    "planned": _planned,
    "unseen": _unseen,
}
