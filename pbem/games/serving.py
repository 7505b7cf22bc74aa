"""The other side of `elsewhere`: a program that lends the rules of a game, line by line of JSON, to whoever started it.

It is run by its path, under the pbem of another folder, and so must get along with every pbem that there was: it knows the contract
of the kernel and nothing else. States and orders stay here; what goes out are their numbers.
"""

from __future__ import annotations

import json
import sys
from itertools import islice
from pathlib import Path
from typing import Any

import pbem
from pbem.errors import OrderError, PbemError
from pbem.games import find, manifest


class Lending:
    """A game that is lent: every method but `answer` is a request."""

    def __init__(self, game_id: str) -> None:
        self._pack = find(game_id)
        self._game = self._pack.rules
        self._held: list[Any] = []
        """States and orders, by number."""

    def answer(self, line: bytes) -> dict[str, Any]:
        """Return the answer to one line."""
        try:
            do, *given = json.loads(line)
            return {"ok": getattr(self, do)(*given)}
        except OrderError as error:
            return {"order": [[p.line, p.read, p.why, p.rule, p.legal] for p in error.problems]}
        except PbemError as error:
            return {"error": type(error).__name__, "why": str(error)}
        except Exception as error:  # noqa: BLE001 - whatever rules stumble over is told to whoever asked
            return {"error": "", "why": f"{type(error).__name__}: {error}"}

    def about(self) -> dict[str, Any]:
        """Return what must be known of these rules."""
        return {
            "title": self._game.title,
            "version": self._game.version,
            "deals": self._game.deals,
            "sha256": manifest(self._pack)[1],
            "pbem": str(Path(pbem.__file__).resolve()),
        }

    def deals_for(self, options: Any) -> int:
        return self._game.deals_for(options)

    def seats(self, options: Any) -> list[str]:
        return list(self._game.seats(options))

    def start(self, options: Any) -> list[Any]:
        return self._stop(self._game.start(options))

    def step(self, state: int, given: Any) -> list[Any]:
        if isinstance(given, dict):
            answers: Any = {seat: self._held[number] for seat, number in given.items()}
        else:
            answers = tuple(map(tuple, given))
        return self._stop(self._game.step(self._held[state], answers))

    def wants(self, state: int) -> list[Any]:
        return _wanted(self._game.wants(self._held[state]))

    def view(self, state: int, seat: str | None) -> dict[str, Any]:
        return self._game.view(self._held[state], seat)

    def options(self, view: Any, most: int) -> list[Any]:
        return [self._order(order) for order in islice(self._game.options(self._game.read_view(view)), most)]

    def why_not(self, view: Any, number: int) -> Any:
        return self._game.why_not(self._game.read_view(view), self._held[number])

    def default(self, view: Any) -> list[Any]:
        return self._order(self._game.default(self._game.read_view(view)))

    def parse(self, view: Any, text: str) -> list[Any]:
        return self._order(self._game.parse(self._game.read_view(view), text))

    def read_plans(self, text: str) -> str:
        return self._game.read_plans(text)

    def planned(self, view: Any, plans: str) -> list[Any] | None:
        found = self._game.planned(self._game.read_view(view), plans)
        return None if found is None else [self._order(found.order), found.clause]

    def unseen(self, state: int) -> list[Any] | None:
        if not hasattr(self._game, "unseen"):
            return None
        found = self._game.unseen(self._held[state])
        return None if found is None else [[group.places, group.names] for group in found]

    def dealt_anew(self, state: int, drawn: Any) -> int:
        return self._hold(self._game.dealt_anew(self._held[state], tuple(map(tuple, drawn))))

    def dump(self, state: int) -> dict[str, Any]:
        return self._game.dump(self._held[state])

    def load(self, position: Any) -> int:
        return self._hold(self._game.load(position))

    def fingerprint(self, state: int) -> str:
        return self._game.fingerprint(self._held[state])

    def resigned(self, state: int, gone: list[str], left: list[str]) -> str | None:
        return self._game.resigned(self._held[state], tuple(gone), tuple(left))

    def told_secret(self, before: int, after: int) -> bool:
        return self._game.told_secret(self._held[before], self._held[after])

    def _hold(self, thing: Any) -> int:
        self._held.append(thing)
        return len(self._held) - 1

    def _order(self, order: Any) -> list[Any]:
        return [self._hold(order), str(order)]

    def _stop(self, stop: Any) -> list[Any]:
        return [self._hold(stop.state), list(map(_event, stop.events)), _wanted(stop.wants)]


def _event(told: Any) -> list[Any]:
    """Return an event as its kind and its parts."""
    match type(told).__name__:
        case "Fact":
            return ["Fact", told.public, dict(told.private)]
        case "Show":
            return ["Show", told.seat, told.label, told.place]
        case "Open":
            return ["Open", told.label, told.place]
    return ["Release", told.label]


def _wanted(wants: Any) -> list[Any]:
    """Return what is wanted as its kind and its parts."""
    match type(wants).__name__:
        case "Ask":
            return ["Ask", list(wants.seats), wants.what, wants.secret, wants.mark]
        case "Chance":
            return ["Chance", wants.label, [request.json() for request in wants.requests], wants.listed]
    return ["End", wants.result]


def main() -> None:
    """Answer every line with one line."""
    lending = Lending(sys.argv[1])
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(json.dumps(lending.answer(line)).encode() + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
