"""The options that change battles: schiltroms, Andrew de Moray, one target, no regroup after a defection, the Norse's coast."""

from __future__ import annotations

import random

import pytest

from pbem.games.hammer import GAME
from pbem.games.hammer.bots import SensibleBot
from pbem.games.hammer.look import LOOK
from pbem.games.hammer.rules.printed import ENGLISH, SCOTTISH
from pbem.games.hammer.rules.retreat_law import exits_seen
from pbem.kernel import Ask, Chance
from tests.hammer.builder import Table
from tests.hammer.options_battle import fought

SCHILTROMS, ANDREW, ONE = ("schiltroms",), ("andrew_de_moray",), ("one_target",)


def ratings(table: Table) -> list[tuple[str, int]]:
    """Return who has fired, and at which rating."""
    return [(fact["block"], fact["rating"]) for fact in table.facts("fire")]


# Schiltroms: 4.0, sidebar


def test_schiltroms_scottish_infantry_fires_at_one_more_without_english_archers() -> None:
    table = fought("York Infantry", "Douglas, Barclay", SCHILTROMS)
    table.order("BATTLE Lanark: Douglas FIRE, Barclay FIRE").dice(4, 4, 5, 5)
    assert ratings(table) == [("Douglas", 4)]  # C3 = C4
    assert table.facts("fire")[0]["hits"] == 2
    assert table.facts("fire")[0]["schiltrom"] is True
    table.dice(4, 4, 4, 4)
    assert ratings(table)[-1] == ("Barclay", 3)  # all Scottish infantry gain one: C2 = C3


def test_schiltroms_not_while_english_archers_fight() -> None:
    table = fought("York Infantry, Wales Archers", "Douglas", SCHILTROMS).dice(1)  # Celtic unity: they stay
    table.order("BATTLE ALL PASS").order("BATTLE ALL FIRE").dice(4, 4, 4, 4)
    assert ratings(table) == [("Douglas", 3)]
    assert "schiltrom" not in table.facts("fire")[0]


def test_schiltroms_not_for_anybody_else() -> None:
    table = fought("York Infantry", "Wallace, Etterick", SCHILTROMS)
    table.order("BATTLE ALL FIRE").dice(6, 6, 6, 6).order("BATTLE ALL FIRE").dice(6, 6)
    table.order("BATTLE ALL FIRE").dice(6, 6, 6, 6)
    assert ratings(table) == [("Wallace", 3), ("Etterick", 2), ("York Infantry", 2)]


def test_schiltroms_archers_in_reserve_do_not_count_until_they_arrive() -> None:
    table = fought("York Infantry", "Douglas", SCHILTROMS, reserve="Lancaster Archers")
    table.order("BATTLE ALL FIRE").dice(6, 6, 6, 6).order("BATTLE ALL PASS")
    assert ratings(table) == [("Douglas", 4)]
    table.order("BATTLE ALL PASS").order("BATTLE ALL FIRE").dice(4, 6, 6, 6)
    assert ratings(table)[-1] == ("Douglas", 3)


def test_schiltroms_close_again_when_the_archers_are_gone() -> None:
    table = fought("York Infantry, Wales Archers", "Douglas", SCHILTROMS).dice(5)  # Celtic unity: they leave
    table.order("BATTLE ALL FIRE").dice(4, 4, 6, 6)
    assert ratings(table) == [("Douglas", 4)]
    table = fought("York Infantry, Lancaster Archers 1", "Etterick, Douglas", SCHILTROMS)
    table.order("BATTLE ALL FIRE").dice(6, 6).order("BATTLE ALL RETREAT Lothian")
    table.order("BATTLE ALL FIRE").dice(4, 6, 6, 6)
    assert ratings(table)[-1] == ("Douglas", 4)


def test_schiltroms_are_off_by_default() -> None:
    table = fought("York Infantry", "Douglas", ())
    table.order("BATTLE ALL FIRE").dice(4, 4, 4, 4)
    assert ratings(table) == [("Douglas", 3)]


# Andrew de Moray: the summary of 2.3


def test_2_12_andrew_de_moray_acts_with_the_a_blocks_and_hits_at_three() -> None:
    table = fought("Hobelars", "Moray, Wallace", ANDREW)
    assert table.waiting == ("Wallace", "Moray")
    table.order("BATTLE Lanark: Moray FIRE").dice(3, 4, 5)
    assert table.facts("fire") == [
        {"f": "fire", "block": "Moray", "rating": 3, "letter": "A", "dice": [3, 4, 5], "hits": 1}
    ]
    assert table.facts("reveal")[0]["ratings"] == {"moray": "A3"}


