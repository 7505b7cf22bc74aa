"""What a spectator can judge of an unfinished game of two: only its public part, by the rules.

A spectator has no secret, so knows no hand and no sealed order, and uses the public view alone. Anything that cannot be worked out
is taken on trust. If the rules cannot continue from public knowledge, judging stops. So nobody is blamed for what only a seat could
know.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.errors import Fault, OrderError
from pbem.kernel import Chance, Json, Order, Outcome
from pbem.kernel.knowing import Knowing, Publicly
from pbem.ledger import Entry, same
from pbem.ledger.pair import PairCourse, Spoken, known_course
from pbem.ledger.pair.course import JOINS
from pbem.ledger.patch import fold
from pbem.referee.peer import HandedOver, Peer, Worked

from .certain import LookedOn, OwnGuesses, Unjudged
from .play import IMPOSSIBLE, Unread
from .steps import PairSteps, WayBack

_NOBODY: Any = None
"""The seat of a spectator, who sees the public view."""


class Onlooker(PairSteps):
    """The game as everybody sees it."""

    def __init__(self, knowing: Knowing, course: PairCourse) -> None:
        super().__init__(knowing, course)
        stop = self.game.start(course.first["opts"])
        self.peer = Peer(knowing, _NOBODY, self.seats, stop, OwnGuesses(bytes(32)))
        self.result = self.state.result
        self._go_on()

    @property
    def state(self) -> Any:
        return self.peer.guess

    def _known(self) -> Any:
        return self.peer.public, self.peer.own

    def _know_again(self, way: WayBack) -> None:
        self.peer.look(*way.known)

    def _read(self, at: Spoken, text: str) -> Order:
        if not self.knowing.hides_nothing:
            return self._unseen(at, text)
        return self._lawful(at, self.game.own_view(self.knowing.view(self.state, at.seat)), text)

    def _unseen(self, at: Spoken, text: str) -> Order:
        """Read an order of a seat with hidden information: the spectator does not know whether it is legal."""
        if self.peer.knower() == at.seat:
            return Unread(text=text)
        try:
            return self.knowing.read(self.state, at.seat, text)
        except OrderError as why:
            raise Unjudged from why

    def _all_hear(self, fact: Json) -> None:
        """Nobody reads what he hears."""

    def _unsealed(self, at: Spoken, hidden: str) -> str | None:
        return None

    def _private(self, seat: str, i: int) -> str:
        raise Unjudged

    def _dealt(self, no: int, place: int, seat: str) -> None:
        """He sees no hand."""

    def _cards(self, chance: Chance) -> Outcome:
        return (("",) * chance.requests[0].n,)

    def _heard_part(self, at: Spoken, part: dict[str, Json]) -> None:
        """It is joined with the other's."""

    def _told(self, at: Spoken, act: Mapping[str, Json]) -> None:
        told = Publicly(tuple(act["facts"]), fold(self.peer.public, act["view"]))
        self.peer.hear(told, HandedOver((), {}))
        if not same(self.knowing.view(self.state, None), told.view):
            raise Unjudged

    def _go(self, given: Mapping[str, Order] | Outcome | None) -> tuple[str, ...]:
        return self._went(self.peer.work(given, cards=self._turned_up()))

    def _go_together(self, given: Mapping[str, Order] | Outcome | None) -> tuple[str, ...]:
        return self._went(self.peer.work(given, self.given.parts, cards=self._turned_up()))

    def _turned_up(self) -> dict[tuple[str, int], str]:
        return {(f"deal:{no}", place): card for no, place, card in self.given.played.values()}

    def _went(self, worked: Worked) -> tuple[str, ...]:
        self.peer.go_on(worked)
        return worked.released


def looked_on(knowing: Knowing, entries: Sequence[Entry]) -> LookedOn:
    """Go through a log that was verified, and judge by the rules what everybody can judge."""
    course = known_course(entries[: JOINS + 1], goes_on=True)
    last = JOINS
    try:
        onlooker = Onlooker(knowing, course)
        for entry in onlooker.go_through(entries[JOINS + 1 :]):
            last = entry.n
    except Fault as found:
        return LookedOn(last, found)
    except (Unjudged, *IMPOSSIBLE):
        return LookedOn(last, None)
    return LookedOn(last, None)
