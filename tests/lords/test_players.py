"""The players of Lords that look ahead: their table plays by the rules, they see a view alone, and they beat the easy one."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import cast

import pytest

from pbem.engine.match import Match
from pbem.games import find
from pbem.games.lords import GAME
from pbem.games.lords.bots import BOTS
from pbem.games.lords.bots.fray import CLAN, DOWN, NAMES, NUMBERS, TAKE, UP, USE, Fray, Move, Printed
from pbem.games.lords.bots.guessing import Guesses
from pbem.games.lords.bots.looking_ahead import LookingAhead, Lookout
from pbem.games.lords.orders import Claim, Muster, Pass, Play, TakeRecruit
from pbem.games.lords.rules.board import Board
from pbem.games.lords.rules.cards import BRUCE, CLANS
from pbem.games.lords.rules.reign import State
from pbem.games.lords.views import LordsView
from pbem.games.searching import WORTH, Urn
from pbem.kernel import Ask, Chance, End, Json, Order, Stop

POWERS = (*CLANS, BRUCE)
OPTIONS: tuple[Json, ...] = (
    {"players": 2},
    {"players": 3, "bruce": True, "bruce_ranks": [0, 100], "bruce_strength": 3},
    {"players": 4, "goal": 25},
    {"players": 5, "activation": "lowest", "rounds": 3},
)


class Dealt(Urn):
    """Draws that card of a table's pile which stands first in an order of all cards."""

    def __init__(self, order: list[int]) -> None:
        super().__init__(0)
        self.table, self._order = Fray(), order

    def randrange(self, stop: int, /) -> int:
        pile = self.table.pile
        assert stop == len(pile)
        return min(range(stop), key=lambda at: self._order.index(pile[at]))


def fray_of(board: Board) -> Fray:
    """Return a table as the rules have it."""
    table, number = Fray(), {seat: no for no, seat in enumerate(board.seats)}
    table.printed = Printed(board.terms)
    table.hands = [[NUMBERS[card] for card in board.hands[seat]] for seat in board.seats]
    table.armies = [
        [
            (NUMBERS[f.card], f.up, POWERS.index(f.power) if f.power else -1, sum(1 << number[seat] for seat in f.seen))
            for f in board.armies[seat]
        ]
        for seat in board.seats
    ]
    table.row = [(NUMBERS[recruit.card], recruit.up) for recruit in board.recruits]
    table.supporters = [NUMBERS[card] for card in board.supporters]
    table.pile = [NUMBERS[card] for card in board.pile]
    table.discards = [NUMBERS[card] for card in board.discards]
    table.points = [board.points(seat) for seat in board.seats]
    table.victor, table.turn, table.round = number[board.victor], board.turn, board.round
    table.asked, table.again, table.placing = number[board.victor], False, []
    return table


def told(table: Fray) -> Json:
    """Return what can be compared: hands, pile and discards have no order."""
    return (
        [sorted(hand) for hand in table.hands], table.armies, table.row, sorted(table.supporters), sorted(table.pile),
        sorted(table.discards), table.points, table.victor, table.turn, table.round,
    )  # fmt: skip


def stops(options: Json, order: list[int], seed: int) -> Iterator[tuple[Stop, dict[str, Order]]]:
    """Go through a game of random players: each stop of it, with what is then answered; the strongest is claimed always."""
    chooser = random.Random(f"fray {seed}")
    stop = GAME.start(options)
    while not isinstance(stop.wants, End):
        if isinstance(stop.wants, Chance):
            request = stop.wants.requests[0]
            given = sorted(request.of, key=lambda card: order.index(NUMBERS[card])) if hasattr(request, "of") else [1]
            stop = GAME.step(stop.state, (tuple(given),))
            continue
        orders: dict[str, Order] = dict.fromkeys(stop.wants.seats, Claim())
        if stop.wants.what == "turn":
            (seat,) = stop.wants.seats
            orders[seat] = GAME.options(GAME.read_view(GAME.view(stop.state, seat))).sample(chooser)
        yield stop, orders
        stop = GAME.step(stop.state, orders)
    yield stop, {}


def moves_of(order: Order, table: Fray, view: LordsView) -> Iterator[Move]:
    """Go through an order as moves on a table."""
    match order:
        case TakeRecruit(place=place):
            yield Move(TAKE, place - 1)
        case Muster(plays=plays):
            for play in plays:
                yield move_of(play, table, view)


def move_of(play: Play, table: Fray, view: LordsView) -> Move:
    card = NUMBERS[play.card]
    if not play.use:
        return Move(DOWN if play.down else UP, card)
    power = POWERS.index(play.copy_of) if play.copy_of else CLAN[card]
    if not play.target or NUMBERS.get(play.target) in table.supporters:
        return Move(USE, card, power, NUMBERS[play.target] if play.target else -1)
    for owner, army in enumerate(table.armies):
        for place, (other, up, _power, _seen) in enumerate(army):
            if play.target == (NAMES[other] if up else f"{view.seats[owner]} {place + 1}"):
                return Move(USE, card, power, 16 * owner + place)
    raise AssertionError(play)


