"""What several tests need of desk: begun, club, next_report, has_lines, changed, …."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from pbem.ledger import Entry, Log
from pbem.mail import Letter, read_message
from pbem.referee import signed_head
from tests.host.post import HOST, Club, key_of


def next_report(club: Club, seat: str = "ann") -> bytes:
    """The others play on until the next report to a seat comes; it is not read."""
    for _ in range(9):
        for asked in club.asked():
            club.take(club.order(asked))
        letters = club.deliver()
        for other in letters.keys() - {seat}:
            for raw in letters[other]:
                club.desks[other].read(raw)
        if found := [raw for raw in letters[seat] if has_lines(raw)]:
            return found[0]
    raise LookupError(f"no report ever comes for {seat}")


def has_lines(raw: bytes) -> bool:
    return read_message(raw).log.startswith(b"{")


def changed(raw: bytes, text: Callable[[str], str] = str, log: Callable[[list[bytes]], list[bytes]] = list) -> bytes:
    """A letter of the host with its text or its lines changed by somebody on the way."""
    mail = read_message(raw)
    lines = log(mail.log.split(b"\n")[:-1])
    body = text(mail.text)
    date = datetime.fromisoformat("2030-01-01T12:00:00Z")
    headers = {"X-Pbem-Seat": mail.seat}
    return Letter(
        HOST, "x@example.org", "your move", body, "1@x", date, headers=headers, log=b"\n".join([*lines, b""])
    ).raw()


def copy_of(club: Club, seat: str) -> bytes:
    """The copy of the club's game; a damaged invitation can be one to a game of its own."""
    game = club.log().entries[0].hash
    return (club.folder / seat / "games" / f"{game[:16]}.pbem").read_bytes()


def retold(
    club: Club,
    raw: bytes,
    tell: Callable[[dict[str, Any]], None] = lambda fields: None,
    opening: Callable[[list[Any]], list[Any]] = list,
    key: str = "host",
) -> bytes:
    """A report of the host as a lying host, or a stranger, would send it: entries or openings changed, all chained anew."""
    known = Log.parse(copy_of(club, "ann"))
    log = Log(known.lines)
    for line in Log.parse(known.dump() + read_message(raw).log).lines[len(known.lines) :]:
        if isinstance(line, Entry):
            fields = {name: value for name, value in line.fields.items() if name not in ("n", "prev")}
            tell(fields)
            log.append(fields)
        elif line.k == "head":
            log.attach(signed_head(key_of(key), log.game, *log.head))
        else:
            log.attach(opening(line.fields))
    return changed(raw, log=lambda _: [line.line for line in log.lines[len(known.lines) :]])
