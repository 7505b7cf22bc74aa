"""A friend follows the link of an invitation, in each browser: `python -m tests.page.by_link MODULES [KIND…]`.

KIND is `chromium`, `firefox` or `webkit`; without one it is each that is here. MODULES is a folder with puppeteer-core, to drive
the first two. A relay runs as `pbem relay` and serves the built page. Ann invites by the command, without an e-mail address. In the
browser Bob opens her link, makes a key without an address, takes his seat, and his answer goes to the relay. Ann's command fetches
it, and sends her first turn. It comes to Bob's page by itself, and is there when he opens the page again. In the first two he has
three tabs open, of which one waits at the relay.
"""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from pbem.page.single import BUILT
from tests.pair.friends import Friend
from tests.relay.relays import RelayProcess
from tests.servers.real import free_ports

from .before_relay import BeforeRelay
from .in_browser import found_here
from .in_webkit import CAUGHT
from .webdriver import NoBrowserBegins, browser, driven

THERE = "return document.querySelector(given[0]) !== null"


class Page(Protocol):
    """A page in a browser that does what it is told."""

    def opens(self, address: str) -> None: ...
    def until(self, source: str, *given: object) -> Any: ...
    def said(self, source: str) -> Any: ...
    def clicks(self, selector: str) -> None: ...


class Puppet:
    """A page in Chromium or Firefox."""

    def __init__(self, running: subprocess.Popen[str]) -> None:
        self.running = running

    def tell(self, does: str, **more: object) -> Any:
        """Let it do something; return what came of it. Raises AssertionError."""
        assert self.running.stdin
        assert self.running.stdout
        print(json.dumps({"does": does, **more}), file=self.running.stdin, flush=True)
        told = json.loads(self.running.stdout.readline() or '{"failed": "the browser has ended"}')
        assert "failed" not in told, told["failed"]
        return told["ok"]

    def opens(self, address: str) -> None:
        self.tell("opens", address=address)

    def until(self, source: str, *given: object) -> Any:
        return self.tell("until", source=source, given=given)

    def said(self, source: str) -> Any:
        return self.tell("said", source=source, given=[])

    def clicks(self, selector: str) -> None:
        self.tell("clicks", selector=selector)


@contextmanager
def puppet(modules: str, kind: str) -> Iterator[Puppet]:
    """A browser while it runs."""
    env = {**os.environ, **{name.upper(): path for name, path in found_here().items()}}
    command = ["node", str(Path(__file__).with_name("driver.mjs")), modules, kind]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env) as running:
        try:
            yield Puppet(running)
        finally:
            assert running.stdin
            running.stdin.close()


def tried(page: Page, folder: Path) -> None:
    """Let Bob join at the page, and Ann take the first turn. Raises AssertionError."""
    port, behind = free_ports(2)
    front = BeforeRelay(port, behind)
    front.begin()
    address = front.address
    relay = RelayProcess(folder, "--address", address, port=behind)
    try:
        ann = Friend(folder / "ann")
        ann.does("key")
        said = ann.does("with", "--game", "hammer", "--relay", address)
        (link,) = re.findall(r"http\S+#play=\S+", said)
        page.opens(link)
        page.until(THERE, "form:has(#address)")
        assert link.rpartition("=")[2] not in page.said("return location.href"), "the secret is out of the address"
        page.clicks("form:has(#address) button[type=submit]")
        page.until(THERE, ".asks button.main")
        page.said(f"{CAUGHT} document.querySelector('#unsaved button')?.click()")
        page.until("return document.querySelector('#unsaved') === null")
        page.said("for (const one of document.querySelectorAll('.asks input[type=checkbox]')) one.click()")
        page.until(THERE, ".asks button.main:not([disabled])")
        page.said("document.querySelector('.asks button.main').click()")
        page.until(THERE, ".by-door .box.letter")
        ann.does("turn")
        assert ann.desk.pairs.seat(ann.notes).state == "mine", "his answer has come, and begins the game"
        ann.answers(random.Random(1))
        if isinstance(page, Puppet):
            page.tell("beside", address=address, tabs=2)
        seen = len(front.asked)
        assert "Sent by the relay" in ann.does("turn")
        page.until(THERE, ".mail .rows li.mine")
        assert front.most == 1, "of all tabs one alone waits at the relay"
        post = next(one for one in front.asked[seen:] if one.method == "POST")
        gets = [one for one in front.asked[seen:] if one.method == "GET" and one.box == post.box]
        assert any(one.letters for one in gets[:2]), "a request that waited got it, or the one that took its place"
        page.opens(address)
        page.until(THERE, ".mail .rows li.mine")
    finally:
        front.shutdown()
        relay.kill()
    assert relay.log.read_bytes() == b""


def main(arguments: list[str]) -> int:
    """Let each browser try; return the exit code."""
    kinds = arguments[1:] or [*sorted(found_here()), *(["webkit"] if browser() else [])]
    if not arguments or not set(kinds) <= {*found_here(), "webkit"} or not BUILT.is_dir():
        print(__doc__, file=sys.stderr)
        return 2
    for kind in kinds:
        with tempfile.TemporaryDirectory() as name:
            if kind != "webkit":
                with puppet(arguments[0], kind) as page:
                    version = page.tell("version")
                    tried(page, Path(name))
                    assert not (faults := page.tell("faults")), faults
            elif program := browser():
                asked = list[str]()
                try:
                    with driven(program, asked) as (page_in_webkit, version):
                        tried(page_in_webkit, Path(name))
                except NoBrowserBegins as error:
                    print(
                        f"skipped: no browser begins here. What it would have told: whether a link works in WebKit. {error}"
                    )
                    continue
                assert not asked, asked
        print(f"{version}: a link was followed, and letters went and came by themselves")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