@pytest.mark.variants
@pytest.mark.parametrize("seed", range(8))
def test_the_quick_table_plays_whole_games_as_the_rules_do(seed: int) -> None:
    options = GAME.read_options(OPTIONS[seed % len(OPTIONS)]).model_dump(mode="json")
    order = list(range(len(NAMES)))
    random.Random(f"cards {seed}").shuffle(order)
    urn, table = Dealt(order), None
    turns = 0
    for stop, orders in stops(options, order, seed):
        if isinstance(stop.wants, End):
            assert table is not None
            assert table.over
            assert stop.wants.result["winner"] == (GAME.seats(options)[table.winner] if table.winner >= 0 else "")
            assert stop.wants.result["points"] == dict(zip(GAME.seats(options), table.points, strict=True))
        if not isinstance(stop.wants, Ask) or stop.wants.what != "turn":
            continue
        if table is None:
            table = urn.table = fray_of(stop.state.board)
        elif not table.turn:
            assert not table.over
            table.begin(urn)
        assert told(table) == told(fray_of(stop.state.board))
        (seat,) = stop.wants.seats
        view = cast(LordsView, GAME.read_view(GAME.view(stop.state, seat)))
        assert table.asked == view.seats.index(seat)
        legal = {next(moves_of(other, table, view), None) for other in GAME.options(view)}
        assert set(table.moves()) == legal - {None}
        for move in moves_of(orders[seat], table, view):
            table.do(move, urn)
        if orders[seat] == Pass():
            table.skip()
        turns += 1
    assert turns > 20


def asked(options: Json, seed: int) -> Iterator[tuple[State, LordsView]]:
    """Go through positions of a random game in which a turn is asked for, with the asked seat's view."""
    complete = GAME.read_options(options).model_dump(mode="json")
    order = list(range(len(NAMES)))
    random.Random(f"asked {seed}").shuffle(order)
    for stop, _orders in stops(complete, order, seed):
        if isinstance(stop.wants, Ask) and stop.wants.what == "turn":
            yield stop.state, cast(LordsView, GAME.read_view(GAME.view(stop.state, stop.wants.seats[0])))


@pytest.mark.parametrize("options", OPTIONS)
def test_a_guess_looks_like_the_view(options: Json) -> None:
    for state, view in asked(options, 3):
        table, board = Guesses(view).lay(Urn(5)), state.board
        true = fray_of(board)
        cards = [card for hand in table.hands for card in hand] + table.pile + table.discards + table.supporters
        cards += [card for card, _up in table.row] + [follower[0] for army in table.armies for follower in army]
        cards += [NUMBERS[card] for won in board.won.values() for card in won]
        assert sorted(cards) == sorted(NUMBERS[card] for card in board.terms.cards)
        mine = view.seats.index(view.seat)
        assert table.hands[mine] == true.hands[mine]
        assert sorted(table.discards) == sorted(true.discards)
        assert [len(hand) for hand in table.hands] == [len(hand) for hand in true.hands]
        assert [recruit if recruit[1] else 0 for recruit in table.row] == [r if r[1] else 0 for r in true.row]
        for army, other in zip(table.armies, true.armies, strict=True):
            assert [f if f[1] or f[3] >> mine & 1 else f[1:] for f in army] == [
                f if f[1] or f[3] >> mine & 1 else f[1:] for f in other
            ]
        assert not {card for card in table.pile if NAMES[card] in board.old}


@pytest.mark.slow
@pytest.mark.parametrize("options", OPTIONS)
def test_twins_get_the_same_legal_answer(options: Json) -> None:
    """Two states that look alike to a seat: what it answers is the same, though the hidden cards lie elsewhere."""
    others = 0
    for state, view in list(asked(options, 5))[::4]:
        twin = GAME.determinise(view, random.Random(1))
        others += twin.board.hands != state.board.hands
        seen = GAME.read_view(GAME.view(twin, view.seat))
        answer = LookingAhead(60).answer(view, random.Random(9))
        assert GAME.why_not(view, answer) is None
        assert GAME.parse(view, str(answer)) == answer
        assert LookingAhead(60).answer(seen, random.Random(9)) == answer
    assert others > 4


def test_shares_are_of_one_whole() -> None:
    for _state, view in list(asked(OPTIONS[2], 6))[::9]:
        lookout, urn = Lookout(view), Urn(2)
        worth = lookout.finish(lookout.guess(urn), urn)
        assert len(worth) == len(view.seats)
        assert min(worth) >= 0
        assert WORTH - len(worth) <= sum(worth) <= WORTH


def test_it_claims_the_strongest_and_plans_to() -> None:
    bot = BOTS["normal"]()
    complete = GAME.read_options({"players": 2}).model_dump(mode="json")
    every = stops(complete, list(range(len(NAMES))), 1)
    claim = next(stop for stop, _orders in every if isinstance(stop.wants, Ask) and stop.wants.what == "claim")
    view = GAME.read_view(GAME.view(claim.state, claim.wants.seats[0]))  # type: ignore[union-attr]
    assert bot.answer(view, random.Random(1)) == Claim()


@pytest.mark.slow
def test_normal_beats_the_easy_player() -> None:
    every = list(Match(find("lords"), {"goal": 20}, ("normal", "sensible"), "1", 60).play(4))
    assert not any(one.fault for one in every)
    assert sum(one.winner == "A" for one in every) >= 3
