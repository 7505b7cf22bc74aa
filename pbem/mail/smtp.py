"""Handing letters to a mail server (SMTP submission, RFC 6409), with TLS and login.

It decides what a server's answer means for a letter. If the server is not there, greets wrongly, refuses the login or goes away, no
letter can go: WorldError. It is the same if the server says (4xx) that letters come too fast. After another 4xx for a letter, it is
tried later: NotTaken. After 5xx about receiver or letter, it is refused for good: NotTaken. But a full mailbox (552, or 5.2.2)
empties again, and a refused sender is our mistake, so these are tried again. Some servers refuse the sender only at the receiver,
or behind the letter. So a refusal that does not mention receiver or size may mean the sender. If the line is cut after a letter's
last dot, nobody knows whether it was taken. Then it is sent again, with the same Message-ID.
"""

from __future__ import annotations

import contextlib
import re
import smtplib
import socket
import ssl
from base64 import b64encode
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.errors import LeftOver, NotTaken, WorldError
from pbem.i18n import N_, _

from .connection import Connection
from .secrets import bearer
from .trouble import explain

if TYPE_CHECKING:
    from .limit import Limit
    from .settings import Smtp

_HELLO = "[127.0.0.1]"  # what mail programs say; the system's own name may take long to be found
_TOO_LARGE, _FULL = "5.3.4", "5.2.2"
# So a server says “slower”: by the code for its own rules (RFC 3463), or in words; who greylists speaks of one receiver.
_TOO_FAST = re.compile(r"(?i)(?!4\.2|.*gr[ae]y-?list)(4\.7\.\d|.*(too many|too fast|rate|throttl|limit|quota))")
_DONE, _GO_ON, _LEAVES = 250, 334, 421
_ENTERED = (235, 503)

_OF_THE_RECEIVER = re.compile(r"5\.(1\.[1236]|2\.[0-9]+|3\.4)")
"""Refusals that speak of the receiver's address or mailbox, or of the letter's size (RFC 3463): not of the sender."""
_HOW = {"tls": N_("with TLS"), "starttls": N_("with TLS (STARTTLS)"), "none": N_("without TLS")}


