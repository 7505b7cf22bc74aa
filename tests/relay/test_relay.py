"""A relay by HTTP: letters come, wait and go; each limit is kept and said; strangers learn and leave nothing."""

from __future__ import annotations

import socket
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pbem.host.relay.limits import RelayLimits
from pbem.host.relay.store import FullStore, RelayStore, Room
from pbem.ledger import sha256_hex
from pbem.mail.relay import LARGEST, LARGEST_SEALED, PROTOCOL, open_letter
from tests.mail.relay_vectors import BOB
from tests.relay.relays import DAY, AtRelay, RelayProcess, Told, relay


def letters(at: AtRelay, wait: int = 0) -> list[bytes | None]:
    return [open_letter(at.link, BOB.key_line, one.sealed, BOB) for one in at.box(wait).letters]


def test_a_letter_is_taken_waits_is_fetched_and_deleted(tmp_path: Path) -> None:
    with relay(tmp_path) as running:
        at = running.at()
        told = at.post(b"move 1")
        assert (told.status, told.json) == (201, {"id": sha256_hex(at.sealed(b"move 1"))})
        at.post(b"move 2")
        assert letters(at) == letters(at) == [b"move 1", b"move 2"]
        for one in at.box().letters:
            assert at.ask("DELETE", f"/relay/letters/{one.id}", at.token).status == 204
            assert at.ask("DELETE", f"/relay/letters/{one.id}", at.token).status == 204
        assert letters(at) == []
        assert running.reports == []


def test_the_same_letter_is_taken_once(tmp_path: Path) -> None:
    with relay(tmp_path) as running:
        at = running.at()
        assert [at.post(b"move 1").status for _again in range(3)] == [201, 200, 200]
        assert letters(at) == [b"move 1"]


def test_another_games_token_opens_another_box(tmp_path: Path) -> None:
    with relay(tmp_path) as running:
        at, other = running.at(), running.at(b"another game has")
        at.post(b"move 1")
        assert letters(other) == []
        other.ask("DELETE", f"/relay/letters/{at.box().letters[0].id}", other.token)
        assert letters(at) == [b"move 1"]


def test_who_waits_is_answered_when_a_letter_comes(tmp_path: Path) -> None:
    with relay(tmp_path) as running, ThreadPoolExecutor() as beside:
        at = running.at()
        waiting = beside.submit(letters, at, 25)
        while not running.server_waits:
            assert not waiting.done()
        at.post(b"move 1")
        assert waiting.result() == [b"move 1"]


def test_a_wait_for_nothing_ends(tmp_path: Path) -> None:
    with relay(tmp_path) as running:
        assert letters(running.at(), 1) == []
        assert not running.server_waits


def test_long_boxes_come_in_several_replies(tmp_path: Path) -> None:
    with relay(tmp_path) as running:
        at = running.at()
        for number in range(5):
            at.post(bytes([number]) * (LARGEST - 4))
        first = at.box()
        assert (len(first.letters), first.more) == (3, True)
        for one in first.letters:
            at.ask("DELETE", f"/relay/letters/{one.id}", at.token)
        assert (len(at.box().letters), at.box().more) == (2, False)


def test_its_greeting_says_its_limits(tmp_path: Path) -> None:
    with relay(tmp_path, Room(letters=7), RelayLimits(days=90)) as running:
        told = running.at().ask("GET", "/relay/").json
    assert told["relay"] == PROTOCOL
    assert {"letters": 7, "days": 90, "letter": LARGEST_SEALED}.items() <= told["limits"].items()


# -- limits --------------------------------------------------------------------------------------------------------------


def is_full(told: Told) -> bool:
    return (told.status, told.json["error"]) == (507, "full") and "Send the letter by mail" in told.json["why"]


def test_a_full_box_of_a_relay_says_so_and_loses_nothing(tmp_path: Path) -> None:
    with relay(tmp_path, Room(letters=2)) as running:
        at, other = running.at(), running.at(b"another game has")
        assert [at.post(text).status for text in (b"1", b"2")] == [201, 201]
        assert is_full(at.post(b"3"))
        assert at.post(b"2").status == 200
        assert letters(at) == [b"1", b"2"]
        assert other.post(b"1").status == 201


