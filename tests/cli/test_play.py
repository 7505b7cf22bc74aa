"""Ordering in the terminal: choosing by number, writing line by line, taking back, leaving; and a whole game tried at once."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.cli.compose import compose
from pbem.games import find
from pbem.ledger import verify
from tests.hammer.builder import Table

SCOTS = {"Fife": "Wallace, Douglas", "Moray": "Moray"}


def _compose(table: Table, seat: str, said: str) -> tuple[str | None, str]:
    """Let a person at the terminal say `said`; return the order and what was printed."""
    with CliRunner().isolation(input=said) as (output, *_):
        order = compose(find("hammer"), table.view(seat))
        return order, output.getvalue().decode()


def _moving() -> Table:
    return Table({"Dunbar": "Dunbar"}, SCOTS).turn("Move 1", "Move 2")


def test_an_order_is_chosen_by_its_number_and_confirmed() -> None:
    table = Table({"Lanark": "Steward", "Angus": "Angus"}, SCOTS).turn("Herald", "Move 2")
    order, output = _compose(table, "english", "1\nn\n1\ny\n")
    assert order is not None
    assert order in output
    assert output.count(f"Your order:\n  {order}\n") == 2, "asked again after “no”"


def test_a_number_that_is_not_there_is_refused() -> None:
    table = Table({"Lanark": "Steward", "Angus": "Angus"}, SCOTS).turn("Herald", "Move 2")
    order, output = _compose(table, "english", "99\n0\nquit\n")
    assert order is None
    assert output.count("There is no number") == 2


def test_lines_are_read_one_by_one_and_taken_back() -> None:
    moves = (
        "MOVE Fife: Wallace > Lanark\nMOVE Fife: Wallace > Mentieth\nundo\nundo\nMOVE Fife: Douglas > Angus\nEND\ny\n"
    )
    order, output = _compose(_moving(), "scottish", moves)
    assert order == "MOVE Fife: Douglas > Angus"
    assert "line 1: “MOVE Fife: Wallace > Lanark”: there is no border between Fife and Lanark (rule 1.1)" in output
    assert "Taken back: MOVE Fife: Wallace > Mentieth" in output
    assert "Nothing is written yet." in output


def test_an_order_closed_too_soon_is_refused_and_goes_on() -> None:
    order, output = _compose(_moving(), "scottish", "END\nPASS\nEND\ny\n")
    assert order == "PASS"
    assert "there is no order here" in output


def test_question_and_board_are_shown_on_request() -> None:
    order, output = _compose(_moving(), "scottish", "board\nhelp\nquit\n")
    assert order is None
    assert output.count("The Highlands") == 1
    assert output.count("You have played Move 2") == 2


def test_a_whole_game_leaves_a_log_that_verifies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_GAMES", "examples")
    log = tmp_path / "game.pbem"
    arguments = ["play", "--seed", "abc", "--game", "tiny", "--out", str(log)]
    result = CliRunner().invoke(app, arguments, input="1\ny\n" * 40)
    assert result.exit_code == 0, result.output
    assert verify(log.read_bytes()).verdict == "clean"


def test_leaving_a_game_is_said() -> None:
    result = CliRunner().invoke(app, ["play", "--game", "hammer"], input="quit\n")
    assert result.output.endswith("You have left the game.\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--seat", "french"], "There is no seat “french”"),
        (["--against", "genius"], "There is no built-in player “genius”"),
        (["--option", "rally"], "“rally” is no option; write --option name=value."),
        (["--option", "rally=true", "--option", "rally=false"], "The option rally is given twice."),
        (["--scenario", "bruce", "--option", "scenario=campaign"], "The option scenario is given twice."),
        (["--edition", "2.4"], "edition is 4.0 or 2.3, not “2.4”."),
    ],
)
def test_what_is_not_there_is_named(arguments: list[str], said: str) -> None:
    result = CliRunner().invoke(app, ["play", "--game", "hammer", *arguments])
    assert said in str(result.exception)
