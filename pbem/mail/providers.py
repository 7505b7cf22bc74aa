"""The mail servers of an address: known ones of large providers, and names to try for all others.

This module makes no network requests: other modules try the names.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from pbem.i18n import N_, _

if TYPE_CHECKING:
    from .settings import Tls


class Server(NamedTuple):
    """A server to try: its name, how TLS begins, its port; None: the usual one."""

    host: str
    tls: Tls = "tls"
    port: int | None = None


class Provider(NamedTuple):
    """A provider: the servers for fetching and sending, and what its users have to know about logging in."""

    imap: Server
    smtp: Server
    hint: str = ""


_APP = N_(
    "{host} wants an “app password” from mail programs. Sign in on the provider's web page with "
    "two-step verification and look for “app passwords” under security. Make one for “mail”, and "
    "enter it here instead of your usual password."
)
TOKEN = N_(
    "{host} no longer accepts passwords from mail programs, only tokens (OAuth 2.0). Name a "
    "program that prints a token with --token-command, or play from an address at another "
    "provider."
)
_ALLOW = N_(
    "{host} admits mail programs only after you allow them. On the provider's web page, open the "
    "mail settings, look for “POP3/IMAP” and switch it on."
)
_BRIDGE = N_("This provider is reached through its program “Bridge”, which has to run here and shows its own password.")

GOOGLE = Provider(Server("imap.gmail.com"), Server("smtp.gmail.com"), _APP)
MICROSOFT = Provider(Server("outlook.office365.com"), Server("smtp-mail.outlook.com", "starttls"), TOKEN)
YAHOO = Provider(Server("imap.mail.yahoo.com"), Server("smtp.mail.yahoo.com"), _APP)
APPLE = Provider(Server("imap.mail.me.com"), Server("smtp.mail.me.com", "starttls"), _APP)
GMX_NET = Provider(Server("imap.gmx.net"), Server("mail.gmx.net"), _ALLOW)
GMX_COM = Provider(Server("imap.gmx.com"), Server("mail.gmx.com"), _ALLOW)
PROTON = Provider(Server("127.0.0.1", "starttls", 1143), Server("127.0.0.1", "starttls", 1025), _BRIDGE)

KNOWN: dict[str, Provider] = {
    **dict.fromkeys(("gmail.com", "googlemail.com"), GOOGLE),
    **dict.fromkeys(("outlook.com", "outlook.fr", "hotmail.com", "hotmail.fr", "hotmail.co.uk"), MICROSOFT),
    **dict.fromkeys(("live.com", "live.fr", "msn.com"), MICROSOFT),
    **dict.fromkeys(("yahoo.com", "yahoo.fr", "yahoo.de", "yahoo.co.uk", "ymail.com"), YAHOO),
    **dict.fromkeys(("icloud.com", "me.com", "mac.com"), APPLE),
    **dict.fromkeys(("gmx.net", "gmx.de", "gmx.at", "gmx.ch"), GMX_NET),
    **dict.fromkeys(("gmx.com", "gmx.fr", "gmx.co.uk"), GMX_COM),
    **dict.fromkeys(("proton.me", "protonmail.com", "pm.me"), PROTON),
    "aol.com": Provider(Server("imap.aol.com"), Server("smtp.aol.com"), _APP),
    "fastmail.com": Provider(Server("imap.fastmail.com"), Server("smtp.fastmail.com"), _APP),
    "free.fr": Provider(Server("imap.free.fr"), Server("smtp.free.fr")),
    "laposte.net": Provider(Server("imap.laposte.net"), Server("smtp.laposte.net"), _ALLOW),
    "mailbox.org": Provider(Server("imap.mailbox.org"), Server("smtp.mailbox.org")),
    "orange.fr": Provider(Server("imap.orange.fr"), Server("smtp.orange.fr"), _ALLOW),
    "wanadoo.fr": Provider(Server("imap.orange.fr"), Server("smtp.orange.fr"), _ALLOW),
    "posteo.de": Provider(Server("posteo.de"), Server("posteo.de")),
    "posteo.net": Provider(Server("posteo.de"), Server("posteo.de")),
    "sfr.fr": Provider(Server("imap.sfr.fr"), Server("smtp.sfr.fr")),
    "t-online.de": Provider(Server("secureimap.t-online.de"), Server("securesmtp.t-online.de"), _APP),
    "web.de": Provider(Server("imap.web.de"), Server("smtp.web.de"), _ALLOW),
    "zoho.com": Provider(Server("imap.zoho.com"), Server("smtp.zoho.com"), _APP),
}  # fmt: skip
"""By the domain of an address."""


def imap_servers(address: str) -> Iterator[Server]:
    """Go through the servers at which an address may have its mailbox, the likeliest first.

    >>> next(imap_servers("ann@gmail.com")).host, [server.host for server in imap_servers("ann@example.org")]
    ('imap.gmail.com', ['imap.example.org', 'mail.example.org', 'example.org', 'imap.example.org', 'mail.example.org'])
    """
    domain = domain_of(address)
    if known := KNOWN.get(domain):
        yield known.imap
        return
    yield from (Server(name) for name in (f"imap.{domain}", f"mail.{domain}", domain))
    yield from (Server(name, "starttls") for name in (f"imap.{domain}", f"mail.{domain}"))


def smtp_servers(address: str) -> Iterator[Server]:
    """Go through the servers that may take its letters.

    >>> [(server.host, server.tls) for server in smtp_servers("ann@example.org")][:2]
    [('smtp.example.org', 'tls'), ('smtp.example.org', 'starttls')]
    """
    domain = domain_of(address)
    if known := KNOWN.get(domain):
        yield known.smtp
        return
    for name in (f"smtp.{domain}", f"mail.{domain}", domain):
        yield Server(name)
        yield Server(name, "starttls")


def hint(host: str) -> str:
    """Return advice on logging in at a server, or "" without any.

    >>> hint("imap.gmail.com")[:46]
    'imap.gmail.com wants an “app password” from ma'
    """
    found = next((one.hint for one in KNOWN.values() if host in (one.imap.host, one.smtp.host)), "")
    return _(found, host=host) if found and host != "127.0.0.1" else ""


def advice(address: str) -> str:
    """Return the same for an address, before anything is tried.

    >>> advice("ann@example.org")
    ''
    """
    known = KNOWN.get(domain_of(address))
    return _(known.hint, host=domain_of(address)) if known and known.hint else ""


def domain_of(address: str) -> str:
    """Return the domain of an address."""
    return address.rpartition("@")[2].lower()
