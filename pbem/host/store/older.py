"""The pbem that a store's tables are of: an older one's are refused, and each decision looks whether they are still the same.

A host at work must not write into tables that another pbem has changed meanwhile, and none may change them by the way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal, Protocol, TypeAlias

from pbem.errors import StoreError
from pbem.i18n import _

Older: TypeAlias = Literal["refuse", "leave", "update"]
"""What is done with the tables of an older pbem: OlderStore is raised, they stay as they are, or they get what they lack."""

_IN_USE = """
select coalesce((select value from meta where name = ?), ''),
    (select count(*) from _sqlite_migrations where migration_set = 'pbem'),
    (select count(*) from meta where name >= 'ban ' and name < 'ban!')
"""
"""What each decision asks first: the note that the store was moved, the number of its migrations, and that of banned people."""


class OlderStore(StoreError):
    """A store is that of an older pbem, and has had the migrations `found` of `known`: no command but one updates it."""

    def __init__(self, path: Path | str, found: Sequence[str], known: Sequence[str]) -> None:
        self.found = found
        super().__init__(
            _(
                "The host's store {path} is that of an older pbem: its tables lack {lacking}. “pbem host upgrade” shows what that "
                "changes, saves a copy, and updates it. Until then no mail is taken.",
                path=path,
                lacking=", ".join(known[len(found) :]),
            )
        )


class InUse(Protocol):
    """An open store.

    `changes` is the number of migrations that it had when it was opened; `bans` that of banned people at the last decision.
    `rows` has the rows.
    """

    changes: int
    bans: int

    rows: Any


def check_in_use(store: InUse, shown: Path | str, note: str, moved: Callable[[Path | str, str], StoreError]) -> None:
    """Raise what `moved` says where a note says that a store was moved; StoreError where another pbem has changed its tables."""
    ((to, changes, store.bans),) = store.rows.read(_IN_USE, [note])
    if to:
        raise moved(shown, to)
    if changes != store.changes:
        raise StoreError(
            _(
                "Another pbem has changed the tables of the host's store {path} (migrations: {n}, and {known} when it was "
                "opened). Nothing has been decided. Start the host again, with the pbem that the store is of.",
                path=shown,
                n=changes,
                known=store.changes,
            )
        )
