"""The end of a round and of the game: armies counted, supporters claimed, who stays, who wins."""

from __future__ import annotations

import pytest

from pbem.games.lords import GAME
from pbem.games.lords.look import LOOK
from pbem.kernel import Ask, Chance, Release
from tests.lords.table import Laid, Table, table

LAST = {"turn": 5, "acts": "buchan", "victor": "angus", "players": 2}


def last_turn(armies: Laid, *, supporters: str = "Wemyss 12, Scott 9", **more: object) -> Table:
    """A round whose last card is played: Buchan, or the last seat, recruits, and the armies are counted."""
    laid = {**LAST, "recruits": "Forsyth 11", "supporters": supporters, "armies": armies, **more}
    return table(**laid).order("RECRUIT 1")  # type: ignore[arg-type]


def test_count_the_worked_example_22_by_doubling() -> None:
    """Judy doubles 11 to 22; Roger has one card; Sean's third card is of another clan."""
    judy, roger, sean = "Wemyss 5, Wemyss 6", "Forsyth 12", "Scott 4, Scott 6, Makgill 7"
    game = last_turn({"angus": sean, "buchan": roger, "carrick": judy}, players=3, acts="carrick", supporters="Scott 1")
    totals = [(army["seat"], army["total"], army["doubled"]) for army in game.told(None, "armies")[0]["armies"]]
    assert totals == [("carrick", 22, True), ("angus", 17, False), ("buchan", 12, False)]


@pytest.mark.parametrize("third", ["Scott 7", "Bruce a active"])
def test_count_the_worked_example_with_another_third_card(third: str) -> None:
    game = table(players=2, bruce=True, armies={"angus": f"Scott 4, Scott 6, {third}"})
    assert game.board.standing("angus").doubled


def test_count_the_worked_example_a_tie_at_12_broken_by_rank_66() -> None:
    game = last_turn({"angus": "Scott 5, Wemyss 7", "buchan": "Makgill 9, Forsyth 3"})
    counted = game.told(None, "armies")[0]["armies"]
    assert [(army["seat"], army["total"], army["rank"]) for army in counted] == [("buchan", 12, 66), ("angus", 12, 52)]


def test_count_face_down_followers_are_turned_up() -> None:
    game = last_turn({"angus": "Scott 5 down, Wemyss 7", "buchan": "Makgill 9 down"})
    assert game.told(None, "flip") == [
        {"f": "flip", "seat": "angus", "cards": ["Scott 5"]},
        {"f": "flip", "seat": "buchan", "cards": ["Makgill 9"]},
    ]


def test_claim_all_say_at_once_what_they_want_and_get_it_in_order() -> None:
    armies = {"angus": "Scott 12", "buchan": "Scott 8", "carrick": "Scott 5"}
    game = last_turn(armies, players=3, acts="carrick", supporters="Wemyss 12, Wemyss 9, Wemyss 2")
    assert game.stop.wants == Ask(("angus", "buchan"), "claim", "until resolved")  # the last gets what is left
    game.order(angus="CLAIM Wemyss 9", buchan="CLAIM Wemyss 9, Wemyss 2")
    assert {seat: cards for seat, cards in game.board.won.items() if cards} == {
        "angus": ("Wemyss 9",),
        "buchan": ("Wemyss 2",),
        "carrick": ("Wemyss 12",),
    }


def test_claim_in_turn_each_sees_what_was_claimed_before() -> None:
    armies = {"angus": "Scott 12", "buchan": "Scott 8", "carrick": "Scott 5"}
    three = "Wemyss 12, Wemyss 9, Wemyss 2"
    game = last_turn(armies, players=3, acts="carrick", supporters=three, claims="in turn")
    assert game.stop.wants == Ask(("angus",), "claim", "no")
    game.order("CLAIM Wemyss 9")
    assert game.stop.wants == Ask(("buchan",), "claim", "no")
    assert game.view("buchan").won["angus"] == ["Wemyss 9"]
    game.order("CLAIM STRONGEST")
    assert game.board.won["buchan"] == ("Wemyss 12",)
    assert game.board.won["carrick"] == ("Wemyss 2",)


def test_claim_what_is_not_named_comes_after_the_strongest_first() -> None:
    game = last_turn(
        {"angus": "Scott 12, Cochrane 3 active", "buchan": "Scott 8"}, supporters="Scott 2, Scott 3, Scott 9"
    )
    assert game.asked == ("angus",)
    game.order("CLAIM Scott 2")
    assert game.board.won["angus"] == ("Scott 2", "Scott 9")


