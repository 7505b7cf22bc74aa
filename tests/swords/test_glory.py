"""Glory Cards: who holds them, and what each of the twelve does."""

from __future__ import annotations

import pytest

from pbem.games.swords.rules.battles import Battle
from pbem.kernel import Ask
from tests.swords.table import Table, at, battle, deploying, lay, table

BOX = "DEPLOY A1 B1 A2 B2 PULL A1 B1 TO Moray"


def held(game: Table) -> dict[str, str]:
    return dict(game.board.held)


# Who holds a card


def test_glory_the_majority_holds_until_it_is_outbid() -> None:
    game = battle(cubes="pink 4, yellow 4", glory={"Drums": "pink 1"}).order(pink="COMMIT 4", yellow="COMMIT 3")
    assert held(game) == {"Drums": "pink"}
    game.order("RETREAT 1 Ross\nGLORY 2 Drums")
    assert held(game) == {"Drums": "yellow"}
    assert game.told("hold") == [{"f": "hold", "card": "Drums", "seat": "yellow", "before": "pink"}]


def test_glory_tied_players_do_not_receive_the_benefit() -> None:
    game = battle(cubes="pink 4, yellow 4", glory={"Drums": "pink 1"}).order(pink="COMMIT 4", yellow="COMMIT 3")
    game.order("RETREAT 1 Ross\nGLORY 1 Drums")
    assert held(game) == {}


def test_glory_a_third_who_is_not_tied_receives_it() -> None:
    board = lay(players=3, glory={"Drums": "pink 2, yellow 2, black 1"})
    assert dict(board.held) == {"Drums": "black"}


def test_glory_control_changes_at_once_when_a_cube_is_taken_away() -> None:
    game = table(cubes={"Isles": "pink 19"}, glory={"Drums": "pink 2, yellow 1"})
    assert held(game) == {"Drums": "pink"}
    game.place(pink="PLACE A1 FROM Drums")
    assert held(game) == {}


def test_glory_blue_components_stay_where_they_are_without_a_holder() -> None:
    game = table(cubes={"Isles": "pink 20"}, glory={"Cardinal": "pink 1"}, cardinal="Fife")
    game.place(pink="PLACE A1 FROM Cardinal")
    assert held(game) == {}
    assert game.board.cardinal == "Fife"


# Bagpipes, Drums


def test_bagpipes_four_points_more_for_a_battle_won() -> None:
    game = battle(cubes="pink 4, yellow 3", glory={"Bagpipes": "pink"}).order(pink="COMMIT 2", yellow="COMMIT 0")
    assert dict(game.board.points) == {"pink": 11, "yellow": 0}
    assert game.told("bonus") == [{"f": "bonus", "seat": "pink", "card": "Bagpipes", "points": 4}]


def test_bagpipes_not_for_a_battle_lost() -> None:
    game = battle(cubes="pink 4, yellow 3", glory={"Bagpipes": "pink"}).order(pink="COMMIT 1", yellow="COMMIT 2")
    assert dict(game.board.points) == {"pink": 0, "yellow": 7}


def test_drums_two_points_for_a_battle_lost() -> None:
    game = battle(cubes="pink 4, yellow 3", glory={"Drums": "yellow"}).order(pink="COMMIT 2", yellow="COMMIT 1")
    assert dict(game.board.points) == {"pink": 7, "yellow": 2}


def test_drums_also_where_all_lose() -> None:
    game = battle(cubes="pink 4, yellow 3", glory={"Drums": "yellow"}).order(pink="COMMIT 2", yellow="COMMIT 2")
    assert dict(game.board.points) == {"pink": 0, "yellow": 2}


# A Bloody Banner


def test_banner_the_picts_come_to_the_supply_of_who_gains_control() -> None:
    game = battle(cubes="pink 4, yellow 4", game="A Bloody Banner").order(pink="COMMIT 4", yellow="COMMIT 3")
    assert game.board.aside == 7
    game.order("RETREAT 1 Ross\nGLORY 1 Banner")
    assert (game.board.aside, game.board.picts) == (0, 7)
    assert game.told("picts") == [{"f": "picts", "seat": "yellow", "n": 7}]


def test_banner_picts_are_placed_deployed_and_moved_as_ones_own() -> None:
    game = deploying(
        square="C2", kept=" WITH PICT", boards={"pink": "A1* B1 B2*"}, cubes={"Moray": "pink", "Fife": "picts"},
        glory={"A Bloody Banner": "pink"}, number=3,
    )  # fmt: skip
    assert game.board.picts == 7 - 3 - 1
    game.order("DEPLOY A1 B1 B2 C2 PULL A1 B1 C2 TO Fife THEN MOVE 1 + 2 PICTS Fife > Atholl")
    assert (game.there("Fife"), game.there("Atholl")) == ({"picts": 1}, {"pink": 1, "picts": 2})
    assert game.told("deploy")[0]["picts"] == 2


