"""The bids of a tournament as a game: the contract, the seats, what is refused."""

from __future__ import annotations

import pytest

from pbem.errors import OrderError, UsageError
from pbem.games.tournament import GAME
from pbem.games.tournament.bots import BOTS
from pbem.games.tournament.knowing import KNOWING
from pbem.games.tournament.look import LOOK
from pbem.games.tournament.orders import Bid
from pbem.kernel import Chance, End, Json
from tests.conformance import Conformance


class _Tournament(Conformance):
    game = GAME
    look = LOOK
    knowing = KNOWING
    where = "pbem.games.tournament:GAME"
    foresees = False
    games = 1

    def test_an_order_is_either_offered_or_refused_with_a_reason(self) -> None:
        """There is one question and no other moment; a bid that does not exist is refused."""
        view = GAME.read_view(GAME.view(GAME.start({}).state, "ann"))
        refusal = GAME.why_not(view, Bid(bid="E4"))
        assert refusal is not None
        assert refusal.why == "“BID E4” does not answer what is asked"


class TestTournament(_Tournament):
    """A few players: what every run has time for."""

    options = ({}, {"players": ["ann", "bob"]})
    seed = 1
    hash_seeds = ("1",)


@pytest.mark.slow
class TestTournamentAtLength(_Tournament):
    """Many players."""

    options = ({}, {"players": [f"p{i}" for i in range(64)]})
    games = 2


def over(bids: dict[str, str], lots: tuple[str, ...]) -> Json:
    start = GAME.start({"players": list(bids)})
    views = {seat: GAME.read_view(GAME.view(start.state, seat)) for seat in bids}
    stop = GAME.step(start.state, {seat: GAME.parse(views[seat], f"bid {bid}") for seat, bid in bids.items()})
    assert isinstance(stop.wants, Chance)
    assert stop.wants.label == "pub"
    end = GAME.step(stop.state, (lots,)).wants
    assert isinstance(end, End)
    return end.result


def test_the_result_names_the_games_that_follow() -> None:
    result = over({"ann": "E2", "bob": "S1"}, ("bob", "ann"))
    options = {"scenario": "braveheart", "bid": "E1"}
    assert result["games"] == [{"game": "hammer", "options": options, "seats": {"english": "ann", "scottish": "bob"}}]
    assert LOOK.result(result) == "All bids are matched: Ann (English) and Bob (Scots), E1."


def test_names_may_come_as_one_text() -> None:
    assert GAME.seats({"players": "ann, bob cat,dan"}) == ("ann", "bob", "cat", "dan")


@pytest.mark.parametrize(
    ("players", "why"),
    [
        (["ann", "bob", "cat"], "3 players cannot be matched in pairs"),
        (["ann", "ann"], "a name comes twice"),
        (["ann", "Bob"], "“Bob” is no name for a seat"),
        (["ann", "host"], "“host” is no name for a seat"),
        ([], "a list of 2 to 64, not of 0"),
    ],
)
def test_players_that_cannot_be_seated_are_refused(players: list[str], why: str) -> None:
    with pytest.raises(UsageError) as caught:
        GAME.start({"players": players})
    assert why in str(caught.value)


@pytest.mark.parametrize("text", ["BID E4", "BID", "CARD Herald", "BID E1\nBID E2", ""])
def test_what_is_no_bid_is_refused(text: str) -> None:
    view = GAME.read_view(GAME.view(GAME.start({}).state, "ann"))
    with pytest.raises(OrderError):
        GAME.parse(view, text)


def test_built_in_players_bid() -> None:
    view = GAME.read_view(GAME.view(GAME.start({}).state, "bob"))
    for make in BOTS.values():
        assert make().answer(view, Script()) in GAME.options(view)


class Script:
    """Always chooses the first."""

    def randrange(self, stop: int, /) -> int:
        return 0
