"""One host, its players and all that lies between them, played in one process from one number.

The host is the real one: `Running` with its threads by turns, its store on a disk, its IMAP client. Between two of its steps it
may be killed, and is started again on what it left. Servers, disk, clock and players are drawn from the seed; so is what goes
wrong, for some days. Then the faults end, the operator does what the pages tell him, and the game must come to its end.

- **threads**: one works at a time; the seed chooses the next whenever one waits
- **kills**: as by `SIGKILL`, around each write, commit, letter and moved mail; several in a row over one mail
- **disk**: is full or locked; the store is missing or empty for a while
- **clock**: is wrong by a minute to some days, either way
- **IMAP**: is down, cuts lines before or after a command, lacks IDLE, records false times
- **ways in**: mailbox, folder, LMTP and pipe; mails come late, twice, out of order; unacknowledged ones come again
- **letters**: no server, “not now”, “never”, a line cut after delivery; late, twice, out of order
- **players**: answer late, twice or by another machine; revise, repeat and garble mail; use every statement and request
- **operator**: restarts the host; after the faults runs `pbem host retry` once a day
"""

from __future__ import annotations

import os
import random
import re
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from datetime import datetime
from pathlib import Path

from pbem.errors import PbemError, WorldError
from pbem.games import find
from pbem.host import Office, Running
from pbem.kernel import Json
from pbem.ledger.terms import terms
from pbem.mail import Maildir

from .disk import Disk
from .laws import Broken, Laws, Sent
from .mailing import Mailing
from .people import DAY, HOUR, Player, key_of
from .quick import quick
from .servers import EPOCH, Lmtp, Mail, Mailbox, Submission, instead_of_servers, moment
from .tasks import Killed, Program, Scheduler
from .troubles import Troubles

ADDRESS = "host@example.org"
LONGEST = 40 * DAY
"""So long a game may take after the faults have ended."""
STEPS = 400_000
MEMORY = Path("/dev/shm")  # noqa: S108 - a disk in memory, where there is one: a folder of its own is made there
_IMAP = '[in.imap]\nhost = "127.0.0.1"\ntls = "none"\nuser = "us"\npassword_file = "password"\nevery = 1800\n'
_MESSAGE_ID = re.compile(rb"^Message-ID:\s*<([^>]+)>", re.IGNORECASE | re.MULTILINE)


