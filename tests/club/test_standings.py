"""Events on the pages of a club: table and rounds as the door shows them, with links to games, where the host shows them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from pbem.cli.host import host_in
from pbem.club.event_course import EventCourse
from pbem.club.event_json import as_json
from pbem.club.standings import EventListed
from pbem.host import Office
from pbem.i18n import speaking
from tests.host.post import moment

from .bids import PAIR, bids, replayed
from .games import EXAMPLES
from .rounds import Cup
from .tables import PEOPLE, event, game

PARTS = '\n[events]\nfiles = ["cup.toml"]\naddresses = "posts.toml"\nshow = true\n[pages]\nfolder = "pages"\n'


@pytest.fixture
def cup(tmp_path: Path) -> Iterator[Cup]:
    made = Cup(tmp_path)
    settings = made.office.folder / "host.toml"
    settings.write_text(settings.read_text("utf-8") + PARTS, "utf-8")
    yield made
    made.office.close()


def look_around(cup: Cup) -> str:
    """Do what a host at work does with events and pages; return the page."""
    cup.office.close()
    with host_in(cup.office.folder) as office:
        office.open_rounds(moment(cup.minute))
        office.show()
    cup.office = Office(cup.office.folder)
    cup.rounds.office = cup.office
    return unescape((cup.office.folder / "pages" / "index.html").read_text("utf-8"))


def listed(cup: Cup) -> Any:
    """The events of the list for programs."""
    return json.loads((cup.office.folder / "pages" / "club.json").read_text("utf-8"))["events"]


@pytest.mark.slow
def test_the_pages_show_an_event_as_anybody_reckons_it(cup: Cup) -> None:
    shown = look_around(cup)
    (pair,) = (one for one in cup.course().open if not one.rests)
    assert "<h2>Border Cup</h2>" in shown
    assert "Tiny · everybody meets everybody · Round 1" in shown
    assert f"{pair.first} – {pair.second}" in shown
    assert listed(cup) == [as_json(cup.course())]
    cup.play()
    shown = look_around(cup)
    assert listed(cup) == [as_json(cup.course())]
    (played,) = (one for one in cup.course().rounds[0] if not one.pair.rests)
    assert f'href="games/{played.game[:16]}.html"' in shown.split("Rounds before")[1]
    assert (cup.office.folder / "pages" / f"games/{played.game[:16]}.html").is_file()
    assert "<script" not in shown
    assert "example.org" not in shown


def test_they_show_none_that_the_host_does_not_show(cup: Cup) -> None:
    assert "Border Cup</h2>" in look_around(cup)
    settings = cup.office.folder / "host.toml"
    settings.write_text(settings.read_text("utf-8").replace("show = true", "show = false"), "utf-8")
    assert "Border Cup</h2>" not in look_around(cup)
    assert listed(cup) == []


def test_whose_address_is_missing_is_shown_though_nothing_has_happened_in_a_game(cup: Cup) -> None:
    (pair,) = (one for one in cup.course().open if not one.rests)
    cup.posts.write_text("", "utf-8")
    cup.office.close()
    with host_in(cup.office.folder) as office:
        office.show()
        with pytest.raises(Exception, match="no address is known for"):
            office.open_rounds(moment(0))
        office.show()
    cup.office = Office(cup.office.folder)
    index = unescape((cup.office.folder / "pages" / "index.html").read_text("utf-8"))
    assert f"not open: no address of {pair.first}, {pair.second} is known" in index


def rows(course: EventCourse) -> EventListed:
    return EventListed(as_json(course), {})


def test_tables_bids_and_rulings_stand_as_elsewhere() -> None:
    glen = event()
    three = next(one for one in EventCourse(glen, []).open if len(one) == 3)
    shown = rows(EventCourse(glen, [game(glen, three, 5, 4, 4)]))
    assert shown.under == "Tiny · rounds at tables · Round 1"
    assert shown.table.heads == ("", "Player", "Points", "Tables won", "Games", "Buchholz")
    assert shown.table.rows[0] == ("1", three[0], "12", "1", "1", "3")
    ((title, met),) = shown.rounds
    assert (title, len(met)) == ("Round 1", 3)
    assert f"{three[0]} 12 – {three[1]} 3 – {three[2]} 3" in [one.who for one in met]
    assert sum(one.said == "not decided" for one in met) == 2
    assert len(PEOPLE) == len(shown.table.rows)

    border = replayed(1, 2)
    shown = rows(EventCourse(border, [bids(border, 1)]))
    assert [title for title, _met in shown.rounds] == ["Round 3", "Round 2", "Round 1"]
    assert shown.rounds[-1][1][0].said == "bid E1 · by the organiser"
    assert shown.rounds[-1][1][0].who == f"{PAIR.first} ½ – {PAIR.second} ½"
    assert shown.table.rows[0][-2:] == ("2", "1")
    with speaking("fr"):
        assert shown.rounds[0][0] == "Ronde 3"


def test_teams_have_a_table_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_GAMES", str(EXAMPLES))
    teams = '[[teams]]\nname = "{}"\nplayers = {}\n'
    halves = [json.dumps([name.title() for name in half]) for half in (PEOPLE[:3], PEOPLE[3:6])]
    from pbem.club.event import Event

    from .tables import text

    course = EventCourse(
        Event.read(text(PEOPLE[:6], teams.format("A", halves[0]) + teams.format("B", halves[1])), "x"), []
    )
    shown = rows(course)
    assert shown.teams is not None
    assert [row[1] for row in shown.teams.rows] == ["A", "B"]
