"""Rules of another version in the same interpreter: by turns with ours, and nothing of the one side gets to the other."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from pbem import games
from pbem.errors import OrderError, UsageError
from pbem.games.archived import Elsewhere
from pbem.games.running import rules_beside
from pbem.games.shelf import Borrowed, InFolder, Lender
from pbem.kernel import View
from pbem.ledger import Verdict
from pbem.referee.audit import audit
from pbem.referee.table import Table
from tests.attacks.recorded import take_turn
from tests.cli.other_rules import ROOT, another
from tests.games.shelf import SHA256, installed_later, shelf, whole, with_tiny

__all__ = ["shelf", "with_tiny"]  # fixtures


@pytest.fixture
def there(tmp_path: Path) -> Iterator[Elsewhere]:
    """Version 7 of Tiny, in which BANK is worth four points, out of a folder with another pbem."""
    with rules_beside(another(tmp_path, 7), "tiny") as (game, _sha256):
        yield game


def ours() -> dict[str, object]:
    return {name: module for name, module in sys.modules.items() if name.partition(".")[0] in ("pbem", "tiny_game")}


def view_of(game: Elsewhere) -> View:
    """What a seat sees that is asked, once all is dealt."""
    table = Table(game, {"players": 2, "turns": 3}, "first", SHA256)
    seat = next(iter(table.waiting))
    return game.read_view(game.view(table.referee.state, seat))


def judged(data: bytes, lent: Borrowed) -> Verdict:
    with lent:
        return audit(data, installed_later, lent).verdict


@pytest.mark.slow
def test_the_verdict_is_that_by_rules_in_a_process(shelf: Path) -> None:
    data = whole()
    near = Borrowed(InFolder(shelf), installed_later, rules_beside)
    verdict = judged(data, near)
    assert verdict == judged(data, Lender([], shelf, installed_later))
    assert verdict.verdict == "clean"
    assert near.words() == ["Version 1 of the rules of Tiny was taken from the shelf."]
    spoilt = data.replace(b'"BANK"', b'"bank"', 1)
    assert judged(spoilt, Borrowed(InFolder(shelf), installed_later, rules_beside)) == judged(
        spoilt, Lender([], shelf, installed_later)
    )


@pytest.mark.slow
def test_a_fault_by_these_rules_is_found(shelf: Path, tmp_path: Path) -> None:
    """A game by version 1 in which BANK is worth four points is no game by the rules that the log names."""
    with rules_beside(another(tmp_path, 1), "tiny") as (game, _sha256):
        table = Table(game, {"players": 2, "turns": 3}, "four", SHA256)
        while table.open:
            take_turn(table)
    verdict = judged(table.whole(), Borrowed(InFolder(shelf), installed_later, rules_beside))
    assert (verdict.verdict, verdict.code, verdict.party) == ("fault", "TELL", "host")


@pytest.mark.slow
def test_who_chooses_is_asked_on_his_own_side(there: Elsewhere) -> None:
    modules, asked = ours(), list[int]()

    class First:
        def randrange(self, stop: int, /) -> int:
            assert ours() == modules
            asked.append(stop)
            return 0

    view = view_of(there)
    assert there.options(view).sample(First()) in there.options(view)
    assert asked


@pytest.mark.slow
def test_when_they_have_answered_all_is_as_before(tmp_path: Path) -> None:
    modules, path, games_of = ours(), list(sys.path), os.environ["PBEM_GAMES"]
    with rules_beside(another(tmp_path, 7), "tiny") as (game, _sha256):
        assert (game.version, game.title) == (7, "Tiny")
        assert list(game.options(view_of(game)))
        assert ours() == modules
    assert (ours(), sys.path, os.environ["PBEM_GAMES"]) == (modules, path, games_of)
    assert not [place for place in sys.path_importer_cache if place.startswith(str(tmp_path))]


def test_what_is_imported_meanwhile_is_ours(there: Elsewhere) -> None:
    assert there.version == 7
    assert Path(str(import_module("pbem.games.words").__file__)).is_relative_to(ROOT)
    assert games.find("tiny").rules.version == 1


def test_its_errors_are_raised_as_ours(there: Elsewhere) -> None:
    with pytest.raises(UsageError, match="players"):
        there.read_options({"players": 99})
    with pytest.raises(OrderError):
        there.parse(view_of(there), "NONSENSE")


def test_a_folder_without_rules_is_said(tmp_path: Path) -> None:
    (tmp_path / "pbem").mkdir()
    (tmp_path / "pbem" / "__init__.py").write_text("raise ImportError('broken')", "utf-8")
    with pytest.raises(UsageError, match="cannot be run: ImportError: broken"), rules_beside(tmp_path, "tiny"):
        pass
    assert games.find("tiny").rules.version == 1
