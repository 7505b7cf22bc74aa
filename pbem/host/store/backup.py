"""Backups of a host's store, made while it works, and their restoration.

A backup is one SQLite file, consistent as of one moment: a decision being written is in it as a whole or not at all. The host's
key is not in it. A restored store is as it was then; `catching_up` says how its games continue.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from itertools import chain, count
from pathlib import Path

from sqlite_utils import Database

from pbem import private
from pbem.errors import StoreError, UsageError, WorldError
from pbem.i18n import _
from pbem.ledger import fingerprint
from pbem.records import dataclass

from .file import KEPT_BY, MOVED, damaged, unusable
from .ledger import StoredLedger
from .memory import Store
from .rows import GameRow
from .schema import had
from .words import is_server

_WHO_LEADS = """
select game, n, line from entries
where (n = 0 or cast(line as text) like '%"k":"host"%')
    and game in (select id from games where stage not in ('moving', 'cancelled'))
order by game, n
"""
"""The query for the successive hosts of a store's games, except games that are still to be taken over."""


def back_up(store: Store, to: Path, faults: Callable[[Store], Iterable[str]] = lambda _store: ()) -> list[str]:
    """Write the store into a file of its own, replacing an older one, while others keep working. Raises WorldError.

    `faults` looks for damage in the new file; the damage is returned. A damaged backup is written beside the file
    (`damaged_name`), and the older backup stays: it may be the last intact one.
    """
    if not is_server(store.path):
        (own,) = (file for _number, name, file in store.read("pragma database_list") if name == "main")
        if own and to.exists() and to.samefile(own):
            raise UsageError(_("{to} is the store itself; name another file.", to=to))
    part = to.with_name(f"{to.name}.part")
    try:
        if is_server(store.path):
            from .moving import write_file

            write_file(store, part)
        else:
            _copied(store, part)
        found = _found_in(part, faults)
        private.move(part, damaged_name(to) if found else to)
    except StoreError as error:
        raise StoreError(_("No backup has been made, and an older one stays as it is. {why}", why=error)) from error
    except (OSError, sqlite3.Error) as error:
        if isinstance(error, sqlite3.Error) and isinstance(bad := unusable(Path(store.path), error), StoreError):
            raise StoreError(_("No backup has been made, and an older one stays as it is. {why}", why=bad)) from error
        raise WorldError(_("The backup could not be written to {to}: {why}.", to=to, why=error)) from error
    finally:
        thrown_away(part)
    return found


def damaged_name(to: Path) -> Path:
    """Return where a backup is written in which something is damaged."""
    return to.with_name(f"{to.name}.damaged")


def _copied(store: Store, part: Path) -> None:
    """Copy a store that is a file. Raises StoreError where its tables are damaged."""
    part.unlink(missing_ok=True)
    private.touch(part)
    with closing(sqlite3.connect(part)) as target:
        store.db.conn.backup(target)
        target.execute("pragma journal_mode = delete").fetchall()
        said = [str(row[0]) for row in target.execute("pragma integrity_check(3)")]
    if said != ["ok"]:
        raise damaged(Path(store.path), said[0])


def _found_in(part: Path, faults: Callable[[Store], Iterable[str]]) -> list[str]:
    """Return the damage in a new backup, and leave it as a single file."""
    with closing(Store(part, older="leave")) as copied:
        found = list(faults(copied))
        copied.db.execute("pragma journal_mode = delete").fetchall()
    return found


def thrown_away(part: Path) -> None:
    """Delete a file of SQLite and what is beside it, where that can be done."""
    with suppress(OSError):
        for ending in ("", "-wal", "-shm", "-journal"):
            Path(f"{part}{ending}").unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class BroughtBack:
    """A running game in a restored store, and the end of its log there."""

    number: int
    title: str
    entry: int
    head: str


