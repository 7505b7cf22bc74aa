"""The club's pages at an address of their own: what lies in their folder, to be read, and nothing else of the host."""

from __future__ import annotations

import asyncio
import json
import os
import re
from asyncio import AbstractEventLoop, Transport
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import pytest

from pbem.errors import UsageError
from pbem.host import Office, observers
from pbem.host.checking import check as check_host
from pbem.host.door import published
from pbem.host.door.patience import patient
from pbem.host.door.published import KINDS, Published, policy_of
from pbem.host.door.publishing import OpenPages
from pbem.host.registering import register_of
from pbem.host.settings import ClubPages, WebDoor
from pbem.ledger.register import Register
from pbem.reports.policy import NOTHING, hashed, of_sheets
from tests.cli.odd_uses import pbem
from tests.cli.program import Program
from tests.host.post import HOST, Club, a_club, moment
from tests.project.source import ROOT
from tests.servers.real import free_ports

from .doors import PATIENCE, DoorHost

__all__ = ["pbem"]

CLUB = "https://club.example/"
DESK = "https://desk.club.example/"
Answer = tuple[int, dict[str, str], bytes]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder of pages, below a host's folder with its key."""
    host = tmp_path / "host"
    (host / "pages" / "games").mkdir(parents=True)
    (host / "pages" / "index.html").write_text("<!doctype html>All games", "utf-8")
    (host / "pages" / "games" / "one.pbem").write_bytes(b"a log\n")
    (host / "key").write_text("secret", "utf-8")
    (host / "host.toml").write_text("secret", "utf-8")
    (host / "notes.html").write_text("secret", "utf-8")
    return host / "pages"


def shown(folder: Path, pulse: Callable[[], float] = float, **settings: object) -> Published:
    """The pages of a folder."""
    told = ClubPages.model_validate({"folder": str(folder), "address": CLUB, **settings})
    return Published(told, folder, lambda: "pbem_games 1\n", pulse)


def asked(pages: Published, path: str, method: str = "GET", client: str = "127.0.0.1", **headers: str) -> Answer:
    """What is answered."""
    said: list[dict[str, Any]] = []

    async def send(message: Any) -> None:
        said.append(message)

    async def receive() -> Any:
        raise AssertionError("nothing is read of a body")

    lines = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": method, "path": path, "headers": lines, "client": (client, 1)}
    asyncio.run(pages(scope, receive, send))
    told = {name.decode(): value.decode() for name, value in said[0]["headers"]}
    assert not said[-1].get("more_body")
    return said[0]["status"], told, b"".join(one.get("body", b"") for one in said[1:])


def test_a_file_of_the_pages_is_shown_with_all_that_keeps_it_to_itself(site: Path) -> None:
    pages = shown(site)
    for path, kind, body in (
        ("/", "text/html; charset=utf-8", b"<!doctype html>All games"),
        ("/index.html", "text/html; charset=utf-8", b"<!doctype html>All games"),
        ("/games/one.pbem", "application/octet-stream", b"a log\n"),
    ):
        status, headers, told = asked(pages, path)
        assert (status, told, headers["content-type"]) == (200, body, kind)
        assert headers["content-length"] == str(len(body))
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["content-security-policy"].startswith("default-src 'none'")
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert "script-src" not in headers["content-security-policy"]
        assert headers["strict-transport-security"]
        assert not {"set-cookie", "access-control-allow-origin", "location", "server"} & set(headers)
        assert asked(pages, path, "HEAD") == (200, headers, b"")


def test_what_somebody_has_already_is_not_sent_again(site: Path) -> None:
    pages = shown(site)
    etag = asked(pages, "/")[1]["etag"]
    for said in (etag, f"W/{etag}", f'"other", {etag}', "*"):
        status, headers, body = asked(pages, "/", if_none_match=said)
        assert (status, headers["etag"], body) == (304, etag, b"")
    assert asked(pages, "/", if_none_match='"other"')[0] == 200
    new = site / "index.part"
    new.write_text("<!doctype html>Two games", "utf-8")
    new.replace(site / "index.html")
    assert asked(pages, "/", if_none_match=etag)[2] == b"<!doctype html>Two games"


