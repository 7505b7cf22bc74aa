"""The nine powers of the clans, when they activate, and their clarifications."""

from __future__ import annotations

import pytest

from pbem.kernel import Show
from tests.lords.table import table

ROW = "Makgill 2, Cochrane 4 down, Scott 7 down, Forsyth 1 down, Wemyss 8 down"


def test_powers_activate_where_no_other_face_up_follower_is_lower() -> None:
    game = table(players=2, hands={"angus": "Forsyth 6, Forsyth 5"}, armies={"buchan": "Scott 5, Wemyss 1 down"})
    game.refused("MUSTER Forsyth 6 USE", "lower strength")
    game.order("MUSTER Forsyth 5 USE")  # equal is not lower, and what lies face-down does not count


def test_powers_one_may_leave_a_power_unused() -> None:
    game = table(players=2, hands={"angus": "Forsyth 6"}).order("MUSTER Forsyth 6")
    assert game.board.hands["angus"] == ()


def test_powers_of_face_down_cards_do_not_activate() -> None:
    game = table(players=2, hands={"angus": "Wemyss 3"}, armies={"buchan": "Scott 8"})
    game.refused("MUSTER Wemyss 3 DOWN USE Scott 8", "played face-down do not activate")
    game.order("MUSTER Wemyss 3 DOWN")
    assert game.army("buchan") == ["Scott 8"]


@pytest.mark.parametrize(
    ("players", "activation", "clan"),
    [(3, "usual", False), (4, "usual", True), (5, "lowest", False), (2, "clan", True)],
)
def test_alternative_with_four_or_five_only_the_same_clan_counts(players: int, activation: str, clan: bool) -> None:
    game = table(
        players=players,
        activation=activation,
        hands={"angus": "Forsyth 6, Forsyth 3"},
        armies={"buchan": "Scott 2, Forsyth 5"},
    )
    assert game.board.terms.condition == ("clan" if clan else "lowest")
    game.refused("MUSTER Forsyth 6 USE", "of clan Forsyth" if clan else "lower strength")
    if clan:
        game.order("MUSTER Forsyth 3 USE")
    else:
        game.refused("MUSTER Forsyth 3 USE", "lower strength")


def test_cockburn_changes_places_with_a_supporter() -> None:
    game = table(players=2, hands={"angus": "Cockburn 1"}, supporters="Wemyss 12, Scott 4")
    game.refused("MUSTER Cockburn 1 USE Scott 5", "nothing that the power can be turned on")
    game.order("MUSTER Cockburn 1 USE Wemyss 12")
    assert game.army("angus") == ["Wemyss 12"]
    assert game.board.supporters == ("Cockburn 1", "Scott 4")


def test_ferguson_changes_places_with_an_opponents_follower() -> None:
    game = table(players=2, hands={"angus": "Ferguson 1"}, armies={"angus": "Scott 2", "buchan": "Scott 8, Scott 9"})
    game.refused("MUSTER Ferguson 1 USE Scott 2", "nothing that the power can be turned on")
    game.order("MUSTER Ferguson 1 USE Scott 9")
    assert game.army("angus") == ["Scott 2", "Scott 9"]
    assert game.army("buchan") == ["Scott 8", "Ferguson 1"]


def test_ferguson_takes_a_face_down_card_that_stays_face_down() -> None:
    game = table(players=3, hands={"angus": "Ferguson 1"}, armies={"buchan": "Scott 8 down"})
    game.order("MUSTER Ferguson 1 USE buchan 1")
    assert not game.board.armies["angus"][0].up
    seen = {seat: game.view(seat).armies["angus"][0].card for seat in ("angus", "buchan", "carrick")}
    assert seen == {"angus": "Scott 8", "buchan": "Scott 8", "carrick": "?"}
    assert game.told("angus", "power")[0]["took"] == "Scott 8"
    assert "took" not in game.told("carrick", "power")[0]
    assert not [event for event in game.events if isinstance(event, Show)]


