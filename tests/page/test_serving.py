"""`pbem web`: who is heard, and what is served; over a real socket."""

from __future__ import annotations

import http.client
import json
import re
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from pbem.page.service import Service
from pbem.page.serving import FACE, TOKEN, DeskServer, files
from pbem.page.words import EARLY
from pbem.page.words import FACE as LATER

CALL = json.dumps({"call": "about"})
WORDS = LATER | EARLY


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DeskServer]:
    with DeskServer(Service(tmp_path_factory.mktemp("desk"))) as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield running
        running.shutdown()
        thread.join()


def said(
    server: DeskServer, method: str, path: str, headers: Mapping[str, str] | None = None, body: str = "", host: str = ""
) -> tuple[int, str, Mapping[str, str]]:
    """Ask the server; return status, body and headers."""
    line = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=20)
    try:
        line.putrequest(method, path, skip_host=True)
        for name, value in {"Host": host or f"127.0.0.1:{server.server_port}", **(headers or {})}.items():
            line.putheader(name, value)
        if body:
            line.putheader("Content-Length", str(len(body)))
        line.endheaders(body.encode() if body else None)
        reply = line.getresponse()
        return reply.status, reply.read().decode("utf-8", "replace"), dict(reply.headers.items())
    finally:
        line.close()


def own(server: DeskServer, **more: str) -> dict[str, str]:
    """The headers of a call of our own page."""
    given = {
        "Content-Type": "application/json",
        TOKEN: server.token,
        "Origin": f"http://127.0.0.1:{server.server_port}",
    }
    return given | {name.replace("_", "-"): value for name, value in more.items()}


def test_our_own_page_is_answered(server: DeskServer) -> None:
    status, body, _headers = said(server, "POST", "/call", own(server), CALL)
    assert status == 200
    assert "ok" in json.loads(body)


@pytest.mark.parametrize(
    "change",
    [
        {TOKEN: ""},
        {TOKEN: "guessed"},
        {"Origin": "https://example.org"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Host": "example.org"},
        {"Host": "desk.example.org:{port}"},
        {"Host": "127.0.0.1"},
    ],
    ids=str,
)
def test_others_are_not(server: DeskServer, change: dict[str, str]) -> None:
    given = own(server) | {name: value.format(port=server.server_port) for name, value in change.items()}
    status, body, _headers = said(server, "POST", "/call", given, CALL, host=given.pop("Host", ""))
    assert (status, "ok" in body) == (403, False)


def test_a_form_of_another_page_is_not_even_read(server: DeskServer) -> None:
    given = own(server) | {"Content-Type": "text/plain"}
    assert said(server, "POST", "/call", given, CALL)[0] == 415
    assert said(server, "POST", "/other", own(server), CALL)[0] == 404
    assert said(server, "POST", "/call", own(server))[0] == 411
    assert said(server, "POST", "/call", own(server) | {"Content-Length": "99999999999"})[0] == 413


def test_only_the_files_of_the_face_are_served(server: DeskServer) -> None:
    for path in files():
        assert said(server, "GET", path)[0] == 200
    for path in ("/../pyproject.toml", "/%2e%2e/service.py", "//etc/passwd", "/key", "/face", "/fonts/serif.ttf"):
        assert said(server, "GET", path)[0] == 404
    assert said(server, "GET", "/", host="example.org")[0] == 403
    assert said(server, "GET", "/", {"Origin": "https://example.org"})[0] == 403
    assert said(server, "OPTIONS", "/call")[0] == 501


def test_the_policy_lets_the_page_speak_to_nobody_else(server: DeskServer) -> None:
    _status, body, headers = said(server, "GET", "/")
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert not re.search(r"unsafe|https?:|\*", policy)
    assert "Access-Control-Allow-Origin" not in headers
    assert not re.search(r"<script(?! type=\"module\" src=)|\son\w+=|style=", body), "nothing stands in the page itself"


def test_the_token_stands_behind_the_sign_that_no_request_holds(server: DeskServer) -> None:
    assert server.address == f"http://127.0.0.1:{server.server_port}/#{server.token}"
    assert len(server.token) >= 32


SCRIPTS = sorted(FACE.glob("*.js"))


def test_every_text_of_the_face_stands_in_the_catalogue() -> None:
    source = "\n".join(path.read_text("utf-8") for path in SCRIPTS)
    used = set(re.findall(r"""\bt\((?:[^()`]*\? )?"(\w+)"(?: : "(\w+)")?""", source))
    named = {name for pair in used for name in pair if name}
    assert named <= WORDS.keys(), named - WORDS.keys()
    begun = tuple(set(re.findall(r"\bt\(`(\w+_)\$", source)))
    spare = {
        name for name in WORDS if name not in named and not name.startswith(begun) and not put_together(name, source)
    }
    assert {name for name in spare if f'"{name}"' not in source} == set()


def put_together(name: str, source: str) -> bool:
    """Does a template of the scripts make this name, of words that stand in them?"""
    quoted = set(re.findall(r'"(\w+)"', source))
    for template in re.findall(r"\bt\(`([^`]*)`", source):
        form = r"(\w+)".join(map(re.escape, re.split(r"\$\{[^}]*\}", template)))
        found = re.fullmatch(form, name)
        if found and quoted.issuperset(found.groups()):
            return True
    return False


def test_no_script_reads_a_string_as_markup_or_fetches_from_elsewhere() -> None:
    for path in SCRIPTS:
        source = path.read_text("utf-8")
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", source), (
            path.name
        )
        if path.name != "dom.js":
            assert "DOMParser" not in source
        assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", source), path.name
    assert "url(http" not in Path(FACE / "style.css").read_text("utf-8")
