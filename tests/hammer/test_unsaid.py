"""What an order leaves out is filled in as the default has it, and told before it is signed; suggestions fit the position."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli.compose import compose
from pbem.errors import OrderError
from pbem.games import find
from pbem.games.hammer import GAME
from pbem.games.hammer.look import LOOK
from pbem.games.hammer.orders import Build, Disband
from pbem.games.hammer.rules import buildable, combat_turn, exits_seen, points_left, quarters
from pbem.games.hammer.rules.printed import AREAS, ENGLISH, NEIGHBOURS, NORSE, SCOTTISH
from pbem.games.hammer.views import HammerView
from pbem.games.lords.views import LordsView
from pbem.games.touching import taken
from pbem.kernel import Ask, View
from pbem.mail import read_message
from pbem.page.service import Service
from tests.conformance.playing import Record, play
from tests.hammer.builder import Table
from tests.hammer.winter_builder import WinterTable
from tests.host.post import a_club
from tests.page.calling import ok

HAMMER = find("hammer")
FEW = 5
"""So many questions of a kind are looked at in a game."""


@cache
def _records() -> list[Record]:
    return [play(GAME, options, seed, 1_200) for seed, options in enumerate(({}, {"scenario": "bruce"}))]


def _asked(record: Record, what: str) -> Iterator[tuple[int, str, HammerView]]:
    """Go through some questions of a kind."""
    found = (
        (index, seat)
        for index, stop in enumerate(record.stops)
        if isinstance(stop.wants, Ask) and stop.wants.what == what
        for seat in stop.wants.seats
    )
    for index, seat in islice(found, FEW):
        view = record.view(index, seat)
        assert isinstance(view, HammerView)
        yield index, seat, view


def _court() -> View:
    """The Scots choose for Bruce, for Moray who is away from home, and for the King."""
    table = WinterTable(
        {"Lochaber": "York Infantry"}, {"Garmoran": "Bruce, King", "Lennox": "Moray"}, king="Bruce"
    ).winter()
    while table.asked != (SCOTTISH, "home"):
        table.silence()
    return table.view(SCOTTISH)


@pytest.mark.parametrize("text", ["HOME Bruce > Carrick", "HOME Bruce > Carrick; KING", "home br > carr\nDONE"])
def test_7_1_an_unnamed_noble_goes_where_the_default_sends_him(text: str) -> None:
    """The program asks for the missing part or fills in the default. The terminal, the page and the host's answer show it."""
    view = _court()
    by_default = str(GAME.default(view)).split("\n")
    order = str(GAME.parse(view, text)).split("\n")
    assert order[0] == "HOME Bruce > Carrick"
    assert order[1:] == by_default[1:] == ["HOME Moray > Moray", "KING > Fife"]
    assert LOOK.unsaid(view, text) == tuple(
        f"You did not name {name}, so this was filled in: {line}"
        for name, line in zip(["Moray", "King"], order[1:], strict=True)
    )


def test_7_12_a_noble_with_two_homes_is_asked_for() -> None:
    with pytest.raises(OrderError, match="Bruce needs a place"):
        taken(HAMMER, _court(), "HOME Moray STAY")


def test_a_whole_order_leaves_nothing_to_be_filled_in() -> None:
    view = _court()
    assert LOOK.unsaid(view, str(GAME.default(view))) == ()


def _composed(view: View, said: str, *, signs: bool = True) -> tuple[str | None, str]:
    with CliRunner().isolation(input=said) as (output, *_):
        order = compose(HAMMER, view, "", {}, signs=signs)
        return order, output.getvalue().decode()


@pytest.mark.parametrize("signs", [True, False])
def test_a_terminal_goes_on_asking_and_shows_what_it_fills_in_before_the_order_is_given(signs: bool) -> None:
    """Typed or touched: the order is not closed by itself, and Enter shows what goes with it."""
    for said in ("home bruce > carr", "HOME Bruce > Carrick; KING"):
        order, output = _composed(_court(), f"{said}\n\ny\n", signs=signs)
        assert order == "HOME Bruce > Carrick\nHOME Moray > Moray\nKING > Fife"
        assert output.count("  Moray goes to Moray") == 2, output
        told = " ".join(output.replace("#", " ").split())
        assert "You did not name Moray, so this was filled in: HOME Moray > Moray" in told


def test_a_page_shows_what_an_order_leaves_unsaid(tmp_path: Path) -> None:
    service = Service(tmp_path)
    unused = []
    for seed in range(
        1, 30
    ):  # until a hand holds a card with a power that can be used; the deal follows from the rules' hash, too
        game = ok(service, "begin", game="lords", seed=f"{seed:04}")["game"]
        drafts = [one["draft"] for one in ok(service, "touches", game=game, draft=[])["touches"] if one["closes"]]
        found = [ok(service, "touches", game=game, draft=draft) for draft in drafts]
        assert all(not one["unsaid"] for one in found if "USE" in one["order"] or "DOWN" in one["order"])
        if unused := [one for one in found if one["unsaid"]]:
            break
    assert unused
    assert all(one["unsaid"][0].startswith("You do not use the power of") for one in unused)


