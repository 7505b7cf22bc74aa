"""The commands host init and host settings: a new host, by a dialogue or by options, and the list of all its settings."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, cast, get_args

import typer

from pbem import private
from pbem.errors import UsageError, WorldError
from pbem.i18n import _, _n
from pbem.kernel.digits import whole

from . import screen
from .common import check_address, fresh_key, passphrase
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
    from collections.abc import Callable, Sequence

    from pbem.kernel import Json
    from pbem.mail.providers import Server
    from pbem.player.account import Login, Working

_PASSWORD = "password"
"""The file in the host's folder for a password that was typed."""
_FOLDER, _LMTP = "club", 8024


def init(
    folder: Annotated[Path | None, typer.Argument(metavar="DIR", help="A new folder.")] = None,
    address: Annotated[str, typer.Option(help="The address that players write to.")] = "",
    imap: Imap = "",
    smtp: Smtp = "",
    user: User = "",
    password_file: PasswordFile = "",
    password_env: PasswordEnv = "",
    password_command: PasswordCommand = "",
    token_command: TokenCommand = "",
    imap_tls: HowTls = None,
    smtp_tls: HowTls = None,
    ca_file: CaFile = "",
) -> None:
    """Make a host: its folder, its key, its settings, its store. It asks for what it needs, and tries the mailbox.

    With --address it asks nothing: mail goes by the mailbox that the other options name, or by folders. A host that has lost its
    store gets an empty one.
    """
    way = way_to_log_in(password_file, password_env, password_command, token_command)
    servers = (imap, imap_tls), (smtp, smtp_tls)
    if address:
        check_address(address)
        if folder is None:
            raise UsageError(
                _("Name the folder, too: pbem host init {folder} --address {address}", folder=_FOLDER, address=address)
            )
        if _begun_again(folder, address):
            return
        by_mailbox = any((way[0], imap, smtp, user, ca_file))
        ways = _tried_once(folder, login(address, user, way, *servers, ca_file)) if by_mailbox else None
        _make(folder, address, ways)
        return
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError(
            _(
                "Without a terminal nothing is asked: name folder and address, as in pbem host init {folder} --address "
                "club@example.org",
                folder=folder or _FOLDER,
            )
        )
    _dialogue(folder, lambda own: login(own, user, way, *servers, ca_file))


def settings(all_: Annotated[bool, typer.Option("--all", help="Every line, also those for experts.")] = False) -> None:
    """Print a host.toml with the twenty lines that people use, to copy from; with --all, every line that there is."""
    from pbem.host.new_settings import every_line

    screen.echo(every_line(experts=all_), nl=False)


def _begun_again(folder: Path, address: str) -> bool:
    """Give a host that has lost its store an empty one; is there a host in the folder?"""
    from pbem.host import Office

    if not (folder / "host.toml").exists():
        return False
    Office.begin_again(folder, address, passphrase()).close()
    screen.echo(
        _(
            "The host in {folder} has its key and settings, and an empty store: no game is in it. “pbem host catch-up COPY… "
            "--seat SEAT=ADDRESS” brings a game back from its players' copies.",
            folder=folder,
        )
    )
    return True


def _make(folder: Path, address: str, ways: dict[str, Json] | None, secret: str = "") -> None:
    """Make the host, and say how to continue; `secret` is a password that was typed."""
    from pbem.host import Office
    from pbem.ledger import to_compare

    kept = (folder / "key").exists()
    if secret:
        private.make_folder(folder)
        private.write(folder / _PASSWORD, f"{secret}\n".encode())
    office = Office.create(folder, fresh_key(), address, passphrase(), pictures=True, ways=ways)
    office.close()
    screen.echo(
        _(
            "The host is in {folder}. Its key, to compare by telephone:\n  {fingerprint}",
            folder=folder,
            fingerprint=to_compare(office.robot.house.key.key_line),
        )
    )
    if kept:
        screen.echo(_("It is the key that was there; the settings are new."))
    if ways is None:
        screen.say(
            _(
                "Its mail comes and goes by folders below {mail}. For a mailbox, write its servers into {settings}.",
                mail=folder / "mail",
                settings=folder / "host.toml",
            )
        )
    there = f"--dir {quote(str(folder))}"
    screen.echo(_("Try it:          pbem host check {there}", there=there))
    screen.echo(_("Let it run:      pbem host run {there}", there=there))
    screen.echo(_("Invite somebody: pbem host new {there} --seat SEAT=ADDRESS --seat SEAT=ADDRESS", there=there))


