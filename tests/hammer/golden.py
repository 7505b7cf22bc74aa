"""Texts that are kept in `tests/golden/<game>/` and compared with what the program says today.

A changed text is reviewed like code: run the tests with PBEM_GOLDEN=write, which writes the files anew, and look at the diff.
"""

from __future__ import annotations

import os
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "golden"


def compare(name: str, text: str, game: str = "hammer") -> None:
    """Assert that `text` is what the file of that name holds."""
    path = FOLDER / game / name
    if os.environ.get("PBEM_GOLDEN") == "write":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n", encoding="utf-8")
    kept = path.read_text(encoding="utf-8")
    assert text + "\n" == kept, f"{name} has changed; PBEM_GOLDEN=write writes it anew"
