"""Integrity of the logs in a host's store: each chain is intact, ends where its game does, and has everything that was given out.

Damage there accuses nobody: it is the work of a disk, or of somebody who wrote into the store. Whether orders and dice keep the
rules is for an audit. But each byte of a log is read here, so that a bit flipped by a disk is found before a player finds it. No
log is changed here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import Any

from pbem.errors import FormError, RecordError, UsageError
from pbem.i18n import _
from pbem.ledger import Entry, Log, place_of, redact, verify
from pbem.referee.moving import keyed

from .registering import register_of
from .store import Store, StoredLedger
from .store.ledger import key_text
from .store.rows import GameRow, SeatRow

NOT_BEGUN = ("joining", "readying", "cancelled")


def log_fault(store: Store, row: GameRow, *, held: bool = True) -> str:
    """Return the fault of a game's log in the store; "" if it has none.

    With `held`, it also checks which seat holds which line, which no exported log shows.
    """
    try:
        log, hashes = StoredLedger(store, row.id, ()).as_it_lies()
    except RecordError as error:
        return str(error)
    except (ValueError, LookupError, TypeError, AttributeError) as error:  # who reads it looks for what is always there
        return f"{type(error).__name__}: {error}"
    known = store.come_to(row.id)
    if len(log.entries) <= known or not log.entries:
        return _("of its entries, 0 to {known}, only {n} are there", known=max(known, 0), n=len(log.entries))
    if wrong := [entry.n for entry, noted in zip(log.entries, hashes, strict=True) if entry.hash != noted]:
        return _("the hash of entry {n} differs from the recorded one", n=wrong[0])
    if row.stage == "ended" and log.entries[-1].k != "end":
        return _("its end is not there")
    if lost := store.given_and_lost(row.id):
        return _("lines beside its entries are not there: {n}", n=lost)
    return _beside_fault(store, row, log) or (held_fault(store, row, log) if held else "")


def _beside_fault(store: Store, row: GameRow, log: Log) -> str:
    """Check every byte of the lines beside the entries; return the fault, or "".

    Each line must be required by an entry, be stored under its own name, and match its digest, chain or signature. An audit checks
    the same, so it finds no fault there that was not found here.
    """
    place = place_of(log.entries)
    if stray := [line for line in log.attachments if place(line) is None]:
        return _("no entry asks for a line beside them, “{line}”", line=stray[0].line[:80].decode("utf-8", "replace"))
    own = {line.line: key_text(key) for key, line in keyed(log)}
    if wrong := [name for name, line in store.attachments(row.id) if own[line] != name]:
        return _("a line beside the entries is filed under the wrong name, “{name}”", name=wrong[0])
    signed = [line.fields[2] for line in log.attachments if line.k == "head"]
    if row.stage in NOT_BEGUN and not signed:
        return ""  # the host signs a head with the first entry that it tells
    found = verify(log.tidy())
    if (found.code, found.entry) == ("HEADSIG", log.head[0]) and signed and max(signed) < log.head[0]:
        found = verify(
            log.tidy().cut(max(signed))
        )  # it signs none for an entry with which nothing is told, as in a ready round
    return _("at entry {n}: {why}", n=found.entry, why=found.reason.rstrip(".")) if found.verdict == "fault" else ""


def held_fault(store: Store, row: GameRow, log: Log) -> str:
    """Check the notes of which seat holds which line beside the entries, and since when; return the fault, or "".

    The notes follow from the log (`redact`), except the places of deals that the rules show a seat. Only the rules say which. Here
    it suffices that the seat has had them since the entry of a tell.
    """
    held: dict[str, list[tuple[int, int, bytes]]] = {seat.seat: [] for seat in store.find(SeatRow, game=row.id)}
    for note in store.held(row.id):
        if note.seat not in held:
            return _("a line is noted for a seat that there is not, “{seat}”", seat=note.seat)
        held[note.seat].append((note.after_n, note.no, note.line))
    dealt = {beside.line: beside.digest for beside in log.attachments if _is_of_a_deal(log, beside.fields)}
    tells = {entry.n for entry in log.entries if entry.k == "tell"}
    for seat, rows in held.items():
        shown = {dealt[line]: n for n, _no, line in rows if line in dealt and n in tells}
        due = list(_numbered(redact(log, seat, shown)))
        # in which order the lines of one entry were given tells nobody anything
        for said in (itemgetter(0, 2), itemgetter(0, 1)):
            if wrong := set(map(said, rows)) ^ set(map(said, due)):
                n = min(one[0] for one in wrong)
                return _("seat {seat} is noted to hold other lines since entry {n} than were due to it", seat=seat, n=n)
    return ""


def _is_of_a_deal(log: Log, fields: Sequence[Any]) -> bool:
    """Is that the line of a place of a deal?"""
    return fields[:3:2] == ["seal", "host"] and log.entries[fields[3]].k == "rand"


def _numbered(copy: Log) -> Iterator[tuple[int, int, bytes]]:
    """Go through the lines beside a copy's entries, each with its entry and its number behind that."""
    n = no = 0
    for line in copy.lines:
        n, no = (line.n, 0) if isinstance(line, Entry) else (n, no + 1)
        if no:
            yield n, no, line.line


def strays(store: Store) -> Iterator[str]:
    """Yield a sentence where games are noted to have lines, and are not there."""
    if n := store.held_of_no_game():
        yield _(
            "The store's notes of which seat holds which line are damaged: they name games that do not "
"exist ({n}). {help}",
            n=n, help=_help(),
        )  # fmt: skip


def lost(store: Store) -> Iterator[str]:
    """Yield a message for each rated game that is in the register but not in the store. Raises UsageError.

    Games opened by a predecessor of this host are left out: they may be with another host.
    """
    try:
        register = register_of(store)
    except FormError as error:
        raise UsageError(str(error)) from error
    since = max((entry.n for entry in register.lines if entry.fields["k"] == "key"), default=-1)
    for g, entry in register.opened.items():
        if entry.n > since and store.number_of(g) is None:
            yield _(
                "The rated game {game} is in line {n} of the register, but not in the store. {help}",
                game=g[:8], n=entry.n, help=_help(),
            )  # fmt: skip


def damaged(row: GameRow, why: str) -> str:
    """Return the message about a game with a damaged log."""
    return _(
        "The log of game {number} ({title}) is damaged in the store: {why}. This does not accuse any "
"of its players. {help}",
        number=row.id, title=row.title, why=why, help=_help(),
    )  # fmt: skip


def _help() -> str:
    return _(
        "“pbem host mend GAME --from FILE” restores it from a backup or from a copy of the log. Its "
        "players may have such copies, and so may the folder of the club's pages."
    )
