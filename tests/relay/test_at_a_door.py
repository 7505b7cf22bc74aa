"""A host whose door is a relay, too: a real `pbem host run` keeps letters of friends, and a caller cannot choose his address."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from pbem.host.relay.limits import RelayLimits
from pbem.mail.relay import LARGEST_SEALED, PROTOCOL, SMALLEST_SEALED, open_letter
from tests.door.proxies import PROXIES, program, proxy
from tests.mail.relay_vectors import BOB
from tests.relay.relays import PATIENCE, AtRelay, DoorProcess, RelayProcess
from tests.servers.real import free_ports

WAITS = RelayLimits().waits
PROXIED = "proxied = true\n"


@contextmanager
def door(folder: Path, more: str = "") -> Iterator[DoorProcess]:
    """A host at work; it ends well."""
    running = DoorProcess(folder, more)
    try:
        yield running
    finally:
        assert running.end() == 0
    assert running.log.read_bytes() == b""


def letters(at: AtRelay) -> list[bytes | None]:
    return [open_letter(at.link, BOB.key_line, one.sealed, BOB) for one in at.box().letters]


def refused(at: AtRelay, *names: str) -> list[int]:
    """Let one caller wait as often as an address may, and once more, each time with another of these headers; return the replies
    that were given at once. An empty box answers nobody else before a letter comes."""
    with ThreadPoolExecutor(WAITS + 1) as beside:
        asked = [
            beside.submit(at.ask, "GET", "/relay/letters?wait=25", at.token, named=names[n : n + 1])
            for n in range(WAITS + 1)
        ]
        while not any(one.done() for one in asked):
            assert not at.box().letters
        told = [one.result().status for one in asked if one.done()]
        assert at.post(b"wake").status == 201
        assert sorted(one.result(PATIENCE).status for one in asked) == [200] * WAITS + [429]
    return told


@pytest.mark.slow
def test_a_host_keeps_letters_of_friends_and_loses_none_if_it_is_killed(tmp_path: Path) -> None:
    """It takes, keeps, gives and deletes as a relay of its own does, with the same words and limits."""
    running = DoorProcess(tmp_path)
    at, other = AtRelay(running.port), AtRelay(running.port, b"another game has")
    own = RelayProcess(tmp_path)
    greeting, its = at.ask("GET", "/relay/"), AtRelay(own.port).ask("GET", "/relay/")
    assert greeting.json == its.json
    assert greeting.json["relay"] == PROTOCOL
    assert own.end() == 0
    assert [at.post(b"Fife: all > Angus").status for _again in range(2)] == [201, 200]
    assert at.post(b"move 2").status == 201
    running.kill()
    running = DoorProcess(tmp_path)
    at, other = AtRelay(running.port), AtRelay(running.port, b"another game has")
    assert letters(at) == [b"Fife: all > Angus", b"move 2"]
    assert letters(other) == []
    first = at.box().letters[0]
    for caller in (other, at):
        assert caller.ask("DELETE", f"/relay/letters/{first.id}", caller.token).status == 204
    assert letters(at) == [b"move 2"]
    for status, word, body in (
        (400, "form", b"x" * SMALLEST_SEALED), (413, "large", b"x" * (LARGEST_SEALED + 1)),
    ):  # fmt: skip
        told = at.ask("POST", "/relay/letters", at.token, body + b"x" * (status == 400))
        assert (told.status, told.json["error"]) == (status, word)
    assert at.ask("GET", "/relay/letters").status == 401
    assert at.ask("GET", "/door/greeting").status == 200, "the door is as it was"
    for number in range(3, 66):
        assert at.post(b"move %d" % number).status == 201
    full = at.post(b"move 66")
    assert (full.status, full.json["error"]) == (507, "full")
    assert other.post(b"move 1").status == 201
    assert running.end() == 0
    kept = (tmp_path / "host" / "relay.sqlite").read_bytes() + (tmp_path / "host" / "pbem.sqlite").read_bytes()
    for telling in (at.token.encode(), bytes.fromhex(at.token), BOB.key_line.encode(), b"Angus", b"127.0.0.1"):
        assert telling not in kept
    with sqlite3.connect(tmp_path / "host" / "relay.sqlite") as db:
        assert db.execute("select count(*) from letters").fetchone() == (65,)
    assert (tmp_path / "host" / "relay.sqlite").stat().st_mode & 0o77 == 0


@pytest.mark.slow
def test_a_caller_of_a_host_s_relay_cannot_make_himself_many(tmp_path: Path) -> None:
    """A stranger writes another address into each request. Without a proxy nobody believes it, and behind one only the last word,
    which is the proxy's, counts."""
    invented = [f"203.0.113.{n}" for n in range(WAITS + 1)]
    with door(tmp_path) as running:
        assert refused(AtRelay(running.port), *invented) == [429]
    with door(tmp_path, PROXIED) as running:
        assert refused(AtRelay(running.port, b"another game has"), *(f"{one}, 198.51.100.1" for one in invented)) == [
            429
        ]


@pytest.mark.slow
@pytest.mark.parametrize("name", PROXIES)
def test_behind_the_proxy_that_the_docs_show_a_caller_is_who_he_is(tmp_path: Path, name: str) -> None:
    """A stranger writes another address into each request. Real proxies, by the very blocks of the page, name his own."""
    if program(name) is None:
        pytest.skip(f"{name} is not installed")
    (port,) = free_ports(1)
    with door(tmp_path, PROXIED) as running, proxy(name, tmp_path / name, port, running.port):
        at = AtRelay(port)
        at.ca_file = str(tmp_path / name / "cert.pem")
        assert refused(at, *(f"203.0.113.{n}" for n in range(WAITS + 1))) == [429]
