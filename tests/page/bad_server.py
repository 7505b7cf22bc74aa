"""Serves a built page as `serving` does, and badly where it is told so.

A POST of `/off`, `/on`, `/newer`, `/older` changes what is handed out to all; a cookie (`form=2`, `missing=PATH`, `half=PATH`) what
one browser gets.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from base64 import b64encode
from functools import partial
from http.cookies import SimpleCookie
from http.server import ThreadingHTTPServer
from pathlib import Path

from tests.page.serving import Handler

FORM = (b"FORM = 1;", b"FORM = 2;")


class Badly(Handler):
    """Hands out files as a bad day has it."""

    state: dict[str, Path | bool]

    def do_GET(self) -> None:  # noqa: N802
        """Hand out a file, or a page with nothing on it, or nothing."""
        told = {name: one.value for name, one in SimpleCookie(self.headers.get("Cookie", "")).items()}
        path = self.path.removeprefix("/")
        self.directory = str(self.state["folder"])
        if self.state["off"] or told.get("missing") == path:
            self.send_error(503)
        elif told.get("half") == path:
            data = (Path(self.directory) / path).read_bytes()
            self._say(self.guess_type(path), data[: len(data) // 2])
        elif path == "files.mjs" and told.get("form") == "2":
            self._say("text/javascript", (Path(self.directory) / path).read_bytes().replace(*FORM))
        else:
            super().do_GET()

    def do_POST(self) -> None:  # noqa: N802
        """Change what is handed out."""
        what = self.path.removeprefix("/")
        if what in ("off", "on", "reset"):
            self.state["off"] = what == "off"
        if what in ("newer", "older", "reset"):
            self.state["folder"] = self.state["newer" if what == "newer" else "older"]
        self._say("text/plain", b"")


def serving_badly(page: Path, newer: Path) -> ThreadingHTTPServer:
    """Return a server for two versions of a page, on any free port."""
    state: dict[str, Path | bool] = {"off": False, "folder": page, "older": page, "newer": newer}
    handler = type("BadlyHere", (Badly,), {"reports": [], "asked": [], "state": state})
    return ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(page)))


def newer_page(page: Path, place: Path) -> Path:
    """Lay a page of the same program by another version's number, and return its folder."""
    shutil.copytree(page, place)
    made = place / "made.mjs"
    made.write_text(re.sub(r'PAGE = "\w+"', 'PAGE = "newer"', made.read_text("utf-8")), "utf-8")
    digest = b64encode(hashlib.sha256(made.read_bytes()).digest()).decode()
    worker = (place / "offline.js").read_text("utf-8")
    worker = re.sub(r'"made\.mjs": "[^"]+"', f'"made.mjs": {json.dumps(f"sha256-{digest}")}', worker)
    (place / "offline.js").write_text(re.sub(r'PAGE = "\w+"', 'PAGE = "newer"', worker), "utf-8")
    return place
