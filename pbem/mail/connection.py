"""What every connection to a mail server has: its settings, the secret to log in with, and a limit for each exchange."""

from __future__ import annotations

import ssl
from pathlib import Path
from typing import TYPE_CHECKING

from .limit import Limit
from .trouble import login_refused, one_line, tls_context

if TYPE_CHECKING:
    from pbem.errors import LoginRefused

    from .settings import Imap, Smtp


class Connection:
    """A way to a mail server, opened when it is needed. Paths are relative to `folder`.

    `typed` is the password itself, where it is kept nowhere yet.
    """

    def __init__(self, to: Imap | Smtp, folder: Path, typed: str = "") -> None:
        self._to, self.folder, self._typed = to, folder, typed
        self._limit, self._secret = Limit(to.longest), ""
        self._at = {"host": to.host, "port": to.at_port}
        """The server, for a sentence."""

    def _trust(self) -> ssl.SSLContext:
        """Have the secret at hand, and return what TLS needs."""
        to = self._to
        self._secret = self._typed or (to.password(self.folder) if to.user else "")
        return tls_context(to, to.ca_file and str(self.folder / to.ca_file))

    def _said(self, said: object) -> str:
        """What the server said, in one line, without the secret."""
        return one_line(said, self._secret)

    def _refused(self, said: object) -> LoginRefused:
        return login_refused(self._to, self._said(said), self._secret, typed=bool(self._typed))