def test_a_relay_and_a_box_of_it_have_a_most_of_bytes(tmp_path: Path) -> None:
    with relay(tmp_path, Room(box=3000, all=4000)) as running:
        at, other = running.at(), running.at(b"another game has")
        assert [at.post(text).status for text in (b"1", b"2", b"3")] == [201, 201, 507]
        assert other.post(b"1").status == 201
        assert is_full(running.at(b"a third game has").post(b"1"))
        at.ask("DELETE", f"/relay/letters/{at.box().letters[0].id}", at.token)
        assert running.at(b"a third game has").post(b"1").status == 201


def test_a_full_disk_is_a_full_relay(tmp_path: Path) -> None:
    store = RelayStore(tmp_path / "relay.sqlite", Room())
    (pages,) = store._db.execute("pragma page_count").fetchone()
    store._db.execute(f"pragma max_page_count = {pages + 2}")
    store.post("box", b"1" * 100, 1)
    with pytest.raises(FullStore):
        store.post("box", b"2" * 100_000, 1)
    assert store.fetch("box") == ([b"1" * 100], False)
    store.post("box", b"3" * 100, 1)
    store.close()


def test_an_address_posts_some_letters_a_day_at_a_relay(tmp_path: Path) -> None:
    with relay(tmp_path, limits=RelayLimits(posts=2)) as running:
        at = running.at()
        at.post(b"1"), at.post(b"1"), at.post(b"2")
        told = at.post(b"3")
        assert (told.status, told.json["error"]) == (429, "often")
        assert int(told.headers["retry-after"]) == DAY + 1
        assert letters(at) == [b"1", b"2"]
        running.now += DAY
        assert at.post(b"3").status == 201


def test_an_address_fills_some_empty_boxes_a_day(tmp_path: Path) -> None:
    with relay(tmp_path, limits=RelayLimits(boxes=2)) as running:
        statuses = [running.at(bytes([n]) * 16).post(b"1").status for n in (1, 2, 3)]
        assert statuses == [201, 201, 429]
        assert running.at(bytes([1]) * 16).post(b"2").status == 201


def test_an_address_waits_some_times_at_once(tmp_path: Path) -> None:
    with relay(tmp_path, limits=RelayLimits(waits=1)) as running, ThreadPoolExecutor() as beside:
        at, other = running.at(), running.at(b"another game has")
        waiting = beside.submit(letters, at, 25)
        while not running.server_waits:
            assert not waiting.done()
        told = other.ask("GET", "/relay/letters?wait=25", other.token)
        assert (told.status, told.headers["retry-after"]) == (429, "30")
        at.post(b"1")
        assert waiting.result() == [b"1"]


def test_behind_a_proxy_callers_are_told_apart_by_what_it_says(tmp_path: Path) -> None:
    with relay(tmp_path, limits=RelayLimits(posts=1), proxied=True) as running:
        at = running.at()
        one, two = "2001:db8::1", "203.0.113.7"
        assert at.post(b"1", one).status == 201
        assert at.post(b"2", "2001:db8::2").status == 429, "the same customer"
        assert at.post(b"2", f"{two}, {one}").status == 429, "what the caller wrote himself"
        assert at.post(b"2", two, one).status == 429, "the same, where the proxy adds a line"
        assert at.post(b"2", two).status == 201
        assert at.post(b"3", f"::ffff:{two}").status == 429, "the same address as a proxy may write it"
        assert at.post(b"3", "::ffff:203.0.113.8").status == 201, "a neighbour is another"
        assert [at.post(b"4%d" % n, f"nonsense {n}").status for n in (1, 2)] == [201, 429], (
            "who has no address is the proxy's"
        )
    with relay(tmp_path, limits=RelayLimits(posts=1)) as running:
        at = running.at()
        assert [at.post(text, f"203.0.113.{n}").status for n, text in enumerate((b"5", b"6"))] == [201, 429]


def test_old_letters_are_forgotten_and_others_are_not(tmp_path: Path) -> None:
    with relay(tmp_path) as running:
        at = running.at()
        at.post(b"1")
        running.now += 100 * DAY
        at.post(b"2")
        running.now += 80 * DAY
        assert letters(at) == [b"1", b"2"]
        running.now += DAY
        assert letters(at) == [b"2"]