def test_claim_only_supporters_on_the_table_each_once() -> None:
    game = last_turn({"angus": "Scott 12", "buchan": "Scott 8"})
    game.refused("CLAIM Scott 1", "no supporter on the table")
    game.refused("CLAIM Scott 9, Scott 9", "named twice")
    game.refused("RECRUIT 1", "no such order here")
    assert str(GAME.default(game.view("angus"))) == "CLAIM STRONGEST"


def test_claim_not_asked_where_there_is_no_choice() -> None:
    game = last_turn({"angus": "Scott 12"}, supporters="Wemyss 12")
    assert game.told(None, "claim")[0]["cards"] == ["Wemyss 12"]


def test_claim_none_without_a_follower() -> None:
    game = last_turn({"angus": "Scott 12"})
    assert game.stop.wants == Ask(("angus",), "claim", "no")  # asked alone, there is nothing to hide
    game.order("CLAIM Scott 9")
    assert game.board.won["buchan"] == ()
    assert game.told(None, "unclaimed") == [{"f": "unclaimed", "cards": ["Wemyss 12"]}]
    assert "Wemyss 12" in game.board.discards


def test_claim_none_if_no_supporter_is_left() -> None:
    game = last_turn({"angus": "Scott 12, Cochrane 2 active", "buchan": "Forsyth 3"})
    assert game.board.won == {"angus": ("Wemyss 12", "Scott 9"), "buchan": ()}


def test_cochrane_claims_two_and_the_last_takes_the_one_there_is() -> None:
    game = last_turn({"angus": "Scott 12", "buchan": "Cochrane 3 active"})
    game.order("CLAIM STRONGEST")
    assert game.board.won == {"angus": ("Wemyss 12",), "buchan": ("Scott 9",)}


def test_cochrane_twice_claims_two() -> None:
    army = "Cochrane 3 active, Cochrane 2 active, Scott 12"
    game = last_turn({"angus": army}, supporters="Scott 1, Scott 2, Scott 3", players=3, acts="carrick")
    game.order("CLAIM STRONGEST")
    assert game.board.won["angus"] == ("Scott 3", "Scott 2")


def test_plans_answer_claims_and_pass_over_what_is_not_there() -> None:
    game = last_turn({"angus": "Scott 12", "buchan": "Scott 8"})
    plans = GAME.read_plans("PLAN CLAIM Forsyth 2, Scott 9  # for the clan")
    assert plans == "CLAIM Forsyth 2, Scott 9"
    planned = GAME.planned(game.view("angus"), plans)
    assert planned is not None
    assert str(planned.order) == "CLAIM Scott 9"
    assert GAME.planned(table(players=2, hands={"angus": "Scott 1"}).view("angus"), plans) is None


def test_clear_followers_recruits_and_supporters_are_discarded_and_new_ones_come() -> None:
    game = last_turn({"angus": "Scott 12", "buchan": "Scott 8"}).order("CLAIM STRONGEST")
    assert {"Scott 12", "Scott 8"} <= set(game.board.discards)
    assert (len(game.board.supporters), len(game.board.recruits), game.board.turn) == (2, 5, 1)
    assert game.board.armies == {"angus": (), "buchan": ()}


def test_clear_the_winner_takes_the_first_turn_of_the_next_round() -> None:
    game = last_turn({"angus": "Scott 7", "buchan": "Scott 8"}).order("CLAIM STRONGEST")
    assert game.board.victor == "buchan"
    assert game.asked == ("buchan",)
    assert game.board.recruits[0].up


def test_clear_without_any_army_the_initiative_stays_where_it_is() -> None:
    game = last_turn({}, acts="angus", victor="buchan")
    assert game.board.victor == "buchan"


def test_macdonnell_stays_for_one_more_round() -> None:
    game = last_turn({"angus": "MacDonnell 9 active, Scott 2", "buchan": "Scott 8"}).order("CLAIM STRONGEST")
    assert [(f.card, f.power) for f in game.board.armies["angus"]] == [("MacDonnell 9", "")]
    assert game.told(None, "stay") == [{"f": "stay", "seat": "angus", "cards": ["MacDonnell 9"]}]
    again = last_turn({"angus": "MacDonnell 9", "buchan": "Scott 8"}).order("CLAIM STRONGEST")
    assert again.board.armies["angus"] == ()


def test_macdonnell_a_scott_that_copies_stays_too() -> None:
    game = table(players=2, hands={"angus": "Scott 1"}, armies={"buchan": "MacDonnell 4"})
    game.order("MUSTER Scott 1 USE MacDonnell")
    assert game.board.armies["angus"][0].power == "MacDonnell"


