"""Battles: reveal, Celtic unity, rounds and turns, reserves, hits, captures, eliminations. Rules 1.4, 5.1-5.4, 5.7, 5.8."""

from __future__ import annotations

import pytest

from pbem.games.hammer.rules.hits import forced_and_tied
from pbem.games.hammer.rules.printed import ENGLISH, SCOTTISH
from tests.hammer.battle import HOME, NORTH, fight, lanark
from tests.hammer.builder import Table


def test_5_1_player_1_chooses_the_battle_and_need_not_commit() -> None:
    table = fight(
        {"Lanark": "York Infantry", "Fife": "York Knights"},
        {"Lanark": "Douglas 1", "Fife": "Campbell"},
        ("Lanark", ENGLISH, "", ""), ("Fife", ENGLISH, "", ""),
    )  # fmt: skip
    assert table.asked == (ENGLISH, "next battle")
    assert "(rule 5.1)" in table.refused("NEXT Angus")
    table.order("NEXT Lanark")
    assert table.facts("battle")[0]["area"] == "Lanark"


def test_5_1_blocks_are_revealed_with_their_strength_and_stood_up_again() -> None:
    table = lanark("York Infantry 2", "Douglas 1")
    assert table.facts("reveal") == [
        {"f": "reveal", "side": SCOTTISH, "blocks": {"douglas": 1}},
        {"f": "reveal", "side": ENGLISH, "blocks": {"york_infantry": 2}},
    ]
    shown = table.view(SCOTTISH).revealed["york_infantry"]
    assert (shown.at, shown.strength) == ("Lanark", 2)
    table.order("BATTLE Lanark: Douglas FIRE").dice(6).order("BATTLE Lanark: York Infantry FIRE").dice(1, 1)
    assert table.asked == (ENGLISH, "regroup")
    assert table.view(SCOTTISH).revealed == {}


def test_5_2_celtic_unity_is_rolled_for_each_block() -> None:
    table = lanark("Wales Archers, Ulster Infantry, York Infantry", "Douglas")
    assert table.asked == ("chance", "pub")
    table.dice(4, 5)
    assert table.at("Wales Archers") == "Lanark"
    assert table.at("Ulster Infantry") == "pool"
    assert [fact["gone"] for fact in table.facts("unity")] == [False, True]


def test_5_2_reserves_roll_when_they_are_revealed_in_round_2() -> None:
    table = Table(
        {"Mentieth": "York Infantry", "Lothian": "Wales Infantry", **HOME}, {**NORTH, "Lanark": "Douglas"}
    ).turn("Move 2", "Move 1")
    table.order("MOVE Mentieth: York Infantry > Lanark MAIN\nMOVE Lothian: Wales Infantry > Lanark").order("PASS")
    table.order("BATTLE Lanark: Douglas PASS").order("BATTLE Lanark: York Infantry PASS")
    assert table.asked == ("chance", "pub")
    table.dice(6)
    assert table.at("Wales Infantry") == "pool"


def test_5_2_all_gone_by_celtic_unity_ends_the_battle() -> None:
    table = lanark("Wales Archers", "Douglas").dice(5)
    assert table.facts("battle over") == [{"f": "battle over", "area": "Lanark", "winner": SCOTTISH}]


def test_5_31_the_combat_sequence_example() -> None:
    """A Knight (B3) and English Infantry (C2) attack a Scots Noble (B2) and Infantry (C2)."""
    table = lanark("York Knights, York Infantry", "Mar, Campbell")
    order: list[str] = []
    for _ in range(4):
        order += table.waiting
        table.order("BATTLE Lanark: ALL PASS")
    assert order == ["Mar", "York Knights", "Campbell", "York Infantry"]
    assert table.facts("round")[-1]["round"] == 2


