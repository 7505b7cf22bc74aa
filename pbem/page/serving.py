"""`pbem web`: the face and the desk's service on this machine only, at 127.0.0.1.

It decides which requests to accept. Any page in a browser on this machine can send requests to a local port. A call is therefore
accepted only with the token of this run, which is in the address after its `#` and so in no request. It must also be sent to our
own name (`Host`: not somebody's name that leads here), and from no other page than ours (`Origin`). Calls are answered one at a
time, because a desk is one folder. The server offers no other files of this machine than those on the face's list.
"""

from __future__ import annotations

import hmac
import json
import secrets
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cached_property
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock
from typing import Any

from pbem.kernel.digits import whole
from pbem.look.picture import FAMILIES
from pbem.look.picture import FOLDER as FONTS
from pbem.reports.policy import ASKING, BESIDE

from .calls import MAX_FILE
from .carrying import carry, read_request
from .service import Service

FACE = Path(__file__).resolve().parent / "face"
KINDS = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
    ".webmanifest": "application/manifest+json",
}
HEADERS = {"Content-Security-Policy": ASKING, **BESIDE, "Cache-Control": "no-store"}
"""The page's permissions: only to run its own scripts, use its own styles, and call its own server."""
TOKEN = "X-Pbem-Token"
MAX_CALL = MAX_FILE + 1_000_000


def files() -> dict[str, Path]:
    """Return all files that are served, by their paths in the address: the face, and the fonts of drawings."""
    face = {f"/{path.relative_to(FACE).as_posix()}": path for path in FACE.rglob("*") if path.suffix in KINDS}
    fonts = {f"/fonts/{name}.woff2": FONTS / f"{name}.woff2" for name in FAMILIES.values()}
    return {"/": FACE / "index.html", **face, **fonts}


class DeskServer(ThreadingHTTPServer):
    """The server of one desk. `address` is what a browser opens."""

    daemon_threads = True

    def __init__(self, service: Service, port: int = 0) -> None:
        """Listen; `port` 0 is any that is free. Raises OSError where the port is taken."""
        super().__init__(("127.0.0.1", port), _Handler)
        self.service, self.token, self.lock = service, secrets.token_urlsafe(24), Lock()
        self.files: Mapping[str, Path] = files()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say what went wrong; that somebody has left in the middle is nothing that did."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)

    @cached_property
    def hosts(self) -> frozenset[str]:
        """The names by which this server is called."""
        return frozenset(f"{name}:{self.server_port}" for name in ("127.0.0.1", "localhost"))

    @property
    def address(self) -> str:
        """What a browser opens."""
        return f"http://127.0.0.1:{self.server_port}/#{self.token}"


class _Handler(BaseHTTPRequestHandler):
    """One request."""

    server: DeskServer
    server_version, sys_version = "pbem", ""
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Serve a file of the face."""
        path = self.path.partition("?")[0]
        if not self._is_ours():
            self._refuse(HTTPStatus.FORBIDDEN)
        elif path not in self.server.files:
            self._refuse(HTTPStatus.NOT_FOUND)
        else:
            file = self.server.files[path]
            self._send(HTTPStatus.OK, KINDS[file.suffix], file.read_bytes())

    def do_HEAD(self) -> None:
        """Say how it would be served."""
        self.do_GET()

    def do_POST(self) -> None:
        """Answer a call."""
        self.close_connection = True  # what was refused may have left its body unread
        if not self._is_ours() or not self._has_token():
            self._refuse(HTTPStatus.FORBIDDEN)
        elif self.path not in ("/call", "/carry"):
            self._refuse(HTTPStatus.NOT_FOUND)
        elif self.headers.get_content_type() != "application/json":
            self._refuse(HTTPStatus.UNSUPPORTED_MEDIA_TYPE)
        elif (length := self._length()) is None:
            self._refuse(HTTPStatus.LENGTH_REQUIRED)
        elif length > MAX_CALL:
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        elif self.path == "/carry":
            self._carry(self.rfile.read(length))
        else:
            self._answer(self.rfile.read(length))

    def _answer(self, body: bytes) -> None:
        with self.server.lock:
            said = self.server.service.answer(body.decode("utf-8", "replace"))
        self._send(HTTPStatus.OK, "application/json", said.encode())

    def _carry(self, body: bytes) -> None:
        """Carry a request to a door that the desk knows; no call waits for it."""
        asked = read_request(body)
        with self.server.lock:
            known = asked is not None and self.server.service.leads_to_a_door(asked.address)
        if asked is None or not known:
            self._refuse(HTTPStatus.FORBIDDEN)
            return
        with suppress(OSError):  # the page has left
            carry(asked, self._answer_as, self._stream)

    def _answer_as(self, told: Mapping[str, object]) -> None:
        self._send(HTTPStatus.OK, "application/json", json.dumps(told).encode())

    def _stream(self) -> Callable[[bytes], object]:
        """Begin a response that stays open until the connection is closed."""
        self.send_response(HTTPStatus.OK)
        for name, value in {**HEADERS, "Content-Type": "text/event-stream", "Connection": "close"}.items():
            self.send_header(name, value)
        self.end_headers()
        return self.wfile.write

    def _is_ours(self) -> bool:
        """Is the request for this server by its own name, and from no other page than its own?"""
        hosts, origins = self.server.hosts, self.headers.get_all("Origin", [])
        named = self.headers.get_all("Host", [])
        if len(named) != 1 or named[0] not in hosts or any(one.removeprefix("http://") not in hosts for one in origins):
            return False
        return self.headers.get("Sec-Fetch-Site", "none") in ("none", "same-origin")

    def _has_token(self) -> bool:
        return hmac.compare_digest(self.headers.get(TOKEN, "").encode(), self.server.token.encode())

    def _length(self) -> int | None:
        said = self.headers.get_all("Content-Length", [])
        return whole(said[0]) if len(said) == 1 and "Transfer-Encoding" not in self.headers else None

    def _refuse(self, status: HTTPStatus) -> None:
        self._send(status, "text/plain; charset=utf-8", f"{status.value} {status.phrase}\n".encode())

    def _send(self, status: HTTPStatus, kind: str, body: bytes) -> None:
        self.send_response(status)
        for name, value in {**HEADERS, "Content-Type": kind, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the library's name
        """Say nothing: a browser's requests do not belong on a terminal."""
