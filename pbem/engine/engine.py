"""One engine: its game, and its answer to each request.

An error is an answer like others: it never ends the engine, and the game stays as it was. Chance comes from outside only: an
outcome that was dictated, or a seed that was named. The engine knows no clock and no randomness of its own.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, replace
from functools import partial, singledispatchmethod
from typing import Any, NoReturn

from pbem.errors import OrderError, PbemError, Problem
from pbem.games import GamePack, find, known, positions
from pbem.games.positions import Placed
from pbem.games.touching import judged, remembered, taken
from pbem.kernel import Ask, Chance, End, Event, Game, Json, Order, Outcome, Request, Roll, Stop, View

from . import requests
from .playing import Playing
from .requests import Refused

MOST_MENDED = 100
"""The maximum number of refused orders per request that get suggestions; the others get only the law's reason."""


class Engine:
    """One game at a time, and the answers to requests."""

    def __init__(self) -> None:
        self.over = False
        self._playing: Playing | None = None

    def answer(self, line: bytes) -> dict[str, Json]:
        """Return the answer to one line; errors in the line are part of the answer."""
        name: Json = None
        try:
            said = _read(line)
            name = said.get("id") if isinstance(said, dict) else None
            if type(name) not in (int, str):
                name = None
            return {"id": name, "ok": self._do(requests.read_request(said))}
        except Refused as error:
            return {"id": name, "error": _error(error.code, error.why, error.problems)}
        except OrderError as error:
            return {"id": name, "error": _error("order", str(error), list(map(_problem, error.problems)))}
        except PbemError as error:
            return {"id": name, "error": _error("usage", str(error))}
        except Exception as error:  # noqa: BLE001 - a position can be such that rules stumble over it: that ends no engine
            why = f"The rules stumbled over this: {type(error).__name__}: {error}."
            return {"id": name, "error": _error("fault", why)}

    @property
    def _game(self) -> Playing:
        if self._playing is None:
            raise Refused("no_game", "There is no game yet; begin one with “new” or “load”.")
        return self._playing

    @singledispatchmethod
    def _do(self, request: Any) -> Json:
        raise Refused("form", "This cannot be done here.")

    # -- beginning --------------------------------------------------------------------------------------------------

    @_do.register
    def _games(self, request: requests.Games) -> Json:
        every = ((name, find(name).rules) for name in known())
        return {
            name: {"title": of.title, "version": of.version, "options": of.options_model().model_dump(mode="json")}
            for name, of in every
        }

    @_do.register
    def _new(self, request: requests.New) -> Json:
        pack = find(request.game)
        position = request.position
        if isinstance(position, str):
            if request.options:
                raise Refused("form", "A position in words says its options itself.")
            return self._place(lambda: positions.in_words(pack, position))
        if position is not None:
            return self._place(lambda: positions.place(pack, request.options, position))
        options = pack.complete(request.options)
        return self._begin(pack, options, pack.rules.start(options))

    @_do.register
    def _load(self, request: requests.Load) -> Json:
        return self._place(lambda: positions.from_json(request.dump))

    def _place(self, read: Callable[[], Placed]) -> Json:
        try:
            placed = read()
        except OrderError as error:
            raise Refused("position", str(error), list(map(_problem, error.problems))) from error
        except PbemError as error:
            raise Refused("position", str(error)) from error
        rules = placed.pack.rules
        return self._begin(placed.pack, placed.options, Stop(placed.state, (), rules.wants(placed.state)))

    def _begin(self, pack: GamePack, options: Json, stop: Stop) -> Json:
        rules, seats = pack.rules, pack.rules.seats(options)
        head = {"game": rules.id, "version": rules.version, "options": options, "seats": list(seats)}
        return head | self._come(Playing(pack, options, seats, stop))

    def _come(self, playing: Playing) -> dict[str, Json]:
        """Keep the game in its new state; return the description of that state."""
        said = {"events": [_event(event) for event in playing.stop.events], "wants": playing.wants()}
        self._playing = playing
        return said

    # -- going on ---------------------------------------------------------------------------------------------------

    @_do.register
    def _step(self, request: requests.Step) -> Json:
        playing = self._game
        _check_one("A step", orders=request.orders, outcome=request.outcome, seed=request.seed)
        wanted, rules = playing.stop.wants, playing.pack.rules
        if isinstance(wanted, End):
            raise Refused("wants", "The game is over; begin another with “new” or “load”.")
        if isinstance(wanted, Ask):
            if request.orders is None:
                raise Refused("wants", f"Orders are wanted now, of {', '.join(wanted.seats)}.")
            stop = rules.step(playing.stop.state, self._orders(wanted, request.orders, mended=request.mended))
            drawn: dict[str, Json] = {}
        else:
            if request.orders is not None:
                raise Refused(
                    "wants", f"An outcome of chance is wanted now, on the chain {wanted.label}: an outcome, or a seed."
                )
            given = _dictated(wanted, request.outcome) if request.outcome is not None else _drawn(wanted, request.seed)
            stop = rules.step(playing.stop.state, given)
            drawn = {"outcome": [list(part) for part in given]}
        return drawn | self._come(Playing(playing.pack, playing.options, playing.seats, stop))

    def _orders(self, wanted: Ask, texts: dict[str, str], *, mended: bool) -> dict[str, Order]:
        if set(texts) != set(wanted.seats):
            raise Refused(
                "wants", f"Orders are wanted now of {', '.join(wanted.seats)}, of all of them and nobody else."
            )
        given, problems = {}, []
        for seat in wanted.seats:
            try:
                given[seat] = self._take(seat, texts[seat], mended=mended)
            except OrderError as error:
                problems += [(seat, problem) for problem in error.problems]
        if problems:
            why = "\n".join(f"{seat}: {problem}" for seat, problem in problems)
            raise Refused("order", why, [{"seat": seat, **_problem(problem)} for seat, problem in problems])
        return given

    def _take(self, seat: str, text: str, *, mended: bool) -> Order:
        pack, view = self._game.pack, self._game.asked(seat)
        return taken(pack, view, text) if mended else _by_law_alone(pack.rules, view, text)

    # -- looking ----------------------------------------------------------------------------------------------------

    @_do.register
    def _wants(self, request: requests.Wants) -> Json:
        return self._game.wants()

    @_do.register
    def _options(self, request: requests.Options) -> Json:
        options = self._game.pack.rules.options(self._game.asked(request.seat))
        count = options.count()
        found: dict[str, Json] = {} if count is None else {"count": count}
        if request.samples is not None:
            chooser = random.Random(str(request.seed))  # noqa: S311 - samples for a player, no dice
            return found | {"orders": [str(options.sample(chooser)) for _ in range(request.samples)]}
        if count is None:
            raise Refused("too_many", f"These are too many to list; ask for samples. {options}")
        return found | {"orders": [str(order) for order in options]}

    @_do.register
    def _why_not(self, request: requests.WhyNot) -> Json:
        _check_one("“why_not”", order=request.order, orders=request.orders)
        pack, view = self._game.pack, self._game.asked(request.seat)
        most, touching = MOST_MENDED * request.mended, remembered(pack, view)
        if request.order is not None and not request.mended:
            return _judged(partial(_by_law_alone, pack.rules, view), request.order)
        if request.order is not None:
            return _judged(partial(taken, pack, view, touching=touching), request.order)
        answers, refused = [], 0
        for order in request.orders or ():
            judge = (
                partial(taken, pack, view, touching=touching)
                if refused < most
                else partial(_by_law_alone, pack.rules, view)
            )
            answers.append(_judged(judge, order))
            refused += not answers[-1]["legal"]
        return {"answers": answers}

    @_do.register
    def _view(self, request: requests.View) -> Json:
        seat = None if request.seat is None else self._game.seat(request.seat)
        return self._game.pack.rules.view(self._game.stop.state, seat)

    @_do.register
    def _position(self, request: requests.Position) -> Json:
        return self._game.pack.rules.dump(self._game.stop.state)

    @_do.register
    def _dump(self, request: requests.Dump) -> Json:
        return Placed(self._game.pack, self._game.options, self._game.stop.state).json()

    @_do.register
    def _quit(self, request: requests.Quit) -> Json:
        self.over = True
        return {}