def test_macdonnell_that_stays_counts_as_a_follower_who_begins_in_play() -> None:
    game = table(players=2, hands={"angus": "Forsyth 5"}, armies={"buchan": "MacDonnell 4"})
    game.refused("MUSTER Forsyth 5 USE", "lower strength")


def test_end_at_forty_points_the_most_strength_wins() -> None:
    won = {"angus": "Forsyth 12, Forsyth 10, Forsyth 8", "buchan": "Cochrane 12, Cochrane 11, Cochrane 10"}
    game = last_turn({"angus": "Scott 12", "buchan": "Scott 8"}, won=won).order("CLAIM STRONGEST")
    assert game.result == {"winner": "angus", "why": "throne", "points": {"angus": 42, "buchan": 42}}


def test_end_a_tie_is_won_by_who_placed_higher_in_the_final_round() -> None:
    won = {"angus": "Forsyth 12, Forsyth 10, Forsyth 8", "buchan": "Cochrane 12, Cochrane 11, Cochrane 10"}
    game = last_turn({"angus": "Scott 8", "buchan": "Scott 12"}, won=won)
    game.order("CLAIM Scott 9")
    assert game.result == {"winner": "buchan", "why": "throne", "points": {"angus": 42, "buchan": 42}}


def test_end_not_before_forty() -> None:
    won = {"angus": "Forsyth 12, Forsyth 10, Forsyth 5"}
    game = last_turn({"angus": "Scott 12", "buchan": "Scott 8"}, won=won).order("CLAIM STRONGEST")
    assert game.board.points("angus") == 39
    assert game.asked == ("angus",)


def test_end_opens_everything() -> None:
    won = {"angus": "Forsyth 12, Forsyth 10, Forsyth 8"}
    game = last_turn({"angus": "Scott 12", "buchan": "Scott 8"}, won=won).order("CLAIM STRONGEST")
    assert [event for event in game.events if isinstance(event, Release)] == [Release("deal:1")]
    assert game.view(None).shown == {"angus": [], "buchan": ["Forsyth 11"]}


def test_end_after_the_last_round_where_rounds_are_agreed_on() -> None:
    game = last_turn({"angus": "Scott 12", "buchan": "Scott 8"}, rounds=1)
    game.order("CLAIM STRONGEST")
    assert (game.result["winner"], game.result["why"]) == ("angus", "rounds")
    assert LOOK.result(game.result).startswith("Angus claims the throne: the last round is played.")


def test_end_no_round_and_no_deal_is_the_last_by_itself() -> None:
    two = last_turn({"angus": "Scott 12", "buchan": "Scott 8"}, rounds=2).order("CLAIM STRONGEST")
    assert (two.board.round, len(two.asked)) == (2, 1)
    many = last_turn({"angus": "Scott 12", "buchan": "Scott 8"}, deals=4097, all_else="discards")
    many.shuffle("Forsyth 10").order("CLAIM STRONGEST")
    assert (many.board.round, many.board.deals, len(many.asked)) == (2, 4098, 1)


def test_end_nobody_wins_a_tie_of_those_who_did_not_place() -> None:
    won = {"angus": "Forsyth 12, Forsyth 10", "buchan": "Cochrane 12, Cochrane 10"}
    game = last_turn({"carrick": "Scott 3"}, players=3, acts="carrick", supporters="Scott 1", won=won, goal=20)
    assert game.result["winner"] == ""


def test_tie_of_supporters_all_equal_with_nothing_else_to_draw_stays() -> None:
    top = "Wemyss 4, Scott 2, Scott 3, Scott 5, Scott 6, Scott 7, Forsyth 4, Cochrane 4"
    game = last_turn({"angus": "Scott 4"}, supporters="Wemyss 12", pile=top, all_else="angus")
    assert set(game.board.discards) == {"Wemyss 4", "Scott 4"}
    assert game.board.supporters == ("Forsyth 4", "Cochrane 4")
    assert not game.told(None, "same")


def test_take_back_what_showed_a_card_is_not_taken_back() -> None:
    game = table(players=2, hands={"angus": "Scott 1, Scott 2", "buchan": "Wemyss 3"})
    before = game.stop.state
    down = game.order("MUSTER Scott 1 DOWN").stop.state
    assert not GAME.told_secret(before, down)
    up = game.order("MUSTER Wemyss 3").stop.state
    assert GAME.told_secret(down, up)


def test_shuffle_is_a_deal_of_its_own() -> None:
    game = last_turn({"angus": "Scott 12"}, all_else="discards")
    assert isinstance(game.stop.wants, Chance)
    assert game.stop.wants.label == "deal:2"
