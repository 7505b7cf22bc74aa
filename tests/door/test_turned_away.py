"""Who is not heard at the door: nothing that is turned away leaves a trace, and what is said of it tells no secret."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from pbem.errors import UsageError, WorldError
from pbem.host import Office
from pbem.host.checking import check as check_host
from pbem.host.door.hearing import Hearing, Turned
from pbem.mail.door import SIGNED_HEADER, Knock
from pbem.mail.incoming import MAX_RAW
from pbem.player.asking import Visit
from pbem.player.door import HostsDoor, NotHeard, Unreached
from tests.door.turned_away import Signed, _line
from tests.host.post import Club, a_club, key_of, moment

from .doors import PATIENCE, DoorHost, at_work, settings, stored


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path) as club:
        yield club.begin()


@contextmanager
def nothing_stored(host: DoorHost) -> Iterator[None]:
    """Nothing that is done here may change the store."""
    before = stored(host.home)
    yield
    assert stored(host.home) == before


@pytest.mark.slow
@pytest.mark.parametrize("brings", [True, False], ids=["POST", "GET"])
def test_each_thing_that_is_signed_counts(club: Club, brings: bool) -> None:
    """A stranger changes seat, game, host, key, method, path or body. All requests get the same refusal, and nothing is
    stored."""
    letter = club.order(club.asked()[0]) if brings else b""
    with at_work(club) as host:
        asked = Signed(host, club, letter)
        with nothing_stored(host):
            assert asked.sent(host=key_of("other host").key_line) == (403, "key")
            assert asked.sent(game="ab" * 32) == (403, "key")
            assert asked.sent(seat="carl") == (403, "key")
            assert asked.sent(seat="bob" if asked.seat == "ann" else "ann", nonce="4" * 32) == (403, "key"), (
                "a foreign seat"
            )
            assert asked.sent(key_of("mallory"), key=key_of("mallory").key_line, nonce="5" * 32) == (403, "key")
            assert asked.sent(key_of("mallory")) == (403, "key")
            assert asked.sent(method="DELETE") == (403, "key")
            assert asked.sent(target="door/letters?since=1") == (403, "key")
            assert asked.sent(asks="door/letters?since=1") == (403, "key")
            assert asked.sent(time=moment(57)) == (401, "time"), "too late"
            assert asked.sent(time=moment(63)) == (401, "time"), "too early"
            assert asked.sent(time="2030-99-01T00:00:00Z") == (401, "time")
            assert asked.sent(opened="ab" * 16) == (401, "opened")
            if brings:
                assert asked.sent(body=letter + b"x", nonce="1" * 32) == (400, "body")
                assert asked.sent(body=b"", nonce="2" * 32) == (400, "body")
        assert asked.sent()[0] == 200, "as it should be"
        with nothing_stored(host):
            assert asked.sent() == (401, "again")
        assert asked.sent(nonce="3" * 32, time=moment(58))[0] == 200, "two minutes are near enough"


@pytest.mark.slow
def test_a_request_is_remembered_as_long_as_it_could_be_heard(club: Club) -> None:
    """A stranger repeats it."""
    with at_work(club) as host:
        asked = Signed(host, club)
        assert asked.sent(time=moment(62))[0] == 200
        for minute, word in ((62, "again"), (64, "again"), (65, "time")):
            host.clock[0] = moment(minute)
            assert asked.sent(time=moment(62)) == (401, word)
        host.clock[0] = moment(61)
        assert asked.sent(time=moment(62)) == (401, "opened"), "a clock that is put back does not bring it back"


@pytest.mark.slow
def test_a_request_from_before_a_start_is_refused_after_it(club: Club) -> None:
    """A request names a number that the host draws at each start."""
    with at_work(club) as host:
        asked = Signed(host, club)
        assert asked.sent()[0] == 200
        port = host.port
    with at_work(club, settings(port=port)) as host:
        asked.host = host
        assert asked.sent() == (401, "opened")


@pytest.mark.slow
@pytest.mark.parametrize("minutes", [-9999, 9999])
def test_a_wrong_clock_is_told_the_time_and_set_right(club: Club, minutes: int) -> None:
    """The player's program signs by the time of the host's web address."""
    seat = club.asked()[0]
    with at_work(club) as host:
        door = HostsDoor(
            host.address,
            key_of("host").key_line,
            club.log().game,
            seat,
            key_of(seat),
            lambda: moment(60 + minutes),
            timeout=PATIENCE,
        )
        assert door.letters().upto == 0
        door._visit.ahead *= 0
        assert door.letters().upto == 0, "told in the refusal, and signed again by it"


def test_a_door_whose_clock_ends_with_the_calendar_stops_no_program() -> None:
    """A host gives an extreme time. The player's program uses its own clock."""
    visit = Visit()
    visit.learn(moment(60), "9999-12-31T23:59:59Z", "0" * 32)
    assert [visit.time(moment(60 + minute)) for minute in (0, 1)] == ["9999-12-31T23:59:59Z", moment(61)]


