"""Hostile strings, and how one is put in the place of any string of what a game tells.

`PBEM_FUZZ=N` looks deeper: more strings, made at random of what parsers and terminals know, and more moments of more games.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

import tiny_game

from pbem.games import GamePack, find
from pbem.kernel import Fact, Json
from tests.conformance import Record, play
from tests.conformance.forms import Path, leaves

DEEP = int(os.environ.get("PBEM_FUZZ", "0"))
STRINGS = [
    "<img src=x onerror=alert(1)>",
    '"><script>alert(1)</script><g a="',
    "'><svg onload=alert(1)>",
    "</style></text></svg><iframe src=//x>",
    "]]><!--</script>-->",
    "';--",
    "&lt;b&gt;&#60;b>",
    "{{7*7}}{% include 'x' %}{x}",
    "javascript:alert(1)",
    'a" onload="alert(1)" b="url(https://example.org)',
    "\x1b]0;x\x07\x1b[2J\x9b31m\x7f\r",
    "\u202egpj.exe\u2066\u2028\ufffe",
    "host\r\nBcc: eve@example.org\n\n<b>",
    "",
    "x" * 5000,
]
_BITS = [
    *"<>\"'&;{}%/\\=#\x00\x1b\x07\x9b\u202e\u2028\n\r\t \ufffe",
    "<script",
    "onload=",
    "</g>",
    "<!--",
    "&#",
    "url(",
    "::",
    "a",
    "Fife",
]
GAMES: dict[str, tuple[GamePack, Sequence[dict[str, Json]]]] = {
    "tiny": (GamePack(tiny_game.GAME, "tiny_game"), [{}]),
    "hammer": (find("hammer"), [{}, {"scenario": "bruce", "edition": "2.3", "andrew_de_moray": True}]),
    "lords": (find("lords"), [{"players": 3, "bruce": True, "goal": 12}]),
    "swords": (find("swords"), [{"players": 3, "glory": ["Cardinal", "Hadrian's Wall", "Tapestry"]}]),
    "tournament": (find("tournament"), [{}]),
}


@cache
def strings() -> list[str]:
    """Return the hostile strings, with some made at random where one looks deeper."""
    rng = random.Random(DEEP)
    return STRINGS + ["".join(rng.choices(_BITS, k=rng.randrange(1, 12))) for _ in range(DEEP // 400)]


@cache
def records(name: str) -> tuple[Record, ...]:
    """Return some plays of a game."""
    pack, several = GAMES[name]
    return tuple(play(pack.rules, options, seed, 260) for options in several for seed in range(3, 4 + DEEP // 4000))


def views(name: str) -> Iterator[Json]:
    """Go through the views of a game, of every seat and of the public."""
    for record in records(name):
        for index in record.every(3):
            for seat in (None, *record.seats):
                yield record.game.view(record.stops[index].state, seat)


def facts(name: str) -> Iterator[tuple[Json, str | None]]:
    """Go through the facts of a game as everybody heard them."""
    for record in records(name):
        for stop in record.stops:
            for event in (event for event in stop.events if isinstance(event, Fact)):
                for seat in (None, *record.seats):
                    heard = event.heard_by(seat)
                    if heard is not None:
                        yield heard, seat


def results(name: str) -> Iterator[Json]:
    """Go through how games ended."""
    yield from (record.stops[-1].state.result for record in records(name) if record.stops[-1].state.result)


def places(values: Iterable[Json], alike: int = 8) -> list[tuple[Json, Path]]:
    """Return places where values hold a string or a key, each with a value that does: some of those that are alike.

    Alike are those that lie as deep in the same part of the whole; they are told apart by the last name on the way.
    """
    found: dict[tuple[str, int, bool], dict[str, tuple[Json, Path]]] = {}
    for value in values:
        for path in leaves(value):
            several = found.setdefault((_part(value, path), len(path), path[-1] == "<key>"), {})
            last = next((part for part in reversed(path) if isinstance(part, str) and part != "<key>"), "")
            if last not in several and (len(several) < alike or DEEP):
                several[last] = value, path
    return [place for several in found.values() for place in several.values()]


def _part(value: Json, path: Path) -> str:
    """Return the part of a whole in which a place lies; of a fact or an entry also of which kind it is."""
    kind = value.get("f") or value.get("k") or "" if isinstance(value, dict) else value[0]
    return f"{kind} {path[0]}"
