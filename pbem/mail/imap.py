"""A mailbox of a mail server (IMAP): listing mails, moving the processed ones, and waiting for new ones (IDLE).

A mail's time of arrival is the server's (INTERNALDATE), so it is the same each time. Mails are fetched as bytes up to a maximum,
and only their folder marks them: a mail in the folder has not been processed. Every error is a WorldError and closes the
connection, which the next call opens again.
"""

from __future__ import annotations

import contextlib
import imaplib
import re
import select
import socket
import ssl
from collections.abc import Iterator
from datetime import UTC
from email.utils import parsedate_to_datetime
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING

from imap_tools.errors import ImapToolsError, MailboxLoginError
from imap_tools.mailbox import BaseMailBox

from pbem.errors import WorldError
from pbem.i18n import _

from .connection import Connection
from .incoming import MAX_MAIL
from .secrets import bearer
from .trouble import explain, one_line

if TYPE_CHECKING:
    from .limit import Limit
    from .settings import Imap

_DATE = re.compile(rb'INTERNALDATE "([^"]+)"', re.IGNORECASE)
_TOLD = "EXISTS"
"""What a server says, between its answers, when a mail has come."""
_TAG = b"IDLE "
"""What begins our command, and the answer that ends it; imaplib's own tags are others."""
_NOTHING = re.compile(rb"BODY\[\](<0>)? NIL", re.IGNORECASE)
"""A server's reply for a mail that it cannot read."""
PIECE = 1_000_000
"""The maximum number of bytes of a mail requested at once; each piece gets the time limit of a whole exchange."""
_TRIES = 4
"""So often a further piece of a mail is asked for."""
CUTS = 5
"""The maximum number of mails at which a server may cut the connection in one pass through a mailbox."""
_NOT_NOW = "[UNAVAILABLE]"
"""What a server says that cannot judge a password at the moment (RFC 5530)."""
_IDLE_MOST = 9 * 60
"""How long one IDLE lasts, in seconds: routers forget a connection that is silent for longer, servers after 29 minutes."""


class Bell:
    """Wakes who waits for a mailbox, from another thread or a signal."""

    def __init__(self) -> None:
        self._here, self._there = socket.socketpair()
        self._one_by_one = RLock()  # a signal may come while its own thread is ringing
        self.rung = False

    def ring(self) -> None:
        """Wake the waiting thread, now and from now on; has no effect once closed."""
        with self._one_by_one:
            if not self.rung:
                self.rung = True
                self._there.send(b"!")

    def nudge(self) -> None:
        """Wake the thread that waits, or waits next, once."""
        with self._one_by_one:
            if not self.rung:
                self._there.send(b"?")

    def wait(self, seconds: float, *others: socket.socket) -> None:
        """Return when it has been rung or nudged, when something can be read from one of the others, or when the time is over."""
        ready = select.select([self._here, *others], [], [], seconds)[0]
        with self._one_by_one:
            if self._here in ready and not self.rung:
                self._here.recv(1)

    def close(self) -> None:
        """Put it away."""
        with self._one_by_one:
            self.rung = True
            self._here.close()
            self._there.close()


