"""A page at the door: the desk's service says which requests to make and takes the answers; here they are carried for real."""

from __future__ import annotations

import base64
import http.client
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from pbem.ledger import verify
from pbem.page.serving import TOKEN, DeskServer
from tests.door.page import again, known, order, page_of, visited
from tests.host.post import Club, a_club, key_of, moment
from tests.host.running import hand_over
from tests.page.calling import answer, ok, refused
from tests.servers.real import free_ports

from .commands import first_turn, here
from .doors import PATIENCE, at_work

__all__ = ["known"]  # fixtures


@pytest.fixture
def club(known: Club, tmp_path: Path) -> Iterator[Club]:
    twin = known.copy_to(tmp_path)
    yield twin
    twin.office.close()


@pytest.mark.slow
def test_what_is_signed_is_brought_and_what_lies_there_is_read(club: Club) -> None:
    with again(club) as host:
        pages, game = {seat: page_of(club, seat, host.clock) for seat in club.desks}, club.log().game
        assert [one["door"] for one in ok(pages["ann"], "doors")["doors"]] == [host.address]
        for page in pages.values():
            visited(page, game)
        while asked := club.asked():
            for seat in asked:
                (letter,) = order(pages[seat], game)
                assert letter["door"] == host.address
                found = visited(pages[seat], game)
                assert [(one["name"], one["became"]) for one in found["brought"]] == [(letter["name"], "taken")]
                assert {one["kind"] for one in found["came"]} <= {"receipt", "report"} != set()
                assert found["trouble"] == []
                assert ok(pages[seat], "letters")["letters"] == []
            for page in pages.values():
                visited(page, game)
        for seat, page in pages.items():
            assert ok(page, "position", game=game)["over"]
            assert verify(base64.b64decode(ok(page, "log", game=game)["data"]), seat).verdict == "clean"
            assert visited(page, game) == {"brought": [], "came": [], "trouble": []}


@pytest.mark.slow
def test_letters_that_a_page_signs_give_the_same_log_by_door_and_by_mail(tmp_path: Path) -> None:
    """The same orders at the same minutes; one brings them to the door, the other's are taken as mail."""
    logs = []
    for way in ("door", "mail"):
        with a_club(tmp_path / way) as club:
            club.begin()
            (port,), minute = free_ports(1), 60
            with at_work(club, here() + f"[in.lmtp]\nport = {port}\n") as host:
                first_turn(club, host)
                pages, game = {seat: page_of(club, seat, host.clock) for seat in club.desks}, club.log().game
                while asked := club.asked():
                    for page in pages.values():
                        visited(page, game)
                    for seat in asked:
                        minute += 1
                        host.clock[0] = moment(minute)
                        (letter,) = order(pages[seat], game)
                        if way == "door":
                            assert visited(pages[seat], game)["brought"][0]["became"] == "taken"
                            continue
                        raw = (club.folder / seat / "out" / letter["name"]).read_bytes()
                        ok(pages[seat], "given", name=letter["name"])
                        assert hand_over(port, "host@example.org", raw)[0] == 250
            logs.append(club.log().dump())
    assert verify(logs[0]).verdict == "clean"
    assert logs[0] == logs[1]


def test_a_door_that_is_not_reached_leaves_the_letter_to_the_mail(club: Club) -> None:
    with again(club) as host:
        page, game = page_of(club, "ann", host.clock), club.log().game
        visited(page, game)
        (letter,) = order(page, game)
    found = visited(page, game)
    (one,) = found["brought"]
    assert (one["name"], one["became"], "cannot be reached" in one["says"]) == (letter["name"], "", True)
    assert [waits["name"] for waits in ok(page, "letters")["letters"]] == [letter["name"]]
    assert letter["mailto"].startswith("mailto:host@example.org?")


def test_an_errand_that_was_left_is_said_to_be(club: Club) -> None:
    with again(club) as host:
        page, game = page_of(club, "ann", host.clock), club.log().game
        step = ok(page, "visit", game=game)
        other = page_of(club, "ann", host.clock)
        assert refused(other, "carried", errand=step["errand"], status=200)[0] == "player"
        for _time in range(20):
            ok(page, "visit", game=game)
        assert refused(page, "carried", errand=step["errand"], status=200)[0] == "player"
        assert visited(page, game)["trouble"] == []