def test_5_31_the_owner_picks_who_of_a_letter_acts_next() -> None:
    table = lanark("York Infantry", "Mar, Keith, Douglas")
    assert table.waiting == ("Keith", "Mar")
    assert "(rule 5.31)" in table.refused("BATTLE Lanark: Douglas FIRE")
    table.order("BATTLE Lanark: Mar FIRE").dice(6, 6, 6)
    assert "(rule 5.31)" in table.refused("BATTLE Lanark: Mar FIRE")


def test_5_3_the_attacker_must_retreat_after_three_rounds() -> None:
    table = lanark("York Infantry", "Douglas")
    for _ in range(3):
        table.orders("BATTLE Lanark: Douglas PASS", "BATTLE Lanark: York Infantry PASS")
    assert table.facts("withdraw") == [{"f": "withdraw", "side": ENGLISH}]
    assert table.asked == (ENGLISH, "retreats")
    table.order("RETREAT Lanark: York Infantry > Carrick")
    assert table.asked == (SCOTTISH, "regroup")


def test_5_32_only_the_main_attack_fights_in_round_1() -> None:
    table = Table({**HOME, "Angus": "York Infantry, York Knights", "Mar": "Mar"}, {**NORTH, "Buchan": "Buchan"})
    table.turn("Move 2", "Move 1").order("MOVE Angus: ALL > Buchan MAIN\nMOVE Mar: Mar > Buchan").order("PASS")
    (battle,) = table.facts("battle")
    assert (battle["english"], battle["english_reserve"], battle["scottish"]) == (2, 1, 1)
    assert "scottish_reserve" not in battle
    assert "mar" not in table.view(SCOTTISH).revealed
    table.order("BATTLE Buchan: Buchan FIRE").dice(3, 3, 3).order("HITS Buchan: York Knights")
    assert table.blocks("Buchan") == {"Buchan": 3, "York Infantry": 3, "York Knights": 2, "Mar": 3}
    # in round 1 Mar, a B block in reserve, does not act after the Knights
    assert table.asked == (ENGLISH, "battle action")
    assert table.waiting == ("York Knights",)


def test_5_32_the_defender_becomes_the_attacker_when_round_1_leaves_him_no_front() -> None:
    table = Table({**HOME, "Mentieth": "York Knights"}, {**NORTH, "Lanark": "Lindsay 1", "Annan": "Douglas"})
    table.turn("Move 2", "Move 1").order("MOVE Mentieth: York Knights > Lanark").order("MOVE Annan: Douglas > Lanark")
    table.order("BATTLE Lanark: York Knights FIRE").dice(1, 6, 6, 6)
    assert table.facts("control") == [{"f": "control", "attacker": SCOTTISH}]
    # the new defender acts first within a letter, and the new attacker retreats after round 3
    for _ in range(2):
        table.orders("BATTLE Lanark: York Knights PASS", "BATTLE Lanark: Douglas PASS")
    assert table.facts("withdraw")[0]["side"] == SCOTTISH


def test_5_32_if_both_fronts_are_empty_the_roles_stay() -> None:
    table = Table(
        {**HOME, "Mentieth": "York Infantry", "Lothian": "Hobelars"}, {**NORTH, "Lanark": "Lindsay", "Annan": "Douglas"}
    )
    table.turn("Move 2", "Move 1").order("MOVE Mentieth: York Infantry > Lanark MAIN\nMOVE Lothian: Hobelars > Lanark")
    table.order("MOVE Annan: Douglas > Lanark")
    table.order("BATTLE Lanark: Lindsay RETREAT Carrick")
    table.order("BATTLE Lanark: York Infantry RETREAT Mentieth")
    assert not table.facts("control")
    (public,) = [fact for fact in table.facts("reveal") if fact["side"] == ENGLISH][1:]
    assert public["blocks"] == {"hobelars": 3}


