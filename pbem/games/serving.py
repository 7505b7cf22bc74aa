"""The other side of `archived`: a program that lends the rules of a game, line by line of JSON, to the program that started it.

It is run by its path, under the pbem of another folder (or imported, where processes are impossible). So it must work with every
earlier pbem: it imports nothing of one, and knows the contract of the kernel only by its table. States, orders and options stay
here; only their numbers go out.

The pbem that it runs may be a stranger's. It cannot be prevented from doing what a program can do. But it gets no place to write
to, few resources, and no voice but the answers.

The table is for both ends: `archived` makes the proxy of the rules from it. These kinds are known at both:

==========  ==============================================================================================
json        as it is; an `object` is a dict
text        a string; `text?` may be None as well; `texts` are a tuple of them
number      a whole number; `number?` may be None as well
truth       true or false
state       its number there
order       its number there, and its text; equal orders have one number
orders      an iterator, by its number; it is asked for more and more
options     what may be ordered, by its number: `OPTIONS` are its methods
view        its JSON
given       `{"orders": {seat: number}}`, or `{"drawn": …}`, as an outcome
outcome     a list for each request
chooser     nothing: it stays here, and is asked for each number
typed       options of the game, complete, as JSON
stop, wants, refusal, planned, unseen: as the classes of the kernel, by their parts
==========  ==============================================================================================
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import nullcontext, suppress
from importlib import import_module
from itertools import count, islice
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, Protocol

MEMORY = 4 << 30
VIEWS = 200
"""The maximum number of views kept as last read."""


class Carried(NamedTuple):
    """The kinds of what a method takes, in its order, and of what it gives back."""

    takes: tuple[str, ...]
    gives: str


GAME = {
    # what it says of itself
    "read_options": Carried(("json",), "typed"),
    "remarks": Carried(("json",), "texts"),
    "following": Carried(("json",), "json"),
    "seats": Carried(("json",), "texts"),
    # rules: of a state
    "start": Carried(("json",), "stop"),
    "step": Carried(("state", "given"), "stop"),
    "wants": Carried(("state",), "wants"),
    "view": Carried(("state", "text?"), "object"),
    "dump": Carried(("state",), "object"),
    "load": Carried(("json",), "state"),
    "resigned": Carried(("state", "texts", "texts"), "text?"),
    "told_secret": Carried(("state", "state"), "truth"),
    "fingerprint": Carried(("state",), "text"),
    # law: of a view
    "read_view": Carried(("json",), "view"),
    "own_view": Carried(("json",), "view"),
    "options": Carried(("view",), "options"),
    "why_not": Carried(("view", "order"), "refusal"),
    "default": Carried(("view",), "order"),
    "parse": Carried(("view", "text"), "order"),
    "determinise": Carried(("view", "chooser"), "state"),
    # what it may have besides
    "read_plans": Carried(("text",), "text"),
    "planned": Carried(("view", "text"), "planned"),
    "read_ahead": Carried(("view", "text", "text"), "text"),
    "bounds": Carried(("view",), "texts"),
    "read_condition": Carried(("text",), "text"),
    "holds": Carried(("view", "text"), "truth"),
    "unseen": Carried(("state",), "unseen"),
    "dealt_anew": Carried(("state", "outcome"), "state"),
}
"""Every public method of `pbem.kernel.Game`, and of its optional protocols (`pbem.kernel.BESIDES`)."""

OPTIONS = {
    "__iter__": Carried((), "orders"),
    "__contains__": Carried(("order",), "truth"),
    "count": Carried((), "number?"),
    "sample": Carried(("chooser",), "order"),
    "__str__": Carried((), "text"),
}
"""Every method of `pbem.kernel.Options`."""

PARTS = {
    "Ask": ("seats", "what", "secret", "mark"),
    "Chance": ("label", "requests", "listed"),
    "End": ("result",),
    "Fact": ("public", "private"),
    "Show": ("seat", "label", "place"),
    "Open": ("label", "place"),
    "Release": ("label",),
}
"""The classes of requests and facts, each with the parts that are sent after its name."""

ATTRIBUTES = {"id": "text", "title": "text", "version": "number", "marked": "texts?"}
"""The attributes of a game's class; `marked` if there can be premoves. Its two models are in `MODELS`."""

