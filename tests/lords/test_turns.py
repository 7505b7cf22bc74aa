"""Setting up, and a turn: the Victor's Initiative, recruiting, mustering."""

from __future__ import annotations

import pytest

from pbem.errors import OrderError, UsageError
from pbem.games.lords import GAME
from pbem.games.lords.rules.cards import NORMAL, Agreed
from pbem.kernel import Ask, Chance, Draw, Open, Roll, Show
from tests.lords.table import Table, table

HANDS = {"angus": "Scott 5, Wemyss 3", "buchan": "Forsyth 9"}
ROW = "Makgill 2, Cochrane 4 down, Scott 7 down, Forsyth 1 down, Wemyss 8 down"


def begun(**options: object) -> Table:
    """A game after its first shuffle, the cards in the order of the list."""
    return Table(GAME.start({"players": 2, "first": "angus", **options})).shuffle(*NORMAL)


def test_reading_96_cards_of_eight_clans_each_with_a_rank_of_its_own() -> None:
    terms = Agreed(bruce=(12, 97, 98))
    assert len(NORMAL) == 96
    assert sorted(map(terms.rank, terms.cards)) == list(range(1, 99))
    assert terms.rank("Makgill 1") == 2
    assert terms.rank("MacDonnell 1") == 3
    assert terms.rank("Makgill 9") == 66
    assert {terms.strength(card) for card in terms.cards} == set(range(1, 13))


def test_setup_the_dice_or_the_players_say_who_goes_first() -> None:
    drawn = Table(GAME.start({"players": 4}))
    assert drawn.stop.wants == Chance("pub", (Roll(1, 4),))
    assert drawn.go_on(((3,),)).board.victor == "carrick"
    assert begun(first="buchan").asked == ("buchan",)


def test_setup_the_royal_cards_are_set_aside_unless_agreed() -> None:
    for bruce, count in ((False, 96), (True, 98)):
        wanted = GAME.start({"players": 2, "first": "angus", "bruce": bruce}).wants
        assert isinstance(wanted, Chance)
        (request,) = wanted.requests
        assert isinstance(request, Draw)
        assert (request.n, "Bruce a" in request.of) == (count, bruce)


def test_setup_the_royal_cards_may_be_those_of_ones_own_copy() -> None:
    own = Table(
        GAME.start({"players": 2, "first": "angus", "bruce": True, "bruce_strength": 3, "bruce_ranks": [0, 99]})
    )
    assert own.board.terms.strength("Bruce a") == 3
    assert own.board.terms.rank("Bruce b") == 99


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_setup_five_cards_each_five_recruits_a_supporter_for_each_player(players: int) -> None:
    game = begun(players=players)
    assert {len(hand) for hand in game.board.hands.values()} == {5}
    assert len(game.board.recruits) == 5
    assert len(game.board.supporters) == players
    assert len(game.board.pile) == 96 - 6 * players - 5


def test_setup_recruits_lie_face_down_and_supporters_face_up() -> None:
    game = begun()
    wanted = game.stop.wants
    assert isinstance(wanted, Ask)
    assert [recruit.up for recruit in game.board.recruits] == [True, False, False, False, False]  # one was turned up
    opened = [event.place for event in game.events if isinstance(event, Open)]
    assert opened == [15, 16, 10]  # two supporters after five recruits, then the first recruit


def test_setup_hands_are_known_to_their_owners() -> None:
    game = begun()
    shown = [event for event in game.events if isinstance(event, Show)]
    assert shown == [Show(seat, "deal:1", 5 * i + n) for i, seat in enumerate(("angus", "buchan")) for n in range(5)]
    assert len(game.view("buchan").hand) == 5
    assert game.view(None).hands == {"angus": 5, "buchan": 5}
    assert game.told("buchan", "hand")[0] == {"f": "hand", "seat": "angus", "n": 5}


def test_clarifications_supporters_that_are_all_equal_are_replaced() -> None:
    game = Table(GAME.start({"players": 2, "first": "angus"}))
    top = [card for card in NORMAL if card not in ("Scott 4", "Wemyss 4", "Forsyth 4")][:15]
    game.shuffle(*top, "Scott 4", "Wemyss 4", "Forsyth 4", "Makgill 9")
    assert game.told(None, "same") == [{"f": "same", "cards": ["Scott 4", "Wemyss 4"]}]
    assert game.board.supporters == ("Forsyth 4", "Makgill 9")
    assert game.board.discards == ("Scott 4", "Wemyss 4")


