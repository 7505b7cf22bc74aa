"""One seat of a game without a host: the rules, run on what this seat knows.

A peer has its own view and nothing else. It guesses a state that looks like it, takes one step of the rules there, and keeps what
its view tells for certain; the rest it hears from whoever knows it (`pbem.kernel.knowing`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from pbem.kernel import Chance, Chooser, Event, Fact, Json, Order, Outcome, Stop
from pbem.kernel.knowing import Knowing, Parts, Publicly, is_going
from pbem.ledger.patch import diff, fold


class HandedOver(NamedTuple):
    """What one seat alone hears of a step, and how its own view changes besides what everybody sees."""

    facts: tuple[Json, ...]
    patch: dict[str, Json]


class Worked(NamedTuple):
    """What a seat makes of a step: what everybody has of it, what the seat itself sees and hears, what goes to each other one."""

    told: Publicly
    own: dict[str, Json]
    facts: tuple[Json, ...]
    handed: Mapping[str, HandedOver]


class Peer:
    """The seat `seat` of a game that begins at `stop`, where nothing is hidden yet; `chooser` makes its guesses."""

    def __init__(self, knowing: Knowing, seat: str, seats: tuple[str, ...], stop: Stop, chooser: Chooser) -> None:
        self.knowing, self.game, self.seat, self.chooser = knowing, knowing.game, seat, chooser
        self.others = tuple(other for other in seats if other != seat)
        self.public, self.own = (self.game.view(stop.state, one) for one in (None, seat))
        self._state = self._guess()

    def _guess(self) -> Json:
        """Guess some state that looks like what this seat sees."""
        return self.game.determinise(self.game.read_view(self.own), self.chooser)

    @property
    def is_going(self) -> bool:
        """Do the rules go on by themselves from here?"""
        return is_going(self._state)

    def knower(self) -> str:
        """Return who works the next step out: ALL, EACH or a seat."""
        return self.knowing.knower(self._state)

    def work(self, given: Mapping[str, Order] | Outcome | None = None, parts: Parts = MappingProxyType({})) -> Worked:
        """Return what this seat makes of the next step; `parts` are the others' of one that is known to EACH.

        In an outcome "" stands for each card that the seat does not see. Nothing changes by it.
        """
        game, state = self.game, self._state
        if isinstance(given, Mapping):
            state = self.knowing.fitting(state, self.seat, given)
        elif given is not None and isinstance(wanted := game.wants(state), Chance) and wanted.is_deal:
            given = self.knowing.filled(wanted, given, parts, self.chooser)
        after, events = self.knowing.go(state, given)
        made = Publicly(_heard(events, None), game.view(after, None))
        told = self.knowing.joined(made, parts)
        own = fold(told.view, diff(made.view, game.view(after, self.seat)))
        seen = diff(game.view(state, None), made.view)
        handed = {}
        for other in self.others:
            patch = diff(fold(game.view(state, other), seen), game.view(after, other))
            plain = {key: value for key, value in patch.items() if key not in self.knowing.follows}
            handed[other] = HandedOver(_heard(events, other), plain)
        return Worked(told, own, _heard(events, self.seat), handed)

    def part(self, worked: Worked) -> dict[str, Json]:
        """Return what this seat says of a step that is known to EACH, from what it makes of it without the others."""
        return self.knowing.part(self.seat, worked.told)

    def go_on(self, worked: Worked) -> tuple[Json, ...]:
        """Take a step as this seat has worked it out; return what it hears."""
        self._look(worked.told, worked.own)
        return worked.facts

    def hear(self, told: Publicly, handed: HandedOver) -> tuple[Json, ...]:
        """Take a step that another seat has worked out; return what this one hears."""
        self._look(told, fold(fold(self.own, diff(self.public, told.view)), handed.patch))
        return handed.facts

    def _look(self, told: Publicly, own: dict[str, Json]) -> None:
        """See what has come of a step. What this seat is asked about follows from what it sees, and is not taken from others."""
        self.public, self.own = told.view, own
        self._state = self._guess()
        self.own = self.game.view(self._state, self.seat)


def _heard(events: Iterable[Event], seat: str | None) -> tuple[Json, ...]:
    return tuple(heard for event in events if isinstance(event, Fact) and (heard := event.heard_by(seat)) is not None)
