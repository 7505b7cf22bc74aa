"""Trying a game in the terminal: choosing by number, writing line by line, taking back, leaving."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.ledger import verify


def _play(said: str, *arguments: str) -> str:
    result = CliRunner().invoke(app, ["play", "--seed", "abc", *arguments], input=said)
    assert result.exit_code == 0, result.output
    return result.output


def test_an_order_is_chosen_by_its_number_and_confirmed() -> None:
    output = _play("2\nn\n2\ny\nquit\n", "--game", "hammer", "--seat", "scottish")
    assert output.count("Your order:\n  CARD") == 2, "asked again after “no”"
    assert "the Scots play" in output or "the Scots Move" in output
    assert output.endswith("You have left the game.\n")


def test_a_number_that_is_not_there_is_refused() -> None:
    output = _play("9\n0\nquit\n", "--game", "hammer")
    assert output.count("There is no number") == 2


def test_lines_are_read_one_by_one_and_taken_back() -> None:
    moves = (
        "MOVE Fife: Wallace > Lanark\nMOVE Fife: Wallace > Mentieth\nundo\nundo\nMOVE Fife: Douglas > Angus\nEND\ny\n"
    )
    output = _play(f"2\ny\n{moves}quit\n", "--game", "hammer", "--seat", "scottish")
    assert "line 1: “MOVE Fife: Wallace > Lanark”: there is no border between Fife and Lanark (rule 1.1)" in output
    assert "Taken back: MOVE Fife: Wallace > Mentieth" in output
    assert "Nothing is written yet." in output
    assert "Your order:\n  MOVE Fife: Douglas > Angus\n" in output


def test_the_board_is_shown_on_request() -> None:
    assert _play("board\nquit\n", "--game", "hammer").count("The Highlands") == 2


def test_a_whole_game_leaves_a_log_that_verifies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_GAMES", "examples")
    log = tmp_path / "game.pbem"
    output = _play("1\ny\n" * 40, "--game", "tiny", "--out", str(log))
    assert "wins" in output
    assert verify(log.read_bytes()).verdict == "clean"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--seat", "french"], "There is no seat “french”"),
        (["--against", "genius"], "There is no built-in player “genius”"),
    ],
)
def test_what_is_not_there_is_named(arguments: list[str], said: str) -> None:
    result = CliRunner().invoke(app, ["play", "--game", "hammer", *arguments])
    assert said in str(result.exception)
