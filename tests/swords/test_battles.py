"""3 Battle: when one is triggered, castles, sealed commitments, winner and losers, ties, chains, the leader."""

from __future__ import annotations

import pytest

from pbem.games.swords.game import GAME
from pbem.kernel import Ask
from tests.swords.table import battle, deploying, table

# Triggered


def test_battle_when_troops_of_two_meet_the_token() -> None:
    game = battle(cubes="pink 4, yellow 3")
    assert game.told("battle") == [
        {
            "f": "battle",
            "region": "Moray",
            "token": 7,
            "present": [{"seat": "pink", "n": 4}, {"seat": "yellow", "n": 3}],
        }
    ]


@pytest.mark.parametrize("cubes", ["pink 4, yellow 2", "pink 9"])
def test_battle_not_below_the_token_nor_alone(cubes: str) -> None:
    assert battle(cubes=cubes).told("battle") == []


def test_battle_the_token_of_four_is_higher() -> None:
    assert battle(cubes="pink 4, yellow 4", players=4).told("battle") == []
    assert battle(cubes="pink 4, yellow 4, white", players=4).told("battle")


def test_battle_troops_of_three_count_together() -> None:
    assert battle(cubes="pink 3, yellow 2, black 2", players=3).told("battle")


def test_battle_not_before_all_have_deployed() -> None:
    boards = {"pink": "A1 B1 A2", "yellow": "A1 B1 A2"}
    game = table(icon="harp", boards=boards, cubes={"Moray": "pink 3, yellow 2"}, number=2)
    game.place(pink="PLACE B2", yellow="PLACE B2")
    game.order("DEPLOY A1 B1 A2 B2 PULL A1 B1 TO Moray")
    assert game.what == "deploy"
    assert game.told("battle") == []
    game.order("DEPLOY A1 B1 A2 B2 PULL A1 B1 TO Moray")
    assert game.told("battle")[0]["present"] == [{"seat": "pink", "n": 5}, {"seat": "yellow", "n": 4}]


def test_battle_of_several_the_leader_says_which_is_next() -> None:
    game = battle(cubes="pink 4, yellow 3", elsewhere={"Fife": "pink 5, yellow 3"}, leader="yellow")
    assert game.stop.wants == Ask(("yellow",), "battle", "no")
    game.refused("BATTLE Isles", "names no battle")
    game.order("BATTLE Fife")
    assert game.told("battle")[0]["region"] == "Fife"


# Castles


def test_castles_each_removes_a_cube_of_the_colour_its_owner_names() -> None:
    game = battle(cubes="pink 4, yellow 2, black 2", players=3, castles_={"Inverness": "pink", "Blair": "pink"})
    assert game.stop.wants == Ask(("pink",), "castles", "no")
    assert game.legal() == [
        *("KILL pink, pink", "KILL pink, yellow", "KILL pink, black"),
        *("KILL yellow, yellow", "KILL yellow, black", "KILL black, black"),
    ]
    game.refused("KILL black", "name 2 colours")
    game.refused("KILL white, black", "there are not these cubes to remove")
    game.order("KILL black, yellow")
    assert [(fact["castle"], fact["colour"]) for fact in game.told("kill")] == [
        ("Inverness", "yellow"),
        ("Blair", "black"),
    ]
    assert game.there("Moray") == {"pink": 4, "yellow": 1, "black": 1}
    assert game.board.supply["yellow"] == 21 - 1, "to its owner's supply"


def test_castles_may_remove_their_owner_s_colour() -> None:
    game = battle(cubes="pink 4, yellow 3", castles_={"Inverness": "yellow", "Blair": "pink"})
    assert (game.asked, game.legal()) == (("pink",), ["KILL pink", "KILL yellow"])
    game.order("KILL pink")
    assert (game.asked, game.legal()) == (("yellow",), ["KILL pink", "KILL yellow"])
    game.order("KILL yellow")
    assert game.there("Moray") == {"pink": 3, "yellow": 2}
    assert game.board.supply["pink"] == 21 - 4, "to its owner's supply"
    assert game.what == "commit"


def test_castles_own_colour_last_where_that_is_agreed() -> None:
    """The option own=last: a castle with one choice is not asked."""
    laid = {"cubes": "pink 4, yellow 2, black 2", "players": 3, "own": "last"}
    game = battle(**laid, castles_={"Inverness": "pink", "Blair": "pink"})
    assert game.legal() == ["KILL yellow, yellow", "KILL yellow, black", "KILL black, black"]
    game.refused("KILL pink, yellow", "your own only when no other is left")
    game = battle(cubes="pink 4, yellow 3", castles_={"Inverness": "yellow", "Blair": "pink"}, own="last")
    assert game.there("Moray") == {"pink": 3, "yellow": 2}
    assert game.what == "commit"