class ImapBox(Connection):
    """One folder of one mailbox."""

    def __init__(self, settings: Imap, folder: Path, typed: str = "") -> None:
        super().__init__(settings, folder, typed)
        self.settings = settings
        self._box: _MailBox | None = None
        self._validity = self._listed = 0
        self._cuts = 0
        self._taken: set[str] = set()
        self.there = 0
        """How many mails the folder held when it was last checked."""
        self.unmoved = ""
        """Why a processed mail could not be moved, in the last pass through the mailbox; "" if all were moved."""

    def new(self, most: int = MAX_MAIL) -> Iterator[tuple[str, bytes, str]]:
        """Go through the mails that are not done, as they arrived: number, bytes (at most one more than `most`), time.

        What comes to its end has gone through all of them: one that is there and cannot be fetched is a WorldError, after the
        others. One that was done and could not be moved is tried to be moved, and not fetched again.
        """
        unread: set[str] = set()
        with self._talking():
            box = self._open()
            box.client.noop()  # some servers tell of new mail only then
            box.client.response(_TOLD)  # what it told until now, the search will find
            numbers = sorted(box.uids("ALL", charset=None), key=int)
            if self._listed != self._validity:
                self._taken, self._listed = set(), self._validity
        self.unmoved, self._cuts = "", 0
        self._taken &= set(numbers)
        for number in numbers:
            if number in self._taken:
                self.done(number)
                continue
            fetched = self._mail(number, most)
            if fetched is None:
                unread.add(number)
            else:
                yield number, *fetched
        if unread:  # they are another program's by now, or they are there
            with self._talking():
                if left := unread.intersection(self._still().uids("ALL", charset=None)):
                    raise WorldError(
                        _(
                            "The server does not deliver mail that is in the mailbox: mail {mails}.",
                            mails=", ".join(sorted(left, key=int)[:3]),
                        )
                    )

    def _mail(self, number: str, most: int) -> tuple[bytes, str] | None:
        """Fetch a mail in pieces; None if it does not exist, or the server does not deliver it.

        If the server fails at one piece repeatedly, the pieces before it count as the mail.
        """
        raw, at = bytearray(), ""
        while (wanted := min(PIECE, most + 1 - len(raw))) > 0:
            tries = (self._piece(number, len(raw), wanted) for _time in range(_TRIES if raw else 1))
            piece = next(filter(None, tries), None)
            if piece is None:
                return (bytes(raw), at) if raw else None
            raw += piece[0]
            at = at or piece[1]
            if len(piece[0]) != wanted:  # its end; some servers hand out the whole mail at once
                break
        return bytes(raw[: most + 1]), at

    def _piece(self, number: str, start: int, size: int) -> tuple[bytes, str] | None:
        """Fetch `size` bytes of a mail, and its time of arrival; None if the server does not deliver them."""
        with self._talking():
            client = self._still().client
            try:
                said, parts = client.uid("FETCH", number, f"(INTERNALDATE BODY.PEEK[]<{start}.{size}>)")
            except imaplib.IMAP4.abort:  # some servers take leave over a mail that they cannot read
                self._cuts += 1
                if self._cuts > CUTS or self._limit.is_over:
                    raise
                self._drop()
                return None
            return _read(parts) if said == "OK" else None

    def done(self, number: str) -> None:
        """Move a mail to the folder for processed mail; if the server refuses (`unmoved`), the mail counts as processed anyway."""
        with self._talking():
            box = self._still()
            try:
                box.move(number, self.settings.processed)
            except ImapToolsError as error:
                self._taken.add(number)
                self.unmoved = self._refusal(error)
            else:
                self._taken.discard(number)

    def _still(self) -> _MailBox:
        """Return the mailbox with the mail numbers of the listing; a mailbox opened again may have other numbers."""
        box = self._open()
        if self._listed and self._validity != self._listed:
            raise imaplib.IMAP4.abort("the mailbox has other numbers")
        return box

    def wait(self, bell: Bell, most: float = _IDLE_MOST) -> None:
        """Return when something may have come, when the bell rings, or when the time is over."""
        with self._talking():
            box = self._open()
            idles = "IDLE" in box.client.capabilities
            if idles:
                idle = _Idle(box)
                idle.start()
                # what came after the last look has been told, and will not be told again
                told = box.client.response(_TOLD)[1] != [None] or idle.has_said()
        if not idles:
            bell.wait(min(most, self.settings.every))
            return
        if not told:
            idle.wait_or_ring(bell, most)
        with self._talking():
            idle.stop()

    def check(self) -> str:
        """Log in and look into the folders; return a sentence. Raises WorldError."""
        with self._talking():
            box = self._open()
            self.there = there = len(box.uids("ALL", charset=None))
            idle = "IDLE" in box.client.capabilities
        found = {**self._at, "there": there, "user": self.settings.user or _("us"), "folder": self.settings.folder}
        if idle:
            return _("{host}:{port} has {there} mails for {user} in {folder}, and reports new mail (IDLE).", **found)
        return _(
            "{host}:{port} has {there} mails for {user} in {folder}. It has no IDLE, so it is asked "
            "every {every} seconds.",
            **found,
            every=self.settings.every,
        )

    def close(self) -> None:
        """Take leave of the server, if it is still there."""
        if self._box is not None:
            with contextlib.suppress(OSError, imaplib.IMAP4.error, ImapToolsError), self._limit.during():
                self._box.logout()
            self._drop()

    def _open(self) -> _MailBox:
        if self._box is not None:
            return self._box
        self._box = box = _MailBox(self.settings, self._trust(), self._limit)
        try:
            box.enter(self._secret)
        except (MailboxLoginError, imaplib.IMAP4.error) as error:
            if isinstance(error, imaplib.IMAP4.abort) or _NOT_NOW in one_line(_words(error)):
                raise
            raise self._refused(_words(error)) from None
        self._choose(box)
        return box

    def _choose(self, box: _MailBox) -> None:
        """Open the folder in the settings, and ensure that the folder for processed mail exists."""
        self._check_folder(box)
        self._make_processed(box)
        box.folder.set(self.settings.folder)
        self._note_validity(box)

    def _note_validity(self, box: _MailBox) -> None:
        """Note by which numbering mails are numbered in the folder that is open; 0 where the server names none."""
        told = box.client.response("UIDVALIDITY")[1]
        self._validity = int(told[-1]) if told and told[-1] else 0

    def _check_folder(self, box: _MailBox) -> None:
        to = self.settings
        if not box.folder.exists(to.folder):
            raise WorldError(
                _(
                    "The mailbox of {user} has no folder {folder}; name one that is there.",
                    user=to.user,
                    folder=to.folder,
                )
            )

    def _make_processed(self, box: _MailBox) -> None:
        """Create the folder for processed mail if it does not exist."""
        to = self.settings
        if not box.folder.exists(to.processed):
            try:
                box.folder.create(to.processed)
            except ImapToolsError as error:
                raise WorldError(
                    _(
                        "The folder {processed} cannot be made in the mailbox of {user}: {why}. Some servers want "
                        'processed = "INBOX.Processed".',
                        processed=to.processed,
                        user=to.user,
                        why=one_line(_words(error)),
                    )
                ) from error

    @contextlib.contextmanager
    def _talking(self) -> Iterator[None]:
        """Raise what goes wrong as a WorldError, with the connection closed."""
        try:
            with self._limit.during():
                yield
        except WorldError:
            self._drop()
            raise
        except imaplib.IMAP4.abort as error:
            self._drop()
            raise explain(EOFError(), self.settings) from error
        except (imaplib.IMAP4.error, ImapToolsError) as error:
            self._drop()
            raise WorldError(self._refusal(error)) from error
        except (OSError, ValueError) as error:
            self._drop()
            raise explain(error, self.settings, self._secret) from error

    def _refusal(self, error: Exception) -> str:
        return _("{host}:{port} does not serve us: {said}.", **self._at, said=self._said(_words(error)))

    def _drop(self) -> None:
        if self._box is not None:
            with contextlib.suppress(OSError):
                self._box.client.shutdown()
            self._box = None
        self._limit.close()


