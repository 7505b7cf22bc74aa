"""A page's errands at hosts' web addresses: it gets a request to carry, returns the reply, and gets the next request.

The carrier of the calls also carries the requests: a browser to its page's own origin, `pbem web` to the addresses that its desk
knows. This module decides which results a page gets. An abandoned errand is forgotten. What it has brought or fetched remains, and
the next errand does the rest.
"""

from __future__ import annotations

import re
import secrets
from base64 import b64encode
from collections.abc import Callable, Generator
from functools import partial
from typing import Any

from pbem.errors import UsageError, WorldError
from pbem.i18n import N_, _
from pbem.mail.door import CALLS
from pbem.player import Desk
from pbem.player.asking import AtTheDoor, Brought, DoorReply, DoorRequest, Found, NotBrought, unreached
from pbem.player.doors import Doors
from pbem.records import dataclass

from . import calls, doorway, letters

_AT_ONCE = 16
"""The maximum number of errands in progress; one more, and the oldest is forgotten."""
_CALL = re.compile(r"greeting|events|letters\?since=[0-9]{1,9}", re.ASCII)
_SAYS = {
    "taken": N_("The host has it, and has decided on it."),
    "duplicate": N_("The host had it already."),
    "refused": N_("The host has refused it; his letter says why."),
    "waits": N_("The host has stored it, and decides on it later."),
    "failed": N_("The host has stored it, and decides on it later."),
    "ignored": N_("The host has it, and it moves nothing."),
    "unreadable": N_("The host could not read it."),
    "relay": N_("It is there, sealed, until your friend's program fetches it."),
}
"""What the door says of a letter, by its word; or the relay."""
_Talk = Generator[DoorRequest | Found, DoorReply, None] | Generator[DoorRequest, DoorReply, None]


@dataclass(slots=True)
class _Running:
    """An errand under way, and its last request."""

    doors: Any
    """`Doors`, or the relays of `relay_errands`."""
    talk: _Talk
    asked: DoorRequest | None = None


class Errands:
    """The errands of one service; `desk` gives its desk as it is now, `now` the time."""

    def __init__(self, desk: Callable[[], Desk], now: Callable[[], str]) -> None:
        self._desk, self._now = desk, now
        self._running: dict[str, _Running] = {}

    _taken = staticmethod(letters.take_one)

    def known(self) -> doorway.DoorsKnown:
        """Return the games with a known web address."""
        desk = self._desk()
        return doorway.DoorsKnown(
            doors=tuple(
                doorway.DoorOfGame(game=one.game, title=one.title, door=one.door, over=desk.lying(one).log.finished)
                for one in Doors(desk, self._now).with_one()
            )
        )

    def leads_to_a_door(self, address: str) -> bool:
        """Is that the address of something that can be asked at the door of a game of this desk?"""
        heads = [f"{notes.door}{CALLS}" for notes in self._desk().games() if notes.door]
        return any(address.startswith(head) and _CALL.fullmatch(address[len(head) :]) for head in heads)

    def visit(self, game: str) -> doorway.DoorStep:
        """Bring a game's waiting letters to its web address, and fetch those there. Raises UsageError without an address."""
        return self._begun(game, Doors.visits)

    def listen(self, game: str) -> doorway.DoorStep:
        """Ask for the numbers of the letters at a game's web address. Raises UsageError without an address."""
        return self._begun(game, Doors.listens)

    def _begun(self, game: str, errand: Callable[[Doors, str], _Talk]) -> doorway.DoorStep:
        desk = self._desk()
        notes = desk.notes(game)
        if not notes.door:
            raise UsageError(_("No door of this host is known here: its letters say where it is, if there is one."))
        desk.key  # noqa: B018 - what is locked is said before anything is asked
        doors = Doors(desk, self._now)
        return self._started(doors, errand(doors, notes.game))

    def _started(self, doors: Any, talk: _Talk) -> doorway.DoorStep:
        name = secrets.token_hex(8)
        self._running[name] = _Running(doors, talk)
        for old in list(self._running)[:-_AT_ONCE]:
            del self._running[old]
        return self._step(name, partial(next, talk))

    def carried(self, errand: str, status: int, data: bytes, why: str) -> doorway.DoorStep:
        """Continue an errand, with the answer to its last request; status 0: it was not carried. Raises UsageError."""
        one = self._running.get(errand)
        if one is None or one.asked is None:
            raise UsageError(_("That request at the door was abandoned; start it again."))
        one.doors.desk = self._desk()
        if status:
            return self._step(errand, partial(one.talk.send, DoorReply(status, data)))
        return self._step(errand, partial(one.talk.throw, unreached(one.asked, why or "?")))

    def _step(self, name: str, push: Callable[[], Any]) -> doorway.DoorStep:
        """Continue to the next request, or to the end."""
        one, brought, came, trouble = self._running[name], list[doorway.WasBrought](), list[calls.CameIn](), list[str]()
        one.asked = None
        try:
            found = push()
            while not isinstance(found, DoorRequest):
                match found:
                    case Brought() | NotBrought():
                        brought.append(_brought(one.doors.desk, found))
                    case AtTheDoor(raw=raw):
                        came.append(self._taken(one.doors.desk, raw))
                    case _:
                        trouble.append(found.why)
                found = next(one.talk)
            one.asked = found
        except StopIteration:
            pass
        except WorldError as error:
            trouble.append(str(error))
        finally:
            if one.asked is None:
                self._running.pop(name, None)
        return doorway.DoorStep(
            errand=name, ask=_request(one.asked) if one.asked else None, brought=tuple(brought), came=tuple(came),
            trouble=tuple(trouble),
        )  # fmt: skip


def _brought(desk: Desk, found: Brought | NotBrought) -> doorway.WasBrought:
    name = found.path.name
    game = next(
        (
            notes.game
            for notes in (*desk.games(), *(one.notes for one in desk.friends()))
            if name.startswith(f"{notes.game[:8]}.")
        ),
        "",
    )
    if isinstance(found, NotBrought):
        return doorway.WasBrought(name=name, game=game, became="", says=found.why)
    return doorway.WasBrought(
        name=name, game=game, became=found.became, says=_(_SAYS.get(found.became, _SAYS["taken"]))
    )


def _request(asked: DoorRequest) -> doorway.RequestAtDoor:
    return doorway.RequestAtDoor.model_validate({**asked._asdict(), "body": b64encode(asked.body).decode()})
