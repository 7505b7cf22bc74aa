"""Plans and orders sent ahead, made touch by touch: what is offered, what comes of it, that all that can be said can be touched."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from random import Random
from typing import cast

import pytest

from pbem.errors import OrderError
from pbem.games.hammer import GAME
from pbem.games.hammer.bots.planning import plans as sensible_plans
from pbem.games.hammer.look.touches.ahead import ahead_touches
from pbem.games.hammer.look.touches.plans import plan_touches
from pbem.games.hammer.rules.variants import OPTIONS
from pbem.games.hammer.views import HammerView
from pbem.i18n import speaking
from pbem.kernel import Ask, Json, Order, next_marks, read_ahead
from pbem.look.touches import Touch
from tests.conformance.playing import play
from tests.golden_logs import FOLDER
from tests.hammer.builder import Table
from tests.hammer.plans import POOL

Touches = Callable[[Sequence[str]], Sequence[Touch]]


def view(seat: str = "scottish", **board: Json) -> HammerView:
    english, scots = {"Lanark": "York Infantry, Edward"}, {"Fife": "Wallace, Douglas", "Moray": "Moray"}
    return Table(english, scots, **board).turn("Move 1", "Move 2").view(seat)


def names(touches: Sequence[Touch]) -> list[str]:
    return [touch.at.partition(":")[2] for touch in touches]


def made(touches: Touches, begin: str, *named: str) -> str:
    """Return the line that comes of touching these, one after the other."""
    draft: tuple[str, ...] = (begin,)
    closes = False
    for name in named:
        found = touches(draft)
        (touch,) = (one for one in found if name in (one.at, one.at.partition(":")[2]))
        draft, closes = touch.draft, touch.closes
    assert closes, draft
    return draft[-1]


def plan(seen: HammerView, *named: str) -> str:
    """Return the plan that comes of touching these."""
    return made(partial(plan_touches, seen), "PLAN", *named)


@pytest.mark.parametrize(
    ("seat", "touched", "said"),
    [
        (
            "scottish",
            ("BATTLE", "Mentieth", "DEFENDING", "RETREAT", "Lennox", "Fife", "IF", "ROUND 3", "OR", "ODDS BELOW 1:2", "FIGHT",
             "HITS", "Douglas", "ANY", "REGROUP", "STAY"),
            "BATTLE Mentieth DEFENDING: RETREAT Lennox, Fife IF ROUND 3 OR ODDS BELOW 1:2; FIGHT; HITS Douglas, ANY; REGROUP STAY",
        ),
        ("scottish", ("BATTLE", "ANY", "RETREAT", "Moray", "FIGHT"), "BATTLE ANY: RETREAT Moray; FIGHT"),
        (
            "scottish",
            ("BATTLE", "Lanark", "Wallace", "Douglas", "RETREAT", "Lennox", "IF", "Wallace", "2", "OR", "LOST", "12",
             "Douglas", "FIGHT"),
            "BATTLE Lanark: Wallace, Douglas RETREAT Lennox IF Wallace BELOW 2 OR LOST 12; Douglas FIGHT",
        ),
        (
            "scottish",
            ("BATTLE", "Fife", "RETREAT", "Mar", "IF", "ODDS BELOW", "3", "4", "RETREAT", "Atholl", "REGROUP", "Wallace", "Angus",
             "ALL", "Mar", "ALL", "Atholl"),
            "BATTLE Fife: RETREAT Mar IF ODDS BELOW 3:4; RETREAT Atholl; REGROUP Wallace > Angus, ALL > Mar, ALL > Atholl",
        ),
        (
            "english",
            ("BATTLE", "Lanark", "ATTACKING", "FIGHT", "REGROUP", "ALL", "Lothian"),
            "BATTLE Lanark ATTACKING: FIGHT; REGROUP ALL > Lothian",
        ),
        ("english", ("RAID", "York Infantry", "WEAKEST"), "RAID York Infantry, WEAKEST"),
        ("english", ("EDWARD", "GOES"), "EDWARD GOES"),
        ("scottish", ("WALLACE", "GOES"), "WALLACE GOES"),
        ("scottish", ("HOME", "Bruce", "Carrick", "Annan"), "HOME Bruce > Carrick OR Annan"),
        ("scottish", ("HOME", "Moray", "STAY"), "HOME Moray > STAY"),
        ("scottish", ("KEEP", "Moray", "ANY"), "KEEP Moray, ANY"),
        ("scottish", ("BUILD", "Fife", "DRAW 2", "STRENGTHEN", "Douglas", "NEW"), "BUILD Fife: DRAW 2, STRENGTHEN Douglas, NEW"),
        ("english", ("BUILD", "Lanark", "NOTHING"), "BUILD Lanark: NOTHING"),
        ("english", ("ASK", "WHEN IT MATTERS"), "ASK WHEN IT MATTERS"),
        ("scottish", ("NEXT", "Lanark", "ANY"), "NEXT Lanark, ANY"),
        ("scottish", ("GAINS", "Wallace", "WEAKEST"), "GAINS Wallace, WEAKEST"),
        ("english", ("DISBAND", "Hobelars"), "DISBAND Hobelars"),
    ],
)  # fmt: skip
def test_a_plan_is_made_touch_by_touch(seat: str, touched: tuple[str, ...], said: str) -> None:
    assert plan(view(seat), *touched) == f"PLAN {said}"
    assert GAME.read_plans(said) == said


def test_the_scots_are_not_asked_for_border_raids_nor_the_english_for_draws() -> None:
    assert "RAID" not in names(plan_touches(view("scottish"), ["PLAN"]))
    assert "RAID" in names(plan_touches(view("english"), ["PLAN"]))
    assert names(plan_touches(view("english"), ["PLAN BUILD ANY"])) == ["STRENGTHEN", "NOTHING"]


def test_a_battle_of_this_turn_comes_first() -> None:
    table = Table({"Lanark": "York Infantry"}, {"Lanark": "Wallace", "Fife": "Douglas"})
    table.battles(("Lanark", "scottish", "Selkirk", "Selkirk"))
    every, first, *_others = plan_touches(table.view("scottish"), ["PLAN BATTLE"])
    assert (every.at, first.at) == ("choice:ANY", "area:Lanark")
    assert first.label == "Plan: in Lanark, a battle now"


def test_what_has_a_plan_is_not_offered_again() -> None:
    seen = view("scottish")
    above = ("PLAN KEEP ANY", "PLAN lanark: fight", "PLAN BATTLE Fife: FIGHT", "PLAN BATTLE Fife ATTACKING: FIGHT")
    assert "KEEP" not in names(plan_touches(seen, (*above, "PLAN")))
    assert {"ANY", "Lanark", "Fife"} <= set(names(plan_touches(seen, (*above, "PLAN BATTLE"))))
    assert names(plan_touches(seen, (*above, "PLAN BATTLE Lanark"))) == ["ATTACKING", "DEFENDING"]
    assert names(plan_touches(seen, (*above, "PLAN BATTLE Fife"))) == ["DEFENDING"]
    third = "PLAN BATTLE Fife DEFENDING: FIGHT"
    assert "Fife" not in names(plan_touches(seen, (*above, third, "PLAN BATTLE")))


def test_a_typed_line_is_gone_on_with_in_its_canonical_text() -> None:
    seen = view("scottish")
    (touch, _other) = plan_touches(seen, ["plan lanark: fight 2 rounds, then retreat lennox"])
    assert touch.draft == ("PLAN BATTLE Lanark: RETREAT Lennox IF ROUND 3; FIGHT; HITS",)
    assert names(plan_touches(seen, ["Plan battle any: fight; reg"])) == ["REGROUP"]
    assert names(plan_touches(seen, ["plan battle l"])) == ["Lochaber", "Lennox", "Lanark", "Lothian"]
    for line in ("PLAN DANCE", "PLAN KEEP Wallace Moray", "PLAN BATTLE Lanark: FIGHT; FIGHT", "PLAN BATTLE Marc"):
        assert plan_touches(seen, [line]) == ()


# laws


@cache
def seen_in_games() -> tuple[HammerView, ...]:
    games: tuple[tuple[int, Json], ...] = (
        (1, {}),
        (2, dict.fromkeys(OPTIONS, True)),
        (3, {"edition": "2.3"}),
        (4, {"scenario": "bruce"}),
    )
    stops = [stop for seed, options in games for stop in play(GAME, options, seed, 600).stops[::29]]
    found = (GAME.read_view(GAME.view(s.state, s.wants.seats[0])) for s in stops if isinstance(s.wants, Ask))
    return tuple(one for one in found if isinstance(one, HammerView))


def walked(touches: Touches, begin: tuple[str, ...], rng: Random) -> Iterator[Touch]:
    """Go through the touches of a random walk, the last of which closes; what each draft offers is looked at."""
    draft, steps, whole = begin, 0, False
    while found := touches(draft):
        for language in ("en", "fr"):
            with speaking(language):
                told = touches(draft)
            labels = [touch.label for touch in told]
            assert len(set(labels)) == len(labels), (draft, labels)
            assert [touch.draft for touch in told] == [touch.draft for touch in found]
        assert len({touch.at for touch in found}) == len(found), draft
        closing = [touch for touch in found if touch.closes]
        touch = rng.choice(closing if steps > 30 and closing else found)
        yield touch
        draft, steps, whole = touch.draft, steps + 1, touch.closes
        if touch.closes and (steps > 30 or not rng.randrange(3)):
            return
    assert whole, draft


@pytest.mark.slow
def test_whatever_is_touched_makes_a_plan() -> None:
    rng, verbs = Random(1), set()
    for seen in seen_in_games():
        lines: tuple[str, ...] = ()
        for _plan in range(3):
            for touch in walked(partial(plan_touches, seen), (*lines, "PLAN"), rng):
                lines = touch.draft
                if touch.closes:
                    said = "\n".join(line.removeprefix("PLAN ") for line in lines)
                    assert GAME.read_plans("\n".join(lines)) == said
            verbs.add(lines[-1].split()[1])
    assert verbs == {
        "BATTLE", "NEXT", "RAID", "GAINS", "ASK", "HOME", "EDWARD", "WALLACE", "KEEP", "DISBAND", "BUILD",
    }  # fmt: skip


def reached(touches: Touches, begin: str, line: str) -> bool:
    """Do touches lead to this line? Those are followed that make the beginning of it, the longest first."""
    todo = [(begin,)]
    while todo:
        ways = [touch for touch in touches(todo.pop()) if line.startswith(touch.draft[-1])]
        if any(touch.draft[-1] == line and touch.closes for touch in ways):
            return True
        todo += [(touch.draft[-1],) for touch in sorted(ways, key=lambda touch: len(touch.draft[-1]))]
    return False


def _logged_plans() -> set[str]:
    """Return every clause of the plans that are opened in the golden logs."""
    found: set[str] = set()
    for path in FOLDER.glob("hammer-*.pbem"):
        for line in path.read_text("utf-8").splitlines():
            found |= set(_clauses(json.loads(line) if line.startswith("{") else {}))
    return found


def _clauses(said: Json) -> Iterator[str]:
    """Go through the clauses of plans in what an entry opens."""
    match said:
        case str():
            try:
                yield from GAME.read_plans(said).split("\n") if " " in said else ()
            except OrderError:
                return
        case list():
            for part in said:
                yield from _clauses(part)
        case dict():
            for part in said.values():
                yield from _clauses(part)


OTHERS = (
    "BATTLE Lanark: FIGHT",
    "BATTLE Lanark: RETREAT Lennox, Carrick IF ROUND 3; FIGHT; HITS Douglas, Wallace",
    "BATTLE ANY DEFENDING: RETREAT Fife IF LOST 3 OR ODDS BELOW 1:2; FIGHT",
    "BATTLE Fife ATTACKING: Wallace RETREAT Angus IF Wallace BELOW 2; FIGHT",
    "BATTLE Mar: REGROUP Wallace > Angus, Douglas > Fife, ALL > Fife",
    "BATTLE ANY: HITS Douglas, ANY, Wallace; REGROUP STAY",
    "BATTLE Lanark: RETREAT Lothian, Fife, Carrick, Lennox; FIGHT",
    "BATTLE Lanark: RETREAT Lennox IF ROUND 3 OR Wallace BELOW 4; FIGHT",
    "BATTLE Lanark: RETREAT Lennox IF ODDS BELOW 9:10",
    "BATTLE Lanark: Mar RETREAT Lennox; FIGHT",
    "NEXT Lanark, Fife, ANY", "RAID Cumbria Infantry, WEAKEST", "KEEP Wallace, Campbell, ANY", "DISBAND Barclay",
    "HOME King > Fife OR DISBAND", "BUILD ANY: DRAW 2, STRENGTHEN Wallace, NEW, WEAKEST",
    "BUILD ANY: DRAW 1, STRENGTHEN NEW, Lennox", "WALLACE GOES", "EDWARD STAYS", "ASK ALWAYS",
)  # fmt: skip


@pytest.mark.slow
def test_every_plan_of_golden_logs_and_tests_can_be_touched() -> None:
    views = [view(seat, variants=("inland_landing",)) for seat in ("english", "scottish")]
    logged = _logged_plans()
    assert len(logged) > 3
    sensible = {
        line for seen in (*views, *seen_in_games()) for line in GAME.read_plans(sensible_plans(seen)).split("\n")
    }
    assert len(sensible) > 50
    for line in sorted({*logged, *sensible, *OTHERS, *POOL}):
        assert any(reached(partial(plan_touches, seen), "PLAN", f"PLAN {line}") for seen in views), line


# orders sent ahead


def ahead(seen: HammerView, *named: str, order: Sequence[str] = ()) -> str:
    """Return the line sent ahead that comes of touching these, beside an order."""
    return made(partial(ahead_touches, seen, order=order), "AHEAD", *named)


def test_an_order_is_sent_ahead_touch_by_touch() -> None:
    """Move 2 was played, four more of them are in hand."""
    seen = view("scottish")
    assert ahead(seen, "CARD", "Move 2") == "AHEAD CARD: CARD Move 2"
    assert ahead(seen, "ACT", "FIRST", "PASS") == "AHEAD ACT IF FIRST: PASS"
    assert ahead(seen, "CARD", "ASK") == "AHEAD CARD: ASK"
    assert (
        ahead(
            seen,
            "ACT",
            "SECOND",
            "MOVE",
            "Wallace",
            "Douglas",
            "area:Mentieth",
            "Lanark",
            "MAIN",
            "MOVE",
            "block:Moray",
            "area:Ross",
        )
        == "AHEAD ACT IF SECOND: MOVE Fife: Wallace, Douglas > Mentieth > Lanark MAIN; MOVE Moray: Moray > Ross"
    )


def test_blocks_go_on_from_where_the_order_takes_them() -> None:
    seen, order = view("scottish"), ("MOVE Fife: Wallace > Mentieth",)
    assert ahead(seen, "ACT", "MOVE", "Wallace", "Lanark", order=order) == "AHEAD ACT: MOVE Mentieth: Wallace > Lanark"


def test_the_card_that_is_played_now_is_what_the_act_is_for() -> None:
    seen = Table({"Lanark": "Edward"}, {"Fife": "Wallace"}).deal("Move 1", "Truce").view("scottish")
    verbs = names(ahead_touches(seen, ["AHEAD ACT IF FIRST"], ["CARD Truce"]))
    assert "TRUCE" in verbs
    assert "MOVE" not in verbs
    assert "Truce" not in names(ahead_touches(seen, ["AHEAD CARD"], ["CARD Truce"]))
    assert names(ahead_touches(seen, ["AHEAD"])) == ["ACT", "CARD"]


def test_a_voyage_from_where_a_block_stands_or_from_elsewhere_has_one_touch_at_each_place() -> None:
    """Mentieth stands in Argyll, and may have to go to Ross before the order speaks."""
    seen = (
        Table({"Lanark": "Edward"}, {"Argyll": "Mentieth", "Ross": "Ross"}).deal("Move 1", "Sea Move").view("scottish")
    )
    touches = ahead_touches(seen, ["AHEAD ACT: SEA Mentieth"])
    assert len({touch.at for touch in touches}) == len(touches)
    sails = partial(ahead, seen, "ACT", "SEA", "block:Mentieth")
    assert sails("area:Ross") == "AHEAD ACT: SEA Mentieth: Argyll > Ross"
    assert sails("ELSEWHERE", "area:Ross", "area:Fife") == "AHEAD ACT: SEA Mentieth: Ross > Fife"
    assert sails("block:Ross", "area:Ross") == "AHEAD ACT: SEA Mentieth, Ross: Argyll > Ross"


def test_who_comes_to_stand_elsewhere_can_be_sent_from_there() -> None:
    """Wallace may have to retreat from Fife, and Bruce come over, before the order speaks."""
    seen = view("scottish")
    moved = ahead(seen, "ACT", "MOVE", "area:Angus", "Wallace", "Bruce", "area:Mar")
    assert moved == "AHEAD ACT: MOVE Angus: Wallace, Bruce > Mar"
    assert (
        ahead(seen, "ACT", "MOVE", "Douglas", "block:Moray", "area:Angus")
        == "AHEAD ACT: MOVE Fife: Douglas, Moray > Angus"
    )


def test_what_takes_back_stands_alone_and_twenty_lines_are_the_most() -> None:
    seen = view("scottish")
    assert names(ahead_touches(seen, ["AHEAD CARD: ASK", "AHEAD"])) == ["ACT"]
    assert "ASK" not in names(ahead_touches(seen, ["AHEAD CARD: CARD Move 2", "AHEAD CARD"]))
    twenty = [f"AHEAD ACT: MOVE Fife: Wallace > {to}" for to in ("Angus", "Mentieth") * 10]
    assert names(ahead_touches(seen, [*twenty[:19], "AHEAD"])) == ["CARD", "ACT"]
    assert names(ahead_touches(seen, [*twenty, "AHEAD"])) == ["CARD"]


@pytest.mark.slow
def test_whatever_is_touched_can_be_sent_ahead() -> None:
    rng, verbs, marks = Random(10), set(), next_marks(GAME, 1, "", 2)
    for seen in seen_in_games():
        lines: tuple[str, ...] = ()
        for _line in range(3):
            for touch in walked(partial(ahead_touches, seen), (*lines, "AHEAD"), rng):
                lines = touch.draft
                if touch.closes:
                    read_ahead(GAME, seen, marks, "\n".join(lines))
            verbs.add(lines[-1].partition(": ")[2].split()[0])
            if any(line.endswith("ASK") for line in lines):
                break
    assert {"PASS", "MOVE", "CARD", "ASK"} <= verbs
    assert len(verbs) > 7


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"scenario": "bruce", **dict.fromkeys(OPTIONS, True)}, {"edition": "2.3"}])
def test_what_player_1_does_could_have_been_sent_ahead(options: dict[str, Json]) -> None:
    """Between the card and what he does with it nothing moves."""
    played = play(GAME, options, 5, 900)
    found = 0
    for index, stop in enumerate(played.stops):
        given = played.givens[index] if index < len(played.givens) else None
        if not isinstance(stop.wants, Ask) or stop.wants.what != "card" or not isinstance(given, dict):
            continue
        later = index + 1
        if not isinstance(act := played.stops[later].wants, Ask) or act.what != "act" or len(act.seats) > 1:
            continue
        (seat,) = act.seats
        seen, orders = GAME.read_view(GAME.view(stop.state, seat)), played.givens[later]
        assert isinstance(seen, HammerView)
        assert isinstance(orders, dict)
        line = f"AHEAD ACT IF FIRST: {orders[seat]!s}".replace("\n", "; ")
        assert reached(partial(ahead_touches, seen, order=[str(given[seat])]), "AHEAD", line), (
            index,
            line,
        )
        found += 1
    assert found > 5


@pytest.mark.slow
def test_who_is_asked_before_his_act_sends_it_ahead_for_the_card_on_the_table() -> None:
    """Player 1's Herald leads to a battle before Player 2 acts. Player 2 can click a premove for the card that he has
    played."""
    found = 0
    for seed in (1, 2, 3):
        played = play(GAME, {}, seed, 500)
        for index, stop in enumerate(played.stops[:-1]):
            given, wants = played.givens[index], stop.wants
            later = next(
                (one for one in range(index + 1, len(played.givens)) if _asks(played.stops[one].wants, "act")), 0
            )
            if not later or not isinstance(wants, Ask) or wants.what in ("card", "act") or not isinstance(given, dict):
                continue
            (seat,) = cast("Ask", played.stops[later].wants).seats
            boards = stop.state.board, played.stops[later].state.board
            if seat not in wants.seats or len({(board.year, board.turn) for board in boards}) > 1:
                continue
            seen = GAME.read_view(GAME.view(stop.state, seat))
            assert isinstance(seen, HammerView)
            line = f"AHEAD ACT: {cast('dict[str, Order]', played.givens[later])[seat]!s}".replace("\n", "; ")
            whole = tuple(str(given[seat]).split("\n"))
            assert reached(partial(ahead_touches, seen, order=whole), "AHEAD", line), (seed, index, line)
            found += 1
    assert found > 3


def _asks(wants: object, what: str) -> bool:
    return isinstance(wants, Ask) and wants.what == what
