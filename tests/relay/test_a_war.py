"""A year of Hammer of the Scots by a relay: two friends who name no address, the installed command, and a relay on its bad days."""

from __future__ import annotations

import random
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from pbem.games.without_host import knowing_of
from pbem.ledger import sha256_hex
from pbem.mail.relay import read_link
from pbem.referee.pair import audit_pair
from tests.page.before_relay import BeforeRelay
from tests.pair.friends import Friend
from tests.relay.relays import RelayProcess
from tests.servers.real import free_ports
from tests.servers.turns import run

WAR = ("--game", "hammer", "--scenario", "bruce", "--option", "years=1")
LOOKS = 40


class War:
    """Ann and Bob, the process of a relay, and what stands before it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.rng, self.turns = folder, random.Random(4), 0
        port, self.behind = free_ports(2)
        self.front = BeforeRelay(port, self.behind)
        self.front.begin()
        self.relay = RelayProcess(folder, port=self.behind)
        self.ann, self.bob = Friend(folder / "ann"), Friend(folder / "bob")
        for one in (self.ann, self.bob):
            one.does("key")
        said = run(self.ann.home, "with", *WAR, "--relay", self.front.address)
        (self.link,) = re.findall(r"http\S+#play=\S+", said)
        run(self.bob.home, "join", self.link)

    def whose(self) -> Friend | None:
        """Whose turn it is, once the letters have come that the programs send by themselves; None where the game is over."""
        for _look in range(LOOKS):
            states = {one: one.desk.pairs.seat(one.notes).state for one in (self.ann, self.bob)}
            for one, state in states.items():
                if state == "mine":
                    return one
            if set(states.values()) == {"over"}:
                return None
            self.ann.does("turn")
            self.bob.does("turn")
        raise AssertionError(states)

    def other(self, one: Friend) -> Friend:
        return self.bob if one is self.ann else self.ann

    def turn(self, one: Friend) -> str:
        """`pbem turn`, of somebody who answers nothing: it fetches and sends."""
        return run(one.home, "turn")

    def signs(self) -> Friend:
        """Let the one whose turn it is sign, and send nothing."""
        one = self.whose()
        assert one is not None
        self.turns += 1
        one.answers(self.rng)
        assert len(one.desk.tray.unsent()) == 1
        return one

    def plays(self) -> bool:
        """Let one of them take his turn, and the other fetch it; False where the game is over."""
        if self.whose() is None:
            return False
        one = self.signs()
        assert "Sent by the relay" in self.turn(one)
        self.other(one).does("turn")
        return True

    def waits(self, one: Friend, says: str) -> None:
        """The relay takes no letter: the command says why, and the letter stays."""
        assert says in self.turn(one)
        assert len(one.desk.tray.unsent()) == 1

    # -- bad days --------------------------------------------------------------------------------------------------------

    def is_killed(self) -> None:
        """The letter goes as a file; the relay comes back with what it had."""
        one = self.signs()
        self.relay.kill()
        self.waits(one, "cannot be reached")
        file = self.folder / "by-hand.eml"
        one.does("send", "--eml", file)
        self.other(one).does("read", file)
        self.relay = RelayProcess(self.folder, port=self.behind)

    def is_full(self) -> None:
        one = self.signs()
        self.front.full = True
        self.waits(one, "The relay is full")
        self.front.full = False
        assert "Sent by the relay" in self.turn(one)
        self.other(one).does("turn")

    def has_a_full_box(self) -> None:
        one = self.signs()
        name = self.other(one).desk.key_line
        box = sha256_hex(bytes.fromhex(read_link(self.link).token(name)))
        with sqlite3.connect(self.folder / "relay.sqlite") as db:
            rows = [(box, sha256_hex(b"%d" % n), b"%d" % n) for n in range(64)]
            db.executemany("insert into letters values (?, ?, ?, 20000)", rows)
        self.waits(one, "The box is full")
        assert "64 letters at the relay do not open" in self.other(one).does("turn")
        assert "Sent by the relay" in self.turn(one)
        self.other(one).does("turn")

    def is_slow(self) -> None:
        """A letter on its way does not come, and comes when the relay has it."""
        one, said = self.signs(), list[str]()
        self.front.flows.clear()
        sends = Thread(target=lambda: said.append(self.turn(one)))
        sends.start()
        before = self.other(one).log
        self.other(one).does("turn")
        assert self.other(one).log == before
        assert not said
        self.front.flows.set()
        sends.join()
        assert "Sent by the relay" in said[0]
        self.other(one).does("turn")

    def lies(self) -> None:
        """It gives bytes that nobody sealed, letters again, and those of the other box."""
        for lie in ("garbage", "repeats", "others"):
            self.front.lies = lie
            assert self.plays()
        self.front.lies = ""


@pytest.fixture
def war(tmp_path: Path) -> Iterator[War]:
    war = War(tmp_path)
    try:
        yield war
    finally:
        war.front.flows.set()
        war.front.shutdown()
        war.front.server_close()
        war.relay.kill()


@pytest.mark.slow
def test_two_friends_fight_a_whole_war_by_a_relay_on_its_bad_days(war: War) -> None:
    """Each bad day comes in mid-game. At the end both have one log, the audit is clean, and nothing is left at the relay."""
    for bad_day in (war.is_killed, war.is_full, war.has_a_full_box, war.is_slow, war.lies):
        assert war.plays()
        bad_day()
    while war.plays():
        pass
    assert war.ann.log == war.bob.log
    found = audit_pair(war.ann.log, knowing_of)
    assert found.verdict == "clean"
    assert "resign" not in war.ann.log.decode()
    with sqlite3.connect(war.folder / "relay.sqlite") as db:
        assert db.execute("select count(*) from letters").fetchone() == (0,)
    assert war.relay.log.read_bytes() == b""
    assert war.turns > LOOKS
