"""The example game can be found by its id."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.host.store import SENT, Store

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture(autouse=True, scope="session")
def the_example_game_is_found() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PBEM_GAMES", str(EXAMPLES))
        yield


@pytest.fixture(scope="module")
def letters_kept() -> Iterator[None]:
    """What was sent can still be read in the outbox, by tests that look at what was written."""

    def keep(store: Store, number: int) -> None:
        store.change("outbox", number, sent=SENT, last_error="")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pbem.host.office.lay_aside", keep)
        yield
