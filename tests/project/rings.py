"""The rings: what each part of pbem may import of the others. The page on the architecture is drawn from it."""

from __future__ import annotations

from graphlib import TopologicalSorter

OUTER = {"cached", "errors", "i18n", "private", "records", "resources", "kernel", "ledger", "referee", "look", "reports", "games",
         "mail", "story"}  # fmt: skip
"""What host and player stand on."""
MAY_IMPORT: dict[str, set[str]] = {
    "errors": {"i18n", "records"},
    "i18n": {"records"},
    "resources": {"errors", "i18n", "records"},
    "kernel": {"errors", "i18n"},
    "ledger": {"errors", "i18n", "records"},
    "referee": {"errors", "i18n", "records", "kernel", "ledger"},
    "look": {"cached", "i18n", "records", "resources", "kernel"},
    "games": {"errors", "i18n", "kernel", "look"},
    "reports": {"cached", "errors", "i18n", "records", "resources", "kernel", "ledger", "look", "games"},
    "story": {"errors", "i18n", "records", "resources", "kernel", "ledger", "referee", "look", "games", "reports"},
    "private": set(),
    "cached": {"private"},
    "records": set(),
    "mail": {"errors", "i18n", "records", "private", "kernel", "ledger", "referee"},
    "spool": {"errors", "i18n", "private"},
    "host": OUTER | {"spool"},
    "player": OUTER,
    "page": OUTER | {"player"},
    "club": OUTER | {"host", "player"},
    "engine": {"errors", "i18n", "records", "kernel", "games"},
    "schemas": {"errors", "i18n", "records", "resources", "kernel", "ledger", "games", "engine", "page"},
    "releasing": {"errors", "resources", "ledger", "referee", "games"},
    "cli": OUTER | {"club", "host", "player", "engine", "page", "spool"},
}
"""What the parts of pbem may import of each other. `games` here is how a game is found, not the games."""


def floors() -> list[list[str]]:
    """The parts by floors, the innermost first: each imports from floors below its own. Raises CycleError."""
    order, found = TopologicalSorter(MAY_IMPORT), list[list[str]]()
    order.prepare()
    while order.is_active():
        found.append(sorted(order.get_ready()))
        order.done(*found[-1])
    return found
