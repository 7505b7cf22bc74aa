"""`pbem puzzle`: lists puzzles, shows one as its seat sees it, judges an order, tells what refutes it."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner, Result

from pbem.cli.app import app
from pbem.errors import OrderError, UsageError
from pbem.games import find, shipped
from pbem.games.puzzles import kept
from tests.project.source import ROOT

GAMES = [name for name in shipped() if kept(find(name))]


@pytest.fixture(autouse=True)
def with_tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_GAMES", str(ROOT / "examples"))


def puzzle(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["puzzle", *map(str, arguments)])


def test_all_are_listed_or_those_of_a_game() -> None:
    listed = puzzle().output
    for name in GAMES:
        assert listed.count(f"{name} ") >= len(kept(find(name)))
        assert f"{name}   1  {find(name).look.seat_name(kept(find(name))[0].seat)} to move." in puzzle(name).output
    assert "There are no puzzles of this game." in puzzle("tiny").output


@pytest.mark.parametrize("game", GAMES)
def test_it_shows_what_the_seat_sees_and_nothing_else(game: str) -> None:
    for one in kept(find(game)):
        placed = one.placed()
        shown, view = puzzle(game, one.number).output, placed.pack.rules.view(placed.state, one.seat)
        assert placed.pack.look.board(placed.pack.rules.read_view(view)) in shown
        assert one.task in " ".join(shown.split())
        assert all(win not in shown for win in one.wins)


@pytest.mark.parametrize("game", GAMES)
def test_an_answer_is_judged_and_a_refutation_told(game: str) -> None:
    one = kept(find(game))[0]
    won = puzzle(game, one.number, *one.wins[0].split("\n"))
    assert (won.exit_code, "wins, whatever you cannot see" in won.output) == (0, True)
    view = one.prover().view
    wrong = next(order for order in one.pack.rules.options(view) if str(order) not in one.wins)
    lost = puzzle(game, one.number, *str(wrong).split("\n"))
    assert (lost.exit_code, "does not win for certain" in lost.output) == (1, True)
    assert lost.output == puzzle(game, one.number, *str(wrong).split("\n")).output
    solved = puzzle(game, one.number, "--answer").output
    assert all(win.replace("\n", "; ") in solved for win in one.wins)
    assert one.found in solved


def test_words_need_no_quotes() -> None:
    one = next(one for one in kept(find("lords")) if "\n" not in one.wins[0])
    assert puzzle("lords", one.number, *one.wins[0].lower().split()).exit_code == 0


def test_what_is_no_puzzle_or_no_order_is_refused() -> None:
    assert "numbered from 1 to" in str(puzzle("lords", 1000).exception)
    none = puzzle("tiny", 1).exception
    assert isinstance(none, UsageError)
    assert "There are no puzzles of" in str(none)
    assert isinstance(puzzle("lords", 1, "MUSTER", "Bruce", "b").exception, OrderError)
    assert isinstance(puzzle("chess").exception, UsageError)