@pytest.mark.slow
def test_the_host_answers_with_what_an_order_leaves_unsaid(tmp_path: Path) -> None:
    with a_club(tmp_path, game="lords") as club:
        club.begin()
        while len(club.asked()) == 1:
            club.turn()
        seat = club.asked()[0]
        desk = club.desks[seat]
        view = desk.question(desk.notes())[1]
        assert isinstance(view, LordsView)
        club.deliver()
        club.take(club.order(seat, f"CLAIM {view.supporters[0]}"))
        club.minute += 11  # receipts wait for a report that may follow
        (receipt,) = club.deliver()[seat]
        text = " ".join(read_message(receipt).text.replace("#", " ").split())
        assert "If none of these is left, you claim the strongest of the others." in text


# what is told of points, limits and ways out is so


def test_7_62_a_point_that_is_left_behind_a_draw_is_of_use() -> None:
    """Who is drawn gains a step with it when the Scots are asked again."""
    table = WinterTable({}, {"Strathspey": "Wallace", "dead": "Moray"}).builds()
    (touch,) = [one for one in LOOK.touches(table.view(SCOTTISH), ()) if one.label == "Draw a block for Strathspey"]
    assert touch.note == "1 point left"
    table.order("\n".join(touch.draft)).draw("Fraser")
    assert table.asked == (SCOTTISH, "build")
    assert "Strathspey, 1 point: steps for Fraser" in LOOK.question(table.view(SCOTTISH))
    table.order("BUILD Strathspey: Fraser 1")
    assert table.board["Fraser"].strength == 2


def test_5_5_a_block_without_a_way_out_is_told_so() -> None:
    """Wallace has enemies on all sides. The question says that he has no way out, every retreat is refused, and no
    enemy block is named."""
    around = dict.fromkeys(NEIGHBOURS["Lanark"], "York Infantry")
    places = dict(zip(around, ["York Infantry", "Durham Infantry", "Cumbria Infantry", "Westmor Infantry", "Wales Infantry",
                               "Ulster Infantry", "Northumber Infantry"], strict=False))  # fmt: skip
    table = Table({**places, "Lanark": "York Knights"}, {"Lanark": "Wallace", "Ross": "Moray"}).battles(
        ("Lanark", SCOTTISH, "", "")
    )
    while table.asked != (SCOTTISH, "battle action"):
        table.order("BATTLE ALL PASS")
    view = table.view(SCOTTISH)
    assert "No way is open to Wallace: no retreat now (5.5)." in LOOK.question(view)
    for area in AREAS:
        assert _refused(view, f"BATTLE Lanark: Wallace RETREAT {area}"), area
    for word in ("y", "york", "z"):
        with pytest.raises(OrderError) as caught:
            taken(HAMMER, view, word)
        assert "York Infantry" not in str(caught.value)
        assert "Possible: BATTLE Lanark: Wallace " in str(caught.value)


def _refused(view: View, text: str) -> bool:
    try:
        taken(HAMMER, view, text)
    except OrderError:
        return True
    return False


def test_7_12_a_noble_who_waits_for_his_home_is_shown_where_he_stands() -> None:
    """The refusal of STAY names the same place. A noble who changes sides is said to do so."""
    table = WinterTable({"Carrick": "Bruce", "Fife": "Comyn, Durham Infantry"}, {"Lennox": "Moray"}).winter()
    view = table.view(ENGLISH)
    shown = LOOK.board(view)
    assert re.search(r"Carrick +1 +1 +-   Bruce 4", shown)
    assert re.search(r"Fife .*Durham Infantry 3 \(C2\),\s+Comyn 4", shown)
    assert "Comyn (in Fife): Badenoch or Lochaber" in LOOK.question(view)
    assert "Bruce (in Carrick): Annan or Carrick" in LOOK.question(view)
    assert str(GAME.parse(view, "HOME Bruce STAY; HOME Comyn > Badenoch")).split("\n")[1] == "HOME Bruce > Carrick"
    assert not re.search("Bruce|Comyn", LOOK.board(table.view(SCOTTISH)).partition("Nobles")[0])


def test_7_12_the_question_names_a_noble_who_changes_sides() -> None:
    table = WinterTable(
        {"Annan": "York Infantry", "Carrick": "Wales Infantry"}, {"dead": "Moray", "Fife": "Bruce"}
    ).winter()
    table.silence()
    assert table.asked == (ENGLISH, "home")
    assert "Bruce (changes sides): Annan or Carrick" in LOOK.question(table.view(ENGLISH))


@pytest.mark.slow
def test_a_plan_that_is_offered_names_a_way_that_there_is() -> None:
    """It goes from an area that the enemy can attack to an own area beside it."""
    found = 0
    for record in _records():
        for index, seat, view in _asked(record, "act"):
            for line in re.findall(r"# PLAN BATTLE (\w+): RETREAT (\w+) IF", LOOK.template(view)):
                start, end = line
                found += 1
                assert end in NEIGHBOURS[start], record.at(index)
                assert view.count(end, seat), record.at(index)
                assert not view.count(end, view.enemy), record.at(index)
                assert view.count(start, seat), record.at(index)
                assert any(view.count(there, view.enemy) for there in NEIGHBOURS[start]), record.at(index)
    assert found