def test_castles_the_silent_remove_others_first() -> None:
    game = battle(cubes="pink 6, yellow 2", castles_={"Inverness": "pink"})
    assert str(GAME.default(game.view("pink"))) == "KILL yellow"
    assert game.legal() == ["KILL pink", "KILL yellow"]


def test_castles_in_turn_order_clockwise_from_the_leader() -> None:
    castles = {"Inverness": "yellow", "Blair": "pink", "Kildrummy": "black"}
    game = battle(cubes="pink 3, yellow 3, black 3", players=3, castles_=castles, leader="yellow")
    asked = []
    while game.what == "castles":
        asked.append(game.asked[0])
        game.order(game.legal()[0])
    assert asked == ["yellow", "black", "pink"]


def test_castles_only_those_on_the_border_of_the_region() -> None:
    game = battle(cubes="pink 4, yellow 3", castles_={"Perth": "pink"})
    assert game.told("kill") == []


def test_castles_of_those_without_cubes_in_the_region_act_too() -> None:
    laid = {"cubes": "pink 4, yellow 3", "castles_": {"Inverness": "black"}, "players": 3}
    game = battle(**laid)
    assert game.stop.wants == Ask(("black",), "castles", "no")
    assert game.legal() == ["KILL pink", "KILL yellow"]
    game.refused("KILL black", "there are not these cubes to remove")
    game.order("KILL pink")
    assert game.what == "commit"
    assert game.asked == ("pink", "yellow")
    assert battle(**laid, castles="present").what == "commit", "the option castles=present"


def test_castles_of_a_third_may_end_a_battle() -> None:
    """The last cube of one player gone, the other wins unopposed; whoever holds the castle takes no part."""
    game = battle(cubes="pink 6, yellow 1", castles_={"Inverness": "black"}, players=3, glory={"Drums": "black"})
    game.order("KILL yellow")
    assert game.told("won") == [{"f": "won", "seat": "pink", "region": "Moray", "points": 7, "how": "unopposed"}]
    assert game.board.points["black"] == 0


def test_castles_of_those_whose_cubes_are_gone_act_all_the_same() -> None:
    castles = {"Inverness": "pink", "Blair": "pink", "Kildrummy": "yellow"}
    game = battle(cubes="pink 6, yellow 1", castles_=castles).order("KILL pink, yellow")
    assert [(fact["seat"], fact["colour"]) for fact in game.told("kill")] == [
        ("pink", "yellow"), ("pink", "pink"), ("yellow", "pink")
    ]  # fmt: skip


def test_castles_naming_is_a_must_ones_own_when_no_other_is_left() -> None:
    game = battle(cubes="pink 6, yellow 1", castles_={"Inverness": "pink", "Blair": "pink"}, own="last")
    assert [fact["colour"] for fact in game.told("kill")] == ["yellow", "pink"]
    assert game.told("won")[0]["seat"] == "pink"
    assert game.there("Moray") == {"pink": 5}


def test_castles_one_player_left_wins_without_committing() -> None:
    game = battle(cubes="pink 6, yellow 1", castles_={"Inverness": "pink"}).order("KILL yellow")
    assert game.told("won") == [{"f": "won", "seat": "pink", "region": "Moray", "points": 7, "how": "unopposed"}]
    assert game.told("commit") == []
    assert (game.board.points["pink"], game.there("Moray")) == (7, {"pink": 6})


def test_castles_no_player_left_is_a_loss_for_both() -> None:
    castles = {"Inverness": "pink", "Blair": "yellow"}
    game = battle(cubes="pink 1, yellow 1", tokens={"Moray": 2}, castles_=castles, glory={"Drums": "yellow"})
    game.order("KILL yellow")
    assert [fact["colour"] for fact in game.told("kill")] == ["yellow", "pink"]
    assert game.told("all lost")
    assert game.told("commit") == []
    assert dict(game.board.points) == {"pink": 0, "yellow": 2}, "it counts as a loss: Drums"


# Commitments


def test_commit_sealed_and_all_at_once() -> None:
    game = battle(cubes="pink 4, yellow 3, black 2", players=3, leader="black")
    assert game.stop.wants == Ask(("pink", "yellow", "black"), "commit", "until resolved")
    assert game.legal("yellow") == ["COMMIT 0", "COMMIT 1", "COMMIT 2", "COMMIT 3"]
    game.refused("COMMIT 4", "you have 3 in Moray", "yellow")
    game.refused("COMMIT 1 PICTS", "you have 3 in Moray", "yellow")
    game.refused("COMMIT many", "how many cubes", "yellow")


