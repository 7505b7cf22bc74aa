"""In a terminal the board is drawn, and an order is composed by touches; whatever is no terminal reads plain text."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli import screen
from pbem.cli.app import app
from pbem.cli.compose import compose
from pbem.games import find
from tests.hammer.builder import Table
from tests.hammer.golden import compare
from tests.hammer.setting_up import PUZZLE
from tests.host.post import a_club
from tests.project.source import ROOT

COAST = "╭╯"


@pytest.fixture(autouse=True)
def with_tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_GAMES", str(ROOT / "examples"))


@pytest.fixture
def at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the program believe that a person with 80 columns is there; nothing is coloured, as nothing shows colours here."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(screen, "in_colour", lambda columns=80: columns <= 80)


class Terminal(io.StringIO):
    """What is printed to a terminal of some encoding."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


class OldTerminal(Terminal):
    encoding = "latin-1"


@pytest.fixture
def env(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """What a terminal of 80 columns says of itself."""
    for name, value in (("NO_COLOR", ""), ("TERM", "xterm"), ("COLUMNS", "80"), ("LINES", "50")):
        monkeypatch.setenv(name, value)
    return monkeypatch


def test_a_stranger_s_long_line_has_a_mark_where_the_terminal_would_fold_it(env: pytest.MonkeyPatch) -> None:
    """Otherwise the end of the line would look like the program's own."""
    terminal = Terminal()
    env.setattr(sys, "stdout", terminal)
    screen.quote(
        "hello " + "." * 72 + "WARNING: your key is lost\n\n" + "x" * 200 + "\n" + "中" * 100 + "\n" + "\x1b\t" * 90
    )
    lines = terminal.getvalue().removesuffix("\n").split("\n")
    assert all(line.startswith("| ") for line in lines)
    assert all(len(line) + line.count("中") <= 80 for line in lines)
    assert "| " in lines, "an empty line is one"


def _seen(env: pytest.MonkeyPatch, out: io.StringIO, columns: int = 80) -> bool:
    with env.context() as patch:
        patch.setattr(sys, "stdout", out)
        return screen.in_colour(columns)


def test_a_terminal_shows_colours(env: pytest.MonkeyPatch) -> None:
    assert _seen(env, Terminal())
    assert not _seen(env, Terminal(), 100)


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb"), ("COLUMNS", "79")])
def test_what_its_owner_or_the_window_says_is_heeded(env: pytest.MonkeyPatch, name: str, value: str) -> None:
    env.setenv(name, value)
    assert not _seen(env, Terminal())


def test_a_terminal_without_the_letters_shows_none_of_them(env: pytest.MonkeyPatch) -> None:
    assert not _seen(env, OldTerminal())


def test_what_is_piped_is_plain(env: pytest.MonkeyPatch) -> None:
    assert not _seen(env, io.StringIO())


def test_styles_become_colours(env: pytest.MonkeyPatch) -> None:
    out = Terminal()
    with env.context() as patch:
        patch.setattr(sys, "stdout", out)
        screen.show_position(find("hammer").look, _moving().view("scottish"))
    assert "\x1b[94mWallace 4" in out.getvalue()
    assert "\x1b[1;91mE1\x1b[0m" in out.getvalue()
    assert COAST in out.getvalue()


# The commands


def test_a_position_in_a_file_is_drawn(at_a_terminal: None, tmp_path: Path) -> None:
    (tmp_path / "puzzle.txt").write_text(PUZZLE, "utf-8")
    result = CliRunner().invoke(app, ["board", "--from", str(tmp_path / "puzzle.txt"), "--seat", "scottish"])
    assert result.exit_code == 0, result.exception
    assert COAST in result.output
    assert "Douglas 3" in result.output
    assert "York Inf" not in result.output


def test_a_player_sees_his_game_at_a_glance(at_a_terminal: None, tmp_path: Path) -> None:
    with a_club(tmp_path) as club:
        desk, mail = club.begin().desks["ann"], tmp_path / "report.eml"
        mail.write_bytes(club.received["ann"][-1])
        assert CliRunner().invoke(app, ["read", str(mail), "--home", str(desk.home)]).exit_code == 0
        shown = CliRunner().invoke(app, ["board", "--home", str(desk.home)]).output
    assert shown.startswith("Tiny, game ")
    assert "You play Ann." in shown
    assert "Which card do you play" in shown
    assert "Asked at the same time: Bob." in shown
    assert shown.endswith("“pbem order” composes your answer step by step.\n")


@pytest.mark.slow
def test_a_sitting_begins_with_the_map(at_a_terminal: None) -> None:
    begins = ["play", "--game", "hammer", "--no-keep"]
    assert COAST in CliRunner().invoke(app, begins, input="quit\n", env={"LINES": "120"}).output, (
        "where it fits on the screen"
    )
    assert (
        "“board” shows the whole board" in CliRunner().invoke(app, begins, input="quit\n", env={"LINES": "24"}).output
    )
    assert "Number or order" in CliRunner().invoke(app, ["play", "--game", "tiny", "--no-keep"], input="quit\n").output


# Composing


def _moving() -> Table:
    return Table({"Dunbar": "Dunbar"}, {"Fife": "Wallace, Douglas", "Moray": "Moray"}).turn("Move 1", "Move 2")


def _compose(said: str) -> tuple[str | None, str]:
    with CliRunner().isolation(input=said) as (output, *_):
        order = compose(find("hammer"), _moving().view("scottish"))
        return order, output.getvalue().decode()


TYPED = """\
?
MOVE Fife: Wallace > Lanark
MOVE Fife: ALL > Mentieth > Lothian
?
undo
MOVE Fife: Wallace > Mentieth > Lothian > Dunbar MAIN
END
n
MOVE Moray: Moray > Strathspey
END
y
"""


def test_a_move_is_composed_and_mended_before_it_is_signed(at_a_terminal: None) -> None:
    order, output = _compose(TYPED)
    assert order == "MOVE Fife: Wallace > Mentieth > Lothian > Dunbar MAIN\nMOVE Moray: Moray > Strathspey"
    compare("composing.txt", output)


PLANNED = """\
plan
1
back
battle
mentieth
99
d
defending
retreat
lennox, fife
if
round 3, odds below 1:3
back
2 6
back
2 2
2 6
fight
hits, douglas, any
regroup, stay

y
keep
2
back
any, moray
yes
n
plan
quit
unplan
PLAN KEEP ANY
MOVE Fife: Wallace > Mentieth
END
y
"""


def test_a_plan_is_made_word_by_word_in_an_order(at_a_terminal: None) -> None:
    order, output = _compose(PLANNED)
    compare("planning.txt", output)
    assert order == (
        "MOVE Fife: Wallace > Mentieth\n"
        "PLAN BATTLE Mentieth DEFENDING: RETREAT Lennox, Fife IF ROUND 3 OR ODDS BELOW 1:2; FIGHT; "
        "HITS Douglas, ANY; REGROUP STAY\n"
        "PLAN KEEP ANY"
    )


def test_another_game_makes_its_plans_alike_and_shows_them(tmp_path: Path) -> None:
    typed = "plans\nplan\nbank\n\nplans\nplan\nquit\n"
    shown = CliRunner().invoke(app, ["play", "--game", "tiny", "--no-keep"], input=typed).output
    assert "There are no plans; " in shown
    assert "Keep it? (yes back quit)" in shown
    assert shown.count("\nPLAN ACT BANK") == 3, "there is nothing else to plan"


def test_a_long_refusal_is_folded_between_words(at_a_terminal: None) -> None:
    _, output = _compose("MOVE Nowhere: Wallace > Angus\nquit\n")
    said = output[output.index("line 1:") :].split("\nLine 1")[0].split("\n")
    assert len(said) > 1
    assert all(len(line) <= 80 for line in said)
    assert "Possible: MOVE Fife: Wallace > Angus, or " in " ".join(line.strip() for line in said)


def test_help_asks_again_and_the_board_is_drawn(at_a_terminal: None) -> None:
    order, output = _compose("help\nboard\nquit\n")
    assert order is None
    assert output.count("You have played Move 2") == 2
    assert COAST in output


def test_what_is_said_to_the_program_may_be_said_in_french(at_a_terminal: None) -> None:
    """`aide` and `fin`."""
    order, output = _compose("aide\ncarte\nMOVE Fife: Wallace > Mentieth\nannuler\nquitter\n")
    assert order is None
    assert output.count("You have played Move 2") == 2
    assert COAST in output
    assert "Taken back: MOVE Fife: Wallace > Mentieth" in output
    order, _output = _compose("MOVE Fife: Wallace > Mentieth\nfin\ny\n")
    assert order == "MOVE Fife: Wallace > Mentieth"


def test_without_a_terminal_an_order_is_composed_alike() -> None:
    order, output = _compose("?\nMOVE Fife: Wallace > Mentieth\nEND\ny\n")
    assert order == "MOVE Fife: Wallace > Mentieth"
    assert "\n  5  Wallace in Fife (up to 3 areas)" in output
    assert "Your order:\n" in output