def _lines(account: Login, working: Working) -> dict[str, Json]:
    """The settings for a mailbox that works."""
    from pbem.mail.settings import BY_PORT

    way, found = account.way if not account.secret else ("password_file", _PASSWORD), []
    for server in (working.imap, working.smtp):
        lines = account.settings(server, way)
        if server.tls == BY_PORT.get(server.port or 0, "tls"):
            del lines["tls"]  # it follows
        found.append(lines)
    return {"in": {"imap": found[0]}, "out": {"smtp": found[1]}}


def _tried_once(folder: Path, account: Login) -> dict[str, Json]:
    """Try the mailbox that options name, and return its settings. Raises UsageError or WorldError."""
    from pbem.player.account import tried

    if not account.way[0]:
        raise UsageError(
            _(
                "Where is the password of {user}? Add --password-file FILE, or another of the options for it.",
                user=_user(account),
            )
        )
    working = tried(account, folder, moves=True)
    screen.say("\n".join(working.said))
    return _lines(account, working)


def _user(account: Login) -> str:
    return account.user or account.address


# The dialogue


def _dialogue(folder: Path | None, account_of: Callable[[str], Login]) -> None:
    """Ask for what a host needs, and make it; where its asker leaves, nothing is written."""
    from pbem.host import Settings

    screen.say(
        _(
            "A host deals, rolls, asks and keeps the log of each game. It sees every hand: run one only for games that you do not "
            "play in."
        )
    )
    try:
        if folder is None:
            folder = Path(
                screen.typed(_("Its folder (Enter: {folder})", folder=_FOLDER)).strip() or _FOLDER
            ).expanduser()
        if (made := folder / "host.toml").exists():
            _begun_again(folder, Settings.of(made).address)
            return
        address = _address()
        account = account_of(address)
        ways, secret = _ways(folder, account)
    except typer.Abort:
        screen.echo()
        raise _left() from None
    if passphrase() is None:
        screen.say(
            _(
                "The host's key is not locked: anybody who copies the folder has it. To lock it, set "
                "PBEM_PASSPHRASE before you make a host and each time you run it."
            )
        )
    _make(folder, address, ways, secret)


def _left() -> typer.Exit:
    """Say that the dialogue was left, and return what ends the program."""
    screen.echo(_("Nothing has been written."))
    return typer.Exit(1)


def _address() -> str:
    """Ask for the host's address until it can be one."""
    while True:
        said = screen.typed(_("The e-mail address that players write to, for this host alone")).strip()
        try:
            check_address(said)
        except UsageError as error:
            screen.say(str(error))
        else:
            return said


def _ways(folder: Path, account: Login) -> tuple[dict[str, Json] | None, str]:
    """Ask how mail comes and goes; return the settings for it, None for folders, and a password that was typed."""
    named = account.way[0] or account.imap or account.smtp
    chosen = 1 if named else _chosen(
        _("How does its mail come and go?"),
        [
            _("by a mailbox at a provider (IMAP and SMTP)"),
            _("by the mail server on this machine (LMTP and sendmail)"),
            _("by folders on this machine, to try things out"),
        ],
    )  # fmt: skip
    if chosen == 1:
        account, working = _let_in(folder, account)
        return _lines(account, working), account.secret
    if chosen == 2:
        screen.say(
            _(
                "In Postfix, write recipient_delimiter = +, and into its transport table: {address} lmtp:inet:127.0.0.1:{port}",
                address=account.address,
                port=_LMTP,
            )
        )
        return {"in": {"lmtp": {"port": _LMTP}}, "out": {"sendmail": {}}}, ""
    return None, ""


def _let_in(folder: Path, account: Login) -> tuple[Login, Working]:
    """Ask for the password and try, until both servers let the host in; after each failure ask what to change."""
    from pbem.mail.providers import advice
    from pbem.player.account import AccountError, tried

    if told := advice(account.address):
        screen.say(told)
    if not account.way[0]:
        account = _by_token(account) if _wants_token(account.address) else _by_password(account)
    while True:
        if account.secret or account.way[0]:
            screen.say(_("Trying …"))
            try:
                working = tried(account, folder, moves=True)
                break
            except (WorldError, UsageError) as error:
                screen.say(error.told if isinstance(error, AccountError) else str(error))
                refused = not isinstance(error, AccountError) or error.refused
        else:
            refused = True
        account = _changed(account, refused=refused)
    screen.say("\n".join(working.said))
    if working.mails and not _is_its_own(account, working):
        raise _left()
    return account, working