def test_commit_all_committed_cubes_return_to_the_supply() -> None:
    game = battle(cubes="pink 4, yellow 3")
    before = dict(game.board.supply)
    game.order(pink="COMMIT 3", yellow="COMMIT 2")
    assert game.told("commit") == [
        {
            "f": "commit",
            "region": "Moray",
            "numbers": [{"seat": "pink", "n": 3, "of": 4}, {"seat": "yellow", "n": 2, "of": 3}],
        }
    ]
    assert dict(game.board.supply) == {"pink": before["pink"] + 3, "yellow": before["yellow"] + 2}


# Winner


def test_winner_the_most_committed_scores_the_token_and_keeps_the_others_there() -> None:
    game = battle(cubes="pink 4, yellow 3").order(pink="COMMIT 2", yellow="COMMIT 1")
    assert game.told("won") == [{"f": "won", "seat": "pink", "region": "Moray", "points": 7, "how": "most"}]
    assert dict(game.board.points) == {"pink": 7, "yellow": 0}
    assert game.there("Moray")["pink"] == 2


def test_winner_the_example_of_the_book_most_committed_takes_ten_points() -> None:
    """Four play in Lothian, with its 10; pink commits most, yellow retreats, black puts one of his dead on a glory card."""
    cubes = "pink 4, yellow 4, black 3"
    game = battle("Lothian", cubes, players=4, castles_={"Stirling": "yellow"}, game="Drums, Bagpipes, Druid")
    game.order("KILL black").order(pink="COMMIT 3", yellow="COMMIT 1", black="COMMIT 2")
    assert game.board.points["pink"] == 10
    game.order("RETREAT 3 Fife", "RETREAT NONE\nGLORY 1 Drums")
    assert game.there("Fife") == {"yellow": 3}
    assert dict(game.board.glory["Drums"]) == {"black": 1}
    assert game.board.held["Drums"] == "black"
    assert game.told("hold") == [{"f": "hold", "card": "Drums", "seat": "black"}]


def test_winner_takes_the_start_player_marker() -> None:
    game = battle(cubes="pink 4, yellow 3", leader="pink").order(pink="COMMIT 0", yellow="COMMIT 1")
    assert game.board.leader == "pink", "until the battle is over"
    game.order("RETREAT 4 Ross")
    assert game.board.leader == "yellow"
    assert game.told("leader") == [{"f": "leader", "seat": "yellow"}]


# Losers


def test_loser_retreats_with_uncommitted_cubes_to_adjacent_territories_as_he_likes() -> None:
    game = battle(cubes="pink 4, yellow 4").order(pink="COMMIT 3", yellow="COMMIT 1")
    assert game.stop.wants == Ask(("yellow",), "retreat", "no")
    game.refused("RETREAT 3 Fife", "Fife is not open from Moray")
    game.refused("RETREAT 2 Ross", "3 retreat, no more and no fewer")
    game.refused("RETREAT 4 Ross", "3 retreat, no more and no fewer")
    game.refused("RETREAT 1 Ross, 2 Ross", "Ross is named twice")
    game.refused("RETREAT NONE", "3 retreat")
    game.order("RETREAT 2 Ross, 1 Buchan")
    assert (game.there("Moray"), game.there("Ross"), game.there("Buchan")) == (
        {"pink": 1},
        {"yellow": 2},
        {"yellow": 1},
    )


def test_loser_without_a_choice_is_not_asked() -> None:
    game = battle("Buchan", "pink 3, yellow 2").order(pink="COMMIT 3", yellow="COMMIT 2")
    assert game.what != "retreat", "nothing is left, and no glory card lies there"


def test_loser_committed_cubes_go_to_the_supply_or_to_glory_cards() -> None:
    game = battle(cubes="pink 4, yellow 4", game="Drums, Quaich").order(pink="COMMIT 4", yellow="COMMIT 3")
    game.refused("RETREAT 1 Ross\nGLORY 4 Drums", "3 committed cubes of your own colour")
    game.refused("RETREAT 1 Ross\nGLORY 1 Druid", "Druid is not in this game")
    game.refused("RETREAT 1 Ross\nGLORY 1 Drums, 1 Drums", "name Drums once")
    game.refused("RETREAT 1 Ross\nGLORY 1 PICTS Drums", "Picts do not go")
    game.order("GLORY 1 Drums, 1 Quaich\nRETREAT 1 Ross")
    assert {card: dict(bids) for card, bids in game.board.glory.items()} == {
        "Drums": {"yellow": 1},
        "Quaich": {"yellow": 1},
    }
    assert game.board.supply["yellow"] == 21 - 1 - 2


