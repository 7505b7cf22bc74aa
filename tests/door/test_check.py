"""`pbem host check` looks at the door as players find it: what a proxy, or a neighbour at the same name, makes of it."""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from pbem import __version__
from pbem.host.checking import check as check_host
from pbem.host.door.app import _OF_PAGES
from pbem.mail.incoming import MAX_RAW
from pbem.reports.policy import POLICY
from tests.host.post import Club, a_club, moment
from tests.servers.real import free_ports

from .doors import at_work, settings

Answer = tuple[int, dict[str, str], bytes]


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    with a_club(tmp_path_factory.mktemp("club")) as club:
        (club.folder / "page").mkdir()
        (club.folder / "page" / "index.html").write_text("<!doctype html>", "utf-8")
        (club.folder / "page" / "page.json").write_text(json.dumps({"pbem": __version__}), "utf-8")
        yield club.begin()


@pytest.fixture
def club(begun: Club, tmp_path: Path) -> Iterator[Club]:
    twin = begun.copy_to(tmp_path)
    yield twin
    twin.office.close()


class Proxy(BaseHTTPRequestHandler):
    """Hands on what it is asked, and changes the answer as a test has told it."""

    inner = 0
    change: Callable[[str, Answer], Answer]

    def do_GET(self) -> None:
        """Ask the door, and answer."""
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        line = http.client.HTTPConnection("127.0.0.1", self.inner, timeout=15)
        line.request(self.command, self.path, None, {"Content-Length": "0"} if body else {})
        came = line.getresponse()
        told = came.status, {k.lower(): v for k, v in came.getheaders() if k.lower() != "content-length"}, came.read()
        status, headers, data = type(self).change(self.path if not body else f"{self.path}#{len(body)}", told)
        self.send_response_only(status)
        for name, value in {**headers, "content-length": str(len(data)), "connection": "close"}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)
        line.close()

    def do_POST(self) -> None:
        """The same."""
        self.do_GET()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
        """Say nothing."""


@contextmanager
def proxy(port: int, inner: int, change: Callable[[str, Answer], Answer]) -> Iterator[None]:
    """A proxy before the door."""
    handler = type("Changing", (Proxy,), {"inner": inner, "change": staticmethod(change)})
    with ThreadingHTTPServer(("127.0.0.1", port), handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield
        finally:
            server.shutdown()
            thread.join()


def as_it_is(_path: str, answer: Answer) -> Answer:
    return answer


def cors(_path: str, answer: Answer) -> Answer:
    return answer[0], {**answer[1], "access-control-allow-origin": "*"}, answer[2]


def keeps(path: str, answer: Answer) -> Answer:
    old = answer[2].replace(moment(60)[:13].encode(), moment(0)[:13].encode()) if "greeting" in path else answer[2]
    return answer[0], answer[1], old


def small(path: str, answer: Answer) -> Answer:
    return (413, {}, b"<html>Too large</html>") if path.endswith(f"#{MAX_RAW}") else answer


def bare(_path: str, answer: Answer) -> Answer:
    return answer[0], {k: v for k, v in answer[1].items() if k != "content-security-policy"}, answer[2]


def shared(path: str, answer: Answer) -> Answer:
    return answer if path.startswith("/door/") or path == "/" else (200, {}, b"<html>A blog</html>")


def no_page(path: str, answer: Answer) -> Answer:
    return (404, {}, b"") if path == "/" else answer


def found(club: Club, change: Callable[[str, Answer], Answer], more: str = 'page = "../page"\n') -> list[str]:
    """What the check complains of, of the door."""
    port, inner = free_ports(2)
    with at_work(club, settings(f"http://127.0.0.1:{port}/", more, inner)), proxy(port, inner, change):
        told = list(check_host(club.office, moment(60)))
    assert (True, "The door is open: this host is at work.") in told
    assert (True, f"Players come to it by http://127.0.0.1:{port}/.") in told
    return [said for well, said in told if not well]


@pytest.mark.variants
@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (as_it_is, ""),
        (cors, "Access-Control-Allow-Origin"),
        (keeps, "keep no answers"),
        (small, f"no letter of {MAX_RAW} bytes: it answers with 413"),
        (bare, "without the headers that isolate it"),
        (shared, "Give the door a name of its own"),
        (no_page, "There is no page at"),
    ],
)
def test_what_a_proxy_makes_of_the_door_is_complained_of(
    club: Club, change: Callable[[str, Answer], Answer], complaint: str
) -> None:
    said = found(club, change)
    assert len(said) == bool(complaint), said
    assert complaint in "".join(said)


def test_a_relay_whose_callers_share_the_limits_of_one_is_complained_of(club: Club) -> None:
    (said,) = found(club, as_it_is, 'page = "../page"\nrelay = true\n')
    assert "share the limits of one address" in said
    assert found(club, as_it_is, 'page = "../page"\nrelay = true\nproxied = true\n') == []


def test_a_door_without_a_page_may_share_its_name(club: Club) -> None:
    assert found(club, shared, "") == []


def test_a_page_below_a_folder_shares_its_name(club: Club) -> None:
    (port,) = free_ports(1)
    with at_work(club, settings(f"http://127.0.0.1:{port}/desk/", 'page = "../page"\n', port)):
        said = [said for well, said in check_host(club.office, moment(60)) if not well]
    assert len(said) == 1
    assert "Give the door a name of its own" in said[0]


@pytest.mark.parametrize(
    ("made", "complaint"), [('{"pbem": "0.0.1"}', "is of version 0.0.1"), ("", "page.json is missing")]
)
def test_a_page_of_another_version_or_none_is_complained_of(club: Club, made: str, complaint: str) -> None:
    told = club.folder / "page" / "page.json"
    told.write_text(made, "utf-8") if made else told.unlink()
    (port,) = free_ports(1)
    club.office.close()
    (club.folder / "host" / "host.toml").write_text(settings(more='page = "../page"\n', port=port), "utf-8")
    club.office = type(club.office)(club.folder / "host")
    (said,) = [said for well, said in check_host(club.office, moment(60)) if not well]
    assert complaint in said


def test_the_door_and_every_other_server_say_the_same_of_the_page() -> None:
    assert _OF_PAGES["content-security-policy"] == POLICY
