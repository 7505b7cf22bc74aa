"""How events stand, for everybody at a door: where the host shows it, what anybody reckons, and no longer than he shows it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.cli.host import host_in
from pbem.club.event_json import as_json
from pbem.errors import UsageError
from pbem.host.door.shown import FRESH, Shown
from pbem.host.observers import STANDING
from tests.club.rounds import Cup
from tests.host.post import Club, a_club, moment

from .doors import at_work, settings


@pytest.fixture
def cup(tmp_path: Path) -> Iterator[Cup]:
    made = Cup(tmp_path)
    made.rounds.held = made.rounds.held.model_copy(update={"show": True})
    yield made
    made.office.close()


def shown(cup: Cup) -> list[Any]:
    """What the door of a host tells everybody of its events."""
    told = asyncio.run(Shown(cup.office.store.path, "nothing", lambda: 0.0).standings())
    return list(json.loads(told)["events"])


@pytest.mark.slow
def test_the_door_shows_what_anybody_reckons(cup: Cup) -> None:
    while cup.rounds.open(moment(cup.minute)):
        assert shown(cup) == [as_json(cup.course())]
        cup.play()
    (told,) = shown(cup)
    assert (told, told["over"]) == (as_json(cup.course()), True)
    assert "example.org" not in json.dumps(told), "no address"


def test_nothing_is_shown_that_the_host_does_not_show(cup: Cup) -> None:
    cup.rounds.open(moment(0))
    assert len(shown(cup)) == 1
    cup.rounds.held = cup.rounds.held.model_copy(update={"show": False})
    cup.rounds.open(moment(1))
    assert shown(cup) == []
    cup.rounds.held = cup.rounds.held.model_copy(update={"show": True})
    cup.rounds.open(moment(2))
    (cup.office.folder / "cup.toml").write_text("name =", "utf-8")
    with pytest.raises(UsageError):
        cup.rounds.open(moment(3))
    assert len(shown(cup)) == 1, "a slip of the pen takes no table away"
    cup.rounds.held = cup.rounds.held.model_copy(update={"show": False})
    with pytest.raises(UsageError):
        cup.rounds.open(moment(4))
    assert shown(cup) == [], "nor does it leave one that is not to be seen"


def test_who_holds_no_events_any_more_shows_none(cup: Cup) -> None:
    cup.rounds.open(moment(0))
    cup.office.close()
    with host_in(cup.office.folder) as office:
        assert office.settings.events is None
        office.open_rounds(moment(1))
        assert not office.store.notes(STANDING)
    cup.office = type(cup.office)(cup.office.folder)


def test_a_list_is_made_again_after_some_seconds(cup: Cup) -> None:
    clock = [0.0]
    door = Shown(cup.office.store.path, "nothing", lambda: clock[0])
    assert asyncio.run(door.standings()) == b'{"events":[]}'
    cup.rounds.open(moment(0))
    assert asyncio.run(door.standings()) == b'{"events":[]}'
    clock[0] = FRESH
    assert len(json.loads(asyncio.run(door.standings()))["events"]) == 1


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path) as club:
        yield club


def test_anybody_may_ask_and_nothing_is_kept_of_it(club: Club) -> None:
    with at_work(club, settings()) as host:
        status, headers, body = host.ask("GET", "/door/standings")
        assert (status, json.loads(body)) == (200, {"events": []})
        assert (headers["content-type"], headers["cache-control"]) == ("application/json", "no-store")
        assert headers["content-security-policy"].startswith("default-src 'none'")
        assert host.ask("POST", "/door/standings")[0] == 405
