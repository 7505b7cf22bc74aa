"""What is offered can be done: no crown without its conditions; and in winter the map says what an area holds, and gives."""

from __future__ import annotations

import re

import pytest

from pbem.games import find
from pbem.games.lessons import LessonStanding, standing
from pbem.games.positions import read
from pbem.kernel import Ask

HAMMER = find("hammer")
EVENT = """\
HAMMER 2 braveheart
YEAR {year} TURN 1
SCOTTISH Fife: Bruce 4, {fife}
SCOTTISH {french}: French Knights
{dead}
CARDS scottish: Truce, Move 1, Move 2, Herald, Pillage
CARDS english: Move 1, Move 3, Move 2, Victuals, Sea Move
"""


def asked(**given: str) -> tuple[str, list[str]]:
    """Return the question of a Scottish Truce, and what may be touched for it."""
    state = read(EVENT.format(**given), HAMMER).state
    texts = {"scottish": "CARD Truce", "english": "CARD Move 1"}
    views = {seat: HAMMER.rules.read_view(HAMMER.rules.view(state, seat)) for seat in texts}
    stop = HAMMER.rules.step(state, {seat: HAMMER.rules.parse(view, texts[seat]) for seat, view in views.items()})
    assert isinstance(stop.wants, Ask)
    view = HAMMER.rules.read_view(HAMMER.rules.view(stop.state, "scottish"))
    return " ".join(HAMMER.look.question(view).split()), [touch.draft[0] for touch in HAMMER.look.touches(view, ())]


@pytest.mark.parametrize(
    ("given", "offered"),
    [
        ({"year": "1298", "fife": "Wallace 4", "french": "off", "dead": ""}, []),
        (
            {"year": "1298", "fife": "Douglas 4", "french": "off", "dead": "SCOTTISH dead: Wallace"},
            ["CORONATION Bruce"],
        ),
        ({"year": "1301", "fife": "Wallace 4", "french": "Mar", "dead": ""}, ["RETURN"]),
        ({"year": "1300", "fife": "Wallace 4", "french": "Mar", "dead": ""}, []),
    ],
)
def test_a_crown_is_offered_where_its_conditions_hold_and_nowhere_else(
    given: dict[str, str], offered: list[str]
) -> None:
    question, touches = asked(**given)
    assert [line for line in touches if line.startswith(("CORONATION", "RETURN"))] == offered
    assert [name for name in ("CORONATION Bruce", "CORONATION Comyn", "RETURN") if name in question] == offered
    assert ("crown a king" in question) == bool(offered)


def winter(at: LessonStanding, seat: str = "") -> dict[str, str]:
    """Return what the map says of areas to the seat that is asked, or to another."""
    seen = at._replace(seat=seat or at.seat).view()
    drawn = str(HAMMER.look.picture([HAMMER.rules.read_view(seen)], ()))
    return dict(re.findall(r'id="hm-winter-(\w+)".*?>([^<]*)</text>', drawn))


def test_in_winter_the_map_says_who_may_stay_and_how_many_points_are_there() -> None:
    stays, builds = standing("hammer", 9), standing("hammer", 10)
    assert winter(stays) == {"lennox": "1/2", "fife": "4/3 !", "carrick": "1/1"}
    assert winter(builds) == {"lennox": "+2", "fife": "+3", "carrick": "+1"}
    assert winter(stays, "english")["angus"] == "1/2", "limits are there before and after one answers"
    assert winter(standing("hammer", 3)) == {}
