"""Rules of other versions stand on a shelf, as data that runs; what a log needs is taken from there by itself."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
import tiny_game
from tiny_game.rules import Tiny
from typer.testing import CliRunner, Result

from pbem import releasing
from pbem.cli.app import app
from pbem.errors import UsageError, WorldError
from pbem.games import GamePack, find, manifest, shipped
from pbem.games.releases import Known
from pbem.games.shelf import Lender, Lent, archive, archive_name, shelve
from pbem.ledger import Log
from pbem.referee.audit import audit
from pbem.referee.table import Table
from pbem.releasing import own_games
from pbem.resources import folder
from tests.attacks.recorded import take_turn
from tests.cli.other_rules import ROOT, adopted, another
from tests.games.shelf import SHA256, a_game, installed_later, shelf, whole, with_tiny

__all__ = ["shelf", "with_tiny"]  # fixtures


@pytest.mark.slow
@pytest.mark.parametrize("game", [*shipped(), "tiny"])
def test_the_rules_that_are_here_can_be_put_on_a_shelf(game: str, tmp_path: Path) -> None:
    """They run from there: `shelve` asks them for their version and their manifest."""
    pack = find(game)
    place = shelve(pack, tmp_path / "shelf")
    assert place.name == archive_name(game, pack.rules.version, manifest(pack)[1])
    assert place.read_bytes() == archive(pack), "the same files make the same bytes"
    names = zipfile.ZipFile(place).namelist()
    assert names == sorted(names)
    assert not [name for name in names if name.startswith(("/", "..")) or "__pycache__" in name]
    shown = [name for name in names if "/look/" in name or "/bots/" in name or "setting_up" in name]
    assert set(shown) <= {f"pbem/look/{name}.py" for name in ("__init__", "offers", "pieces", "shown", "touches")}, (
        "what a pack names may be there, and no game's own"
    )
    assert place.stat().st_size < 300_000


@pytest.mark.slow
def test_a_log_of_an_earlier_version_is_judged_by_the_rules_of_the_shelf(shelf: Path) -> None:
    data = whole()
    assert audit(data, installed_later).verdict.verdict == "cannot_judge"
    with Lender([], shelf, installed_later) as lent:
        assert audit(data, installed_later, lent).verdict.verdict == "clean"
        assert lent.taken == [("Tiny", 1)]
        assert list(lent) == [("tiny", 1, SHA256)]


@pytest.mark.slow
def test_what_is_wrong_is_found_by_the_rules_of_the_shelf(shelf: Path, tmp_path: Path) -> None:
    """A game by version 1 in which BANK is worth four points is no game by the rules that the log names."""
    with Lender([another(tmp_path, 1)], shelf, installed_later) as lent:
        table = Table(lent["tiny", 1][0], {"players": 2, "turns": 3}, "four", SHA256)
        while table.open:
            take_turn(table)
    with Lender([], shelf, installed_later) as lent:
        verdict = audit(table.whole(), installed_later, lent).verdict
    assert (verdict.verdict, verdict.code, verdict.party) == ("fault", "TELL", "host")


def test_what_is_installed_is_not_taken_from_the_shelf(shelf: Path) -> None:
    with Lender([], shelf, lambda game: (tiny_game.GAME, SHA256)) as lent:
        assert audit(whole(), lambda game: (tiny_game.GAME, SHA256), lent).verdict.verdict == "clean"
        assert lent.taken == []
        with pytest.raises(KeyError):
            lent["tiny", 1]


@pytest.mark.slow
def test_the_very_bytes_that_a_log_names_go_before_others_of_their_version(shelf: Path) -> None:
    """Here are other bytes of version 1, which play another game; the shelf has those that the log was played by."""

    class Other(Tiny):
        def view(self, state: Any, seat: str | None) -> dict[str, Any]:
            return {**super().view(state, seat), "turns": 9}

    def others(game_id: str) -> Lent:
        return Other(), "3" * 64

    assert audit(whole(), others).verdict.verdict == "cannot_judge"
    with Lender([], shelf, others) as lent:
        assert audit(whole(), others, lent).verdict.verdict == "clean"


@pytest.mark.slow
def test_a_game_that_is_not_installed_at_all_is_judged_by_the_shelf(shelf: Path) -> None:
    def nothing(game_id: str) -> Lent:
        raise UsageError("not here")

    with Lender([], shelf, nothing) as lent:
        assert audit(whole(), nothing, lent).verdict.verdict == "clean"


@pytest.mark.slow
def test_of_two_folders_with_one_version_the_one_with_the_right_bytes_is_asked(tmp_path: Path) -> None:
    with Lender([another(tmp_path, 1), ROOT], tmp_path, installed_later) as lent:
        assert lent["tiny", 1, SHA256][1] == SHA256
        assert lent["tiny", 1][1] != SHA256
        with pytest.raises(KeyError):
            lent["tiny", 1, "7" * 64]


def test_what_cannot_be_unpacked_is_said(tmp_path: Path) -> None:
    (tmp_path / archive_name("tiny", 1, SHA256)).write_bytes(b"no zip")
    with (
        Lender([], tmp_path, installed_later) as lent,
        pytest.raises(WorldError, match=r"The rules on the shelf cannot be unpacked: .*zip"),
    ):
        lent["tiny", 1]


# the commands


@pytest.fixture
def later_pbem(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is installed has version 2 of Tiny, and the shelf that comes with it has version 1."""
    monkeypatch.setattr("pbem.resources.folder", lambda name: shelf if name == "shelf" else folder(name))
    monkeypatch.setattr(tiny_game.GAME, "version", 2, raising=False)


