"""The club's public pages (ASGI): only the files of one folder, read-only.

It knows no game, store or key, accepts no input, and sets no cookies. A file is served if its name is plain and its suffix is one
that pages have. Links are not followed, and folders are not listed. A page may only run scripts that the program itself has
written. The policy sent with it is made from the page's own, minus anything foreign.
"""

from __future__ import annotations

import asyncio
import os
import re
import stat
from collections.abc import Callable
from functools import cache
from html import unescape
from pathlib import Path
from typing import BinaryIO
from urllib.parse import urlsplit

from starlette.types import Receive, Scope, Send

from pbem.reports.policy import BESIDE, NOTHING, hashed, rules
from pbem.resources import folder

from ..relay.limits import caller
from ..settings import ClubPages

KINDS = {
    ".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".png": "image/png",
    ".xml": "application/atom+xml; charset=utf-8", ".ics": "text/calendar; charset=utf-8", ".json": "application/json",
    ".jsonl": "text/plain; charset=utf-8", ".txt": "text/plain; charset=utf-8", ".pbem": "application/octet-stream",
}  # fmt: skip
"""The endings of a page's files, with the media type of each."""
METRICS = "metrics"
OFTEN, ALTOGETHER = 600, 6000
"""The maximum number of requests answered per minute: to one address, and to all together."""
_MINUTE = 60
_PART = r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}"
_NAME = re.compile(rf"(?:{_PART}/){{0,3}}{_PART}", re.ASCII)
_OWN_POLICY = re.compile(rb'<meta http-equiv="Content-Security-Policy" content="([^"]*)">')
_HASH = re.compile(r"'sha256-[A-Za-z0-9+/]{43}='", re.ASCII)
_START, _CHUNK = 8192, 65536
_TEXT = "text/plain; charset=utf-8"

Answer = tuple[int, dict[str, str], bytes | BinaryIO]


class Throng:
    """How often was asked in this minute, by whom. `pulse` counts seconds by a clock that nobody sets."""

    def __init__(self, pulse: Callable[[], float]) -> None:
        self.pulse = pulse
        self._since = pulse()
        self._asked: dict[str, int] = {}
        self._all = 0

    def admits(self, who: str) -> bool:
        """Count a request; may it be answered?"""
        if self.pulse() >= self._since + _MINUTE:
            self._since, self._asked, self._all = self.pulse(), {}, 0
        if self._all >= ALTOGETHER or self._asked.get(who, 0) >= OFTEN:
            return False
        self._asked[who] = self._asked.get(who, 0) + 1
        self._all += 1
        return True


class Published:
    """The pages of one folder as an application; `numbers` returns those for a monitor, "" if there are none yet."""

    def __init__(self, settings: ClubPages, path: Path, numbers: Callable[[], str], pulse: Callable[[], float]) -> None:
        self.path, self.numbers, self.throng = path, numbers, Throng(pulse)
        self.metrics = settings.metrics
        parts = urlsplit(settings.address)
        self.base = parts.path or "/"
        self._always = {name.lower(): what for name, what in BESIDE.items()}
        if parts.scheme == "https":
            self._always["strict-transport-security"] = "max-age=31536000"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            return
        try:
            status, headers, body = await self._answer(scope)
        except Exception:  # noqa: BLE001 - a stranger is told nothing of it
            status, headers, body = 500, {}, b""
        try:
            told = {"content-security-policy": NOTHING, "cache-control": "no-store", **self._always, **headers}
            if isinstance(body, bytes) and status != 304:
                told["content-length"] = str(len(body))
            lines = [(name.encode(), value.encode("latin-1")) for name, value in told.items()]
            await send({"type": "http.response.start", "status": status, "headers": lines})
            if isinstance(body, bytes) or scope["method"] == "HEAD":
                said = body if isinstance(body, bytes) and scope["method"] != "HEAD" else b""
                await send({"type": "http.response.body", "body": said})
                return
            left = int(told["content-length"])
            while left and (part := await asyncio.to_thread(body.read, min(_CHUNK, left))):
                left -= len(part)
                await send({"type": "http.response.body", "body": part, "more_body": True})
            await send({"type": "http.response.body", "body": b""})
        finally:
            if not isinstance(body, bytes):
                body.close()

    async def _answer(self, scope: Scope) -> Answer:
        if not self.throng.admits(caller(scope, proxied=True)):
            return 429, {"retry-after": str(_MINUTE), "content-type": _TEXT}, b"Too many requests.\n"
        if scope["method"] not in ("GET", "HEAD"):
            return 405, {"allow": "GET, HEAD", "content-type": _TEXT, "connection": "close"}, b"Pages are read here.\n"
        path = str(scope["path"])
        name = path.removeprefix(self.base if path.startswith(self.base) else "/")  # a proxy hands the base on, or not
        if name == METRICS and self.metrics:
            told = self.numbers().encode()
            return (200 if told else 503), {"content-type": "text/plain; version=0.0.4; charset=utf-8"}, told
        file = await asyncio.to_thread(opened, self.path, name or "index.html")
        if file is None:
            return 404, {"content-type": _TEXT}, b"There is no such page.\n"
        headers = await asyncio.to_thread(_headers, file, Path(name or "index.html").suffix)
        if _has(scope, headers["etag"]):
            file.close()
            return 304, {name: headers[name] for name in ("etag", "cache-control", "content-security-policy")}, b""
        return 200, headers, file


