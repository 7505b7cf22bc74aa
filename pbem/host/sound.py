"""Whether the logs in a host's store are whole: each hangs together, comes to where its game did, and lacks nothing it gave out.

What is damaged there accuses nobody: a disk has done it, or whoever wrote into the store. Whether orders and dice keep the rules is
for an audit. But each byte of a log is read here: one that a disk has flipped is found before a player finds it. Nothing of a log
is changed here.
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
    """Return what is wrong with the log of a game as it lies in the store; "" where nothing is.

    With `held`, which seat holds which line of it is looked at, too; no log that is written out says that.
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
        return _("entry {n} has another hash than is noted of it", n=wrong[0])
    if row.stage == "ended" and log.entries[-1].k != "end":
        return _("its end is not there")
    if lost := store.given_and_lost(row.id):
        return _("lines beside its entries are not there: {n}", n=lost)
    return _beside_fault(store, row, log) or (held_fault(store, row, log) if held else "")


def _beside_fault(store: Store, row: GameRow, log: Log) -> str:
    """Return what is wrong with the lines beside the entries, each byte of them; "" where nothing is.

    Each line must be one that an entry asks for, lie under its own name, and stand up to its digest, chain or signature. An audit
    asks that, too, so nobody finds a fault there that was not found here.
    """
    place = place_of(log.entries)
    if stray := [line for line in log.attachments if place(line) is None]:
        return _("no entry asks for a line beside them, “{line}”", line=stray[0].line[:80].decode("utf-8", "replace"))
    own = {line.line: key_text(key) for key, line in keyed(log)}
    if wrong := [name for name, line in store.attachments(row.id) if own[line] != name]:
        return _("a line beside the entries lies under a name that is not its own, “{name}”", name=wrong[0])
    if row.stage in NOT_BEGUN and not any(line.k == "head" for line in log.attachments):
        return ""  # the host signs a head with the first entry that it tells
    found = verify(log.tidy())
    return _("at entry {n}: {why}", n=found.entry, why=found.reason.rstrip(".")) if found.verdict == "fault" else ""


def held_fault(store: Store, row: GameRow, log: Log) -> str:
    """Return what is wrong with the notes of which seat holds which line beside the entries, and since when; "" where nothing is.

    All of it follows from the log (`redact`), but for the places of deals that the rules show a seat: the rules alone say which,
    and here they are held since some tell.
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


def faults(store: Store) -> Iterator[str]:
    """Go through the games whose logs are damaged, and say which."""
    for number in store.game_numbers():
        with store.one_look():  # a host at work writes meanwhile
            row = store.get(GameRow, id=number)
            why = log_fault(store, row) if row is not None else ""
        if row is not None and why:
            yield damaged(row, why)
    if strays := store.held_of_no_game():
        yield _(
            "Notes of which seat holds which line are damaged in the store: they name games that are not there ({n}). {help}",
            n=strays, help=_help(),
        )  # fmt: skip


def lost(store: Store) -> Iterator[str]:
    """Go through the rated games that stand in the register and are not here, and say which. Raises UsageError.

    What a host before this one has opened may be with another.
    """
    try:
        register = register_of(store)
    except FormError as error:
        raise UsageError(str(error)) from error
    since = max((entry.n for entry in register.lines if entry.fields["k"] == "key"), default=-1)
    for g, entry in register.opened.items():
        if entry.n > since and store.number_of(g) is None:
            yield _(
                "The rated game {game} stands in line {n} of the register, and is not in the store. {help}",
                game=g[:8], n=entry.n, help=_help(),
            )  # fmt: skip


def damaged(row: GameRow, why: str) -> str:
    """Return what is said of a game whose log is damaged."""
    return _(
        "The log of game {number} ({title}) is damaged in the store: {why}. That accuses none of its players. {help}",
        number=row.id, title=row.title, why=why, help=_help(),
    )  # fmt: skip


def _help() -> str:
    return _(
        "“pbem host mend GAME --from FILE” puts it back, from a backup or from a copy of the log: such copies may lie with its "
        "players, and in the folder of the club's pages."
    )
