"""A host's folder: its settings, its key, its store, and the ways its mail comes and goes.

::

    host.toml     who the host is and where mail comes and goes
    key           the host's private key (OpenSSH); all its chains and salts come from it
    pbem.sqlite   everything else

A letter that could not be handed over waits, longer each time; one that is refused for good is kept as failed. Letters to
one address go in their order. It knows no clock: times are handed in.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from pbem import private
from pbem.errors import KeyFileError, NotTaken, StoreError, UsageError, WorldError
from pbem.i18n import _, _n
from pbem.kernel import Json
from pbem.ledger import PrivateKey
from pbem.mail import Carrier, Maildir, carrier
from pbem.mail.incoming import MAX_RAW
from pbem.mail.maildir import MaildirCarrier, claim

from . import checking, locks, stuck
from .arrivals import CLOCK, HANDED, LETTER
from .locks import present, writable
from .outbox import later, lay_aside
from .robot import Robot
from .senders import Senders
from .settings import Settings, written
from .store import FAILED, SENT, STORE, WAITING, Store
from .store.rows import LetterRow
from .troubles import MATTER, apart, note

if TYPE_CHECKING:
    from pbem.mail.imap import ImapBox

_DEAD = timedelta(days=2)
"""Nobody writes one message for so long."""
WAITS = (1, 2, 5, 10, 20, 40, 60, 120, 240)
"""How many minutes a letter waits after its first, second … try that failed; after the last of these it stays so."""

SENDING = "sending"
"""Who has locked this file sends letters, and nobody else does."""
TURNED_AWAY = "turned-away"
"""The empty file in a host's folder that says, by its time, since when a pipe has told a mail server to come again."""


def turn_away(folder: Path, at: str) -> None:
    """Note that a mail server was told to come again with a mail: the store may be what cannot be written to."""
    note, moment = folder / TURNED_AWAY, datetime.fromisoformat(at).timestamp()
    with suppress(OSError):
        if (folder / "host.toml").exists() and not note.exists():
            private.touch(note)
            os.utime(note, (moment, moment))


