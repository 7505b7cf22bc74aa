"""How long signed blocks are, in their short form and in full, and the links that open a mail program with them.

Measured over logs: each order in one, as the desk of its seat would have written it. What a short block holds besides its texts has
the same length whatever it is, so the seed, which no log holds, may be any.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from pbem.games import find
from pbem.games.words import newest, words
from pbem.ledger import Entry, Log
from pbem.mail import KnownLog, Letter, Short, as_link, write_block, write_short
from pbem.mail.rebuild import _part
from pbem.referee import Envelope

GOLDEN = Path(__file__).parents[1] / "tests" / "golden" / "logs"
_SEED = "0123456789abcdef" * 2
_HOST, _PLAYER = "club.of.lanark@example.org", "william.wallace@example.net"


@dataclass(frozen=True, slots=True)
class Lengths:
    """The letters of an order's block in both forms, with the words around it, blanks and line ends; of the link for its mail."""

    short: int
    full: int
    link: int

    @classmethod
    def of(cls, envelope: Envelope, known: KnownLog, dictionary: int) -> Lengths:
        """Return the lengths of an order."""
        order, plans = (str(line[6]) for line in envelope.openings)
        said = Short(
            dictionary, known.game[:16], known.seats.index(str(envelope.say["seat"])), (_part(envelope, None, known),)
        )
        block = write_short(said, known.words(dictionary) or b"")
        text = "\n".join([order, *(["PLANS", plans] if plans else []), "END", "", block, ""])
        subject, at = f"Hammer of the Scots {known.game[:8]}: order", datetime(2030, 1, 1, tzinfo=UTC)
        raw = Letter(_PLAYER, _HOST, subject, text, "m@example.net", at).raw()
        return cls(len(block), len(write_block(envelope)), len(as_link(raw)))


def orders_in(log: Log) -> Iterator[Envelope]:
    """Go through the orders of a log of which all is there."""
    opened = {line.digest: line.fields for line in log.attachments if line.k == "seal"}
    for entry in log.entries:
        if entry.k == "order" and (lines := _openings(entry, opened)):
            yield Envelope(entry.fields["say"], entry.fields["sig"], lines, seed=_SEED)


def _openings(entry: Entry, opened: dict[str, list[object]]) -> tuple[list[object], ...]:
    seals = entry.fields["say"]["seals"]
    lines = [opened.get(seals[name]) for name in ("order", "plans")]
    return tuple(line for line in lines if line) if all(lines) else ()


def recorded(game: str) -> Iterator[Log]:
    """Go through the golden logs of a game."""
    for path in sorted(GOLDEN.glob("*.pbem")):
        log = Log.parse(path.read_bytes())
        if log.entries[0].fields["rules"]["id"] == game:
            yield log


def lengths(logs: Iterable[Log], dictionary: int | None = None) -> list[Lengths]:
    """Return the lengths of all orders in logs, with the newest dictionary of their game, or another."""
    found = []
    for log in logs:
        pack = find(log.entries[0].fields["rules"]["id"])
        known = KnownLog(log, partial(words, pack))
        number = newest(pack) if dictionary is None else dictionary
        found += [Lengths.of(envelope, known, number) for envelope in orders_in(log)]
    return found


def share(numbers: Iterable[int], percent: int) -> int:
    """Return what so many in a hundred do not exceed."""
    ordered = sorted(numbers)
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)]
