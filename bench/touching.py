"""How long it takes to say what may be touched next, over the questions of recorded games and drafts on the way to an order.

The floor of the same run is what everybody waits for who types: an order that is read and judged.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from bench.parts import read
from pbem.games import GamePack
from pbem.kernel import Json, View
from pbem.look.touches import END

_LONG = 20
"""A walk takes so many touches at the most."""
_AGAIN = 10
"""So many of the slowest are timed again: what the machine did besides is taken off."""


class Touched(NamedTuple):
    """Seconds of a call for touches, the slowest with the draft that it was made for; and of the floor."""

    calls: int
    median: float
    slowest: float
    draft: tuple[str, ...]
    floor: float


def touched(pack: GamePack, asked: Iterable[tuple[Json, str]], seed: int = 1) -> Touched | None:
    """Walk by touches from each question, its view and the order that was given; None for a game without touches."""
    rng = random.Random(seed)
    floor: list[float] = []
    took: list[tuple[float, Json, tuple[str, ...]]] = []
    for json_view, text in asked:
        view = pack.rules.read_view(json_view)
        floor.append(_seconds(lambda json_view=json_view, text=text: read(pack.rules, json_view, text)))  # type: ignore[misc]
        took += ((seconds, json_view, draft) for draft, seconds in _walk(pack, view, rng))
    slowest = sorted(took, key=lambda one: one[0])[-_AGAIN:]
    again = [(min(_anew(pack, json_view, draft) for _time in range(3)), draft) for _before, json_view, draft in slowest]
    if not again:
        return None
    median = statistics.median(one[0] for one in took)
    return Touched(len(took), median, *max(again), statistics.median(floor))


def _anew(pack: GamePack, json_view: Json, draft: tuple[str, ...]) -> float:
    """Return the seconds of a call for a view that nothing has been asked about yet."""
    view = pack.rules.read_view(json_view)
    return _seconds(lambda: pack.look.touches(view, draft))


def _walk(pack: GamePack, view: View, rng: random.Random) -> Iterator[tuple[tuple[str, ...], float]]:
    """Go through drafts from none to one that nothing is added to, with the seconds of each call."""
    draft: tuple[str, ...] = ()
    for _touch in range(_LONG):
        begin = time.perf_counter()
        touches = pack.look.touches(view, draft)
        took = time.perf_counter() - begin
        if not touches:
            return
        yield draft, took
        touch = rng.choice(touches)
        if touch.at == END:
            return
        draft = touch.draft


def _seconds(run: Callable[[], object]) -> float:
    begin = time.perf_counter()
    run()
    return time.perf_counter() - begin
