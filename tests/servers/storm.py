"""A storm over a whole game: a host on a real mailbox and a real submission server, killed again and again by SIGKILL.

    python -m tests.servers.storm GAME SEED KILLS        with servers of its own; prints what happened

Everything is drawn from the seed. The club's clock begins in 2020 and goes on by hours; mail is put into the host's mailbox
with the time it came (INTERNALDATE), and letters leave by submission. Between two looks at the mailbox the host may be down for
days, over deadlines; it is killed at a step counted beforehand (an SQL statement, a file opened or renamed, a line said to the
mail server); its clock leaps and is put right; its store finds no room; its mailbox cannot be reached. Players answer early and
late, once and twice. The settings are the true ones. At the end `judge` looks at every mail: what was in the mailbox in time is
in the log, nothing is there twice.
"""

from __future__ import annotations

import imaplib
import os
import random
import ssl
import sys
import tempfile
import traceback
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

from pbem.errors import PbemError, UsageError
from pbem.games import find, manifest
from pbem.host import Office
from pbem.ledger import Log
from pbem.ledger.terms import terms
from pbem.referee.audit import audit
from tests.host import killed_host
from tests.stored import stored_rows

from . import real
from .players import Player

FIRST = datetime(2020, 6, 1, tzinfo=UTC)
"""In the past, as Dovecot takes no mail that comes from the future."""
HOURS, GRACE = 24, 6
LATEST = 34
"""A player answers after at most so many hours: some answers come too late, with grace and all."""
LONGEST = 500
"""A run of the host is killed within its first so many steps, or not at all."""
SEATS = {"tiny": {"ann": "ann", "bob": "bob"}, "lords": {"angus": "ann", "buchan": "bob"}}
OPTIONS: dict[str, dict[str, int]] = {"tiny": {"players": 2, "turns": 8}, "lords": {"players": 2}}


class Steps(killed_host.Steps):
    """Counts what the host tells a server, too."""

    def watch(self, event: str, args: tuple[Any, ...]) -> None:
        super().watch(event, args)
        if event in ("imaplib.send", "smtplib.send"):
            self.count()


