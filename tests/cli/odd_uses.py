"""What several tests need of odd uses: the_example_game_is_found, pbem."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from .program import Program

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(autouse=True, scope="module")
def the_example_game_is_found() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PBEM_GAMES", str(EXAMPLES))
        patch.delenv("PBEM_HOME", raising=False)
        yield


@pytest.fixture
def pbem(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Program:
    return Program(monkeypatch, capsys)
