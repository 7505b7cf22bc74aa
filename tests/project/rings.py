"""The rings: what each part of pbem may import of the others. The page on the architecture is drawn from it."""

from __future__ import annotations

from graphlib import TopologicalSorter

OUTER = {"errors", "words", "private", "resources", "kernel", "ledger", "referee", "look", "reports", "games", "mail"}
"""What host and player stand on."""
MAY_IMPORT: dict[str, set[str]] = {
    "errors": {"words"},
    "words": set(),
    "resources": {"errors", "words"},
    "kernel": {"errors", "words"},
    "ledger": {"errors", "words"},
    "referee": {"errors", "words", "kernel", "ledger"},
    "look": {"words", "resources", "kernel"},
    "games": {"errors", "words", "kernel", "look"},
    "reports": {"errors", "words", "resources", "kernel", "ledger", "look", "games"},
    "private": set(),
    "mail": {"errors", "words", "private", "kernel", "ledger", "referee"},
    "host": OUTER,
    "player": OUTER,
    "engine": {"errors", "words", "kernel", "games"},
    "schemas": {"errors", "words", "resources", "kernel", "ledger", "games", "engine"},
    "releasing": {"errors", "resources", "ledger", "referee", "games"},
    "cli": OUTER | {"host", "player", "engine"},
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
