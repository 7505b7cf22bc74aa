"""The 1-2-3 deal: the unofficial variant of the summary of 2.3."""

from __future__ import annotations

import random

import pytest

from pbem.games.hammer import GAME
from pbem.games.hammer.rules.deal_123 import is_too_much
from pbem.games.hammer.rules.printed import CARD_NAME, DECK, ENGLISH, SCOTTISH
from pbem.games.hammer.rules.variants import OPTIONS
from pbem.games.hammer.rules.year import Year
from pbem.games.hammer.setting_up import POSITIONS
from pbem.kernel import Ask, Chance, Json, Release, Show, Stop
from pbem.referee.audit import audit
from pbem.referee.table import Table as Played
from tests.conformance import answers

CHOSEN: Json = {"deal_123": True}
GOOD = ("Move 3", "Move 2", "Move 2", "Move 1", "Pillage")
TWO_THREES = ("Move 3", "Move 3", "Move 2", "Move 2", "Move 1")
THREE_EVENTS = ("Herald", "Truce", "Victuals", "Move 2", "Move 2")
FOUR_ONES = ("Move 1", "Move 1", "Move 1", "Move 1", "Move 2")
FULL = ("Move 3", "Herald", "Truce", "Move 1", "Move 2")
"""As many of each kind as may be."""


def cards(*names: str) -> tuple[str, ...]:
    """Return cards of the deck with these names, each a different one."""
    left, found = list(DECK), []
    for name in names:
        found.append(next(card for card in left if CARD_NAME[card] == name))
        left.remove(found[-1])
    return tuple(found)


def first_deal(options: Json) -> Stop:
    """Go on to the first deal of a game."""
    stop = GAME.start(options)
    while not (isinstance(stop.wants, Chance) and stop.wants.is_deal):
        stop = GAME.step(stop.state, answers(GAME, stop, random.Random("deal")))
    return stop


def deal(stop: Stop, english: tuple[str, ...], scottish: tuple[str, ...]) -> Stop:
    return GAME.step(stop.state, (cards(*english, *scottish),))


@pytest.mark.parametrize("hand", [TWO_THREES, THREE_EVENTS, FOUR_ONES])
def test_deal_123_too_many_cards_of_a_kind_are_dealt_again(hand: tuple[str, ...]) -> None:
    for hands in ((hand, GOOD), (GOOD, hand)):
        stop = deal(first_deal(CHOSEN), *hands)
        assert isinstance(stop.wants, Chance)
        assert stop.wants.label == "deal:2"
        assert isinstance(deal(first_deal({}), *hands).wants, Ask), "without the option it stands"
        again = deal(stop, FULL, GOOD)
        assert isinstance(again.wants, Ask)
        assert GAME.read_view(GAME.view(again.state, SCOTTISH)).hand == GOOD  # type: ignore[attr-defined]


def test_deal_123_a_thrown_away_deal_tells_nothing_but_that_it_was() -> None:
    one, other = (deal(first_deal(CHOSEN), hand, GOOD) for hand in (TWO_THREES, THREE_EVENTS))
    (fact,) = one.events
    assert fact.heard_by(None) == fact.heard_by(ENGLISH) == {"f": "dealt again", "year": 1297}  # type: ignore[union-attr]
    assert not any(isinstance(event, Show) for event in one.events)
    assert one.events == other.events
    for seat in (None, ENGLISH, SCOTTISH):
        assert GAME.view(one.state, seat) == GAME.view(other.state, seat)
    assert one.state == other.state, "nothing keeps what was thrown away"


def test_deal_123_only_the_deal_that_stood_is_released_at_the_end_of_the_year() -> None:
    rng = random.Random("1-2-3")
    stop = deal(deal(first_deal(CHOSEN), TWO_THREES, GOOD), GOOD, FULL)
    released: list[str] = []
    while stop.state.board.year == 1297:
        stop = GAME.step(stop.state, answers(GAME, stop, rng))
        released += [event.label for event in stop.events if isinstance(event, Release)]
    assert set(released) <= {"deal:2"}
    assert isinstance(stop.wants, Chance)
    assert stop.wants.label == "deal:3"


def test_deal_123_hands_are_dealt_again_as_often_as_it_takes() -> None:
    stop = first_deal(CHOSEN)
    for n in range(1, 100):
        assert isinstance(stop.wants, Chance)
        assert stop.wants.label == f"deal:{n}"
        stop = deal(stop, TWO_THREES, GOOD)
    stop = deal(stop, GOOD, FULL)
    assert isinstance(stop.wants, Ask)
    assert stop.state.board.deal == 100


def test_deal_123_a_guessed_hand_could_have_been_kept() -> None:
    stop = deal(first_deal(CHOSEN), GOOD, FULL)
    for n in range(30):
        twin = GAME.determinise(GAME.read_view(GAME.view(stop.state, ENGLISH)), random.Random(n))
        assert not is_too_much([CARD_NAME[card] for card in twin.board.dealt[5:]])


def test_deal_123_positions_count_the_deals_thrown_away() -> None:
    stop = deal(deal(first_deal(CHOSEN), TWO_THREES, GOOD), GOOD, FULL)
    text = POSITIONS.write(stop.state)
    assert "\nAGAIN 1\n" in text
    assert POSITIONS.read(text)[1] == stop.state
    view = GAME.view(stop.state, None)
    assert view["again"] == 1
    assert GAME.load(GAME.dump(stop.state)) == stop.state
    assert stop.state.stack[0] == Year("turns")


@pytest.mark.slow
def test_deal_123_a_game_with_a_deal_thrown_away_is_audited_clean_by_everybody() -> None:
    for seed in range(9):  # in one of sixteen games no deal is thrown away
        played = Played(GAME, {**dict.fromkeys(OPTIONS, True), "scenario": "braveheart"}, f"1-2-3 {seed}")
        ended = played.play(lambda _, view: str(GAME.default(view)))
        if played.referee.state.board.deal > 9:
            break
    assert ended
    assert played.referee.state.board.deal > 9
    for file in (played.whole(), played.copy(ENGLISH), played.copy(SCOTTISH)):
        assert audit(file, lambda _: (GAME, "0" * 64)).verdict.verdict == "clean"