@pytest.mark.parametrize(
    "path",
    [
        "/../key", "/../host.toml", "/../notes.html", "/games/../../notes.html", "//etc/passwd", "/games/", "/games",
        "/./index.html",
        "/index.html/", "/index.html\0.png", "/..\\notes.html", "/C:/notes.html", "/.hidden.html", "/index.html.part",
        "/games//one.pbem",
        "/host.toml", "/metrics", "/door/letters", "/\u0131ndex.html", "/" + "a" * 5000 + ".html", "/a/a/a/a/a/a.html",
        "/pipe.html",
    ],
)  # fmt: skip
def test_nothing_beside_the_files_of_the_pages_is_shown(site: Path, path: str) -> None:
    """A stranger asks for paths outside, hidden or half-written files, folders and pipes. All are “not found”."""
    (site / ".hidden.html").write_text("secret", "utf-8")
    (site / "index.html.part").write_text("secret", "utf-8")
    os.mkfifo(site / "pipe.html")
    status, headers, body = asked(shown(site), path)
    assert (status, body) == (404, b"There is no such page.\n")
    assert headers["content-security-policy"] == NOTHING
    assert asked(shown(site), "/index.html")[0] == 200


@pytest.mark.parametrize("by_steps", [True, False])
def test_no_link_leads_out_of_the_pages(site: Path, monkeypatch: pytest.MonkeyPatch, by_steps: bool) -> None:
    """At no step of the path."""
    if not by_steps:
        monkeypatch.setattr(os, "supports_dir_fd", set())
    (site / "out.html").symlink_to(site.parent / "notes.html")
    (site / "key.html").symlink_to(site.parent / "key")
    (site / "up").symlink_to(site.parent)
    assert (site / "out.html").read_text() == "secret"
    for path in ("/out.html", "/key.html", "/up/notes.html", "/up/pages/index.html"):
        assert asked(shown(site), path)[0] == 404
    for path in ("/index.html", "/games/one.pbem"):
        assert asked(shown(site), path)[0] == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT"])
def test_pages_are_read_and_nothing_else(site: Path, method: str) -> None:
    """A stranger sends other methods."""
    before = {path: path.read_bytes() for path in site.rglob("*") if path.is_file()}
    status, headers, _body = asked(shown(site), "/index.html", method)
    assert (status, headers["allow"]) == (405, "GET, HEAD")
    assert before == {path: path.read_bytes() for path in site.rglob("*") if path.is_file()}


def test_a_script_that_found_its_way_into_a_page_is_not_let_run() -> None:
    """The header allows the program's own script, and style sheets by their hashes."""
    ours, theirs = (ROOT / "templates" / "replay.js").read_text("utf-8"), "alert(1)"

    def header(script: str, more: str = "") -> str:
        own = of_sheets(["a{}"], script).replace("style-src ", f"style-src {more}")
        return policy_of(
            f'<meta http-equiv="Content-Security-Policy" content="{own.replace(chr(39), "&#39;")}">'.encode()
        )

    assert f"script-src {hashed(ours)};" in header(ours)
    assert "script-src" not in header(theirs)
    assert f"style-src 'self' {hashed('a{}')};" in header(ours, "'unsafe-inline' https://evil.example ")
    assert "script-src" not in policy_of(b"<script>alert(1)</script>")
    assert "style-src 'self';" in policy_of(b"")