def _wants_token(address: str) -> bool:
    """Does its provider take tokens alone, and no password?"""
    from pbem.mail.providers import KNOWN, TOKEN, domain_of

    known = KNOWN.get(domain_of(address))
    return known is not None and known.hint == TOKEN


def _is_its_own(account: Login, working: Working) -> bool:
    """Ask whether the mails in a mailbox are for the host to read."""
    screen.say(
        _n(
            "There is {n} mail in it. The host would read it as a player's, answer it, and move it to the folder Processed.",
            "There are {n} mails in it. The host would read each as a player's, answer it, and move it to the folder Processed.",
            working.mails,
        )
    )
    return screen.agreed(_("Is {address} a mailbox for the host alone?", address=account.address), default=False)


def _by_password(account: Login) -> Login:
    said = typer.prompt(
        _("Password of {user} (Enter alone for other ways)", user=_user(account)),
        hide_input=True, default="", show_default=False,
    )  # fmt: skip
    return replace(account, secret=str(said), way=("", ""))


def _by_command(account: Login) -> Login:
    return replace(account, secret="", way=("password_command", _said(_("Command that prints the password"))))


def _by_token(account: Login) -> Login:
    return replace(account, secret="", way=("token_command", _said(_("Command that prints a token"))))


def _by_name(account: Login) -> Login:
    return replace(account, user=_said(_("Name to log in with")))


def _by_certificate(account: Login) -> Login:
    return replace(account, ca_file=str(Path(_said(_("File with the certificate"))).expanduser().resolve()))


def _by_servers(account: Login) -> Login:
    imap = _server(_("Server with the mailbox, as imap.example.org or imap.example.org:993"), account.imap)
    return replace(
        account, imap=imap, smtp=_server(_("Server that takes letters, as smtp.example.org:587"), account.smtp)
    )


def _server(question: str, before: Server | None) -> Server | None:
    """Ask for a server until its name can be one; Enter alone keeps the one before."""
    from pbem.mail.settings import BY_PORT, Tls
    from pbem.player.account import server

    while said := screen.typed(_("{question} (Enter: as before)", question=question)).strip():
        try:
            named = server(said)
        except UsageError as error:
            screen.say(str(error))
            continue
        if named.port is None or named.port in BY_PORT:
            return named
        how = ""
        while how not in get_args(Tls):
            asked = _("How does TLS begin at port {port}: tls, starttls or none (Enter: tls)", port=named.port)
            how = screen.typed(asked).strip().lower() or "tls"
        return named._replace(tls=cast("Tls", how))
    return before


def _said(question: str) -> str:
    """Ask for a line, and return it; Enter alone changes nothing."""
    return screen.typed(question).strip()


def _changed(account: Login, *, refused: bool) -> Login:
    """Ask what to change after a failure. Raises typer.Exit where the asker stops."""
    ways: list[tuple[str, Callable[[Login], Login]]] = [
        (_("type the password"), _by_password),
        (_("name the servers"), _by_servers),
        (_("log in with another name than {user}", user=_user(account)), _by_name),
        (_("let a command print the password"), _by_command),
        (_("let a command print a token (OAuth 2.0)"), _by_token),
        (_("trust the server's own certificate, from a file"), _by_certificate),
    ]
    first = (5 if _wants_token(account.address) else 1) if refused else 2
    chosen = _chosen(_("What do you want to change?"), [*(said for said, _how in ways), _("stop here")], first)
    if chosen > len(ways):
        raise _left()
    return ways[chosen - 1][1](account)


def _chosen(question: str, choices: Sequence[str], first: int = 1) -> int:
    """Ask for one of numbered choices; Enter alone is `first`."""
    screen.say(question)
    for line in screen.laid_out(choices):
        screen.echo(line)
    while True:
        said = screen.typed(_("Number (Enter: {first})", first=first)).strip() or str(first)
        if number := whole(said, len(choices)):
            return number
        screen.echo(_("Type a number from 1 to {most}.", most=len(choices)))