def test_forsyth_draws_the_top_card_of_the_pile() -> None:
    game = table(players=2, hands={"angus": "Forsyth 6"}, pile="Cochrane 11")
    game.order("MUSTER Forsyth 6 USE")
    assert game.board.hands["angus"] == ("Cochrane 11",)
    assert game.told("angus", "draw") == [{"f": "draw", "seat": "angus", "card": "Cochrane 11"}]
    assert game.told("buchan", "draw") == [{"f": "draw", "seat": "angus"}]


def test_makgill_musters_another_which_may_activate() -> None:
    game = table(players=2, hands={"angus": "Makgill 6, Forsyth 5, Forsyth 7"}, pile="Scott 12")
    game.refused("MUSTER Makgill 6 USE\nMUSTER Forsyth 7 USE", "Forsyth 7 does not activate")  # Makgill 6 is lower
    game.order("MUSTER Makgill 6 USE\nMUSTER Forsyth 5 USE")
    assert game.army("angus") == ["Makgill 6", "Forsyth 5"]
    assert game.board.hands["angus"] == ("Forsyth 7", "Scott 12")


def test_makgill_after_makgill() -> None:
    game = table(players=2, hands={"angus": "Makgill 6, Makgill 4, Makgill 3, Scott 9"})
    game.order("MUSTER Makgill 6 USE\nMUSTER Makgill 4 USE\nMUSTER Makgill 3 USE\nMUSTER Scott 9 DOWN")
    assert game.army("angus") == ["Makgill 6", "Makgill 4", "Makgill 3", "Scott 9"]
    assert game.asked == ("buchan",)


def test_makgill_needs_another_card_and_musters_one_only() -> None:
    game = table(players=2, hands={"angus": "Makgill 6, Scott 9, Scott 8"})
    game.refused("MUSTER Makgill 6 USE", "another card of your hand follows")
    game.refused("MUSTER Makgill 6 USE\nMUSTER Scott 9\nMUSTER Scott 8", "one card too many")
    game.refused("MUSTER Makgill 6\nMUSTER Scott 9", "one card too many")
    alone = table(players=2, hands={"angus": "Makgill 6"})
    alone.refused("MUSTER Makgill 6 USE", "nothing that the power can be turned on")


def test_scott_copies_a_power_used_at_once() -> None:
    game = table(players=2, hands={"angus": "Scott 1"}, armies={"angus": "Forsyth 3", "buchan": "Wemyss 8, Cochrane 9"})
    game.order("MUSTER Scott 1 USE Wemyss Wemyss 8")
    assert game.army("buchan") == ["Cochrane 9"]
    assert game.board.discards == ("Wemyss 8",)


def test_scott_copies_a_power_of_the_end_of_the_round() -> None:
    game = table(players=2, hands={"angus": "Scott 1"}, armies={"buchan": "Cochrane 9"})
    game.order("MUSTER Scott 1 USE Cochrane")
    assert game.board.armies["angus"][0].power == "Cochrane"
    assert game.board.armies["buchan"][0].power == ""
    assert game.board.claims("angus") == 2


def test_scott_copies_makgill_and_exchanges_itself_as_ferguson() -> None:
    game = table(players=2, hands={"angus": "Scott 2, Scott 1"}, armies={"buchan": "Makgill 8, Ferguson 9"})
    game.order("MUSTER Scott 2 USE Makgill\nMUSTER Scott 1 USE Ferguson Ferguson 9")
    assert game.army("angus") == ["Scott 2", "Ferguson 9"]
    assert game.army("buchan") == ["Makgill 8", "Scott 1"]


def test_scott_copies_what_lies_face_up_only_and_no_scott() -> None:
    game = table(players=2, hands={"angus": "Scott 1"}, armies={"buchan": "Cochrane 9 down, Scott 3"})
    game.refused("MUSTER Scott 1 USE Cochrane", "no face-up follower whose power a Scott could copy")
    game.refused("MUSTER Scott 1 USE Scott", "no face-up follower whose power a Scott could copy")


