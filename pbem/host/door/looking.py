"""Checks of the web address from outside: directly on this machine, and through its proxy, as a player's program would.

It makes only requests that anybody may make, and believes only the host's own key in the greeting. It finds out what a proxy
changes in the answers, and which other servers answer at that name.
"""

from __future__ import annotations

import http.client
import json
import secrets
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import NamedTuple
from urllib.parse import urlsplit

from pydantic import ValidationError

from pbem.errors import WorldError
from pbem.i18n import _
from pbem.mail.door import CALLS, VALID, Greeting
from pbem.mail.incoming import MAX_RAW
from pbem.mail.tls import trust

_SECONDS = 10
_MOST = 10_000


class _Reply(NamedTuple):
    status: int
    headers: Mapping[str, str]
    data: bytes

    @property
    def error(self) -> str:
        """The host's code for turning somebody away; "" if the answer is not from a host."""
        try:
            told = json.loads(self.data)
        except ValueError:
            return ""
        return str(told.get("error", "")) if isinstance(told, dict) else ""


def greeted(address: str, host: str) -> Greeting:
    """Return what a door says of itself. Raises WorldError, saying why, where no door of that host (a key line) answers there."""
    try:
        found = Greeting.model_validate_json(_asked(f"{address}{CALLS}greeting").data)
    except (OSError, http.client.HTTPException) as error:
        raise WorldError(
            _("Nothing answers at {address}: {why}.", address=address, why=str(error) or type(error).__name__)
        ) from error
    except ValidationError as error:
        raise WorldError(_("The server at {address} is not the door of a host.", address=address)) from error
    if found.host != host:
        raise WorldError(_("What answers at {address} is the door of another host.", address=address))
    return found


def complaints(address: str, told: Greeting, now: str, policy: str) -> Iterator[str]:
    """Yield the faults of the path to a web address that has answered at a time of its host.

    `policy`: the Content-Security-Policy of the page that it shows, "" if it shows none.
    """
    for look in (_keeps_answers(told, now), _lets_others_ask(address), _takes_no_letters(address)):
        yield from look
    if policy:
        yield from _changes_the_page(address, policy)
        yield from _shares_its_name(address)


def _keeps_answers(told: Greeting, now: str) -> Iterator[str]:
    apart = (datetime.fromisoformat(now) - datetime.fromisoformat(told.time)).total_seconds()
    if abs(apart) > VALID:
        yield _(
            "The proxy hands out a greeting of {time}, and it is {now}: let it keep no answers of the door.",
            time=told.time,
            now=now,
        )


def _lets_others_ask(address: str) -> Iterator[str]:
    reply = _tried(f"{address}{CALLS}greeting")
    if reply and "access-control-allow-origin" in reply.headers:
        yield _("The proxy lets pages of others ask the door (Access-Control-Allow-Origin): take that out.")


def _takes_no_letters(address: str) -> Iterator[str]:
    """Test with an unsigned letter of the maximum size of a mail: the web address must answer that it is malformed."""
    reply = _tried(f"{address}{CALLS}letters?since=0", bytes(MAX_RAW))
    if reply and reply.error != "form":
        yield _(
            "The proxy takes no letter of {most} bytes: it answers with {status}. Let it take as much as a mail may have.",
            most=MAX_RAW,
            status=reply.status,
        )


def _changes_the_page(address: str, policy: str) -> Iterator[str]:
    reply = _tried(address)
    if reply is None or reply.status != 200:
        yield _("There is no page at {address}.", address=address)
    elif reply.headers.get("content-security-policy") != policy:
        yield _(
            "The page at {address} comes without the headers that isolate it. Let the proxy pass on the "
            "door's headers, and add no such headers itself.",
            address=address,
        )


def _shares_its_name(address: str) -> Iterator[str]:
    """Everything of one name shares one storage in a browser, and players' keys lie there."""
    parts = urlsplit(address)
    reply = _tried(f"{parts.scheme}://{parts.netloc}/{secrets.token_hex(8)}")
    if parts.path != "/" or (reply and reply.error != "call"):
        yield _(
            "The door does not have all of {name} to itself. A page shares its storage, and the keys in "
            "it, with every other page under the same name. Give the door a name of its own, such as "
            "https://desk.club.example/.",
            name=f"{parts.scheme}://{parts.netloc}/",
        )


def _tried(address: str, body: bytes = b"") -> _Reply | None:
    """Return the reply, or None if the connection breaks, which can happen when a request is rejected before its end."""
    try:
        return _asked(address, body)
    except (OSError, http.client.HTTPException):
        return None


def _asked(address: str, body: bytes = b"") -> _Reply:
    parts = urlsplit(address)
    name, port = parts.hostname or "", parts.port
    line = (
        http.client.HTTPConnection(name, port, timeout=_SECONDS)
        if parts.scheme == "http"
        else http.client.HTTPSConnection(name, port, timeout=_SECONDS, context=trust())
    )
    try:
        target = f"{parts.path}?{parts.query}" if parts.query else parts.path
        line.request("POST" if body else "GET", target, body or None)
        with line.getresponse() as answer:
            return _Reply(answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read(_MOST))
    finally:
        line.close()
