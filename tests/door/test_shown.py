"""What a door shows to everybody: nothing, unless its host has settled that and told the players; then what all may know."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from pbem.host import Office, observers
from pbem.host.door import shown as door_shown
from pbem.host.door.hearing import Turned
from pbem.host.door.shown import Shown
from pbem.host.store import Store
from pbem.host.store.rows import GameRow
from pbem.ledger import Log, redact, verify
from pbem.mail import read_message
from pbem.page.service import Service
from tests.host.post import Club, a_club, moment
from tests.page.calling import ok
from tests.page.service import in_base64

from .doors import at_work, settings

KINDS = ("nothing", "finished", "all")


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path, turns=2) as club:
        yield club


def watched(watch: str) -> str:
    """The settings of a host whose door shows so much."""
    return settings(more=f'watch = "{watch}"\n')


def lines(log: Log) -> set[bytes]:
    """What stands beside its chain."""
    return {one.line for one in log.attachments}


def told(club: Club, watch: str) -> None:
    """Let the players have been told that, as they were invited."""
    with club.office.store.decision():
        club.office.store.put_note(f"everybody may look at {club.number}", watch)


def shown(club: Club, watch: str) -> Shown:
    """What the club's door shows with that setting."""
    return Shown(club.office.store.path, watch, lambda: 0.0)


def log(club: Club, watch: str = "all") -> bytes | str:
    """The log of the club's game as its door shows it to everybody; or the word by which it refuses."""
    try:
        return asyncio.run(shown(club, watch).log(club.log().game))
    except Turned as error:
        return error.error


@pytest.mark.slow
def test_onlookers_see_only_what_operator_and_invitation_allow(club: Club) -> None:
    """An onlooker gets the lesser of the two, also if the operator allows more after the invitation."""
    club.begin()
    game = club.log().game
    for over in (False, True):
        if over:
            club.play()
        for said, settled in product(KINDS, KINDS):
            told(club, said)
            rows, one = asyncio.run(shown(club, settled).games()).games, log(club, settled)
            if "nothing" not in (said, settled) and (over or said == settled == "all"):
                assert [(row.game, row.over, row.n) for row in rows] == [(game, over, club.log().head[0])]
                assert isinstance(one, bytes)
                assert Log.parse(one).head == club.log().head
            else:
                assert (rows, one) == ((), "game"), "as one that is not there"


@pytest.mark.slow
def test_of_a_game_that_goes_on_no_seal_is_opened_that_is_not_open_to_all(club: Club) -> None:
    """An onlooker sees only the common part of all players' copies, and no waiting order."""
    club.begin().turn()
    club.turn()
    told(club, "all")
    whole = club.log()
    found = log(club, "all")
    assert isinstance(found, bytes)
    open_to_all = {key for entry in whole.entries if entry.k == "tell" for key in entry.fields["opens"]}
    secret = [one for one in whole.attachments if one.k == "seal" and one.digest not in open_to_all]
    assert len(secret) > 4
    here = Log.parse(found)
    assert {one.digest for one in here.attachments if one.k == "seal"} <= open_to_all
    assert not [one for one in secret if one.line in found]
    for seat in club.desks:
        assert here.dump() != redact(whole, seat).dump()
        assert lines(here) < lines(redact(whole, seat)), "no player learns anything there"
        assert f"{seat}@".encode() not in found
    assert verify(found).verdict == "unfinished"


def test_what_waits_for_others_is_not_shown(club: Club) -> None:
    """An order that was taken stands in no log before all that were asked have answered."""
    club.begin()
    told(club, "all")
    before = log(club)
    assert club.take(club.order(club.asked()[0])).startswith("order")
    assert log(club) == before


@pytest.mark.slow
def test_a_game_that_is_over_is_shown_whole_and_clean(club: Club, tmp_path: Path) -> None:
    """As its players have it; and the page steps through it as through a file."""
    club.begin().play()
    told(club, "finished")
    found = log(club, "finished")
    assert isinstance(found, bytes)
    assert verify(found).verdict == "clean"
    desk = club.desks["ann"]
    club.deliver()
    assert lines(Log.parse(found)) == lines(desk.copy(desk.notes()).log)
    page = Service(tmp_path / "nobody", club.now)
    assert ok(page, "check", data=in_base64(found), name="game.pbem", audit=True)["code"] == ""
    seen = ok(page, "watch", data=in_base64(found), name="game.pbem")
    assert [one["seat"] for one in seen["seats"]] == ["", "ann", "bob"]
    assert ok(page, "position", game=seen["game"])["over"]