def test_1_4_andrew_de_moray_has_nothing_more_at_home() -> None:
    table = fought("Hobelars", "Moray", ANDREW, area="Moray").order("BATTLE ALL FIRE").dice(4, 4, 4)
    assert ratings(table) == [("Moray", 3)]
    assert "home" not in table.facts("fire")[0]


def test_2_12_moray_is_b2_without_the_option() -> None:
    table = fought("Hobelars", "Moray", ())
    assert table.waiting == ("Hobelars",)
    table.order("BATTLE ALL PASS").order("BATTLE ALL FIRE").dice(3, 3, 3)
    assert ratings(table) == [("Moray", 2)]


def test_5_5_andrew_de_moray_retreats_with_the_a_blocks() -> None:
    table = Table(
        {"Lanark": "York Infantry"},
        {"Lanark": "Moray, Douglas", "Lennox": "Grant", "Carrick": "Fraser"},
        variants=ANDREW,
    )
    board = table.start
    for name in ("Moray", "Douglas"):
        board = board.put(board[name]._replace(start="Annan", via="Annan"))
    table.start = board
    table.battles(("Lanark", "scottish", "Annan", "Annan"), first="scottish").fought()
    assert table.asked == ("scottish", "retreats")
    assert table.view("scottish").frames["retreat"]["blocks"] == ["Moray"]


# All hits on one target: the summary of 2.3


def test_5_41_one_target_all_hits_of_a_block_fall_on_the_strongest() -> None:
    table = fought("York Infantry 4, Hobelars 3", "Wallace", ONE).order("BATTLE ALL FIRE").dice(1, 1, 1, 6)
    assert table.blocks("Lanark") == {"York Infantry": 1, "Hobelars": 3, "Wallace": 4}


def test_5_41_one_target_hits_beyond_his_steps_are_lost() -> None:
    table = fought("Hobelars 2, Durham Infantry 1", "Wallace", ONE).order("BATTLE ALL FIRE").dice(1, 1, 1, 1)
    assert table.blocks("Lanark") == {"Durham Infantry": 1, "Wallace": 4}
    assert table.dead() == ("Hobelars",)


def test_5_41_one_target_the_owner_breaks_a_tie_for_all_hits() -> None:
    table = fought("York Infantry 4, Lancaster Infantry 4", "Wallace", ONE).order("BATTLE ALL FIRE").dice(1, 1, 1, 6)
    assert table.asked == (ENGLISH, "hits")
    assert table.options() == ["HITS Lanark: York Infantry", "HITS Lanark: Lancaster Infantry"]
    assert "one block is to be named" in table.refused("HITS Lanark: York Infantry, Lancaster Infantry")
    table.order("HITS Lanark: Lancaster")
    assert table.blocks("Lanark") == {"York Infantry": 4, "Lancaster Infantry": 1, "Wallace": 4}


def test_5_41_one_target_the_next_block_takes_aim_anew() -> None:
    table = fought("York Infantry 4, Hobelars 3", "Wallace, Norse", ONE)
    table.order("BATTLE Lanark: Wallace FIRE, Norse FIRE").dice(1, 1, 6, 6).dice(1, 6, 6)
    assert table.blocks("Lanark")["York Infantry"] == 2
    assert table.blocks("Lanark")["Hobelars"] == 2


def test_pillage_falls_as_ever_with_one_target() -> None:
    table = Table({"Dunbar": "Dunbar", "Annan": "York Infantry 4, Hobelars 3"}, {"Lanark": "Wallace 2"}, variants=ONE)
    table.turn("Move 1", "Pillage").order("PILLAGE Annan FROM Lanark")
    assert table.options() == ["HITS Annan: York Infantry, Hobelars", "HITS Annan: York Infantry, York Infantry"]


# No regroup after a defection: the summary of 2.3

NO_REGROUP = ("no_regroup_after_defection",)


@pytest.mark.parametrize("variants", [(), NO_REGROUP])
def test_5_6_nobody_regroups_after_a_battle_that_a_herald_caused(variants: tuple[str, ...]) -> None:
    table = Table({"Mar": "Mar"}, {"Angus": "Angus 1, Wallace"}, variants=variants)
    table.turn("Herald", "Move 1").order("HERALD Angus").dice(1)
    table.order("BATTLE ALL FIRE").dice(1, 6, 6, 6)  # he is captured again
    table.fought()
    assert table.facts("battle over")[0].get("stay", False) is bool(variants)
    assert table.asked == (SCOTTISH, "act" if variants else "regroup")