def test_5_33_blocks_moved_by_player_2_are_reserves() -> None:
    table = Table({**HOME, "Angus": "York Infantry"}, {**NORTH, "Buchan": "Douglas, Grant", "Moray": "Wallace, Fraser"})
    table.turn("Move 1", "Move 1").order("MOVE Angus: York Infantry > Buchan")
    table.order("MOVE Moray: Wallace > Strathspey > Buchan\nMOVE Moray: Fraser > Strathspey > Buchan")
    (battle,) = table.facts("battle")
    assert (battle["scottish"], battle["scottish_reserve"]) == (2, 2)


def test_5_33_blocks_that_player_1_moved_before_defend_in_front() -> None:
    table = Table({**HOME, "Angus": "York Infantry"}, {**NORTH, "Moray": "Wallace"})
    table.turn("Move 1", "Move 2").order("MOVE Moray: Wallace > Strathspey > Buchan")
    table.order("MOVE Angus: York Infantry > Buchan")
    (battle,) = table.facts("battle")
    assert (battle["attacker"], battle["scottish"], battle.get("scottish_reserve")) == (ENGLISH, 1, None)


def test_5_4_a_hit_is_a_die_up_to_the_combat_rating() -> None:
    """A Knight with 3 steps rolls 2, 4 and 5: one hit, two misses."""
    table = lanark("York Knights 3", "Campbell").order("BATTLE Lanark: York Knights FIRE").dice(2, 4, 5)
    assert table.facts("fire")[0]["hits"] == 1
    assert table.strength("Campbell") == 3


@pytest.mark.parametrize(
    ("area", "attacker", "rating"), [("Buchan", SCOTTISH, 3), ("Buchan", ENGLISH, 2), ("Lanark", SCOTTISH, 2)]
)
def test_1_4_a_noble_fights_better_when_he_defends_his_home(area: str, attacker: str, rating: int) -> None:
    table = Table({**HOME, area: "Buchan"}, {**NORTH, area: "Campbell"}).battles((area, attacker, "", ""))
    table.order(f"BATTLE {area}: Buchan FIRE").dice(3, 3, 3)
    (fire,) = table.facts("fire")
    assert (fire["rating"], fire.get("home", False), fire["hits"]) == (rating, rating == 3, 3 if rating == 3 else 0)


@pytest.mark.parametrize("area", ["Annan", "Carrick"])
def test_1_4_bruce_has_two_homes(area: str) -> None:
    table = Table({**HOME, area: "York Infantry"}, {**NORTH, area: "Bruce"}).battles((area, ENGLISH, "", ""))
    table.order(f"BATTLE {area}: Bruce FIRE").dice(6, 6, 6, 6)
    assert table.facts("fire")[0]["rating"] == 3


def test_5_41_hits_fall_on_the_strongest() -> None:
    table = lanark("York Knights", "Campbell 4, Douglas 2").order("BATTLE Lanark: York Knights FIRE").dice(1, 1, 6, 6)
    assert table.blocks("Lanark") == {"York Knights": 4, "Campbell": 2, "Douglas": 2}


def test_5_41_three_hits_on_two_four_step_blocks() -> None:
    """One hit each, and the third to either, as their owner chooses."""
    table = lanark("York Knights", "Campbell, Douglas").order("BATTLE Lanark: York Knights FIRE").dice(1, 1, 1, 6)
    assert table.asked == (SCOTTISH, "hits")
    assert table.options() == ["HITS Lanark: Douglas", "HITS Lanark: Campbell"]
    assert "(rule 5.41)" in table.refused("HITS Lanark: Douglas, Campbell")
    table.order("HITS Lanark: Campbell")
    assert table.blocks("Lanark") == {"York Knights": 4, "Campbell": 2, "Douglas": 3}


