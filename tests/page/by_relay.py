"""Two friends at the page, by a relay: `python -m tests.page.by_relay MODULES [SEED]`.

A relay runs as `pbem relay`, and serves the page, behind a server that hands everything on and is as bad as it is told to be. One
friend makes a game and copies its link, the other opens it, on a telephone; from then on letters go and come by themselves. They
play a whole game of Tiny at two desks of `pbem web`, and some turns of Hammer at the page that the relay serves. In the middle the
relay is killed and started again, it is full, slow, and lies, and one letter goes by mail. At the end both have the same log, and
`pbem verify` and `pbem audit` say the same of it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from threading import Thread
from typing import Any

from tests.chaos.installed import PBEM
from tests.servers.real import free_ports

from .before_relay import BeforeRelay
from .by_page import ROOT, Browsers, concluded, desk_served
from .two_friends import MOST, verdict

LOOKS = 3000
"""So often is looked whose turn it is, while a letter is on its way."""
FEW = 24
"""So often two pages may ask a relay that lies for letters, and once a second more."""
LIES = ("garbage", "repeats", "others")
NOT_THERE = ("ERR_EMPTY_RESPONSE", "507")
"""What a browser writes down of a relay that is away, or full."""
BAD = "The relay did not take it"


class Relay:
    """`pbem relay` beside us: it can be killed, and started again with what it has kept."""

    def __init__(self, folder: Path, port: int, address: str) -> None:
        self._said: list[str] = []
        store = str(folder / "relay.sqlite")
        self._command = [str(PBEM), "relay", "--port", str(port), "--address", address, "--store", store]
        self._running: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start it, and wait until it says that it listens."""
        env = {**os.environ, "PYTHONPATH": str(ROOT), "PBEM_LANGUAGE": "en", "PYTHONUNBUFFERED": "1"}
        self._running = subprocess.Popen(
            self._command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env, cwd=ROOT
        )
        lines = iter(self._running.stdout or ())
        for line in lines:
            self._said.append(line)
            if "http://" in line:
                break
        else:
            raise AssertionError(self.log())
        Thread(target=self._said.extend, args=(lines,), daemon=True).start()

    def kill(self) -> None:
        """Kill it, without a word."""
        assert self._running
        self._running.kill()
        self._running.wait()

    def log(self) -> str:
        """What it has written."""
        return "".join(self._said)


class Pair:
    """Two friends, and the relay between them."""

    def __init__(
        self, browsers: Browsers, folder: Path, names: tuple[str, str], relay: Relay, front: BeforeRelay
    ) -> None:
        self.browsers, self.folder, self.names, self.relay, self.front = browsers, folder, names, relay, front
        self.turns = self.mails = self.late = 0
        self.delays: list[float] = []

    def tell(self, who: str, does: str, **more: object) -> Any:
        """Let somebody do something."""
        return self.browsers.tell(who, does, **more)

    def other(self, who: str) -> str:
        """Who is not that one."""
        return self.names[1 - self.names.index(who)]

    def begin(
        self, game: str, desks: tuple[str, str] = ("", ""), side: str = "", *, named: bool = True, **numbers: int
    ) -> None:
        """The first invites, and gives the link to the second, who joins: at desks of `pbem web`, or at the relay's page.

        `named`: both say their e-mail addresses.
        """
        first, second = self.names
        here, there = desks
        self.tell(first, "comes", address=here or self.front.address, door="relay")
        self.tell(first, "key", mail=f"{first}@example.org" * named)
        more = {"game": game, "side": side, "numbers": numbers, "relay": self.front.address}
        link = self.tell(first, "invites", friend=f"{second}@example.org" * named, **more)["link"]
        assert link.startswith(f"{self.front.address}#play="), link
        secret = link.rpartition("=")[2]
        self.tell(second, "comes", address=there or link, phone=True, door="relay")
        assert secret not in self.tell(second, "history")["bar"]
        self.tell(second, "key", mail=f"{second}@example.org" * named)
        if there:
            self.tell(second, "opensLink", link=link)
        assert "relay" in self.tell(second, "joins")["door"]
        self.tell(first, "awaits", states=["mine", "others"])
        told = self.tell(second, "history")
        assert secret not in f"{told['bar']} {told['kept']} {told['entries']}", told
        assert secret not in self.relay.log()

    def answers(self) -> str:
        """Return whose turn it is; the game is not over."""
        who = self.whose()
        assert who
        self.turns += 1
        return who

    def whose(self) -> str:
        """Whose turn it is, once both pages agree on it; "" where it is over."""
        for _ in range(LOOKS):
            stand = {who: self.tell(who, "stand") for who in self.names}
            if set(stand.values()) == {"over"}:
                return ""
            if sorted(stand.values()) == ["mine", "others"]:
                return next(who for who, state in stand.items() if state == "mine")
        raise AssertionError(stand)

    def turn(self, *, at_once: bool = True) -> bool:
        """Let the one whose turn it is do it: it goes and comes by itself. Return whether there was one.

        `at_once`: the other page waits at the relay already.
        """
        if not self.whose():
            return False
        who = self.answers()
        seen, other = len(self.front.asked), self.other(who)
        self.tell(other, "watches")
        self.tell(who, "answersNow")
        self.tell(who, "leaves")
        at = self.tell(other, "notices")
        if at_once:
            self.came_at_once(seen, at)
        return True

    def came_at_once(self, seen: int, at: float) -> None:
        """A letter that was posted was given to a request that had been waiting for it: nobody asked again after a pause."""
        asked = self.front.asked[seen:]
        post = next(one for one in asked if one.method == "POST" and one.status in (200, 201))
        gets = [one for one in asked if one.method == "GET" and one.box == post.box]
        given = [one for one in gets if one.letters and one.answered > post.came]
        assert given, asked
        self.late += given[0].came > post.came  # it came in the moment between two requests that wait
        self.delays.append(max(at - post.at, 0))

    def by_mail(self) -> None:
        """Let a turn go by mail: the relay is not there."""
        who = self.answers()
        self.tell(who, "answersNow")
        self.tell(who, "isTold", text=BAD)
        raw = b64decode(self.tell(who, "byHand")["file"])
        place = self.folder / f"by-mail-{self.turns}.eml"
        place.write_bytes(raw)
        self.mails += 1
        (said,) = self.tell(self.other(who), "drops", files=[str(place)])
        assert "Left alone" not in said, said

    def log(self) -> Path:
        """Let both save their logs, which are the same; return one."""
        files = [self.folder / f"{who}.pbem" for who in self.names]
        for who, file in zip(self.names, files, strict=True):
            self.tell(who, "saves", path=str(file))
        assert files[0].read_bytes() == files[1].read_bytes()
        return files[0]


