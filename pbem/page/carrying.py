"""A page's requests to web addresses, carried by Python for `pbem web`: a page speaks only to its own server.

It carries the desk's requests unchanged. `serving` decides in advance which addresses are allowed.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Mapping

from pydantic import ValidationError

from pbem.errors import UsageError, WorldError
from pbem.mail.door import SIGNED_HEADER
from pbem.player.asking import DoorRequest
from pbem.player.door import MOST, DoorLine

from .doorway import RequestAtDoor
from .letters import file

_PATIENCE = 60
_PIECE = 65_536


def read_request(body: bytes) -> DoorRequest | None:
    """Return the request that a page wants carried; None if it is invalid, or has headers that hosts and relays do not read."""
    try:
        asked = RequestAtDoor.model_validate_json(body)
        if (
            set(asked.headers) - {SIGNED_HEADER, "Authorization"}
            or not "".join(asked.headers.values()).isprintable()
            or (asked.method == "DELETE" and "Authorization" not in asked.headers)  # only a relay's letters are deleted
        ):
            return None
        return DoorRequest(asked.method, asked.address, asked.headers, file(asked.body), asked.streams)
    except (ValidationError, UsageError):
        return None


def carry(
    asked: DoorRequest, answer: Callable[[Mapping[str, object]], None], begin: Callable[[], Callable[[bytes], object]]
) -> None:
    """Carry a request. The reply goes to `answer`, in the form of `carried`; a stream goes piece by piece to the result of
    `begin`.

    Raises OSError if the page has disconnected.
    """
    line, begun = DoorLine(_PATIENCE), False
    try:
        with line.stream(asked) as came:
            if came.status != 200 or not asked.streams:
                answer(_told(came.status, came.read(MOST)))
                return
            push, begun = begin(), True
            while piece := came.read1(_PIECE):
                push(piece)
    except WorldError as error:
        if not begun:
            answer({"status": 0, "data": "", "why": str(error.__cause__ or error)[:200]})


def _told(status: int, data: bytes) -> Mapping[str, object]:
    return {"status": status, "data": b64encode(data).decode(), "why": ""}