# -- strangers -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shown", ["", "Bearer", "Bearer 00", "Basic " + "0" * 64, "Bearer " + "0" * 63 + "g"])
def test_without_a_token_nothing_is_done(tmp_path: Path, shown: str) -> None:
    with relay(tmp_path) as running:
        for method, path in (("GET", "letters"), ("POST", "letters"), ("DELETE", "letters/" + "0" * 64)):
            told = running.at().ask(method, f"/relay/{path}", body=b"x", authorization=shown)
            assert (told.status, told.json["error"]) == (401, "token")


def test_what_is_no_sealed_letter_is_refused(tmp_path: Path) -> None:
    with relay(tmp_path) as running:
        at = running.at()
        for body in (b"", b"x", at.sealed(b"1")[:-1], at.sealed(b"1") + b"x"):
            assert at.ask("POST", "/relay/letters", at.token, body).json["error"] == "form"
        told = at.ask("POST", "/relay/letters", at.token, b"x" * (LARGEST_SEALED + 1))
        assert (told.status, told.json["error"]) == (413, "large")
        assert at.ask("GET", "/relay/letters?wait=26", at.token).json["error"] == "form"
        assert at.ask("DELETE", "/relay/letters/1", at.token).json["error"] == "form"
        assert at.ask("GET", "/relay/nothing", at.token).status == 404
        assert letters(at) == []


def test_a_letter_that_drips_in_is_given_up(tmp_path: Path) -> None:
    with relay(tmp_path, limits=RelayLimits(longest=0.2)) as running:
        at = running.at()
        with socket.create_connection(("127.0.0.1", at.port)) as line:
            line.settimeout(40)
            head = f"POST /relay/letters HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {at.token}\r\nContent-Length: 1073\r\n\r\n"
            line.sendall(head.encode() + b"\1")
            said = line.recv(100_000)
        assert b" 408 " in said
        assert letters(at) == []


def test_it_serves_the_page_with_its_rules_and_no_other_origin(tmp_path: Path) -> None:
    page = tmp_path / "page"
    page.mkdir()
    (page / "index.html").write_text("<p>pbem")
    with relay(tmp_path, page=str(page)) as running:
        shown, called = (
            running.at().ask("GET", "/"),
            running.at().ask("OPTIONS", "/relay/letters", origin="https://a.b"),
        )
    assert shown.body == b"<p>pbem"
    assert "connect-src 'self'" in shown.headers["content-security-policy"]
    assert called.status == 405
    assert not [name for name in called.headers if name.startswith("access-control")]


# -- what it keeps -------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_relay_that_is_killed_loses_nothing_and_its_file_tells_nothing(tmp_path: Path) -> None:
    """The process itself is killed three times after it took a letter. File and log have no token, no key, no address, no text."""
    running = RelayProcess(tmp_path)
    at = AtRelay(running.port)
    for number in range(3):
        assert at.post(b"Fife: all > Angus %d" % number).status == 201
        running.kill()
        running = RelayProcess(tmp_path)
        at = AtRelay(running.port)
        assert letters(at) == [b"Fife: all > Angus %d" % n for n in range(number + 1)]
    at.ask("GET", "/relay/letters", "0" * 64)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    kept = b"".join(path.read_bytes() for path in files)
    assert len(kept) > 3 * 1073
    token = at.token
    for telling in (
        token.encode(),
        bytes.fromhex(token),
        BOB.key_line.encode(),
        b"Angus",
        at.link.secret,
        b"127.0.0.1",
    ):
        assert telling not in kept
    assert running.log.read_bytes() == b""
    assert running.end() == 0
    with sqlite3.connect(tmp_path / "relay.sqlite") as db:
        assert [row[1] for row in db.execute("pragma table_info(letters)")] == ["box", "id", "bytes", "day"]
    assert (tmp_path / "relay.sqlite").stat().st_mode & 0o77 == 0


@pytest.mark.slow
def test_a_deleted_letter_is_not_in_the_file(tmp_path: Path) -> None:
    with relay(tmp_path) as running:
        at = running.at()
        at.post(b"1")
        sealed = at.box().letters[0]
        at.ask("DELETE", f"/relay/letters/{sealed.id}", at.token)
    assert sealed.sealed[40:200] not in (tmp_path / "relay.sqlite").read_bytes()
