"""What is told of cubes is so: the number that is told is accepted, and one more is refused. By playing it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

import pytest

from pbem.errors import OrderError
from pbem.games.swords import GAME
from pbem.games.swords.look import LOOK
from pbem.games.swords.orders import Kill
from pbem.games.swords.views import SwordsView
from pbem.kernel import Ask
from tests.conformance.playing import play


def _asked(what: str) -> Iterator[tuple[SwordsView, str]]:
    record = play(GAME, {"players": 3}, 1, 400)
    for index, stop in enumerate(record.stops):
        for seat in stop.wants.seats if isinstance(stop.wants, Ask) and stop.wants.what == what else ():
            view = record.view(index, seat)
            assert isinstance(view, SwordsView)
            yield view, " ".join(LOOK.question(view).split())


def _takes(view: SwordsView, text: str) -> bool:
    try:
        return GAME.why_not(view, GAME.parse(view, text)) is None
    except OrderError:
        return False


def test_the_stated_number_of_committed_cubes_is_true() -> None:
    looked_at = 0
    for view, question in _asked("commit"):
        (n,) = re.findall(rf"{LOOK.seat_name(view.seat)} (\d+)", question, re.IGNORECASE)
        assert _takes(view, f"COMMIT {n}"), question
        assert not _takes(view, f"COMMIT {int(n) + 1}"), question
        looked_at += 1
    assert looked_at


def test_as_many_castles_remove_a_cube_as_are_told() -> None:
    looked_at = 0
    for view, question in _asked("castles"):
        found = re.search(r"your (?:(\d+) castles remove|castle removes)", question)
        assert found, question
        n, (colour, *_others) = (
            int(found[1] or 1),
            [order.colours[0] for order in GAME.options(view) if isinstance(order, Kill)],
        )
        assert not _takes(view, f"KILL {', '.join([colour] * (n + 1))}"), question
        assert all(isinstance(order, Kill) and len(order.colours) == n for order in GAME.options(view)), question
        looked_at += 1
    assert looked_at


def test_the_stated_number_of_pulled_cubes_is_true() -> None:
    """Several formations share a cube, and fewer are left than the card says. In all three games the test plays the
    stated limits."""
    looked_at = fewer = 0
    for view, question in _asked("deploy"):
        found = re.search(r"Pull (\d)(?:-(\d))? of its cubes", question)
        assert found, question
        orders = [str(order) for order in islice(GAME.options(view), 300)]
        pulled = {len(listed[1].split()) for order in orders if (listed := re.search(r"PULL ((?:\w\d ?)+)", order))}
        assert pulled <= set(range(int(found[1]), int(found[2] or found[1]) + 1)), question
        assert int(found[1]) in pulled, question
        fewer += int(found[1]) < view.table.number
        looked_at += 1
    assert looked_at
    assert fewer


@pytest.mark.parametrize("players", [2, 4])
def test_so_many_first_cubes_are_asked_for_as_are_told(players: int) -> None:
    record = play(GAME, {"players": players}, 2, 60)
    asked: dict[str, list[str]] = {}
    for index, stop in enumerate(record.stops):
        for seat in stop.wants.seats if isinstance(stop.wants, Ask) and stop.wants.what == "setup" else ():
            asked.setdefault(seat, []).append(LOOK.question(record.view(index, seat)))
    assert asked
    for questions in asked.values():
        (n,) = {int(found) for one in questions for found in re.findall(r"(\d+) are placed", " ".join(one.split()))}
        assert len(questions) == n
