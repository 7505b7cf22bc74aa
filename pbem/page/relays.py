"""Relays at a page: the link of one's own invitation, and opening a friend's; `RELAYS` lists the calls.

Letters go to a relay and come from it as they do at a host's web address (`doorway`). The service makes the requests. Whoever
carries calls carries them. The desk keeps an opened link until its invitation is answered.
"""

from __future__ import annotations

import json
import os
from collections.abc import Generator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from pbem import private
from pbem.mail.relay import SECRET, RelayLink, read_link, relay_address
from pbem.player.asking import AtTheDoor, DoorReply, DoorRequest

from .calls import DeskCall, InOut, Join, OfGame, Reply, Word
from .doorway import DoorStep

if TYPE_CHECKING:
    from pbem.player import Desk

_LINKS, _SHORT = "links.json", 16
"""The file of the links that were opened, and the length of the ids of games in it."""


class OpenLink(DeskCall):
    """Fetch the invitation to which a link leads; it then asks to be answered, as if it had come by mail."""

    call: Literal["open_link"] = "open_link"
    link: Word


class AskLink(OfGame):
    """The link by which the friend joins a game of two."""

    call: Literal["link"] = "link"


class LinkOfGame(Reply):
    link: str = Field(
        description="empty without a relay, and once the friend has joined; who has it can read the invitation"
    )


RELAYS: dict[str, InOut] = {
    "open_link": InOut(OpenLink, DoorStep),
    "link": InOut(AskLink, LinkOfGame),
}
"""By the name of the call: what goes in, and what comes out."""


def relayed_letters(desk: Desk) -> dict[str, dict[str, Any]]:
    """Return by name the letters that wait and can go by a relay, as the page shows them."""
    if not desk.friends():
        return {}
    relays, told = desk.relays, dict[str, dict[str, Any]]()
    for notes in relays.with_one():
        address = read_link(notes.relay).address
        # an invitation goes by no mail: its reader needs the link
        bare = {"attached": None, "mailto": ""} if desk.pairs.seat(notes).state == "joining" else {}
        nowhere = {} if notes.friend else {"mailto": "", "to": address}
        for path in relays.waiting(notes.game):
            told[path.name] = {"relay": address, **nowhere, **bare}
    return told


def invitation(desk: Desk, link: str) -> Generator[DoorRequest | AtTheDoor, DoorReply, None]:
    """Fetch the invitation to which a link leads, and keep the link for the answer. Raises UsageError, RecordError."""
    raw = yield from desk.relays.invitation(link)
    _write(desk.home, {**_read(desk.home), desk.pair_joiner.invited(raw).game[:_SHORT]: link})
    yield AtTheDoor("", raw)


def new_link(address: str) -> str:
    """Return the link of a new game at a relay, "" without one. Raises UsageError if no relay can be at that address."""
    return address and str(RelayLink(relay_address(address), os.urandom(SECRET)))


def link_to(home: Path, game: str) -> str:
    """Return the link by which the invitation to a game was opened, "" without one."""
    return _read(home).get(game[:_SHORT], "")


def relay_of(home: Path, game: str) -> str:
    """Return the address of the relay from which the invitation to a game came, "" without one."""
    return read_link(link).address if (link := link_to(home, game)) else ""


def join(desk: Desk, game: str, raw: bytes, at: str, asked: Join) -> str:
    """Answer the letter of a game that asks, with the link by which it was opened, and forget that; return what was signed."""
    links = _read(desk.home)
    link = links.pop(game[:_SHORT], "")
    said = desk.join(raw, at, asked.rules, seat=asked.seat, token=asked.token, host=asked.host, relay=link)
    if link:
        _write(desk.home, links)
    return said


def link_of(desk: Desk, game: str) -> LinkOfGame:
    """Return the link by which the friend joins a game."""
    friends = [one for one in desk.friends(game) if one.seat.state == "joining"]
    return LinkOfGame(link=friends[0].notes.relay if friends else "")


def _read(home: Path) -> dict[str, str]:
    file = home / _LINKS
    return dict(json.loads(file.read_text("utf-8"))) if file.is_file() else {}


def _write(home: Path, links: Mapping[str, str]) -> None:
    private.put(home / _LINKS, json.dumps(links).encode())
