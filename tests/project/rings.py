"""The rings: what each part of pbem may import of the others. The page on the architecture is drawn from it."""

from __future__ import annotations

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
    "host": {
        "errors",
        "words",
        "private",
        "resources",
        "kernel",
        "ledger",
        "referee",
        "look",
        "reports",
        "games",
        "mail",
    },
    "player": {
        "errors",
        "words",
        "private",
        "resources",
        "kernel",
        "ledger",
        "referee",
        "look",
        "reports",
        "games",
        "mail",
    },
    "engine": {"errors", "words", "kernel", "games"},
    "schemas": {"errors", "words", "resources", "kernel", "ledger", "games", "engine"},
    "releasing": {"errors", "resources", "ledger", "referee", "games"},
    "cli": {
        "errors",
        "words",
        "private",
        "resources",
        "kernel",
        "ledger",
        "referee",
        "look",
        "reports",
        "games",
        "mail",
        "host",
        "player",
        "engine",
    },
}
"""What the parts of pbem may import of each other. `games` here is how a game is found, not the games."""


def floors() -> list[list[str]]:
    """The parts by floors, the innermost first: each imports from floors below its own."""
    height: dict[str, int] = {}
    while len(height) < len(MAY_IMPORT):
        for part, below in MAY_IMPORT.items():
            if below - {part} <= set(height):
                height.setdefault(part, 1 + max((height[one] for one in below), default=-1))
    return [sorted(part for part in height if height[part] == floor) for floor in range(max(height.values()) + 1)]
