"""The way in for a mail server on this machine (LMTP, RFC 2033): it hands mail over and learns the result at once.

The answers are 250 only when the mail is stored, 451 when it should come again, 550 for an address that is not the host's. It does
not know the store: it hands each mail in and waits for the answer, in a thread of its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING

from aiosmtpd.controller import Controller
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

from pbem.errors import PbemError, WorldError
from pbem.i18n import _

from .incoming import MAX_FROM_HOST, MAX_MAIL
from .trouble import one_line

if TYPE_CHECKING:
    from .settings import Lmtp

HandIn = Callable[[bytes, str | None, str | None], "Future[str]"]
"""Takes a mail with its envelope's sender and recipient; the result is known later."""


class LmtpServer:
    """Listens between `open` and `close`."""

    def __init__(self, settings: Lmtp, is_ours: Callable[[str], bool], hand_in: HandIn) -> None:
        self.settings = settings
        self._server = _Controller(_Answers(is_ours, hand_in), settings.host, settings.port, settings.longest)

    def open(self) -> None:
        """Begin to listen. Raises WorldError where that cannot be."""
        to = self.settings
        try:
            self._server.start()
        except OSError as error:
            raise WorldError(
                _(
                    "Nothing can listen at {host}:{port}: {said}. Does “pbem host run” run already, or is the port "
                    "taken? Name another one under [in.lmtp], and to the mail server.",
                    host=to.host,
                    port=to.port,
                    said=one_line(error.strerror or error),
                )
            ) from error

    def check(self) -> str:
        """Open and close it; return a sentence. Raises WorldError."""
        self.open()
        self.close()
        return _(
            "A mail server can hand mail over at {host}:{port} (LMTP).",
            host=self.settings.host,
            port=self.settings.port,
        )

    def close(self) -> None:
        """Stop listening; clients without a reply will send again."""
        self._server.stop(no_assert=True)


class _Answers:
    """The reply at each step; aiosmtpd finds these methods by their names."""

    def __init__(self, is_ours: Callable[[str], bool], hand_in: HandIn) -> None:
        self._is_ours, self._hand_in = is_ours, hand_in

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, rcpt_options: list[str]
    ) -> str:
        if not self._is_ours(address):
            return "550 5.1.1 No host of games has this address"
        envelope.rcpt_tos.append(address)
        envelope.rcpt_options.extend(rcpt_options)
        return "250 2.1.5 Yes"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        try:
            came = self._hand_in(
                (envelope.original_content or b"")[: MAX_MAIL + 1], envelope.mail_from, envelope.rcpt_tos[0]
            )
            await asyncio.wrap_future(came)
            answer = "250 2.0.0 Taken"
        except PbemError as error:
            answer = f"451 4.3.0 {one_line(error)}"
        return "\r\n".join([answer] * len(envelope.rcpt_tos))  # RFC 2033, 4.2: one for each recipient


class _Lmtp(LMTP):
    line_length_limit = (
        MAX_FROM_HOST  # pages come with longer lines than the RFC allows, and what is in them is read too
    )


class _Controller(Controller):
    def __init__(self, answers: _Answers, host: str, port: int, longest: float) -> None:
        self._longest = longest
        super().__init__(answers, host, port)

    def factory(self) -> SMTP:
        return _Lmtp(
            self.handler,
            timeout=self._longest,  # for a whole command, begun anew by none of its bytes
            data_size_limit=MAX_FROM_HOST,  # what has more the mail server is told at once, and tells its sender
            enable_SMTPUTF8=True,
            ident="pbem LMTP",
            hostname="localhost",
            loop=self.loop,
        )
