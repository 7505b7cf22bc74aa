"""A host's folder: its settings, its key, its store, and the ways its mail comes and goes.

::

    host.toml     who the host is and where mail comes and goes
    key           the host's private key (OpenSSH); all its chains and salts come from it
    pbem.sqlite   everything else, where the settings name no database for it

`sending` says how letters go out. It knows no clock: times are passed in.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from pbem import private
from pbem.errors import KeyFileError, StoreAway, StoreError, UsageError, WorldError
from pbem.i18n import _
from pbem.kernel import Json
from pbem.ledger import PrivateKey, fingerprint
from pbem.mail import Maildir
from pbem.mail.incoming import MAX_MAIL
from pbem.mail.maildir import claim
from pbem.spool import taken

from . import beneath, locks, stuck
from .built_in import make_folder, without_folder
from .clubroom import BUILT_IN
from .condition import Condition
from .locks import present
from .members import leaving
from .new_settings import by_folders, written
from .observers import STANDING
from .robot import Robot
from .sending import Sending
from .settings import Settings
from .store import KEPT_BY, STORE, Store, place_of, shown
from .store.file import MOVED, moved
from .store.keeping import last_change
from .store.older import check_in_use
from .store.rows import Marked, Member
from .troubles import UNWRITTEN, note, note_beside
from .vouching import Vouching

if TYPE_CHECKING:
    from pbem.mail.imap import ImapBox

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
    """One host at work. `new`: if it has no store, an empty one is created; otherwise StoreError is raised."""

    def __init__(self, folder: Path, passphrase: bytes | None = None, *, new: bool = False) -> None:
        self.folder = folder
        self.settings = Settings.of(folder / "host.toml")
        try:
            key = PrivateKey.load((folder / "key").read_bytes(), passphrase)
        except OSError as error:
            raise KeyFileError(
                _(
                    "The host's key {key} cannot be read: {why}. Put your copy of the key back. If you have no "
                    "copy, this host or another continues the games from the players' copies, with another key: "
                    "“pbem host adopt”.",
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
            self.store = Store(place_of(folder, self.settings.store), new=new)
        except BaseException:
            self._presence.close()
            raise
        try:
            self._is_its_hosts(key)
        except BaseException:
            self.store.close()
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
        self.robot.post.program, self.robot.post.watch = settings.program, settings.watch
        self.robot.decider.kept.authserv, self.robot.decider.kept.keep_days = (
            settings.in_.authserv_id,
            settings.keep_mails,
        )
        if settings.club is not None:
            self.robot.open_club(settings.club)
        if settings.door is not None:
            self.robot.post.door = settings.door.address
            self.robot.post.page = settings.door.address if settings.door.page else ""
        self.robot.arrivals.queue, self.robot.arrivals.most = (
            settings.queue_minutes,
            None if settings.hold_days == "never" else settings.hold_days,
        )
        self.robot.elsewhere = lambda number: stuck.decide_alone(folder, number, passphrase)
        inbox = self.settings.in_.maildir
        # one that was read is never made anew by the way: its disk may not be mounted
        self.inbox = Maildir(folder / inbox, make=not self.robot.arrivals.was_read("maildir")) if inbox else None
        if self.inbox is not None and self.inbox.is_there:
            claim(
                self.inbox.path, settings.address
            )  # no player of that name finds his letters taken for mail to the host
        self.sending = Sending(folder, settings, self.robot)
        self.condition = Condition(folder, settings, self.store, self.robot.arrivals)
        self.status, self.troubles, self.metrics = (
            self.condition.status, self.condition.troubles, self.condition.metrics,
        )  # fmt: skip
        self.vouching = Vouching(self.store)
        self.beside: Callable[[str], bool] = lambda _now: False
        """Lets those answer who live on this machine, at a moment; has anybody?"""
        self.for_everybody: Callable[[], None] = lambda: None
        """Rewrites the public files. Raises UsageError."""
        self.for_events: Callable[[str], list[tuple[str, int]]] = lambda _now: []
        """Opens the rounds of events that can be opened, at a moment. Raises UsageError."""
        self._has_folders = False
        self._unnoted: set[str] = set()
        """What could not be noted in the store, whether it works or not."""
        self._shown: object = None
        self._paired: object = None
        self._unopened = ""

    def _is_its_hosts(self, key: PrivateKey) -> None:
        """Raise StoreError where the store is one of a host with another key: both would write, each in its own name; or moved."""
        check_in_use(self.store.place, shown(str(self.store.path)), MOVED, moved)
        own = fingerprint(key.key_line)
        noted = self.store.note(KEPT_BY)
        if not noted:
            with suppress(WorldError):
                self.store.put_note(KEPT_BY, own)
        elif noted != own:
            raise StoreError(
                _(
                    "The store {path} belongs to a host with another key, {noted}; this host has {own}. Is the "
"line “store” of {settings} right? Each host needs a file, a database or a schema of its "
"own. Until then no mail is taken.",
                    path=shown(str(self.store.path)), noted=noted, own=own, settings=self.folder / "host.toml",
                )
            )  # fmt: skip

    @classmethod
    def create(
        cls,
        folder: Path,
        key: PrivateKey,
        address: str,
        passphrase: bytes | None = None,
        mail: str = "mail",
        pictures: bool = False,
        ways: Mapping[str, Json] | None = None,
    ) -> Office:
        """Set a host up. Its mail comes and goes by `ways`, its lines of the settings, or by default by folders below `mail`.

        Raises UsageError if there is a host already.

        If a host has lost only its settings, they are written again, and its key stays: no other key can continue its games.
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
        lines = {"address": address, "pictures": pictures, **(ways or by_folders(mail))}
        private.put(folder / "host.toml", written(lines).encode())
        return cls(folder, passphrase, new=not store.exists())

    @classmethod
    def begin_again(cls, folder: Path, address: str, passphrase: bytes | None = None) -> Office:
        """Make an empty store for a host that has none any more, with its key and settings.

        Raises UsageError where it has one, or is a host of another address.
        """
        settings = Settings.of(folder / "host.toml")
        with suppress(StoreError):
            Store(place_of(folder, settings.store)).close()
            raise UsageError(_("There is a host in {folder} already.", folder=folder))
        own = settings.address
        if own.lower() != address.lower():
            raise UsageError(_("The host in {folder} has the address {own}.", folder=folder, own=own))
        return cls(folder, passphrase, new=True)

    def close(self) -> None:
        """Take leave of the mail server, and close the store."""
        self.sending.hang_up()
        self.store.close()
        if self._presence is not None:
            self._presence.close()
            self._presence = None

    def sweep(self, now: str) -> int:
        """Delete files that a program of this host began to write into its mail folders over two days ago and never finished.

        Return their number.

        A message is in `new` as a whole, or still where it came from: the drafts of a killed program are useless.
        """
        before = (datetime.fromisoformat(now) - timedelta(days=2)).timestamp()
        return (self.inbox.sweep(before) if self.inbox is not None else 0) + self.sending.sweep(before)

    # -- mail comes in ----------------------------------------------------------------------------------------------

    def work(self, now: str) -> tuple[list[str], list[str]]:
        """Take all waiting mail, close questions that are over at `now`, and send the waiting letters.

        Return the decisions and the failures.

        A mail is moved out of the inbox only when its decision is stored, so whatever is cut short is done again, once.
        A folder or mailbox that cannot be read is noted, and the rest done; it holds the deadlines that have passed since.
        """
        self.expect(now)
        self.robot.arrivals.look(now)
        self.sweep(now)
        self.robot.catch_up()
        outcomes = list(taken(self.folder, self.robot.take, now))
        unread = ""
        try:
            outcomes.extend(self.look_into_folder(now))
        except StoreAway:
            raise
        except WorldError as error:
            unread = str(error)
        self.robot.arrivals.tried("maildir")
        self.note("maildir", unread, now)
        fetched, troubles = self.look_into_mailbox(now)
        self.robot.tick(now)
        self.vouching.work(now)
        troubles = [f"maildir: {unread}"] * bool(unread) + troubles + self.stumbled() + self.send(now)
        return outcomes + fetched, troubles

    def expect(self, now: str) -> None:
        """Let no deadline pass before all ways that the settings name were read, and what a pipe turned away has come again."""
        self.robot.arrivals.expect(self.settings.ways)
        note = self.folder / TURNED_AWAY
        with suppress(FileNotFoundError):
            since = datetime.fromtimestamp(note.stat().st_mtime, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
            self.robot.arrivals.turned_away(since, now)
            note.unlink()

    def look_into_folder(self, now: str) -> Iterator[str]:
        """Take all mail of the folder, if there is one; yield the decisions. Raises WorldError."""
        if self.inbox is not None:
            for path, raw, at in self.inbox.new(MAX_MAIL):
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
        """Take all mail of the mailbox, if there is one; return the decisions and the failures."""
        outcomes: list[str] = []
        if (box := self.mailbox()) is None:
            return outcomes, []
        try:
            for number, raw, at in box.new():
                outcomes.append(self.robot.take(raw, min(at, now), "imap"))
                box.done(number)
            self.robot.arrivals.read("imap", now)
            trouble = box.unmoved
        except StoreAway:  # the mailbox works
            raise
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

    def send(self, now: str, stopped: Callable[[], bool] = lambda: False) -> list[str]:
        """Hand over the letters that are due, until `stopped`; return the failures, in sentences.

        Built-in players answer at once, and what follows from that goes out as well.
        """
        self._make_room()
        troubles = self.sending.send(now, stopped)
        while not stopped() and self.beside(now):
            troubles += self.sending.send(now, stopped)
        return troubles

    def _make_room(self) -> None:
        """Make the folders of built-in players for games that members opened, and restore missing ones, as after only the store was
        restored. Letters to such players must not go out."""
        if not self._has_folders:
            for game, seat in without_folder(self.robot.house, self.folder):
                make_folder(self.folder, game.id, seat)
            self._has_folders = True
        for name in self.store.notes(BUILT_IN):
            number, _blank, seat = name.partition(" ")
            make_folder(self.folder, int(number), seat)
            self.store.forget(f"{BUILT_IN}{name}")

    def open_rounds(self, now: str) -> None:
        """Open rounds of events, where anything has happened since that was tried, or their files are others.

        Raises UsageError as long as something keeps games from being opened.
        """
        if (change := self._known_of_events()) != self._paired:
            self._paired, self._unopened = None, ""
            try:
                self.for_events(now)
            except UsageError as error:
                self._unopened = str(error)
            self._paired = change
        if self._unopened:
            raise UsageError(self._unopened)

    def _known_of_events(self) -> object:
        """Return a value that changes whenever anything changes that decides which games are opened, and their players'
        addresses."""
        held = self.settings.events
        files = [*held.files, *filter(None, [held.addresses])] if held is not None else []
        # whose address is known now matters to games that wait for that, and to no others
        members = self.store.find(Member) if self._unopened else []
        return (
            last_change(self.store),
            self.store.find(Marked),
            members,
            leaving(self.store),
            [*map(self._stamp, files)],
        )

    def _stamp(self, name: str) -> object:
        try:
            found = (self.folder / name).stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size

    def show(self) -> None:
        """Rewrite the public files if anything has happened since the last time. Raises UsageError."""
        if (now := (last_change(self.store), self.store.notes(STANDING))) != self._shown:
            self.for_everybody()
            self._shown = now

    # -- how it stands ----------------------------------------------------------------------------------------------

    def note(self, way: str, trouble: str, at: str) -> None:
        """Note that a way in does not work, or ("") that it does."""
        noted = note(self.store, way, trouble, at)
        (self._unnoted.discard if noted else self._unnoted.add)(way)
        if not noted or (self.folder / UNWRITTEN).exists():
            note_beside(self.folder, way, "" if noted else trouble, at)

    def has_room(self) -> bool:
        """Is there room on its disk, and does its store take notes? Any thread may ask."""
        return not self._unnoted and beneath.has_room(self.folder)
