"""`pbem replay`, `board` and `read` draw what they tell into files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.cli.demo import Demo
from pbem.errors import UsageError
from pbem.games import find
from tests.host.post import a_club
from tests.project.source import ROOT


@pytest.fixture(autouse=True, scope="module")
def the_example_game_is_found() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PBEM_GAMES", str(ROOT / "examples"))
        yield


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("pictures") / "demo"
    Demo(out, 2, find("tiny"), {}, {}).play(lambda _: None)
    return out


def _replayed(file: Path, out: Path, *arguments: str) -> str:
    result = CliRunner().invoke(app, ["replay", str(file), "--html", str(out), *arguments])
    assert result.output == f"Written: {out}\n", result.exception
    return out.read_text("utf-8")


def test_without_an_entry_the_whole_game_is_a_page(demo: Path, tmp_path: Path) -> None:
    whole = _replayed(demo / "game.pbem", tmp_path / "page.html")
    assert '<option value="*">Everything</option>' in whole
    assert whole == (demo / "replay.html").read_text("utf-8")
    alone = _replayed(demo / "game.pbem", tmp_path / "page.html", "--seat", "bob")
    assert re.findall(r'<option value="([a-z*]*)">', alone) == ["bob"]
    opened = _replayed(demo / "game.pbem", tmp_path / "page.html", "--seat", "bob", "--at", "80")
    assert opened == alone.replace("<body>", '<body data-at="80">')


def test_a_game_without_a_picture_says_so(demo: Path, tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["replay", str(demo / "game.pbem"), "--svg", str(tmp_path / "no.svg")])
    assert isinstance(result.exception, UsageError)
    assert "--html" in str(result.exception)
    assert not (tmp_path / "no.svg").exists()


def test_a_player_writes_his_mail_and_his_board_as_pages(tmp_path: Path) -> None:
    with a_club(tmp_path) as club:
        desk, mail = club.begin().desks["ann"], tmp_path / "report.eml"
        mail.write_bytes(club.received["ann"][-1])
        read, shown = tmp_path / "read.html", tmp_path / "board.html"
        assert (
            CliRunner().invoke(app, ["read", str(mail), "--html", str(read), "--home", str(desk.home)]).exit_code == 0
        )
        assert CliRunner().invoke(app, ["board", "--html", str(shown), "--home", str(desk.home)]).exit_code == 0
        for page in (read, shown):
            assert "You play Ann." in page.read_text("utf-8")
            assert "Entry " in page.read_text("utf-8")
