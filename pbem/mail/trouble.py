"""What goes wrong between here and a mail server, in sentences that say what to do.

Every exception of a socket, of TLS, smtplib or imaplib becomes a WorldError here. What a server says is shown in one line,
cut short, and with a password that it might repeat struck out.
"""

from __future__ import annotations

import socket
import ssl

from pbem.errors import WorldError

from .settings import Account, Imap, Smtp

MOST = 300


def one_line(said: object, secret: str = "") -> str:
    """What a server said, fit for a log."""
    text = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
    text = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return (text.replace(secret, "…") if secret else text)[:MOST]


def explain(error: Exception, to: Smtp | Imap, secret: str = "") -> WorldError:
    """Return the error of a connection as a sentence that says what to look at."""
    at = f"{to.host}:{to.at_port}"
    match error:
        case ssl.SSLCertVerificationError():
            return WorldError(
                f"The certificate of {at} is not trusted: {one_line(error.verify_message)} Write the server's name as "
                "host as the certificate has it, or name its own certificate as ca_file."
            )
        case ssl.SSLError() if "WRONG_VERSION_NUMBER" in str(error):
            return WorldError(f'{at} does not begin with TLS. Write tls = "starttls", or use the port for TLS.')
        case ssl.SSLError():
            return WorldError(f"TLS with {at} failed: {one_line(error)}.")
        case socket.gaierror():
            return WorldError(f"The name {to.host} is not known. Is host written rightly, and is there a network?")
        case ConnectionRefusedError():
            return WorldError(f"Nothing listens at {at}. Is the server running, and is port the right one?")
        case TimeoutError():
            return WorldError(
                f"{at} gave no answer within {to.timeout:g} seconds. Does a firewall stand between, or is tls not what "
                "the server speaks at this port?"
            )
        case ConnectionError() | EOFError():
            return WorldError(f"The connection to {at} was cut. It is tried again.")
        case OSError():
            return WorldError(f"{at} cannot be reached: {one_line(error.strerror or error, secret)}.")
    return WorldError(f"{at} answered what was not expected: {one_line(error, secret)}.")


def login_refused(to: Account, said: object, secret: str) -> WorldError:
    """Return the sentence for a refused login."""
    where = f"the file {to.password_file}" if to.password_file else f"the variable {to.password_env}"
    return WorldError(
        f"{to.host} refuses the login of {to.user}: {one_line(said, secret)}. Is the password in {where} right? Many "
        "providers want one made for programs (“app password”)."
    )


def tls_context(to: Account, ca_file: str) -> ssl.SSLContext:
    """Return what TLS needs: the system's trust, and the certificate that the settings name."""
    try:
        return ssl.create_default_context(cafile=ca_file or None)
    except OSError as error:
        raise WorldError(f"The certificate {ca_file} for {to.host} cannot be used: {one_line(error)}.") from error
