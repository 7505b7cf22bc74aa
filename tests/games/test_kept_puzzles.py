"""The puzzles that come with games: each is proved anew, and what is told of other orders is played by the rules."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest

from bench.puzzles import added
from pbem.games import find, shipped
from pbem.games.bot import steady
from pbem.games.proving import Proves
from pbem.games.puzzles import Puzzle, kept
from pbem.kernel import Game

PUZZLES = [puzzle for name in shipped() for puzzle in kept(find(name))]
RECKONED = [puzzle for puzzle in PUZZLES if puzzle.chance is not None]


def _called(puzzle: Puzzle) -> str:
    return f"{puzzle.pack.rules.id} {puzzle.number}"


@cache
def _prover(game: str, number: int) -> Proves:
    return kept(find(game))[number - 1].prover()


def _proves(puzzle: Puzzle) -> Proves:
    return _prover(puzzle.pack.rules.id, puzzle.number)


def test_each_game_has_some() -> None:
    assert {puzzle.pack.rules.id for puzzle in PUZZLES} == {"hammer", "lords", "swords"}
    for game, least in (("hammer", 8), ("lords", 10), ("swords", 4)):
        assert len(kept(find(game))) >= least


@pytest.mark.variants
@pytest.mark.parametrize("puzzle", RECKONED, ids=_called)
def test_the_answers_are_the_best_and_no_other_order_is(puzzle: Puzzle) -> None:
    found = _proves(puzzle).proof()
    assert tuple(map(str, found.wins)) == puzzle.wins
    assert len(found.wins) + len(found.refuted) == puzzle.orders
    assert (found.chance, found.next < found.chance) == (puzzle.chance, True)
    assert found.steps <= 5_000, "a proof is short"


@pytest.mark.parametrize("puzzle", RECKONED, ids=_called)
def test_who_stays_silent_has_not_found_it(puzzle: Puzzle) -> None:
    assert str(puzzle.pack.rules.default(_proves(puzzle).view)) not in puzzle.wins


@pytest.mark.parametrize("puzzle", RECKONED, ids=_called)
def test_what_refutes_an_order_begins_with_it_and_an_answer_has_nothing_of_the_kind(puzzle: Puzzle) -> None:
    game: Game = puzzle.pack.rules
    prover = _proves(puzzle)
    wrong = next(order for order in game.options(prover.view) if str(order) not in puzzle.wins)
    line = prover.against(wrong)
    assert line is not None
    assert (line[0].seat, line[0].order) == (puzzle.seat, wrong)
    assert any(move.facts for move in line)
    right = game.parse(prover.view, puzzle.wins[0])
    assert prover.against(right) is None


def test_which_the_easy_player_finds_is_as_the_page_says() -> None:
    found = [
        (puzzle.pack.rules.id, puzzle.number)
        for puzzle in PUZZLES
        if str(steady(puzzle.pack.bots["sensible"](), _proves(puzzle).view)) in puzzle.wins
    ]
    assert found == [*(("hammer", n) for n in (1, 3, 5, 6, 7, 8)), ("swords", 3), ("swords", 4)]


def test_there_are_such_for_certain_and_such_by_chance() -> None:
    assert {puzzle.chance == 1 for puzzle in RECKONED} == {True, False}
    assert all(puzzle.chance is None or Fraction(0) < puzzle.chance <= 1 for puzzle in PUZZLES)


@pytest.mark.parametrize("puzzle", PUZZLES, ids=_called)
def test_a_puzzle_is_kept_as_its_position_is_written(puzzle: Puzzle) -> None:
    assert puzzle.placed().json()["position"] == puzzle.pack.rules.dump(puzzle.placed().state)
    assert puzzle.json()["position"] == list(puzzle.position)


def test_kept_puzzles_keep_their_numbers_where_others_are_added() -> None:
    there, new = PUZZLES[1:3], PUZZLES[:1]
    assert added(there, [*new, *there]) == [*there, *new]
