"""Players of several games: each has a desk and a mailbox, reads what came, and answers. What they sent and got is counted."""

from __future__ import annotations

import shutil
from collections import Counter, deque
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pbem.errors import EarlierWanted, PbemError
from pbem.host import Office, StoredLedger
from pbem.host.store import SENT
from pbem.host.store.moving import move
from pbem.ledger.terms import terms
from pbem.mail import Maildir, read_message
from pbem.player import Desk, PlayerSettings
from tests.a_postgres import name_its_place
from tests.host.post import HOST, key_of
from tests.stored import stored_rows

from .installed import LONGEST, Host, typed

AT = "2026-01-01T00:00:00Z"
PAUSE, QUIET = 0.1, 15
"""The seconds between two looks into the mailboxes, and how many of them are in vain where all is done."""

SEATS = ("ann", "bob")


class Crowd:
    """The players of so many games of Tiny, at a host that is made for them: its mail comes and goes by folders."""

    domain, its = "example.org", HOST
    """Where they live, and the host's address."""

    def __init__(self, folder: Path, many: int, at: str, turns: int = 2, hours: int = 0) -> None:
        self.folder, self.at, self.host = folder, at, folder / "host"
        office = Office.create(self.host, key_of("host"), self.its)
        self.desks: dict[str, Desk] = {}
        self.got: dict[str, list[bytes]] = {}
        self._early: dict[str, list[bytes]] = {}
        self._open(office, range(1, many + 1), turns, hours)
        office.close()
        lines = (self.host / "host.toml").read_text("utf-8")
        (self.host / "host.toml").write_text(f"every = 1\n{lines}", "utf-8")
        self.on_its_way: deque[bytes] = deque()
        """What they have sent, and nobody has brought to the host yet."""
        self.sent: Counter[str] = Counter()
        """How many orders each of them has sent."""

    def _open(self, office: Office, numbers: Iterable[int], turns: int, hours: int = 0) -> None:
        for no in numbers:
            players = {seat: f"{seat}{no}@{self.domain}" for seat in SEATS}
            options = {"players": 2, "turns": turns}
            office.robot.new_game("tiny", options, players, f"Game {no}", terms(hours), f"fresh {no}", self.at)
            for seat in SEATS:
                settings = PlayerSettings(players[seat], str(Maildir(self.folder / "post").path))
                name = f"{seat}{no}"
                self.desks[name] = Desk.create(self.folder / name, key_of(name), settings)
                self.got[name], self._early[name] = [], []

    def more(self, many: int, turns: int) -> None:
        """Open so many further games, of another length."""
        office, before = Office(self.host), len(self.desks) // len(SEATS)
        self._open(office, range(before + 1, before + many + 1), turns)
        office.close()

    def in_database(self, address: str) -> None:
        """Let the host keep its store in a database."""
        move(shutil.move(self.host / "pbem.sqlite", self.folder), address)
        name_its_place(self.host, address)

    # -- what they do -----------------------------------------------------------------------------------------------------

    def answer(self) -> int:
        """Let all read what has come to them, and answer; return how many letters came."""
        return sum(self._attend(name, desk) for name, desk in self.desks.items())

    def fetch(self, name: str) -> list[bytes]:
        """Take the letters out of somebody's mailbox."""
        box = Maildir(self.host / "mail" / name)
        found = [(path, raw) for path, raw, _at in box.new()]
        for path, _raw in found:
            box.done(path)
        return [raw for _path, raw in found]

    def _attend(self, name: str, desk: Desk) -> int:
        new = self.fetch(name)
        self.got[name] += new
        left = self._early[name] + new
        while left:  # letters may have overtaken each other
            early = [raw for raw in left if not self._read(desk, raw)]
            if len(early) == len(left):
                break
            left = early
        self._early[name] = left
        if new:
            self._order(name, desk)
            self.on_its_way += [desk.tray.sent(path).read_bytes() for path in desk.tray.unsent()]
        return len(new)

    def _read(self, desk: Desk, raw: bytes) -> bool:
        kind = read_message(raw).message_id.split(".")[1]
        try:
            if kind in ("invitation", "roster"):
                desk.join(raw, self.at)
            else:
                desk.read(raw)
        except EarlierWanted:
            return False
        return True

    def _order(self, name: str, desk: Desk) -> None:
        try:
            notes = desk.notes()
            is_asked = desk.seat(notes).overview().state == "mine"
        except PbemError:  # he has only joined
            return
        if is_asked:
            _, view, pack = desk.question(notes)
            desk.order(notes, str(next(iter(pack.rules.options(view)))), "", self.at)
            self.sent[name] += 1

    def bring(self, most: int = 1000) -> int:
        """Bring some of what was sent to the host's mailbox; return how much."""
        count = min(most, len(self.on_its_way))
        for _ in range(count):
            self.deliver(self.on_its_way.popleft())
        return count

    def deliver(self, raw: bytes) -> None:
        """Put a mail into the host's mailbox."""
        Maildir(self.host / "mail" / "host").deliver(raw)

    # -- how it stands ----------------------------------------------------------------------------------------------------

    def open_games(self, env: Mapping[str, str] | None = None) -> int:
        """How many games are not over, by the host's own word."""
        code, said = typed(self.host, "games", "--json", env=env)
        assert code == 0, said
        return sum('"stage": "ended"' not in one for one in said.split('"number"')[1:])

    def has_all(self, env: Mapping[str, str] | None = None) -> str:
        """Compare what was sent with what the host has, and what it wrote with what came; say how much it is.

        Each order is one entry. Each letter has come, and one that has come twice is the same twice, under one Message-ID.
        """
        self.answer()
        code, said = typed(self.host, "audit", "--all", env=env)
        assert code == 0, said
        assert all(line.startswith("well") for line in said.splitlines()), said
        office = Office(self.host)
        try:
            written = stored_rows(office.store, "select message_id, address, kind, sent from outbox")
            orders: Counter[str] = Counter()
            for number in office.store.game_numbers():
                entries = StoredLedger(office.store, number, SEATS).entries()
                asked = [(entry["by"], entry["say"]["ask"]) for entry in entries if entry["k"] == "order"]
                assert len(asked) == len(set(asked)), "an order is in the log twice"
                orders.update(f"{by}{number}" for by, _ask in asked)
        finally:
            office.close()
        assert orders == self.sent
        # a receipt waits for a report, and does not go where that makes it needless
        must = [row for row in written if row["kind"] != "receipt"]
        assert {row["sent"] for row in must} == {SENT}
        came: dict[str, set[bytes]] = {}
        count = 0
        for name, letters in self.got.items():
            for raw in letters:
                count += 1
                came.setdefault(f"{read_message(raw).message_id} {name}", set()).add(raw)
        assert all(len(same) == 1 for same in came.values()), "one Message-ID, and two letters"
        lost, strange = _names(must) - set(came), set(came) - _names(written)
        assert not lost, f"these letters did not come: {sorted(lost)}"
        assert not strange, f"nobody wrote these: {sorted(strange)}"
        return f"{sum(orders.values())} orders, {len(came)} letters, {count - len(came)} of them twice"


def _names(rows: Iterable[Mapping[str, Any]]) -> set[str]:
    return {f"{row['message_id']} {row['address'].partition('@')[0]}" for row in rows}


def begun(crowd: Crowd, host: Host) -> None:
    """Start the host, and let all join."""
    host.start()
    host.hear("waiting for mail")
    while not crowd.answer():
        assert host.goes_on(PAUSE), "".join(host.said[-40:])
    crowd.bring()
    host.hear("joined: ")


def played(crowd: Crowd, host: Host, left: int = 0, env: Mapping[str, str] | None = None) -> None:
    """Let all play on to the end, at a host that nothing befalls any more; but for so many games that cannot end.

    How many are open is asked when nothing has come for a while, then ever more rarely: the question takes the host's processor.
    """
    quiet, ask = 0, QUIET
    while True:
        came, sent = crowd.answer(), crowd.bring()
        quiet, ask = (0, QUIET) if came or sent else (quiet + 1, ask)
        if quiet == ask:
            if crowd.open_games(env) <= left:
                return
            ask *= 2
        assert quiet < LONGEST / PAUSE, "".join(host.said[-40:])
        assert host.goes_on(PAUSE), "".join(host.said[-40:])