def test_banner_picts_take_castles() -> None:
    laid = {"square": "B1", "boards": {"pink": "A1 C1 B2*"}, "number": 2, "glory": {"A Bloody Banner": "pink"}}
    game = deploying(**laid, cubes={"Moray": "pink", "Fife": "yellow"})
    game.order("DEPLOY A1 B1 C1 B2 PULL A1 B2 TO Moray THEN TAKE Blair WITH PICT")
    assert game.board.castles["Blair"] == "picts"
    assert game.board.held_castles("pink", "Moray") == ("Blair",)


def test_banner_picts_count_in_battle_for_who_controls_them() -> None:
    assert battle(cubes="pink 2, picts 2, yellow 3", game="A Bloody Banner").told("battle") == []
    game = battle(cubes="pink 2, picts 2, yellow 3", glory={"A Bloody Banner": "pink"})
    assert game.told("battle")[0]["present"][0] == {"seat": "pink", "n": 4, "picts": 2}
    game.refused("COMMIT 3", "you have 2 \\+ 2 PICTS", "pink")
    game.order(pink="COMMIT 1 + 2 PICTS", yellow="COMMIT 3")
    assert game.told("all lost")
    assert game.board.picts == 5 + 2, "committed Picts go to the supply, too"


def test_banner_picts_are_a_colour_that_castles_may_name() -> None:
    game = battle(
        cubes="pink 2, picts 2, yellow 3", castles_={"Inverness": "yellow"}, glory={"A Bloody Banner": "pink"}
    )
    assert game.legal() == ["KILL pink", "KILL yellow", "KILL picts"]
    game.order("KILL picts")
    assert (game.there("Moray")["picts"], game.board.picts) == (1, 6)


def test_banner_picts_count_for_the_majority_at_the_end_of_a_round() -> None:
    board = lay(cubes={"Moray": "pink 1, picts 2, yellow 2"}, glory={"A Bloody Banner": "pink"})
    assert board.strength("Moray") == {"pink": 3, "yellow": 2}
    assert lay(cubes={"Moray": "pink 1, picts 2"}, game="A Bloody Banner").strength("Moray") == {"pink": 1}


def test_banner_outbid_the_picts_leave_player_board_and_supply_and_stay_on_the_map() -> None:
    game = battle(
        cubes="yellow 4, pink 4", elsewhere={"Fife": "picts 2"}, castles_={"Perth": "picts"}, boards={"pink": "A1* B1"},
        glory={"A Bloody Banner": "pink"},
    ).order(pink="COMMIT 4", yellow="COMMIT 3")  # fmt: skip
    game.order("RETREAT 1 Ross\nGLORY 2 Banner")
    board = game.board
    assert dict(board.boards["pink"]) == {"B1": "pink"}
    assert (board.picts, board.aside) == (4, 0), (
        "what was pink's is yellow's now: 3 of the supply and that of the board"
    )
    assert board.troops("yellow", "Fife").picts == 2
    assert board.held_castles("yellow", "Atholl") == ("Perth",), "in a castle it counts for who controls them now"
    assert game.told("picts gone") == [{"f": "picts gone", "seat": "pink", "n": 4}]


def test_banner_without_a_holder_the_picts_lie_aside_and_count_for_nobody() -> None:
    game = table(cubes={"Isles": "pink 20", "Fife": "picts 2"}, glory={"A Bloody Banner": "pink"}, picts=0)
    assert game.board.aside == 5
    game.place(pink="PLACE A1 FROM Banner")
    assert (game.board.picts, game.board.aside) == (0, 5)
    assert game.board.strength("Fife") == {}


def test_banner_picts_are_not_put_on_glory_cards() -> None:
    laid = {"cubes": "pink 2, picts 2, yellow 3", "glory": {"A Bloody Banner": "pink"}, "game": "Drums"}
    game = battle(**laid).order(pink="COMMIT 2 PICTS", yellow="COMMIT 3")
    game.refused("RETREAT 2 Ross\nGLORY 1 Drums", "0 committed cubes of your own colour")


def test_banner_lost_in_the_middle_of_a_battle_they_stay() -> None:
    game = battle(
        cubes="pink 3, picts 2, yellow 3, black 3", players=3, glory={"A Bloody Banner": "pink"}, leader="yellow"
    )
    game.order(pink="COMMIT 1", yellow="COMMIT 2", black="COMMIT 3")
    game.order("RETREAT 1 Ross\nGLORY 2 Banner")
    game.order("RETREAT 2 Ross")
    assert game.there("Moray") == {"picts": 2}, "pink leaves without them: they are yellow's by now"
    assert game.there("Ross") == {"yellow": 1, "pink": 2}


