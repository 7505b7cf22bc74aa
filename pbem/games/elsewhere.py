"""The rules of a game as another pbem has them, in another folder: for the audit of a game that was played by other rules.

Two versions of one package cannot be imported side by side. So the other pbem runs in a process of its own (`serving`), and what
stands here for its rules asks it over a pipe. It is a whole pbem, with the kernel of its time: its manifest is the one that the log
names, if it is the right one.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from pbem.errors import FormError, OrderError, PbemError, Problem, UsageError, WorldError
from pbem.kernel import (
    Ask,
    Chance,
    Chooser,
    Draw,
    End,
    Event,
    Fact,
    Game,
    Json,
    Listed,
    Open,
    Options,
    Order,
    Outcome,
    Planned,
    Refusal,
    Release,
    Roll,
    Show,
    Stop,
    Unseen,
    View,
    Wants,
)
from pbem.words import _

SERVING = Path(__file__).with_name("serving.py")
MOST = 2
"""So many legal orders are asked for: nobody needs to know more than whether there is a choice."""


class SeenThere(View):
    """A view, as the other rules made it."""

    said: dict[str, Any]


class OrderThere(Order):
    """An order that the other rules hold, under a number."""

    number: int
    text: str

    def __str__(self) -> str:
        return self.text


@contextmanager
def rules_in(folder: Path, game_id: str) -> Iterator[tuple[Game, str]]:
    """Lend the rules of a game out of a folder with another pbem, with the SHA-256 of their manifest, as long as they are needed.

    Raises UsageError where there are none.
    """
    place = folder.resolve()
    if not (place / "pbem" / "__init__.py").exists():
        raise UsageError(
            _("{folder} is no folder with a pbem in it: {file} is missing.", folder=folder, file="pbem/__init__.py")
        )
    process = subprocess.Popen(  # noqa: S603 - to run what is in that folder is what was asked for
        [sys.executable, "-P", str(SERVING), game_id],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(place), "PYTHONDONTWRITEBYTECODE": "1"},
    )  # fmt: skip
    try:
        game = Elsewhere(game_id, folder, process)
        yield game, game.sha256
    finally:
        process.kill()
        process.communicate()


class Elsewhere(Game):
    """Rules that another process holds. A state is its number there."""

    options_model = BaseModel
    view_model = SeenThere

    def __init__(self, game_id: str, folder: Path, process: subprocess.Popen[bytes]) -> None:
        self._folder, self._process = folder, process
        about = self._ask("about")
        if not Path(about["pbem"]).is_relative_to(folder.resolve()):
            raise UsageError(_("The pbem in {folder} cannot be run.", folder=folder))
        # the contract has these for a class; here they are known when the other pbem has been asked
        self.id, self.title, self.version, self.deals = game_id, about["title"], about["version"], about["deals"]  # type: ignore[misc]
        self.sha256: str = about["sha256"]

    def _ask(self, do: str, *given: Json) -> Json:
        pipe_in, pipe_out = self._process.stdin, self._process.stdout
        assert pipe_in is not None  # noqa: S101 - both were asked for
        assert pipe_out is not None  # noqa: S101
        try:
            pipe_in.write(json.dumps([do, *given]).encode() + b"\n")
            pipe_in.flush()
            line = pipe_out.readline()
        except OSError:
            line = b""
        if not line:
            said = self._process.communicate()[1].decode("utf-8", "replace").strip().splitlines()
            why = said[-1] if said else _("it has ended")
            raise UsageError(_("The pbem in {folder} cannot be run: {why}.", folder=self._folder, why=why.rstrip(".")))
        answer = json.loads(line)
        if "order" in answer:
            raise OrderError(*(Problem(*problem) for problem in answer["order"]))
        if "error" in answer:
            raise _error(answer["error"], answer["why"], self._folder)
        return answer["ok"]

    def deals_for(self, options: Json) -> int:
        return int(self._ask("deals_for", options))

    def seats(self, options: Json) -> tuple[str, ...]:
        return tuple(self._ask("seats", options))

    def start(self, options: Json) -> Stop:
        return _stop(self._ask("start", options))

    def step(self, state: int, given: Mapping[str, Order] | Outcome) -> Stop:
        if isinstance(given, Mapping):
            return _stop(self._ask("step", state, {seat: _number(order) for seat, order in given.items()}))
        return _stop(self._ask("step", state, given))

    def wants(self, state: int) -> Wants:
        return _wants(self._ask("wants", state))

    def view(self, state: int, seat: str | None) -> dict[str, Json]:
        return dict(self._ask("view", state, seat))

    def read_view(self, view: Json) -> View:
        return SeenThere(said=view)

    def options(self, view: View) -> Options:
        return Listed([_order(found) for found in self._ask("options", _said(view), MOST)])

    def why_not(self, view: View, order: Order) -> Refusal | None:
        found = self._ask("why_not", _said(view), _number(order))
        return None if found is None else Refusal(*found)

    def default(self, view: View) -> Order:
        return _order(self._ask("default", _said(view)))

    def parse(self, view: View, text: str) -> Order:
        return _order(self._ask("parse", _said(view), text))

    def read_plans(self, text: str) -> str:
        return str(self._ask("read_plans", text))

    def planned(self, view: View, plans: str) -> Planned | None:
        found = self._ask("planned", _said(view), plans)
        return None if found is None else Planned(_order(found[0]), found[1])

    def determinise(self, view: View, chooser: Chooser) -> int:
        raise UsageError(_("Positions are not made up by the rules of another folder."))

    def unseen(self, state: int) -> tuple[Unseen, ...] | None:
        found = self._ask("unseen", state)
        return None if found is None else tuple(Unseen(tuple(map(tuple, at)), tuple(names)) for at, names in found)

    def dealt_anew(self, state: int, drawn: Outcome) -> int:
        return int(self._ask("dealt_anew", state, drawn))

    def dump(self, state: int) -> dict[str, Json]:
        return dict(self._ask("dump", state))

    def load(self, position: Json) -> int:
        return int(self._ask("load", position))

    def resigned(self, state: int, gone: tuple[str, ...], left: tuple[str, ...]) -> str | None:
        found = self._ask("resigned", state, gone, left)
        return None if found is None else str(found)

    def told_secret(self, before: int, after: int) -> bool:
        return bool(self._ask("told_secret", before, after))

    def fingerprint(self, state: int) -> str:
        return str(self._ask("fingerprint", state))


def _error(kind: str, why: str, folder: Path) -> PbemError:
    match kind:
        case "UsageError":
            return UsageError(why)
        case "FormError":
            return FormError(why)
    return WorldError(_("The rules in {folder} stumble: {why}.", folder=folder, why=why))


def _said(view: View) -> Json:
    assert isinstance(view, SeenThere)  # noqa: S101 - `read_view` made it
    return view.said


def _number(order: Order) -> int:
    assert isinstance(order, OrderThere)  # noqa: S101 - `parse`, `default` or `planned` made it
    return order.number


def _order(found: Json) -> Order:
    return OrderThere(number=found[0], text=found[1])


def _stop(found: Json) -> Stop:
    state, events, wants = found
    return Stop(state, tuple(map(_event, events)), _wants(wants))


def _event(found: Json) -> Event:
    kinds: dict[str, type[Event]] = {"Fact": Fact, "Show": Show, "Open": Open, "Release": Release}
    return kinds[found[0]](*found[1:])


def _wants(found: Json) -> Wants:
    match found:
        case ["Ask", seats, what, secret, mark]:
            return Ask(tuple(seats), what, secret, mark)
        case ["Chance", label, requests, listed]:
            made = [
                Roll(asked["n"], asked["sides"]) if asked["op"] == "roll" else Draw(asked["n"], tuple(asked["of"]))
                for asked in requests
            ]
            return Chance(label, tuple(made), listed)
    return End(found[1])
