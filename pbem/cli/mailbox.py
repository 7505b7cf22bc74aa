"""The options by which a mailbox is named, for players and hosts: its servers, and where the password is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from pbem.errors import UsageError
from pbem.i18n import _

if TYPE_CHECKING:
    from pbem.mail.settings import Tls
    from pbem.player.account import Login

Imap = Annotated[
    str, typer.Option(metavar="HOST[:PORT]", help="The server with the mailbox; otherwise found by the address.")
]
Smtp = Annotated[
    str, typer.Option(metavar="HOST[:PORT]", help="The server that takes letters; otherwise found by the address.")
]
User = Annotated[str, typer.Option(help="The name to log in with, if it is not the address.")]
PasswordFile = Annotated[str, typer.Option(metavar="FILE", help="A file with the password in its first line.")]
PasswordEnv = Annotated[str, typer.Option(metavar="NAME", help="The variable with the password.")]
PasswordCommand = Annotated[
    str, typer.Option(metavar="COMMAND", help="A command that prints the password, as that of a password manager.")
]
TokenCommand = Annotated[
    str, typer.Option(metavar="COMMAND", help="A command that prints a token, where no password is taken (XOAUTH2).")
]
HowTls = Annotated[
    Literal["tls", "starttls", "none"] | None, typer.Option(help="How TLS begins there; otherwise the port decides.")
]
CaFile = Annotated[
    str, typer.Option(metavar="FILE", help="The certificate to trust, for a server with a self-signed one.")
]


def way_to_log_in(file: str, env: str, command: str, token: str) -> tuple[str, str]:
    """Return where the password is: the name of a setting and its value, or two empty texts. Raises UsageError for two places."""
    given = {
        "password_file": str(Path(file).expanduser().resolve()) if file else "",
        "password_env": env,
        "password_command": command,
        "token_command": token,
    }
    named = [(name, value) for name, value in given.items() if value]
    if len(named) > 1:
        raise UsageError(_("The password is in one place: give one of --password-… and --token-command."))
    return named[0] if named else ("", "")


def login(
    address: str,
    user: str,
    way: tuple[str, str],
    imap: tuple[str, Tls | None],
    smtp: tuple[str, Tls | None],
    ca_file: str,
) -> Login:
    """Return what options say of an account; a server is its name and how TLS begins there. Raises UsageError."""
    from pbem.player.account import Login, server

    return Login(
        address,
        user,
        way=way,
        imap=server(*imap) if imap[0] else None,
        smtp=server(*smtp) if smtp[0] else None,
        ca_file=str(Path(ca_file).expanduser().resolve()) if ca_file else "",
    )
