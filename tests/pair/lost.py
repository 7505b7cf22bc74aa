"""What several tests need of lost: whole_of."""

from __future__ import annotations

from pathlib import Path

from tests.pair.friends import Friend


def whole_of(one: Friend) -> Path:
    """The letter with his whole log."""
    one.does("copy", "--yes")
    (path,) = [path for path in one.desk.tray.unsent() if ".whole." in path.name]
    return one.desk.tray.sent(path)