def serve(lines: Iterable[bytes], write: Callable[[bytes], object]) -> None:
    """Answer every line with one line, until “quit” or the end of input; empty lines are skipped."""
    engine = Engine()
    for line in lines:
        if line.strip():
            said = json.dumps(engine.answer(line), ensure_ascii=False, separators=(", ", ": "), allow_nan=False)
            write(said.encode("utf-8", "backslashreplace") + b"\n")  # half a surrogate becomes its JSON escape
        if engine.over:
            return


def _read(line: bytes) -> Json:
    try:
        return json.loads(line.decode("utf-8"), parse_constant=_no_constant, parse_int=_whole)
    except RecursionError as error:
        raise Refused("form", "This line is nested too deeply.") from error
    except ValueError as error:
        raise Refused("form", f"This line is no JSON in UTF-8: {error}.") from error


def _whole(digits: str) -> int:
    try:
        return int(digits)
    except ValueError as error:  # Python reads so many alone
        raise Refused("form", f"This line has a number with too many digits, {len(digits)}.") from error


def _check_one(what: str, **ways: Json) -> None:
    """Refuse what takes one of several fields, where none or several of them are there."""
    there = [name for name, value in ways.items() if value is not None]
    if len(there) != 1:
        *most, last = ways
        here = f"here are {' and '.join(there)}" if there else "here is none of them"
        raise Refused("form", f"{what} takes one of {', '.join(most)} and {last}; {here}.")


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"there is no {name} in JSON")


