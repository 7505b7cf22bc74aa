"""What checking and replaying a log consists of, each part timed by itself over the same log.

A timing is the best of a few runs: what the machine does besides only ever adds.
"""

from __future__ import annotations

import base64
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from pbem.kernel import Chance, Game, Json, Order, Outcome, Stop
from pbem.ledger import GOT, HEAD, SAY, Checked, Log, cj
from pbem.ledger.keys import _signed_blob
from pbem.ledger.patch import diff, fold


def best(run: Callable[[], object], times: int = 3) -> float:
    """Return the seconds of the quickest of a few runs."""
    took = []
    for _ in range(times):
        begin = time.perf_counter()
        run()
        took.append(time.perf_counter() - begin)
    return min(took)


# signatures

Signature = tuple[Ed25519PublicKey, bytes, bytes]
"""The key, the 64 bytes, and what they sign: all that the library needs."""


SPACES = {"head": HEAD, "got": GOT}
"""What the host signs beside the chain, and for which namespace."""


def signatures(log: Log) -> list[Signature]:
    """Return every signature of a log: of joins, readies and orders, of heads and of receipts."""
    entries = [entry.fields for entry in log.entries]
    host = entries[0]["host"]
    keys = {e["by"]: e["say"]["key"] for e in entries if e["k"] == "join"}
    found = [(keys[e["by"]], SAY, cj(e["say"]), e["sig"]) for e in entries if "sig" in e]
    beside = [attachment.fields for attachment in log.attachments]
    found += [(host, SPACES[line[0]], cj(line[:-1]), line[-1]) for line in beside if line[0] in SPACES]
    public = {
        key: Ed25519PublicKey.from_public_bytes(base64.b64decode(key[12:])[-32:]) for key in {f[0] for f in found}
    }
    return [(public[key], base64.b64decode(sig), _signed_blob(space, said)) for key, space, said, sig in found]


def check_bare(found: list[Signature]) -> None:
    """Check signatures with the library, and do nothing else."""
    for key, sig, message in found:
        key.verify(sig, message)


# replay


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a game as its log has it: where it began, what was given (and typed), where it came to."""

    before: Stop
    given: Mapping[str, Order] | Outcome
    typed: Mapping[str, str]
    after: Stop


def walk(game: Game, checked: Checked) -> Iterator[Step]:
    """Go through a whole log, from the openings alone."""
    opened, typed = checked.opened, dict[str, str]()
    stop = game.start(checked.first["opts"])
    for entry in checked.entries:
        fields = entry.fields
        given: Mapping[str, Order] | Outcome
        if fields["k"] == "rand":
            given = _outcome(stop, fields, opened)
        elif fields["k"] == "order":
            typed[fields["by"]] = opened[fields["say"]["seals"]["order"]]
            if set(typed) < set(stop.wants.seats):  # type: ignore[union-attr]
                continue
            given = {seat: read(game, game.view(stop.state, seat), text) for seat, text in typed.items()}
        else:
            continue
        before, stop = stop, game.step(stop.state, given)
        yield Step(before, given, dict(typed), stop)
        typed.clear()


def _outcome(stop: Stop, fields: Mapping[str, Json], opened: Mapping[str, Json]) -> Outcome:
    chance = stop.wants
    assert isinstance(chance, Chance)
    if chance.is_deal:
        places = iter(opened[fields["seals"][f"p{i}"]] for i in range(sum(r.n for r in chance.requests)))
        return tuple(tuple(next(places) for _ in range(request.n)) for request in chance.requests)
    res = opened[fields["seals"][chance.owner]][1] if chance.owner else fields["res"]
    return tuple(tuple(drawn) for drawn in res)


def read(game: Game, view: Json, text: str) -> Order:
    """Return the order that a text means in a view, judged as a referee judges it."""
    seen = game.read_view(view)
    order = game.parse(seen, text)
    assert game.why_not(seen, order) is None
    return order


class Parts:
    """The parts of replaying one log, each a function without arguments that does it over the whole log."""

    def __init__(self, game: Game, checked: Checked) -> None:
        self.game = game
        self.steps = list(walk(game, checked))
        self.seats: tuple[str | None, ...] = (None, *game.seats(checked.first["opts"]))
        self.told = [step.after for step in self.steps if not isinstance(step.after.wants, Chance)]
        """Where a tell stands in the log: positions are only looked at there."""
        self.views = [{seat: game.view(stop.state, seat) for seat in self.seats} for stop in self.told]
        self.asked: list[tuple[Json, str]] = [
            (game.view(step.before.state, seat), text) for step in self.steps for seat, text in step.typed.items()
        ]

    @property
    def decisions(self) -> int:
        """How many orders were given."""
        return len(self.asked)

    def rules(self) -> None:
        for step in self.steps:
            self.game.step(step.before.state, step.given)

    def orders(self) -> None:
        for view, text in self.asked:
            read(self.game, view, text)

    def look(self) -> None:
        for stop in self.told:
            for seat in self.seats:
                self.game.view(stop.state, seat)

    def patches(self) -> None:
        last: Any = {seat: {} for seat in self.seats}
        for views in self.views:
            for seat in self.seats:
                assert fold(last[seat], diff(last[seat], views[seat])) == views[seat]
            last = views

    def fingerprints(self) -> None:
        for stop in self.told:
            self.game.fingerprint(stop.state)
