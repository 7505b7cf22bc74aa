"""The command setup: a player's mail account, asked for once, tried both ways, and kept."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from pbem.errors import UsageError
from pbem.i18n import _

from . import screen
from .common import HOME, check_address, fresh_key, passphrase
from .desk import Home

if TYPE_CHECKING:
    from pathlib import Path

    from pbem.mail.settings import Tls
    from pbem.player import Desk
    from pbem.player.account import Login, Working

_TRIES = 3

Imap = Annotated[
    str, typer.Option(metavar="HOST[:PORT]", help="The server with the mailbox; otherwise found by the address.")
]
Smtp = Annotated[
    str, typer.Option(metavar="HOST[:PORT]", help="The server that takes letters; otherwise found by the address.")
]
User = Annotated[str, typer.Option(help="The name to log in with, if it is not the address.")]
PasswordFile = Annotated[str, typer.Option(metavar="FILE", help="A file whose first line is the password.")]
PasswordEnv = Annotated[str, typer.Option(metavar="NAME", help="The variable that holds the password.")]
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
    str, typer.Option(metavar="FILE", help="The certificate to trust, of a server that has one of its own making.")
]


def setup(
    address: Annotated[str, typer.Option(help="Your e-mail address; otherwise asked for.")] = "",
    imap: Imap = "",
    smtp: Smtp = "",
    user: User = "",
    password_file: PasswordFile = "",
    password_env: PasswordEnv = "",
    password_command: PasswordCommand = "",
    token_command: TokenCommand = "",
    keep: Annotated[
        Literal["keyring", "file"] | None,
        typer.Option(help="Where a password that you type is kept; else in the keyring, if there is one."),
    ] = None,
    imap_tls: HowTls = None,
    smtp_tls: HowTls = None,
    ca_file: CaFile = "",
    home: Home = HOME,
) -> None:
    """Enter your mail account, once. “pbem turn” then fetches and sends your mail. Makes your key, if you have none.

    Servers are found by your address; both are tried before anything is kept.
    """
    from pbem.player.account import keep as keep_account

    way = way_to_log_in(password_file, password_env, password_command, token_command)
    address = address or str(typer.prompt(_("Your e-mail address"), default=_address_of(home) or None))
    check_address(address)
    account = login(address, user, way, (imap, imap_tls), (smtp, smtp_tls), ca_file)
    desk = _desk_or_new(home, address)
    account, working = _let_in(account, desk.home)
    former = desk.settings.address
    screen.say("\n".join(working.said))
    screen.say(keep_account(desk, account, working, keep))
    if former.lower() != address.lower() and any(not desk.copy(notes).log.finished for notes in desk.games()):
        screen.say(
            _(
                "Your hosts still write to {former}: “pbem address {address}” asks them to write to this address.",
                former=former,
                address=address,
            )
        )
    screen.say(_("That is all. “pbem turn” fetches what has come, asks what is asked of you, and sends your answer."))


def way_to_log_in(file: str, env: str, command: str, token: str) -> tuple[str, str]:
    """Return where the password is: the name of a setting and its value, or two empty texts. Raises UsageError for two places."""
    from pathlib import Path

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
    from pathlib import Path

    from pbem.player.account import Login, server

    return Login(
        address,
        user,
        way=way,
        imap=server(*imap) if imap[0] else None,
        smtp=server(*smtp) if smtp[0] else None,
        ca_file=str(Path(ca_file).expanduser().resolve()) if ca_file else "",
    )


def _address_of(home: Path) -> str:
    from pbem.player import PlayerSettings

    place = home / "settings.json"
    return PlayerSettings.read(place).address if place.is_file() else ""


def _desk_or_new(home: Path, address: str) -> Desk:
    """The desk in a folder; a new one, with a key, where there is none."""
    from pbem.ledger import to_compare
    from pbem.player import Desk, PlayerSettings

    if (home / "key").is_file():
        return Desk(home, passphrase())
    desk = Desk.create(home, fresh_key(), PlayerSettings(address), passphrase())
    screen.say(
        _(
            "A key was made for you: {path}. It says who you are; keep a copy elsewhere. Its fingerprint, to be compared by "
            "telephone:\n  {fingerprint}",
            path=home / "key",
            fingerprint=to_compare(desk.key_line),
        )
    )
    return desk


def _let_in(account: Login, home: Path) -> tuple[Login, Working]:
    """Ask for the password where none is named, and try; a password that is refused is asked for again."""
    from pbem.mail.providers import advice
    from pbem.player.account import AccountError, tried

    if told := advice(account.address):
        screen.say(told)
    asks = not account.way[0]
    for left in reversed(range(_TRIES)):
        if asks:
            secret = str(typer.prompt(_("Password of {user}", user=account.user or account.address), hide_input=True))
            account = replace(account, secret=secret)
        screen.say(_("Trying …"))
        try:
            return account, tried(account, home)
        except AccountError as error:
            if not asks or not left or not error.refused:
                raise
            screen.say(str(error))
    raise AssertionError
