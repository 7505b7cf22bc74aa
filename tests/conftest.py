"""The tests are told everything in English, whatever the machine speaks; French is asked for by those that read it.

Where a host keeps its store they are told by PBEM_TEST_STORE: with `postgres`, each store that would be a file is a part of a
PostgreSQL database instead.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import nullcontext

import pytest
from hypothesis import HealthCheck, settings

from tests import costs
from tests.a_postgres import IN_DATABASE, a_server, parts_go, stores_in, why_not

# A check of the suite that fails shows both values, as an assertion of a test does.
pytest.register_assert_rewrite("tests.conformance")

for name in ("PBEM_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
    os.environ.pop(name, None)

# A law holds however busy the machine is: no example is held to a clock, and none of another run is kept.
settings.register_profile("any machine", deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")


def pytest_addoption(parser: pytest.Parser) -> None:
    costs.add_options(parser)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    costs.sort_out(config, items)


def pytest_configure(config: pytest.Config) -> None:
    costs.begin(config)
    if IN_DATABASE:  # hosts that a test lets go without a word
        config.addinivalue_line("filterwarnings", "ignore:.*was deleted while still open:ResourceWarning")


def pytest_collection_finish() -> None:
    """Let waste be looked for more seldom, and not in what stays until the end: that was one second of sixteen."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


@pytest.fixture(autouse=True, scope="session")
def what_is_kept_is_in(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let what is kept for the next command stay out of the user's own cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(autouse=True, scope="session")
def stores_are_in() -> Iterator[str]:
    """Let stores be where this run wants them; the address of a server, or ""."""
    if not IN_DATABASE:
        yield ""
        return
    assert not why_not(), why_not()
    with a_server() as server, pytest.MonkeyPatch.context() as patch:
        stores_in(server, patch)
        yield server


@pytest.fixture(autouse=True, scope="module")
def stores_go_with_their_tests(stores_are_in: str) -> Iterator[None]:
    """Nothing of a file of tests stays in a database behind it."""
    with parts_go(stores_are_in) if stores_are_in else nullcontext():
        yield
