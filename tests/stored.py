"""What lies in a store, as tests look at it: the rows of a query by the names of their columns, wherever the store is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pbem.host import Store
from pbem.host.store.schema import tables
from pbem.host.store.server import rows_of


def stored_rows(store: Store, sql: str, *values: object) -> list[dict[str, Any]]:
    """The rows of a query."""
    return list(store.db.query(sql, values))


def stored_row(store: Store, sql: str, *values: object) -> dict[str, Any] | None:
    """The first row of a query, or None."""
    return next(iter(store.db.query(sql, values)), None)


def all_rows(store: Store) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """All rows of a store, table by table, in the order of their numbers."""
    for table in tables(store.db):
        for row in rows_of(store.db, table)[1]:
            yield table, tuple(row.values())
