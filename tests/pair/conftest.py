"""Tiny, the example of a game, is there for all who play without a host; and rules that tests name play as those that are here."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from pbem.games import releases
from pbem.games.releases import Known

from .planners import SOME_RULES


@pytest.fixture(autouse=True)
def with_tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_GAMES", str(Path(__file__).parents[2] / "examples"))


@pytest.fixture(autouse=True, scope="session")
def with_some_rules() -> Iterator[None]:
    here = releases.known

    def known(game: str, version: int, sha256: str) -> Known | None:
        return Known(game, version, sha256, releases.NEXT) if sha256 == SOME_RULES else here(game, version, sha256)

    with patch.object(releases, "known", known):
        yield
