"""Ordering in the terminal: choosing by number, writing line by line, taking back, leaving; and a whole game tried at once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.cli.compose import compose
from pbem.cli.play import Sitting
from pbem.games import find
from pbem.ledger import Log, verify
from pbem.page.alone import Solo, beginning
from pbem.reports.choices import choices
from tests.hammer.builder import Table
from tests.hammer.retreats import victory

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


def test_several_numbers_of_a_list_are_one_line() -> None:
    """Each is that of the list that is shown, though the next list would be another."""
    fight = Table({"Fife": "York Infantry"}, {"Fife": "Fraser, Douglas"}).battles(("Fife", "english", "", ""))
    order, output = _compose(fight, "scottish", "9 99\n9 10\n11 14\ny\n")
    assert "  9  Douglas: fire" in output
    assert order == "BATTLE Fife: Douglas RETREAT Atholl, Fraser FIRE"
    assert output.count("cannot come behind the others.") == 2
    assert output.count("BATTLE Fife:") == 1, "nothing is written where one does not fit"


def test_a_standing_answer_of_the_list_brings_its_plans() -> None:
    fight = Table({"Fife": "York Infantry"}, {"Fife": "Fraser, Douglas"}).battles(("Fife", "english", "", ""))
    order, output = _compose(fight, "scottish", "4\ny\n")
    listed = choices(find("hammer"), fight.view("scottish"))
    assert "  4  fire and fight on to the end; stay if we win\n" in output
    assert order == f"{listed[3].order}\nPLAN {listed[3].plans}"
    both = _compose(fight, "scottish", "PLAN BATTLE FIGHT\n4\ny\n")[0]
    assert both == order, "in place of what was written"


def test_enter_takes_what_is_offered_in_a_battle_and_nothing_elsewhere() -> None:
    """Enter gives the answer with “(Enter)” after it. Several numbers fit on one line."""
    fight = Table({"Fife": "York Infantry"}, {"Fife": "Fraser, Douglas"}).battles(("Fife", "english", "", ""))
    order, output = _compose(fight, "scottish", "\ny\n")
    assert "  1  all fire: Douglas and Fraser (Enter)\n" in output
    assert order == "BATTLE Fife: Douglas FIRE, Fraser FIRE"
    order, output = _compose(_moving(), "scottish", "\nquit\n")
    assert (order, output.count("  1  nobody moves\n")) == (None, 2)


def test_what_is_not_signed_is_asked_about_only_where_it_was_not_read_before_it_closed() -> None:
    def played(said: str) -> str:
        with CliRunner().isolation(input=said) as (output, *_):
            assert compose(find("hammer"), _moving().view("scottish"), signs=False)
            return output.getvalue().decode()

    assert "Is that right?" not in played("PASS\n")
    assert "Is that right?" not in played("MOVE Fife: Wallace > Mentieth\nMOVE Fife: Douglas > Angus\n\n")


@pytest.mark.parametrize("signs", [True, False])
def test_presses_of_enter_commit_no_regroup(signs: bool) -> None:
    """The last press may have been meant for the battle before."""
    won = victory({"Lanark": "York Infantry, Hobelars"}, {"Carrick": "Wallace"}, "Lanark")
    with CliRunner().isolation(input="\n\n\n") as (output, *_):
        assert compose(find("hammer"), won.view("english"), signs=signs) is None
        assert "(Enter)" not in output.getvalue().decode()


def _sits(solo: Solo, said: str) -> str:
    with CliRunner().isolation(input=said) as (output, *_):
        Sitting(solo).play(None)
        return " ".join(output.getvalue().decode().split())


def test_undo_before_anything_is_written_takes_the_last_answer_back() -> None:
    """In a game alone, `undo` and the page take an answer back until dice, cards or hidden blocks are shown."""
    solo = Solo(None, beginning(find("hammer"), {"years": 1}, "scottish", "sensible", "5eed"))
    before = ""
    while solo.back is None:
        if solo.more:
            solo.go_on()
        else:
            before = solo.pack.look.question(solo.view)
            assert "(undo ? board" not in _sits(solo, "undo\nquit\n")
            solo.answer(str(solo.pack.look.advice(solo.view)))
    now = solo.pack.look.question(solo.view)
    said = _sits(solo, "undo\nquit\n")
    first, taken, then = said.partition("Your last answer is taken back.")
    assert taken
    assert "Number or order (undo ? board plan quit)" in first
    assert " ".join(now.split()) in first
    assert " ".join(before.split()) in then
    assert "all agreed" not in said
    assert solo.pack.look.question(solo.view) == before


@pytest.mark.slow
def test_what_has_one_answer_is_given_and_said() -> None:
    solo = Solo(None, beginning(find("hammer"), {"years": 1}, "scottish", "sensible", "1"))
    while not solo.only:
        if solo.more:
            solo.go_on()
        else:
            solo.answer(str(solo.pack.look.advice(solo.view)))
    only = solo.only
    said = _sits(solo, "quit\n")
    assert f"You have only one answer: {only}." in said
    assert said.index("You have only one answer") < said.index("Number or order")


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
    arguments = ["play", "--seed", "abc", "--game", "tiny", "--out", str(log), "--no-keep"]
    result = CliRunner().invoke(app, arguments, input="1\ny\n" * 40)
    assert result.exit_code == 0, result.output
    assert verify(log.read_bytes()).verdict == "clean"


@pytest.mark.variants
@pytest.mark.parametrize("game", ["hammer", "lords", "tiny"])
def test_the_log_of_a_game_that_goes_on_hides_what_its_player_may_not_see(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_GAMES", "examples")
    log = tmp_path / "game.pbem"
    arguments = ["play", "--seed", "abc", "--game", game, "--out", str(log), "--no-keep"]
    left = CliRunner().invoke(app, arguments, input="1\ny\nquit\nquit\n")
    assert "Your copy of the log is in" in left.output
    seats = Log.parse(log.read_bytes()).entries[0].fields["seats"]
    (mine,) = (seat for seat in seats if verify(log.read_bytes(), seat).verdict == "unfinished")
    seals = [
        line for line in map(json.loads, log.read_bytes().splitlines()) if isinstance(line, list) and line[0] == "seal"
    ]
    assert seals
    assert not [seal for seal in seals if seal[4] in seats and seal[4] != mine], (
        "nothing that another seat was told is open"
    )


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A folder of nobody yet, and the small game."""
    monkeypatch.setenv("PBEM_GAMES", "examples")
    return ["--home", str(tmp_path / "desk")]


