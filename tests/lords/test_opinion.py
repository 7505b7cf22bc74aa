"""Who stands better in Lords of Scotland: from what all seats see, the same each time, and right where a game is nearly won."""

from __future__ import annotations

import random
from typing import cast

import pytest

from pbem.games import find
from pbem.games.lords.bots.guessing import Guesses
from pbem.games.lords.bots.opinion import opinion
from pbem.games.lords.rules.reign import State
from pbem.games.lords.views import LordsView
from pbem.games.searching import Urn
from pbem.kernel import Ask, Chance, End, Stop, changed
from tests.conformance import outcome

LORDS = find("lords")


def stops(players: int, seed: int) -> list[Stop]:
    """Return where a game of random players stood."""
    chance, rules = random.Random(seed), LORDS.rules
    found = [rules.start(LORDS.complete({"players": players, "rounds": 4}))]
    while not isinstance(found[-1].wants, End):
        stop = found[-1]
        if isinstance(stop.wants, Ask):
            given = {seat: rules.options(view(stop, seat)).sample(chance) for seat in stop.wants.seats}
            found.append(rules.step(stop.state, given))
        else:
            found.append(rules.step(stop.state, outcome(cast(Chance, stop.wants), chance)))
    return found


def view(stop: Stop, seat: str) -> LordsView:
    return cast(LordsView, LORDS.rules.read_view(LORDS.rules.view(stop.state, seat)))


def views(stop: Stop) -> list[LordsView]:
    return [view(stop, seat) for seat in stop.state.board.seats]


@pytest.mark.parametrize("players", [2, 5])
def test_nothing_is_guessed_but_what_nobody_has_seen(players: int) -> None:
    looked = 0
    for stop in stops(players, players):
        board = cast(State, stop.state).board
        if not board.round or isinstance(stop.wants, End):
            continue
        looked += 1
        seen = views(stop)
        guesses = Guesses(*seen)
        table = guesses.lay(Urn(7))
        true = Guesses(*seen).known
        numbers = [sorted(hand) for hand in table.hands]
        assert numbers == [sorted(hand) for hand in true.hands]
        assert [len(hand) for hand in numbers] == [len(board.hands[seat]) for seat in board.seats]
        assert all(card >= 0 for army in table.armies for card, *_rest in army)
        laid = [card for hand in table.hands for card in hand] + [card for card, _up in table.row] + table.pile
        laid += [card for army in table.armies for card, *_rest in army] + table.supporters + table.discards
        won = sum(len(cards) for cards in board.won.values())
        assert len(set(laid)) == len(laid) == len(board.terms.cards) - won
        assert len(table.pile) == len(board.pile)
    assert looked > 20


@pytest.mark.slow
def test_every_moment_of_a_game_can_be_judged() -> None:
    for stop in stops(3, 18)[::5]:
        seen = views(stop)
        shares = opinion(seen, random.Random(1))
        assert list(shares) == list(stop.state.board.seats)
        assert sum(shares.values()) == 1000
        assert shares == opinion(seen, random.Random(1))


def test_before_the_first_round_nobody_stands_better_and_at_the_end_one_has_won() -> None:
    found = stops(4, 3)
    assert sorted(opinion(views(found[0]), random.Random(1)).values()) == [250] * 4
    result = cast(End, found[-1].wants).result
    assert opinion(views(found[-1]), random.Random(1)) == {
        seat: 1000 * (seat == result["winner"]) for seat in found[-1].state.board.seats
    }


def test_who_has_nearly_enough_points_stands_far_better() -> None:
    stop = next(stop for stop in stops(2, 5) if isinstance(stop.wants, Ask) and stop.wants.what == "turn")
    board, (_behind, ahead) = stop.state.board, stop.state.board.seats
    cards = sorted(board.pile, key=board.terms.strength)[-3:]
    assert sum(map(board.terms.strength, cards)) >= 30
    pile = tuple(card for card in board.pile if card not in cards)
    richer = changed(board, pile=pile, won={**board.won, ahead: tuple(cards)})
    shares = opinion(views(Stop(changed(stop.state, board=richer), (), stop.wants)), random.Random(1))
    assert shares[ahead] > 850
