"""A club that nobody looks after, in small: by mail and by the door, with vanished people, floods and forgers; every law holds."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from pbem.games import manifests
from tests.a_postgres import a_server, why_not
from tests.host.conftest import as_ever

from .a_club import STRANGERS, play
from .club_laws import Figures

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def figures(tmp_path_factory: pytest.TempPathFactory) -> Figures:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PBEM_GAMES", str(Path(__file__).resolve().parents[2] / "examples"))
        patch.setattr(manifests, "_manifest", as_ever)  # who meets whom hangs on dice, and so on the hash of the rules
        return play(tmp_path_factory.mktemp("club"), seed=4, players=40, games=10, days=60)


def test_all_happened_that_was_to_happen(figures: Figures) -> None:
    """Else that the laws hold proves less than it says."""
    count: Counter[str] = figures.count
    assert figures.audits_clean >= 10
    assert figures.rated >= 5
    assert len(figures.events) == 2
    few = [
        what for what in ("mail order", "door: Brought", "club's door: taken", "copies that agree") if count[what] < 10
    ]
    assert not few, count
    once = (
        "mails of built-in players",
        "eve at the door: often",
        "servers: not now",
        "mail duplicate",
        "games cancelled",
        "mails that were there before",
        "left and erased",
    )
    assert not [what for what in once if not count[what]], count
    most = count["letters to strangers, most in a day"]
    assert most > STRANGERS * 9 // 10, "a flood came up to the cap, but for letters that servers took later"


@pytest.mark.skipif(bool(why_not()), reason=why_not())
def test_a_club_in_a_database_comes_to_what_it_comes_to_in_a_file(tmp_path: Path) -> None:
    """The same seed: the same logs byte for byte, the same rating list, tables of events, and counts of mails and letters."""
    with pytest.MonkeyPatch.context() as patch, a_server() as server:
        patch.setenv("PBEM_GAMES", str(Path(__file__).resolve().parents[2] / "examples"))
        in_file, in_database = (
            play(tmp_path / name, seed=5, players=30, games=8, days=36, store=store)
            for name, store in (("file", ""), ("database", server))
        )
    assert in_file.audits_clean >= 3
    assert in_database == in_file