def restore(saved: Path, store: Path, key_line: str, *, replace: bool = False) -> list[BroughtBack]:
    """Restore a saved store as the file `store`; return the running games.

    With `replace`, an existing store is moved aside (`aside_of`). Raises UsageError, and changes nothing, in three cases: there is
    a store and `replace` is not set; the file is not a store; it has the games of a host with another key.
    """
    if not saved.is_file():
        raise UsageError(_("There is no file {saved}.", saved=saved))
    if store.exists() and not replace:
        raise UsageError(
            _("There is a store in {parent} already; with --replace it is moved aside.", parent=store.parent)
        )
    part = store.with_name(f"{store.name}.part")
    try:
        with closing(sqlite3.connect(f"{saved.absolute().as_uri()}?mode=ro", uri=True)) as source:
            _check(source, saved)
            _check_host(source, saved, key_line)
            part.unlink(missing_ok=True)
            private.touch(part)
            with closing(sqlite3.connect(part)) as target:
                source.backup(target)
                target.execute(
                    "delete from meta where name = ?", [MOVED]
                )  # it may be a store that was moved, and is wanted again
                target.commit()
                # A backup has no WAL; who reads would hold up who writes.
                target.execute("pragma journal_mode = wal").fetchall()
        aside = aside_of(store)
        for ending in ("", "-wal", "-shm"):
            old = store.with_name(store.name + ending)
            if old.exists():
                private.shut(old)
                private.move(old, aside.with_name(f"{aside.name}{ending}"))
        private.move(part, store)
    except (OSError, sqlite3.Error) as error:
        raise WorldError(_("{saved} could not be brought back: {why}.", saved=saved, why=error)) from error
    finally:
        with suppress(OSError):
            part.unlink()
    with closing(Store(store, older="update")) as opened:
        on = opened.find(GameRow, stage="playing")
        ledgers = {game.id: StoredLedger(opened, game.id, ()) for game in on}
        return [BroughtBack(game.id, game.title, ledgers[game.id].n, ledgers[game.id].head) for game in on]


@contextmanager
def looked_into(saved: Path, part: Path, key_line: str) -> Iterator[Store]:
    """Open a copy of a saved store, made as `part` and thrown away afterwards: the file itself stays as it is.

    Raises UsageError where it is no store, is damaged, or holds the games of a host with another key.
    """
    try:
        with closing(sqlite3.connect(f"{saved.absolute().as_uri()}?mode=ro", uri=True)) as source:
            _check(source, saved)
            _check_host(source, saved, key_line)
            thrown_away(part)
            private.touch(part)
            with closing(sqlite3.connect(part)) as target:
                source.backup(target)
        with closing(Store(part, older="update")) as opened:
            yield opened
    except (OSError, sqlite3.Error) as error:
        raise WorldError(_("{saved} cannot be read: {why}.", saved=saved, why=error)) from error
    finally:
        thrown_away(part)


def aside_of(store: Path) -> Path:
    """Return where a store is moved that a backup takes the place of: `….old`, or behind those that were moved there before.

    Who brings back one backup after the other still has what the host wrote last.
    """
    names = (f"{store.name}.old{number or ''}" for number in chain([0], count(2)))
    return next(path for name in names if not (path := store.with_name(name)).exists())


def _check(db: sqlite3.Connection, path: Path) -> None:
    """Refuse a file that is damaged, or no store of a host, or one of another pbem that this one does not read."""
    try:
        found = had(Database(db, execute_plugins=False), path)
        said = [row[0] for row in db.execute("pragma integrity_check").fetchall()]
    except StoreError as error:
        raise UsageError(str(error)) from error
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorname", "").startswith("SQLITE_CORRUPT"):
            raise UsageError(_("{path} is damaged: {said}. Take an older backup.", path=path, said=error)) from error
        raise UsageError(_("{path} is not a host's store: {why}", path=path, why=error)) from error
    if not found:
        raise UsageError(_("{path} is not a host's store.", path=path))
    if said != ["ok"]:
        raise UsageError(_("{path} is damaged: {said}. Take an older backup.", path=path, said=said[0]))


def _check_host(db: sqlite3.Connection, path: Path, key_line: str) -> None:
    """Refuse a store of a host with another key: according to its own note, or otherwise to the hosts named in its games."""
    try:
        noted = db.execute("select value from meta where name = ?", [KEPT_BY]).fetchone()
        entries = db.execute(_WHO_LEADS).fetchall()
    except sqlite3.DatabaseError as error:
        raise UsageError(_("{path} is not a host's store: {why}", path=path, why=error)) from error
    leads: dict[int, str] = {}
    for game, n, line in entries:
        entry = json.loads(line)
        if n == 0 or entry["k"] == "host":
            leads[game] = entry["key" if n else "host"]
    if noted[0] != fingerprint(key_line) if noted else any(key != key_line for key in leads.values()):
        raise UsageError(
            _(
                "{path} contains games of a host with another key than the one here; nothing has been changed.",
                path=path,
            )
        )
