"""The puzzles of Lords of Scotland: each is proved anew, and what is hidden is all that the rules' own guesses lay out."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache

import pytest

from pbem.games import find
from pbem.games.lords.game import GAME
from pbem.games.lords.puzzles.hidden import Hidden
from pbem.games.lords.puzzles.matter import MATTER
from pbem.games.lords.views import LordsView
from pbem.games.proving import Prover, TooMuch
from pbem.games.puzzles import Puzzle, kept
from pbem.kernel import Ask, Chance, End, Order
from tests.conformance import play

PACK = find("lords")
PUZZLES = kept(PACK)
BY_NUMBER = pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: str(puzzle.number))


def test_there_are_some_of_each_aim() -> None:
    assert len(PUZZLES) >= 10
    assert {puzzle.aim for puzzle in PUZZLES} == {"throne", "skirmish"}


@pytest.mark.variants
@BY_NUMBER
def test_the_answers_win_and_no_other_order_does(puzzle: Puzzle) -> None:
    prover = puzzle.prover()
    found = prover.proof()
    assert tuple(map(str, found.wins)) == puzzle.wins
    assert len(found.wins) + len(found.refuted) == puzzle.orders
    assert puzzle.matter.arrangements(prover.view) == puzzle.arrangements
    assert "".join(puzzle.position) == "".join(puzzle.placed().text().splitlines())


def _played(puzzle: Puzzle, order: Order, luck: random.Random) -> bool:
    """Give an order on a table that the rules' own guess lays out, and go on at random; is the aim reached?"""
    view = puzzle.prover().view
    state = GAME.determinise(view, luck)
    stop, mine = GAME.step(state, {puzzle.seat: order}), puzzle.seat
    while (won := MATTER.won(view, stop.state, puzzle.aim)) is None:
        wanted = stop.wants
        assert not isinstance(wanted, End)
        if isinstance(wanted, Chance):
            stop = GAME.step(stop.state, next(iter(MATTER.comes(wanted))))
            continue
        assert isinstance(wanted, Ask)
        (seat,) = wanted.seats
        seen = GAME.read_view(GAME.view(stop.state, seat))
        answer = GAME.default(seen) if seat == mine else GAME.options(seen).sample(luck)
        stop = GAME.step(stop.state, {seat: answer})
    return won


LAST = [
    puzzle for puzzle in PUZZLES if any(line.startswith("ROUND") and " TURN 5 " in line for line in puzzle.position)
]


@pytest.mark.variants
@pytest.mark.parametrize("puzzle", LAST, ids=lambda puzzle: str(puzzle.number))
def test_an_answer_wins_whatever_is_guessed_and_played(puzzle: Puzzle) -> None:
    """Independent of what the proof takes for hidden: guesses of the rules, and answers at random."""
    luck = random.Random(puzzle.number)
    order = PACK.rules.parse(puzzle.prover().view, puzzle.wins[0])
    assert all(_played(puzzle, order, luck) for _time in range(40))


@BY_NUMBER
def test_what_refutes_an_order_is_played_by_the_rules(puzzle: Puzzle) -> None:
    """A refutation begins with the order, and each answer in it is legal on some table: its facts are the rules' own."""
    prover = puzzle.prover()
    order = next(order for order in GAME.options(prover.view) if str(order) not in puzzle.wins)
    line = prover.against(order)
    assert line is not None
    assert (line[0].seat, line[0].order) == (puzzle.seat, order)
    assert all(move.facts for move in line)


@cache
def _views() -> list[LordsView]:
    found = []
    for seed in range(3):
        for stop in play(GAME, {"players": 2, "goal": 12}, seed).stops:
            if isinstance(stop.wants, Ask) and stop.wants.what == "turn":
                (seat,) = stop.wants.seats
                view = GAME.read_view(GAME.view(stop.state, seat))
                assert isinstance(view, LordsView)
                found.append(view)
    return found


def test_every_guess_of_the_rules_fits_and_is_laid() -> None:
    """What `Hidden` takes to be possible holds every guess, and what it lays looks to the seat as before."""
    luck, down_seen = random.Random(1), 0
    for view in _views():
        hidden = Hidden(view)
        for _time in range(3):
            board = GAME.determinise(view, luck).board
            down = tuple(board.armies[place.owner][place.at].card for place in hidden.places)
            hand = board.hands[hidden.other]
            down_seen += len(down)
            assert hidden.fits(hand, down)
            laid = hidden.lay(board, hand[:1], down)
            assert hand[:1] == tuple(card for card in laid.hands[hidden.other] if card in hand[:1])
            assert GAME.read_view(GAME.view(replace(GAME.determinise(view, luck), board=laid), view.seat)) == view
    assert down_seen


def test_what_cannot_be_does_not_fit() -> None:
    """A card that somebody took openly is his: no hand is without it; and no hand is larger than it is."""
    tried = 0
    for view in _views():
        hidden = Hidden(view)
        taken = set(view.taken[hidden.other])
        if not taken or hidden.places:
            continue
        tried += 1
        others = [card for card in hidden.cards if card not in taken]
        assert not hidden.fits(others[: hidden.held + 1 - len(taken)], ())
        assert not hidden.fits(others[: hidden.held + 1], ())
    assert tried


@pytest.mark.slow
def test_a_proof_has_a_bound() -> None:
    puzzle = PUZZLES[0]
    with pytest.raises(TooMuch):
        Prover(GAME, MATTER, puzzle.placed().state, puzzle.seat, puzzle.aim, 3).proof()
    with pytest.raises(TooMuch):
        puzzle.prover().proof(answers=0)
