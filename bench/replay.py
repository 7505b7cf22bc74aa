"""How large a replay page is, how long it takes to make, and how soon it is ready in a browser, where there is Chromium."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import NamedTuple

from docs.pictures import CHROMIUM, FLAGS
from pbem.games import GamePack
from pbem.ledger import Log
from pbem.look.markup import markup
from pbem.look.picture import with_fonts
from pbem.reports.replay import films, page

WAIT = 30
"""Seconds until a browser that says nothing is given up."""
LOOKS = """<!DOCTYPE html><iframe id="page" src="/page" width="1280" height="860"></iframe><script>
setInterval(() => {
  const body = document.getElementById("page").contentDocument?.body;
  if (body?.dataset.ready) location = `/ready/${body.dataset.ready}`;
}, 50);
</script>"""


class Replayed(NamedTuple):
    """What a replay page costs; `apart` is the size of its drawings as files, `ready` milliseconds, None without a browser."""

    steps: int
    size: int
    apart: int
    seconds: float
    ready: int | None


def replayed(pack: GamePack, data: bytes) -> Replayed:
    """Make the page of a whole game, and open it."""
    log = Log.parse(data)
    begin = time.perf_counter()
    made = page(log, pack).encode()
    took = time.perf_counter() - begin
    shown = films(log, pack)
    fonts = len(with_fonts(markup("<svg>"))) if shown[0].ground else 0
    apart = sum(
        len(film.ground) + fonts + sum(map(len, drawing)) for film in shown for drawing, _, _ in film.frames.values()
    )
    return Replayed(len(shown[0].frames), len(made), apart, took, _ready(made))


def _ready(made: bytes) -> int | None:
    """Let Chromium open a page beside a script that reports when it is ready."""
    browser = next((found for name in CHROMIUM if (found := shutil.which(name))), None)
    if browser is None:
        return None
    told: list[int] = []
    heard = threading.Event()

    class Host(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path.startswith("/ready/"):
                told.append(int(self.path.removeprefix("/ready/")))
                heard.set()
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(made if self.path == "/page" else LOOKS.encode() if self.path == "/" else b"")

        def log_message(self, *_: object) -> None:
            """Nobody wants to read it."""

    with HTTPServer(("127.0.0.1", 0), Host) as server, tempfile.TemporaryDirectory() as profile:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        where = f"http://127.0.0.1:{server.server_address[1]}/"
        command = [browser, *FLAGS, f"--user-data-dir={profile}", "--remote-debugging-port=0", where]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:  # noqa: S603
            heard.wait(WAIT)
            process.terminate()
        server.shutdown()
    return told[0] if told else None
