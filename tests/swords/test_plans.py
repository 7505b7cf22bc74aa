"""Plans: what they say, when they speak and when their owner is asked; and how many hand-overs a flip costs with them."""

from __future__ import annotations

from statistics import median

import pytest

from bench.flips import hand_overs
from pbem.errors import OrderError
from pbem.games.swords.game import GAME
from tests.swords.set_up import start
from tests.swords.table import Table, battle, deploying

CLAUSES = [
    "CUBE Moray, Moray, Fife",
    "DEPLOY A1 B1 A2 B2 PULL A1 B1 TO Moray THEN ADD Fife",
    "DEPLOY ANY TO Moray, Fife, ANY",
    "KILL black, picts, ANY",
    "COMMIT Moray: 3",
    "COMMIT ANY: HALF",
    "RETREAT Ross, ANY",
    "GLORY 2 Drums, 1 The Crown",
    "GLORY NONE",
    "HEAL PICT",
    "NEXT Moray, ANY",
    "SWORD NOW FROM Fife",
    "MERCHANT A1 > B3",
    "CARDINAL STAY",
    "WALL Ross - Moray",
    "TAPESTRY stag",
]


def spoken(game: Table, plans: str, seat: str = "") -> str:
    """What plans answer to what is asked; "" where they are silent."""
    found = GAME.planned(game.view(seat or game.asked[0]), GAME.read_plans(plans))
    return str(found.order) if found else ""


@pytest.mark.parametrize("text", CLAUSES)
def test_a_plan_has_one_text(text: str) -> None:
    assert GAME.read_plans(text) == text
    assert GAME.read_plans(f"PLAN {text.lower()}   # perhaps") == text


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("XYZZY Moray", "no such plan"), ("COMMIT 3", "for which battle"), ("RETREAT ANY, Ross", "ANY at most at its end"),
        ("RETREAT", "says nothing"), ("RETREAT <b>", "no name"), ("KILL mauve", "no such colour"), ("PLACE A1", "no such plan"),
        ("HEAL YES\nHEAL NO", "one plan with HEAL"), ("DEPLOY A1 B1", "four squares"),
    ],
)  # fmt: skip
def test_a_plan_that_cannot_be_read_is_refused(text: str, why: str) -> None:
    with pytest.raises(OrderError, match=why):
        GAME.read_plans(text)


def test_cube_plans_fill_regions_in_their_order() -> None:
    game = start(players=2, glory="first", first="pink")
    for cube in ("Moray", "Moray", "Fife"):
        assert spoken(game, "CUBE Moray, Moray, Fife") == f"CUBE {cube}"
        game.order(f"CUBE {cube}", "CUBE Isles")
    assert spoken(game, "CUBE Moray, Moray, Fife") == "", "then one is asked"


def test_deploy_plans_speak_where_they_are_legal_in_their_order() -> None:
    game = deploying(boards={"pink": "A1 B1 A2"}, cubes={"Moray": "pink 2", "Fife": "yellow"})
    plan = "DEPLOY A1 B1 A2 B2 PULL A1 A2 TO {} THEN ADD Isles"
    assert spoken(game, plan.format("Moray")) == plan.format("Moray")
    assert spoken(game, plan.format("Fife")) == ""
    assert spoken(game, plan.format("Fife") + "\nDEPLOY ANY TO Fife, Moray") == "DEPLOY A1 B1 A2 B2 PULL A1 B1 TO Moray"


def test_castle_plans_name_colours_by_preference() -> None:
    laid = {"cubes": "pink 4, yellow 2, black 2", "players": 3, "castles_": {"Inverness": "pink", "Blair": "pink"}}
    assert spoken(battle(**laid), "KILL black, ANY") == "KILL black, black"
    assert spoken(battle(**laid), "KILL white, ANY") == "KILL yellow, yellow"
    assert spoken(battle(**laid), "KILL white") == ""
    assert spoken(battle(**laid), "KILL black, yellow") == "KILL black, black"
    assert spoken(battle(**laid), "KILL pink, black") == "KILL pink, pink", "one's own, where one names it"
    assert spoken(battle(**laid, own="last"), "KILL pink, black") == "KILL black, black"
    alone = {"cubes": "pink 6, yellow 1", "castles_": {"Inverness": "pink", "Blair": "pink"}}
    assert spoken(battle(**alone), "KILL ANY") == "KILL pink, yellow", "one's own last"
    assert spoken(battle(**alone), "KILL yellow") == ""


