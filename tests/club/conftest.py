"""Clubs of these tests play Tiny."""

from __future__ import annotations

import pytest

from tests.club.games import EXAMPLES


@pytest.fixture(autouse=True)
def with_tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_GAMES", str(EXAMPLES))
