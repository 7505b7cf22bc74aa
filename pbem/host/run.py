"""A host that runs on and on: it waits for mail at all its doors together, decides, sends, and keeps deadlines.

One thread decides and sends, and it alone touches the store. Each door has a thread of its own, which hands in what comes and
waits until that is stored before it says so to its server. A door or a server that fails is noted, and tried again after
growing waits; the rest goes on. `stop` may be called from a signal: what is being decided is finished first.
"""

from __future__ import annotations

import queue
import sqlite3
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Thread
from typing import TYPE_CHECKING

from pbem.errors import UsageError, WorldError

from .office import Office
from .post import later

if TYPE_CHECKING:
    from pbem.mail.imap import Bell, ImapBox
    from pbem.mail.lmtp import LmtpDoor

RETRY = (1, 2, 5, 15, 30, 60, 120, 300)
"""How many seconds until a mailbox that failed is tried again; after the last of these it stays so."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """A mail that a door hands in; `decided` is set once its decision is stored."""

    raw: bytes
    at: str
    door: str
    sender: str | None = None
    recipient: str | None = None
    decided: Future[str] = field(default_factory=Future)


@dataclass(frozen=True, slots=True)
class Word:
    """What a door says of itself: what fails, or "" when it works."""

    door: str
    trouble: str


class Running:
    """One host at work until it is stopped. `clock` tells the time, `say` is called with a line for what happened."""

    def __init__(self, office: Office, clock: Callable[[], str], say: Callable[[str], None]) -> None:
        self.office, self.clock, self.say = office, clock, say
        self._queue: queue.SimpleQueue[Arrival | Word | None] = queue.SimpleQueue()
        self._stopped = False
        self._bell: Bell | None = None
        self._known: dict[str, str] = {}

    def stop(self) -> None:
        """Let it come to its end."""
        self._stopped = True
        self._queue.put(None)
        if self._bell is not None:
            self._bell.ring()

    def is_stopped(self) -> bool:
        """Has it been told to come to its end?"""
        return self._stopped

    def run(self) -> None:
        """Work until `stop`."""
        door, watcher = self._open_doors()
        self.say("waiting for mail")
        try:
            self.office.robot.catch_up()
            look = ""
            while not self.is_stopped():
                if self.clock() >= look:
                    self._look_around()
                    look = later(self.clock(), seconds=self.office.settings.every)
                if not self._attend():
                    self.office.hang_up()
                    look = ""
        finally:
            self.stop()
            if door is not None:
                door.close()
            while watcher is not None and watcher.is_alive():
                self._send_home()
            if self._bell is not None:
                self._bell.close()

    # -- the thread that decides ------------------------------------------------------------------------------------

    def _look_around(self) -> None:
        """What no door tells of: the folder, deadlines, letters whose wait is over."""
        if self.office.inbox is not None:
            try:
                for outcome in self.office.look_into_folder():
                    self.say(outcome)
                self._hear(Word("maildir", ""))
            except WorldError as error:
                self._hear(Word("maildir", str(error)))
        try:
            self.office.robot.tick(self.clock())
        except (WorldError, sqlite3.Error) as error:  # the store is busy: next time
            self.say(f"deadlines were not looked at: {error}")
        self._send()

    def _attend(self) -> bool:
        """Decide what comes in, and send what follows; was there anything before it was time to look around?"""
        try:
            what = self._queue.get(timeout=self.office.settings.every)
            while True:
                if isinstance(what, Word):
                    self._hear(what)
                elif what is not None:
                    self._decide(what)
                if self.is_stopped() or self._queue.empty():
                    break
                what = self._queue.get()
        except queue.Empty:
            return False
        self._send()
        return True

    def _decide(self, mail: Arrival) -> None:
        if not mail.decided.set_running_or_notify_cancel():
            return  # the door was left meanwhile: the mail comes again
        try:
            outcome = self.office.robot.take(mail.raw, mail.at, mail.door, mail.sender, mail.recipient)
        except (WorldError, sqlite3.Error) as error:
            self.say(f"not taken: {error}")
            mail.decided.set_exception(WorldError(f"The host's store cannot be used now: {error}"))
            return
        mail.decided.set_result(outcome)
        self.say(outcome)

    def _send(self) -> None:
        try:
            for trouble in self.office.send(self.clock(), self.is_stopped):
                self.say(trouble)
        except (WorldError, sqlite3.Error) as error:
            self.say(f"letters wait: {error}")

    def _hear(self, word: Word) -> None:
        """Note what a door says, and say it once."""
        if self._known.get(word.door, "") != word.trouble:
            self._known[word.door] = word.trouble
            self.say(f"{word.door}: {word.trouble or 'it works again'}")
        self.office.note(word.door, word.trouble, self.clock())

    def _send_home(self) -> None:
        """At the end: who still waits is told to come again."""
        with suppress(queue.Empty):
            what = self._queue.get(timeout=0.05)
            if isinstance(what, Arrival) and what.decided.set_running_or_notify_cancel():
                what.decided.set_exception(WorldError("The host is being stopped."))

    # -- the doors --------------------------------------------------------------------------------------------------

    def _open_doors(self) -> tuple[LmtpDoor | None, Thread | None]:
        door: LmtpDoor | None = None
        watcher: Thread | None = None
        settings = self.office.settings
        if settings.in_.lmtp is not None:
            from pbem.mail.lmtp import LmtpDoor

            door = LmtpDoor(settings.in_.lmtp, settings.is_ours, self._hand_in)
            door.open()
        if (box := self.office.mailbox()) is not None:
            from pbem.mail.imap import Bell

            self._bell = Bell()
            watcher = Thread(target=self._watch, args=(box, self._bell), name="mailbox")
            watcher.start()
        return door, watcher

    def _hand_in(self, raw: bytes, sender: str | None, recipient: str | None) -> Future[str]:
        mail = Arrival(raw, self.clock(), "lmtp", sender, recipient)
        self._queue.put(mail)
        return mail.decided

    def _watch(self, box: ImapBox, bell: Bell) -> None:
        """Hand in what comes into the mailbox, move it once it is stored, and wait for more."""
        failed = 0
        while not self.is_stopped():
            try:
                for number, raw, at in box.new():
                    mail = Arrival(raw, at, "imap")
                    self._queue.put(mail)
                    mail.decided.result()
                    box.done(number)
                    if self.is_stopped():
                        break
                else:
                    self._queue.put(Word("imap", ""))
                    failed = 0
                    box.wait(bell)
            except (WorldError, UsageError) as error:
                self._queue.put(Word("imap", str(error)))
                failed += 1
                bell.wait(RETRY[min(failed, len(RETRY)) - 1])
        box.close()
