"""What is offered can be done: no crown without its conditions; and in winter the map says what an area holds, and gives."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from pbem.games import find
from pbem.games.hammer.rules.printed import ENGLISH, SCOTTISH
from pbem.games.lessons import LessonStanding, standing
from pbem.games.positions import read
from pbem.kernel import Ask, View
from tests.conformance.playing import play
from tests.hammer.builder import Table

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


def test_a_card_whose_event_could_do_nothing_says_so() -> None:
    """At full strength nobody gains by Victuals; he who is hurt does."""
    for strength, note in (("4", "can do nothing as things stand"), ("3", "")):
        state = read(HURT.format(strength=strength), HAMMER).state
        view = HAMMER.rules.read_view(HAMMER.rules.view(state, "english"))
        notes = {touch.at: touch.note for touch in HAMMER.look.touches(view, ()) if touch.at.startswith("card:")}
        assert notes == {"card:Victuals": note, "card:Move 2": ""}


HURT = """\
HAMMER 2 braveheart
YEAR 1298 TURN 4
SCOTTISH Fife: Wallace 4
ENGLISH Ross: Ross 3
ENGLISH England: Edward {strength}
CARDS scottish: Truce (1), Move 1 (2), Move 2 (3), Herald, Pillage
CARDS english: Move 1 (1), Move 3 (2), Move 1 (3), Victuals, Move 2
"""


def test_no_choice_of_a_move_changes_nothing() -> None:
    """In a random game: what a choice adds to a whole order makes another position, or tells something else."""
    record, looked_at = play(HAMMER.rules, {}, 3, 260), 0
    for index, stop in enumerate(record.stops[:-1]):
        given = record.givens[index]
        if not (isinstance(stop.wants, Ask) and isinstance(given, Mapping) and stop.wants.what == "act"):
            continue
        for seat in given:
            view = record.view(index, seat)
            first = next((one for one in HAMMER.look.touches(view, ()) if one.closes and one.at == "choice:PASS"), None)
            for draft in (tuple(str(given[seat]).split("\n")), first.draft if first else ()):
                base = HAMMER.rules.step(stop.state, {**given, seat: HAMMER.rules.parse(view, "\n".join(draft))})
                for touch in HAMMER.look.touches(view, draft):
                    if touch.closes and touch.at.startswith("choice:") and touch.draft != draft:
                        order = HAMMER.rules.parse(view, "\n".join(touch.draft))
                        other = HAMMER.rules.step(stop.state, {**given, seat: order})
                        assert other.state != base.state, f"{draft} and {touch}"
                looked_at += 1
    assert looked_at > 20


def test_plans_for_battles_are_listed_where_there_can_be_one() -> None:
    table = Table({"Ross": "Ross"}, {"Fife": "Wallace", "Mar": "Mar"}).turn("Move 2", "Move 1")
    plain = [words for _order, words, _plans in HAMMER.look.choices(table.view(ENGLISH))]
    assert any("battles" in words for words in plain), "the Scots may still attack"
    table.order("PASS")
    plain = [words for _order, words, _plans in HAMMER.look.choices(table.view(SCOTTISH))]
    assert not any("battles" in words for words in plain), "nobody is left who could"


def test_a_draft_of_the_winter_shows_what_is_left() -> None:
    stays, builds = (HAMMER.rules.read_view(standing("hammer", n).view()) for n in (9, 10))
    wallace = standing("hammer", 9)
    after = HAMMER.rules.read_view(wallace.view(wallace.after(wallace.order("WALLACE > Selkirk")).state))
    told = HAMMER.look.afterwards(stays, after, "WALLACE > Selkirk")
    assert told.says == (), "no limit binds Wallace in Selkirk (7.5)"
    assert drawn(told.drawn)["fife"] == "3/3"
    assert "selkirk" not in {area for area, said in drawn(told.drawn).items() if "!" in said}
    told = HAMMER.look.afterwards(builds, builds, "BUILD Fife: Douglas 1\nDRAW Lennox")
    assert drawn(told.drawn) == {"lennox": "+1", "fife": "+2", "carrick": "+1"}


def drawn(view: View | None) -> dict[str, str]:
    """Return what the map says of areas in winter."""
    assert view
    return dict(re.findall(r'id="hm-winter-(\w+)".*?>([^<]*)</text>', str(HAMMER.look.picture([view], ()))))
