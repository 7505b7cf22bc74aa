"""Touches of Hammer's orders: small positions by enumeration, every order of the golden logs, and what single rules let be touched.

Random games of all scenarios, editions and options are walked by the conformance suite (`test_conformance_hammer.py`).
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

import pytest

from pbem.errors import OrderError
from pbem.games import find, manifest
from pbem.games.hammer import GAME
from pbem.games.hammer.game import Hammer
from pbem.games.hammer.look import LOOK
from pbem.games.hammer.rules.printed import ENGLISH, SCOTTISH
from pbem.games.hammer.rules.variants import OPTIONS
from pbem.games.hammer.views import HammerView
from pbem.kernel import Ask, Json, Order, View, read_ahead
from pbem.look.touches import END, Touch
from pbem.referee.audit import audit
from tests.conformance import play
from tests.conformance.touching import Touching
from tests.golden_logs import FOLDER
from tests.golden_logs import index as recorded
from tests.hammer.alike import alike, needed
from tests.hammer.builder import Table
from tests.hammer.counting import CASES, Case, Place
from tests.hammer.winter_builder import WinterTable

Draft = tuple[str, ...]
MANY = 600
"""Where more can be ordered it is not all gone through."""
ASIDE = ("choice:PLAN", "choice:AHEAD")
"""Where something is begun that goes along with an order."""
RECORDED = recorded()
FARTHER = 4
"""So many decisions are looked at behind a small position."""


class Search(Touching):
    """Follows touches towards an order."""

    __test__ = False
    game = GAME
    look = LOOK

    def _normal(self, order: Order) -> str:
        return alike(order)

    def reaches(self, view: View, order: Order, at: str) -> None:
        self._check_reached(view, needed(order, view), at)


def of_the_order(view: HammerView, draft: Draft = ()) -> list[Touch]:
    """Return the touches of a draft but those that end it, or begin what goes along with it."""
    return [touch for touch in LOOK.touches(view, draft) if touch.at not in (END, *ASIDE)]


def touched(view: HammerView) -> set[str]:
    """Return all orders that touches close; of a move the order of lines says which attack is the main one (5.32)."""
    todo: list[Draft] = [()]
    seen: set[Draft] = {()}
    found: set[str] = set()
    while todo:
        for touch in of_the_order(view, todo.pop()):
            made = alike(GAME.parse(view, "\n".join(touch.draft))) if touch.closes else ""
            new = touch.draft not in seen if touch.draft[0].startswith("MOVE") or not made else made not in found
            found |= {made} if made else set()
            seen.add(touch.draft)
            if new:
                todo.append(touch.draft)
    return found


def decided(case: Case) -> Iterator[Place]:
    """Go through a small position and some decisions behind it, made at random."""
    rng, place = random.Random(case.path.stem), case.start()
    for _ in range(FARTHER):
        if not isinstance(wanted := place.wants, Ask):
            return
        yield place
        place = place.after({seat: GAME.options(place.view(seat)).sample(rng) for seat in wanted.seats})


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.path.stem)
@pytest.mark.slow
def test_in_a_small_position_touches_make_what_is_legal_and_nothing_else(case: Case) -> None:
    looked_at = 0
    for place in decided(case):
        assert isinstance(place.wants, Ask)
        for seat in place.wants.seats:
            view = place.view(seat)
            options = list(islice(GAME.options(view), MANY + 1))
            if len(options) <= MANY:
                assert touched(view) == set(map(alike, options)), f"{view.ask}"
                looked_at += 1
    assert looked_at


# Every order that was ever given in a golden log


class Heard(Hammer):
    """The rules, which keep what each seat saw and ordered."""

    def __init__(self) -> None:
        self.given: list[tuple[View, Order]] = []

    def step(self, state: Any, given: Any) -> Any:
        for seat, order in given.items() if isinstance(given, Mapping) else ():
            self.given.append((self.read_view(self.view(state, seat)), order))
        return super().step(state, given)


class HeardOfTheFirst(Heard):
    """They hear logs by version 1 of the rules, too: as far as the first winter that is the same game."""

    version = 1


@pytest.mark.variants
@pytest.mark.parametrize("name", [name for name, about in RECORDED.items() if about["rules"][0] == "hammer"])
def test_every_order_of_a_golden_log_can_be_touched(name: str) -> None:
    rules = HeardOfTheFirst() if RECORDED[name]["rules"][1] == 1 else Heard()
    audit((FOLDER / f"{name}.pbem").read_bytes(), lambda game: (rules, manifest(find(game))[1]))
    assert rules.given
    for view, order in rules.given:
        Search().reaches(view, order, name)


MOVING: tuple[Json, ...] = (
    {},
    {"rally": True},
    {"scenario": "bruce", "edition": "2.3", **dict.fromkeys(OPTIONS, True)},
)


@pytest.mark.slow
@pytest.mark.parametrize("options", MOVING, ids=lambda options: ", ".join(options) or "as printed")
def test_moves_made_at_random_can_be_touched(options: Json) -> None:
    """Also those to a leader, who may have gone before, and with ways about."""
    rng, record = random.Random("moves"), play(GAME, options, 5, 250)
    for index, stop in enumerate(record.stops):
        for seat in stop.wants.seats if isinstance(stop.wants, Ask) and stop.wants.what == "act" else ():
            view = record.view(index, seat)
            for _ in range(2):
                Search().reaches(view, GAME.options(view).sample(rng), record.at(index))


# What single rules let be touched


def _at(view: HammerView, *draft: str, kind: str = "area:") -> list[str]:
    return [touch.at.removeprefix(kind) for touch in of_the_order(view, draft) if touch.at.startswith(kind)]


def _one(view: HammerView, at: str, *draft: str) -> Touch:
    (found,) = (touch for touch in of_the_order(view, draft) if touch.at == at)
    return found


def _moving() -> HammerView:
    return (
        Table(
            {"Ross": "Ross", "Annan": "York Knights, Edward", "England": "Hobelars, Wales Archers"},
            {"Lanark": "Wallace", "Mar": "Mar"},
        )
        .turn("Move 3", "Move 2")
        .view(ENGLISH)
    )


def test_3_1_a_card_is_touched_once_though_two_are_alike() -> None:
    table = Table({"Ross": "Ross"}, {"Mar": "Mar"}).turn("Move 1", "Move 2").orders("PASS", "PASS")
    found = of_the_order(table.view(ENGLISH))
    assert len(found) == len({touch.at for touch in found}) > 1
    assert found[0] == Touch(found[0].at, f"Play {found[0].at[5:]}", (f"CARD {found[0].at[5:]}",), closes=True)


def test_4_2_a_block_is_touched_then_where_it_goes() -> None:
    view = _moving()
    block = _one(view, "block:Edward")
    assert (block.label, block.draft, block.closes) == (
        "Edward in Annan (up to 3 areas)",
        ("MOVE Annan: Edward",),
        False,
    )
    near = _one(view, "area:Selkirk", *block.draft)
    assert (near.label, near.draft, near.closes) == ("to Selkirk", ("MOVE Annan: Edward > Selkirk",), True)
    assert near.note == "2 of 2 may cross, must stop, 2 Group Moves left"
    attack = _one(view, "area:Lanark", *block.draft)
    assert (attack.label, attack.note) == (
        "to Lanark: an attack",
        "!, 2 of 2 may cross, must stop, 2 Group Moves left",
    )
    farther = _one(view, "area:Argyll", *block.draft)
    assert farther.label == "to Argyll by Carrick and Lennox"
    assert farther.draft == ("MOVE Annan: Edward > Carrick > Lennox > Argyll",)


def test_4_0_a_way_about_is_made_by_touching_the_areas_on_it() -> None:
    view = _moving()
    (one, *_more) = [
        touch for touch in of_the_order(view, ("MOVE Annan: Edward > Carrick",)) if touch.at == "area:Lennox"
    ]
    assert (one.label, one.draft) == ("on to Lennox", ("MOVE Annan: Edward > Carrick > Lennox",))
    assert "area:Selkirk" not in [touch.at for touch in of_the_order(view, ("MOVE Annan: Edward > Lanark",))]


def test_4_2_an_area_is_all_who_may_move_there() -> None:
    view = _moving()
    assert _one(view, "area:Annan").draft == ("MOVE Annan: Edward, York Knights",)
    assert _at(view) == ["England", "Annan"], "one block alone is touched itself"


def test_4_3_red_borders_let_so_many_through_and_no_more() -> None:
    table = Table({"Lanark": "York Infantry, Lancaster Infantry, Durham Infantry"}, {"Mar": "Mar"})
    view = table.turn("Move 3", "Move 2").view(ENGLISH)
    two = ("MOVE Lanark: York Infantry, Lancaster Infantry",)
    assert _one(view, "area:Annan", *two).label == "to Annan"
    assert _one(view, "area:Annan", f"{two[0]}, Durham Infantry").label == "to Annan by Carrick", (
        "where there is no red border"
    )
    assert _one(
        view, "area:Annan", "MOVE Lanark: York Infantry > Annan", "MOVE Lanark: Lancaster Infantry"
    ).note.startswith("1 of 2")


def test_4_4_each_block_over_the_border_of_england_is_a_group_move() -> None:
    view = _moving()
    assert _one(view, "area:Dunbar", "MOVE England: Hobelars, Wales Archers").note.endswith("1 Group Move left")
    said = ("MOVE Annan: Edward > Selkirk", "MOVE Ross: Ross > Moray")
    assert "Wales Archers" not in _at(view, *said, "MOVE England: Hobelars", kind="block:"), (
        "one is left, and takes one block"
    )


def test_4_6_pinned_blocks_are_not_touched_beyond_those_that_may_leave() -> None:
    table = Table({"Lanark": "York Knights, Edward, Hobelars"}, {"Mentieth": "Wallace", "Mar": "Mar"})
    view = table.turn("Move 1", "Move 2").order("MOVE Mentieth: Wallace > Lanark").view(ENGLISH)
    area = _one(view, "area:Lanark")
    assert (area.draft, area.note) == (("MOVE Lanark:",), "2 may leave")
    assert _at(view, *area.draft, kind="block:") == ["Edward", "York Knights", "Hobelars"]
    assert not _at(view, "MOVE Lanark: Edward, Hobelars", kind="block:")


def test_4_7_the_norse_sail_to_coasts() -> None:
    view = Table({"Ross": "Ross"}, {"Fife": "Norse", "Mar": "Mar"}).turn("Move 1", "Move 2").view(SCOTTISH)
    assert _one(view, "block:Norse").draft == ("MOVE Norse",)
    assert "England" not in _at(view, "MOVE Norse")
    assert _one(view, "area:Ross", "MOVE Norse").draft == ("MOVE Norse > Ross",)


def test_5_32_an_attack_may_be_the_main_one() -> None:
    """Only where another group is named before: the first is the main attack anyway."""
    table = Table({"Annan": "Edward", "Lothian": "Hobelars, Cumbria Infantry"}, {"Lanark": "Wallace"})
    view, first = table.turn("Move 2", "Move 1").view(ENGLISH), "MOVE Lothian: Hobelars > Lanark"
    main = _one(view, "choice:MAIN", first, "MOVE Annan: Edward > Lanark")
    assert main.draft == (first, "MOVE Annan: Edward > Lanark MAIN")
    for draft in (
        (first,),
        (first, "MOVE Lothian: Cumbria Infantry > Lanark"),
        (first, "MOVE Annan: Edward > Selkirk"),
    ):
        assert "choice:MAIN" not in [touch.at for touch in of_the_order(view, draft)], draft


def test_rally_is_touched_though_no_group_move_is_left() -> None:
    scots = {"Fife": "King", "Atholl": "Atholl", "Lennox": "Campbell", "Mar": "Mar"}
    table = Table({"Ross": "Ross"}, scots, variants=("rally",)).turn("Truce", "Move 1").order("PASS")
    view, said = table.view(SCOTTISH), "MOVE Atholl: Atholl > Fife RALLY"
    found = [touch for touch in of_the_order(view, ("MOVE Atholl: Atholl",)) if touch.at == "area:Fife"]
    assert [touch.label for touch in found] == ["to Fife", "to Fife, to rally"]
    assert found[1].draft == (said,)
    assert _at(view, said, kind="block:") == ["Campbell"]
    ways = [touch for touch in of_the_order(view, (said, "MOVE Lennox: Campbell")) if touch.at == "area:Fife"]
    assert [touch.label for touch in ways] == ["to Fife by Mentieth, to rally"]


def test_truce_nobody_attacks() -> None:
    table = Table({"Ross": "Ross", "Annan": "Edward"}, {"Lanark": "Wallace"}).turn("Move 3", "Truce").order("TRUCE")
    assert "Lanark" not in _at(table.view(ENGLISH), "MOVE Annan: Edward")


def test_5_31_blocks_act_in_the_order_in_which_they_are_touched() -> None:
    table = Table({"Lanark": "York Infantry, Edward, Lancaster Infantry"}, {"Lanark": "Barclay", "Mar": "Mar"})
    table.battles(("Lanark", ENGLISH, "Annan", "Annan"))
    while table.asked != ("english", "battle action") or len(table.waiting) == 1:
        table.order("BATTLE Lanark: ALL PASS")
    found = of_the_order(table.view(ENGLISH))
    assert [touch.label for touch in found if touch.draft[0].endswith(("FIRE", "PASS"))] == [
        "All fire: York Infantry and Lancaster Infantry",
        "All pass: York Infantry and Lancaster Infantry",
        "York Infantry: fire",
        "York Infantry: pass",
        "Lancaster Infantry: fire",
        "Lancaster Infantry: pass",
    ]
    fire = next(touch for touch in found if touch.label == "Lancaster Infantry: fire")
    assert (fire.at, fire.closes) == ("block:Lancaster Infantry", True)
    last, *_more = of_the_order(table.view(ENGLISH), fire.draft)
    assert last.draft == ("BATTLE Lanark: Lancaster Infantry FIRE, York Infantry FIRE",)


def test_a_line_that_is_typed_loosely_is_gone_on_with() -> None:
    view = _moving()
    assert of_the_order(view, ("  move annan:  edw > ",)) == of_the_order(view, ("MOVE Annan: Edward",))
    assert (
        of_the_order(view, ("move annan: edward > sel", "move england: hob"))[0].draft[0]
        == "MOVE Annan: Edward > Selkirk"
    )


@pytest.mark.parametrize(
    "draft",
    [
        ("MOVE Annan: Wallace",),
        ("MOVE Durham Knights",),
        ("MOVE Annan: Edward, Edward",),
        ("MOVE Annan: Edward > Ross",),
        ("MOVE Annan: Edward > Selkirk", "MOVE Annan: Edward"),
        ("MOVE Annan: Edward > Selkirk", "PASS"),
        ("PASS",),
        ("CARD Move 1",),
    ],
)
def test_what_cannot_be_gone_on_with_has_no_touches(draft: Draft) -> None:
    assert of_the_order(_moving(), draft) == []


@pytest.mark.parametrize("said", ["Bruce", "Lennox"])
def test_a_name_alone_that_several_orders_could_mean_is_not_sent_ahead(said: str) -> None:
    """It is asked of a view in which a card is asked for, which knows none."""
    table = Table({"Ross": "Ross"}, {"Mar": "Mar"}).turn("Move 1", "Move 2").orders("PASS", "PASS")
    with pytest.raises(OrderError, match="there is no such order here"):
        read_ahead(GAME, table.view(SCOTTISH), {"act": 9}, f"AHEAD ACT: {said}")


def test_the_area_that_is_asked_about_fills_no_gap_in_an_order_that_is_sent_ahead() -> None:
    """Steps won by pillage are asked about in an area; Victuals for another turn name their own."""
    table = Table({"Angus": "York Infantry"}, {"Fife": "Wallace 1"}).turn("Move 1", "Pillage")
    table.order("PILLAGE Angus FROM Fife")
    seen = table.view(SCOTTISH)
    assert (seen.ask or {}).get("area"), seen.ask
    with pytest.raises(OrderError, match="an area and a colon are missing"):
        read_ahead(GAME, seen, {"act": 9}, "AHEAD ACT: VICTUALS")


# The winter


def test_7_4_edward_stays_with_all_in_his_area() -> None:
    view = (
        WinterTable({"Fife": "Edward, York Knights", "Lanark": "York Infantry"}, {"dead": "Moray"})
        .disbanding()
        .view(ENGLISH)
    )
    stays = _one(view, "block:Edward")
    assert (stays.draft, stays.closes) == (("EDWARD STAYS",), True)
    assert "York Knights" not in _at(view, kind="block:"), "they disband without being named"
    assert "York Knights" in _at(view, *stays.draft, kind="block:")


def test_7_5_it_is_said_how_many_more_must_disband() -> None:
    view = WinterTable({}, {"Lanark": "Fraser, Grant, Barclay", "dead": "Moray"}).disbanding("scots").view(SCOTTISH)
    touch = _one(view, "block:Fraser")
    assert (touch.draft, touch.note, touch.closes) == (("DISBAND Fraser",), "2 more must disband here", False)
    last = _one(view, "block:Grant", *touch.draft)
    assert (last.draft, last.note, last.closes) == (("DISBAND Fraser, Grant",), "1 more must disband here", True)


def test_7_63_it_is_said_when_nobody_can_use_the_points_that_are_left() -> None:
    table = WinterTable({"Lothian": "Dunbar 2"}, {"Fife": "Wallace", "dead": "Moray"})
    view = table.builds(ENGLISH).view(ENGLISH)
    assert _one(view, "block:Dunbar").note == "1 point left, of no use"


def test_7_62_each_touch_of_a_block_is_a_step_and_each_of_an_area_a_draw() -> None:
    view = WinterTable({}, {"Fife": "Wallace 2, Fraser", "Mar": "Mar 2", "dead": "Moray"}).builds().view(SCOTTISH)
    once = _one(view, "block:Wallace")
    assert (once.label, once.note) == ("Wallace in Fife: 1 step more", "2 points left")
    twice = _one(view, "block:Wallace", *once.draft)
    assert (twice.label, twice.draft) == ("Wallace in Fife: 2 steps more", ("BUILD Fife: Wallace 2",))
    draw = _one(view, "area:Fife", *twice.draft)
    assert draw.draft == ("BUILD Fife: Wallace 2", "DRAW Fife")
    assert _at(view, *draw.draft) == [], "the points of Fife are used, and Mar has no room"
    done = _one(view, "choice:DONE", *draw.draft)
    assert done.draft == (*draw.draft, "DONE")
    assert of_the_order(view, done.draft) == []
