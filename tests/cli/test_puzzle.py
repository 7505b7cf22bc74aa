"""`pbem puzzle`: lists puzzles, shows one as its seat sees it, judges an order, tells what refutes it."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

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
        seat = find(name).look.seat_name(kept(find(name))[0].seat)
        assert f"{name}   1  {seat[:1].upper()}{seat[1:]} to move." in puzzle(name).output
    assert "There are no puzzles for this game." in puzzle("tiny").output


@pytest.mark.variants
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
    said = "wins, whatever you cannot see" if one.chance is None else "does it for certain"
    assert (won.exit_code, said in won.output) == (0, True)
    view = one.prover().view
    wrong = next(order for order in one.pack.rules.options(view) if str(order) not in one.wins)
    lost = puzzle(game, one.number, *str(wrong).split("\n"))
    said = "does not win for certain" if one.chance is None else "another order for certain"
    assert (lost.exit_code, said in lost.output) == (1, True)
    assert lost.output == puzzle(game, one.number, *str(wrong).split("\n")).output
    solved = puzzle(game, one.number, "--answer").output
    assert all(win.replace("\n", "; ") in solved for win in one.wins)
    assert one.found in solved


@pytest.mark.slow
def test_a_chance_is_told_exactly_and_beside_the_best() -> None:
    one = next(one for one in kept(find("hammer")) if one.chance is not None and one.chance < 1)
    assert one.chance is not None
    best = f"{one.chance} ({round(one.chance * 100)} %)"
    right = puzzle("hammer", one.number, *one.wins[0].split())
    assert (right.exit_code, f"has the best chance: {best}." in " ".join(right.output.split())) == (0, True)
    wrong = next(order for order in one.pack.rules.options(one.prover().view) if str(order) not in one.wins)
    told = puzzle("hammer", one.number, *str(wrong).split())
    assert (told.exit_code, f"the best order with {best}." in " ".join(told.output.split())) == (1, True)
    assert best in puzzle("hammer", one.number, "--answer").output
    assert "Find the best chance." in puzzle("hammer", one.number).output


def test_a_position_is_drawn(tmp_path: Path) -> None:
    """Also beside what wins; without a number there is nothing to draw, and nothing that wins."""
    for n, more in enumerate(((), ("--answer",), kept(find("hammer"))[0].wins[0].split())):
        drawn = puzzle("hammer", 1, *more, "--svg", tmp_path / f"{n}.svg")
        assert drawn.exit_code == 0
        assert ("wins" in drawn.output or "for certain" in drawn.output) == bool(more)
        assert (tmp_path / f"{n}.svg").read_text("utf-8").startswith("<svg")
    for option in (["--svg", tmp_path / "none.svg"], ["--answer"]):
        assert "Say which puzzle" in str(puzzle("hammer", *option).exception)
    assert not (tmp_path / "none.svg").exists()


def test_in_french_one_seat_or_an_army_is_to_move(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_LANGUAGE", "fr")
    assert "Les Anglais au trait." in puzzle("hammer").output
    one = kept(find("hammer"))[1]
    wrong = next(order for order in one.pack.rules.options(one.prover().view) if str(order) not in one.wins)
    assert f"les Anglais\N{NO-BREAK SPACE}: {wrong}" in puzzle("hammer", 2, *str(wrong).split()).output


@pytest.mark.slow
def test_every_order_of_the_page_can_be_given() -> None:
    page = (ROOT / "docs/how-to/solve-a-puzzle.md").read_text("utf-8")
    typed = [shlex.split(line, comments=True) for line in re.findall(r"pbem puzzle ([a-z]+ \d+ [^\n`]+)", page)]
    given = [words for words in typed if words[2:] and not words[2].startswith("--")]
    assert len(given) >= 2
    for words in given:
        judged = puzzle(*words)
        assert (judged.exception is None or isinstance(judged.exception, SystemExit), words) == (True, words)


def test_words_need_no_quotes() -> None:
    one = next(one for one in kept(find("lords")) if "\n" not in one.wins[0])
    assert puzzle("lords", one.number, *one.wins[0].lower().split()).exit_code == 0


def test_what_is_no_puzzle_or_no_order_is_refused() -> None:
    assert "numbered from 1 to" in str(puzzle("lords", 1000).exception)
    none = puzzle("tiny", 1).exception
    assert isinstance(none, UsageError)
    assert "There are no puzzles for" in str(none)
    assert isinstance(puzzle("lords", 1, "MUSTER", "Bruce", "b").exception, OrderError)
    assert isinstance(puzzle("chess").exception, UsageError)


def test_an_order_is_not_dropped_where_the_answer_is_shown() -> None:
    refused = puzzle("lords", 3, "RECRUIT", 1, "--answer")
    assert str(refused.exception) == "--answer shows what wins, and judges no order: leave one of them out."
