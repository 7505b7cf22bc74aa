"""What is told of borders and ways out is so: the number that is told is accepted, and one more is refused. By playing it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice

from pbem.errors import OrderError
from pbem.games.hammer import GAME
from pbem.games.hammer.look import LOOK
from pbem.games.hammer.rules import combat_turn
from pbem.games.hammer.rules.printed import BORDER, ENGLAND, NEIGHBOURS, NORSE
from pbem.games.hammer.views import HammerView
from pbem.kernel import Ask
from tests.conformance.playing import Record, play
from tests.hammer.builder import Table

MOVES = 5
"""The questions for moves that are looked at altogether."""
LIMIT = re.compile(r"(\d+) of (\d+) may cross")
OPEN = re.compile(r"Open, with border limits: ([^.]*)\.")
WAY = re.compile(r"(\w+) \((\d+)\)")


@cache
def _records() -> list[Record]:
    return [play(GAME, options, seed, 600) for seed, options in enumerate(({}, {"scenario": "bruce"}, {}))]


def _asked(what: str) -> Iterator[HammerView]:
    for record in _records():
        for index, stop in enumerate(record.stops):
            for seat in stop.wants.seats if isinstance(stop.wants, Ask) and stop.wants.what == what else ():
                view = record.view(index, seat)
                assert isinstance(view, HammerView)
                yield view


def _refused(view: HammerView, text: str) -> str:
    try:
        GAME.parse(view, text)
    except OrderError as error:
        return str(error)
    return ""


def _told(view: HammerView, begun: tuple[str, ...], start: str, name: str) -> Iterator[tuple[str, int, int]]:
    """Go through the neighbours to which one block may go in a line more, with what is told of the border."""
    for touch in LOOK.touches(view, (*begun, f"MOVE {start}: {name}")):
        end = touch.at.removeprefix("area:")
        if end in NEIGHBOURS[start] and touch.draft[-1] == f"MOVE {start}: {name} > {end}":
            found = LIMIT.search(touch.note)
            assert found, touch
            yield end, int(found[1]), int(found[2])


def test_4_3_the_stated_number_may_cross_and_no_more() -> None:
    """Also when a line before has sent some over the same border."""
    refused = behind = 0
    for view in islice((view for view in _asked("act") if not view.contested and view.truce != view.seat), MOVES):
        for start, names in view.groups.items():
            names = tuple(name for name in names if name != NORSE)
            if start not in NEIGHBOURS or start == ENGLAND or len(names) < 2:
                continue  # 4.4: to and from England each block is a Group Move
            for end, n, limit in _told(view, (), start, names[0]):
                if end == ENGLAND:
                    continue
                assert n == limit == BORDER[start, end].limit
                line = f"MOVE {start}: {{}} > {end}"
                assert not _refused(view, line.format(", ".join(names[:n])))
                if len(names) > n:
                    assert "may cross" in _refused(view, line.format(", ".join(names[: n + 1]))), (start, end, n)
                    refused += 1
                if len(names) == n + 1:
                    (left,) = [
                        left for to, left, _ in _told(view, (line.format(names[0]),), start, names[1]) if to == end
                    ]
                    assert left == n - 1
                    behind += 1
    assert refused
    assert behind


def test_4_6_the_stated_number_may_leave_a_battle_and_no_more() -> None:
    """Three of five are pinned by three: two may leave."""
    table = Table(
        {"Lanark": "York Infantry, Durham Infantry, Wales Infantry, York Knights, Durham Knights"},
        {"Lanark": "Wallace, Grant, Fraser"},
    ).turn("Move 3", "Move 1")
    view = table.view("english")
    names = view.groups["Lanark"]
    begun = [one for one in LOOK.touches(view, ("MOVE Lanark:",)) if one.at == f"block:{names[0]}"]
    assert [one.note for one in begun] == ["2 may leave"]
    lines = [f"MOVE Lanark: {name} > {end}" for name, end in zip(names, ("Carrick", "Selkirk", "Annan"), strict=False)]
    assert not _refused(view, "\n".join(lines[:2]))
    assert "rule 4.6" in _refused(view, "\n".join(lines))


def _ways(view: HammerView) -> list[tuple[str, int]]:
    found = OPEN.search(" ".join(LOOK.question(view).split()))
    return [(area, int(n)) for area, n in WAY.findall(found[1])] if found else []


def test_5_5_the_stated_number_may_retreat_and_no_more() -> None:
    tried = refused = 0
    for view in _asked("battle action"):
        turn = combat_turn(view)
        names = [name for name in turn.blocks if name != NORSE]
        for area, n in _ways(view):
            acts = [f"{name} RETREAT {area}" for name in names if area in turn.exits.ways(name)]
            head = f"BATTLE {view.fight.area}: "
            assert not acts or not _refused(view, head + ", ".join(acts[:n])), (area, n)
            tried += bool(acts)
            if len(acts) > n:
                assert _refused(view, head + ", ".join(acts[: n + 1])), (area, n)
                refused += 1
    assert tried
    assert refused


def test_5_6_the_stated_number_may_regroup_and_no_more() -> None:
    tried = refused = 0
    for view in _asked("regroup"):
        where = view.frames["regroup"]["area"]
        names = [name for name in view.groups[where] if name != NORSE]
        for area, n in _ways(view):
            goings = [f"{name} > {area}" for name in names]
            assert not _refused(view, f"REGROUP {where}: " + ", ".join(goings[:n])), (area, n)
            tried += 1
            if len(goings) > n:
                assert _refused(view, f"REGROUP {where}: " + ", ".join(goings[: n + 1])), (area, n)
                refused += 1
    assert tried
    assert refused


def test_what_is_described_in_winter_is_a_sentence_of_blocks_that_there_are() -> None:
    looked_at = 0
    for what in ("disband", "build"):
        for view in _asked(what):
            options = GAME.options(view)
            if options.count() is None:
                for line in str(options).split("\n"):
                    assert line.endswith(".") or not _refused(view, line), line
                    assert "nobody" not in line
                    looked_at += 1
    assert looked_at
