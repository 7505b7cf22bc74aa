"""Serves a built page on 127.0.0.1 with the headers that it wants: `python -m tests.page.serving FOLDER`."""

from __future__ import annotations

import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from pbem.page.policy import HEADERS, TYPES


class Handler(SimpleHTTPRequestHandler):
    """Hands out files, and an empty page at /empty."""

    extensions_map = SimpleHTTPRequestHandler.extensions_map | TYPES
    protocol_version = "HTTP/1.1"

    def end_headers(self) -> None:
        """Add what stands with every file."""
        for name, value in HEADERS.items():
            self.send_header(name, value)
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def do_GET(self) -> None:
        """Hand out a file, or a page with nothing on it."""
        if self.path != "/empty":
            return super().do_GET()
        body = b"<!doctype html><html lang=en><title>empty</title><link rel=icon href=data:,>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        return None

    def log_message(self, *said: Any) -> None:
        """Say nothing."""


def served(folder: Path) -> ThreadingHTTPServer:
    """Return a server for a folder, on any free port."""
    return ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(folder)))


if __name__ == "__main__":
    server = served(Path(sys.argv[1]))
    print(server.server_address[1], flush=True)
    server.serve_forever()