def _words(error: Exception) -> object:
    """What the server itself said."""
    result = getattr(error, "command_result", None)
    return result[1][-1] if result and result[1] else error


def _read(parts: list[object]) -> tuple[bytes, str] | None:
    """Return the bytes and the time of arrival from a FETCH reply; None without such a mail, or without a valid time."""
    around = b" ".join(
        part[0] if isinstance(part, tuple) else part for part in parts if isinstance(part, tuple | bytes)
    )
    found = _DATE.search(around)
    if found is None or _NOTHING.search(around):
        return None
    try:
        at = parsedate_to_datetime(found[1].decode("ascii", "replace").strip()).astimezone(UTC)
    except (ValueError, OverflowError):  # a moment that there is not: it holds up no other mail
        return None
    raw = next((part[1] for part in parts if isinstance(part, tuple)), b"")
    return raw, at.strftime("%Y-%m-%dT%H:%M:%SZ")


class _Idle:
    """IDLE (RFC 2177) that hears what comes with its beginning, and can be woken.

    It is spoken line by line: the library's own begins with a fault where something comes with the “+”, and cannot be woken.
    """

    def __init__(self, box: _MailBox) -> None:
        self._client, self._begun_with_news = box.client, False

    def start(self) -> None:
        """Begin IDLE; remember whether news came before the “+”."""
        self._client.send(_TAG + b"IDLE\r\n")
        while not (line := self._line()).startswith(b"+"):
            if line.startswith(_TAG):
                raise imaplib.IMAP4.error("IDLE is refused")
            self._begun_with_news = True

    def has_said(self) -> bool:
        """Has a line come together with the “+”? It would be read already, and the socket silent."""
        sock = self._client.socket()
        before = sock.gettimeout()
        sock.settimeout(0)
        try:
            return (
                bool(self._client.readline()) or self._begun_with_news
            )  # of a line that is cut the next command tells
        except ssl.SSLWantReadError:
            return self._begun_with_news
        finally:
            sock.settimeout(before)

    def wait_or_ring(self, bell: Bell, most: float) -> None:
        """Return when the server says something, the bell rings, or the time is over."""
        bell.wait(most, self._client.socket())

    def stop(self) -> None:
        """End IDLE, whatever the server sends meanwhile."""
        self._client.send(b"DONE\r\n")
        while not self._line().startswith(_TAG):
            pass

    def _line(self) -> bytes:
        line = self._client.readline()
        if not line:
            raise imaplib.IMAP4.abort("the connection is cut")
        return line


class _ImapClient(imaplib.IMAP4):
    """A connection that is watched by a limit, with TLS from the first byte on where `tls` is given."""

    def __init__(self, to: Imap, limit: Limit, tls: ssl.SSLContext | None) -> None:
        self._limit, self._tls = limit, tls
        super().__init__(to.host, to.at_port, timeout=to.timeout)

    def _create_socket(self, timeout: float | None) -> socket.socket:
        return self._limit.connect(self.host, self.port, timeout, self._tls)


class _MailBox(BaseMailBox):
    """The library's mailbox, connected and entered as the settings say."""

    def __init__(self, to: Imap, context: ssl.SSLContext, limit: Limit) -> None:
        self._to, self._context, self._limit = to, context, limit
        super().__init__()

    def _get_mailbox_client(self) -> imaplib.IMAP4:
        client = _ImapClient(self._to, self._limit, self._context if self._to.tls == "tls" else None)
        if self._to.tls == "starttls":
            try:
                client.starttls(self._context)
            except BaseException:
                client.shutdown()
                raise
        return client

    def enter(self, secret: str) -> None:
        """Log in, by a password or a token."""
        user = self._to.user
        if self._to.token_command:
            said = iter((bearer(user, secret),))
            self.client.authenticate("XOAUTH2", lambda _why: next(said, b""))  # a refusal waits for an empty line
        elif secret.isascii() and user.isascii():
            self.login(user, secret, None)
        else:
            self.login_utf8(user, secret, None)
