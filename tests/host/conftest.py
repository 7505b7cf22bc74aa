"""The example game can be found by its id, and the rules have the same hash however they are written."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.games import manifests
from pbem.host.store import SENT, Store
from tests.a_postgres import a_server, stores_in, why_not

COUNTED = manifests._counted
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture(autouse=True, scope="session")
def the_example_game_is_found() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PBEM_GAMES", str(EXAMPLES))
        yield


@pytest.fixture(autouse=True, scope="session")
def stores_are_in_a_database() -> Iterator[None]:
    """With PBEM_TEST_STORE=postgres each store that would be a file is a part of a database instead."""
    if os.environ.get("PBEM_TEST_STORE") != "postgres":
        yield
        return
    assert not why_not(), why_not()
    with a_server() as server, pytest.MonkeyPatch.context() as patch:
        stores_in(server, patch)
        yield


OF_A_FILE = re.compile(
    r"test_(disk|schema|worse_days|folders|scans|killed|faults|pictures|load|a_year|corpora|same_seed|two_places|said_twice|workers|storm|side_by_side|broken_wires)\.py"
    "|backup|restore|brought_back|taken_back|damage|cannot_write|test_catching_up|program_dies"
)
"""Tests of what only a file can be, of programs of their own, or of what takes long: they are tried with files."""


def pytest_configure(config: pytest.Config) -> None:
    if os.environ.get("PBEM_TEST_STORE") == "postgres":  # hosts that a test lets go without a word
        config.addinivalue_line("filterwarnings", "ignore:.*was deleted while still open:ResourceWarning")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if os.environ.get("PBEM_TEST_STORE") == "postgres":
        for item in items:
            if "/host/" in item.nodeid and OF_A_FILE.search(item.nodeid):
                item.add_marker(pytest.mark.skip(reason="it is about a store in a file"))


@pytest.fixture(autouse=True, scope="package")
def rules_have_a_fixed_hash() -> Iterator[None]:
    """A game's id, and with it all dice, follows from the hash of its rules: nothing here hangs on how they are written."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifests, "_counted", lambda pack: (manifests.Counted(pack.package, b"as ever"),))
        yield


@pytest.fixture(scope="module")
def rules_have_their_own_hash() -> Iterator[None]:
    """For tests that start programs, which know of no fixed one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifests, "_counted", COUNTED)
        yield


@pytest.fixture(scope="module")
def letters_kept() -> Iterator[None]:
    """What was sent can still be read in the outbox, by tests that look at what was written."""

    def keep(store: Store, number: int) -> None:
        store.change("outbox", number, sent=SENT, last_error="")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pbem.host.sending.lay_aside", keep)
        yield
