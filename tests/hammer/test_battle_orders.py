"""One order for all blocks of a letter: they act one by one; what is not done, and where they go, stays hidden. 5.31, 5.5."""

from __future__ import annotations

import json
import random
from itertools import islice

import pytest

from pbem.games.hammer import GAME
from pbem.games.hammer.look import LOOK
from pbem.games.hammer.orders import Act, BattleActions
from pbem.games.hammer.rules.printed import ENGLISH, SCOTTISH
from pbem.kernel import Ask, Composed, Listed
from tests.hammer.builder import Table

HOME = {"Dunbar": "Dunbar"}
NORTH = {"Ross": "Ross"}


def lanark(english: str, scots: str, attacker: str = ENGLISH) -> Table:
    """Return a battle at Lanark, everybody in front."""
    table = Table({**HOME, "Lanark": english}, {**NORTH, "Lanark": scots})
    return table.battles(("Lanark", attacker, "", ""))


def told(table: Table, seat: str | None) -> str:
    """Return all that a seat has heard and sees."""
    heard = [fact.heard_by(seat) for fact in table.told]
    return json.dumps([heard, GAME.view(table.stop.state, seat)])


def test_5_31_the_blocks_named_act_in_the_order_named() -> None:
    table = lanark("York Knights, York Infantry", "Mar, Keith, Bruce")
    table.order("BATTLE Lanark: Bruce FIRE, Mar PASS, Keith FIRE").dice(6, 6, 6, 6).dice(6, 6, 6)
    assert [fact["block"] for fact in table.facts("fire")] == ["Bruce", "Keith"]
    acted = [fact.public["f"] for fact in table.told if fact.public and fact.public["f"] in ("fire", "stays")]
    assert acted == ["fire", "stays", "fire"]
    assert table.asked == (ENGLISH, "battle action")


def test_5_31_who_is_not_named_is_asked_when_the_others_have_acted() -> None:
    table = lanark("York Knights", "Mar, Keith, Bruce")
    table.order("BATTLE Lanark: Keith FIRE").dice(6, 6, 6)
    assert table.asked == (SCOTTISH, "battle action")
    assert table.waiting == ("Bruce", "Mar")
    assert "it is not the turn of Keith (rule 5.31)" in table.refused("BATTLE Lanark: Keith FIRE")


def test_5_41_hits_are_applied_before_the_next_block_acts_and_the_order_goes_on() -> None:
    table = lanark("York Knights, Durham Knights", "Campbell, Douglas", attacker=SCOTTISH)
    table.order("BATTLE Lanark: York Knights FIRE, Durham Knights FIRE").dice(1, 6, 6, 6)
    assert table.asked == (SCOTTISH, "hits")
    table.order("HITS Lanark: Douglas")
    # nobody is asked again: the second Knights fire as ordered
    assert table.asked == ("chance", "pub")
    table.dice(6, 6, 6)
    assert table.asked == (SCOTTISH, "battle action")


def test_5_4_an_action_that_has_become_impossible_is_asked_about_again_with_the_rest() -> None:
    table = Table(
        {**HOME, "Mentieth": "York Knights, Durham Knights, Angus"},
        {**NORTH, "Lanark": "Lindsay 1", "Annan": "Douglas"},
    )
    table.turn("Move 2", "Move 1").order("MOVE Mentieth: ALL > Lanark").order("MOVE Annan: Douglas > Lanark")
    table.order("BATTLE Lanark: York Knights FIRE, Durham Knights FIRE, Angus RETREAT Lothian").dice(1, 6, 6, 6)
    # the front is gone, a reserve will come: Durham Knights cannot fire, and Angus may think again
    assert table.asked == (ENGLISH, "battle action")
    assert table.waiting == ("Durham Knights", "Angus")
    assert not table.facts("retreats")
    table.order("BATTLE Lanark: ALL PASS")
    assert table.blocks("Lanark").keys() == {"York Knights", "Durham Knights", "Angus", "Douglas"}