class Office:
    """One host at work. `new`: where it has no store, an empty one is made; else StoreError is raised."""

    def __init__(self, folder: Path, passphrase: bytes | None = None, *, new: bool = False) -> None:
        self.folder = folder
        self.settings = Settings.of(folder / "host.toml")
        try:
            key = PrivateKey.load((folder / "key").read_bytes(), passphrase)
        except OSError as error:
            raise KeyFileError(
                _(
                    "The host's key {key} cannot be read: {why}. Put your copy of it back. If there is none left, this host or "
                    "another goes on with the games from the players' copies, with another key: “pbem host adopt”.",
                    key=folder / "key",
                    why=error.strerror,
                )
                if isinstance(error, FileNotFoundError)
                else _("The host's key {folder} cannot be read: {why}.", folder=folder / "key", why=error.strerror)
            ) from error
        self._presence: locks.Lock | None = present(folder)
        try:
            # who brings a backup back is alone in the folder: what he began and did not end is of no use
            (folder / f"{STORE}{private.PART}").unlink(missing_ok=True)
            self.store = Store(folder / STORE, new=new)
        except BaseException:
            self._presence.close()
            raise
        settings = self.settings
        self.templates = folder / settings.templates if settings.templates else None
        self.robot = Robot(
            self.store,
            key,
            settings.address,
            tags=settings.tags,
            pictures=settings.pictures,
            language=settings.language,
            templates=self.templates,
        )
        self.robot.post.program = settings.program
        if settings.door is not None:
            self.robot.post.door, self.robot.post.watch = settings.door.address, settings.door.watch
            self.robot.post.page = settings.door.address if settings.door.page else ""
        limit = settings.hold_days
        self.robot.arrivals.queue, self.robot.arrivals.most = (
            settings.queue_minutes,
            None if limit == "never" else limit,
        )
        self.robot.elsewhere = lambda number: stuck.decide_alone(folder, number, passphrase)
        inbox = self.settings.in_.maildir
        # one that was read is never made anew by the way: its disk may not be mounted
        self.inbox = Maildir(folder / inbox, make=not self.robot.arrivals.was_read("maildir")) if inbox else None
        if self.inbox is not None and self.inbox.is_there:
            claim(
                self.inbox.path, settings.address
            )  # no player of that name finds his letters taken for mail to the host
        self._carrier: Carrier | None = None
        self.senders = Senders(self.store, settings.address)
        self._waits = False
        self._carried: set[int] = set()
        """Letters that were handed over, and of which the store does not know it yet."""

    @classmethod
    def create(
        cls,
        folder: Path,
        key: PrivateKey,
        address: str,
        passphrase: bytes | None = None,
        mail: str = "mail",
        pictures: bool = False,
    ) -> Office:
        """Set a host up, its mail folders below `mail`. Raises UsageError where there is one already.

        Where a host has lost its settings alone they are written anew, and its key stays: no other can go on with its games.
        """
        store = folder / STORE
        if (folder / "host.toml").exists():
            raise UsageError(_("There is a host in {folder} already.", folder=folder))
        if (folder / "key").exists():
            PrivateKey.load((folder / "key").read_bytes(), passphrase)
        else:
            if store.exists():
                raise UsageError(
                    _(
                        "There is the store of a host in {folder}, {store}, without its key: put your copy of the "
                        "key back, or move "
                        "the store away.",
                        folder=folder,
                        store=STORE,
                    )
                )
            private.make_folder(folder)
            private.put(folder / "key", key.dump(passphrase))
        private.put(folder / "host.toml", written(address, mail, pictures=pictures).encode())
        return cls(folder, passphrase, new=not store.exists())

    @classmethod
    def begin_again(cls, folder: Path, address: str, passphrase: bytes | None = None) -> Office:
        """Make an empty store for a host that has none any more, with its key and settings.

        Raises UsageError where it has one, or is a host of another address.
        """
        with suppress(StoreError):
            Store(folder / STORE).db.close()
            raise UsageError(_("There is a host in {folder} already.", folder=folder))
        own = Settings.of(folder / "host.toml").address
        if own.lower() != address.lower():
            raise UsageError(_("The host in {folder} has the address {own}.", folder=folder, own=own))
        return cls(folder, passphrase, new=True)

    def close(self) -> None:
        """Take leave of the mail server, and close the store."""
        self.hang_up()
        self.store.db.close()
        if self._presence is not None:
            self._presence.close()
            self._presence = None

    def sweep(self, now: str) -> int:
        """Throw away what a program of this host began to write into its mail folders two days ago and never ended.

        Return how many.

        A message lies in `new` whole, or it is still where it came from: drafts of a program that was killed are of no use.
        While another program of this host sends nothing of letters is thrown away: by a clock that has jumped, what it is
        writing at this moment began long ago.
        """
        before = (datetime.fromisoformat(now) - _DEAD).timestamp()
        way, count = self.settings.out.way, 0
        if self.inbox is not None:
            count += self.inbox.sweep(before)
        if isinstance(way, str):
            with suppress(OSError), self._alone_at_once() as alone:
                count += MaildirCarrier(way, self.folder).sweep(before) if alone else 0
        return count

    # -- mail comes in ----------------------------------------------------------------------------------------------

    def work(self, now: str) -> tuple[list[str], list[str]]:
        """Take all mail that waits, close what is over at `now`, send what is to be sent.

        Return what was decided, and what failed.
        """
        outcomes, troubles, _closed = self.work_on(now)
        return outcomes, troubles

    def work_on(self, now: str) -> tuple[list[str], list[str], int]:
        """Do as `work` does; return how many questions were closed, too.

        A mail is moved out of the inbox only when its decision is stored, so whatever is cut short is done again, once.
        A folder or mailbox that cannot be read is noted, and the rest done; it holds the deadlines that have passed since.
        """
        self.expect(now)
        self.robot.arrivals.look(now)
        self.sweep(now)
        self.robot.catch_up()
        outcomes: list[str] = []
        unread = ""
        try:
            outcomes.extend(self.look_into_folder(now))
        except WorldError as error:
            unread = str(error)
        self.robot.arrivals.tried("maildir")
        self.note("maildir", unread, now)
        fetched, troubles = self.look_into_mailbox(now)
        closed = self.robot.tick(now)
        troubles = [f"maildir: {unread}"] * bool(unread) + troubles + self.stumbled() + self.send(now)
        return outcomes + fetched, troubles, closed

    def expect(self, now: str) -> None:
        """Let no deadline pass before all ways that the settings name were read, and what a pipe turned away has come again."""
        self.robot.arrivals.expect(self.settings.ways)
        note = self.folder / TURNED_AWAY
        with suppress(FileNotFoundError):
            since = datetime.fromtimestamp(note.stat().st_mtime, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
            self.robot.arrivals.turned_away(since, now)
            note.unlink()

    def look_into_folder(self, now: str) -> Iterator[str]:
        """Take all mail of the folder, if there is one; go through what is decided. Raises WorldError."""
        if self.inbox is not None:
            for path, raw, at in self.inbox.new(MAX_RAW):
                outcome = self.robot.take(raw, min(at, now), "maildir")
                self.inbox.done(path)
                yield outcome
            self.robot.arrivals.read("maildir", now)

    def stumbled(self) -> list[str]:
        """Return over which mails the program stumbles, in sentences."""
        return [
            _("mail {number} is not decided: {why}", number=one.number, why=one.why) for one in stuck.mails(self.store)
        ]

    def look_into_mailbox(self, now: str) -> tuple[list[str], list[str]]:
        """Take all mail of the mailbox, if there is one; return what was decided, and what failed."""
        outcomes: list[str] = []
        box = self.mailbox()
        if box is None:
            return outcomes, []
        try:
            for number, raw, at in box.new():
                outcomes.append(self.robot.take(raw, min(at, now), "imap"))
                box.done(number)
            self.robot.arrivals.read("imap", now)
            trouble = box.unmoved
        except (WorldError, UsageError) as error:
            trouble = str(error)
        finally:
            box.close()
        self.robot.arrivals.tried("imap")
        self.note("imap", trouble, now)
        return outcomes, [f"imap: {trouble}"] * bool(trouble)

    def mailbox(self) -> ImapBox | None:
        """Return the mailbox that the settings name; it is opened when it is used."""
        if self.settings.in_.imap is None:
            return None
        from pbem.mail.imap import ImapBox

        return ImapBox(self.settings.in_.imap, self.folder)

    # -- letters go out ---------------------------------------------------------------------------------------------

    def send(self, now: str, stopped: Callable[[], bool] = lambda: False) -> list[str]:
        """Hand over the letters whose time has come, until `stopped`; return what failed, in sentences.

        One that was handed over before a crash, and not noted, goes again: it is the same mail, with the same Message-ID.
        """
        troubles: list[str] = []
        late: set[str] = (
            set()
        )  # addresses with a letter that waits: none overtakes it, as it may build on what that one tells
        with self._alone():
            waiting = self.store.find(LetterRow, order="id", sent=WAITING)
            for place, letter in enumerate(waiting):
                if letter.not_before > now or letter.address in late or self.robot.must_wait(letter.id, now):
                    late.add(letter.address)
                    continue
                try:
                    self._hand_over(letter, now)
                except NotTaken as error:
                    self._not_sent([letter], error, now, for_good=error.for_good)
                    told = {"address": letter.address, "why": str(error)}
                    if error.for_good:
                        troubles.append(_("A letter to {address} was refused for good: {why}", **told))
                    else:
                        troubles.append(_("A letter to {address} waits for another try: {why}", **told))
                    late |= set() if error.for_good else {letter.address}
                except (WorldError, UsageError) as error:  # no letter can go now
                    due = [other for other in waiting[place:] if other.not_before <= now]
                    self._not_sent(due, error, now, for_good=False)
                    troubles.append(
                        _n(
                            "{n} letter waits for another try: {why}",
                            "{n} letters wait for another try: {why}",
                            len(due),
                            why=str(error),
                        )
                    )
                    break
                if stopped():
                    break
        return troubles

    def _hand_over(self, letter: LetterRow, now: str) -> None:
        if letter.id not in self._carried:  # else the store could not take note of it
            self._carry(letter, now)
        with self.store.decision():  # in one: who dies between the two would not give the time
            lay_aside(self.store, letter.id)
            with apart(self.store, f"letter {letter.id}", now):
                self.robot.handed_over(letter.id, now)
        self._carried.discard(letter.id)

    def _carry(self, letter: LetterRow, now: str) -> None:
        """Hand a letter over with the sender that it is to have; where that may be what is refused, with the plain address."""
        plain, raw = self.settings.address, self.store.raw("outbox", letter.id)
        known, refusal = self.senders.of(letter.sender, now), ""
        try:
            with self._far_away():
                self.way_out().carry(known, letter.address, raw)
        except NotTaken as error:
            if not error.by_sender or known == plain:
                raise
            with self._far_away():
                self.way_out().carry(plain, letter.address, raw)
            refusal = str(error)
        self._carried.add(letter.id)
        if refusal or known == letter.sender != plain:
            self.senders.note(letter.sender, refusal, now)

    def send_again(self) -> int:
        """Let all letters that wait go with the next `send`, those that were refused for good too; return how many."""
        letters = self.store.letters_in_trouble()
        with self.store.decision():
            for letter in letters:
                self.store.change("outbox", letter.id, sent=WAITING, not_before="")
        return len(letters)

    def _not_sent(self, letters: list[LetterRow], error: Exception, now: str, *, for_good: bool) -> None:
        with self.store.decision():
            for letter in letters:
                attempts = letter.attempts + 1
                self.store.change(
                    "outbox",
                    letter.id,
                    sent=FAILED if for_good else WAITING,
                    attempts=attempts,
                    not_before=later(now, minutes=WAITS[min(attempts, len(WAITS)) - 1]),
                    last_error=str(error),
                )

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Let no other program of this host send at the same time: it would send the same letters."""
        with writable(self.folder):
            while (lock := locks.alone(self.folder / SENDING, wait=1)) is None:
                pass
        try:
            yield
        finally:
            lock.close()

    @contextmanager
    def _alone_at_once(self) -> Iterator[bool]:
        """Let no other program of this host send at the same time, if none does now; is that so? Raises OSError."""
        lock = locks.alone(self.folder / SENDING)
        try:
            yield lock is not None
        finally:
            if lock is not None:
                lock.close()

    def way_out(self) -> Carrier:
        """Return the way out that the settings name; it is opened when it is used first."""
        if self._carrier is None:
            sent = self.store.get(LetterRow, sent=SENT) is not None
            self._carrier = carrier(self.settings.out.way, self.folder, make=not sent)
        return self._carrier

    def hang_up(self) -> None:
        """Take leave of the mail server; the next letter calls again."""
        if self._carrier is not None:
            carrier, self._carrier = self._carrier, None
            with suppress(WorldError), self._far_away():
                carrier.close()

    @contextmanager
    def _far_away(self) -> Iterator[None]:
        """Talk to a server, for which nothing here has to be finished first."""
        self._waits = True
        try:
            yield
        finally:
            self._waits = False

    def leave_server(self) -> None:
        """Called from a signal: where the program waits for the answer of a mail server, raise WorldError there.

        A letter that was on its way waits for another try, under the same Message-ID.
        """
        if self._waits:
            self._waits = False
            raise WorldError(_("The host is being stopped."))

    # -- how it stands ----------------------------------------------------------------------------------------------

    def note(self, way: str, trouble: str, at: str) -> None:
        """Note that a way in does not work, or ("") that it does."""
        note(self.store, way, trouble, at)

    def troubles(self) -> list[dict[str, Json]]:
        """Return what does not work: ways in that fail, letters that wait for another try, letters that were refused."""
        return (
            self._waiting()
            + [
                {"matter": name.removeprefix(MATTER), "since": since, "why": why}
                if name.startswith(MATTER)
                else {"way": name, "since": since, "why": why}
                for name, noted in self.store.notes("trouble ").items()
                for since, _blank, why in (noted.partition(" "),)
            ]
            + [
                {"letter": letter.message_id, "to": letter.address, "tries": letter.attempts, "why": letter.last_error}
                | ({"failed": True} if letter.sent == FAILED else {"failed": False, "next": letter.not_before})
                for letter in self.store.letters_in_trouble()
            ]
        )

    def _waiting(self) -> list[dict[str, Json]]:
        """What may be undecided of what came in time: mails over which the program stumbles, and deadlines that wait."""
        mails = [
            {"mail": one.number, "games": list(one.games), "since": one.since, "tries": one.tries, "next": one.next, "why": one.why}
            for one in stuck.mails(self.store)
        ]  # fmt: skip
        return mails + [
            {"held": game, "due": due, "since": since, "why": ", ".join(map(_unread, what))}
            for game, due, since, what in self.robot.arrivals.held()
        ]

    def status(self) -> dict[str, Json]:
        """Return what the robot tells of its games and mails, how many letters were refused for good, and all troubles.

        `senders_refused` are the senders of envelopes in whose place the host's own address stands.
        """
        senders = [
            f"{self.senders.shown(kind)} ({since}: {why})" for kind, (since, why) in self.senders.refused().items()
        ]
        told = {
            "letters_refused": len(self.store.find(LetterRow, sent=FAILED)),
            "senders_refused": senders,
            "troubles": self.troubles(),
        }
        return self.robot.status() | told

    def check(self, now: str) -> Iterator[tuple[bool, str]]:
        """Try every way in and out, without sending or taking anything; go through what was found: is it well, and why."""
        return checking.check(self, now)


def _unread(what: str) -> str:
    """What may be unread, in words."""
    if what == HANDED:
        return _("what a mail server kept while the host stood still")
    if what == CLOCK:
        return _("the clock has leapt, and may be wrong")
    if what.startswith(LETTER):
        return _("the letter with the question has not been sent to {seat}", seat=what.removeprefix(LETTER))
    return what