def test_banner_with_an_empty_supply_picts_in_the_supply_come_first() -> None:
    game = table(cubes={"Isles": "pink 20"}, glory={"A Bloody Banner": "pink"})
    assert game.board.spare("pink").total == 7
    game.refused("PLACE A1 FROM Isles", "your supply is not empty", "pink")
    game.refused("PLACE A1", "only Picts are left", "pink")
    game.place(pink="PLACE A1 WITH PICT")
    assert game.board.boards["pink"] == {"A1": "picts"}


# Cardinal


def test_cardinal_its_holder_commits_after_seeing_the_others() -> None:
    game = battle(cubes="pink 4, yellow 3, black 2", players=3, glory={"Cardinal": "yellow"}, cardinal="Moray")
    assert game.stop.wants == Ask(("pink", "black"), "commit", "until resolved")
    game.order(pink="COMMIT 2", black="COMMIT 1")
    assert game.stop.wants == Ask(("yellow",), "commit", "no")
    assert [number["n"] for number in game.told("commit")[0]["numbers"]] == [2, 1]
    game.order("COMMIT 3")
    assert game.told("commit")[1]["last"]
    assert game.told("won")[0]["seat"] == "yellow"


def test_cardinal_only_where_it_stands() -> None:
    game = battle(cubes="pink 4, yellow 3", glory={"Cardinal": "yellow"}, cardinal="Fife")
    assert game.asked == ("pink", "yellow")


def test_cardinal_without_a_holder_does_nothing() -> None:
    assert battle(cubes="pink 4, yellow 3", game="Cardinal", cardinal="Moray").asked == ("pink", "yellow")


def test_cardinal_is_set_by_its_first_holder_and_moved_with_each_later_cube() -> None:
    laid = {"cubes": "pink 4, yellow 4"}
    game = battle(**laid, game="Cardinal").order(pink="COMMIT 4", yellow="COMMIT 2")
    game.order("RETREAT 2 Ross\nGLORY 1 Cardinal")
    assert game.stop.wants == Ask(("yellow",), "cardinal", "no")
    game.refused("CARDINAL STAY", "sets nothing")
    game.order("CARDINAL Fife")
    assert game.board.cardinal == "Fife"
    game = battle(**laid, glory={"Cardinal": "yellow"}, cardinal="Fife").order(pink="COMMIT 4", yellow="COMMIT 2")
    game.order("RETREAT 2 Ross\nGLORY 1 Cardinal")
    assert "CARDINAL STAY" in game.legal()
    game.order("CARDINAL Isles")
    assert game.told("cardinal")[-1] == {"f": "cardinal", "seat": "yellow", "region": "Isles"}


def test_cardinal_a_cube_that_brings_no_control_moves_nothing() -> None:
    laid = {"cubes": "pink 4, yellow 4", "glory": {"Cardinal": "pink 2"}, "cardinal": "Fife"}
    game = battle(**laid).order(pink="COMMIT 4", yellow="COMMIT 2").order("RETREAT 2 Ross\nGLORY 1 Cardinal")
    assert game.what == "Chance"


# The Crown


def test_crown_wins_ties_in_battle() -> None:
    game = battle(cubes="pink 4, yellow 3", glory={"The Crown": "yellow"}).order(pink="COMMIT 2", yellow="COMMIT 2")
    assert game.told("won")[0] == {"f": "won", "seat": "yellow", "region": "Moray", "points": 7, "how": "crown"}


def test_crown_wins_no_tie_that_it_is_not_in() -> None:
    game = battle(cubes="pink 4, yellow 3, black 3", players=3, glory={"The Crown": "black"})
    game.order(pink="COMMIT 2", yellow="COMMIT 2", black="COMMIT 0")
    assert game.told("all lost")


def test_crown_wins_a_lower_tie_where_those_above_are_tied() -> None:
    game = battle(cubes="pink 3, yellow 3, black 3, white 3", players=4, glory={"The Crown": "black"})
    game.order(pink="COMMIT 3", yellow="COMMIT 3", black="COMMIT 1", white="COMMIT 1")
    assert game.told("won")[0]["seat"] == "black"


def test_crown_wins_also_where_all_commit_nothing() -> None:
    game = battle(cubes="pink 4, yellow 3", glory={"The Crown": "yellow"}).order(pink="COMMIT 0", yellow="COMMIT 0")
    assert game.told("won")[0] == {"f": "won", "seat": "yellow", "region": "Moray", "points": 7, "how": "crown"}
    game.order("RETREAT 4 Ross")
    assert (game.there("Moray"), game.board.leader) == ({"yellow": 3}, "yellow")


