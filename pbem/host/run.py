"""A host that runs continuously: it waits for mail on all ways in together, decides, sends, and keeps deadlines.

One thread decides and sends, and it alone writes to the store. Each way in has a thread of its own. It passes on what arrives, and
acknowledges it to its server only once it is stored. The web address has a thread too, which reads the store over a connection of
its own.

A way in or a server that fails is noted, and tried again after growing delays. The others continue, even after an error of the
program itself. One guard (`_go_round`) surrounds each whole cycle, so no read can escape it. If the database is away when the host
starts, the host waits for it (`when_there`). `stop` may be called from a signal: a decision under way is finished first. Letters
are sent one by one; mail that has arrived is decided before the next.

Deadlines are checked when all earlier mail has been decided. Each mail bears the moment at which it was passed in, and none bears
one before a check that has begun. The clock is compared with one that cannot be set (`pulse`): if the difference changes, the clock
has leapt.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import field
from datetime import datetime
from itertools import chain, repeat
from threading import Lock, Thread
from typing import TYPE_CHECKING, TypeVar

from pbem.errors import PbemError, StoreAway, StoreError, UsageError, WorldError
from pbem.i18n import _
from pbem.records import dataclass
from pbem.spool import taken

from .arrivals import CLUB_DOOR, DOOR, HANDED_BY
from .moments import later
from .office import Office
from .store import is_server
from .store.wire import news

if TYPE_CHECKING:
    from pbem.mail.imap import Bell, ImapBox
    from pbem.mail.lmtp import LmtpServer

    from .door import OpenDoor, OpenPages

T = TypeVar("T")

LEAP = 600
"""The number of seconds by which the clock may run ahead of the one that cannot be set."""
RETRY = (1, 2, 5, 15, 30, 60, 120, 300)
"""The seconds until a failed mailbox is tried again; the last value repeats."""
STARTING = (1, 2, 5, 15)
"""The seconds until a store that is away is tried again; the last value repeats."""
STORE_AWAY = "store"  # what a host says does not work while its store cannot be used
PATIENCE = 60
"""The number of twentieths of a second that a mailbox gets at the end; unfinished work is repeated at the next start."""


@dataclass(frozen=True, slots=True)
class HandedIn:
    """A mail that has come by a way in; `decided` is set once its decision is stored."""

    raw: bytes
    at: str
    way: str
    sender: str | None = None
    recipient: str | None = None
    decided: Future[str] = field(default_factory=Future)


@dataclass(frozen=True, slots=True)
class WayNews:
    """What a way in says of itself: what fails, or "" when it works; then, when the look began in which it was read completely."""

    way: str
    trouble: str
    read: str = ""


class Running:
    """One host at work until it is stopped. `clock` tells the time, `say` is called with a line for what happened.

    `pulse` tells how many seconds have gone by, by a clock that nobody sets.
    """

    def __init__(
        self,
        office: Office,
        clock: Callable[[], str],
        say: Callable[[str], None],
        pulse: Callable[[], float] = time.monotonic,
    ) -> None:
        self.office, self.clock, self.say, self.pulse = office, clock, say, pulse
        self._stamping = Lock()
        self._last: tuple[str, float] | None = None
        self.alive: Callable[[], None] = lambda: None
        """Called between two pieces of work, from any thread."""
        self._missed = ""
        self._has_read = False
        self._next_look = ""
        self._queue: queue.SimpleQueue[HandedIn | WayNews | None] = queue.SimpleQueue()
        self._stopped = False
        self._bell: Bell | None = None
        self._door: OpenDoor | None = None
        self._pages: OpenPages | None = None
        self._listener: Thread | None = None
        self._known: dict[str, str] = {}
        self._stuck: list[str] = []

    def stop(self) -> None:
        """Let it come to its end."""
        self._stopped = True
        self._queue.put(None)
        if self._bell is not None:
            self._bell.ring()

    def interrupt(self) -> None:
        """Let it come to its end, called from a signal in the thread that decides: it waits for no mail server then."""
        self.stop()
        self.office.sending.leave_server()

    def is_stopped(self) -> bool:
        """Has it been told to come to its end?"""
        self.alive()
        return self._stopped

    def run(self) -> None:
        """Work until `stop`."""
        if when_there(self._begin, self.say, self._rest) is None:
            return
        self._open_door()
        self._open_pages()
        lmtp, watcher = self._open_ways()
        self._listen_to_others()
        self.say(_("waiting for mail"))
        self._try("mail folders", lambda: self.office.sweep(self.clock()))
        try:
            while not self.is_stopped():
                self._go_round()
        finally:
            self.stop()
            for shown in (self._door, self._pages):
                if shown is not None:
                    shown.close()
            if lmtp is not None:
                lmtp.close()
            for _round in range(PATIENCE):
                if watcher is None or not watcher.is_alive():
                    break
                self._send_home()
            if self._listener is not None:
                self._listener.join(2 * RETRY[1])

    # -- the thread that decides ------------------------------------------------------------------------------------

    def _begin(self) -> bool:
        """Note that the host is at work again, before any deadline is looked at."""
        self.office.expect(self.clock())
        self.office.robot.arrivals.look(self._now(), started=True)
        return True

    def _rest(self, seconds: float) -> bool:
        """Wait before the store is tried again at the start; was the host told to stop meanwhile?"""
        with suppress(queue.Empty):
            self._queue.get(timeout=seconds)
        return self.is_stopped()

    def _go_round(self) -> None:
        """Do one cycle: look around when it is time, then attend to what comes. Whatever fails in it, the next cycle follows.

        A cycle that fails has waited for mail, has taken something from the queue, or has moved the next look on: none follows at
        once without end.
        """
        try:
            if (
                self.clock() >= self._next_look
                or later(self.clock(), seconds=self.office.settings.every) < self._next_look
            ):
                try:
                    self._look_around()
                finally:
                    self._next_look = later(self.clock(), seconds=self.office.settings.every)
            if not self._attend():
                self._next_look = ""
                self.office.sending.hang_up()
        except Exception as error:  # noqa: BLE001 - a host goes on, whatever its work meets
            with suppress(Exception):
                self._hear(WayNews(STORE_AWAY if isinstance(error, StoreAway) else "work", _why(error)))
        else:
            if self._known.get("work"):
                self._hear(WayNews("work", ""))

    def _look_around(self) -> None:
        """Handle everything that no way in announces: undecided mail, the folder, deadlines, letters that are due."""
        self._try("mail", self._catch_up)  # what came first is decided first
        with suppress(WorldError, UsageError):  # it was said when the host began
            self._open_door()
            self._open_pages()
        now = self._now()
        if self.office.inbox is not None and not self.is_stopped():
            self._try("maildir", lambda: self._look_into_folder(now))
        if self.is_stopped():
            return
        self._look_at_deadlines(now)
        if self._bell is not None and not self._known.get("imap") and self.office.robot.arrivals.held():
            self._bell.nudge()  # it may have been read completely before the time was over, and be silent since
        self._try("events", lambda: self.office.open_rounds(now))
        self._try("signatures", lambda: self.office.vouching.work(now))
        self._send()
        if not self.is_stopped() and self._queue.empty():
            self._try("pages", self.office.show)
        if self._pages is not None and self._pages.settings.metrics:
            self._try("metrics", self._tell_numbers)

    def _catch_up(self) -> None:
        self.office.robot.catch_up(self.is_stopped)
        if self._known.get(STORE_AWAY):
            with self.office.store.decision():  # it can be written to
                self._store_is_there()

    def _look_into_folder(self, now: str) -> None:
        for outcome in self.office.look_into_folder(now):
            self.say(outcome)
            if self.is_stopped():
                break

    def _look_at_deadlines(self, now: str) -> None:
        """Decide on all mail passed in until `now`, and then on the deadlines past by then."""
        while not self.is_stopped() and not self._queue.empty():
            self._meet(self._queue.get())
        self._has_read = False
        self._try("deadlines", lambda: self._tick(now))
        self._say_what_is_stuck()

    def _tick(self, now: str) -> None:
        self._note_what_was_turned_away(now)
        for outcome in taken(self.office.folder, self.office.robot.take, now):
            self.say(outcome)
        self.office.robot.tick(now)

    def _note_what_was_turned_away(self, now: str) -> None:
        """Note that a mail server keeps what could not be taken: it comes later than it came there."""
        if self._missed:
            self.office.robot.arrivals.turned_away(self._missed, now)
            self._missed = ""

    def _say_what_is_stuck(self) -> None:
        said = self.office.stumbled()
        for line in said:
            if line not in self._stuck:
                self.say(line)
        self._stuck = said

    def _now(self) -> str:
        """Return the time of a look: all that is handed in later bears a later one, or the same."""
        with self._stamping:
            now, pulse = self.clock(), self.pulse()
        if self._last is not None:
            went_on = (datetime.fromisoformat(now) - datetime.fromisoformat(self._last[0])).total_seconds()
            if went_on > pulse - self._last[1] + LEAP:
                before = self._last[0]
                self._try("clock", lambda: self.office.robot.arrivals.leapt(before, now))
        self._last = now, pulse
        return now

    def _try(self, what: str, do: Callable[[], object]) -> None:
        """Do a piece of work. If it fails, say so and continue: it is done again at the next look."""
        try:
            do()
        except StoreAway as error:  # no way in or out is to blame
            self._hear(WayNews(STORE_AWAY, str(error)))
        except Exception as error:  # noqa: BLE001 - a host goes on, whatever one piece of its work meets
            self._hear(WayNews(what, _why(error)))
        else:
            self._hear(WayNews(what, ""))

    def _attend(self) -> bool:
        """Decide what comes in, and send what follows; was there anything before it was time to look around?"""
        try:
            what = self._queue.get(timeout=self.office.settings.every)
            while True:
                self._meet(what)
                if self.is_stopped() or self._queue.empty():
                    break
                what = self._queue.get()
        except queue.Empty:
            return False
        if self._has_read:
            self._look_at_deadlines(self._now())
        self._send()
        return True

    def _meet(self, what: HandedIn | WayNews | None) -> None:
        if isinstance(what, WayNews):
            self._hear(what)
        elif what is not None:
            self._decide(what)

    def _decide(self, mail: HandedIn) -> None:
        if not mail.decided.set_running_or_notify_cancel():
            return  # its server has left meanwhile: the mail comes again
        try:
            self._now()  # has the clock leapt since the last look?
            self._note_what_was_turned_away(mail.at)
            outcome = self.office.robot.take(mail.raw, mail.at, mail.way, mail.sender, mail.recipient)
            club = self.office.robot.club
            said = club.said_at_door() if club is not None and mail.way.startswith(CLUB_DOOR) else ""
        except Exception as error:  # noqa: BLE001 - whoever brought it comes again
            if mail.way in HANDED_BY:
                self._missed = min(self._missed or mail.at, mail.at)
            self.say(f"not taken: {_why(error)}")
            mail.decided.set_exception(
                error
                if isinstance(error, StoreAway)
                else StoreAway(_("The host's store cannot be used now: {why}", why=_why(error)))
            )
            return
        self._store_is_there()
        mail.decided.set_result(f"{outcome}\n{said}" if said else outcome)
        self.say(outcome)

    def _store_is_there(self) -> None:
        if self._known.get(STORE_AWAY):
            self._hear(WayNews(STORE_AWAY, ""))

    def _send(self) -> None:
        self._try("letters", self._hand_over)

    def _hand_over(self) -> None:
        if self._door is not None:
            self._door.look()
        for trouble in self.office.send(self.clock(), lambda: self.is_stopped() or not self._queue.empty()):
            self.say(trouble)

    def _hear(self, word: WayNews) -> None:
        """Note what a way in says, and say it once."""
        if self._known.get(word.way, "") != word.trouble:
            self._known[word.way] = word.trouble
            again = _("it works again")
            self.say(f"{word.way}: {word.trouble or again}")
        self.office.note(word.way, word.trouble, self.clock())
        self.office.robot.arrivals.tried(word.way)
        if word.read:
            self._try("what was read", lambda: self._note_what_was_read(word))

    def _note_what_was_read(self, word: WayNews) -> None:
        self.office.robot.arrivals.read(word.way, word.read)
        self._has_read = True

    def _send_home(self) -> None:
        """At the end: who still waits is told to come again."""
        with suppress(queue.Empty):
            what = self._queue.get(timeout=0.05)
            if isinstance(what, HandedIn) and what.decided.set_running_or_notify_cancel():
                what.decided.set_exception(WorldError(_("The host is being stopped.")))

    # -- the ways in ------------------------------------------------------------------------------------------------

    def _open_ways(self) -> tuple[LmtpServer | None, Thread | None]:
        lmtp: LmtpServer | None = None
        watcher: Thread | None = None
        settings = self.office.settings
        if settings.in_.lmtp is not None:
            from pbem.mail.lmtp import LmtpServer

            lmtp = LmtpServer(settings.in_.lmtp, settings.is_ours, self._hand_in)
            when_there(lmtp.open, self.say, self._rest)  # a host that was killed may not have let its port go yet
        if (box := self.office.mailbox()) is not None:
            from pbem.mail.imap import Bell

            self._bell = Bell()
            watcher = Thread(target=self._watch, args=(box, self._bell), name="mailbox", daemon=True)
            watcher.start()
        return lmtp, watcher

    def _listen_to_others(self) -> None:
        """Where the store is a database, send what other programs of the host lay down as soon as they do, and look at the door."""
        if is_server(self.office.store.path):
            self._listener = Thread(target=self._listen, name="others", daemon=True)
            self._listener.start()

    def _listen(self) -> None:
        while not self.is_stopped():
            try:
                for session in news(str(self.office.store.path), self.is_stopped):
                    if session != self.office.store.db.session and self._queue.empty():
                        self._queue.put(None)
            except Exception:  # noqa: BLE001 - the thread that decides tells of it; until then it looks around by itself
                time.sleep(RETRY[1])

    def _open_door(self) -> None:
        """Open the door for players' pages and programs, where the settings have one and it is not open."""
        if self._door is not None and self._door.has_ended():  # the store was away when it was to begin, or it stumbled
            self._door.close()
            self._door = None
        if self.office.settings.door is None or self._door is not None:
            return
        from .door import OpenDoor

        door = OpenDoor(
            self.office.settings.door, self.office.folder, self.office.store.path, self.office.robot.house.key.key_line,
            self.clock, self.pulse, self._brought, lambda why: self._queue.put(WayNews("door", why)),
            self._brought_to_club if self.office.robot.club is not None else None, has_room=self.office.has_room,
        )  # fmt: skip
        if not self._could_open("door", door):
            return
        self._door, to = door, self.office.settings.door
        self.say(_("the door {address} is open, at {host}:{port}", address=to.address, host=to.host, port=door.port))

    def _could_open(self, what: str, shown: OpenDoor | OpenPages) -> bool:
        """Open a web service beside the mail. If its port is taken, mail continues without it, and it is tried again at each look.

        Raises WorldError if this host itself already runs there.
        """
        try:
            shown.open()
        except WorldError as error:
            shown.close()
            if shown.is_ours():
                raise
            self._hear(WayNews(what, str(error)))
            return False
        self._hear(WayNews(what, ""))
        return True

    def _open_pages(self) -> None:
        """Show the club's pages to everybody, where the settings name an address for them and they are not shown."""
        if self._pages is not None and self._pages.has_ended():
            self._pages.close()
            self._pages = None
        if (to := self.office.settings.pages) is None or not to.address or self._pages is not None:
            return
        from .door import OpenPages

        pages = OpenPages(
            to, self.office.settings.door, self.office.folder, self.pulse,
            lambda why: self._queue.put(WayNews("pages at their address", why)),
        )  # fmt: skip
        if not self._could_open("pages at their address", pages):
            return
        self._pages = pages
        self.say(
            _(
                "the club's pages {address} are shown, at {host}:{port}",
                address=to.address,
                host=to.host,
                port=pages.port,
            )
        )

    def _tell_numbers(self) -> None:
        if self._pages is not None:
            self._pages.numbers = self.office.metrics()

    def _brought(
        self, raw: bytes, way: str = DOOR, sender: str | None = None, recipient: str | None = None
    ) -> Future[str]:
        """Take a letter brought to the web address, or handed over; it arrives at the moment when it is complete."""
        with self._stamping:
            mail = HandedIn(raw, self.clock(), way, sender, recipient)
            self._queue.put(mail)
        return mail.decided

    def _brought_to_club(self, raw: bytes, key: str) -> Future[str]:
        """Take what somebody with a key has brought for the club."""
        return self._brought(raw, f"{CLUB_DOOR}{key}")

    def _hand_in(self, raw: bytes, sender: str | None, recipient: str | None) -> Future[str]:
        return self._brought(raw, "lmtp", sender, recipient)

    def _watch(self, box: ImapBox, bell: Bell) -> None:
        """Hand in what comes into the mailbox, move it once it is stored, and wait for more."""
        failed = 0
        while not self.is_stopped():
            try:
                began = self.clock()
                for number, raw, at in box.new():
                    mail = HandedIn(raw, min(at, self.clock()), "imap")
                    self._queue.put(mail)
                    mail.decided.result()
                    box.done(number)
                    if self.is_stopped():
                        break
                else:
                    self._queue.put(WayNews("imap", box.unmoved, began))
                    failed = 0
                    box.wait(bell)
            except StoreAway as error:  # the mailbox works, and is read as soon as the store is there
                box.close()
                self._queue.put(WayNews(STORE_AWAY, str(error)))
                bell.wait(STARTING[-1])
            except Exception as error:  # noqa: BLE001 - this thread is the only one that hears of mail
                box.close()
                self._queue.put(WayNews("imap", _why(error)))
                failed += 1
                bell.wait(RETRY[min(failed, len(RETRY)) - 1])
        box.close()
        bell.close()


def _why(error: Exception) -> str:
    """Return the text of an error: our own messages as they are, others with their class."""
    return str(error) if isinstance(error, PbemError) else f"{type(error).__name__}: {error}"


def when_there(begin: Callable[[], T], say: Callable[[str], None], rest: Callable[[float], bool]) -> T | None:
    """Begin something that needs the host's store, and retry after growing delays while the store is away.

    `rest` waits for a number of seconds and returns whether the host was told to stop; then None is returned. Raises StoreError if
    the store is there but unusable.
    """
    known = ""
    for pause in chain(STARTING, repeat(STARTING[-1])):
        try:
            return begin()
        except StoreError:
            raise
        except WorldError as error:
            if str(error) != known:
                known = str(error)
                say(_("The host cannot start yet, and tries again: {why}", why=known))
            if rest(pause):
                break
    return None