def _by_law_alone(rules: Game, view: View, text: str) -> Order:
    """Return the legal order that a text means. Its OrderError gives the reason, but no suggestions."""
    try:
        return judged(rules, view, text)
    except OrderError as error:
        # what a law knows to be possible is a hint for touches ("Fife: …"), and need not be an order
        raise OrderError(*(replace(problem, legal="") for problem in error.problems)) from error


def _judged(judge: Callable[[str], Order], text: str) -> dict[str, Json]:
    try:
        return {"legal": True, "order": str(judge(text))}
    except OrderError as error:
        return {"legal": False, "problems": [_problem(problem) for problem in error.problems]}


def _dictated(wanted: Chance, outcome: list[list[int | str]]) -> Outcome:
    """Return a dictated outcome as the rules take it. Raises Refused where chance could not give it."""
    if len(outcome) != len(wanted.requests):
        raise Refused(
            "outcome", f"{len(wanted.requests)} lists are wanted, one for each request; here are {len(outcome)}."
        )
    for part, request in zip(outcome, wanted.requests, strict=True):
        if len(part) != request.n or not _possible(part, request):
            raise Refused("outcome", f"{json.dumps(part, ensure_ascii=False)} cannot be {_said(request)}.")
    return tuple(map(tuple, outcome))


def _possible(part: list[int | str], request: Request) -> bool:
    if isinstance(request, Roll):
        return all(type(die) is int and 1 <= die <= request.sides for die in part)
    return Counter(part) <= Counter(request.of)


def _said(request: Request) -> str:
    if isinstance(request, Roll):
        return f"{request.n} dice from 1 to {request.sides}"
    return f"{request.n} drawn of {', '.join(request.of)}"


def _drawn(wanted: Chance, seed: int | str | None) -> Outcome:
    chooser, found = random.Random(str(seed)), list[tuple[int | str, ...]]()  # noqa: S311 - the caller names the seed
    for request in wanted.requests:
        if isinstance(request, Roll):
            found.append(tuple(chooser.randrange(request.sides) + 1 for _ in range(request.n)))
        else:
            pile = list(request.of)
            found.append(tuple(pile.pop(chooser.randrange(len(pile))) for _ in range(request.n)))
    return tuple(found)


def _event(event: Event) -> dict[str, Json]:
    parts = ((name, getattr(event, name)) for name in event.__match_args__)
    return {"k": type(event).__name__.lower(), **{name: part for name, part in parts if part not in (None, {})}}


def _error(code: str, why: str, problems: Sequence[Json] = ()) -> dict[str, Json]:
    return {"code": code, "why": why} | ({"problems": list(problems)} if problems else {})


def _problem(problem: Problem) -> dict[str, Json]:
    return {name: value for name, value in asdict(problem).items() if value}
