"""Looking whether a door answers, from outside of it: the one on this machine, and by way of its proxy.

It asks for the greeting alone, as anybody may, and believes nothing but that the host's own key stands in it.
"""

from __future__ import annotations

import http.client
import ssl
from urllib.parse import urlsplit

from pydantic import ValidationError

from pbem.errors import WorldError
from pbem.i18n import _
from pbem.mail.door import CALLS, Greeting

_SECONDS = 10
_MOST = 10_000


def greeted(address: str, host: str) -> None:
    """Raise WorldError, saying why, where no door of that host (a key line) answers at an address."""
    try:
        found = Greeting.model_validate_json(_asked(address))
    except (OSError, http.client.HTTPException) as error:
        raise WorldError(
            _("Nothing answers at {address}: {why}.", address=address, why=str(error) or type(error).__name__)
        ) from error
    except ValidationError as error:
        raise WorldError(_("What answers at {address} is no door of a host.", address=address)) from error
    if found.host != host:
        raise WorldError(_("What answers at {address} is the door of another host.", address=address))


def _asked(address: str) -> bytes:
    parts = urlsplit(address)
    name, port = parts.hostname or "", parts.port
    line = (
        http.client.HTTPConnection(name, port, timeout=_SECONDS)
        if parts.scheme == "http"
        else http.client.HTTPSConnection(name, port, timeout=_SECONDS, context=ssl.create_default_context())
    )
    try:
        line.request("GET", f"{parts.path}{CALLS}greeting")
        return line.getresponse().read(_MOST)
    finally:
        line.close()