MODELS = ("options_model", "view_model")


class Chooses(Protocol):
    """Lets the caller choose a number: the chooser stays on its side."""

    def randrange(self, stop: int, /) -> int: ...


class PipeBack:
    """The two ends of the pipe to the caller."""

    def __init__(self) -> None:
        self._asked: BinaryIO = os.fdopen(os.dup(0), "rb")
        self._said: BinaryIO = os.fdopen(os.dup(1), "wb")
        # what the rules read or print is not what goes through the pipe
        nothing = os.open(os.devnull, os.O_RDWR)
        for fd in (0, 1):
            os.dup2(nothing, fd)

    def read(self) -> Any:
        """Return the next request, or None at the end of input."""
        line = self._asked.readline()
        return json.loads(line) if line else None

    def write(self, said: Any) -> None:
        self._said.write(json.dumps(said).encode() + b"\n")
        self._said.flush()

    def randrange(self, stop: int, /) -> int:
        """Let the caller choose a number: the chooser stays on its side."""
        self.write({"choose": stop})
        return int(self.read())


class Lending:
    """A game that is lent."""

    def __init__(self, game_id: str, pipe: Chooses) -> None:
        self._pbem, self._errors, games = map(import_module, ("pbem", "pbem.errors", "pbem.games"))
        self._pipe = pipe
        self._pack = games.find(game_id)
        self._manifest = games.manifest(self._pack)
        self._game = self._pack.rules
        self._held: dict[int, Any] = {0: self._game}
        """The objects that were handed out, by number."""
        self._numbers = count(1)
        self._orders: dict[Any, int] = {}
        self._views: dict[str, Any] = {}

    def about(self) -> dict[str, Any]:
        """Return the facts about the rules that the caller needs."""
        found = {name: getattr(self._game, name) for name in ATTRIBUTES if hasattr(self._game, name)}
        return {
            **found,
            "methods": [name for name in GAME if hasattr(self._game, name)],
            "manifest": self._manifest[0],
            "sha256": self._manifest[1],
            "pbem": str(Path(str(self._pbem.__file__)).resolve()),
        }

    def answer(self, asked: Any) -> dict[str, Any]:
        """Return the answer to a request: the number of the object, the method, its arguments, and the language."""
        try:
            number, do, given, language = asked
            with self._speaking(language):
                return {"ok": self._do(number, do, given)}
        except self._errors.OrderError as error:
            return {"order": [[p.line, p.read, p.why, p.rule, p.legal] for p in error.problems]}
        except self._errors.PbemError as error:
            return {"error": type(error).__name__, "why": str(error)}
        except Exception as error:  # noqa: BLE001 - whatever rules stumble over is told to whoever asked
            return {"error": "", "why": f"{type(error).__name__}: {error}"}

    def _speaking(self, language: str) -> Any:
        """Switch to the caller's language, if this pbem knows it."""
        with suppress(Exception):
            from pbem.i18n import speaking, words

            return speaking(words(language))
        return nullcontext()

    def _do(self, number: int, do: str, given: list[Any]) -> Any:
        match do:
            case "about":
                return self.about()
            case "same":
                return bool(self._held[number] == self._held[given[0]])
            case "more":
                return self._more(number, given[0])
        carried = (OPTIONS if number else GAME)[do]
        arguments = [
            getattr(self, f"_take_{_name(kind)}")(value) for kind, value in zip(carried.takes, given, strict=True)
        ]
        found = getattr(self._held[number], do)(*arguments)
        give: Callable[[Any], Any] = getattr(self, f"_give_{_name(carried.gives)}")
        return None if found is None else give(found)

    def _more(self, number: int, most: int) -> list[Any]:
        """Return the next orders of an iterator."""
        found = [self._give_order(order) for order in islice(self._held[number], most)]
        if len(found) < most:
            del self._held[number]
        return found

    # -- what comes in ----------------------------------------------------------------------------------------------

    def _take_json(self, value: Any) -> Any:
        return value

    _take_text = _take_json

    def _take_texts(self, value: Any) -> tuple[str, ...]:
        return tuple(value)

    def _take_state(self, number: int) -> Any:
        return self._held[number]

    _take_order = _take_state

    def _take_view(self, value: Any) -> Any:
        text = json.dumps(value, sort_keys=True)
        if text not in self._views:
            if len(self._views) >= VIEWS:
                self._views.clear()
            self._views[text] = self._game.read_view(value)
        return self._views[text]

    def _take_outcome(self, value: Any) -> tuple[tuple[Any, ...], ...]:
        return tuple(map(tuple, value))

    def _take_given(self, value: Any) -> Any:
        if "orders" in value:
            return {seat: self._held[number] for seat, number in value["orders"].items()}
        return self._take_outcome(value["drawn"])

    def _take_chooser(self, value: Any) -> Chooses:
        return self._pipe

    # -- what goes out ----------------------------------------------------------------------------------------------

    def _give_json(self, value: Any) -> Any:
        return value

    _give_object = _give_text = _give_number = _give_truth = _give_json

    def _give_texts(self, value: Any) -> list[str]:
        return list(value)

    _give_refusal = _give_texts

    def _give_typed(self, value: Any) -> Any:
        return value.model_dump(mode="json")

    def _give_view(self, value: Any) -> Any:
        return value.model_dump(mode="json", exclude_none=True, by_alias=True)

    def _give_state(self, thing: Any) -> int:
        """Hold a thing, and return its number."""
        number = next(self._numbers)
        self._held[number] = thing
        return number

    _give_options = _give_orders = _give_state

    def _give_order(self, order: Any) -> list[Any]:
        try:
            key = (type(order), order)
            number = self._orders.get(key)
        except TypeError:
            key = (type(order), repr(order))
            number = self._orders.get(key)
        if number is None:
            number = self._orders[key] = self._give_state(order)
        return [number, str(order)]

    def _give_planned(self, planned: Any) -> list[Any]:
        return [self._give_order(planned.order), planned.clause]

    def _give_unseen(self, groups: Any) -> list[Any]:
        return [[group.places, group.names] for group in groups]

    def _give_stop(self, stop: Any) -> list[Any]:
        return [self._give_state(stop.state), list(map(_parts, stop.events)), _parts(stop.wants)]

    def _give_wants(self, wants: Any) -> list[Any]:
        return _parts(wants)


