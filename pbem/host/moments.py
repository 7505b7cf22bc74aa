"""Moments as the host writes them."""

from __future__ import annotations

from pbem.ledger import plus_seconds


def later(at: str, *, hours: int = 0, minutes: int = 0, seconds: int = 0) -> str:
    """Return the time so much after `at` (RFC 3339); the last one there is, where the calendar ends before it."""
    return plus_seconds(at, 3600 * hours + 60 * minutes + seconds)