def opened(root: Path, name: str) -> BinaryIO | None:
    """Open a file below a folder for reading; return None if its name is not plain, it is a link, or it does not exist."""
    if not _NAME.fullmatch(name) or Path(name).suffix not in KINDS:
        return None
    try:
        number = _opened(root, name.split("/"))
    except OSError:
        return None
    if not stat.S_ISREG(os.fstat(number).st_mode):
        os.close(number)
        return None
    return os.fdopen(number, "rb")


def _opened(root: Path, parts: list[str]) -> int:
    """Open a file step by step, so that no step is a link, even if somebody exchanges folders meanwhile. Raises OSError."""
    how = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    if os.open not in os.supports_dir_fd:
        path = root.joinpath(*parts)
        if path.resolve(strict=True) != root.resolve().joinpath(*parts):
            raise FileNotFoundError(path)
        return os.open(path, how)
    at = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    for i, part in enumerate(parts):
        try:
            below = os.open(part, how | (os.O_DIRECTORY if i < len(parts) - 1 else 0), dir_fd=at)
        finally:
            os.close(at)
        at = below
    return at


def _headers(file: BinaryIO, suffix: str) -> dict[str, str]:
    """Return the headers for a file, and leave the file at its beginning."""
    found = os.fstat(file.fileno())
    headers = {
        "content-type": KINDS[suffix], "content-length": str(found.st_size), "cache-control": "no-cache",
        "content-security-policy": NOTHING, "etag": f'"{found.st_ino:x}-{found.st_mtime_ns:x}-{found.st_size:x}"',
    }  # fmt: skip
    if suffix == ".html":
        headers["content-security-policy"] = policy_of(file.read(_START))
        file.seek(0)
    if suffix == ".pbem":
        headers["content-disposition"] = "attachment"
    return headers


def policy_of(start: bytes) -> str:
    """Return the policy of a page that begins so: its own style sheets, by their hashes; of scripts, the program's own alone."""
    found = _OWN_POLICY.search(start)
    own = unescape(found[1].decode("ascii", "replace")) if found else ""
    said = {line.split()[0]: line for line in own.split(";") if line.strip()}
    scripts = [one for one in _HASH.findall(said.get("script-src", "")) if one == _of_replay()]
    return rules(
        script_src=" ".join(scripts), worker_src="", connect_src="", img_src="'self'", font_src="data:", manifest_src="",
        style_src=" ".join(["'self'", *_HASH.findall(said.get("style-src", ""))]),
        require_trusted_types_for="", trusted_types="",
    )  # fmt: skip


@cache
def _of_replay() -> str:
    return hashed((folder("templates") / "replay.js").read_text("utf-8"))


def _has(scope: Scope, etag: str) -> bool:
    """Does who asks have this file already?"""
    said = [value.decode("latin-1") for name, value in scope["headers"] if name == b"if-none-match"]
    tags = [tag.strip().removeprefix("W/") for line in said for tag in line.split(",")]
    return etag in tags or "*" in tags