def moment(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


@dataclass(slots=True)
class Told:
    """What happened in a storm."""

    kills: int = 0
    runs: int = 0
    down: int = 0
    leaps: int = 0
    full: int = 0
    cut: int = 0
    mails: int = 0
    late: int = 0
    skips: int = 0
    doubted: set[int] = field(default_factory=set)
    """Questions that a player would not answer at first, as their letter had come too late."""
    faults: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        counted = ", ".join(f"{name} {getattr(self, name)}" for name in self.__slots__ if name != "faults")
        return "\n".join([*self.faults, counted])


@dataclass(frozen=True, slots=True)
class Sent:
    """An order, when it came into the host's mailbox, and until when its question promised to be open."""

    seat: str
    ask: int
    at: datetime
    due: str


class Storm:
    """One game in one storm."""

    def __init__(self, folder: Path, servers: real.Servers, home: Path, game: str, seed: str, kills: int) -> None:
        self.home, self.servers, self.kills = home, servers, kills
        self.chance, self.told = random.Random(seed), Told()
        self.players = {seat: Player(folder, servers, seat, game, at=name) for seat, name in SEATS[game].items()}
        self.now = FIRST
        self.leap = 0
        """How far the clock was wrong last; never twice alike, as one that says the same for an hour is believed."""
        self.waiting: list[tuple[datetime, Sent | None, bytes]] = []
        self.sent: list[Sent] = []
        self.settings = (home / "host.toml").read_text("utf-8")

    # -- the world ------------------------------------------------------------------------------------------------------

    def play(self) -> Told:
        """From the invitations to the end of the game, whatever happens on the way; then look at what is there."""
        calm = 0
        while not self._is_over() and calm < 400:
            self.now += timedelta(minutes=self.chance.randint(20, 300))
            self._arrive()
            if self.chance.random() < 0.06:
                self.now += timedelta(hours=self.chance.randint(10, 100))  # nobody looks after the host
                self.told.down += 1
                self._arrive()
            for _ in range(self.chance.randint(1, max(5, self.kills // 50))):
                self._work(self._weather())
            if self.told.kills >= self.kills:
                calm += 1
                self._work("")
            self.servers.deliver()  # by the club's clock letters take no time: that of the machine is another
            for player in self.players.values():
                self._attend(player)
        for _ in range(3):  # mails of which the host believed that they kill it have their time too
            self.now += timedelta(days=3)
            self._arrive()
            self._work("")
        self.told.mails = len(self.sent)
        self._judge()
        return self.told

    def _is_over(self) -> bool:
        return all(player.over for player in self.players.values())

    def _weather(self) -> str:
        return self.chance.choices(("kill", "leap", "full", "cut", ""), (30, 2, 3, 3, 4))[0]

    def _arrive(self) -> None:
        """Put what has been sent meanwhile into the host's mailbox, with the time it came; some of it twice."""
        there = [mail for mail in self.waiting if mail[0] <= self.now]
        self.waiting = [mail for mail in self.waiting if mail[0] > self.now]
        if not there:
            return
        context = ssl.create_default_context(cafile=str(self.servers.certificate))
        with imaplib.IMAP4_SSL("localhost", self.servers.imaps, ssl_context=context) as box:
            box.login("host", real.PASSWORD)
            for at, order, raw in sorted(there, key=lambda mail: mail[0]):
                for _ in range(1 + (self.chance.random() < 0.15)):
                    box.append("INBOX", "", at.strftime('"%d-%b-%Y %H:%M:%S +0000"'), raw)
                if order is not None:
                    self.sent.append(order)

    def _attend(self, player: Player) -> None:
        """A player reads, and writes what will come after a while."""
        for number, raw, _ in list(player.box.new(32_000_000)):
            raw = (
                f"Received: by the club's clock; {format_datetime(self.now)}\r\n".encode() + raw
            )  # the servers know another
            reading = player.desk.read(raw)
            assert all("has shortened the agreed time to answer" in warning for warning in reading.warnings), (
                reading.warnings
            )
            player.box.done(number)
            if reading.game:
                self._answer(player, raw, reading.game)

    def _answer(self, player: Player, raw: bytes, game: str) -> None:
        desk, notes, at = player.desk, player.desk.notes(game), moment(self.now)
        course = desk.course(notes)
        player.over = course.phase == "over"
        order: Sent | None = None
        delay = timedelta(minutes=self.chance.randint(1, 60))
        if course.phase in ("roster", "ready"):
            desk.join(raw, at)
        elif (on := course.question) and player.seat in course.waiting and notes.revisions.get(str(on.n)) is None:
            _, view, _ = desk.question(notes)
            try:
                desk.order(notes, str(player.bot.answer(view, self.chance)), "", at)
            except UsageError as doubt:  # a letter that came late: one with more time is to follow
                if "--anyway" not in str(doubt):
                    raise
                self.told.doubted.add(on.n)
                return
            delay = timedelta(minutes=self.chance.randint(1, 60 * LATEST))
            order = Sent(player.seat, on.n, self.now + delay, course.due)
        for path in desk.tray.unsent():
            letter = desk.tray.sent(path).read_bytes()
            self.waiting.append((self.now + delay, order, letter))

    # -- the host -------------------------------------------------------------------------------------------------------

    def _work(self, weather: str) -> None:
        """Let the host look once, in a process of its own, in this weather."""
        kill_at = 0
        if weather == "kill" and self.told.kills < self.kills:
            kill_at = self.chance.randint(1, LONGEST)
        now, pages = self.now, self.chance.randint(0, 12) if weather == "full" else -1
        if weather == "leap":
            self.leap = self.chance.choice([hours for hours in (80, 500, 90_000) if hours != self.leap])
            now += timedelta(hours=self.leap)
            self.told.leaps += 1
        self.told.full += weather == "full"
        self.told.cut += weather == "cut"
        if weather == "cut":
            (self.home / "host.toml").write_text(
                self.settings.replace(f"port = {self.servers.imaps}", f"port = {self.servers.door}"), "utf-8"
            )
        self.told.runs += 1
        child = os.fork()
        if not child:
            try:
                self._one_look(moment(now), kill_at, pages)
                os._exit(0)
            except BaseException:  # noqa: BLE001 - whatever it is, the parent must hear of it
                traceback.print_exc()
                os._exit(1)
        _, status = os.waitpid(child, 0)
        (self.home / "host.toml").write_text(self.settings, "utf-8")
        if not os.WIFSIGNALED(status) and os.WEXITSTATUS(status):
            raise SystemExit("the host failed by itself")
        self.told.kills += os.WIFSIGNALED(status)

    def _one_look(self, now: str, kill_at: int, pages: int) -> None:
        steps = Steps(self.home, kill_at)
        sys.addaudithook(steps.watch)
        office = Office(self.home)
        db = office.store.db
        if pages >= 0:
            (size,), (free,) = (db.execute(f"pragma {name}").fetchone() for name in ("page_count", "freelist_count"))
            db.execute(f"pragma max_page_count = {size - free + pages}").fetchall()
        db.conn.set_trace_callback(steps.count)
        with suppress(*([PbemError] if pages >= 0 else [])):  # on a full disk it says "try again"
            office.work(now)
        office.close()

    # -- what it came to ------------------------------------------------------------------------------------------------

    def _judge(self) -> None:
        office = Office(self.home)
        faults, told = self.told.faults, self.told
        try:
            whole = office.robot.house.game(1).exported().dump()
            status = office.status()
            inbox = stored_rows(office.store, "select outcome from inbox")
        finally:
            office.close()
        verdict = audit(whole, lambda game: (find(game).rules, manifest(game)[1])).verdict
        if verdict.verdict != "clean":
            faults.append(f"the log: {verdict}")
        log = Log.parse(whole)
        answers = {(e.fields["by"], e.fields["say"]["ask"]) for e in log.entries if e.k == "order"}
        skips = {(e.fields["to"], e.fields["ask"]): e.fields["why"] for e in log.entries if e.k == "skip"}
        told.skips = len(skips)
        lengthened = {e.fields["ask"] for e in log.entries if e.k == "extend"}
        faults += [f"question {n} was sent late, and nobody had more time for it" for n in told.doubted - lengthened]
        for sent in self.sent:
            in_time = moment(sent.at) <= sent.due
            told.late += not in_time
            if (
                in_time
                and (sent.seat, sent.ask) not in answers
                and skips.get((sent.seat, sent.ask)) not in ("only", "out")
            ):
                why = skips.get((sent.seat, sent.ask), "no skip")
                faults.append(
                    f"{sent.seat}'s answer to {sent.ask} came at {moment(sent.at)}, due {sent.due}; in the log: {why}"
                )
        faults += [f"a mail is {row['outcome']}" for row in inbox if row["outcome"].startswith(("failed", "error"))]
        faults += [f"a mail has no outcome ({len(inbox)})" for row in inbox if not row["outcome"]]
        if status["mails_unsent"]:
            faults.append(f"{status['mails_unsent']} letters are not sent")
        for player in self.players.values():
            copy = player.desk.copy(player.desk.notes()).log.dump()
            mine = [line for line in copy.split(b"\n") if line.startswith(b"{")]
            theirs = [line for line in whole.split(b"\n") if line.startswith(b"{")]
            if len(mine) != len(theirs):
                faults.append(f"{player.seat}'s copy has {len(mine)} entries of {len(theirs)}")


def storm(folder: Path, servers: real.Servers, game: str, seed: str, kills: int) -> Told:
    """Play a game in a storm; return what happened."""
    from .games import a_host

    home = a_host(folder, servers, "imap smtp")
    office = Office(home)
    addresses = {seat: f"{name}@players.test" for seat, name in SEATS[game].items()}
    office.robot.new_game(game, {**OPTIONS[game]}, addresses, "A storm", terms(HOURS, GRACE), seed, moment(FIRST))
    office.close()
    played = Storm(folder, servers, home, game, seed, kills)
    try:
        return played.play()
    finally:
        for player in played.players.values():
            player.box.close()


def main(game: str, seed: str, kills: int) -> int:
    """Play with servers started for it; return the exit code."""
    with tempfile.TemporaryDirectory() as name, real.running(Path(name) / "servers", "host", "ann", "bob") as servers:
        told = storm(Path(name), servers, game, seed, kills)
    print(told)
    return 1 if told.faults else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