def test_crown_wins_a_tie_of_noughts_below_another_but_not_alone() -> None:
    """It wins every tie that it is in; who has committed nothing and is tied with nobody has lost."""
    laid = {"cubes": "pink 3, yellow 3, black 3, white 3", "players": 4, "glory": {"The Crown": "black"}}
    game = battle(**laid).order(pink="COMMIT 2", yellow="COMMIT 2", black="COMMIT 0", white="COMMIT 0")
    assert game.told("won")[0]["seat"] == "black"
    game = battle(**laid).order(pink="COMMIT 2", yellow="COMMIT 2", black="COMMIT 0", white="COMMIT 1")
    assert game.told("won")[0]["seat"] == "white"


def test_crown_of_one_who_is_not_in_the_battle_wins_nothing() -> None:
    game = battle(cubes="pink 4, yellow 3", players=3, glory={"The Crown": "black"})
    game.order(pink="COMMIT 0", yellow="COMMIT 0")
    assert game.told("all lost")


def test_crown_wins_ties_for_regions_at_the_end_of_a_round() -> None:
    board = lay(cubes={"Moray": "pink 2, yellow 2"}, glory={"The Crown": "yellow"})
    assert board.most(board.strength("Moray")).seat == "yellow"
    assert board.most(board.strength("Fife")).how == "empty", "nobody is there: that is no tie"


def test_crown_wins_ties_for_other_glory_cards() -> None:
    assert dict(lay(glory={"The Crown": "yellow", "Drums": "pink, yellow"}).held) == {
        "The Crown": "yellow",
        "Drums": "yellow",
    }


def test_crown_equal_numbers_on_itself_hold_nothing() -> None:
    laid = {"cubes": "pink 4, yellow 4", "glory": {"The Crown": "pink 1", "Drums": "pink, yellow"}}
    game = battle(**laid).order(pink="COMMIT 4", yellow="COMMIT 3").order("RETREAT 1 Ross\nGLORY 1 Crown")
    assert held(game) == {}
    game = (
        battle(**laid, crown="itself").order(pink="COMMIT 4", yellow="COMMIT 3").order("RETREAT 1 Ross\nGLORY 1 Crown")
    )
    assert held(game) == {"The Crown": "pink", "Drums": "pink"}, "the option crown=itself"


# Druid


def test_druid_one_committed_troop_of_the_winner_stays_in_the_territory() -> None:
    game = battle(cubes="pink 4, yellow 3", glory={"Druid": "pink"}).order(pink="COMMIT 3", yellow="COMMIT 0")
    assert game.stop.wants == Ask(("pink",), "druid", "no")
    assert game.legal() == ["HEAL NO", "HEAL YES"]
    supply = game.board.supply["pink"]
    game.order("HEAL YES")
    assert (game.there("Moray")["pink"], game.board.supply["pink"]) == (2, supply - 1)


def test_druid_one_committed_troop_of_a_loser_retreats_with_the_others() -> None:
    game = battle(cubes="pink 4, yellow 3", glory={"Druid": "yellow"}).order(pink="COMMIT 3", yellow="COMMIT 2")
    game.refused("RETREAT 1 Ross\nHEAL YES", "2 retreat")
    game.refused("RETREAT 2 Ross\nGLORY 2 Druid\nHEAL YES", "1 committed cubes")
    game.order("RETREAT 2 Ross\nHEAL YES\nGLORY 1 Druid")
    assert game.there("Ross") == {"yellow": 2}
    assert game.told("heal") == [{"f": "heal", "seat": "yellow"}]


def test_druid_heals_only_what_was_committed_and_only_for_its_holder() -> None:
    game = battle(cubes="pink 4, yellow 3", glory={"Druid": "pink"}).order(pink="COMMIT 3", yellow="COMMIT 2")
    game.order("HEAL NO")
    game.refused("RETREAT 1 Ross\nHEAL YES", "no committed cube of yours can be healed")
    assert (
        battle(cubes="pink 4, yellow 3", glory={"Druid": "pink"}).order(pink="COMMIT 0", yellow="COMMIT 0").what
        != "druid"
    )


# Edinburgh Castle


def test_edinburgh_counts_as_a_castle_in_every_battle_of_its_holder() -> None:
    game = battle(cubes="pink 4, yellow 3", glory={"Edinburgh Castle": "yellow"}).order("KILL pink")
    assert game.told("kill") == [{"f": "kill", "seat": "yellow", "castle": "Edinburgh Castle", "colour": "pink"}]
    assert battle(cubes="pink 4, yellow 3", players=3, glory={"Edinburgh Castle": "black"}).told("kill") == []


# Hadrian's Wall


