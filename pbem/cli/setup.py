"""The command setup: a player's mail account, asked for once, tried both ways, and kept."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from pbem.i18n import _

from . import screen
from .common import HOME, check_address, fresh_key, passphrase
from .desk import Home
from .mailbox import (
    CaFile,
    HowTls,
    Imap,
    PasswordCommand,
    PasswordEnv,
    PasswordFile,
    Smtp,
    TokenCommand,
    User,
    login,
    way_to_log_in,
)

if TYPE_CHECKING:
    from pathlib import Path

    from pbem.player import Desk
    from pbem.player.account import Login, Working

_TRIES = 3


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
        typer.Option(help="Where to keep a password that you type. Default: the keyring, if there is one."),
    ] = None,
    imap_tls: HowTls = None,
    smtp_tls: HowTls = None,
    ca_file: CaFile = "",
    home: Home = HOME,
) -> None:
    """Enter your mail account, once. “pbem turn” then fetches and sends your mail. Makes your key, if you have none.

    pbem finds your servers by your address, and tries both before it keeps them and your password.
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
    if former.lower() != address.lower() and any(not desk.lying(notes).log.finished for notes in desk.games()):
        screen.say(
            _(
                "Your hosts still write to {former}: “pbem address {address}” asks them to write to this address.",
                former=former,
                address=address,
            )
        )
    screen.say(_("You are done. “pbem turn” fetches new mail, asks you the open questions, and sends your answers."))


def _address_of(home: Path) -> str:
    from pbem.player import PlayerSettings

    place = home / "settings.json"
    return PlayerSettings.read(place).address if place.is_file() else ""


def _desk_or_new(home: Path, address: str) -> Desk:
    """Return the desk in a folder. If there is none yet, create one with a key."""
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