@pytest.mark.slow
def test_7_6_statements_about_points_are_true() -> None:
    """The test plays every sentence about points, room and ways out: each stated use is legal, all others are refused."""
    looked = 0
    for record in _records():
        for index, _seat, view in _asked(record, "build"):
            looked += 1
            question = " ".join(LOOK.question(view).split())
            idle = question.partition("No use for the points of ")[2]
            for area, points in points_left(view).items():
                told = re.search(rf"\b{area}, {points} points?: (.*?)(?= \w+, \d points?: | No use|$)", question)
                assert bool(told) != bool(re.search(rf"\b{area} {points}", idle)), (
                    f"{record.at(index)}: {area} in {question}"
                )
                uses = told[1] if told else ""
                assert ("DRAW" in uses) == (not _refused(view, f"DRAW {area}")), (
                    f"{record.at(index)}: {area} in {question}"
                )
                for name in view.groups.get(area, ()):
                    may = not _refused(view, f"BUILD {area}: {name} 1")
                    assert may == (f"{name} " in uses), f"{record.at(index)}: {name} in {question}"
            _check_left(view, record.at(index))
    assert looked


def _check_left(view: HammerView, at: str) -> None:
    """After each touch as many points are left as are told; those of no use can be used by nothing, now or after its draws."""
    for touch in LOOK.touches(view, ()):
        found = re.match(r"(\d) points? left(, of no use)?", touch.note)
        if not found:
            continue
        order = GAME.parse(view, "\n".join(touch.draft))
        assert isinstance(order, Build)
        area = order.draws[0] if order.draws else order.builds[0].area
        used = len(order.draws) + sum(step.steps for build in order.builds for step in build.steps)
        assert int(found[1]) == points_left(view)[area] - used, f"{at}: {touch}"
        further = [f"DRAW {area}", *(f"BUILD {area}: {name} 1" for name in buildable(view, area))]
        if found[2]:
            steps = [line for line in touch.draft if line.startswith("BUILD")]
            assert not order.draws, f"{at}: {touch}"
            for line in further:
                more = line if not steps or line.startswith("DRAW") else f"{steps[0]}, {line.partition(': ')[2]}"
                assert _refused(view, "\n".join([*([] if more != line else steps), more])), f"{at}: {touch}: {more}"


def test_7_5_statements_about_room_for_the_winter_are_true() -> None:
    """So many may stay as are told, and one more is refused; who disbands without being named is gone."""
    looked = 0
    for record in _records():
        for index, _seat, view in _asked(record, "disband"):
            plan = quarters(view.seat, view.groups, Disband(), view.variants)
            question = " ".join(LOOK.question(view).split())
            every = [name for _free, able in plan.areas.values() for name in able]
            for area, (free, able) in plan.areas.items():
                stay = min(free, len(able))
                if not able:
                    continue
                looked += 1
                assert re.search(rf"{area}: [^;]*; {stay} may stay", question), (
                    f"{record.at(index)}: {area} in {question}"
                )
                for n in (stay, stay + 1):
                    gone = [name for name in every if name not in able[:n]]
                    refused = _refused(view, f"DISBAND {', '.join(gone)}" if gone else "DONE")
                    assert refused == (n > free and n <= len(able)), f"{record.at(index)}: {n} stay in {area}"
    assert looked


@pytest.mark.parametrize("what", ["battle action", "retreats", "regroup"])
def test_5_5_statements_about_ways_out_are_true(what: str) -> None:
    """So many may go to each area as are told, and no one to another; who is told to have no way has none."""
    looked = 0
    for record in _records():
        for index, _seat, view in _asked(record, what):
            question = " ".join(LOOK.question(view).split())
            open_to = dict(
                re.findall(
                    r"([A-Z]\w+) \((\d)\)", question.partition("Open, with border limits: ")[2].partition(".")[0]
                )
            )
            blocks = _going(view, what)
            on_foot = [name for name in blocks if name != NORSE]
            for area in AREAS:
                most = int(open_to.get(area, 0))
                for n in {1, most, most + 1} - {0}:
                    if n <= len(on_foot):
                        looked += 1
                        refused = _refused_places(view, what, on_foot[:n], area)
                        assert refused == (n > most), f"{record.at(index)}: {n} of {on_foot} to {area} in {question}"
    assert looked or what == "retreats"  # few are played at random


def _going(view: HammerView, what: str) -> tuple[str, ...]:
    match what:
        case "battle action":
            return combat_turn(view).blocks
        case "retreats":
            return tuple(view.frames["retreat"]["blocks"])
    return view.groups.get((view.ask or {})["area"], ())


def _refused_places(view: HammerView, what: str, names: list[str], area: str) -> bool:
    """Are these refused to go there? That others must go somewhere, too, is another matter."""
    exits = exits_seen(view, (view.ask or {})["area"], regroup=what == "regroup")
    for name in names:
        if exits.refusal(name, area, "5.5"):
            return True
        exits = exits.after(name, area)
    return False
