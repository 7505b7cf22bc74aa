"""What a seat remembers of the enemy's blocks: where each was seen last, as long as the rules let it be there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

from pbem.games.hammer.game import GAME
from pbem.games.hammer.look import LOOK
from pbem.games.hammer.look.seen import HOME, POOL, Memory, _rows
from pbem.games.hammer.rules import AREAS, SIDES
from pbem.games.hammer.rules import POOL as IN_POOL
from pbem.games.hammer.views import HammerView
from pbem.kernel import Chance, Fact, Json
from tests.conformance import play
from tests.counted import calls


def _where(view: HammerView, facts: Sequence[Json]) -> dict[str, tuple[str, str]]:
    """Return where the rows say that blocks are, and at what strength."""
    table = LOOK.seen(view, facts)
    return {row[0]: (row[3], row[2]) for row in table.rows} if table else {}


@pytest.mark.variants
@pytest.mark.parametrize("options", [{}, {"scenario": "bruce"}, {"edition": "2.3"}])
def test_a_block_is_always_in_one_of_the_places_that_are_left_for_it(options: dict[str, Json]) -> None:
    """A block that you have seen cannot be there any more. The list names its possible places or says that nobody can
    know."""
    heard: dict[str, list[Json]] = {side: [] for side in SIDES}
    said: Counter[str] = Counter()
    for n, stop in enumerate(play(GAME, options, 9, limit=500).stops):
        for side in SIDES:
            told = (event.heard_by(side) for event in stop.events if isinstance(event, Fact))
            heard[side] += [fact for fact in told if fact is not None]
            if n % 11:
                continue
            view = HammerView.model_validate(GAME.view(stop.state, side))
            memory = Memory(view).hear(heard[side])
            for name in memory.found:
                if (at := stop.state.board[name].at) in (*AREAS, IN_POOL):
                    assert {IN_POOL: POOL}.get(at, at) in memory.can_be(name), (n, side, name, at)
            for name, (where, _strength) in _where(view, heard[side]).items():
                said["not known" if where == "not known" else "two" if " or " in where else "one"] += 1
                for place in where.split(" or "):
                    assert place in (POOL, HOME, "not known") or view.count(place, view.enemy), (n, name, where)
                    assert place != POOL or view.pools[view.enemy], (n, name, where)  # type: ignore[index]
    assert min(said["not known"], said["two"], said["one"]) > 0


def test_a_memory_goes_on_from_what_it_has_heard() -> None:
    """A report says what is remembered before and after its news: each fact is heard once, and the rows are the same."""
    heard: list[Json] = []
    views: list[tuple[HammerView, int]] = []
    for stop in play(GAME, {}, 9, limit=200).stops:
        told = (event.heard_by("english") for event in stop.events if isinstance(event, Fact))
        heard += [fact for fact in told if fact is not None]
        if not isinstance(stop.wants, Chance):
            views.append((HammerView.model_validate(GAME.view(stop.state, "english")), len(heard)))

    def tell() -> None:
        before = 0
        for view, n in views:
            LOOK.seen(view, heard[:before])
            LOOK.seen(view, heard[:n])
            before = n

    assert len(heard) > 300
    assert calls(tell, "seen.py:Memory._see") == len(heard), "and not the whole game for each"
    for view, n in views:
        table = LOOK.seen(view, heard[:n])
        assert (table.rows if table else ()) == tuple(_rows(view, Memory(view).hear(heard[:n]))), n