def test_5_41_hits_are_applied_at_once() -> None:
    """Combat is not simultaneous: who was hit fires with what is left, and who is gone does not fire."""
    table = lanark("York Knights, Durham Knights", "Campbell 2, Douglas")
    table.order("BATTLE Lanark: York Knights FIRE").dice(1, 1, 1, 6).order("HITS Lanark: Campbell")
    table.order("BATTLE Lanark: Durham Knights FIRE").dice(1, 6, 6)
    assert table.blocks("Lanark")["Douglas"] == 1
    table.order("BATTLE Lanark: Douglas FIRE").dice(1)
    assert table.facts("fire")[-1]["dice"] == [1]


@pytest.mark.parametrize(
    ("strength", "hits", "forced", "tied", "left"),
    [
        ({"Mar": 3, "Keith": 2}, 1, ("Mar",), (), 0),
        ({"Mar": 3, "Keith": 2}, 2, ("Mar",), ("Mar", "Keith"), 1),
        ({"Mar": 1, "Keith": 1}, 2, ("Mar", "Keith"), (), 0),
        ({"Mar": 1, "Keith": 1}, 5, ("Mar", "Keith"), (), 0),
        ({"Mar": 2, "Keith": 2, "Ross": 2}, 2, (), ("Mar", "Keith", "Ross"), 2),
    ],
)
def test_5_41_forced_hits_and_ties(
    strength: dict[str, int], hits: int, forced: tuple[str, ...], tied: tuple[str, ...], left: int
) -> None:
    assert forced_and_tied(strength, hits) == (forced, tied, left)


def test_5_7_a_killed_noble_joins_his_captor_in_the_next_round() -> None:
    table = lanark("York Knights", "Mar 2, Campbell 1")
    table.order("BATTLE Lanark: Mar PASS").order("BATTLE Lanark: York Knights FIRE").dice(1, 1, 6, 6)
    table.order("HITS Lanark: Mar")
    assert (table.side("Mar"), table.strength("Mar"), table.at("Mar")) == (ENGLISH, 1, "Lanark")
    assert table.facts("captured")[0]["by"] == ENGLISH
    # in round 1 he does nothing more; Campbell fires at the Knights alone
    table.order("BATTLE Lanark: Campbell FIRE").dice(1)
    assert table.strength("York Knights") == 3
    # round 2: he attacks with them
    assert table.asked == (ENGLISH, "battle action")
    assert table.waiting == ("York Knights", "Mar")


def test_5_7_a_captured_noble_counts_for_his_new_side() -> None:
    """The last attacker is gone, but his captive holds the field for him (ruling 5.3)."""
    table = lanark("York Knights 1", "Mar 1, Wallace 1")
    table.order("BATTLE Lanark: Wallace PASS").order("BATTLE Lanark: Mar PASS")
    table.order("BATTLE Lanark: York Knights FIRE").dice(1)
    table.order("HITS Lanark: Mar")
    assert table.side("Mar") == ENGLISH
    table.order("BATTLE Lanark: Wallace FIRE").dice(1).order("HITS Lanark: York Knights")
    assert table.at("York Knights") == "pool"
    assert table.strength("Mar") == 1
    assert not table.facts("battle over")


def test_5_7_moray_killed_in_battle_is_gone_for_good() -> None:
    table = lanark("York Knights", "Moray 1").order("BATTLE Lanark: Moray PASS")
    table.order("BATTLE Lanark: York Knights FIRE").dice(1, 6, 6, 6)
    assert table.dead() == ("Moray",)


@pytest.mark.parametrize(
    ("english", "scots", "killed", "fate"),
    [
        ("York Knights", "Wallace 1", "Wallace", "dead"),
        ("York Knights", "French Knights 1", "French Knights", "dead"),
        ("York Knights", "Norse 1", "Norse", "dead"),
        ("York Knights", "Douglas 1", "Douglas", "pool"),
    ],
)
def test_5_8_black_crosses_are_eliminated_for_good(english: str, scots: str, killed: str, fate: str) -> None:
    table = Table({**HOME, "Fife": english}, {**NORTH, "Fife": scots}).battles(("Fife", ENGLISH, "", ""))
    while not table.facts("killed"):
        seat, what = table.asked
        if what == "battle action":
            table.order(f"BATTLE Fife: ALL {'FIRE' if seat == ENGLISH else 'PASS'}")
        else:
            table.dice(1, 1, 1, 1)
    assert table.at(killed) == fate
    assert table.facts("killed")[0]["fate"] == fate


