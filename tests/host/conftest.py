"""The example game can be found by its id, and the rules have the same hash however they are written."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.games import GamePack, manifests
from pbem.host.store import SENT, Store
from pbem.ledger import sha256_hex

MANIFEST = manifests._manifest
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def as_ever(pack: GamePack) -> tuple[str, str]:
    """Return a manifest that names the package and nothing in it."""
    text = f"{sha256_hex(b'as ever')}  {pack.package}\n"
    return text, sha256_hex(text.encode())


@pytest.fixture(autouse=True, scope="session")
def the_example_game_is_found() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PBEM_GAMES", str(EXAMPLES))
        yield


@pytest.fixture(autouse=True, scope="package")
def rules_have_a_fixed_hash() -> Iterator[None]:
    """A game's id, and with it all dice, follows from the hash of its rules: nothing here hangs on how they are written."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifests, "_manifest", as_ever)
        yield


@pytest.fixture(scope="module")
def rules_have_their_own_hash() -> Iterator[None]:
    """For tests that start programs, which know of no fixed one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifests, "_manifest", MANIFEST)
        yield


@pytest.fixture(scope="module")
def letters_kept() -> Iterator[None]:
    """What was sent can still be read in the outbox, by tests that look at what was written."""

    def keep(store: Store, number: int) -> None:
        store.change("outbox", number, sent=SENT, last_error="")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pbem.host.sending.lay_aside", keep)
        yield