def audited(file: Path, *more: str) -> Result:
    return CliRunner().invoke(app, ["audit", str(file), *more])


@pytest.mark.slow
@pytest.mark.usefixtures("later_pbem")
def test_pbem_audit_takes_them_by_itself_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "game.pbem"
    monkeypatch.setattr(tiny_game.GAME, "version", 1)
    file.write_bytes(whole())
    monkeypatch.setattr(tiny_game.GAME, "version", 2)
    done = audited(file)
    assert done.exit_code == 0, done.output
    assert done.output.startswith("Version 1 of the rules of Tiny was taken from the shelf.\n")
    said = json.loads(audited(file, "--json").output)
    assert said["verdict"] == "clean"


@pytest.mark.usefixtures("later_pbem")
def test_a_damaged_file_is_judged_as_ever(tmp_path: Path) -> None:
    file = tmp_path / "game.pbem"
    file.write_bytes(b"no log\n")
    done = audited(file)
    assert (done.exit_code, "FORM" in done.output) == (1, True)


@pytest.mark.slow
@pytest.mark.usefixtures("later_pbem")
def test_pbem_host_adopt_takes_them_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that began by version 1, and whose players agreed to version 2."""
    monkeypatch.setattr(tiny_game.GAME, "version", 1)
    table = a_game()
    take_turn(table)
    monkeypatch.setattr(tiny_game.GAME, "version", 2)
    table.go_by(tiny_game.GAME)
    take_turn(table)
    assert any(entry.k == "amend" for entry in Log.parse(table.whole()).entries)
    done = adopted(table, tmp_path)
    assert done.exit_code == 0, done.exception
    assert done.output.startswith(
        "Version 1 of the rules of Tiny was taken from the shelf.\nGame 1 continues from entry "
    )


@pytest.mark.slow
def test_rules_that_die_are_no_fault_of_the_hosts(tmp_path: Path) -> None:
    """No verdict is printed, and the program says what happened."""
    dying = another(tmp_path / "dying", 1)
    turn = dying / "pbem" / "games" / "tiny" / "rules" / "turn.py"
    dies = "\n\ndef dies(*given):\n    import os\n    os._exit(9)\n\n\nTurn.take_card = dies\n"
    turn.write_text(turn.read_text("utf-8") + dies, "utf-8")
    file, table = tmp_path / "game.pbem", a_game("4" * 64)
    take_turn(table)
    file.write_bytes(table.whole())
    done = audited(file, "--rules", str(dying))
    assert done.exit_code == 1
    assert isinstance(done.exception, WorldError)
    assert "have ended, and no longer answer (exit code 9)" in str(done.exception)
    assert done.output == ""


@pytest.mark.slow
def test_the_maintainers_command_fills_the_shelf(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert releasing.main(["shelve", "tiny", "--shelf", str(tmp_path)]) == 0
    (place,) = tmp_path.iterdir()
    assert capsys.readouterr().out == f"{place}\n"
    assert place.name == archive_name("tiny", 1, SHA256)


def test_changed_rules_are_shelved_only_when_that_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A game on no list is held to its own recorded games; `--changed` packs it all the same. Nothing is packed here."""
    monkeypatch.setattr(releasing, "shelve", lambda _pack, folder: folder / "packed")
    words = ["shelve", "tiny", "--shelf", str(tmp_path)]
    assert releasing.main(words) == 0
    monkeypatch.setattr("tiny_game.rules.turn.BANKED", 4)
    assert releasing.main(words) == 1
    assert "by these rules tiny.pbem is another game" in capsys.readouterr().err
    assert releasing.main([*words, "--changed"]) == 0


@pytest.mark.parametrize(
    ("version", "sha256", "goes"),
    [(1, SHA256, True), (1, "0" * 64, False), (2, SHA256, False)],
    ids=["listed", "other bytes", "other version"],
)
def test_rules_of_a_listed_game_are_shelved_as_they_are_listed(version: int, sha256: str, goes: bool) -> None:
    lines = [Known("tiny", version, sha256, "0.1.0", "2026-01-01")]
    with nullcontext() if goes else pytest.raises(UsageError, match="not on the list of known rules"):
        assert own_games(lines, GamePack(tiny_game.GAME, "tiny_game"), SHA256) is None


@pytest.mark.slow
def test_the_shelf_that_comes_with_pbem_runs() -> None:
    """Every archive on it gives the rules that its name says."""
    folder = ROOT / "shelf"
    with Lender([], folder, installed_later) as lent:
        for key in lent:
            game, sha256 = lent[key]
            assert (game.id, game.version, sha256) == key


@pytest.mark.slow
def test_a_wheel_holds_the_shelf_and_the_list(tmp_path: Path) -> None:
    pytest.importorskip("hatchling", reason="hatchling, which builds the wheel, is not installed")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, capture_output=True, check=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {f"pbem/_data/shelf/{place.name}" for place in (ROOT / "shelf").iterdir()} <= names
    assert "pbem/games/known_rules.txt" in names