def test_wall_only_its_holder_s_troops_retreat_through_it() -> None:
    laid = {"cubes": "pink 4, yellow 4", "wall": ("Ross", "Moray")}
    game = battle(**laid, glory={"Hadrian's Wall": "pink"}).order(pink="COMMIT 4", yellow="COMMIT 2")
    game.refused("RETREAT 2 Ross", "Ross is not open from Moray")
    game = battle(**laid, glory={"Hadrian's Wall": "yellow"}).order(pink="COMMIT 4", yellow="COMMIT 2")
    game.order("RETREAT 2 Ross")
    assert game.there("Ross") == {"yellow": 2}


def test_wall_stops_deployment_actions() -> None:
    laid = {"boards": {"pink": "A1 B1 C2"}, "number": 1, "cubes": {"Moray": "pink 2"}, "wall": ("Ross", "Moray")}
    order = "DEPLOY A1 B1 B2 C2 PULL A1 TO Moray THEN MOVE 1 Moray > Ross"
    deploying(**laid, glory={"Hadrian's Wall": "yellow"}).refused(order, "Hadrian's Wall stands between Moray and Ross")
    assert deploying(**laid, glory={"Hadrian's Wall": "pink"}).order(order).there("Ross") == {"pink": 1}


def test_wall_without_a_holder_blocks_everybody() -> None:
    game = battle(cubes="pink 4, yellow 4", wall=("Ross", "Moray"), game="Hadrian's Wall")
    game.order(pink="COMMIT 4", yellow="COMMIT 2").refused("RETREAT 2 Ross", "Ross is not open")


def test_wall_is_added_to_any_border_by_sea_too_and_moved_with_another_cube() -> None:
    game = battle(cubes="pink 4, yellow 4", game="Hadrian's Wall").order(pink="COMMIT 4", yellow="COMMIT 2")
    game.order("RETREAT 2 Ross\nGLORY 1 Wall")
    assert game.stop.wants == Ask(("yellow",), "wall", "no")
    game.refused("WALL Fife - Isles", "Fife and Isles have no border")
    game.refused("WALL STAY", "sets nothing")
    game.order("WALL Galloway - Isles")
    assert game.board.wall == ("Isles", "Galloway")
    laid = {"cubes": "pink 4, yellow 4", "wall": ("Isles", "Galloway"), "glory": {"Hadrian's Wall": "yellow"}}
    game = battle(**laid).order(pink="COMMIT 4", yellow="COMMIT 2").order("RETREAT 2 Ross\nGLORY 1 Wall", "WALL STAY")
    assert game.board.wall == ("Isles", "Galloway")


# Long Sword


def test_sword_adds_a_troop_from_the_supply_before_the_castles() -> None:
    game = battle(cubes="pink 4, yellow 3", glory={"Long Sword": "yellow"}, castles_={"Blair": "pink"})
    assert game.stop.wants == Ask(("yellow",), "sword", "no")
    game.order("SWORD NOW", "KILL yellow")
    assert game.there("Moray") == {"pink": 4, "yellow": 3}, "four, and one less by the castle"
    assert game.told("sword") == [{"f": "sword", "seat": "yellow", "region": "Moray"}]


def test_sword_or_after_them() -> None:
    game = battle(cubes="pink 6, yellow 1", glory={"Long Sword": "yellow"}, castles_={"Blair": "pink"})
    game.order("SWORD LATER", "KILL yellow")
    assert game.there("Moray") == {"pink": 6}
    assert game.legal() == ["SWORD NO", "SWORD NOW"]
    game.order("SWORD NOW")
    assert game.what == "commit", "a participant whom castles removed is back"


def test_sword_is_not_a_must_and_spoken_of_once() -> None:
    game = battle(cubes="pink 4, yellow 3", glory={"Long Sword": "yellow"}).order("SWORD NO")
    assert game.what == "commit"
    assert battle(cubes="pink 4, yellow 3", glory={"Long Sword": "yellow"}).order("SWORD NOW").what == "commit"


def test_sword_later_only_where_a_castle_will_act() -> None:
    laid = {"cubes": "pink 4, yellow 3, black 3", "players": 4, "glory": {"Long Sword": "yellow"}}
    game = battle(**laid)
    assert game.legal() == ["SWORD NO", "SWORD NOW"]
    game.refused("SWORD LATER", "no castle will act after this")
    later = ["SWORD NO", "SWORD LATER", "SWORD NOW"]
    assert battle(**laid, castles_={"Blair": "white"}).legal() == later, "one of a player without cubes there, too"
    assert battle(**laid, castles_={"Blair": "white"}, castles="present").legal() == game.legal()
    assert battle(**laid, castles_={"Perth": "pink"}).legal() == game.legal(), "not on the border"
    edinburgh = {"glory": {"Long Sword": "yellow", "Edinburgh Castle": "black"}}
    assert battle(**{**laid, **edinburgh}).legal() == later
    assert battle(**{**laid, "cubes": "pink 4, yellow 5", **edinburgh}).legal() == game.legal(), "black takes no part"
    picts = battle(**laid, castles_={"Blair": "picts"}, game="A Bloody Banner")
    assert picts.legal() == game.legal(), "nobody controls the Picts"


