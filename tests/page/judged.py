"""The logs that are judged here as by the command: the bad files and samples of another implementation, and the golden logs."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path
from typing import Any

from pbem.page.service import Service
from tests.ledger.files import DATA

from .calling import ok

GOLDEN = Path(__file__).parents[1] / "golden" / "logs"
BAD = 75
"""So many files with one misdeed each there are."""


def corpus() -> list[Path]:
    """Return all of them."""
    bad = sorted((DATA / "bad").glob("*.pbem"))
    assert len(bad) == BAD
    return [*bad, *sorted((DATA / "samples").glob("*.pbem")), *sorted(GOLDEN.glob("*.pbem"))]


def asked(data: bytes) -> list[dict[str, Any]]:
    """Return the calls by which a page has a log judged: verified, and replayed by the rules."""
    return [{"call": "check", "data": b64encode(data).decode(), "audit": rules} for rules in (False, True)]


def judged(service: Service, data: bytes) -> list[dict[str, Any]]:
    """Return what the service says to these calls."""
    return [ok(service, **call) for call in asked(data)]