def test_turn_the_victor_turns_up_one_recruit_each_turn() -> None:
    game = begun()
    for turn in range(1, 6):
        assert game.board.turn == turn
        assert [recruit.up for recruit in game.board.recruits].count(True) == turn
        game.order(*[f"MUSTER {game.view('angus').hand[0]} DOWN"])
        assert [recruit.up for recruit in game.board.recruits].count(True) == turn
        game.order(*[f"MUSTER {game.view('buchan').hand[0]} DOWN"])
    assert game.stop.wants != Ask(("angus",), "turn", "until end", mark=True)


def test_turn_one_after_the_other_clockwise_from_the_victor() -> None:
    game = begun(players=3, first="buchan")
    order: list[str] = []
    for _ in range(6):
        order += game.asked
        game.order("RECRUIT 1")
    assert order == ["buchan", "carrick", "angus", "buchan", "carrick", "angus"]


def test_turn_each_is_asked_five_times_a_round_whatever_anyone_does() -> None:
    """The mark of this game: also who can do nothing is asked."""
    game = table(players=2, hands={"buchan": "Scott 1"}, all_else="buchan")
    assert game.stop.wants == Ask(("angus",), "turn", "until end", mark=True)
    game.refused("RECRUIT 1", "no recruits")
    game.order("PASS")
    assert game.told(None, "pass")
    game.refused("PASS", "must recruit or muster")


def test_recruit_a_face_up_one_is_replaced_face_up() -> None:
    game = table(players=2, hands=HANDS, recruits=ROW, pile="Cockburn 11")
    game.order("RECRUIT 1")
    assert "Makgill 2" in game.view("angus").hand
    assert game.view("buchan").recruits[0].card == "Cockburn 11"
    assert game.view("buchan").taken["angus"] == ["Makgill 2"]


def test_recruit_a_face_down_one_is_replaced_face_down_and_seen_by_its_taker() -> None:
    game = table(players=2, hands=HANDS, recruits=ROW, pile="Cockburn 11")
    game.order("RECRUIT 3")
    assert "Scott 7" in game.view("angus").hand
    assert game.view("angus").recruits[2].card == "?"
    assert game.board.recruits[2].card == "Cockburn 11"
    assert Show("angus", "deal:1", 2) in game.events
    assert game.told("buchan", "recruit") == [{"f": "recruit", "seat": "angus", "place": 3}]
    assert game.told("angus", "recruit")[0]["card"] == "Scott 7"


def test_recruit_not_with_ten_cards_in_hand() -> None:
    ten = ", ".join(f"Ferguson {n}" for n in range(1, 11))
    game = table(players=2, hands={"angus": ten}, recruits=ROW)
    game.refused("RECRUIT 1", "10 cards")
    game.order("MUSTER Ferguson 10 DOWN")
    assert (
        str(GAME.default(table(players=2, hands={"angus": ten}, recruits=ROW).view("angus")))
        == "MUSTER Ferguson 1 DOWN"
    )


def test_recruit_may_be_named_by_its_card() -> None:
    game = table(players=2, hands=HANDS, recruits=ROW)
    assert str(GAME.parse(game.view("angus"), "recruit mak 2")) == "RECRUIT 1"
    game.refused("RECRUIT Scott 7", "does not lie face-up")


def test_muster_face_up_or_face_down() -> None:
    game = table(players=2, hands=HANDS, recruits=ROW)
    game.order("MUSTER Scott 5")
    assert game.view("buchan").armies["angus"][0].card == "Scott 5"
    game.order("MUSTER Forsyth 9 DOWN")
    assert game.view("angus").armies["buchan"][0].card == "?"
    assert game.view("buchan").armies["buchan"][0].card == "Forsyth 9"
    assert game.told("angus", "muster")[-1] == {"f": "muster", "seat": "buchan"}


def test_muster_a_card_of_ones_hand() -> None:
    game = table(players=2, hands=HANDS, recruits=ROW)
    game.refused("MUSTER Forsyth 9", "Forsyth 9 is not in your hand")
    game.refused("MUSTER Scott 13", "no such card")


def test_muster_a_hand_that_is_played_tells_nobody_when_it_was_drawn() -> None:
    game = table(players=2, hands=HANDS, recruits=ROW)
    game.order("MUSTER Scott 5")
    assert not [event for event in game.events if isinstance(event, Open) and event.place != 1]


def test_clarifications_when_the_pile_runs_out_the_discards_are_shuffled() -> None:
    game = table(players=2, hands=HANDS, recruits=ROW, discards="Cochrane 9, Forsyth 12", all_else="discards")
    game.order("RECRUIT 1")
    wanted = game.stop.wants
    assert isinstance(wanted, Chance)
    assert wanted.label == "deal:2"
    (request,) = wanted.requests
    assert isinstance(request, Draw)
    assert request.of == tuple(sorted(game.board.discards, key=game.board.terms.rank))
    game.shuffle("Forsyth 12")
    assert game.board.recruits[0].card == "Forsyth 12"
    assert set(game.board.old) == {
        "Scott 5",
        "Wemyss 3",
        "Forsyth 9",
        *(r.card for r in game.board.recruits if not r.up),
    } | {"Makgill 2"}


