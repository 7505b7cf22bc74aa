"""What an address serves is held against the release: what differs is named, and no strange server holds anybody up."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.errors import UsageError, WorldError
from pbem.page.comparing import PageDifference, PageServer, compare
from pbem.page.single import BUILT
from pbem.reports.policy import HEADERS

FILES = {
    "index.html": b"<title>pbem</title>",
    "main.js": b"play();",
    "python.zip.gz": gzip.compress(b"python"),
    "licences/pbem.txt": b"MIT",
    "page.json": json.dumps({"pbem": "1.0"}).encode(),
}
Answer = tuple[int, dict[str, str], bytes]
Serve = Callable[[str, dict[str, str]], Answer]


def honest(path: str, _headers: dict[str, str]) -> Answer:
    """Serve as a web server does."""
    data = FILES.get(path.removeprefix("/") or "index.html")
    return (404, HEADERS, b"") if data is None else (200, HEADERS, data)


class _Stranger(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def __init__(self, serve: Serve, *given: Any) -> None:
        self.serve = serve
        super().__init__(*given)

    def do_GET(self) -> None:
        status, headers, body = self.serve(self.path, dict(self.headers))
        self.send_response(status)
        for name, value in ({"Content-Length": str(len(body))} | headers).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_said: Any) -> None:
        """Say nothing."""


@contextmanager
def at(serve: Serve) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Stranger, serve)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


def found(serve: Serve, seconds: float = 20) -> list[PageDifference]:
    with at(serve) as address:
        return list(compare(address, FILES, seconds))


def but(path: str, answer: Answer) -> Serve:
    """Serve as is right, but for one file."""
    return lambda asked, headers: answer if asked == path else honest(asked, headers)


def test_the_page_of_the_release_is_no_other() -> None:
    assert found(honest) == []


def test_licences_need_not_be_served() -> None:
    assert found(but("/licences/pbem.txt", (404, HEADERS, b""))) == []


def test_what_a_server_compresses_is_the_same_when_unpacked() -> None:
    packed = gzip.compress(FILES["main.js"])
    assert found(but("/main.js", (200, HEADERS | {"Content-Encoding": "gzip"}, packed))) == []
    assert found(but("/python.zip.gz", (200, HEADERS | {"Content-Encoding": "gzip"}, FILES["python.zip.gz"]))) != []


def test_one_file_that_one_visitor_gets_otherwise_is_named() -> None:
    changed = b"play(); steal();"

    def serve(path: str, headers: dict[str, str]) -> Answer:
        if path == "/main.js" and "urllib" not in headers.get("User-Agent", ""):
            return 200, HEADERS, changed
        return honest(path, headers)

    assert [one.path for one in found(serve)] == ["main.js"]
    shorter = found(but("/main.js", (200, HEADERS, b"stop();")))
    assert "SHA-256" in shorter[0].why


@pytest.mark.parametrize("path", ["/", "/index.html"])
def test_the_first_page_is_looked_at_by_both_its_names(path: str) -> None:
    assert len(found(but(path, (200, HEADERS, b"<title>pbem!</title>")))) == 1


def test_a_redirect_is_not_followed() -> None:
    asked: list[str] = []

    def serve(path: str, headers: dict[str, str]) -> Answer:
        asked.append(path)
        return (302, HEADERS | {"Location": "/elsewhere"}, b"") if path == "/main.js" else honest(path, headers)

    assert "leads elsewhere" in found(serve)[0].why
    assert "/elsewhere" not in asked


def test_what_is_huge_is_read_no_further_than_ours_is_long() -> None:
    headers = HEADERS | {"Content-Length": "1000000000000"}
    assert "longer than ours" in found(but("/main.js", (200, headers, b"x" * 1_000_000)))[0].why
    bomb = gzip.compress(b"\0" * 50_000_000)
    assert "longer than ours" in found(but("/main.js", (200, HEADERS | {"Content-Encoding": "gzip"}, bomb)))[0].why


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ((404, HEADERS, b""), "the answer is 404"),
        ((500, HEADERS, b""), "the answer is 500"),
        ((200, HEADERS | {"Content-Encoding": "br"}, b"play();"), "not asked for"),
        ((200, HEADERS | {"Content-Encoding": "gzip"}, b"play();"), "is not an answer"),
        ((200, HEADERS | {"Content-Length": "7000"}, b"play();"), "does not come in time"),
    ],
)
def test_what_is_no_file_is_said(answer: Answer, why: str) -> None:
    assert [(one.path, why in one.why) for one in found(but("/main.js", answer), 0.3)] == [("main.js", True)]


def test_another_policy_is_named_once() -> None:
    loose = {
        **HEADERS,
        "Content-Security-Policy": HEADERS["Content-Security-Policy"].replace("connect-src 'self'", "connect-src *"),
    }
    for headers in (loose, {name: what for name, what in HEADERS.items() if name != "Content-Security-Policy"}):
        said = found(lambda path, asked, headers=headers: (honest(path, asked)[0], headers, honest(path, asked)[2]))  # type: ignore[misc]
        assert [one.path for one in said] == [""]
        assert "policy" in said[0].why


def test_a_header_that_leads_elsewhere_is_named() -> None:
    said = found(but("/", (200, HEADERS | {"Refresh": "9; url=https://example.org/"}, FILES["index.html"])))
    assert "refresh" in said[0].why


def test_another_release_says_which_it_is() -> None:
    said = found(but("/page.json", (200, HEADERS, b'{"pbem": "2.0"}')))
    assert "2.0" in said[0].why
    for odd in (b'{"pbem": "\\u001b[2J2.0"}', b"[" * 100_000, b"{}", b""):
        assert [one.path for one in found(but("/page.json", (200, HEADERS, odd)))] == ["page.json"]


@pytest.mark.parametrize(
    "address", ["desk.example.org", "ftp://x/", "https://a@b/", "https://", "https://x/?y", "http://x:y/", "file:///x"]
)
def test_what_is_no_address_is_said(address: str) -> None:
    with pytest.raises(UsageError, match="not the address of a page"):
        PageServer.at(address)


def test_nobody_there_is_said() -> None:
    with at(honest) as address:
        pass
    with pytest.raises(WorldError, match="no page to compare"):
        list(compare(address, FILES))


def test_an_address_may_name_the_page_itself() -> None:
    assert PageServer.at("https://x/y/index.html") == PageServer.at("https://x/y/") == PageServer.at("https://x/y")
    assert PageServer.at("https://x/pbem.html").path == "/pbem.html"


@pytest.mark.skipif(not (BUILT / "page.json").exists(), reason="no page was built here: make page")
def test_the_command_compares_and_writes_the_file(tmp_path: Path) -> None:
    def serve(path: str, _headers: dict[str, str]) -> Answer:
        return 200, HEADERS, (BUILT / (path.removeprefix("/") or "index.html")).read_bytes()

    run = CliRunner()
    with at(serve) as address:
        same = run.invoke(app, ["page", "check", address])
    assert same.exit_code == 0, same.output
    assert "byte for byte" in same.output
    assert "Another visitor" in " ".join(same.output.split())
    file = tmp_path / "pbem.html"
    assert run.invoke(app, ["page", "file", str(file)]).exit_code == 0
    assert run.invoke(app, ["page", "check", str(file)]).exit_code == 0
    file.write_bytes(file.read_bytes().replace(b"<title>pbem", b"<title>Pbem"))
    assert run.invoke(app, ["page", "check", str(file)]).exit_code == 1


def test_without_a_page_the_command_says_how_one_is_had(tmp_path: Path) -> None:
    said = CliRunner().invoke(app, ["page", "check", "http://127.0.0.1:1/", "--page", str(tmp_path)])
    assert "make page" in str(said.exception)