def test_sword_only_for_a_participant() -> None:
    assert battle(cubes="pink 4, yellow 3", players=3, glory={"Long Sword": "black"}).what == "commit"


def test_sword_in_any_battle_where_that_is_agreed() -> None:
    """The option sword=any: its holder takes part then, with castles and Edinburgh, commitment and retreat."""
    glory = {"Long Sword": "black", "Edinburgh Castle": "black"}
    laid = {"cubes": "pink 4, yellow 3", "players": 3, "glory": glory, "sword": "any"}
    game = battle(**laid)
    assert (game.asked, game.legal()) == (("black",), ["SWORD NO", "SWORD NOW"]), "Edinburgh acts for participants"
    assert battle(**laid).order("SWORD NO").asked == ("pink", "yellow")
    game.order("SWORD NOW")
    assert (game.asked, game.legal()) == (("black",), ["KILL pink", "KILL yellow", "KILL black"])
    game.order("KILL pink")
    assert (game.what, game.asked) == ("commit", ("pink", "yellow", "black"))
    game.order(pink="COMMIT 2", yellow="COMMIT 1", black="COMMIT 0")
    game.order("RETREAT 2 Ross", "RETREAT 1 Ross")
    assert game.there("Ross") == {"yellow": 2, "black": 1}


def test_sword_in_any_battle_may_come_when_the_castles_have_left_nobody() -> None:
    laid = {"cubes": "pink 1, yellow 1", "tokens": {"Moray": 2}, "castles_": {"Inverness": "pink", "Blair": "yellow"}}
    game = battle(**laid, players=3, glory={"Long Sword": "black"}, sword="any").order("SWORD LATER", "KILL yellow")
    assert (game.asked, game.there("Moray")) == (("black",), {})
    game.order("SWORD NOW")
    assert game.told("won") == [{"f": "won", "seat": "black", "region": "Moray", "points": 2, "how": "unopposed"}]


def test_sword_with_an_empty_supply_takes_a_cube_from_board_castles_or_glory_cards() -> None:
    laid = {
        "cubes": "pink 4, yellow 3", "elsewhere": {"Isles": "yellow 14", "Ross": "yellow 1"}, "castles_": {"Perth": "yellow"},
        "glory": {"Long Sword": "yellow 2"},
    }  # fmt: skip
    game = battle(**laid)
    assert game.legal()[1:] == [f"SWORD NOW FROM {place}" for place in ("Ross", "Isles", "Perth", "Long Sword")]
    game.refused("SWORD NOW", "your supply is empty")
    game.refused("SWORD NOW FROM Moray", "adds none")
    game.order("SWORD NOW FROM Perth")
    assert game.board.castles == {}
    assert game.there("Moray")["yellow"] == 4


# Merchant's Outpost

MERCHANT = {"boards": {"pink": "A1 B1 A2 D3"}, "cubes": {"Moray": "pink 2"}, "glory": {"Merchant's Outpost": "pink"}}


def test_merchant_after_each_deployment_a_cube_of_the_player_board_moves() -> None:
    game = deploying(**MERCHANT).order(f"{BOX} THEN ADD Fife")
    assert game.stop.wants == Ask(("pink",), "merchant", "no")
    game.refused("MERCHANT A1 > C1", "no cube lies on A1")
    game.refused("MERCHANT D3 > A2", "A2 is no free square")
    game.order("MERCHANT D3 > F4")
    assert set(game.board.boards["pink"]) == {"A2", "B2", "F4"}


def test_merchant_may_stay() -> None:
    game = deploying(**MERCHANT).order(BOX, "MERCHANT STAY")
    assert game.told("carry") == []


def again(**options: object) -> Table:
    """After the first deployment the Merchant brings about another one: A2 B2 C2 and the cube from D4."""
    laid = {**MERCHANT, "boards": {"pink": "A1 B1 A2 C2 D4 F4"}, "number": 1}
    game = deploying(**laid, **options).order("DEPLOY A1 B1 A2 B2 PULL A1 TO Moray", "MERCHANT F4 > D2")
    return game.order("DEPLOY A2 B2 C2 D2 PULL D2 TO Moray")


def test_merchant_may_cause_another_deployment_which_gives_a_move_again() -> None:
    game = again()
    assert len(game.told("deploy")) == 2
    assert game.what == "merchant"


