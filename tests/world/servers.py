"""The mail servers around the host: a mailbox, a server that hands over (LMTP, or a program by a pipe), one that takes letters.

They do what a server may do: be away, cut a line before or after they did what they were asked, refuse for now, deliver late, twice
or out of order, and write down a false time. They never forget what they have taken. What is simulated stands below the host's own
code: its IMAP client talks to these folders in the place of the library's.
"""

from __future__ import annotations

import imaplib
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from pbem.errors import NotTaken, WorldError
from pbem.host import locks

if TYPE_CHECKING:
    from .world import World

EPOCH = 1893456000
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def moment(seconds: int) -> str:
    """The time so many seconds after the beginning of 2030."""
    return datetime.fromtimestamp(EPOCH + seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@dataclass(slots=True)
class Mail:
    """One copy of a mail on its way to the host."""

    no: int
    raw: bytes
    way: str = ""
    put: int = 0
    """When it came to where the host finds it, in seconds."""
    clock: str = ""
    """What the host's clock said then."""
    stamp: str = ""
    """When it came, as the way says."""
    put_step: int = 0
    """The step of the world in which that was."""
    given_up: bool = False
    """Was the last try to hand it over in vain? Then it is on its way again."""
    out: bool = False
    """Has the host said that it has it? Then nobody brings it again."""


class Bell:
    """The host's bell, on the world's clock."""

    def __init__(self, world: World) -> None:
        self._world, self.rung, self.nudged = world, False, False

    def ring(self) -> None:
        self.rung = True

    def nudge(self) -> None:
        self.nudged = True

    def wait(self, seconds: float, *others: object) -> None:
        box = next((other for other in others if isinstance(other, Session)), None)
        self._world.sim.wait_for(lambda: self.rung or self.nudged or bool(box and box.speaks()), max(1, int(seconds)))
        self.nudged = False

    def close(self) -> None:
        self.rung = True


class Mailbox:
    """A mailbox of a mail server."""

    def __init__(self, world: World, idle: bool) -> None:
        self.world, self.idle = world, idle
        self.inbox: dict[int, Mail] = {}
        self.processed: dict[int, Mail] = {}
        self.last = self.came = 0
        self.away = False
        self.cuts = 0.0
        """How likely it is that a line is cut at a command."""

    def arrive(self, mail: Mail) -> None:
        self.last += 1
        self.came += 1
        self.inbox[self.last] = mail

    def answer(self, work: Callable[[], Any], most: int = 2) -> Any:
        """Do what a client asks, in some seconds; or be away, or cut the line before or after."""
        sim, chance = self.world.sim, self.world.chance
        sim.takes(chance.randint(0, most))
        luck = chance.random()
        if self.away:
            raise TimeoutError if luck < 0.3 else ConnectionRefusedError
        if luck < self.cuts / 2:
            raise imaplib.IMAP4.abort("socket error: EOF")
        found = work()
        sim.seam()
        if luck < self.cuts:
            raise ConnectionResetError
        return found


class Session:
    """One connection to the mailbox: what the host's client needs of the library's."""

    def __init__(self, box: Mailbox) -> None:
        self.mailbox, self.client, self.folder, self._seen = box, self, self, 0
        self.sock = self
        box.answer(lambda: None)
        self.capabilities = ("IDLE", "MOVE") if box.idle else ("MOVE",)

    def enter(self, *_: object) -> None:
        self.mailbox.answer(lambda: None)

    def exists(self, _: str) -> bool:
        return True

    def set(self, _: str) -> None:
        self.mailbox.answer(lambda: None)

    def noop(self) -> None:
        self.mailbox.answer(lambda: None)

    def response(self, _: str) -> tuple[str, list[bytes | None]]:
        told = self.mailbox.came > self._seen
        self._seen = self.mailbox.came
        return "EXISTS", [b"%d" % len(self.mailbox.inbox) if told else None]

    def uids(self, *_: object, **__: object) -> list[str]:
        found: list[str] = self.mailbox.answer(lambda: [str(number) for number in self.mailbox.inbox])
        return found

    def uid(self, _: str, number: str, what: str) -> tuple[str, list[Any]]:
        mail: Mail | None = self.mailbox.answer(lambda: self.mailbox.inbox.get(int(number)))
        if mail is None:
            return "OK", [None]
        start, size = map(int, what.partition("<")[2].partition(">")[0].split("."))
        piece = mail.raw[start : start + size]
        head = f'{number} (UID {number} INTERNALDATE "{self._date(mail)}" BODY[]<{start}> {{{len(piece)}}}'
        return "OK", [(head.encode(), piece), b")"]

    def _date(self, mail: Mail) -> str:
        at = datetime.fromisoformat(mail.stamp).astimezone(timezone(timedelta(hours=mail.no % 24 - 11)))
        return f"{at.day:2d}-{_MONTHS[at.month - 1]}-{at:%Y %H:%M:%S %z}"

    def move(self, number: str, _: str) -> None:
        self.mailbox.answer(lambda: self._moved(int(number)))

    def _moved(self, number: int) -> None:
        mail = self.mailbox.inbox.pop(number, None)
        if mail is not None:
            self.mailbox.processed[number] = mail
            self.mailbox.world.out(mail)

    def speaks(self) -> bool:
        """IDLE: has something come, or is the line cut?"""
        return self.mailbox.away or self.mailbox.came > self._seen

    def logout(self) -> None:
        """Take leave; nobody waits for an answer."""

    def shutdown(self) -> None:
        """Close the line."""


class _Idle:
    def __init__(self, session: Session) -> None:
        self._session = session

    def start(self) -> None:
        self._session.mailbox.answer(lambda: None)

    def has_said(self) -> bool:
        return self._session.speaks()

    def wait_or_ring(self, bell: Bell, most: float) -> None:
        bell.wait(most, self._session)

    def stop(self) -> None:
        self._session.mailbox.answer(lambda: None)


class Lmtp:
    """Where a mail server on its machine hands the host mail over."""

    def __init__(self, world: World, hand_in: Callable[[bytes, str | None, str | None], Future[str]]) -> None:
        self._world, self.hand_in = world, hand_in

    def open(self) -> None:
        program = self._world.sim.now
        assert program is not None
        self._world.lmtp = self
        program.program.leave.append(self.close)

    def close(self) -> None:
        if self._world.lmtp is self:
            self._world.lmtp = None


class Submission:
    """The server that takes the host's letters."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.away, self.failing = False, 0.0
        self.taken: set[str] = set()
        self.refused: set[str] = set()

    def carry(self, sender: str, address: str, raw: bytes) -> None:
        """Take a letter, or fail before or after."""
        world = self.world
        world.sim.takes(world.chance.randint(0, 1))
        luck = world.chance.random()
        if self.away:
            raise WorldError("The submission server does not answer.")
        if luck < self.failing / 3:
            raise WorldError("The line was cut.")
        if luck < self.failing / 2:
            raise NotTaken("450 not now", for_good=False)
        if luck < self.failing / 2 + self.failing / 50:
            self.refused.add(world.name_of(raw))
            raise NotTaken("550 no such mailbox", for_good=True)
        self.taken.add(world.name_of(raw))
        world.letter(address, raw)
        world.sim.seam()
        if luck > 1 - self.failing / 3:
            raise WorldError("The line was cut after the letter.")

    def check(self, sender: str) -> str:
        """It is never tried."""
        return sender

    def close(self) -> None:
        """Nothing stays open."""


class _Locks:
    """Locks for which nobody waits but on the world's clock."""

    def __init__(self, world: World) -> None:
        self._world = world

    @staticmethod
    def at_once(path: Path) -> AbstractContextManager[bool]:
        return locks.at_once(path)

    def alone(self, path: Path, wait: float = 0) -> locks.Lock | None:
        lock = locks.alone(path)
        if lock is None and wait:
            self._world.sim.takes(1)
        return lock


class _NoLimit:
    """The servers of this world answer at once or not at all."""

    is_over = False

    def during(self) -> AbstractContextManager[None]:
        return nullcontext()

    def close(self) -> None:
        """There is nothing to close."""


@contextmanager
def instead_of_servers(world: World) -> Iterator[None]:
    """Let the host's ways in and out be those of this world."""
    with (
        patch("pbem.mail.imap._MailBox", lambda *_: Session(world.mailbox)),
        patch("pbem.mail.imap._Idle", _Idle),
        patch("pbem.mail.connection.tls_context", lambda *_: None),
        patch("pbem.mail.connection.Limit", lambda *_: _NoLimit()),
        patch("pbem.host.stuck.decide_alone", world.decides_apart),
        patch("pbem.mail.imap.Bell", lambda: Bell(world)),
        patch("pbem.mail.lmtp.LmtpServer", lambda _, __, hand_in: Lmtp(world, hand_in)),
        patch("pbem.host.sending.carrier", lambda *_, **__: world.submission),
        patch("pbem.host.sending.locks", _Locks(world)),
    ):
        yield
