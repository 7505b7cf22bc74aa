"""What a page may do is written in one place; all who show a page say that, each no more than it needs."""

from __future__ import annotations

import re
from http.client import HTTPConnection
from pathlib import Path
from threading import Thread

import pytest

from pbem.host.door import app as door
from pbem.page import serving
from pbem.page.service import Service
from pbem.reports import policy
from tests.project.source import ROOT

ALLOWED = {"'none'", "'self'", "'wasm-unsafe-eval'", "data:", "blob:", "'script'", "pbem", "pbem-worker", "pbem-file"}
EVERY = [policy.POLICY, policy.ASKING, policy.NOTHING, policy.of_file("a{}", "b()"), policy.of_sheets(["a{}"], "b()")]


def directives(said: str) -> dict[str, set[str]]:
    return {name: set(what) for name, *what in (part.split() for part in said.split("; "))}


@pytest.mark.parametrize("said", EVERY)
def test_nothing_comes_from_elsewhere_and_no_text_becomes_a_program(said: str) -> None:
    found = directives(said)
    assert found["default-src"] == {"'none'"}
    for name, what in found.items():
        assert {one for one in what if not one.startswith("'sha256-")} <= ALLOWED, name


def test_each_has_what_it_needs_and_no_more() -> None:
    file, asking = directives(policy.of_file("a{}", "b()")), directives(policy.ASKING)
    assert "connect-src" not in file, "a file asks nobody"
    assert file["worker-src"] == {"blob:"}
    assert asking["connect-src"] == {"'self'"}
    assert "'wasm-unsafe-eval'" not in asking["script-src"]
    assert all(
        found["require-trusted-types-for"] == {"'script'"} for found in (file, asking, directives(policy.POLICY))
    )


def test_it_is_written_once() -> None:
    for path in (ROOT / "pbem").rglob("*.py"):
        if path != Path(policy.__file__):
            assert not re.search(r"(default|script|connect)-src [^;\"]*;", path.read_text("utf-8")), path


def test_a_door_and_this_machine_say_it(tmp_path: Path) -> None:
    assert door._OF_PAGES["content-security-policy"] == policy.POLICY
    assert set(door._EVERYWHERE) == {name.lower() for name in policy.BESIDE}
    with serving.DeskServer(Service(tmp_path)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        line = HTTPConnection("127.0.0.1", server.server_port)
        line.request("GET", "/")
        found = dict(line.getresponse().getheaders())
        line.close()
        server.shutdown()
    assert found.items() >= {"Content-Security-Policy": policy.ASKING, **policy.BESIDE}.items()


def test_the_page_on_servers_says_what_is_said() -> None:
    told = (ROOT / "docs" / "how-to" / "build-the-page.md").read_text("utf-8")
    for name, what in policy.HEADERS.items():
        assert f"{name}: {what}" in told
