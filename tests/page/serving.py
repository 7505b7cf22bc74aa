"""Serves a built page on 127.0.0.1 with the headers that it wants: `python -m tests.page.serving FOLDER`."""

from __future__ import annotations

import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from pbem.reports.policy import HEADERS, TYPES

EMPTY = b"<!doctype html><html lang=en><title>empty</title><link rel=icon href=data:,>"


class Handler(SimpleHTTPRequestHandler):
    """Hands out files, an empty page at /empty, and takes at /report what a browser complains of."""

    extensions_map = SimpleHTTPRequestHandler.extensions_map | TYPES
    protocol_version = "HTTP/1.1"
    reports: list[str]
    asked: list[str]
    off = False

    def end_headers(self) -> None:
        """Add what stands with every file."""
        for name, value in HEADERS.items():
            self.send_header(name, f"{value}; report-uri /report" if name == "Content-Security-Policy" else value)
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def do_GET(self) -> None:
        """Hand out a file, or a page with nothing on it."""
        self.asked.append(self.path)
        if self.off:
            self.send_error(503)
        elif self.path == "/empty":
            self._say("text/html", EMPTY)
        else:
            super().do_GET()

    def do_POST(self) -> None:
        """Take a report; or, at /off, hand nothing out any more."""
        said = self.rfile.read(int(self.headers["Content-Length"])).decode()
        if self.path == "/off":
            type(self).off = True
        else:
            self.reports.append(said)
        self._say("text/plain", b"")

    def _say(self, kind: str, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_said: Any) -> None:
        """Say nothing."""


def served(folder: Path, reports: list[str] | None = None, asked: list[str] | None = None) -> ThreadingHTTPServer:
    """Return a server for a folder, on any free port; what browsers complain of goes into `reports`, what they ask into `asked`."""
    lists = {"reports": [] if reports is None else reports, "asked": [] if asked is None else asked}
    handler = type("Reporting", (Handler,), lists)
    return ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(folder)))


if __name__ == "__main__":
    server = served(Path(sys.argv[1]))
    print(f"http://127.0.0.1:{server.server_address[1]}/", flush=True)
    server.serve_forever()