def test_merchant_once_only_where_that_is_agreed() -> None:
    assert again(merchant="once").what != "merchant"


# Tapestry


def test_tapestry_who_claims_it_declares_an_icon() -> None:
    game = battle(cubes="pink 4, yellow 4", game="Tapestry").order(pink="COMMIT 4", yellow="COMMIT 2")
    game.order("RETREAT 2 Ross\nGLORY 1 Tapestry")
    assert game.stop.wants == Ask(("yellow",), "tapestry", "no")
    assert game.legal() == ["TAPESTRY thistle", "TAPESTRY sword", "TAPESTRY stag", "TAPESTRY harp"]
    game.order("TAPESTRY stag")
    assert game.board.wild == "stag"


def test_tapestry_when_its_icon_is_flipped_any_square_will_do() -> None:
    laid = {"glory": {"Tapestry": "pink"}, "wild": "stag"}
    assert len(table(icon="stag", **laid).legal("pink")) == 24
    assert len(table(icon="harp", **laid).legal("pink")) == 6
    table(icon="stag", **laid).refused("PLACE A1", "A1 shows thistle, and stag was flipped", "yellow")


def test_tapestry_the_icon_may_be_changed_with_a_new_cube() -> None:
    laid = {"cubes": "pink 4, yellow 4", "glory": {"Tapestry": "yellow"}, "wild": "stag"}
    game = battle(**laid).order(pink="COMMIT 4", yellow="COMMIT 2").order("RETREAT 2 Ross\nGLORY 1 Tapestry")
    game.order("TAPESTRY harp")
    assert game.board.wild == "harp"


def test_tapestry_another_holder_declares_anew_and_without_one_nothing_is_wild() -> None:
    laid = {"cubes": {"Isles": "pink 19"}, "glory": {"Tapestry": "pink 2, yellow 1"}, "wild": "stag"}
    game = table(**laid).place(pink="PLACE A1 FROM Tapestry")
    assert game.board.wild == ""
    laid["glory"] = {"Tapestry": "pink 1, yellow 1, black 1"}
    game = table(**{**laid, "cubes": {"Isles": "pink 20"}}, players=3).place(pink="PLACE A1 FROM Tapestry")
    assert game.what != "tapestry", "yellow and black are tied"


# Quaich


@pytest.mark.parametrize(("cubes", "least"), [("yellow 3", 2), ("yellow 4", 2), ("yellow 5", 3)])
def test_quaich_opponents_commit_at_least_half_rounded_up(cubes: str, least: int) -> None:
    game = battle(cubes=f"pink 4, {cubes}", glory={"Quaich": "pink"})
    assert game.legal("yellow")[0] == f"COMMIT {least}"
    game.refused(f"COMMIT {least - 1}", f"at least half is committed: {least}", "yellow")
    assert game.legal("pink")[0] == "COMMIT 0", "its holder is not bound"


def test_quaich_only_in_a_battle_with_its_holder() -> None:
    game = battle(cubes="pink 4, yellow 3", players=3, glory={"Quaich": "black"})
    assert game.legal("yellow")[0] == "COMMIT 0"


# Together


def test_quaich_binds_the_cardinal_s_holder_too() -> None:
    game = battle(cubes="pink 4, yellow 3", glory={"Quaich": "pink", "Cardinal": "yellow"}, cardinal="Moray")
    assert game.asked == ("pink",)
    game.order("COMMIT 4")
    assert game.legal()[0] == "COMMIT 2"


def test_quaich_who_has_no_choice_is_not_asked() -> None:
    game = battle(cubes="pink 6, yellow 1", glory={"Quaich": "pink"})
    assert game.stop.wants == Ask(("pink",), "commit", "no")
    game.order("COMMIT 2")
    assert game.told("commit")[0]["numbers"][1] == {"seat": "yellow", "n": 1, "of": 1}


def test_cardinal_and_quaich_a_holder_without_a_choice_is_not_asked() -> None:
    game = battle(cubes="pink 6, yellow 1", glory={"Quaich": "pink", "Cardinal": "yellow"}, cardinal="Moray")
    game.order("COMMIT 2")
    assert [fact.get("last") for fact in game.told("commit")] == [None, True]
    assert game.told("won")[0]["seat"] == "pink"


def test_cardinal_and_crown_the_last_may_tie_and_win() -> None:
    game = battle(cubes="pink 4, yellow 4", glory={"The Crown": "yellow", "Cardinal": "yellow"}, cardinal="Moray")
    game.order("COMMIT 3").order("COMMIT 3")
    assert game.told("won")[0]["how"] == "crown"


