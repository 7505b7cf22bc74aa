"""A page's errands at relays, beside those at hosts' web addresses."""

from __future__ import annotations

from collections.abc import Callable

from pbem.errors import UsageError
from pbem.i18n import _
from pbem.mail.relay import read_link
from pbem.player import Desk
from pbem.player.doors import Doors
from pbem.records import dataclass

from . import calls, doorway
from .errands import Errands
from .relays import invitation


@dataclass(slots=True)
class _AtRelay:
    """Where an errand at a relay reads letters."""

    desk: Desk


class RelayErrands(Errands):
    """The errands of one service. `goes_on` lets games of two continue after letters, and returns the news to show."""

    def __init__(
        self, desk: Callable[[], Desk], now: Callable[[], str], goes_on: Callable[[calls.Came], calls.Came]
    ) -> None:
        super().__init__(desk, now)
        self._goes_on = goes_on

    def known(self) -> doorway.DoorsKnown:
        """Return the games with a known web address, or with a relay."""
        relayed = [one for one in self._desk().friends() if one.notes.relay]
        told = tuple(
            doorway.DoorOfGame(
                game=one.notes.game,
                title=one.notes.title,
                door=read_link(one.notes.relay).address,
                over=one.seat.state in ("over", "lost"),
                relay=True,
            )
            for one in relayed
        )
        return doorway.DoorsKnown(doors=(*super().known().doors, *told))

    def leads_to_a_door(self, address: str) -> bool:
        """Is that the address of something to ask at a door, or of what an errand at a relay wants now?"""
        relayed = [one for one in self._running.values() if not isinstance(one.doors, Doors)]
        return any(one.asked and one.asked.address == address for one in relayed) or super().leads_to_a_door(address)

    def visit(self, game: str) -> doorway.DoorStep:
        """Bring a game's waiting letters to its web address or relay, and fetch those there. Raises UsageError without one."""
        return self._at_relay(game, wait=False) or super().visit(game)

    def listen(self, game: str) -> doorway.DoorStep:
        """Ask for the numbers of the letters at a web address; at a relay, wait for letters. Raises UsageError without one."""
        return self._at_relay(game, wait=True) or super().listen(game)

    def open_link(self, link: str) -> doorway.DoorStep:
        """Fetch the invitation to which a link leads. Raises UsageError."""
        desk = self._desk()
        desk.key  # noqa: B018 - what is locked is said before anything is asked
        return self._started(_AtRelay(desk), invitation(desk, link))

    def _at_relay(self, game: str, *, wait: bool) -> doorway.DoorStep | None:
        desk = self._desk()
        for friend in desk.friends(game):
            if not friend.notes.relay:
                raise UsageError(_("No relay carries the letters of this game: send them by mail."))
            desk.key  # noqa: B018 - as above
            relays, name = desk.relays, friend.notes.game
            return self._started(_AtRelay(desk), relays.waits(name) if wait else relays.visits(name))
        return None

    def _taken(self, desk: Desk, raw: bytes) -> calls.CameIn:
        came = super()._taken(desk, raw)
        return self._goes_on(calls.Came(came=(came,))).came[0] if came.kind == "pair" else came
