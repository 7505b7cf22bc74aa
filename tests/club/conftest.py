"""Clubs of these tests play Tiny, whose rules have the same hash however they are written: so games end as they always did."""

from __future__ import annotations

import pytest

from tests.club.games import EXAMPLES
from tests.host.conftest import rules_have_a_fixed_hash

__all__ = ["rules_have_a_fixed_hash"]


@pytest.fixture(autouse=True)
def with_tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_GAMES", str(EXAMPLES))
