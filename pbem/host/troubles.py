"""What does not work on a host, as `status` shows it: ways in that fail, games over which the program stumbles.

Each is a row of `meta`, with the time since when; it goes when the thing works again.
"""

from __future__ import annotations

import sqlite3
from contextlib import suppress

from pbem.errors import WorldError

from .store import Store


def note(store: Store, what: str, trouble: str, at: str) -> None:
    """Note that something does not work, or ("") that it does; the first of the same troubles stays."""
    name = f"trouble {what}"
    with suppress(WorldError, sqlite3.Error):  # a store that cannot be used is told of elsewhere
        known = store.row("select value from meta where name = ?", name)
        if (known["value"].partition(" ")[2] if known else "") == trouble:
            return
        with store.decision():
            if trouble:
                store.put("meta", name=name, value=f"{at} {trouble}")
            else:
                store.db.execute("delete from meta where name = ?", [name])
