"""`pbem board`: a position from a file is shown and written in its other form; what is no position is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from pbem.cli.app import app
from pbem.errors import FormError, OrderError, PbemError, UsageError
from pbem.games import find
from tests.conformance import play
from tests.hammer.setting_up import PUZZLE
from tests.lords.setting_up import PUZZLE as LORDS
from tests.project.source import ROOT


@pytest.fixture(autouse=True)
def with_tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_GAMES", str(ROOT / "examples"))


def board(said: str, *arguments: str) -> Result:
    return CliRunner().invoke(app, ["board", "--from", "-", *arguments], input=said)


def written(said: str, form: str, *arguments: str) -> str:
    result = board(said, "--as", form, *arguments)
    assert result.exit_code == 0, result.exception
    return result.output


def refused(said: str, *arguments: str) -> PbemError:
    error = board(said, *arguments).exception
    assert isinstance(error, PbemError), error
    return error


def test_a_seat_sees_its_own_and_nobody_sees_everything(tmp_path: Path) -> None:
    file = tmp_path / "puzzle.txt"
    file.write_text(PUZZLE, "utf-8")
    shown = CliRunner().invoke(app, ["board", "--from", str(file), "--seat", "scottish"]).output
    assert "Douglas 3/4" in shown
    assert "York Infantry 2/4" not in shown
    whole = CliRunner().invoke(app, ["board", "--from", str(file)]).output
    assert whole.index("== Seen by the English ==") < whole.index("York Infantry 2/4") < whole.index("Douglas 3/4")


def test_text_and_json_come_back() -> None:
    text = written(PUZZLE, "text")
    made = written(PUZZLE, "json")
    assert written(text, "text") == text
    assert written(made, "text") == text
    assert written(made, "json") == made
    assert json.loads(made)["options"]["scenario"] == "braveheart"


def test_the_first_word_of_a_text_says_whose_position_it_is() -> None:
    text = written(LORDS, "text")
    assert written(written(LORDS, "json"), "text") == text
    assert "Scott 10 face-down" in board(LORDS, "--seat", "carrick").output
    assert "Scott 10" not in board(LORDS, "--seat", "angus").output


def test_a_position_alone_belongs_to_the_game_named() -> None:
    rules = find("tiny").rules
    position = rules.dump(play(rules, {}, 1, limit=3).stops[-1].state)
    made = json.loads(written(json.dumps(position), "json", "--game", "tiny"))
    assert made == {"game": "tiny", "version": 1, "options": rules.read_options({}).model_dump(), "position": position}
    assert "== Seen by" in board(json.dumps(made)).output
    assert "no positions in words" in str(refused(json.dumps(made), "--as", "text"))


def test_the_middle_of_a_battle_is_read_from_json_only() -> None:
    stops = play(find("hammer").rules, {}, 1).stops
    state = next(stop.state for stop in stops if any(frame.at == "battle" for frame in stop.state.stack))
    position = json.dumps(find("hammer").rules.dump(state))
    assert json.loads(written(position, "json", "--game", "hammer"))["position"] == json.loads(position)
    assert "JSON form only" in str(refused(position, "--as", "text", "--game", "hammer"))


@pytest.mark.parametrize(
    ("said", "arguments", "kind", "says"),
    [
        ("", (), FormError, "the file says nothing"),
        ("CHESS 1", (), UsageError, "There is no game “chess”"),
        ("TINY 1", (), UsageError, "no positions in words"),
        ("{nonsense", (), FormError, "not JSON"),
        ('{"game": "hammer"}', (), FormError, "has the fields game, version, options, position"),
        ('{"game": "tiny", "version": 9, "options": {}, "position": {}}', (), FormError, "in version 1 of its rules"),
        ('{"game": "tiny", "version": 1, "options": 3, "position": {}}', (), FormError, "an object"),
        ("{}", ("--game", "hammer"), FormError, "The board of a position has the fields"),
        (PUZZLE.replace("Douglas", "Nobody"), (), OrderError, "line 6: “Nobody”"),
        (PUZZLE, ("--seat", "french"), UsageError, "its seats are english, scottish"),
        (PUZZLE, ("--seat", "english", "--as", "text"), UsageError, "not both"),
    ],
)
def test_what_is_no_position_is_refused(said: str, arguments: tuple[str, ...], kind: type, says: str) -> None:
    error = refused(said, *arguments)
    assert isinstance(error, kind)
    assert says in str(error)


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"\xff\xfe\xff")
    error = CliRunner().invoke(app, ["board", "--from", str(tmp_path / "x")]).exception
    assert isinstance(error, FormError)


@pytest.mark.slow
def test_a_position_is_drawn_into_files(tmp_path: Path) -> None:
    svg, png = tmp_path / "map.svg", tmp_path / "map.png"
    result = board(PUZZLE, "--seat", "scottish", "--svg", str(svg), "--png", str(png))
    assert result.output == f"Written: {svg}\nWritten: {png}\n"
    drawn = svg.read_text("utf-8")
    assert "hm-block-douglas" in drawn
    assert "hm-block-york-infantry" not in drawn
    assert png.read_bytes().startswith(b"\x89PNG")
    board(PUZZLE, "--svg", str(svg))
    assert "hm-block-york-infantry" in svg.read_text("utf-8")


def test_what_cannot_be_drawn_is_said(tmp_path: Path) -> None:
    assert "not both" in str(refused(PUZZLE, "--as", "text", "--svg", str(tmp_path / "map.svg")))
    tiny = find("tiny").rules
    position = json.dumps(tiny.dump(play(tiny, {}, 1, 3).stops[-1].state))
    assert "draws no picture" in str(refused(position, "--game", "tiny", "--svg", str(tmp_path / "map.svg")))


def test_a_position_is_a_page_with_what_each_side_sees(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert board(PUZZLE, "--html", str(page)).output == f"Written: {page}\n"
    html = page.read_text("utf-8")
    assert html.index("Seen by the English") < html.index("Seen by the Scots")
    assert html.count("<svg") == 1
    board(PUZZLE, "--seat", "scottish", "--html", str(page))
    assert "York Infantry" not in page.read_text("utf-8")