def test_5_8_hobelars_killed_in_battle_are_dead_knights_are_not() -> None:
    table = lanark("Hobelars 1, York Knights 1", "Douglas, Graham", attacker=SCOTTISH)
    table.order("BATTLE Lanark: Hobelars PASS").order("BATTLE Lanark: York Knights PASS")
    table.order("BATTLE Lanark: Douglas FIRE").dice(1, 1, 6, 6)
    assert table.at("Hobelars") == "dead"
    assert table.at("York Knights") == "pool"


def test_6_1_edward_i_killed_comes_back_as_edward_ii() -> None:
    table = lanark("Edward 1", "Wallace").order("BATTLE Lanark: Wallace FIRE").dice(1, 6, 6, 6)
    assert table.at("Edward") == "pool"
    assert table.board.edward == 2
    assert table.asked[0] != "end"


def test_9_1_edward_ii_killed_ends_the_game_in_mid_battle() -> None:
    table = Table({**HOME, "Lanark": "Edward 1, York Knights 1"}, {**NORTH, "Lanark": "Wallace"}, edward=2)
    table.battles(("Lanark", ENGLISH, "", "")).order("BATTLE Lanark: Wallace FIRE").dice(1, 6, 6, 6)
    assert table.asked == (ENGLISH, "hits")
    table.order("HITS Lanark: Edward")
    assert table.asked == ("end", "edward ii killed")
    assert table.facts("victory")[0]["winner"] == SCOTTISH


def test_9_1_who_is_killed_together_with_the_leader_is_gone_as_well() -> None:
    table = Table({**HOME, "Lanark": "Edward 1, York Knights 1"}, {**NORTH, "Lanark": "Wallace"}, edward=2)
    table.battles(("Lanark", ENGLISH, "", "")).order("BATTLE Lanark: Wallace FIRE").dice(1, 1, 6, 6)
    assert table.asked == ("end", "edward ii killed")
    assert (table.at("York Knights"), table.at("Edward")) == ("pool", "dead")


def test_9_1_the_king_killed_ends_the_game() -> None:
    table = lanark("York Knights", "King 1, Douglas 1", attacker=SCOTTISH)
    table.order("BATTLE Lanark: King PASS").order("BATTLE Lanark: York Knights FIRE").dice(1, 1, 6, 6)
    assert table.asked == ("end", "king killed")
    assert table.facts("victory")[0]["winner"] == ENGLISH


def test_5_31_an_emptied_front_does_not_cut_the_round_short() -> None:
    """The defender's front is gone and his reserve is to come: the attackers may still retreat or pass, not fire."""
    table = Table(
        {**HOME, "Mentieth": "York Knights, York Infantry"}, {**NORTH, "Lanark": "Lindsay 1", "Annan": "Douglas"}
    )
    table.turn("Move 2", "Move 1").order("MOVE Mentieth: ALL > Lanark").order("MOVE Annan: Douglas > Lanark")
    table.order("BATTLE Lanark: York Knights FIRE").dice(1, 6, 6, 6)
    assert table.asked == (ENGLISH, "battle action")
    assert "no enemy block in front" in table.refused("BATTLE Lanark: York Infantry FIRE")
    *retreats, last = table.options()
    assert all(order.startswith("BATTLE Lanark: York Infantry RETREAT ") for order in retreats)
    assert last == "BATTLE Lanark: York Infantry PASS"