def test_clarifications_the_last_card_taken_from_the_pile_has_run_it_out() -> None:
    """Though nobody draws another: what is discarded after that is not in the new pile."""
    game = table(players=2, hands=HANDS, recruits=ROW, discards="Forsyth 12", pile="Cochrane 11", all_else="buchan")
    game.order("RECRUIT 1")
    assert game.board.recruits[0].card == "Cochrane 11"
    assert isinstance(game.stop.wants, Chance)
    game.shuffle("Forsyth 12")
    assert game.asked == ("buchan",)
    assert game.board.pile == ("Forsyth 12",)


def test_clarifications_a_pile_that_ran_out_without_discards_is_made_when_a_card_is_drawn() -> None:
    armies = {"angus": "Cockburn 10"}
    game = table(players=2, hands=HANDS, recruits=ROW, armies=armies, pile="Cochrane 11", all_else="buchan")
    game.order("RECRUIT 1")
    assert game.asked == ("buchan",)
    game.order("MUSTER Wemyss 1 USE Cockburn 10")
    assert game.asked == ("angus",)
    assert game.board.discards == ("Cockburn 10",)
    game.order("RECRUIT 2")
    game.shuffle("Cockburn 10")
    assert game.board.recruits[1].card == "Cockburn 10"


def test_clarifications_with_nothing_to_shuffle_what_cannot_be_drawn_stays_away() -> None:
    game = table(players=2, hands=HANDS, recruits=ROW, all_else="buchan")
    game.order("RECRUIT 1")
    assert len(game.board.recruits) == 4
    assert game.told(None, "no cards")


def test_orders_are_read_forgivingly_and_refused_line_by_line() -> None:
    game = table(players=2, hands=HANDS, recruits=ROW, armies={"buchan": "Forsyth 2 down"})
    view = game.view("angus")
    assert str(GAME.parse(view, "muster  wem3 use buchan: down 1")) == "MUSTER Wemyss 3 USE buchan 1"
    assert str(GAME.parse(view, "MUSTER scott 5 face-down")) == "MUSTER Scott 5 DOWN"
    with pytest.raises(OrderError) as caught:
        GAME.parse(view, "MUSTER Scotty\nMUSTER Wemyss 3 USE buchan 2\nRECRUIT me")
    assert [problem.line for problem in caught.value.problems] == [1, 2, 3]
    game.refused("RECRUIT 6", "there is no recruit 6")
    game.refused("RECRUIT 1\nMUSTER Scott 5", "one order is enough")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "there is no order here"),
        ("MUSTER", "a card is a clan and a strength"),
        ("MUSTER c 5", "could be any of Cochrane, Cockburn"),
        ("MUSTER Scott 5 USE", "which has to be named, as in MUSTER Scott 5 USE Wemyss Wemyss 9 .rule Scott"),
        ("MUSTER Scott 5 USE Wemyss", "the power needs a target"),
        ("MUSTER Wemyss 3 USE buchan 4", "buchan has no follower 4"),
        ("MUSTER Wemyss 3 USE Bruce 3", "no such card"),
        ("PASS on", "PASS stands alone"),
        ("RECRUIT", "which recruit"),
        ("CLAIM Scott 8", "no such order"),
    ],
)
def test_orders_that_cannot_be_read_say_why(text: str, complaint: str) -> None:
    game = table(players=2, hands=HANDS, recruits=ROW, armies={"buchan": "Wemyss 9"})
    game.refused(text, complaint)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("PLAN MUSTER Scott 5", "plans speak for claims alone"),
        ("PLAN CLAIM", "which supporters"),
        ("PLAN CLAIM Scott 5\nPLAN CLAIM Scott 6", "one plan for claims is enough"),
    ],
)
def test_plans_that_cannot_be_read_say_why(text: str, complaint: str) -> None:
    with pytest.raises(OrderError, match=complaint):
        GAME.read_plans(text)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"players": 6}, "players"),
        ({"players": 2, "first": "carrick"}, "carrick does not play: the seats are angus, buchan"),
        ({"bruce_ranks": [5, 97]}, "ranks of their own"),
    ],
)
def test_setup_options_that_do_not_fit_say_why(options: dict[str, object], complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        GAME.start(options)
