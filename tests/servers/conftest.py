"""Real servers for a module of tests; where they cannot be started, its tests say so and are skipped."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.host.conftest import the_example_game_is_found  # noqa: F401 - an autouse fixture

from . import real


@pytest.fixture(scope="session")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[real.Servers]:
    if why := real.missing():
        pytest.skip(f"played without real mail servers: {why}")
    with real.running(
        tmp_path_factory.mktemp("servers"), "host", "ann", "bob", "cat", "dan", "english", "scottish"
    ) as servers:
        yield servers