def test_clarifications_copying_does_not_negate_the_power_copied() -> None:
    game = table(players=2, hands={"angus": "Scott 1"}, armies={"buchan": "Cochrane 9 active"})
    game.order("MUSTER Scott 1 USE Cochrane")
    assert (game.board.claims("angus"), game.board.claims("buchan")) == (2, 2)


def test_wemyss_discards_a_follower_from_any_army() -> None:
    game = table(
        players=2, hands={"angus": "Wemyss 3"}, armies={"angus": "Scott 5, Scott 6 down", "buchan": "Scott 8 down"}
    )
    game.refused("MUSTER Wemyss 3 USE Wemyss 3", "nothing that the power can be turned on")
    game.order("MUSTER Wemyss 3 USE buchan 1")
    assert game.army("buchan") == []
    assert game.told("buchan", "power")[0]["gone"] == "Scott 8"  # the discards lie face-up
    own = table(players=2, hands={"angus": "Wemyss 3"}, armies={"angus": "Scott 5, Scott 6 down"})
    assert own.order("MUSTER Wemyss 3 USE angus 2").army("angus") == ["Scott 5", "Wemyss 3"]


def test_wemyss_may_turn_on_what_a_makgill_has_just_mustered() -> None:
    game = table(players=2, hands={"angus": "Makgill 4, Wemyss 3"})
    game.order("MUSTER Makgill 4 USE\nMUSTER Wemyss 3 USE Makgill 4")
    assert game.army("angus") == ["Wemyss 3"]


def test_lasting_powers_stay_active_though_a_lower_follower_comes() -> None:
    game = table(players=2, hands={"angus": "Cochrane 9", "buchan": "Scott 1"}).order(
        "MUSTER Cochrane 9 USE", "MUSTER Scott 1"
    )
    assert game.board.armies["angus"][0].power == "Cochrane"


def test_lasting_powers_work_for_whose_army_the_follower_is_in() -> None:
    game = table(players=2, hands={"angus": "Cochrane 9", "buchan": "Ferguson 2"})
    game.order("MUSTER Cochrane 9 USE", "MUSTER Ferguson 2 USE Cochrane 9")
    assert (game.board.claims("angus"), game.board.claims("buchan")) == (1, 2)


def test_clarifications_who_comes_by_a_swap_does_not_activate() -> None:
    game = table(players=2, hands={"angus": "Cockburn 1"}, supporters="Cochrane 12, Scott 4")
    game.order("MUSTER Cockburn 1 USE Cochrane 12")
    assert game.board.armies["angus"][0].power == ""


def test_bruce_activated_counts_for_any_clan() -> None:
    cards = {"angus": "Bruce a active, Scott 3, Scott 4", "buchan": "Bruce b, Wemyss 3, Wemyss 4"}
    game = table(players=2, bruce=True, armies=cards)
    assert game.board.standing("angus").total == 2 * 19
    assert game.board.standing("buchan").total == 19


def test_bruce_two_royal_cards_are_of_one_clan() -> None:
    game = table(players=2, bruce=True, armies={"angus": "Bruce a, Bruce b", "buchan": "Scott 4"})
    assert game.board.standing("angus").doubled


def test_bruce_copied_by_a_scott_counts_for_any_clan() -> None:
    game = table(players=2, bruce=True, hands={"angus": "Scott 1"}, armies={"angus": "Wemyss 2", "buchan": "Bruce b"})
    game.refused("MUSTER Scott 1 USE Cochrane", "no face-up follower")
    game.order("MUSTER Scott 1 USE Bruce")
    assert game.board.standing("angus") == (6, 12, True)


def test_bruce_is_no_follower_of_another_clan_for_its_power() -> None:
    game = table(players=2, bruce=True, hands={"angus": "Bruce a"}, armies={"buchan": "Scott 4"})
    game.refused("MUSTER Bruce a USE", "lower strength")