def test_who_asks_without_end_is_told_to_come_again(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stranger invents addresses. The host counts by the proxy's header and in total."""
    monkeypatch.setattr(published, "OFTEN", 2)
    monkeypatch.setattr(published, "ALTOGETHER", 5)
    pulse = [0.0]
    pages = shown(site, lambda: pulse[0])

    def come(who: str) -> int:
        return asked(pages, "/", x_forwarded_for=who)[0]

    assert [come("9.9.9.9, 1.1.1.1"), come("8.8.8.8, 1.1.1.1"), come("7.7.7.7, 1.1.1.1")] == [200, 200, 429], (
        "what somebody says of himself does not count"
    )
    assert [come("2001:db8::1"), come("2001:db8::2"), come("2001:db8::3")] == [200, 200, 429], (
        "a network of IPv6 is one"
    )
    assert [come("2.2.2.2"), come("3.3.3.3")] == [200, 429], "nor are all of them together"
    pulse[0] = 59.9
    assert come("2.2.2.2") == 429
    pulse[0] = 60.0
    assert [come("1.1.1.1"), come("nonsense"), asked(pages, "/")[0], asked(pages, "/")[0]] == [200, 200, 200, 429]


def test_numbers_are_shown_only_if_the_host_has_settled_it(site: Path) -> None:
    assert asked(shown(site), "/metrics")[0] == 404
    status, headers, body = asked(shown(site, metrics=True), "/metrics")
    assert (status, body) == (200, b"pbem_games 1\n")
    assert headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert (headers["cache-control"], headers["x-content-type-options"]) == ("no-store", "nosniff")


def test_pages_below_a_folder_are_found_with_it_and_without(site: Path) -> None:
    pages = shown(site, address="https://club.example/games-here/")
    for path in ("/games-here/", "/games-here/index.html", "/", "/index.html"):
        assert asked(pages, path)[2] == b"<!doctype html>All games"


class Wire:
    """A connection whose other side takes so many bytes, and a loop whose time a test lets pass."""

    def __init__(self, left: int) -> None:
        self.left, self.ended, self.next = left, "", cast(Callable[[], None], None)
        self.loop = cast(AbstractEventLoop, self)

    def call_later(self, _seconds: float, call: Callable[[], None]) -> Wire:
        self.next = call
        return self

    def get_extra_info(self, _name: str) -> None:
        return None

    def is_closing(self) -> bool:
        return bool(self.ended)

    def get_write_buffer_size(self) -> int:
        return self.left

    def abort(self) -> None:
        self.ended = "aborted"

    def close(self) -> None:
        self.ended = "closed"


@pytest.mark.parametrize(("takes", "ended"), [(0, "aborted"), (5, "")])
def test_who_takes_nothing_of_an_answer_holds_no_connection(takes: int, ended: str) -> None:
    """The host cuts the connection."""
    from uvicorn import Config
    from uvicorn.server import ServerState

    wire = Wire(100)
    line = patient(1)(Config(lambda: None, log_config=None), ServerState(), {}, wire.loop)
    line.connection_made(cast(Transport, wire))
    line.cycle = cast(Any, type("Answering", (), {"response_complete": False}))
    for _look in range(3):
        if not wire.ended:
            wire.next()
            wire.left -= takes
    assert wire.ended == ended


# -- the host at work ------------------------------------------------------------------------------------------------


def settings(pages: str, door: str = "") -> str:
    return (
        f'address = "{HOST}"\nevery = 3600\n[out]\nmaildir = "mail/{{local}}"\n[pages]\nfolder = "pages"\n{pages}'
        + (f'[door]\naddress = "{DESK}"\n{door}' if door else "")
    )


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path / "club", hours=24, terms={"rated": True}) as club:
        observers.let_everybody(club.office.store, club.number, "all")
        yield club.begin()


def settle(club: Club, text: str) -> Path:
    """Let the club's host have these settings; return its folder."""
    home = club.folder / "host"
    club.office.close()
    (home / "host.toml").write_text(text, "utf-8")
    club.office = Office(home)
    return home


@contextmanager
def at_work(club: Club, text: str) -> Iterator[DoorHost]:
    """Let the host be at work, and show its pages."""
    home = settle(club, text)
    host = DoorHost(home, [moment(60)])
    host.thread.start()
    host.ready.wait(PATIENCE)
    try:
        host.port = int(re.findall(r":(\d+)$", host.hear("are shown, at"))[0])
        host.hear("waiting for mail")
        yield host
    finally:
        assert host.running is not None
        host.running.stop()
        host.thread.join(PATIENCE)
        assert not host.thread.is_alive()