@pytest.mark.parametrize("variants", [(), NO_REGROUP])
def test_5_6_nobody_regroups_after_the_battle_of_a_coronation(variants: tuple[str, ...]) -> None:
    table = Table({"Dunbar": "Dunbar"}, {"Fife": "Bruce", "dead": "Wallace", "Mar": "Ross 1, Norse"}, variants=variants)
    table.turn("Move 1", "Truce").order("CORONATION Bruce")
    table.order("BATTLE ALL FIRE").dice(1, 6, 6)
    table.fought()
    assert table.asked == ((ENGLISH, "act") if variants else (SCOTTISH, "regroup"))


def test_5_6_after_a_pillage_the_victors_regroup_as_ever() -> None:
    english = {"Dunbar": "Dunbar", "Annan": "Angus 2, York Infantry 1"}
    table = Table(english, {"Lanark": "Wallace 2"}, variants=NO_REGROUP)
    table.turn("Move 1", "Pillage").orders("PILLAGE Annan FROM Lanark", "HITS Annan: Angus, Angus", "PASS")
    table.order("BATTLE ALL FIRE").dice(1)  # the captive wins
    assert table.asked == (SCOTTISH, "regroup")


# The Norse on their own coast: the summary of 2.3

SAME = ("same_coast",)


@pytest.mark.parametrize(
    ("area", "open_to"),
    [
        ("Lennox", ["Argyll", "Carrick", "Ross"]),  # the Irish Sea
        ("Angus", ["Fife", "Ross"]),  # the North Sea; Ross lies on both
        ("Ross", ["Argyll", "Carrick", "Fife"]),
    ],
)
def test_4_7_the_norse_regroup_along_the_same_coast_only(area: str, open_to: list[str]) -> None:
    friends = {"Ross": "Fraser", "Argyll": "Grant", "Carrick": "Barclay", "Fife": "Douglas"}
    scots = {**friends, area: "Norse"}
    table = Table({area: "Durham Infantry 1"}, scots, variants=SAME)
    table.start = table.start.put(table.start["Norse"]._replace(start="Garmoran", via="sea"))
    table.battles((area, SCOTTISH, "Garmoran", "sea"), first=SCOTTISH).order("BATTLE ALL FIRE").dice(1, 6, 6)
    exits = exits_seen(table.view(SCOTTISH), area, regroup=True)
    assert sorted(exits.coasts) == open_to
    refused = {"Lennox": "Fife", "Angus": "Argyll"}.get(area)
    if refused:
        assert "no friendly coast" in table.refused(f"REGROUP {area}: Norse > {refused}")
    table.order(f"REGROUP {area}: Norse > {open_to[0]}")
    assert table.at("Norse") == open_to[0]


def test_4_7_the_norse_retreat_to_any_coast_as_ever() -> None:
    table = Table({"Angus": "York Infantry"}, {"Angus": "Norse", "Carrick": "Grant"}, variants=SAME)
    table.start = table.start.put(table.start["Norse"]._replace(start="Ross", via="sea"))
    table.battles(("Angus", SCOTTISH, "Ross", "sea"), first=SCOTTISH).order("BATTLE ALL RETREAT Carrick")
    assert table.at("Norse") == "Carrick"


# Simultaneous fire: the page for the table, note 3

AT_ONCE = ("simultaneous_fire",)


def test_5_41_simultaneous_fire_all_hits_of_a_combat_turn_fall_together_on_the_strongest() -> None:
    """Without the option the Hobelars are hit as soon as York is no stronger."""
    table = fought("York Infantry 4, Hobelars 3", "Wallace, Norse 2", AT_ONCE)
    table.order("BATTLE Lanark: Wallace FIRE, Norse FIRE").dice(1, 1, 6, 6)
    assert table.blocks("Lanark")["York Infantry"] == 4, "the Norse still fire"
    table.dice(1, 6)
    assert table.blocks("Lanark") == {"York Infantry": 1, "Hobelars": 3, "Wallace": 4, "Norse": 2}


def test_5_41_simultaneous_fire_the_dice_of_all_are_rolled_before_anybody_is_reduced() -> None:
    table = fought("York Infantry 2", "Wallace, Norse 2", AT_ONCE)
    table.order("BATTLE Lanark: Wallace FIRE, Norse FIRE").dice(1, 1, 1, 1)
    assert table.asked[0] == "chance", "York is as good as dead, and the Norse fire all the same"
    table.dice(1, 1)
    assert table.dead() == ()
    assert table.at("York Infantry") == "pool"


