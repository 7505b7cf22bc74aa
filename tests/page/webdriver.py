"""A browser that is driven by WebDriver, which is JSON over HTTP: WebKitGTK's, by Debian's webkit2gtk-driver, on a screen of Xvfb.

All that it asks of other machines comes to a proxy here that answers nothing and writes down who was meant.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from tests.servers.real import free_ports

DRIVER, SCREEN = "WebKitWebDriver", "xvfb-run"
BROWSERS = "*/webkit2gtk-4.*/MiniBrowser"
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
"""The name under which WebDriver's standard hands out an element."""
PATIENCE = 240
"""Seconds, in which a busy machine answers."""
STARTS, FIRST = 3, 60
"""So often a browser may begin anew, and so many seconds it has each time: on some machines it hangs before it opens anything."""
ALONE = {
    "DBUS_SESSION_BUS_ADDRESS": "disabled:",
    "GIO_USE_VFS": "local",
    "GSETTINGS_BACKEND": "memory",
    "LIBGL_ALWAYS_SOFTWARE": "1",
    "NO_AT_BRIDGE": "1",
    "WEBKIT_DISABLE_DMABUF_RENDERER": "1",
}
"""It waits for no other program of a desktop, and for no card that draws."""
UNTIL = """
const given = [...arguments], done = given.pop(), holds = (...given) => {{ {source} }};
const found = () => {{ try {{ return holds(...given); }} catch {{ return null; }} }};
const look = () => {{ const one = found(); if (one) done(one); else setTimeout(look, 50); }};
look();
"""


def browser() -> str | None:
    """Return the program of the browser, or None where it, its driver or a screen for it is missing."""
    found = sorted(Path("/usr/lib").glob(BROWSERS))
    return str(found[-1]) if found and shutil.which(DRIVER) and shutil.which(SCREEN) else None


class DriverRefused(AssertionError):
    """What the browser could not do, in the driver's words."""


class NoBrowserBegins(Exception):
    """The machine lets no browser begin; no page was opened."""


class Driven:
    """One browser with one window; it forgets all that it keeps when it is closed."""

    def __init__(self, port: int) -> None:
        self._port, self._path = port, ""

    def begin(self, program: str, proxy: int) -> str:
        """Let the browser begin; return its name and version. Raises DriverRefused."""
        there = f"127.0.0.1:{proxy}"
        wanted = {
            "webkitgtk:browserOptions": {"binary": program, "args": ["--automation"]},
            "proxy": {"proxyType": "manual", "httpProxy": there, "sslProxy": there, "noProxy": ["127.0.0.1"]},
        }
        session = self._call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}}, FIRST)
        self._path = f"/session/{session['sessionId']}"
        self._call(
            "POST", "/timeouts", {"script": PATIENCE * 1000, "pageLoad": PATIENCE * 1000, "implicit": PATIENCE * 1000}
        )
        return f"WebKitGTK {session['capabilities']['browserVersion']}"

    def close(self) -> None:
        """Let it end."""
        if self._path:
            with suppress(OSError, DriverRefused):
                self._call("DELETE", "")

    def opens(self, address: str) -> None:
        """Open a page, as by typing its address."""
        self._call("POST", "/url", {"url": address})

    def until(self, source: str, *given: object) -> Any:
        """Return what a function's text returns in the page, once that is something. Raises DriverRefused if it takes too long."""
        return self._call("POST", "/execute/async", {"script": UNTIL.format(source=source), "args": [*given]})

    def said(self, source: str, *given: object) -> Any:
        """Return what a function's text returns in the page now."""
        return self._call("POST", "/execute/sync", {"script": source, "args": list(given)})

    def clicks(self, selector: str) -> None:
        """Click as with a mouse on the first element that this selects, once it is there."""
        self._call("POST", f"/element/{self._found(selector)}/click", {})

    def types(self, selector: str, text: str) -> None:
        """Type a text there; in a field for a file its path chooses it."""
        self._call("POST", f"/element/{self._found(selector)}/value", {"text": text})

    def picture(self) -> bytes:
        """Return what is to be seen, as a PNG."""
        return b64decode(self._call("GET", "/screenshot"))

    def _found(self, selector: str) -> str:
        return str(self._call("POST", "/element", {"using": "css selector", "value": selector})[ELEMENT])

    def _call(self, method: str, path: str, body: object = None, most: int = PATIENCE + 20) -> Any:
        link = HTTPConnection("127.0.0.1", self._port, timeout=most)
        try:
            data = None if body is None else json.dumps(body).encode()
            link.request(method, f"{self._path}{path}", data, {"Content-Type": "application/json"})
            reply = link.getresponse()
            value = json.loads(reply.read())["value"]
        finally:
            link.close()
        if reply.status != 200:
            raise DriverRefused(f"{path} {str(body)[:200]}: {value['error']}: {value['message']}")
        return value


class Nobody(BaseHTTPRequestHandler):
    """A proxy that reaches nobody."""

    asked: list[str]

    def _meant(self) -> None:
        self.asked.append(self.path)
        self.send_error(502)

    do_GET = do_POST = do_CONNECT = do_HEAD = _meant  # noqa: N815

    def log_message(self, *_said: object) -> None:
        """Say nothing."""


def _listens(port: int, running: subprocess.Popen[bytes]) -> None:
    for _ in range(FIRST * 20):
        with suppress(ConnectionRefusedError), socket.create_connection(("127.0.0.1", port), 5):
            return
        if running.poll() is not None:
            break
        time.sleep(0.05)
    raise DriverRefused(f"{DRIVER} does not come up")


def _ends(running: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(running.pid, signal.SIGTERM)  # the screen, too
    running.wait(20)


def _begun(program: str, proxy: int, said: Path) -> tuple[Driven, str, subprocess.Popen[bytes]]:
    (port,) = free_ports(1)
    env = {**os.environ, **ALONE} | ({"WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"} if os.getuid() == 0 else {})
    command = [SCREEN, "-a", "-s", "-screen 0 1280x900x24", DRIVER, f"--port={port}"]
    with said.open("ab") as log:
        running = subprocess.Popen(command, env=env, stdout=log, stderr=log, start_new_session=True)
    try:
        _listens(port, running)
        return (one := Driven(port)), one.begin(program, proxy), running
    except BaseException:
        _ends(running)
        raise


@contextmanager
def driven(program: str, asked: list[str]) -> Iterator[tuple[Driven, str]]:
    """Let a browser be there, with its name and version; whom it asks for goes into `asked`. Raises NoBrowserBegins."""
    handler = type("NobodyHere", (Nobody,), {"asked": asked})
    with tempfile.TemporaryDirectory() as name, ThreadingHTTPServer(("127.0.0.1", 0), handler) as proxy:
        Thread(target=proxy.serve_forever, daemon=True).start()
        said, why = Path(name, "said"), list[str]()
        try:
            for _ in range(STARTS):
                try:
                    one, version, running = _begun(program, proxy.server_address[1], said)
                    break
                except (OSError, HTTPException, DriverRefused) as error:
                    why.append(f"{type(error).__name__} {error}")
            else:
                raise NoBrowserBegins(f"{'; '.join(why)}; {said.read_text(errors='replace')[-600:].strip()}")
            try:
                yield one, version
            finally:
                one.close()
                _ends(running)
        finally:
            proxy.shutdown()
