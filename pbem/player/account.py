"""A mail account of a player or a host: how its servers are found and tried.

This module decides which servers to try for an address, and in which order. If one fails, the message repeats what the server
said. Servers and password are kept only once fetching and sending both work. A host's settings are written in another module.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pbem import private
from pbem.errors import LoginRefused, UsageError, WorldError
from pbem.i18n import _
from pbem.mail.imap import ImapBox
from pbem.mail.letterbox import Letterbox
from pbem.mail.providers import Server, imap_servers, smtp_servers
from pbem.mail.secrets import SERVICE, keep_in_keyring
from pbem.mail.settings import BY_PORT, Imap, Smtp, Tls
from pbem.mail.smtp import SmtpCarrier
from pbem.records import dataclass

if TYPE_CHECKING:
    from pbem.kernel import Json

    from .folder import Folder

Keep = Literal["keyring", "file"]

_SERVER = re.compile(r"(\[[0-9a-fA-F:.]+\]|[^:\s]+)(?::(\d{1,5}))?")
_FILE = "password"


@dataclass(frozen=True, slots=True)
class Login:
    """The known parts of an account: how to log in, and the servers if they were named.

    `secret` is the password itself. Otherwise `way` says where the password is: the name of a setting, such as “password_command”,
    and its value.
    """

    address: str
    user: str = ""
    secret: str = ""
    way: tuple[str, str] = ("", "")
    imap: Server | None = None
    smtp: Server | None = None
    ca_file: str = ""
    timeout: int = 60

    def settings(self, server: Server, way: tuple[str, str], timeout: int | None = None) -> dict[str, Json]:
        """Return the settings for one server."""
        found: dict[str, Json] = {
            "host": server.host,
            "tls": server.tls,
            "user": self.user or self.address,
            way[0]: way[1],
        }
        found |= {"port": server.port} if server.port else {}
        found |= {"ca_file": self.ca_file} if self.ca_file else {}
        return found | ({"timeout": timeout} if timeout else {})


@dataclass(frozen=True, slots=True)
class Working:
    """The servers that work, and what each said of itself."""

    imap: Server
    smtp: Server
    said: tuple[str, str]
    mails: int = 0
    """How many mails lie in the mailbox."""


class AccountError(WorldError):
    """No server let us in; the text has a line for each that was tried. `refused`: one is there, and refused the login.

    `head` says before them what does not work, `advice` behind them what would, where no server is there.
    """

    def __init__(self, tried: Sequence[Exception], head: str = "", advice: str = "") -> None:
        self.refused = any(isinstance(fault, LoginRefused) for fault in tried)
        lines = dict.fromkeys(map(str, tried))  # a name that is not known is so with each kind of TLS
        self.told = "\n".join(filter(None, [head, *lines]))
        """The text without advice that names options."""
        super().__init__("\n".join(filter(None, [self.told, "" if self.refused else advice])))


def server(named: str, tls: Tls | None = None) -> Server:
    """Return the server that somebody named: “host” or “host:port”. Raises UsageError.

    >>> server("mail.example.org:587")
    Server(host='mail.example.org', tls='starttls', port=587)
    """
    found = _SERVER.fullmatch(named.strip())
    if not found or int(found[2] or 1) not in range(1, 65536):
        raise UsageError(
            _(
                "“{named}” names no server; write mail.example.org, or mail.example.org:993; a port is at most 65535.",
                named=named,
            )
        )
    port = int(found[2]) if found[2] else None
    return Server(found[1].strip("[]"), tls or BY_PORT.get(port or 0, "tls"), port)


def tried(account: Login, home: Path, *, moves: bool = False) -> Working:
    """Log in both ways; return what works. `moves`: mail is moved there once it was read, as a host does.

    Raises AccountError, with all that was tried.
    """
    imap, (fetching, mails) = _first(
        account,
        account.imap,
        imap_servers(account.address),
        lambda settings: _fetches(account, settings, home, moves=moves),
        _("Your mail cannot be fetched:"),
        _(
            "Name the server with your mailbox, as your provider tells it: --imap HOST:PORT; --imap-tls says how TLS begins."
        ),
    )
    smtp, (sending, _none) = _first(
        account,
        account.smtp,
        smtp_servers(account.address),
        lambda settings: _sends(account, settings, home),
        _("Your mail can be fetched from {host}, but nothing can be sent:", host=imap.host),
        _(
            "Name the server that takes your letters, as your provider tells it: --smtp HOST:PORT; --smtp-tls says "
            "how TLS begins."
        ),
    )
    return Working(imap, smtp, (fetching, sending), mails)


def _first(
    account: Login,
    named: Server | None,
    guessed: Iterable[Server],
    let_in: Callable[[dict[str, Json]], tuple[str, int]],
    head: str,
    advice: str,
) -> tuple[Server, tuple[str, int]]:
    """Return the first server that lets us in, its sentence, and its number of mails. Raises AccountError with this head and
    advice."""
    faults: list[Exception] = []
    way = account.way if not account.secret else ("password_keyring", SERVICE)
    for one in [named] if named else guessed:
        try:
            # a server whose name was guessed has ten seconds
            return one, let_in(account.settings(one, way, account.timeout if named else 10))
        except WorldError as error:
            faults.append(error)
            if isinstance(error, LoginRefused):
                break
    raise AccountError(faults, head, advice)


def _fetches(account: Login, settings: dict[str, Json], home: Path, *, moves: bool) -> tuple[str, int]:
    kind = ImapBox if moves else Letterbox
    with closing(kind(Imap.read(settings, _("the mail account")), home, account.secret)) as box:
        return box.check(), box.there


def _sends(account: Login, settings: dict[str, Json], home: Path) -> tuple[str, int]:
    with closing(SmtpCarrier(Smtp.read(settings, _("the mail account")), home, account.secret)) as carrier:
        return carrier.check(account.address), 0


def keep(desk: Folder, account: Login, working: Working, where: Keep | None = None) -> str:
    """Write the account into the desk's settings; return a sentence that says where the password is.

    Without `where`, the password goes into the system's keyring if there is one, otherwise into a file. Raises UsageError if you
    ask for the keyring and there is no keyring.
    """
    user, way, said = (
        account.user or account.address,
        account.way,
        _("Your settings say where to find the password."),
    )
    if account.secret:
        if where != "file" and keep_in_keyring(SERVICE, user, account.secret):
            way, said = ("password_keyring", SERVICE), _("The password is in your system's keyring, under “pbem”.")
        elif where == "keyring":
            raise UsageError(
                _(
                    "No keyring here can store a password. Install pbem with its extra “keyring”, or keep the "
                    "password in a file: --keep file."
                )
            )
        else:
            way, path = ("password_file", _FILE), desk.home / _FILE
            private.write(path, f"{account.secret}\n".encode())
            said = _("The password is in {path}, which only you can read on this machine.", path=path)
    if way[0] != "password_file" or way[1] != _FILE:
        (desk.home / _FILE).unlink(missing_ok=True)  # that of another time
    if desk.settings.post:
        said += " " + _(
            "Letters are sent through this account from now on, and no longer put into {folder}.",
            folder=desk.settings.post,
        )
    imap, smtp = account.settings(working.imap, way), account.settings(working.smtp, way)
    desk.change_settings(address=account.address, post="", imap=imap, smtp=smtp)
    return said
