"""Real servers for a module of tests; where they cannot be started, its tests say so and are skipped."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.host.conftest import the_example_game_is_found  # noqa: F401 - an autouse fixture

from . import real


@pytest.fixture(scope="session")
def servers() -> Iterator[real.Servers]:
    """They read their files as users of their own: a folder of pytest's is shut to those when another run of it begins."""
    if why := real.missing():
        pytest.skip(f"played without real mail servers: {why}")
    with (
        tempfile.TemporaryDirectory(prefix="servers-", ignore_cleanup_errors=True) as name,
        real.running(Path(name), "host", "ann", "bob", "cat", "dan", "english", "scottish") as servers,
    ):
        yield servers
