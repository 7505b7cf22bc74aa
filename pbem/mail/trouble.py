"""What goes wrong between here and a mail server, in sentences that say what to do.

Every exception of a socket, of TLS, smtplib or imaplib becomes a WorldError here. A server's message is shown in one line,
shortened, with any repeated password struck out.
"""

from __future__ import annotations

import socket
import ssl
from typing import TYPE_CHECKING

from pbem.errors import LoginRefused, WorldError
from pbem.i18n import _

from .limit import OverLimit
from .providers import hint
from .secrets import struck
from .tls import trust

if TYPE_CHECKING:
    from .settings import Account, Imap, Smtp

MOST = 300


def one_line(said: object, secret: str = "") -> str:
    """What a server said, fit for a log."""
    text = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
    text = " ".join("".join(c if c.isprintable() else " " for c in struck(text, secret)).split())
    return struck(text, secret)[:MOST]


def explain(error: Exception, to: Smtp | Imap, secret: str = "") -> WorldError:
    """Return the error of a connection as a sentence that says what to look at."""
    at = f"{to.host}:{to.at_port}"
    match error:
        case ssl.SSLCertVerificationError():
            return WorldError(
                _(
                    "The certificate of {at} is not trusted: {said} Set host to the server name in the "
                    "certificate, or name the server's own certificate as ca_file.",
                    at=at,
                    said=one_line(error.verify_message),
                )
            )
        case ssl.SSLError() if "WRONG_VERSION_NUMBER" in str(error):
            return WorldError(
                _('{at} does not begin with TLS. Write tls = "starttls", or use the port for TLS.', at=at)
            )
        case ssl.SSLError():
            return WorldError(_("TLS with {at} failed: {said}.", at=at, said=one_line(error)))
        case socket.gaierror():
            return WorldError(
                _("The name {host} is not known. Is host written rightly, and is there a network?", host=to.host)
            )
        case ConnectionRefusedError():
            return WorldError(_("Nothing listens at {at}. Is the server running, and is port the right one?", at=at))
        case OverLimit():
            return WorldError(
                _(
                    "{at} took longer than {longest} seconds in all, though it said something now and then. It is tried again.",
                    at=at,
                    longest=f"{to.longest:g}",
                )
            )
        case TimeoutError():
            return WorldError(
                _(
                    "{at} did not answer within {timeout} seconds. Is a firewall in the way, or is tls wrong for "
                    "this port?",
                    at=at,
                    timeout=f"{to.timeout:g}",
                )
            )
        case ConnectionError() | EOFError():
            return WorldError(_("The connection to {at} was cut. It is tried again.", at=at))
        case OSError():
            return WorldError(
                _("{at} cannot be reached: {said}.", at=at, said=one_line(error.strerror or error, secret))
            )
    return WorldError(_("{at} gave an unexpected answer: {said}.", at=at, said=one_line(error, secret)))


def login_refused(to: Account, said: object, secret: str, *, typed: bool = False) -> LoginRefused:
    """Return the sentence for a refused login, by a password that was `typed` or is kept."""
    told = {"host": to.host, "user": to.user, "said": one_line(said, secret).rstrip(".")}
    if typed:
        refused = _("{host} refuses the login of {user}: {said}. Was the password typed rightly?", **told)
    else:
        refused = _(
            "{host} refuses the login of {user}: {said}. Is the password in {where} right?", where=to.kept, **told
        )
    known = hint(to.host) or _("Many providers want one made for programs (“app password”).")
    return LoginRefused(f"{refused} {known}")


def tls_context(to: Account, ca_file: str) -> ssl.SSLContext:
    """Return what TLS needs: the system's trust, and the certificate that the settings name."""
    try:
        return trust(ca_file)
    except OSError as error:
        raise WorldError(
            _(
                "The certificate {ca_file} for {host} cannot be used: {said}.",
                ca_file=ca_file,
                host=to.host,
                said=one_line(error),
            )
        ) from error