def test_5_3_reserves_of_the_winner_stay_hidden_when_the_battle_ends_in_round_1() -> None:
    table = Table({**HOME, "Mentieth": "York Knights", "Lothian": "Mar"}, {**NORTH, "Lanark": "Lindsay 1"})
    table.turn("Move 2", "Move 1").order("MOVE Mentieth: York Knights > Lanark MAIN\nMOVE Lothian: Mar > Lanark")
    table.order("PASS").order("BATTLE Lanark: York Knights FIRE").dice(1, 6, 6, 6)
    assert all("mar" not in fact["blocks"] for fact in table.facts("reveal"))
    # 5.6: reserves regroup too
    table.order("REGROUP Lanark: Mar > Selkirk")
    assert table.at("Mar") == "Selkirk"


def test_5_31_blocks_that_can_neither_fire_nor_retreat_pass_unasked() -> None:
    """In England the English cannot retreat; with no Scots left in front, round 1 is over for them."""
    table = Table({"Dunbar": "York Infantry, Durham Infantry"}, {**NORTH, "England": "Douglas 1", "Annan": "Wallace"})
    table.turn("Move 2", "Move 1").order("MOVE Dunbar: ALL > England").order("MOVE Annan: Wallace > England")
    table.order("BATTLE England: Douglas PASS").order("BATTLE England: York Infantry FIRE").dice(1, 6, 6, 6)
    assert table.facts("stays")[-1]["block"] == "Durham Infantry"
    assert table.facts("control")[0]["attacker"] == SCOTTISH
    assert table.facts("round")[-1]["round"] == 2


def test_1_4_the_home_bonus_follows_the_present_role() -> None:
    """Buchan comes to defend his home in reserve; when control changes he attacks it, and the bonus is lost."""
    table = Table({**HOME, "Angus": "York Knights"}, {**NORTH, "Buchan": "Lindsay 1", "Mar": "Buchan"})
    table.turn("Move 1", "Move 1").order("MOVE Angus: York Knights > Buchan").order("MOVE Mar: Buchan > Buchan")
    table.order("BATTLE Buchan: York Knights FIRE").dice(1, 6, 6, 6)
    table.order("BATTLE Buchan: York Knights PASS").order("BATTLE Buchan: Buchan FIRE").dice(3, 3, 3)
    assert table.facts("fire")[-1]["rating"] == 2


def test_1_4_a_captured_noble_has_the_bonus_if_his_new_side_defends() -> None:
    table = Table({**HOME, "Buchan": "York Knights"}, {**NORTH, "Buchan": "Buchan 1, Douglas"})
    table.battles(("Buchan", SCOTTISH, "", "")).order("BATTLE Buchan: York Knights FIRE").dice(1, 1, 1, 1)
    table.order("HITS Buchan: Buchan")
    table.order("BATTLE Buchan: Douglas PASS")
    table.order("BATTLE Buchan: Buchan FIRE", ENGLISH).dice(3)
    assert table.facts("fire")[-1]["hits"] == 1


def test_5_31_defending_a_blocks_act_before_attacking_ones() -> None:
    table = lanark("Hobelars", "Wallace", attacker=SCOTTISH)
    assert table.asked == (ENGLISH, "battle action")
    table.order("BATTLE Lanark: Hobelars PASS")
    assert table.asked == (SCOTTISH, "battle action")


def test_facts_strengths_of_blocks_that_are_not_revealed_are_never_told() -> None:
    table = Table({**HOME, "Mentieth": "York Knights", "Lothian": "Mar 2"}, {**NORTH, "Lanark": "Lindsay"})
    table.turn("Move 2", "Move 1").order("MOVE Mentieth: York Knights > Lanark MAIN\nMOVE Lothian: Mar > Lanark")
    table.order("PASS")
    assert not any("'Mar'" in str(fact.heard_by(SCOTTISH)) for fact in table.told)
    assert "mar" not in table.view(SCOTTISH).revealed
    assert table.view(SCOTTISH).count("Lanark", ENGLISH) == 2