def test_losers_leave_clockwise_from_the_leader_of_before_the_battle() -> None:
    game = battle(cubes="pink 3, yellow 3, black 3", players=3, leader="black")
    game.order(pink="COMMIT 2", yellow="COMMIT 1", black="COMMIT 1")
    order = []
    while game.what == "retreat":
        order.append(game.asked[0])
        game.order("RETREAT 2 Ross")
    assert order == ["black", "yellow"]


def test_loser_where_no_way_is_open_to_the_supply() -> None:
    from tests.swords.set_up import own

    two = own(
        regions=[{"name": "Moray", "token": [4, 4]}, {"name": "Fife", "token": [4, 4]}],
        land=[["Moray", "Fife"]], sea=[], castles=[],
    )  # fmt: skip
    game = battle(cubes="pink 3, yellow 2", parts=two, wall=("Moray", "Fife"), game="Hadrian's Wall")
    game.order(pink="COMMIT 2", yellow="COMMIT 0")
    assert game.told("no way") == [{"f": "no way", "seat": "yellow", "region": "Moray", "n": 2}]
    assert game.board.supply["yellow"] == 21


def test_retreat_may_cause_another_battle_which_waits_its_turn() -> None:
    game = battle(cubes="pink 4, yellow 4, black 2", players=3, elsewhere={"Ross": "black 3"})
    game.order(pink="COMMIT 4", yellow="COMMIT 2", black="COMMIT 0")
    game.order("RETREAT 2 Ross")
    assert game.what == "retreat"
    assert len(game.told("battle")) == 1, "first this battle is brought to its end"
    game.order("RETREAT 2 Buchan")
    assert [fact["region"] for fact in game.told("battle")] == ["Moray", "Ross"]
    assert game.board.leader == "pink"


# Ties


def test_tie_all_who_are_tied_lose() -> None:
    game = battle(cubes="pink 4, yellow 3").order(pink="COMMIT 2", yellow="COMMIT 2")
    assert game.told("all lost") == [{"f": "all lost", "region": "Moray"}]
    assert dict(game.board.points) == {"pink": 0, "yellow": 0}
    game.order("RETREAT 2 Ross", "RETREAT 1 Ross")
    assert game.there("Moray") == {}
    assert game.board.leader == "pink", "nobody won: the leader stays"


def test_tie_a_third_with_at_least_one_wins() -> None:
    game = battle(cubes="pink 3, yellow 3, black 3", players=3).order(
        pink="COMMIT 3", yellow="COMMIT 3", black="COMMIT 1"
    )
    assert game.told("won") == [{"f": "won", "seat": "black", "region": "Moray", "points": 7, "how": "third"}]
    assert game.there("Moray") == {"black": 2}


def test_tie_a_third_with_none_does_not() -> None:
    game = battle(cubes="pink 3, yellow 3, black 3", players=3)
    game.order(pink="COMMIT 3", yellow="COMMIT 3", black="COMMIT 0")
    assert game.told("all lost")


def test_tie_two_pairs_have_no_winner() -> None:
    game = battle(cubes="pink 3, yellow 3, black 3, white 3", players=4)
    game.order(pink="COMMIT 3", yellow="COMMIT 3", black="COMMIT 1", white="COMMIT 1")
    assert game.told("all lost")


def test_tie_nobody_commits_and_all_lose() -> None:
    game = battle(cubes="pink 4, yellow 3").order(pink="COMMIT 0", yellow="COMMIT 0")
    assert game.told("all lost")


def test_a_deployment_leads_to_a_battle() -> None:
    game = deploying(boards={"pink": "A1 B1 A2"}, cubes={"Moray": "pink 3, yellow 2"}, number=2)
    game.order("DEPLOY A1 B1 A2 B2 PULL A1 B1 TO Moray")
    assert game.what == "commit"


def test_battle_the_silent_commit_half_and_retreat_to_their_own() -> None:
    from pbem.games.swords.game import GAME

    game = battle(cubes="pink 4, yellow 5", elsewhere={"Buchan": "yellow"})
    assert str(GAME.default(game.view("yellow"))) == "COMMIT 3"
    game.order(pink="COMMIT 4", yellow="COMMIT 3")
    assert str(GAME.default(game.view("yellow"))) == "RETREAT 2 Buchan"