class World:
    """The world of one seed. `say` is called with each line of its trace."""

    def __init__(self, seed: int, folder: Path, say: Callable[[str], None] = lambda _: None) -> None:
        self.seed, self.folder, self._say = seed, folder, say
        random.seed(f"boundaries {seed}")  # Python's email draws them for the replies of other mail programs
        self.chance = random.Random(f"world {seed}")
        self.sim = Scheduler(random.Random(f"turns {seed}"))
        self.home, self.store = folder / "host", folder / "host" / "pbem.sqlite"
        self.address = ADDRESS
        self.steps = 0
        self.calm = False
        self.skew, self.latest_clock = 0, ""
        self.lies = 0.0
        self.disk, self.submission = Disk(self), Submission(self)
        self.mailbox = Mailbox(self, idle=self.chance.random() < 0.7)
        self.lmtp: Lmtp | None = None
        self.laws = Laws(self)
        self.host: Program | None = None
        self.running: Running | None = None
        self.down = False
        self.storm, self.lurks = 0, False
        self.store_is_gone = False
        self.troubles = Troubles(self)
        self._broken: Broken | None = None
        self._pending: list[tuple[Mail, Future[str], Program]] = []
        self._files: dict[str, list[Mail]] = {}
        self.ways = self._drawn_ways()
        self.game, self.options, self.terms = self._drawn_game()
        self.players: dict[str, Player] = {}

    def _drawn_ways(self) -> list[str]:
        more = [way for way in ("maildir", "lmtp", "pipe") if self.chance.random() < 0.3]
        return ["imap", *more] if more and self.chance.random() < 0.8 else more or ["imap"]

    def _drawn_game(self) -> tuple[str, Json, Json]:
        chance = self.chance
        if self.seed % 25 == 0:
            game, options = ("hammer", {}) if self.seed % 50 else ("lords", {})
        else:
            game, options = "tiny", {"players": chance.choice((2, 2, 3)), "turns": chance.choice((1, 1, 2))}
        hours = chance.choice((0, 6, 12, 24, 24, 48))
        return game, options, terms(hours, chance.choice((0, 0, 2)), chance.choice(("default", "default", "claim")), 48)

    def _drawn_kept(self, seats: Sequence[str]) -> list[str]:
        """The seats whose players have a mailbox and nothing else; none in some worlds."""
        chance = random.Random(f"kept {self.seed}")
        return [seat for seat in seats if chance.random() < 0.7] if chance.random() < 0.7 else []

    # -- what the actors see --------------------------------------------------------------------------------------------

    def note(self, what: str) -> None:
        """Write a line of the trace."""
        said = what.replace(str(self.folder), "").replace("\n", " ")
        self._say(f"{moment(self.sim.time)} {said[:160]}")

    def clock(self) -> str:
        """The time, as the host's clock has it."""
        now = moment(self.sim.time + self.skew)
        self.latest_clock = max(self.latest_clock, now)
        return now

    def date(self) -> datetime:
        """The true time."""
        return datetime.fromisoformat(moment(self.sim.time))

    def law(self, law: str, why: str) -> None:
        """A law is broken: the world ends with this step."""
        self._broken = self._broken or Broken(law, why)

    @staticmethod
    def name_of(raw: bytes) -> str:
        """The Message-ID of a letter of the host."""
        found = _MESSAGE_ID.search(raw)
        assert found is not None
        return found[1].decode()

    # -- mail to the host -----------------------------------------------------------------------------------------------

    def post(self, seat: str, raw: bytes, said: bytes = b"", *, whole: bool = True) -> None:
        """A player's server takes a mail: it will come, some time, perhaps twice. `said` is what its writer's program made."""
        known = next((sent for sent in self.laws.sent.values() if sent.raw == raw), None)
        sent = known or Sent(len(self.laws.sent), raw, seat, said or raw, whole=whole)
        self.laws.sent[sent.no] = sent
        if sent.order and sent not in (orders := self.laws.orders.setdefault(sent.order, [])):
            orders.append(sent)
        self._brings(sent, raw)
        if not self.calm and self.chance.random() < 0.08:
            self._brings(sent, b"Received: by another way\r\n" + raw)

    def post_by_hand(self, seat: str, raw: bytes, code: str = "") -> int:
        """A player's server takes a mail that nobody signed; return its number. `code`: it orders something for that question."""
        self.post(seat, raw, whole=False)
        sent = next(one for one in self.laws.sent.values() if one.raw == raw)
        if code and (found := self.laws.rows("select n from put_letters where code = ?", code)):
            sent.order = (seat, int(found[-1][0]))
            self.laws.orders.setdefault(sent.order, []).append(sent)
        return sent.no

    def _brings(self, sent: Sent, raw: bytes) -> None:
        from hashlib import sha256

        mail = Mail(sent.no, raw, self.chance.choice(self.ways))
        sent.copies.append(mail)
        sent.marks.add(sha256(raw).hexdigest())
        sent.marks.add(sha256(raw.replace(b"\r\n", b"\n")).hexdigest())  # as a folder holds it
        long = 0 if self.calm else self.chance.choice((60, 60, 600, 6 * HOUR))
        self.sim.after(self.chance.randint(0, long + 5), lambda: self._arrives(mail))

    def _arrives(self, mail: Mail) -> None:
        """A mail comes to a way in."""
        lie = (
            self.chance.choice((-3 * DAY, -2 * HOUR, -600, 600, 2 * HOUR, 3 * DAY))
            if self.chance.random() < self.lies
            else 0
        )
        match mail.way:
            case "imap":
                self._put(mail, moment(self.sim.time + lie))
                self.mailbox.arrive(mail)
            case "maildir":
                if self.disk.full and self.chance.random() < 0.5:
                    self.sim.after(600, lambda: self._arrives(mail))
                    return
                self._put(mail, moment(self.sim.time + lie))
                path = Maildir(self.home / "mail" / "host").deliver(mail.raw, EPOCH + self.sim.time + lie)
                self._files.setdefault(path.name, []).append(mail)
            case "lmtp":
                self._hands_over(mail)
            case _:
                self._pipes(mail)

    def _put(self, mail: Mail, stamp: str) -> None:
        if mail.stamp and self.laws._outcome(mail) != "not here":
            return  # it is here from an earlier try, with the time of that
        mail.put, mail.put_step, mail.stamp, mail.given_up = self.sim.time, self.steps, stamp, False
        mail.clock = moment(self.sim.time + self.skew)
        self.note(f"mail {mail.no} by {mail.way}, at {stamp}")

    def _again(self, mail: Mail) -> None:
        mail.given_up = True
        self.note(f"mail {mail.no} by {mail.way} comes again later")
        self.sim.after(self.chance.choice((60, 900, HOUR)), lambda: self._arrives(mail))

    def _hands_over(self, mail: Mail) -> None:
        if self.lmtp is None or self.host is None:
            self._again(mail)
            return
        self._put(mail, self.clock())
        future = self.lmtp.hand_in(mail.raw, "somebody@example.org", ADDRESS)
        self._pending.append((mail, future, self.host))

    def _pipes(self, mail: Mail) -> None:
        program = Program("pipe", self._kill_at(6))
        self._put(mail, self.clock())

        def work() -> None:
            office = self._office(program)
            try:
                office.expect(self.clock())
                self.note(f"pipe: {office.robot.take(mail.raw, self.clock(), 'pipe', None, ADDRESS)}")
                office.send(self.clock())
            finally:
                office.close()
            self.out(mail)

        def over() -> None:
            error = program.failed
            if error is not None and not isinstance(error, PbemError | OSError) and not _of_sqlite(error):
                self.law("goes on", f"“pbem host take” ends with {error!r}")
            if not mail.out:
                self._again(mail)

        program.leave.append(over)
        self.sim.spawn(program, "pipe", work)

    def taken_out(self, name: str) -> None:
        """A file has gone from the host's Maildir."""
        for mail in self._files.pop(name, []):
            self.out(mail)

    def out(self, mail: Mail) -> None:
        """The host has said that it has a mail."""
        mail.out = True
        try:
            self.laws.has(mail)
        except Broken as broken:
            self._broken = self._broken or broken

    # -- letters of the host --------------------------------------------------------------------------------------------

    def letter(self, address: str, raw: bytes) -> None:
        """The host's server has taken a letter: it will come, some time, perhaps twice."""
        self.note(f"letter {self.name_of(raw)}")
        player = next((one for one in self.players.values() if address in one.addresses), None)
        if player is None:
            self.law("accounted", f"a letter goes to {address}, whom nobody knows")
            return
        long = 30 if self.calm else self.chance.choice((60, 60, 900, 8 * HOUR))
        for _ in range(1 + (not self.calm and self.chance.random() < 0.05)):
            self.sim.after(self.chance.randint(0, long), lambda: player.gets(raw))

    # -- the host -------------------------------------------------------------------------------------------------------

    def _office(self, program: Program) -> Office:
        office = Office(self.home)

        def leave() -> None:
            if office._presence is not None:
                office._presence.close()
                office._presence = None

        program.leave.append(leave)
        return office

    def _kill_at(self, most: int = 60) -> int:
        if self.calm:
            return 0
        if self.storm:
            self.storm -= 1
            return self.chance.randint(1, self.chance.choice((12, 60, 90)))
        return self.chance.randint(1, most * 4) if self.chance.random() < 0.15 else 0

    def starts(self) -> None:
        """The supervisor starts the host."""
        if self.host is not None or self.down:
            return
        program = self.host = Program("host", self._kill_at())

        def work() -> None:
            self.running = None
            office = self._office(program)
            self.running = Running(
                office, self.clock, lambda said: self._hears(program, said), lambda: float(self.sim.time)
            )
            self.running.run()
            office.close()

        program.leave.append(lambda: self._ended(program))
        self.note("the host starts")
        self.sim.spawn(program, "host", work)

    def _hears(self, program: Program, said: str) -> None:
        program.works = True
        self.note(f"host: {said}")

    def _ended(self, program: Program) -> None:
        error = program.failed
        self.host, self.running, self.lmtp = None, None, None
        how = "was killed" if program.dead else f"ends: {error}" if error else "ends"
        self.note(f"the host {how}, after {program.steps} steps")
        if error is not None and (program.works or not (isinstance(error, PbemError | OSError) or _of_sqlite(error))):
            self.law("goes on", f"the host stops by itself: {error!r}")
        for mail, future, of in list(self._pending):
            if of is program and not future.done():
                self._pending.remove((mail, future, of))
                self._again(mail)
        if not self.down:
            wait = self.chance.choice((1, 5, 5, 60)) if self.storm or self.calm else self.chance.choice((5, 60, HOUR))
            self.sim.after(wait, self.starts)

    def decides_apart(self, folder: Path, number: int, passphrase: bytes | None) -> bool:
        """The process of its own that decides on a mail; it may die, too."""
        if not self.calm and self.chance.random() < 0.2:
            self.note("the process that decides apart dies")
            return False
        assert self.sim.now is not None
        self.note("a mail is decided apart")
        try:
            office = self._office(self.sim.now.program)
            try:
                office.robot.decide(number)
            finally:
                office.close()
        except (WorldError, sqlite3.OperationalError):
            self.note("it could not use the store")
        return True

    def _settle_pending(self) -> None:
        for mail, future, of in list(self._pending):
            if not future.done():
                continue
            self._pending.remove((mail, future, of))
            if future.cancelled() or future.exception() is not None:
                self._again(mail)
            else:
                self.out(mail)
                if not self.calm and self.chance.random() < 0.05:  # 250 was said to a line that was cut
                    mail.out = False
                    self._again(mail)

    def status(self) -> dict[str, Json]:
        """What “pbem host status” tells."""
        office = Office(self.home)
        try:
            return office.status()
        finally:
            office.close()

    # -- its course -----------------------------------------------------------------------------------------------------

    def begins(self) -> None:
        """The host is set up, the game opened, and everything takes its course."""
        every = self.chance.choice((1800, 7200, 14400))
        lmtp = "[in.lmtp]\n" if "lmtp" in self.ways else ""
        imap = _IMAP if "imap" in self.ways else ""
        maildir = '[in]\nmaildir = "mail/host"\n' if "maildir" in self.ways else ""
        office = Office.create(self.home, key_of("host"), ADDRESS)
        office.close()
        text = f'address = "{ADDRESS}"\nevery = {every}\n{maildir}{imap}{lmtp}[out]\nmaildir = "mail/{{local}}"\n'
        (self.home / "host.toml").write_text(text, "utf-8")
        (self.home / "password").write_text("secret", "utf-8")
        office = Office(self.home)
        pack = find(self.game)
        options = pack.complete(self.options)
        seats = pack.rules.seats(options)
        addresses = {seat: f"{seat}@example.org" for seat in seats}
        kept = self._drawn_kept(seats)
        office.robot.new_game(
            self.game, options, addresses, "A game", self.terms, f"fresh {self.seed % 4}", self.clock(), kept=kept
        )
        office.close()
        self.note(f"seed {self.seed}: {self.game} {options}, {self.terms}, by {' '.join(self.ways)}, every {every} s")
        for seat in seats:
            of_seat = random.Random(f"{self.seed} {seat}")
            self.players[seat] = (Mailing if seat in kept else Player)(self, seat, of_seat)
            self._whims(self.players[seat])
        self.starts()
        self.sim.after(self.chance.randint(0, DAY), self.troubles.comes)
        self.sim.after(self.chance.randint(3 * DAY, 12 * DAY), self._grows_calm)

    def _whims(self, player: Player) -> None:
        player.has_a_whim()
        if not self.calm:
            self.sim.after(self.chance.randint(HOUR, DAY), lambda: self._whims(player))

    def _grows_calm(self) -> None:
        """The faults end, and those that are left are mended."""
        if self.calm:
            return
        self.note("the faults end")
        self.calm = True
        self.troubles.finds_its_store()
        self.mailbox.away = self.submission.away = self.disk.full = self.disk.busy = False
        self.mailbox.cuts = self.submission.failing = self.lies = 0.0
        self.skew, self.storm, self.lurks = 0, 0, False
        if self.host is not None:
            self.host.kill_at = 0
        self.down = False
        self.starts()
        self.troubles.mends()

    def is_missing(self) -> str:
        """What is missing, that everything is over, in words; "" when it is."""
        if not self.laws.entries or self.laws.entries[-1]["k"] != "end":
            return f"the last entry is {self.laws.entries[-1]['k'] if self.laws.entries else 'none'}"
        if behind := [seat for seat, player in self.players.items() if not player.has_finished()]:
            return f"the copies of {', '.join(behind)} have not come to the end"
        if waiting := [copy.no for sent in self.laws.sent.values() for copy in sent.copies if not copy.out]:
            return f"mails have not been taken: {waiting}"
        if unsent := self.laws.rows("select message_id, last_error from outbox where sent = 0"):
            return f"letters have not been sent: {unsent}"
        return ""

    def lives(self) -> None:
        """Let it all happen. Raises Broken."""
        self.begins()
        ended: int | None = None
        while True:
            self.steps += 1
            self.sim.step()
            self._settle_pending()
            self.laws.look()
            if self._broken is not None:
                raise self._broken
            if not self.calm and self.laws.entries and self.laws.entries[-1]["k"] == "end":
                self._grows_calm()
            if self.host is None and self.steps % 8 == 0:
                self.laws.sound()
            if self.calm and ended is None:
                ended = self.sim.time
            if self.calm and self.steps % 16 == 0 and not self.is_missing():
                break
            if self.steps > STEPS or (ended is not None and self.sim.time > ended + LONGEST):
                raise Broken("goes on", f"it does not come to its end: {self.is_missing()}")
        if self.host is not None:
            self.sim.kill(self.host)
        self.laws.at_the_end()
        self.note(f"all is well, after {self.steps} steps and {len(self.laws.entries)} entries")

    def ends(self) -> None:
        """Leave nothing behind."""
        for program in list(self.sim.programs):
            self.down = True
            self.sim.kill(program)
        self.laws.look_away()


def _of_sqlite(error: BaseException) -> bool:
    return getattr(error, "sqlite_errorname", "").startswith(("SQLITE_FULL", "SQLITE_BUSY"))


def play(seed: int, say: Callable[[str], None] = lambda _: None) -> Broken | None:
    """Play the world of a seed; return the law that was broken, or None."""
    folder = Path(tempfile.mkdtemp(prefix="world-", dir=MEMORY if os.access(MEMORY, os.W_OK) else None))
    world = World(seed, folder, say)
    try:
        with quick(), world.sim.instead_of_threads(), world.disk.instead_of_the_disk(), instead_of_servers(world):
            try:
                world.lives()
            except Broken as broken:
                world.note(f"BROKEN {broken}")
                return broken
            finally:
                world.ends()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return None


__all__ = ["Killed", "World", "WorldError", "play"]