def test_help_is_a_command_too() -> None:
    """`pbem help`. You can name a seat as the game names it."""
    assert CliRunner().invoke(app, ["help"]).output == CliRunner().invoke(app, ["--help"]).output
    assert "Wait for mail at every way in" in CliRunner().invoke(app, ["help", "host", "run"]).output
    assert "There is no command “fly”" in str(CliRunner().invoke(app, ["help", "fly"]).exception)


def test_leaving_a_game_is_said() -> None:
    result = CliRunner().invoke(app, ["play", "--game", "hammer", "--no-keep"], input="quit\n")
    assert result.output.endswith("You have left the game.\n")


@pytest.mark.slow
def test_a_seat_is_named_as_its_game_names_it() -> None:
    for name in ("Scots", "the scots", "SCOTTISH", "scot"):
        result = CliRunner().invoke(app, ["play", "--game", "hammer", "--no-keep", "--seat", name], input="quit\n")
        assert "you play the Scots" in result.output


@pytest.mark.slow
def test_who_left_a_game_is_asked_whether_he_goes_on(home: list[str]) -> None:
    """However he left it: the end of his input is what Ctrl-C and a crash are."""
    CliRunner().invoke(app, ["play", "--game", "tiny", *home], input="1\ny\n1\n")
    asked = CliRunner().invoke(app, ["play", *home], input="y\nquit\n")
    assert "You have left a game of Tiny as Ann, on " in asked.output
    assert "in turn 1?" not in asked.output
    another = CliRunner().invoke(app, ["play", *home], input="n\nquit\n")
    assert "Hammer of the Scots: you play the English" in another.output
    told = CliRunner().invoke(app, ["play", "--game", "tiny", *home], input="quit\n")
    assert "Continue?" not in told.output, "who says what he wants is not asked"
    new = CliRunner().invoke(app, ["play", "--new", *home], input="quit\n")
    assert "Continue?" not in new.output


@pytest.mark.slow
def test_a_kept_game_that_is_damaged_is_in_nobodys_way(home: list[str]) -> None:
    CliRunner().invoke(app, ["play", "--game", "tiny", *home], input="quit\n")
    (kept,) = (Path(home[1]) / "alone").iterdir()
    kept.write_text("{}\n")
    assert "cannot be read" in str(CliRunner().invoke(app, ["play", "--go-on", *home]).exception)
    assert "Hammer of the Scots: you play" in CliRunner().invoke(app, ["play", *home], input="quit\n").output


