"""What spectators are told of a game: the public story in turns, a feed, and each seat's view once it is over; never a secret."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from xml.etree import ElementTree as ET

import pytest

from bench.games import Players
from pbem.games import find
from pbem.ledger import Log, cj, redact
from pbem.referee.table import Table
from pbem.reports.replay import Opened, opened
from pbem.story import spectators
from pbem.story.spectators import shared
from pbem.story.telling import ToldGame
from tests.golden_logs import FOLDER

ATOM = "{http://www.w3.org/2005/Atom}"


def log_of(name: str) -> Log:
    return Log.parse((FOLDER / f"{name}.pbem").read_bytes())


def files(log: Log) -> dict[str, bytes]:
    pack = find(log.entries[0].fields["rules"]["id"])
    return {one.name: one.data for one in shared("g", log, pack)}


@cache
def _table() -> Table:
    hammer = find("hammer")
    table = Table(hammer.rules, {}, "spectators")
    assert not table.play(Players(hammer, table.seats, 3).say, 60)
    return table


@pytest.mark.parametrize("name", ["hammer-begun", "lords-begun"])
def test_the_files_of_a_running_game_follow_from_what_everybody_knows(name: str) -> None:
    """The host's own log opens every hand. Its pages are byte for byte those of each seat's copy, and of nobody's."""
    log = log_of(name)
    pages = files(log)
    assert set(pages) == {"g-story.html", "g-feed.xml"}
    for seat in (*log.entries[0].fields["seats"], ""):
        assert files(redact(log, seat)) == pages


@pytest.mark.slow
@pytest.mark.parametrize("seat", ["english", "scottish"])
def test_a_twin_with_other_hidden_cards_has_the_same_files(seat: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that looks the same to everybody and to one seat, with other blocks and cards behind it, gives the same pages."""
    hammer, log = find("hammer"), Log.parse(_table().whole())
    pages, true = files(log), opened(log)
    other = next(one for one in true.seats if one != seat)
    seen = hammer.rules.read_view(true.told[seat][-1].view)
    twin = hammer.rules.determinise(seen, random.Random(4))
    hidden = hammer.rules.view(twin, other)
    assert cj(hidden) != cj(true.told[other][-1].view), "the twin hides something else"
    public = hammer.rules.view(twin, None)
    assert cj(public) == cj(true.told[""][-1].view)

    def of_twin(_log: Log, asked: str | None = None) -> Opened:
        told = {one: list(tells) for one, tells in true.told.items()}
        told[other][-1] = replace(told[other][-1], view=hidden, facts=())
        told[""][-1] = replace(told[""][-1], view=public)
        return true._replace(told=told if asked is None else {asked: told[asked]})

    monkeypatch.setattr(spectators, "opened", of_twin)
    assert files(log) == pages


@pytest.mark.slow
def test_the_story_of_a_running_game_has_its_latest_turn_first_and_names_no_hidden_block() -> None:
    log = Log.parse(_table().whole())
    text = files(log)["g-story.html"].decode()
    told = ToldGame(opened(log, ""), find("hammer"))
    names = [part.title for part in told.parts if part.name]
    assert len(names) > 2
    places = [text.index(f"<h2>{name}") for name in names]
    assert places == sorted(places, reverse=True)
    assert "The latest turn comes first" in text
    assert "<script" not in text


@pytest.mark.slow
def test_the_feed_has_an_entry_for_each_turn() -> None:
    log = Log.parse(_table().whole())
    told = ToldGame(opened(log, ""), find("hammer"))
    feed = ET.fromstring(files(log)["g-feed.xml"])  # noqa: S314 - it is ours
    entries = feed.findall(f"{ATOM}entry")
    assert [entry.findtext(f"{ATOM}title") for entry in entries] == [
        part.title or "Before the first turn" for part in reversed(told.parts)
    ]
    ids = [entry.findtext(f"{ATOM}id") for entry in entries]
    assert len(set(ids)) == len(ids)
    ats = [entry.findtext(f"{ATOM}updated") or "" for entry in entries]
    assert ats == sorted(ats, reverse=True)
    assert all(entry.find(f"{ATOM}link").get("href") == "g-story.html" for entry in entries)  # type: ignore[union-attr]
    assert all(entry.findtext(f"{ATOM}content") for entry in entries)


@pytest.mark.slow
def test_an_entry_keeps_its_name_while_its_turn_goes_on() -> None:
    """A reader's program shows a turn once, and again only when something happened in it."""
    log = Log.parse(_table().whole())
    cut = max(entry.n for entry in log.entries if entry.k == "tell")
    lines = [*(entry.line for entry in log.entries[:cut]), *(one.line for one in log.attachments)]
    shorter = Log.parse(b"".join(line + b"\n" for line in lines))
    ids = [[one.text for one in ET.fromstring(files(each)["g-feed.xml"]).iter(f"{ATOM}id")] for each in (shorter, log)]  # noqa: S314
    assert set(ids[0]) <= set(ids[1])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hammer-homes", "lords-3", "swords-book"])
def test_a_finished_game_shows_what_each_seat_saw(name: str) -> None:
    log = log_of(name)
    pages = files(log)
    seats = log.entries[0].fields["seats"]
    assert set(pages) == {"g-replay.html", "g-story.html", "g-feed.xml", *(f"g-story-{seat}.html" for seat in seats)}
    assert len({pages[f"g-story-{seat}.html"] for seat in seats}) == len(seats)
    assert b"<title>The end</title>" in pages["g-feed.xml"] or b">The end<" in pages["g-feed.xml"]
