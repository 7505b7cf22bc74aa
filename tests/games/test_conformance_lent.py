"""Rules that are lent keep the contract as they do at home: the whole suite, through the pipe."""

from __future__ import annotations

import atexit
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import ClassVar

import pytest

from pbem.games.running import rules_in
from pbem.kernel import Game
from tests.conformance import Conformance

ROOT = Path(__file__).resolve().parents[2]
WHERE = "tests.games.test_conformance_lent"


def __getattr__(name: str) -> Game:
    """Lend a game as long as this Python runs: for those that the suite starts, and finds a game in by `module:NAME`."""
    if name not in ("tiny", "lords", "hammer"):
        raise AttributeError(name)
    lent = ExitStack()
    atexit.register(lent.close)
    return lent.enter_context(rules_in(ROOT, name))[0]


class _Lent(Conformance):
    lends: ClassVar[str]
    foresees = False
    lists = False

    @pytest.fixture(autouse=True, scope="class")
    @classmethod
    def lent(cls) -> Iterator[None]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("PBEM_GAMES", str(ROOT / "examples"))
            with rules_in(ROOT, cls.lends) as (there, _):
                cls.game = there
                yield

    @pytest.fixture(autouse=True)
    def with_tiny(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PBEM_GAMES", str(ROOT / "examples"))


@pytest.mark.slow
class TestTinyLent(_Lent):
    lends = "tiny"
    where = f"{WHERE}:tiny"
    options = ({"players": 2, "turns": 4}, {"players": 4, "turns": 5})
    plans = ("ACT BANK", "ACT DIG")
    games = 2
    stride = 2
    slow_stride = 5


@pytest.mark.slow
class TestLordsLent(_Lent):
    lends = "lords"
    where = f"{WHERE}:lords"
    options = ({"players": 3},)
    plans = ("CLAIM STRONGEST",)
    games = 2
    stride = 2
    slow_stride = 29
    hash_limit = 40


@pytest.mark.slow
class TestHammerLent(_Lent):
    lends = "hammer"
    where = f"{WHERE}:hammer"
    games = 1
    stride = 31
    slow_stride = 151
    hash_limit = 40
