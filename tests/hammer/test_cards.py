"""Cards, initiative, the year and its end. Rules 3.0-3.12, 4.1, 7.0."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.games.hammer import GAME
from pbem.games.hammer.rules.printed import DECK, ENGLISH, SCOTTISH
from pbem.games.hammer.rules.year import year_is_over
from pbem.kernel import Chance, Open, Release, Show, Stop
from tests.hammer.builder import Table

HOME = {"Lanark": "Steward", "Dunbar": "Dunbar"}
NORTH = {"Moray": "Moray, Ross", "Fife": "Wallace"}


def begin() -> Stop:
    """Return a game after the first draw and the first deal."""
    stop = GAME.start({})
    assert isinstance(stop.wants, Chance)
    assert stop.wants.label == "priv:english"
    drawn = stop.wants.requests[0].of[:4]  # type: ignore[union-attr]
    stop = GAME.step(stop.state, (drawn,))
    assert isinstance(stop.wants, Chance)
    assert stop.wants.label == "deal:1"
    return GAME.step(stop.state, (DECK[:10],))


def test_8_1_braveheart_deployment() -> None:
    board = begin().state.board
    assert board.blocks_in("Fife", SCOTTISH) == ("Wallace", "Douglas", "Barclay")
    assert board.blocks_in("Moray", SCOTTISH) == ("Fraser", "Moray")
    assert board["Bruce"].at == "Annan"
    assert board["Galloway"].side == SCOTTISH
    assert board["Comyn"].at == "Badenoch"
    assert board["Cumbria Infantry"].at == "Lothian"
    assert board["Northumber Infantry"].at == "Mentieth"
    assert len(board.blocks_in("England", ENGLISH)) == 4
    assert len(board.blocks_in("pool", ENGLISH)) == 9
    assert len(board.blocks_in("pool", SCOTTISH)) == 7
    assert board["King"].at == board["French Knights"].at == "off"
    assert len(board.nobles(ENGLISH)) == 11


def test_3_0_five_cards_each_are_shown_to_their_owners() -> None:
    stop = begin()
    shown = [event for event in stop.events if isinstance(event, Show)]
    assert [(event.seat, event.place) for event in shown] == [
        *((ENGLISH, place) for place in range(5)),
        *((SCOTTISH, place) for place in range(5, 10)),
    ]
    assert GAME.view(stop.state, ENGLISH)["hand"] == ["Move 3", "Move 3", "Move 3", "Move 2", "Move 2"]
    assert GAME.view(stop.state, None)["hand"] == []


def test_3_1_a_card_that_is_not_in_hand_is_refused() -> None:
    stop = begin()
    view = GAME.read_view(GAME.view(stop.state, ENGLISH))
    with pytest.raises(Exception, match="no such card in your hand"):
        GAME.parse(view, "CARD Truce")


@pytest.mark.parametrize(
    ("english", "scots", "first"),
    [
        ("Move 3", "Move 2", ENGLISH),
        ("Move 1", "Move 2", SCOTTISH),
        ("Move 2", "Move 2", ENGLISH),  # English win ties
        ("Move 3", "Truce", SCOTTISH),  # 3.12: the player of an event card
        ("Herald", "Move 3", ENGLISH),
        ("Herald", "Truce", ENGLISH),  # of two events the English one is resolved first
    ],
)
def test_4_1_the_higher_card_is_player_1(english: str, scots: str, first: str) -> None:
    table = Table(HOME, NORTH).turn(english, scots)
    assert table.board.first == first
    assert table.asked == (first, "act")
    assert table.facts("cards") == [{"f": "cards", "english": english, "scottish": scots, "first": first}]


def test_3_1_played_cards_are_opened() -> None:
    table = Table(HOME, NORTH).turn("Move 3", "Move 2")
    assert [event for event in table.stop.events if isinstance(event, Open)] == [Open("deal:1", 0), Open("deal:1", 5)]
    view = table.view(SCOTTISH)
    assert view.cards["english"].played == ("Move 3",)
    assert view.cards["english"].left == 4
    assert len(view.hand) == 4


def test_every_turn_asks_each_seat_one_card_and_one_act_with_marks() -> None:
    table = Table(HOME, NORTH).turn("Herald", "Truce")
    for seat in (ENGLISH, SCOTTISH):
        wanted = table.stop.wants
        assert wanted.mark  # type: ignore[union-attr]
        assert table.asked == (seat, "act")
        table.order("PASS")


def test_7_0_the_year_ends_when_both_play_an_event() -> None:
    table = Table(HOME, NORTH).turn("Herald", "Truce").orders("PASS", "PASS")
    assert table.facts("year ends") == [{"f": "year ends", "year": 1297, "early": True}]
    # ruling 7.0: the cards left over return unseen
    assert not [event for event in table.stop.events if isinstance(event, Release)]


def test_7_0_the_year_ends_after_five_turns() -> None:
    board = Table(HOME, NORTH).turn("Move 1", "Move 1").board
    assert not year_is_over(board)
    assert year_is_over(replace(board, turn=5))


def test_3_1_an_event_may_be_passed() -> None:
    table = Table(HOME, NORTH).turn("Move 1", "Truce").order("PASS")
    assert table.board.truce == ""
    assert table.facts("pass") == [{"f": "pass", "side": SCOTTISH, "card": "Truce"}]