def _name(kind: str) -> str:
    return kind.removesuffix("?")


def _parts(thing: Any) -> list[Any]:
    """Return a request or a fact as its kind and its parts."""
    kind = type(thing).__name__
    return [kind, *(_plain(getattr(thing, name)) for name in PARTS[kind])]


def _plain(value: Any) -> Any:
    """Return a part as JSON: a mapping as an object, requests as they write themselves."""
    if isinstance(value, Mapping):
        return dict(value)
    return [item.json() if hasattr(item, "json") else item for item in value] if isinstance(value, tuple) else value


def _contain() -> None:
    """Forbid writing to files, and limit memory to what rules need, if the system can do that."""
    try:
        import resource
    except ImportError:
        return
    for limit, most in ((resource.RLIMIT_FSIZE, 0), (resource.RLIMIT_CORE, 0), (resource.RLIMIT_AS, MEMORY)):
        with suppress(OSError, ValueError):
            resource.setrlimit(limit, (most, most))


def main() -> None:
    """Answer every line with one line; the first is about the rules, or says why there are none."""
    game_id, folder, *more = sys.argv[1:]
    sys.path[:0] = [folder]
    sys.path += [place for place in more if place not in sys.path]
    _contain()
    pipe = PipeBack()
    try:
        lending = Lending(game_id, pipe)
        pipe.write({"ok": lending.about()})
    except BaseException as error:  # noqa: BLE001 - whatever is wrong with that pbem is told
        pipe.write({"error": "none", "why": f"{type(error).__name__}: {error}"})
        return
    while (asked := pipe.read()) is not None:
        pipe.write(lending.answer(asked))


if __name__ == "__main__":
    main()