def test_5_41_simultaneous_fire_hits_beyond_his_steps_are_lost() -> None:
    table = fought("Hobelars 2, Durham Infantry 1", "Wallace, Norse 2", AT_ONCE).order("BATTLE ALL FIRE")
    table.dice(1, 1, 1, 1).dice(1, 1)
    assert table.blocks("Lanark") == {"Durham Infantry": 1, "Wallace": 4, "Norse": 2}


def test_5_41_simultaneous_fire_the_owner_breaks_a_tie_for_all_hits() -> None:
    table = fought("York Infantry 4, Lancaster Infantry 4", "Wallace, Norse 2", AT_ONCE).order("BATTLE ALL FIRE")
    table.dice(1, 1, 6, 6).dice(1, 6)
    assert table.asked == (ENGLISH, "hits")
    said = " ".join(LOOK.question(table.view(ENGLISH)).split())
    assert "3 hits to apply" in said
    assert "which one of them takes all (option)" in said
    assert table.options() == ["HITS Lanark: York Infantry", "HITS Lanark: Lancaster Infantry"]
    table.order("HITS Lanark: Lancaster")
    assert table.blocks("Lanark")["Lancaster Infantry"] == 1


def test_5_31_simultaneous_fire_leaves_letters_and_sides_in_their_order() -> None:
    """A before B, the defender before the attacker: who was killed before his combat turn does not fire."""
    table = fought("Edward 2, York Infantry 4", "Wallace", AT_ONCE)
    table.order("BATTLE ALL FIRE").dice(1, 6, 6, 6)
    assert table.blocks("Lanark")["York Infantry"] == 3, "Wallace's hits have fallen before Edward is asked"
    assert table.asked == (ENGLISH, "battle action")


def test_5_31_simultaneous_fire_who_is_not_named_is_asked_and_sees_the_hits_so_far() -> None:
    table = fought("York Infantry 4, Hobelars 3", "Wallace, Norse 2", AT_ONCE)
    table.order("BATTLE Lanark: Wallace FIRE").dice(1, 1, 6, 6)
    assert table.asked == (SCOTTISH, "battle action")
    view = table.view(SCOTTISH)
    assert "2 hits to fall on the strongest in front when all have fired" in " ".join(LOOK.question(view).split())
    table.order("BATTLE ALL PASS")
    assert table.blocks("Lanark")["York Infantry"] == 2


def test_5_5_simultaneous_fire_hits_have_fallen_when_others_of_their_letter_leave() -> None:
    table = fought("York Infantry 4, Hobelars 3", "Wallace, Norse 2", AT_ONCE)
    assert "All who fire do so at once" in " ".join(LOOK.question(table.view(SCOTTISH)).split())
    table.order("BATTLE Lanark: Norse FIRE, Wallace RETREAT Selkirk").dice(1, 1)
    told = [fact.public["f"] for fact in table.told if fact.public]
    assert [said for said in told if said in ("fire", "hit", "retreat")][:3] == ["fire", "hit", "retreat"]


def test_simultaneous_fire_plans_speak_of_all_its_hits() -> None:
    table = fought("York Infantry 4, Lancaster Infantry 4", "Wallace, Norse 2", AT_ONCE).order("BATTLE ALL FIRE")
    table.dice(1, 1, 1, 6).dice(1, 6)
    planned = GAME.planned(table.view(ENGLISH), GAME.read_plans("PLAN ANY: HITS Lancaster Infantry, ANY"))
    assert planned is not None
    assert str(planned.order) == "HITS Lanark: Lancaster Infantry"


def test_simultaneous_fire_the_built_in_player_answers_every_question_of_it() -> None:
    bot, chance = SensibleBot(), random.Random("at once")
    table = fought("York Infantry 4, Lancaster Infantry 4", "Wallace, Norse 2, Keith", AT_ONCE)
    asked = set()
    while isinstance(table.stop.wants, Ask | Chance) and "battle" in str(GAME.view(table.stop.state, None)["frames"]):
        if isinstance(table.stop.wants, Chance):
            table.dice(*[1 + chance.randrange(6) for _ in range(table.stop.wants.requests[0].n)])
            continue
        (seat,) = table.stop.wants.seats
        asked.add(table.stop.wants.what)
        table.order(str(bot.answer(table.view(seat), chance)))
    assert bot.strayed == 0
    assert "battle action" in asked


def test_simultaneous_fire_is_off_by_default() -> None:
    table = fought("York Infantry 4, Hobelars 3", "Wallace, Norse 2", ())
    table.order("BATTLE Lanark: Wallace FIRE, Norse FIRE").dice(1, 1, 6, 6)
    assert table.blocks("Lanark")["York Infantry"] == 3
