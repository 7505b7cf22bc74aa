"""Whether the logs in a host's store are whole: each hangs together, comes to where its game did, and lacks nothing it gave out.

What is damaged there accuses nobody: a disk has done it, or whoever wrote into the store. Whether orders and dice keep the rules is
for an audit. But each byte of a log is read here: one that a disk has flipped is found before a player finds it. Nothing of a log
is changed here.
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.errors import FormError, RecordError, UsageError
from pbem.i18n import _
from pbem.ledger import Log, place_of, verify
from pbem.referee.moving import keyed

from .registering import register_of
from .store import Store, StoredLedger
from .store.ledger import key_text
from .store.rows import GameRow

NOT_BEGUN = ("joining", "readying", "cancelled")


def log_fault(store: Store, row: GameRow) -> str:
    """Return what is wrong with the log of a game as it lies in the store; "" where nothing is."""
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
    return _beside_fault(store, row, log)


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


def faults(store: Store) -> Iterator[str]:
    """Go through the games whose logs are damaged, and say which."""
    for number in store.game_numbers():
        with store.one_look():  # a host at work writes meanwhile
            row = store.get(GameRow, id=number)
            why = log_fault(store, row) if row is not None else ""
        if row is not None and why:
            yield damaged(row, why)


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