@pytest.mark.slow
def test_a_host_shows_its_pages_and_its_register_to_everybody(club: Club, pbem: Program) -> None:
    text = settings(f'address = "{CLUB}"\nport = 0\n', "port = 0\n")
    home = settle(club, text)
    assert pbem("host", "pages", "--dir", home)[0] == 0
    own = register_of(club.office.store)
    with at_work(club, text) as host:
        listed = json.loads(host.ask("GET", "/club.json")[2])
        names = [name for row in listed["games"] for name in row["files"]]
        assert len(names) >= 2
        for name in ["index.html", "club.css", "feed.xml", "deadlines.ics", "register.jsonl", *names]:
            status, headers, body = host.ask("GET", f"/{name}")
            assert (status, body) == (200, (home / "pages" / name).read_bytes())
            assert headers["content-type"] == KINDS[Path(name).suffix]
            assert host.ask("GET", f"/{name}", If_None_Match=headers["etag"])[::2] == (304, b"")
        register = Register.parse(host.ask("GET", "/register.jsonl")[2])
        assert [register.head[0] + 1, register.head[1]] == listed["register"]
        assert register.head == own.head
        for path in ("/../key", "/%2e%2e/key", "/%2e%2e%2fhost.toml", "/metrics", "/door/greeting"):
            assert host.ask("GET", path)[0] == 404
        assert host.ask("POST", "/index.html", b"x" * 100)[0] == 405


def test_numbers_of_a_host_name_nobody(club: Club) -> None:
    with at_work(club, settings(f'address = "{CLUB}"\nport = 0\nmetrics = true\n')) as host:
        while (told := host.ask("GET", "/metrics"))[0] == 503:  # until the host has looked around once
            pass
    assert told[0] == 200
    lines = [line for line in told[2].decode().splitlines() if not line.startswith("#")]
    assert 'pbem_games{stage="playing"} 1' in lines
    assert all(re.fullmatch(r'pbem_[a-z_]+(\{[a-z]+="[a-z]+"\})? [0-9]+', line) for line in lines)


@pytest.mark.parametrize(
    ("pages", "door", "fault"),
    [
        (CLUB, DESK, ""),
        ("https://desk.club.example:8443/", DESK, ""),
        (DESK, DESK, "has the same name and port as the door"),
        ("https://desk.club.example/pages/", DESK, "has the same name and port as the door"),
        ("https://DESK.club.example:443/", DESK, "has the same name and port as the door"),
        ("https://desk.club.example./", DESK, "has the same name and port as the door"),
    ],
)
def test_pages_never_have_the_origin_of_the_door(tmp_path: Path, pages: str, door: str, fault: str) -> None:
    """A page there could read the keys that the host's web page keeps. The host does not start so, and its check
    complains."""
    one, other = free_ports(2)
    told = ClubPages(folder="pages", address=pages, port=one)
    at_door = WebDoor(address=door, port=other)
    found = list(OpenPages(told, at_door, tmp_path, float, lambda _why: None).check())
    assert len(found) == 1
    assert found[0][0] == (not fault)
    assert fault in found[0][1]
    if fault:
        with pytest.raises(UsageError, match=fault):
            OpenPages(told, at_door, tmp_path, float, lambda _why: None).open()


@pytest.mark.slow
def test_host_check_complains_of_pages_at_the_door_and_of_one_port_for_both(club: Club) -> None:
    one, other = free_ports(2)

    def found(pages: str, port: int) -> list[str]:
        settle(club, settings(f'address = "{pages}"\nport = {port}\n', f"port = {other}\n"))
        return [said for well, said in check_host(club.office, moment(60)) if not well]

    assert found(CLUB, one) == []
    (said,) = found(DESK, one)
    assert "Give the pages a name of their own" in said
    (said,) = found(CLUB, other)
    assert "the door listens at" in said


@pytest.mark.slow
def test_the_folder_of_a_host_is_never_shown(club: Club) -> None:
    """The operator names it as the pages' folder."""
    for folder in (".", ".."):
        told = ClubPages(folder=folder, address=CLUB, port=0)
        (found,) = OpenPages(told, None, club.folder / "host", float, lambda _why: None).check()
        assert found[0] is False
        assert "contains the host's own folder" in found[1]


@pytest.mark.slow
def test_a_check_beside_a_host_at_work_finds_its_pages_shown(club: Club, pbem: Program) -> None:
    (port,) = free_ports(1)
    text = settings(f'address = "{CLUB}"\nport = {port}\n')
    home = settle(club, text)
    assert pbem("host", "pages", "--dir", home)[0] == 0
    with at_work(club, text):
        told = list(check_host(club.office, moment(60)))
        assert (True, "The club's pages are shown: this host is at work.") in told
        (home / "pages" / "index.html").write_text("another's", "utf-8")
    assert (True, f"The club's pages can be shown at 127.0.0.1:{port}.") in list(check_host(club.office, moment(60)))
