"""What several tests need of shelf: Later, installed_later, with_tiny, shelf, a_game, …."""

from __future__ import annotations

from pathlib import Path

import pytest
import tiny_game
from tiny_game.rules import Tiny

from pbem.games import GamePack, manifest
from pbem.games.shelf import Lent, shelve
from pbem.referee.table import Table
from tests.attacks.recorded import take_turn
from tests.cli.other_rules import EXAMPLES

TINY = GamePack(tiny_game.GAME, "tiny_game")
SHA256 = manifest(TINY)[1]


class Later(Tiny):
    """Tiny as a later version of it, which is installed by then."""

    version = 2


def installed_later(game_id: str) -> Lent:
    return Later(), "2" * 64


@pytest.fixture(autouse=True)
def with_tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_GAMES", str(EXAMPLES))


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A shelf with the rules that are here."""
    folder = tmp_path_factory.mktemp("shelf")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PBEM_GAMES", str(EXAMPLES))
        shelve(TINY, folder)
    return folder


def a_game(sha256: str = SHA256) -> Table:
    return Table(tiny_game.GAME, {"players": 2, "turns": 3}, "shelf", sha256)


def whole() -> bytes:
    table = a_game()
    while table.open:
        take_turn(table)
    return table.whole()