def test_5_31_a_retreat_ordered_behind_the_last_shot_is_carried_out() -> None:
    table = Table({**HOME, "Mentieth": "York Knights, Angus"}, {**NORTH, "Lanark": "Lindsay 1", "Annan": "Douglas"})
    table.turn("Move 2", "Move 1").order("MOVE Mentieth: ALL > Lanark").order("MOVE Annan: Douglas > Lanark")
    table.order("BATTLE Lanark: York Knights FIRE, Angus RETREAT Lothian").dice(1, 6, 6, 6)
    assert table.at("Angus") == "Lothian"


def test_5_3_what_is_left_of_an_order_ends_with_the_battle() -> None:
    table = lanark("York Knights", "Keith, Bruce")
    table.order("BATTLE Lanark: ALL PASS").order("BATTLE Lanark: York Knights PASS")
    other = lanark("York Knights 1", "Keith, Bruce")
    other.order("BATTLE Lanark: Bruce FIRE, Keith RETREAT Carrick").dice(1, 6, 6, 6)
    assert other.facts("battle over")
    assert other.at("Keith") == "Lanark"
    assert other.asked == (SCOTTISH, "regroup")


def test_4_3_the_blocks_of_one_order_share_the_borders() -> None:
    table = lanark("York Infantry", "Mar, Keith, Bruce")
    said = table.refused("BATTLE Lanark: Mar, Keith, Bruce RETREAT Selkirk")
    assert "the border to Selkirk lets no more blocks through (rule 4.3)" in said
    table.order("BATTLE Lanark: Mar, Keith RETREAT Selkirk")
    # those who have named their places count, though they have not gone yet
    assert table.at("Mar") == "Lanark"
    assert "(rule 4.3)" in table.refused("BATTLE Lanark: Bruce RETREAT Selkirk")
    table.order("BATTLE Lanark: Bruce RETREAT Annan")
    assert table.at("Mar") == table.at("Keith") == "Selkirk"


def test_5_5_blocks_of_one_letter_go_together_when_all_have_acted() -> None:
    table = lanark("York Knights", "Mar, Keith, Bruce")
    table.order("BATTLE Lanark: Mar RETREAT Annan, Keith FIRE").dice(6, 6, 6)
    assert table.facts("retreats") == [{"f": "retreats", "block": "Mar"}]
    assert not table.facts("retreat")
    table.order("BATTLE Lanark: Bruce RETREAT Lennox")
    assert table.facts("retreat")[0]["to"] == {"annan": 1, "lennox": 1}


def test_a_battle_action_is_sealed_until_the_end() -> None:
    wanted = lanark("York Knights", "Mar").stop.wants
    assert isinstance(wanted, Ask)
    assert wanted.secret == "until end"


def test_what_is_ordered_and_not_done_is_hidden_from_all_but_its_owner() -> None:
    orders = {
        "BATTLE Lanark: Angus RETREAT Carrick, York Knights FIRE, Durham Knights RETREAT Lothian",
        "BATTLE Lanark: Angus RETREAT Lothian, York Knights FIRE",
        "BATTLE Lanark: Angus RETREAT Selkirk, York Knights FIRE, Durham Knights FIRE",
    }
    heard: dict[str | None, set[str]] = {SCOTTISH: set(), None: set(), ENGLISH: set()}
    for order in orders:
        table = lanark("York Knights, Durham Knights, Angus", "Campbell, Douglas", attacker=SCOTTISH)
        table.order(order).dice(1, 6, 6, 6)
        assert table.asked == (SCOTTISH, "hits")
        for seat, found in heard.items():
            found.add(told(table, seat))
    assert len(heard[SCOTTISH]) == len(heard[None]) == 1
    assert len(heard[ENGLISH]) == len(orders)


