"""The vectors, samples and bad files from outside: most were made by another implementation of the protocol."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pbem.ledger import Verdict

DATA = Path(__file__).parent / "data"
SAMPLES = ("trio", "trio_bob", "trio_ann_mid")
"""The short ones: a game of three, one player's copy of it, and another's in mid-game."""


def sample(name: str) -> bytes:
    """A good log."""
    return (DATA / "samples" / f"{name}.pbem").read_bytes()


def bad(name: str) -> bytes:
    """A log with one misdeed."""
    return (DATA / "bad" / name).read_bytes()


def bad_index(found_by: str) -> list[dict[str, Any]]:
    """What is wrong with each bad file that this check finds."""
    return [case for case in json.loads((DATA / "bad" / "index.json").read_text()) if case["found_by"] == found_by]


def vectors() -> dict[str, Any]:
    """The vectors of link, key, stream, seal and signature."""
    found: dict[str, Any] = json.loads((DATA / "vectors.json").read_text())
    return found


def found(verdict: Verdict) -> tuple[int | None, str | None, str | None]:
    """Return what a verdict says is wrong: the entry, the code, and who is at fault."""
    return verdict.entry, verdict.code, verdict.party
