"""What is done to a store by tests, wherever it lies: in a file or in a database."""

from __future__ import annotations

from pbem.host import Store
from pbem.host.store import is_server
from tests.stored import all_rows


def waits_for_nobody(store: Store) -> None:
    """While another program decides, its own decisions fail at once."""
    store.db.execute("set lock_timeout = 1" if is_server(store.path) else "pragma busy_timeout = 0")


def cannot_write(store: Store) -> None:
    """As where its disk is full: it can be read, and nothing is written."""
    store.db.execute("set default_transaction_read_only = on" if is_server(store.path) else "pragma query_only = on")


def can_write(store: Store) -> None:
    """There is room again."""
    store.db.execute("set default_transaction_read_only = off" if is_server(store.path) else "pragma query_only = off")


def held_by(store: Store) -> list[tuple[str, tuple[object, ...]]]:
    """All rows of a store."""
    return list(all_rows(store))
