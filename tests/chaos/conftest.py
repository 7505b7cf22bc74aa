"""The example game can be found, in these tests and by the programs that they start."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from .installed import Host

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture(autouse=True, scope="session")
def the_example_game_is_found() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PBEM_GAMES", str(EXAMPLES))
        yield


@pytest.fixture
def running() -> Iterator[list[Host]]:
    hosts: list[Host] = []
    yield hosts
    for host in hosts:
        host.let_go()
