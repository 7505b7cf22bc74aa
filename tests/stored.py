"""What lies in a store, as tests look at it: the rows of a query by the names of their columns, wherever the store is."""

from __future__ import annotations

from typing import Any

from pbem.host import Store


def stored_rows(store: Store, sql: str, *values: object) -> list[dict[str, Any]]:
    """The rows of a query."""
    return list(store.db.query(sql, values))


def stored_row(store: Store, sql: str, *values: object) -> dict[str, Any] | None:
    """The first row of a query, or None."""
    return next(iter(store.db.query(sql, values)), None)