def test_a_game_that_goes_on_is_looked_at_by_the_page_as_all_could_see_it(club: Club, tmp_path: Path) -> None:
    club.begin().turn()
    told(club, "all")
    found = log(club, "all")
    assert isinstance(found, bytes)
    page = Service(tmp_path / "nobody", club.now)
    seen = ok(page, "watch", data=in_base64(found), name="game.pbem")
    assert [one["seat"] for one in seen["seats"]] == [""]
    assert ok(page, "story", game=seen["game"])["moments"]


@pytest.mark.variants
@pytest.mark.parametrize("watch", KINDS)
def test_whoever_is_invited_is_told_who_may_look_on(tmp_path: Path, watch: str) -> None:
    with a_club(tmp_path) as club:
        club.office.close()
        (club.folder / "host" / "host.toml").write_text(watched(watch), "utf-8")
        club.office = Office(club.folder / "host")
        club.deliver()
        robot, terms = club.office.robot, {**club.log().entries[0].fields["terms"]}
        players = {seat: f"{seat}@example.org" for seat in club.desks}
        number = robot.new_game("tiny", {"players": 2}, players, "Second", terms, "another", moment(1))
        texts = [read_message(letters[-1]).text for letters in club.deliver().values()]
        assert [" ".join(text.split()).count("everybody may look at the") for text in texts] == [
            int(watch != "nothing")
        ] * 2
        assert club.office.store.note(f"everybody may look at {number}") == ("" if watch == "nothing" else watch)


def test_who_asks_for_many_logs_is_told_to_come_again(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """An onlooker gets thirty logs a minute and a fresh list every five seconds."""
    monkeypatch.setattr(door_shown, "OFTEN", 1)
    club.begin()
    told(club, "all")
    game = club.log().game

    async def asked() -> None:
        here = shown(club, "all")
        assert await here.log(game) == await here.log(game)
        club.turn()
        with pytest.raises(Turned, match="too often"):
            await here.log(game)
        assert (await here.games()).games

    asyncio.run(asked())


def test_a_flood_of_questions_for_the_list_makes_few_lists(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    made, pulse, listed = list[float](), [0.0], observers.shown

    def shown(store: Store, watch: str, most: int) -> list[GameRow]:
        made.append(pulse[0])
        return listed(store, watch, most)

    monkeypatch.setattr(observers, "shown", shown)
    club.begin()
    told(club, "all")

    async def asked() -> None:
        here = Shown(club.office.store.path, "all", lambda: pulse[0])
        for pulse[0] in (0.0, 1.0, 4.9, 5.0, 5.1, 30.0):
            for _time in range(3):
                assert len((await here.games()).games) == 1

    asyncio.run(asked())
    assert made == [0.0, 5.0, 30.0]


def test_a_door_answers_everybody_with_what_it_shows(club: Club) -> None:
    club.begin()
    told(club, "all")
    game = club.log().game
    with at_work(club, watched("all")) as host:
        status, _headers, body = host.ask("GET", "/door/shown")
        assert (status, [one["game"] for one in json.loads(body)["games"]]) == (200, [game])
        status, headers, body = host.ask("GET", f"/door/shown/{game}")
        assert (status, Log.parse(body).game) == (200, game)
        assert (headers["x-content-type-options"], headers["cache-control"]) == ("nosniff", "no-store")
        assert headers["content-disposition"] == f"attachment; filename={game[:16]}.pbem"
        for name in ("/", "/x", "/..", "/%2e%2e%2fhost.toml", f"/{'0' * 64}", "/1"):
            status, _headers, body = host.ask("GET", f"/door/shown{name}")
            assert (status, json.loads(body)["error"] in ("game", "call")) == (404, True), name
        assert host.ask("POST", "/door/shown")[0] == 405


def test_a_door_shows_nothing_unless_it_is_told_to(club: Club) -> None:
    club.begin()
    told(club, "all")
    with at_work(club) as host:
        for path in ("/door/shown", f"/door/shown/{club.game}"):  # type: ignore[attr-defined]
            status, _headers, body = host.ask("GET", path)
            assert (status, json.loads(body)["error"]) == (404, "call")
