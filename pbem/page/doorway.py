"""The calls about hosts' web addresses: their list, and bringing and fetching letters; `DOORWAY` lists them.

The service makes requests and reads replies. The carrier of the calls also carries these requests.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from .calls import CameIn, DeskCall, File, InOut, OfGame, Reply, Word


class AskDoors(DeskCall):
    """The games whose hosts have a door, as far as it is known here."""

    call: Literal["doors"] = "doors"


class DoorOfGame(Reply):
    game: str
    title: str
    door: str = Field(description="its address")
    over: bool
    relay: bool = Field(default=False, description="of two, without a host: the address is of the relay between them")


class DoorsKnown(Reply):
    doors: tuple[DoorOfGame, ...]


class VisitDoor(OfGame):
    """Bring what waits of a game to its host's door, and fetch what lies there; whoever carries calls carries the requests."""

    call: Literal["visit"] = "visit"


class ListenAtDoor(OfGame):
    """Ask for the numbers of what lies at a game's door; the last request's answer goes on and on."""

    call: Literal["listen"] = "listen"


class CarriedThere(DeskCall):
    """What was answered to a request to a door; what is to be carried next comes out."""

    call: Literal["carried"] = "carried"
    errand: Word
    status: int = Field(ge=0, le=999, description="of HTTP; 0 where the door was not reached")
    data: File = ""
    why: Word = Field(default="", description="why it was not reached")


class RequestAtDoor(Reply):
    """A request, to be carried as it stands, without cookies, redirects or a cache."""

    method: Literal["GET", "POST", "DELETE"]
    address: str
    headers: dict[str, str]
    body: str = Field(description="in base64")
    streams: bool = Field(description="an answer of 200 is a stream: it is read, and not handed back")


class WasBrought(Reply):
    """A letter that was brought to a door, or was not, and waits to go by mail."""

    name: str
    game: str
    became: str = Field(description="by the door's word; empty where it was not brought")
    says: str = Field(description="the same in a sentence, or why it was not brought; nobody has signed it")


class DoorStep(Reply):
    """How far an errand at a door has come: what is to be asked next, and what has come of it since the last step."""

    errand: str
    ask: RequestAtDoor | None = Field(description="none where the errand is done")
    brought: tuple[WasBrought, ...]
    came: tuple[CameIn, ...]
    trouble: tuple[str, ...]


DOORWAY: dict[str, InOut] = {
    "doors": InOut(AskDoors, DoorsKnown),
    "visit": InOut(VisitDoor, DoorStep),
    "listen": InOut(ListenAtDoor, DoorStep),
    "carried": InOut(CarriedThere, DoorStep),
}
"""By the name of the call: what goes in, and what comes out."""