def bad_days(pair: Pair) -> None:
    """The relay is killed and started again, full, slow, and lies; each time a turn is played all the same."""
    front, relay = pair.front, pair.relay
    relay.kill()
    pair.by_mail()
    relay.start()
    assert pair.turn(at_once=False)
    who = pair.answers()
    front.full = True
    pair.tell(who, "answersNow")
    pair.tell(who, "isTold", text="The relay is full. Send the letter yourself.")
    front.full = False
    assert "relay" in pair.tell(who, "triesRelay")["door"]
    who = pair.answers()
    front.flows.clear()
    pair.tell(who, "answersNow")
    pair.tell(who, "isTold", text="It goes to the relay")
    front.flows.set()
    pair.tell(who, "leaves")
    for lie in LIES:
        front.lies, seen, began = lie, len(front.asked), time.monotonic()
        pair.tell(who := pair.answers(), "answersNow")
        pair.tell(who, "leaves")
        pair.whose()
        assert_calm(sum(one.method == "GET" for one in front.asked[seen:]), time.monotonic() - began)
    front.lies = ""


def assert_calm(asked: int, seconds: float) -> None:
    """A relay that answers at once, and has nothing new, is asked again behind longer and longer pauses."""
    assert asked < FEW + seconds, (asked, seconds)


def a_whole_game(pair: Pair, desks: tuple[str, str]) -> str:
    """Tiny, at two desks of `pbem web`, to its end."""
    pair.begin("Tiny", desks, turns=8)
    assert pair.turn()
    bad_days(pair)
    assert pair.turn(at_once=False)
    while pair.turn():
        assert pair.turns < MOST
    log = pair.log()
    assert verdict("verify", log) == verdict("audit", log) == "clean"
    return f"Tiny: {pair.turns} turns, {pair.mails} by mail, {told(pair)}"


def some_turns(pair: Pair) -> str:
    """Hammer, at the page that the relay serves, in browsers by itself. Nobody names an e-mail address."""
    pair.begin("Hammer of the Scots", side="the Scots", named=False)
    assert pair.turn()
    bad_days(pair)
    assert pair.turn(at_once=False)
    assert pair.turn()
    pair.tell(pair.answers(), "says", what="Resign")
    while pair.turn(at_once=False):
        assert pair.turns < MOST
    log = pair.log()
    assert verdict("verify", log) == verdict("audit", log) == "clean"
    return f"Hammer: {pair.turns} turns, {pair.mails} by mail, {told(pair)}"


def told(pair: Pair) -> str:
    """How long letters took from the relay to the other page, none of which waited for somebody to ask."""
    assert 4 * pair.late <= len(pair.delays), (pair.late, pair.front.asked)
    return f"a letter shown after {median(pair.delays):.2f} s ({max(pair.delays):.2f} at most)"


@contextmanager
def relay_served(folder: Path) -> Iterator[tuple[Relay, BeforeRelay]]:
    """Let a relay run, and what stands before it."""
    port, behind = free_ports(2)
    with BeforeRelay(port, behind) as front:
        relay = Relay(folder, behind, front.address)
        relay.start()
        front.begin()
        try:
            yield relay, front
        finally:
            front.flows.set()
            front.shutdown()
            relay.kill()


def main(arguments: list[str]) -> int:
    """Play; return the exit code."""
    if not 1 <= len(arguments) <= 2:
        print(__doc__, file=sys.stderr)
        return 2
    began = time.monotonic()
    with (
        tempfile.TemporaryDirectory() as name,
        relay_served(Path(name)) as (relay, front),
        desk_served(Path(name, "ann")) as here,
        desk_served(Path(name, "bob")) as there,
    ):
        browsers = Browsers(arguments[0], int((arguments[1:] or ["1"])[0]))
        try:
            said = [
                a_whole_game(Pair(browsers, Path(name), ("ann", "bob"), relay, front), (here, there)),
                some_turns(Pair(browsers, Path(name), ("carol", "dave"), relay, front)),
            ]
            faults = [fault for fault in browsers.faults([]) if not any(one in fault for one in NOT_THERE)]
        finally:
            browsers.close()
    return concluded("; ".join(["by a relay", *said]), began, faults)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
