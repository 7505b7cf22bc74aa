"""What a copy tells: facts and views by folding the patches of its tells, without any rules (PROTOCOL 3).

So any copy can be replayed, also a redacted one, and also by who has not got the game.
"""

from __future__ import annotations

from dataclasses import dataclass

from pbem.kernel import Json, fold
from pbem.ledger import Log


@dataclass(frozen=True, slots=True)
class Told:
    """One tell as a seat (or the public) got it: its entry, the facts, and the whole view after it."""

    n: int
    facts: tuple[Json, ...]
    view: Json


def told(log: Log, seat: str | None) -> list[Told]:
    """Return all tells of a copy as `seat` (None: the public) got them, as far as they are open in it."""
    opened = {a.digest: a.fields[6] for a in log.attachments if a.k == "seal" and a.fields[2] == "host"}
    found: list[Told] = []
    view: Json = {}
    for entry in log.entries:
        if entry.k != "tell":
            continue
        value = entry.fields["pub"] if seat is None else opened.get(entry.fields["seals"].get(seat))
        if not isinstance(value, dict):
            break
        view = fold(view, value["view"])
        found.append(Told(entry.n, tuple(value["facts"]), view))
    return found