ODD = (
    "//door/letters?since=0", "/door/letters/?since=0", "/door//letters?since=0", "/DOOR/letters?since=0",
    "/door/./letters?since=0", "/x/../door/letters?since=0", "/door/letters?since=0#x", "/door/letters%3Fsince=0",
    "/door/letters;x?since=0", "/door/letters?since=%30", "/door/letters?since=0&since=0", "/door/events",
    "/club/club/door/letters?since=0", "http://evil.example/door/letters?since=0",
)  # fmt: skip
"""Other ways to write an address than the one that was signed."""


@pytest.mark.slow
@pytest.mark.parametrize("base", ["", "club/"])
def test_what_was_signed_is_heard_by_its_own_address_alone(club: Club, base: str) -> None:
    """A stranger writes the address or the method in another way."""
    with at_work(club, settings(f"http://127.0.0.1:1/{base}")) as host:
        asked = Signed(host, club)
        with nothing_stored(host):
            for no, path in enumerate(ODD):
                knock = Knock(**{**asked.what, "nonce": f"{no:032x}"}).header(key_of(asked.seat))
                status, _headers, told = host.ask("GET", path, Pbem_Signed=knock)
                assert (status, json.loads(told)["error"]) in ((403, "key"), (404, "call")), path
                knock = Knock(**{**asked.what, "nonce": f"{no + 99:032x}"}).header(key_of(asked.seat))
                assert host.ask("HEAD", path, Pbem_Signed=knock)[0] in (403, 404), path
        assert asked.sent()[0] == 200


HEADERS = ("", "x", "game=; seat=", "game=" + "a" * 64, "sig=" + "A" * 9000, "game=a; " * 100)


@pytest.mark.slow
def test_what_is_no_header_of_ours_is_not_read(club: Club) -> None:
    """The host refuses it before any lookup."""
    with at_work(club) as host, nothing_stored(host):
        for header in HEADERS:
            for method in ("GET", "POST"):
                body = b"x" if method == "POST" else b""
                status, _headers, told = host.ask(method, "/door/letters", body, Pbem_Signed=header)
                assert (status, json.loads(told)["error"]) == (400, "form")


@pytest.mark.slow
def test_a_number_that_is_none_is_not_taken_for_one(club: Club) -> None:
    with at_work(club) as host, nothing_stored(host):
        asked = Signed(host, club)
        for no, since in enumerate(("-1", "x", "1e3", "99999999999999", "%D9%A3", "1&since=x")):
            asked.what["target"] = f"door/letters?since={since}"
            assert asked.sent(nonce=f"{no:032x}") == (400, "form"), since


@pytest.mark.slow
def test_another_page_is_not_answered(club: Club) -> None:
    """A page in a player's browser asks. The host refuses it: no CORS, no cookies."""
    with at_work(club) as host, nothing_stored(host):
        for origin in ("https://evil.example", "null", "http://127.0.0.1:2"):
            status, headers, told = host.ask("GET", "/door/letters", Origin=origin)
            assert (status, json.loads(told)["error"]) == (403, "origin")
            assert not any(name.startswith("access-control") for name in headers)
        status, headers, _told = host.ask("OPTIONS", "/door/letters", Origin="https://evil.example")
        assert status == 405
        assert not any(name.startswith("access-control") or name == "set-cookie" for name in headers)


