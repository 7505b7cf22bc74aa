"""Games played at random and recorded, for whatever is to be looked at in them."""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from pbem.errors import OrderError, Problem
from pbem.kernel import (
    Ask,
    Chance,
    End,
    Game,
    Json,
    Order,
    Outcome,
    Roll,
    Stop,
    View,
)

from .forms import canonical

Given = Mapping[str, Order] | Outcome


@dataclass(frozen=True)
class Record:
    """A recorded game: `stops[i + 1]` came from `stops[i]` through `givens[i]`."""

    game: Game
    options: Json
    seed: int
    seats: tuple[str, ...]
    stops: tuple[Stop, ...]
    givens: tuple[Given, ...]

    def at(self, index: int) -> str:
        """Say where we are, for a failing assertion."""
        return f"{self.game.id} {self.options} seed {self.seed} step {index}: {self.stops[index].wants}"

    def every(self, stride: int) -> Iterator[int]:
        """Go through every `stride`-th step, beginning elsewhere in each game, and the last."""
        last = len(self.stops) - 1
        return iter(sorted({*range(self.seed % stride, last, stride), last}))

    def view(self, index: int, seat: str | None) -> View:
        return self.game.read_view(self.game.view(self.stops[index].state, seat))


def outcome(chance: Chance, rng: random.Random) -> Outcome:
    """Return what chance could give, as dice and drawn names."""
    return tuple(
        tuple(rng.randrange(request.sides) + 1 for _ in range(request.n))
        if isinstance(request, Roll)
        else tuple(rng.sample(request.of, request.n))
        for request in chance.requests
    )


def answers(game: Game, stop: Stop, rng: random.Random) -> Given:
    """Return something that `stop` could be given: legal orders at random, now and then the default, or an outcome."""
    wanted = stop.wants
    if isinstance(wanted, Chance):
        return outcome(wanted, rng)
    assert isinstance(wanted, Ask)
    given: dict[str, Order] = {}
    for seat in wanted.seats:
        view = game.read_view(game.view(stop.state, seat))
        silent = rng.randrange(12) == 0
        given[seat] = game.default(view) if silent else game.options(view).sample(rng)
        assert not silent or game.why_not(view, given[seat]) is None, f"the default {given[seat]} is not legal"
    return given


def play(game: Game, options: Json, seed: int, limit: int | None = None) -> Record:
    """Play a random game to its end, or for `limit` steps."""
    rng = random.Random(f"{game.id} {seed}")
    stops, givens = [game.start(options)], list[Given]()
    while not isinstance(stops[-1].wants, End) and (limit is None or len(givens) < limit):
        givens.append(answers(game, stops[-1], rng))
        stops.append(game.step(stops[-1].state, givens[-1]))
    return Record(game, options, seed, game.seats(options), tuple(stops), tuple(givens))


def take(game: Game, view: View, text: str) -> Order:
    """Read a typed order and judge it, as a driver does. Raises OrderError."""
    order = game.parse(view, text)
    refusal = game.why_not(view, order)
    if refusal is not None:
        raise OrderError(Problem(0, str(order), *refusal))
    return order


def transcript(record: Record, stride: int = 1, described: bool = True) -> str:
    """Return a digest over everything that a recorded game shows: positions, views, facts, wants, answers.

    `described` takes in what is legal in words, which are those of a language.
    """
    game, digest = record.game, hashlib.sha256()
    for index in record.every(stride):
        stop = record.stops[index]
        shown = {
            "dump": game.dump(stop.state),
            "views": [game.view(stop.state, seat) for seat in (None, *record.seats)],
            "events": [repr(event) for event in stop.events],
            "wants": repr(stop.wants),
            "options": _options_in_words(record, index) if described else {},
        }
        digest.update(canonical(shown))
    digest.update(repr(record.givens).encode())
    return digest.hexdigest()


def _options_in_words(record: Record, index: int) -> dict[str, str]:
    wanted = record.stops[index].wants
    seats = wanted.seats if isinstance(wanted, Ask) else ()
    return {seat: str(record.game.options(record.view(index, seat))) for seat in seats}


def run_elsewhere(script: str, args: Sequence[str], hash_seed: str) -> str:
    """Return what another Python prints, which hashes texts by another seed."""
    root = Path(__file__).resolve().parents[2]
    path = os.pathsep.join([str(root), str(root / "examples")])
    done = subprocess.run(
        [sys.executable, "-P", "-c", script, *args],
        env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def game_at(where: str) -> Game:
    """Return the game at `module:NAME`."""
    module, _, name = where.partition(":")
    game: Any = getattr(import_module(module), name)
    assert isinstance(game, Game)
    return game