def test_commit_plans_for_a_battle_come_before_those_for_any() -> None:
    game = battle(cubes="pink 4, yellow 3", glory={"Quaich": "pink"})
    assert spoken(game, "COMMIT ANY: ALL\nCOMMIT mor: 3", "pink") == "COMMIT 3"
    assert spoken(game, "COMMIT ANY: HALF\nCOMMIT Fife: 3", "pink") == "COMMIT 2"
    assert spoken(game, "COMMIT Moray: 9", "pink") == "COMMIT 4"
    assert spoken(game, "COMMIT ANY: NONE", "yellow") == "COMMIT 2", "as few as may be, against the Quaich"
    assert spoken(game, "COMMIT Fife: 1", "pink") == ""


def test_retreat_plans_speak_only_where_they_say_all() -> None:
    game = battle(cubes="pink 4, yellow 4", game="Drums").order(pink="COMMIT 4", yellow="COMMIT 2")
    assert spoken(game, "RETREAT Fife, Ross") == "", "cubes may go to glory cards"
    assert spoken(game, "RETREAT Fife, Ross\nGLORY NONE") == "RETREAT 2 Ross"
    assert spoken(game, "GLORY 9 Drums\nRETREAT ANY") == "RETREAT 2 Ross\nGLORY 2 Drums"
    assert spoken(game, "GLORY 1 Drums") == "", "whither is not said"
    found = GAME.planned(game.view("yellow"), "RETREAT Ross\nGLORY NONE\nCOMMIT ANY: ALL")
    assert found
    assert found.clause == "RETREAT Ross; GLORY NONE"


def test_heal_plans_say_what_the_druid_does() -> None:
    game = battle(cubes="pink 4, yellow 3", glory={"Druid": "yellow"}).order(pink="COMMIT 3", yellow="COMMIT 2")
    assert spoken(game, "RETREAT Ross\nGLORY NONE") == ""
    assert spoken(game, "RETREAT Ross\nGLORY 5 Druid\nHEAL YES") == "RETREAT 2 Ross\nGLORY 1 Druid\nHEAL YES"


def test_other_plans_say_the_order_itself() -> None:
    game = battle(cubes="pink 4, yellow 3", elsewhere={"Fife": "pink 5, yellow 3"})
    assert spoken(game, "NEXT Isles, Fife") == "BATTLE Fife"
    sword = {"cubes": "pink 4, yellow 3", "glory": {"Long Sword": "pink"}}
    assert spoken(battle(**sword, castles_={"Blair": "yellow"}), "SWORD LATER") == "SWORD LATER"
    assert spoken(battle(**sword), "SWORD LATER") == "", "no castle will act"
    game = battle(cubes="pink 4, yellow 4", game="Cardinal, Hadrian's Wall, Tapestry").order(
        pink="COMMIT 4", yellow="COMMIT 3"
    )
    game.order("RETREAT 1 Ross\nGLORY 1 Cardinal, 1 Wall, 1 Tapestry")
    plans = "CARDINAL Fife\nWALL Moray - Ross\nTAPESTRY harp"
    for order in ("CARDINAL Fife", "WALL Ross - Moray", "TAPESTRY harp"):
        assert spoken(game, plans) == order
        game.order(order)


def test_plans_never_speak_for_placing() -> None:
    game = start(players=2, glory="first", first="pink").order(*["CUBE Moray", "CUBE Fife"] * 4)
    game.go_on(((1,),)).go_on(((1,), (1,)))
    assert game.what == "place"
    assert spoken(game, "\n".join(dict.fromkeys(CLAUSES)).replace("GLORY NONE\n", ""), "pink") == ""


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_flip_costs_few_hand_overs_with_plans(players: int) -> None:
    """SWORDS: at most 2.5 in the median."""
    game = hand_overs(players, 1, planning=True)
    assert len(game) == 36
    assert median(game) <= sum(game) / len(game) <= 2.5