@pytest.mark.slow
def test_what_is_too_large_is_not_read(club: Club) -> None:
    """A body has the limit of a mail."""
    with at_work(club) as host, nothing_stored(host):
        asked = Signed(host, club, b"x" * (MAX_RAW + 1))
        assert asked.sent() == (413, "large")
        knock = Knock(**{**asked.what, "nonce": "1" * 32})
        with _line(host) as line:
            line.sendall(_head(knock, asked.seat, "Transfer-Encoding: chunked"))
            piece = b"%x\r\n%s\r\n" % (50_000, b"x" * 50_000)
            with suppress(OSError):  # it is closed at some moment
                for _ in range(MAX_RAW // 50_000 + 10):
                    line.sendall(piece)
            with suppress(OSError):
                assert b" 413 " in line.recv(100)


def _head(knock: Knock, seat: str, *more: str) -> bytes:
    lines = [
        f"{knock.method} /{knock.target} HTTP/1.1",
        "Host: door",
        f"{SIGNED_HEADER}: {knock.header(key_of(seat))}",
        *more,
    ]
    return "\r\n".join([*lines, "", ""]).encode()


@pytest.mark.slow
def test_a_letter_that_is_cut_off_is_not_taken(club: Club) -> None:
    """The host stores nothing of a letter when the line is cut."""
    letter = club.order(club.asked()[0])
    with at_work(club) as host, nothing_stored(host):
        asked = Signed(host, club, letter)
        with _line(host) as line:
            line.sendall(_head(Knock(**asked.what), asked.seat, f"Content-Length: {len(letter)}") + letter[:-1])
        with _line(host) as line:
            line.sendall(_head(Knock(**asked.what), asked.seat)[:-40])
        assert host.ask("GET", "/door/greeting")[0] == 200


@pytest.mark.slow
@pytest.mark.parametrize("whole", [True, False], ids=["the body", "the head"])
def test_a_slow_caller_holds_up_nobody(club: Club, whole: bool) -> None:
    """A letter or its header arrives byte by byte."""
    letter = club.order(club.asked()[0])
    with at_work(club, settings(more="longest = 0.3\n")) as host, nothing_stored(host):
        asked = Signed(host, club, letter)
        head = _head(Knock(**asked.what), asked.seat, f"Content-Length: {len(letter)}")
        with _line(host) as line:
            line.sendall(head + letter[:9] if whole else head[:-9])
            assert host.ask("GET", "/door/greeting")[0] == 200
            came = line.recv(1000)
            assert (b" 408 " in came) if whole else (came == b"")


def test_too_many_requests_are_refused_with_a_reason(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """A player gets 120 requests a minute; others are unaffected."""
    monkeypatch.setattr("pbem.host.door.hearing.OFTEN", 8)
    with at_work(club) as host:
        door = host.door(club, "ann")
        for _ in range(8):
            door.letters()
        with pytest.raises(NotHeard, match="too often"):
            door.letters()
        assert host.door(club, "bob").letters().upto == 0, "the other is heard"


@pytest.mark.slow
def test_only_the_present_key_is_heard(club: Club) -> None:
    """A thief asks with the stolen key after its change, and his open stream ends."""
    with at_work(club) as host, host.door(club, "ann").numbers() as numbers:
        assert next(numbers) == 0
        desk = club.desks["ann"]
        desk.keys.rekey(key_of("ann again"), club.now())
        (letter,) = club.letters(desk)
        assert host.door(club, "ann").bring(letter).became == "taken"
        with pytest.raises(NotHeard, match="Unknown game, seat, key"):
            host.door(club, "ann").letters()
        assert host.door(club, "ann", key=key_of("ann again")).letters().letters
        assert list(numbers) == []
        office = Office(host.home)
        hearing = Hearing(office.store, key_of("host").key_line, club.now, float)
        asked = Signed(host, club).what | {"seat": "ann", "time": hearing.now(), "opened": hearing.opened}
        former, present = (Knock(**asked | {"key": key.key_line}) for key in (key_of("ann"), key_of("ann again")))
        with pytest.raises(
            Turned, match="Unknown game, seat, key"
        ):  # also before it is seen that what was brought is no join
            hearing.hear(former.header(key_of("ann")), "GET", former.target, brings=False)
        caller, _knock = hearing.hear(present.header(key_of("ann again")), "GET", present.target, brings=False)
        assert not caller.joins
        office.close()


@pytest.mark.slow
def test_a_stranger_brings_nothing_but_a_join_and_is_told_nothing(club: Club) -> None:
    """All unknown keys get the same answer."""
    with at_work(club) as host:
        stranger = host.door(club, "ann", key=key_of("mallory"))
        with nothing_stored(host):
            with pytest.raises(NotHeard, match="Unknown game, seat, key"):
                stranger.bring(club.order("ann"))
            with pytest.raises(NotHeard, match="Unknown game, seat, key"):
                stranger.bring(b"HELP\r\n")
            with pytest.raises(NotHeard, match="Unknown game, seat, key"):
                stranger.letters()
            with pytest.raises(NotHeard, match="Unknown game, seat, key"), stranger.numbers() as numbers:
                next(numbers)


@pytest.mark.slow
def test_the_client_goes_to_no_door_of_another(club: Club) -> None:
    """The web address belongs to another host."""
    with at_work(club) as host:
        with pytest.raises(WorldError, match="another host's"):
            host.door(club, "ann", host=key_of("other").key_line).letters()
        for address in ("http://example.org/", "https://example.org", "ftp://x/", "https://a@b/"):
            with pytest.raises(UsageError, match="not the address of a door"):
                host.door(club, "ann", address=address)
        port = host.port
    with pytest.raises(Unreached, match="cannot be reached"):
        host.door(club, "ann", address=f"http://127.0.0.1:{port}/").letters()


def test_what_every_answer_bears(club: Club) -> None:
    with at_work(club) as host:
        for path in ("/door/greeting", "/door/letters", "/", "/nothing", "/door/", "/..%2f..%2fkey"):
            _status, headers, _told = host.ask("GET", path)
            assert headers["x-content-type-options"] == "nosniff"
            assert "default-src 'none'" in headers["content-security-policy"]
            assert "set-cookie" not in headers
            assert "server" not in headers


@pytest.mark.slow
def test_a_page_is_shown_and_nothing_beside_it(club: Club) -> None:
    """A stranger asks for the host's key or store by a path or a link."""
    page = club.folder / "host" / "page"
    page.mkdir()
    (page / "index.html").write_text("<title>the page</title>", "utf-8")
    (page / "x.wasm").write_bytes(b"\0asm")
    (page / "key.link").symlink_to(club.folder / "host" / "key")
    with at_work(club, settings(more='page = "page"\n')) as host:
        _status, headers, shown = host.ask("GET", "/")
        assert shown == b"<title>the page</title>"
        assert "connect-src 'self';" in headers["content-security-policy"]
        assert "'unsafe-" not in headers["content-security-policy"]
        assert host.ask("GET", "/x.wasm")[1]["content-type"] == "application/wasm"
        for path in ("/../key", "/..%2fkey", "/%2e%2e/key", "/key.link", "//key", "/./../host.toml"):
            status, _headers, told = host.ask("GET", path)
            assert status in (400, 404), path
            assert b"OPENSSH" not in told
        assert host.ask("GET", "/door/greeting")[0] == 200


@pytest.mark.slow
def test_a_folder_with_a_host_in_it_is_no_page(club: Club) -> None:
    """The operator named his own folder. The page stays closed, and `pbem host check` says why."""
    club.office.close()
    (club.folder / "host" / "host.toml").write_text(settings(more='page = "."\n'), "utf-8")
    club.office = Office(club.folder / "host")
    assert any(
        "is not a page but a host's folder" in said and not well for well, said in check_host(club.office, moment(60))
    )
