"""One seat of a game without a host: the rules, run on this seat's knowledge.

A peer has only its own view. It guesses a state that matches the view, takes one step of the rules there, and keeps the parts that
its view makes certain. The rest it learns from those who know it (`pbem.kernel.knowing`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from pbem.kernel import Chance, Chooser, Event, Fact, Json, Order, Outcome, Release, Stop
from pbem.kernel.knowing import EACH, Knowing, Parts, Publicly, is_going, on_the_way
from pbem.ledger.patch import diff, fold

Cards: TypeAlias = Mapping[tuple[str, int], str]
"""Dealt cards that are known, by label and place."""


class HandedOver(NamedTuple):
    """One seat's private facts about a step, and the changes of its view beyond the public ones."""

    facts: tuple[Json, ...]
    patch: dict[str, Json]


class Worked(NamedTuple):
    """One seat's result of a step: the public part, the seat's own view and facts, and the part for each other seat.

    It hands something over only where it alone works the step out.
    """

    told: Publicly
    own: dict[str, Json]
    facts: tuple[Json, ...]
    handed: Mapping[str, HandedOver]
    released: tuple[str, ...]
    """Deals of which nothing is hidden any longer, by the label."""
    after: Any = None
    """The guessed state after it, where nothing of others' had to be joined."""


class Peer:
    """The seat `seat` of a game that begins at `stop`, where nothing is hidden yet; `chooser` makes its guesses."""

    def __init__(self, knowing: Knowing, seat: str, seats: tuple[str, ...], stop: Stop, chooser: Chooser) -> None:
        self.knowing, self.game, self.seat, self.chooser = knowing, knowing.game, seat, chooser
        self.others = tuple(other for other in seats if other != seat)
        self.public, self.own = (self.game.view(stop.state, one) for one in (None, seat))
        self._state = self._guess()

    def _guess(self) -> Json:
        """Guess some state that looks like what this seat sees."""
        if (begin := getattr(self.chooser, "begin", None)) is not None:
            begin(self.own)  # so that whoever has the same key guesses the same
        return on_the_way(self.knowing.guess(self.own, self.chooser))

    @property
    def guess(self) -> Json:
        """Some state that looks like what this seat sees."""
        return self._state

    @property
    def is_going(self) -> bool:
        """Whether the rules continue by themselves from here."""
        return is_going(self._state)

    def knower(self) -> str:
        """Return who works the next step out: ALL, EACH or a seat."""
        return self.knowing.knower(self._state)

    def shows(self) -> Mapping[tuple[str, int], str]:
        """Return the dealt places that the next step shows, if the rules continue by themselves: by label and place, to whom."""
        return self.knowing.shows(self._state)

    def work(
        self,
        given: Mapping[str, Order] | Outcome | None = None,
        parts: Parts = MappingProxyType({}),
        cards: Cards = MappingProxyType({}),
    ) -> Worked:
        """Return this seat's result for the next step; `parts` are the other seats' parts of a step that is known to EACH.

        If orders stay sealed to the end, `given` contains only this seat's own. In an outcome, "" marks each card that the seat
        does not see. `cards` are the cards that the step shows to this seat or to everybody. Nothing changes.
        """
        knowing, state = self.knowing, self._state
        for (label, place), card in cards.items():
            state = knowing.laid(state, label, place, card)
        if isinstance(given, Mapping):
            given = knowing.supplied(state, self.seat, given)
            state = knowing.fitting(state, self.seat, given)
        elif given is not None and isinstance(wanted := self.game.wants(state), Chance) and wanted.is_deal:
            given = knowing.filled(wanted, given, parts, self.chooser)
        knower = knowing.knower(state)
        hands_over = self.others if knower == self.seat else ()
        before = {seat: knowing.view(state, seat) for seat in (None, *hands_over)} if hands_over else {}
        after, events = knowing.go(state, given)
        made, own = Publicly(_heard(events, None), knowing.view(after, None)), knowing.view(after, self.seat)
        facts, released = _heard(events, self.seat), released_by(events)
        if knower == EACH:
            told = knowing.joined(made, parts)
            own = fold(told.view, diff(made.view, own))
            facts = knowing.joined(Publicly(facts, made.view), parts).facts
            return Worked(told, own, facts, {}, released)
        handed = {}
        for other in hands_over:
            patch = diff(fold(before[other], diff(before[None], made.view)), knowing.view(after, other))
            plain = {key: value for key, value in patch.items() if key not in knowing.follows}
            handed[other] = HandedOver(_heard(events, other), plain)
        return Worked(made, own, facts, handed, released, after)

    def part(self, worked: Worked) -> dict[str, Json]:
        """Return this seat's part of a step that is known to EACH, from its own result without the others."""
        return self.knowing.part(self.seat, worked.told)

    def fits(self, worked: Worked) -> bool:
        """Return whether some position fits this seat's result of a step. It is checked if others have told parts of the step."""
        return self.knowing.view(self.knowing.guess(worked.own, self.chooser), None) == worked.told.view

    def go_on(self, worked: Worked) -> tuple[Json, ...]:
        """Take a step as this seat has worked it out; return what it hears."""
        if worked.after is None:
            self.look(worked.told.view, worked.own)
        else:  # the state looks like what this seat sees, so it will do as a guess
            self.public, self.own, self._state = worked.told.view, worked.own, worked.after
        return worked.facts

    def hear(self, told: Publicly, handed: HandedOver) -> tuple[Json, ...]:
        """Take a step that another seat has worked out; return what this one hears."""
        self.look(told.view, fold(fold(self.own, diff(self.public, told.view)), handed.patch))
        return handed.facts

    def look(self, public: dict[str, Json], own: dict[str, Json]) -> None:
        """Update the views after a step. This seat's own question follows from its view, and is not taken from others."""
        self.public, self.own = public, own
        self._state = self._guess()
        self.own = self.knowing.view(self._state, self.seat)


def released_by(events: Iterable[Event]) -> tuple[str, ...]:
    """Return the deals of which nothing is hidden any longer after these events."""
    return tuple(event.label for event in events if isinstance(event, Release))


def _heard(events: Iterable[Event], seat: str | None) -> tuple[Json, ...]:
    return tuple(heard for event in events if isinstance(event, Fact) and (heard := event.heard_by(seat)) is not None)