def test_the_places_of_those_who_leave_are_guessed_by_the_enemy_and_known_to_the_owner() -> None:
    rng = random.Random(1)
    table = lanark("York Knights, Durham Knights, Angus", "Campbell, Douglas", attacker=SCOTTISH)
    table.order("BATTLE Lanark: Angus RETREAT Selkirk, York Knights FIRE, Durham PASS").dice(1, 6, 6, 6)
    for seat in (ENGLISH, SCOTTISH):
        twin = GAME.determinise(table.view(seat), rng)
        assert GAME.view(twin, seat) == GAME.view(table.stop.state, seat)
        battle = twin.stack[-1]
        assert (battle.leaving == (("Angus", "Selkirk"),)) == (seat == ENGLISH)
        assert bool(battle.queue) == (seat == ENGLISH)


def test_the_answer_of_silence_is_that_all_fire() -> None:
    table = lanark("York Knights", "Mar, Keith")
    assert str(GAME.default(table.view(SCOTTISH))) == "BATTLE Lanark: Keith FIRE, Mar FIRE"


@pytest.mark.parametrize(("scots", "kind"), [("Mar", Listed), ("Mar, Keith, Bruce", Composed)])
def test_few_orders_are_listed_many_composed_and_every_one_can_come(scots: str, kind: type) -> None:
    view = lanark("York Knights", scots).view(SCOTTISH)
    options = GAME.options(view)
    assert isinstance(options, kind)
    rng = random.Random(2)
    came = {str(options.sample(rng)) for _ in range(4000)}
    for order in islice(options, 6):
        assert isinstance(order, BattleActions)
        assert order in options
    shortest = {f"BATTLE Lanark: {name} {action}" for name in scots.split(", ") for action in ("FIRE", "PASS")}
    assert shortest <= came
    assert any(order.count("RETREAT") == len(scots.split(", ")) for order in came)


def test_the_options_are_what_is_legal() -> None:
    """Every list of at most two acts is offered or refused."""
    view = lanark("York Knights", "Mar, Keith").view(SCOTTISH)
    offered = set(map(str, GAME.options(view)))
    acts = [
        Act.model_validate({"block": name, "action": action, "to": to})
        for name in ("Mar", "Keith", "York Knights")
        for action in ("FIRE", "RETREAT", "PASS")
        for to in ("", "Lennox", "Selkirk", "Ross")
    ]
    lists = [(a,) for a in acts] + [(a, b) for a in acts for b in acts]
    for some in lists:
        order = BattleActions(area="Lanark", acts=some)
        assert (GAME.why_not(view, order) is None) == (str(order) in offered), order


def test_the_lines_shown_name_every_block() -> None:
    view = lanark("York Knights", "Mar, Keith, Bruce").view(SCOTTISH)
    first, *others = LOOK.template(view).split("\n")
    assert first == "BATTLE Lanark: Keith FIRE, Bruce FIRE, Mar FIRE"
    for name in ("Keith", "Bruce", "Mar"):
        offered = others[others.index(f"# BATTLE Lanark: {name} FIRE") + 1]
        assert offered.startswith("#     # or RETREAT Lennox, RETREAT ")


@pytest.mark.parametrize(
    ("to", "why"),
    [
        ("Moray", "enemy blocks are there (rule 5.5)"),
        ("Garmoran", "lets no more blocks through (rule 4.3)"),
        ("Fife", "there is no border between them (rule 5.5)"),
    ],
)
def test_5_5_a_refused_retreat_says_what_shuts_the_way(to: str, why: str) -> None:
    table = Table({"Ross": "Angus, Argyll, Mar"}, {"Ross": "Wallace", "Moray": "Moray"})
    table.battles(("Ross", SCOTTISH, "", "")).order("BATTLE Ross: Wallace PASS")
    first = "" if to == "Moray" else "Argyll RETREAT Garmoran, Mar RETREAT Garmoran, "
    assert why in table.refused(f"BATTLE Ross: {first}Angus RETREAT {to}")
