"""What must always be true of a game, looked at step by step: here for any game, in `tests/<game>/invariants.py` for one of them.

Used by the tests and by the long runs (`bench/soak.py`).
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any, ClassVar

from pbem.kernel import End, Game, Json, Stop

from .forms import visible
from .playing import answers


class Watch:
    """Follows one game: `see` every stop in turn, `finish` when it is over. A game's own has more to look at."""

    even: ClassVar[tuple[str, ...]] = ("players",)
    """The options of which each choice comes up as often as any other in long runs."""
    revealing: ClassVar[frozenset[str]] = frozenset()
    """The facts by which something hidden comes out: from there on true position and twin may differ. None: it is not followed."""

    def __init__(self) -> None:
        self.steps = 0

    @staticmethod
    def check(state: Any) -> None:
        """Look at a position by itself. Raises AssertionError for what cannot be."""

    def see(self, stop: Stop) -> None:
        """Look at the next stop of the game. Raises AssertionError for what cannot be."""
        self.check(stop.state)
        self.steps += 1

    def finish(self) -> None:
        """Look at the whole, when the game is over."""


def watch_of(game_id: str) -> type[Watch]:
    """Return how a game is watched: by its own `Watch`, or by what holds of any game."""
    name = f"tests.{game_id}.invariants"
    found: type[Watch] = import_module(name).Watch if find_spec(f"tests.{game_id}") and find_spec(name) else Watch
    return found


def check_position(game: Game, stop: Stop) -> None:
    """The position comes back from its dump, through bytes."""
    assert game.load(json.loads(json.dumps(game.dump(stop.state)))) == stop.state


def check_twins(
    game: Game, seats: tuple[str, ...], stop: Stop, rng: random.Random, check: Callable[[Any], None]
) -> None:
    """A position made up from a seat's view gives that view, and the public's, and is a position that can be."""
    public = game.view(stop.state, None)
    for seat in seats:
        view = game.view(stop.state, seat)
        twin = game.determinise(game.read_view(view), rng)
        check(twin)
        assert game.view(twin, seat) == view
        assert game.view(twin, None) == public
        assert visible(game.wants(twin), seat) == visible(stop.wants, seat)


def watched_game(game: Game, options: Json, seed: int, stride: int = 41, steps: int = 1 << 30) -> Stop:
    """Play a random game to its end, or for so many steps, and look at all of it; return its last stop.

    What takes long is looked at every `stride` steps. Raises AssertionError for what cannot be.
    """
    rng, seats, watch = random.Random(f"{game.id} {seed}"), game.seats(options), watch_of(game.id)()
    stop = game.start(options)
    watch.see(stop)
    while not isinstance(stop.wants, End) and watch.steps < steps:
        stop = game.step(stop.state, answers(game, stop, rng))
        watch.see(stop)
        if watch.steps % stride == seed % stride:
            check_position(game, stop)
            check_twins(game, seats, stop, rng, watch.check)
    if isinstance(stop.wants, End):
        watch.finish()
    return stop
