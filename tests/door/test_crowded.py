"""Many connections at a door, and requests that say in two ways how long they are."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

pytest.importorskip("uvicorn")

from asyncio import Transport

from pbem.host.door.patience import OneLength, patient
from tests.host.post import Club, a_club

from .doors import at_work
from .turned_away import _line


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path) as club:
        yield club.begin()


class Loop:
    """A loop that calls nothing by itself."""

    def call_later(self, _seconds: float, _call: object, *_args: object) -> Any:
        return type("Handle", (), {"cancel": lambda _self: None})()


class Line:
    """A connection that notes whether it was closed."""

    is_closed = False

    def close(self) -> None:
        self.is_closed = True

    def get_extra_info(self, _name: str, default: object = None) -> object:
        return default

    def get_write_buffer_size(self) -> int:
        return 0


def test_where_many_are_open_those_that_are_idle_longest_make_room() -> None:
    """A stranger opens hundreds of idle connections. Connections with a recent request stay."""
    from uvicorn import Config
    from uvicorn.server import ServerState

    protocol, config = patient(60, crowd=3), Config(lambda: None, log_config=None)
    lines, made = [Line() for _ in range(8)], []
    for no, line in enumerate(lines):
        one = protocol(config, ServerState(), {}, cast(Any, Loop()))
        one.connection_made(cast(Transport, line))
        made.append(one)
        if no == 0:
            one.cycle = cast(Any, type("Answering", (), {"response_complete": False}))
        if no >= 2:
            made[1].data_received(b"GET / HT" if no == 2 else b"T")
    assert [line.is_closed for line in lines] == [False, False, True, True, True, True, True, False]


@pytest.mark.slow
@pytest.mark.parametrize("path", ["greeting", "letters"])
def test_a_request_with_two_lengths_is_refused(club: Club, path: str) -> None:
    """Content-Length and Transfer-Encoding together: 400, so that a proxy and the host cannot disagree."""
    with at_work(club) as host, _line(host) as line:
        head = [
            "POST /door/" + path + " HTTP/1.1",
            "Host: door",
            "Content-Length: 5",
            "Transfer-Encoding: chunked",
            "",
            "",
        ]
        line.sendall("\r\n".join(head).encode() + b"0\r\n\r\nGET /door/greeting HTTP/1.1\r\nHost: door\r\n\r\n")
        came = b""
        while part := line.recv(4000):
            came += part
        assert came.startswith(b"HTTP/1.1 400")
        assert came.count(b"HTTP/1.1 ") == 1, "what follows is not read as a request"


def test_one_length_is_enough() -> None:
    asked: list[str] = []

    async def inner(scope: Any, _receive: Any, _send: Any) -> None:
        asked.append(scope["name"])

    async def send(_message: Any) -> None:
        asked.append("answered")

    async def ask(name: str, *headers: bytes) -> None:
        scope: Any = {"type": "http", "name": name, "headers": [(header, b"1") for header in headers]}
        await OneLength(inner)(scope, cast(Any, None), send)

    asyncio.run(ask("none"))
    asyncio.run(ask("length", b"content-length"))
    asyncio.run(ask("chunks", b"transfer-encoding"))
    assert asked == ["none", "length", "chunks"]
    asyncio.run(ask("both", b"Content-Length", b"Transfer-Encoding"))
    assert "both" not in asked


@pytest.mark.slow
def test_a_since_of_thousands_of_digits_is_a_form_error(club: Club) -> None:
    """5,000 digits or digits of another script, wherever a number is legal."""
    from .turned_away import Signed

    with at_work(club) as host:
        asked = Signed(host, club)
        for no, since in enumerate(("9" * 5000, "-1", "1e3")):
            assert (
                asked.sent(
                    asks=f"door/letters?since={since}", target=f"door/letters?since={since}", nonce=f"{no:032x}"
                )[1]
                == "form"
            )
