"""Handing letters to a mail server (SMTP submission, RFC 6409), with TLS and login.

It decides what a server's answer means for a letter. The server is not there, greets wrongly, refuses the login or goes
away: WorldError, no letter can go. It answers 4xx for a letter: NotTaken, later. It answers 5xx about receiver or letter:
NotTaken, for good; but a full mailbox (552, or 5.2.2) empties again, and a refused sender is for us to mend, so these are
tried again. Many a server says only at the receiver, or behind the letter, that it does not like the sender: a refusal that
does not speak of receiver or size may be meant so. When the line is cut after a letter's last dot nobody knows whether it was
taken: it goes again, with the same Message-ID.
"""

from __future__ import annotations

import contextlib
import re
import smtplib
import socket
import ssl
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path

from pbem.errors import NotTaken, WorldError
from pbem.words import N_, _

from .limit import Limit
from .secrets import bearer
from .settings import Smtp
from .trouble import explain, login_refused, one_line, tls_context

_HELLO = "[127.0.0.1]"  # what mail programs say; the system's own name may take long to be found
_TOO_LARGE = "5.3.4"
_FULL = "5.2.2"
_GO_ON = 334
_LEAVES = 421
_ENTERED = (235, 503)

_OF_THE_RECEIVER = re.compile(r"5\.(1\.[1236]|2\.[0-9]+|3\.4)")
"""Refusals that speak of the receiver's address or mailbox, or of the letter's size (RFC 3463): not of the sender."""
_HOW = {"tls": N_("with TLS"), "starttls": N_("with TLS (STARTTLS)"), "none": N_("without TLS")}


class SmtpCarrier:
    """A connection for some letters, opened with the first of them and kept until `close`. Paths are relative to `folder`.

    `typed` is the password itself, where it is kept nowhere yet.
    """

    def __init__(self, settings: Smtp, folder: Path, typed: str = "") -> None:
        self.settings, self.folder, self._typed = settings, folder, typed
        self._client: smtplib.SMTP | None = None
        self._limit = Limit(settings.longest)
        self._secret = ""

    def carry(self, sender: str, address: str, raw: bytes) -> None:
        """Hand over one letter; `sender` is that of its envelope, "" for none. Raises NotTaken or WorldError."""
        with self._talking():
            self._drop_if_gone()
            kept, client = self._client is not None, self._open()
            answer = self._begin(client, sender, raw)
            if answer[0] == _LEAVES and kept:  # so many letters by one connection, and no more
                self._drop()
                client = self._open()
                answer = self._begin(client, sender, raw)
            self._judge(answer, about_us=True)
            self._judge(client.rcpt(address))
            try:
                self._judge(client.data(raw))
            except smtplib.SMTPDataError as error:  # no 354
                self._judge((error.smtp_code, one_line(error.smtp_error, self._secret).encode()))

    def _begin(self, client: smtplib.SMTP, sender: str, raw: bytes) -> tuple[int, bytes]:
        return client.mail(sender, [f"size={len(raw)}"] if client.has_extn("size") else [])

    def check(self, sender: str) -> str:
        """Log in and offer a letter from a sender to itself, send nothing; return a sentence. Raises WorldError."""
        self._offer(sender, sender)
        taking = {"host": self.settings.host, "port": self.settings.at_port, "how": _(_HOW[self.settings.tls])}
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
        to = self.settings
        self._secret = self._typed or (to.password(self.folder) if to.user else "")
        context = tls_context(to, to.ca_file and str(self.folder / to.ca_file))
        if to.tls == "tls":
            self._client = _ClientOverTls(to, self._limit, context)
        else:
            self._client = _Client(to, self._limit)
        if to.tls == "starttls":
            self._client.ehlo_or_helo_if_needed()
            if not self._client.has_extn("starttls"):
                raise WorldError(
                    _(
                        '{host}:{port} offers no STARTTLS. Write tls = "tls", with the port for it.',
                        host=to.host,
                        port=to.at_port,
                    )
                )
            self._client.starttls(context=context)
        self._client.ehlo_or_helo_if_needed()
        if to.user:
            try:
                _enter(self._client, to, self._secret)
            except smtplib.SMTPAuthenticationError as error:
                said = one_line(error.smtp_error, self._secret)
                raise login_refused(to, said, self._secret, typed=bool(self._typed)) from None
            except smtplib.SMTPNotSupportedError as error:
                raise WorldError(
                    _(
                        "{host}:{port} offers no login there. Is port the one for submission?",
                        host=to.host,
                        port=to.at_port,
                    )
                ) from error
        return self._client

    def _judge(self, answer: tuple[int, bytes], *, about_us: bool = False) -> None:
        """Raise what a server's answer to a command means, unless it is yes."""
        code, said = answer[0], one_line(answer[1], self._secret)
        if 200 <= code < 300:
            return
        saying = {"host": self.settings.host, "code": code, "said": said}
        if code == _LEAVES or not 400 <= code < 600:
            raise WorldError(_("{host} says {code} {said}, and takes leave.", **saying))
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
        """Raise what goes wrong as one of our errors; what can be used no more is closed."""
        try:
            with self._limit.during(), self._begins_anew():
                yield
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
            said = f"{error.smtp_code} {one_line(error.smtp_error, self._secret)}"
            raise WorldError(
                _(
                    "{host}:{port} does not serve us now: {said}.",
                    host=self.settings.host,
                    port=self.settings.at_port,
                    said=said,
                )
            ) from error
        except (OSError, smtplib.SMTPException, ValueError) as error:
            self._drop()
            raise explain(error, self.settings, self._secret) from error
        except WorldError:
            self._drop()
            raise

    @contextlib.contextmanager
    def _begins_anew(self) -> Iterator[None]:
        """Be ready for the next letter where this one is not taken."""
        try:
            yield
        except (NotTaken, UnicodeEncodeError):
            self._begin_anew()
            raise

    def _drop_if_gone(self) -> None:
        """A connection that was kept may have been ended by the server meanwhile: then another one is opened."""
        if self._client is not None:
            try:
                if self._client.noop()[0] != 250:
                    self._drop()
            except (OSError, smtplib.SMTPException):
                self._drop()

    def _begin_anew(self) -> None:
        """Be ready for the next letter; where the server is gone, the next letter finds out."""
        if self._client is not None:
            try:
                self._client.rset()
            except (OSError, smtplib.SMTPException):
                self._drop()

    def _drop(self) -> None:
        if self._client is not None:
            self._client.close()
            self._client = None
        self._limit.close()


class _Client(smtplib.SMTP):
    """A connection that is watched by a limit."""

    def __init__(self, to: Smtp, limit: Limit) -> None:
        self._limit = limit
        super().__init__(to.host, to.at_port, _HELLO, timeout=to.timeout)

    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        sock = socket.create_connection((host, port), timeout)
        self._limit.watch(sock)
        return sock


class _ClientOverTls(_Client):
    """One with TLS from the first byte on."""

    default_port = smtplib.SMTP_SSL_PORT

    def __init__(self, to: Smtp, limit: Limit, context: ssl.SSLContext) -> None:
        self._context = context
        super().__init__(to, limit)

    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        return self._context.wrap_socket(super()._get_socket(host, port, timeout), server_hostname=host)


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