@pytest.mark.variants
@pytest.mark.parametrize(
    "reply", [b"", b"{}", b"[]", b"nonsense", b'{"error":"key"}', b'{"error":"time","time":"never"}']
)
@pytest.mark.parametrize("status", [200, 302, 403, 500])
def test_what_no_door_answers_is_trouble_and_moves_nothing(club: Club, status: int, reply: bytes) -> None:
    page, game = page_of(club, "ann", [moment(60)]), club.log().game
    before = ok(page, "log", game=game)
    for call in ("visit", "listen"):
        step, times = ok(page, call, game=game), 0
        while step["ask"] and times < 5:
            data, times = base64.b64encode(reply).decode(), times + 1
            step = ok(page, "carried", errand=step["errand"], status=status, data=data)
        assert step["ask"] is None
        assert step["trouble"]
    assert ok(page, "log", game=game) == before


@pytest.mark.slow
def test_a_key_that_is_locked_asks_nothing_at_the_door(club: Club) -> None:
    with again(club) as host:
        (club.folder / "ann" / "key").write_bytes(key_of("ann").dump(b"a secret"))
        page, game = page_of(club, "ann", host.clock), club.log().game
        assert refused(page, "visit", game=game)[0] == "locked"
        assert refused(page, "listen", game=game)[0] == "locked"
        ok(page, "unlock", passphrase="a secret")
        assert visited(page, game)["trouble"] == []


def test_who_knows_no_door_is_told_so(club: Club) -> None:
    page, notes = page_of(club, "ann", [moment(60)]), club.notes("ann")
    notes.door, game = "", notes.game
    club.desks["ann"].keep(notes)
    assert ok(page, "doors") == {"doors": []}
    kind, said = refused(page, "visit", game=game)
    assert (kind, "No door of this host is known" in said) == ("player", True)
    assert refused(page, "listen", game=game)[0] == "player"


# -- by pbem web ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def server(club: Club) -> Iterator[DeskServer]:
    with DeskServer(page_of(club, "ann", [moment(60)])) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@contextmanager
def asks(server: DeskServer, what: dict[str, Any], **headers: str) -> Iterator[http.client.HTTPResponse]:
    """Ask a server to carry a request; its answer is open."""
    line = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=PATIENCE)
    told = {"Content-Type": "application/json", TOKEN: server.token, **headers}
    try:
        line.request("POST", "/carry", json.dumps(what).encode(), told)
        with line.getresponse() as came:
            yield came
    finally:
        line.close()


def test_python_carries_a_pages_requests_to_doors_that_its_desk_knows(club: Club, server: DeskServer) -> None:
    with again(club) as host:
        page, game = server.service, club.log().game
        step = ok(page, "visit", game=game)
        while step["ask"]:
            with asks(server, step["ask"]) as came:
                step = ok(page, "carried", errand=step["errand"], **json.load(came))
        assert step["trouble"] == []
        step = ok(page, "listen", game=game)
        while not step["ask"]["streams"]:
            with asks(server, step["ask"]) as came:
                step = ok(page, "carried", errand=step["errand"], **json.load(came))
        with asks(server, step["ask"]) as stream:
            assert stream.headers["Content-Type"] == "text/event-stream"
            assert stream.readline().startswith(b"data: ")
            other = next(seat for seat in club.asked())
            host.door(club, other).bring(club.order(other))
    with asks(server, {**step["ask"], "streams": False}) as came:
        assert json.load(came)["status"] == 0, "nobody is there now"


@pytest.mark.variants
@pytest.mark.parametrize(
    "other",
    [
        {"address": "http://127.0.0.1:9/door/greeting"},
        {"address": "http://169.254.169.254/latest"},
        {"address": "https://evil.example/door/letters?since=0"},
        {"address": "{door}door/greeting/../../page.json"},
        {"address": "{door}page.json"},
        {"address": "{door}door/letters?since=x"},
        {"address": "file:///etc/passwd"},
        {"headers": {"Cookie": "a=b"}},
        {"headers": {"Pbem-Signed": "a\r\nHost: b"}},
        {"method": "DELETE"},
        {"body": "?"},
        {"more": 1},
    ],
)
def test_python_carries_nothing_else(club: Club, server: DeskServer, other: dict[str, Any]) -> None:
    good = ok(server.service, "visit", game=club.log().game)["ask"]
    door = club.notes("ann").door
    bad = {**good, **{k: v.format(door=door) if isinstance(v, str) else v for k, v in other.items()}}
    with asks(server, bad) as came:
        assert came.status == 403
    for headers in ({TOKEN: "x"}, {"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        with asks(server, good, **headers) as came:
            assert came.status == 403
    assert "ok" in answer(server.service, "about")


def test_no_answer_of_the_service_tells_a_key_or_a_token(club: Club) -> None:
    page, game = page_of(club, "ann", [moment(60)]), club.log().game
    said = json.dumps([ok(page, "doors"), ok(page, "visit", game=game)])
    assert club.notes("ann").token not in said or not club.notes("ann").token
    assert "PRIVATE" not in said
