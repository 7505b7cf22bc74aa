"""What stands before a relay, as a web server does: it hands on all requests, and is as bad as it is told to be.

It writes down when each request about letters came and when it was answered, in one order, so that a test can say which of two was
first without looking at a clock.
"""

from __future__ import annotations

import http.client
import json
import time
from base64 import b64encode
from collections import Counter
from contextlib import suppress
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from threading import Condition, Event, Lock, Thread
from typing import NamedTuple

FULL = b'{"error": "full", "why": "The relay is full. Send the letter yourself."}'
_HOP = {"connection", "transfer-encoding", "content-length", "keep-alive", "date", "server"}


class Asked(NamedTuple):
    """A request about letters: its method, the end of its token, when it came and was answered (numbers of one order), and the
    reply."""

    method: str
    box: str
    came: int
    answered: int
    at: float
    status: int
    letters: int


class BeforeRelay(ThreadingHTTPServer):
    """Listens at a port, and hands on to another one of this machine."""

    daemon_threads = True

    def __init__(self, port: int, behind: int) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.behind = behind
        self.full = False
        self.lies = ""
        """“garbage”: bytes that nobody has sealed are given to everybody; “repeats”: every letter that a box ever had; “others”:
        those of other boxes."""
        self.flows = Event()
        """Letters that are posted go on to the relay; while it is not set, they wait here."""
        self.flows.set()
        self.asked: list[Asked] = []
        self.waits, self.most = Counter[str](), 0
        """The requests that wait for letters now, by box, and the most that have waited for one box at a time."""
        self.letters: dict[str, list[dict[str, str]]] = {}
        """What the relay has given, by box."""
        self.news = Condition(Lock())
        self._order = count()

    def number(self) -> int:
        """The next number of the order."""
        with self.news:
            return next(self._order)

    def begin(self) -> None:
        """Serve beside us."""
        Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    @property
    def address(self) -> str:
        """What is opened in a browser."""
        return f"http://127.0.0.1:{self.server_port}/"

    def said(self, box: str, data: bytes) -> bytes:
        """Return what is said of a box: the truth, or not."""
        told = json.loads(data)
        kept = self.letters.setdefault(box, [])
        kept += [one for one in told["letters"] if one not in kept]
        more = {
            "garbage": [_garbage(n) for n in range(2)],
            "repeats": kept,
            "others": [one for other, letters in self.letters.items() if other != box for one in letters],
        }
        lies = [one for one in more.get(self.lies, []) if one not in told["letters"]]
        return json.dumps({**told, "letters": [*lies, *told["letters"]]}).encode()


def _garbage(n: int) -> dict[str, str]:
    raw = bytes([1]) + bytes([n]) * 1072
    return {"id": sha256(raw).hexdigest(), "raw": b64encode(raw).decode()}


class _Handler(BaseHTTPRequestHandler):
    server: BeforeRelay
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._hands_on()

    def do_POST(self) -> None:
        self._hands_on()

    def do_DELETE(self) -> None:
        self._hands_on()

    def _hands_on(self) -> None:
        server, body = self.server, self.rfile.read(int(self.headers.get("Content-Length") or 0))
        is_letter, came, at = self.path.startswith("/relay/letters"), server.number(), time.time()
        box = self.headers.get("Authorization", "")[-8:]
        if is_letter and self.command == "POST":
            server.flows.wait(600)
            if server.full:
                self._say(507, [("Content-Type", "application/json")], FULL)
                return
        line = http.client.HTTPConnection("127.0.0.1", server.behind, timeout=120)
        waits = "wait=25" in self.path
        with server.news:
            server.waits[box] += waits
            server.most = max(server.most, server.waits[box])
        try:
            path = self.path.replace("wait=25", "wait=0") if server.lies else self.path
            line.request(self.command, path, body or None, {**self.headers})
            reply = line.getresponse()
            data = reply.read()
        except (OSError, http.client.HTTPException):
            self.close_connection = True  # nobody is there: the line is closed without a word
            return
        finally:
            line.close()
            with server.news:
                server.waits[box] -= waits
        letters = 0
        if is_letter and self.command == "GET" and reply.status == 200:
            data = server.said(box, data)
            letters = len(json.loads(data)["letters"])
        if is_letter:
            server.asked.append(Asked(self.command, box, came, server.number(), at, reply.status, letters))
        self._say(reply.status, reply.getheaders(), data)

    def _say(self, status: int, headers: list[tuple[str, str]], data: bytes) -> None:
        with suppress(OSError):  # who asked has left
            self.send_response(status)
            for name, value in headers:
                if name.lower() not in _HOP:
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    def log_message(self, *_said: object) -> None:
        """Say nothing."""