def test_banner_and_druid_a_pict_may_be_healed() -> None:
    laid = {"cubes": "pink 2, picts 2, yellow 3", "glory": {"A Bloody Banner": "pink", "Druid": "pink"}}
    game = battle(**laid).order(pink="COMMIT 1 + 2 PICTS", yellow="COMMIT 0")
    assert game.legal() == ["HEAL NO", "HEAL YES", "HEAL PICT"]
    game.order("HEAL PICT")
    assert game.there("Moray") == {"pink": 1, "picts": 1, "yellow": 3}


def test_sword_and_banner_a_cube_from_the_banner_loses_the_picts_before_the_castles() -> None:
    laid = {"cubes": "pink 4, picts 2, yellow 3", "elsewhere": {"Isles": "pink 15"}}
    glory = {"Long Sword": "pink", "A Bloody Banner": "pink"}
    game = battle(**laid, glory=glory, picts=0, castles_={"Inverness": "yellow"})
    assert game.told("battle")[0]["present"][0] == {"seat": "pink", "n": 6, "picts": 2}
    game.order("SWORD NOW FROM Banner")
    assert game.legal() == ["KILL pink", "KILL yellow"], "Picts whom nobody controls are not in the battle"
    game.order("KILL pink")
    assert game.there("Moray") == {"pink": 4, "picts": 2, "yellow": 3}
    assert game.legal("pink")[-1] == "COMMIT 4"


def test_sword_and_quaich_the_hold_of_a_card_may_be_given_up_for_a_cube() -> None:
    laid = {"cubes": "pink 4, yellow 3", "elsewhere": {"Isles": "pink 15"}}
    game = battle(**laid, glory={"Long Sword": "pink", "Quaich": "pink"}).order("SWORD NOW FROM Quaich")
    assert game.legal("yellow")[0] == "COMMIT 0"
    game = battle(**laid, glory={"Long Sword": "pink", "Quaich": "pink"}).order("SWORD NOW FROM Sword")
    assert game.legal("yellow")[0] == "COMMIT 2"
    assert held(game) == {"Quaich": "pink"}


def test_edinburgh_and_sword_who_is_removed_comes_back() -> None:
    glory = {"Long Sword": "yellow", "Edinburgh Castle": "pink"}
    game = battle(cubes="pink 6, yellow 1", glory=glory).order("SWORD LATER", "KILL yellow", "SWORD NOW")
    assert game.there("Moray") == {"pink": 6, "yellow": 1}
    assert game.what == "commit"


def test_merchant_and_tapestry_the_moved_cube_goes_to_any_free_square() -> None:
    laid = {**MERCHANT, "glory": {"Merchant's Outpost": "pink", "Tapestry": "pink"}, "wild": "harp"}
    game = deploying(**laid).order(BOX)
    assert any(order.endswith("> F4") for order in game.legal())


def test_wall_and_druid_where_no_way_is_open_nobody_is_healed() -> None:
    from tests.swords.set_up import own

    two = own(
        regions=[{"name": "Moray", "token": [4, 4]}, {"name": "Fife", "token": [4, 4]}],
        land=[["Moray", "Fife"]], sea=[], castles=[],
    )  # fmt: skip
    glory = {"Druid": "yellow", "Hadrian's Wall": "pink"}
    game = battle(cubes="pink 3, yellow 3", parts=two, wall=("Moray", "Fife"), glory=glory)
    game.order(pink="COMMIT 3", yellow="COMMIT 2").refused("RETREAT NONE\nHEAL YES", "no committed cube of yours")
    game.order("RETREAT NONE")
    assert game.told("no way")[0]["n"] == 1


def test_crown_and_glory_a_cube_for_the_crown_wins_another_card_at_once() -> None:
    laid = {"cubes": "pink 4, yellow 4", "glory": {"Drums": "pink, yellow"}, "game": "The Crown"}
    game = battle(**laid).order(pink="COMMIT 4", yellow="COMMIT 2").order("RETREAT 2 Ross\nGLORY 1 Crown")
    assert held(game) == {"The Crown": "yellow", "Drums": "yellow"}


def test_what_has_begun_is_finished_by_who_held_it_then() -> None:
    """Drums pay who held them when the battle was resolved, not who gets them by his dead."""
    game = battle(cubes="pink 4, yellow 4", glory={"Drums": "pink 1"}).order(pink="COMMIT 4", yellow="COMMIT 2")
    game.order("RETREAT 2 Ross\nGLORY 2 Drums")
    assert dict(game.board.points) == {"pink": 7, "yellow": 0}


def test_a_battle_is_a_position_at_each_of_its_steps() -> None:
    board = lay(cubes={"Moray": "pink 4, yellow 3"}, glory={"Long Sword": "yellow"})
    assert at(board, Battle.begin(board, "Moray")).what == "sword"