@pytest.mark.slow
def test_a_game_that_is_kept_goes_on(tmp_path: Path, home: list[str]) -> None:
    """After quit, Ctrl-C or a crash."""
    begun = CliRunner().invoke(app, ["play", "--game", "tiny", *home], input="1\ny\n1\ny\nquit\n")
    assert begun.output.endswith("You have left the game. “pbem play” continues it.\n")
    log = tmp_path / "game.pbem"
    went_on = CliRunner().invoke(app, ["play", "--go-on", "--out", str(log), *home], input="1\ny\n" * 40)
    assert went_on.exit_code == 0, went_on.output
    assert "in turn 1?" not in went_on.output
    assert "wins" in went_on.output or "level" in went_on.output
    assert verify(log.read_bytes()).verdict == "clean"
    assert not (tmp_path / "desk" / "key").exists()


def test_where_nothing_is_kept_nothing_goes_on(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["play", "--go-on", "--home", str(tmp_path)])
    assert "No game is left unfinished in" in str(result.exception)


@pytest.mark.variants
@pytest.mark.parametrize(
    "more", [["--game", "tiny"], ["--against", "easy"], ["--seed", "5"], ["--option", "turns=1"], ["--no-keep"]]
)
def test_what_begins_a_game_does_not_go_with_going_on(more: list[str], home: list[str]) -> None:
    CliRunner().invoke(app, ["play", "--game", "tiny", *home], input="quit\n")
    refused = CliRunner().invoke(app, ["play", "--go-on", *more, *home], input="quit\n")
    assert str(refused.exception) == (
        f"--go-on continues a game as it was started; it cannot be combined with {more[0]}."
    )


@pytest.mark.slow
def test_who_names_his_opponent_begins_another_game(home: list[str]) -> None:
    CliRunner().invoke(app, ["play", "--game", "tiny", *home], input="quit\n")
    begun = CliRunner().invoke(app, ["play", "--against", "Easy", *home], input="quit\n")
    assert "Continue?" not in begun.output
    assert "you play the English, against a sensible player." in begun.output


@pytest.mark.slow
def test_the_end_of_input_where_going_on_is_asked_leaves_the_game(home: list[str]) -> None:
    CliRunner().invoke(app, ["play", "--game", "tiny", *home], input="quit\n")
    left = CliRunner().invoke(app, ["play", *home], input="")
    assert (left.exit_code, left.output.endswith("\nYou have left the game. “pbem play” continues it.\n")) == (
        0,
        True,
    )
    assert CliRunner().invoke(app, ["play", *home], input="y\nquit\n").output.count("You have left a game of Tiny") == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--players", "3"], "there is no option “players”. Its options"),
        (["--seat", "french"], "There is no seat “french”"),
        (["--against", "genius"], "There is no built-in player “genius”"),
        (["--option", "rally"], "“rally” is not an option; write --option name=value."),
        (["--option", "rally=true", "--option", "rally=false"], "The option rally is given twice."),
        (["--scenario", "bruce", "--option", "scenario=campaign"], "The option scenario is given twice."),
        (["--edition", "2.4"], "edition is 4.0 or 2.3, not “2.4”."),
    ],
)
def test_what_is_not_there_is_named(arguments: list[str], said: str) -> None:
    result = CliRunner().invoke(app, ["play", "--game", "hammer", "--no-keep", *arguments])
    assert said in str(result.exception)


@pytest.mark.slow
def test_the_board_is_drawn_where_a_turn_begins_and_above_its_news(home: list[str]) -> None:
    """The order is board, news, question. Within a turn the question fits on a screen."""
    typed = "1\nPASS\nquit\n"
    said = (
        CliRunner()
        .invoke(
            app, ["play", "--game", "hammer", "--seat", "Scots", "--seed", "4", *home], input=typed, env={"LINES": "60"}
        )
        .output
    )
    first, act, second = said.split("Number or order")[:3]
    assert first.index("The map, with E for English") < first.index("Cards:") < first.index("Both cards are revealed")
    assert "The map, with E" not in act
    assert act.count("\n") < 50
    assert "The map, with E" not in second or "Game Turn 2" in second
    again = CliRunner().invoke(app, ["play", "--go-on", *home], input="quit\n", env={"LINES": "120"}).output
    assert "The map, with E for English" in again