class SmtpCarrier(Connection):
    """A connection for some letters, opened with the first of them and kept until `close`."""

    def __init__(self, settings: Smtp, folder: Path, typed: str = "") -> None:
        super().__init__(settings, folder, typed)
        self.settings = settings
        self._client: smtplib.SMTP | None = None
        self._has_begun = False

    def carry(self, sender: str, address: str, raw: bytes) -> None:
        """Hand over one letter; `sender` is that of its envelope, "" for none. Raises NotTaken or WorldError.

        LeftOver where the server had begun to take it.
        """
        self._has_begun = False
        try:
            self._carry(sender, address, raw)
        except NotTaken:
            raise
        except WorldError as error:
            if self._has_begun:
                raise LeftOver(str(error)) from error
            raise

    def _carry(self, sender: str, address: str, raw: bytes) -> None:
        with self._talking():
            self._begin_anew(smtplib.SMTP.noop)  # it may have been ended by the server meanwhile
            kept, client = self._client is not None, self._open()
            answer = self._begin(client, sender, raw)
            if answer[0] == _LEAVES and kept:  # so many letters by one connection, and no more
                self._drop()
                client = self._open()
                answer = self._begin(client, sender, raw)
            self._judge(answer, about_us=True)
            self._has_begun = True
            self._judge(client.rcpt(address))
            try:
                self._judge(client.data(raw))
            except smtplib.SMTPDataError as error:  # no 354
                self._judge((error.smtp_code, self._said(error.smtp_error).encode()))

    def _begin(self, client: smtplib.SMTP, sender: str, raw: bytes) -> tuple[int, bytes]:
        return client.mail(sender, [f"size={len(raw)}"] if client.has_extn("size") else [])

    def check(self, sender: str) -> str:
        """Log in and offer a letter from a sender to itself, send nothing; return a sentence. Raises WorldError."""
        self._offer(sender, sender)
        taking = {**self._at, "how": _(_HOW[self.settings.tls])}
        if self.settings.user:
            return _("{host}:{port} takes letters {how}, logged in as {user}.", **taking, user=self.settings.user)
        return _("{host}:{port} takes letters {how}.", **taking)

    def objection(self, sender: str, address: str) -> str:
        """Return what the server says against letters with that sender, "" where nothing; `address` is one of ours."""
        try:
            self._offer(sender, address)
        except NotTaken as error:
            if not error.by_sender:
                raise
            return str(error)
        return ""

    def _offer(self, sender: str, address: str) -> None:
        """Name sender and receiver, and send nothing; a receiver that is to come later (4xx) counts as taken."""
        with self._talking():
            client = self._open()
            self._judge(client.mail(sender), about_us=True)
            answer = client.rcpt(address)
            if answer[0] == _LEAVES or answer[0] >= 500:
                self._judge(answer)
            client.rset()

    def close(self) -> None:
        """Take leave of the server, if it is still there."""
        if self._client is not None:
            with contextlib.suppress(OSError, smtplib.SMTPException), self._limit.during():
                self._client.quit()
            self._drop()

    def _open(self) -> smtplib.SMTP:
        if self._client is not None:
            return self._client
        to, context = self.settings, self._trust()
        self._client = client = _SmtpClient(to, self._limit, context if to.tls == "tls" else None)
        client.ehlo_or_helo_if_needed()
        if to.tls == "starttls":
            if not client.has_extn("starttls"):
                raise WorldError(
                    _('{host}:{port} offers no STARTTLS. Write tls = "tls", with the port for it.', **self._at)
                )
            client.starttls(context=context)
            client.ehlo_or_helo_if_needed()
        if to.user:
            try:
                _enter(client, to, self._secret)
            except smtplib.SMTPAuthenticationError as error:
                raise self._refused(error.smtp_error) from None
            except smtplib.SMTPNotSupportedError as error:
                raise WorldError(
                    _("{host}:{port} offers no login there. Is port the one for submission?", **self._at)
                ) from error
        return client

    def _judge(self, answer: tuple[int, bytes], *, about_us: bool = False) -> None:
        """Raise what a server's answer to a command means, unless it is yes."""
        code, said = answer[0], self._said(answer[1])
        if 200 <= code < 300:
            return
        saying = {"host": self.settings.host, "code": code, "said": said}
        if (too_fast := 400 <= code < 500 and _TOO_FAST.match(said)) or code == _LEAVES or not 400 <= code < 600:
            raise WorldError(
                _("{host} says {code} {said}. No letter is sent until the next try.", **saying)
                if too_fast
                else _("{host} says {code} {said}, and takes leave.", **saying)
            )
        too_large, full = said.startswith(_TOO_LARGE), said.startswith(_FULL) or code == 552
        if about_us and code != 552:
            raise NotTaken(
                _(
                    "{host} says {code} {said}, to the sender. Is the host's address one that it may send from?",
                    **saying,
                ),
                for_good=False,
                by_sender=code >= 500,
            )
        for_good = code >= 500 and (too_large or about_us or not full)
        by_sender = for_good and not too_large and not _OF_THE_RECEIVER.match(said)
        raise NotTaken(_("{host} says {code} {said}.", **saying), for_good=for_good, by_sender=by_sender)

    @contextlib.contextmanager
    def _talking(self) -> Iterator[None]:
        """Raise errors as our own types; close an unusable connection."""
        try:
            with self._limit.during():
                try:
                    yield
                except (NotTaken, UnicodeEncodeError):
                    self._begin_anew(smtplib.SMTP.rset)
                    raise
        except NotTaken:
            raise
        except UnicodeEncodeError as error:
            raise NotTaken(_("The address has letters that this server's mail cannot have."), for_good=True) from error
        except smtplib.SMTPServerDisconnected as error:
            self._drop()
            cause = error.__context__
            raise explain(cause if isinstance(cause, OSError) else EOFError(), self.settings) from error
        except smtplib.SMTPResponseException as error:
            self._drop()
            said = f"{error.smtp_code} {self._said(error.smtp_error)}"
            raise WorldError(_("{host}:{port} does not serve us now: {said}.", **self._at, said=said)) from error
        except (OSError, smtplib.SMTPException, ValueError) as error:
            self._drop()
            raise explain(error, self.settings, self._secret) from error
        except WorldError:
            self._drop()
            raise

    def _begin_anew(self, command: Callable[[smtplib.SMTP], tuple[int, bytes]]) -> None:
        """Be ready for the next letter; where the server is gone, another connection is opened for it."""
        if self._client is not None:
            try:
                if command(self._client)[0] != _DONE:
                    self._drop()
            except (OSError, smtplib.SMTPException):
                self._drop()

    def _drop(self) -> None:
        if self._client is not None:
            self._client.close()
            self._client = None
        self._limit.close()


class _SmtpClient(smtplib.SMTP):
    """A connection that is watched by a limit, with TLS from the first byte on where `tls` is given."""

    def __init__(self, to: Smtp, limit: Limit, tls: ssl.SSLContext | None) -> None:
        self._limit, self._tls = limit, tls
        super().__init__(to.host, to.at_port, _HELLO, timeout=to.timeout)

    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        return self._limit.connect(host, port, timeout, self._tls)


def _enter(client: smtplib.SMTP, to: Smtp, secret: str) -> None:
    """Log in, by a password or a token; smtplib knows neither tokens nor letters beyond ASCII."""
    if not to.token_command and secret.isascii() and to.user.isascii():
        client.login(to.user, secret)
        return
    if not client.has_extn("auth"):
        raise smtplib.SMTPNotSupportedError
    if to.token_command:
        way, said = "XOAUTH2", bearer(to.user, secret)
    else:
        way, said = "PLAIN", f"\0{to.user}\0{secret}".encode()
    code, answer = client.docmd("AUTH", f"{way} {b64encode(said).decode('ascii')}")
    if code == _GO_ON:  # why not, and an empty line is awaited
        code, answer = client.docmd("")
    if code not in _ENTERED:
        raise smtplib.SMTPAuthenticationError(code, answer)
