"""A game of two as it was: gone through by the true position, which no player had."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.errors import Fault, FormError
from pbem.i18n import _
from pbem.kernel import Chance, Event, Fact, Json, Order, Outcome
from pbem.kernel.knowing import Knowing, Publicly, is_going
from pbem.ledger import heard, same
from pbem.ledger.deck import Shuffler
from pbem.ledger.pair import PairCourse, Spoken, Vault
from pbem.ledger.patch import diff, fold
from pbem.referee.peer import released_by

from .ahead import deck_no
from .steps import PairSteps, WayBack, is_own_part, taken_back


class TrueSteps(PairSteps):
    """The game as it was, known from both secrets."""

    def __init__(self, knowing: Knowing, course: PairCourse, vaults: Mapping[str, Vault]) -> None:
        super().__init__(knowing, course)
        self.vaults = vaults
        stop = self.game.start(course.first["opts"])
        self._state = self.stood = stop.state
        """`stood`: where the rules stood still last; on the way between two questions no view can be shown."""
        self.happened: list[Event] = list(stop.events)
        """All that has come of the steps so far."""
        self.result = self._state.result
        self.parts_at: dict[str, Spoken] = {}
        self._of = (0, 0)
        """The entry that is gone through, and how much had happened before it."""
        self.lying: Mapping[int, Mapping[int, str]] = {}
        self.opened: Mapping[Spoken, str] = {}
        """The card at each place of the decks, and the sealed texts, if they were computed before."""
        self._seen: tuple[Any, dict[str | None, Any]] = (None, {})
        """The last state that was viewed, and its views."""
        self._go_on()

    @property
    def state(self) -> Any:
        return self._state

    def take(self, at: Spoken, act: Mapping[str, Json]) -> None:
        if self._of[0] != at.n:
            self._of = at.n, len(self.happened)
        super().take(at, act)

    def _known(self) -> Any:
        return self._state, self.stood, self.happened[self._of[1] :]

    def _know_again(self, way: WayBack) -> None:
        self._state, self.stood, before = way.known
        tells = {seat: taken_back(way, len(heard_by(before, seat))) for seat in self.seats}
        self.happened.append(Fact(taken_back(way, len(heard_by(before, None))), tells))

    def _view(self, state: Any, who: str | None) -> Any:
        if self._seen[0] is not state:
            self._seen = (state, {})
        views = self._seen[1]
        if who not in views:
            views[who] = self.knowing.view(state, who)
        return views[who]

    def _read(self, at: Spoken, text: str) -> Order:
        return self._lawful(at, self.game.own_view(self._view(self._state, at.seat)), text)

    def _all_hear(self, fact: Json) -> None:
        self.happened.append(Fact(fact))

    def _unsealed(self, at: Spoken, hidden: str) -> str | None:
        if at in self.opened:
            return self.opened[at]
        try:
            return str(self.vaults[at.seat].read(at.no, at.index, hidden))
        except FormError as why:
            raise Fault(at.n, "SEALBIND", at.seat, str(why)) from None

    def _private(self, seat: str, i: int) -> str:
        return self.vaults[seat].private(i)

    def _dealt(self, no: int, place: int, seat: str) -> None:
        """Do nothing: both secrets determine the card at each place."""

    def _card(self, no: int, place: int) -> str:
        if no in self.lying:
            return self.lying[no][place]
        deck, owner = self.course.decks[no], self.course.owners.get((no, place), self.seats[0])
        half = {seat: Shuffler(deck.name, seat, self.vaults[seat].deck(no), deck.below(seat)) for seat in self.seats}
        lies = deck.shares.get(place) or half[self.course.other(owner)].taken_off(deck.lies(place))
        return half[owner].look(place, lies)

    def _cards(self, chance: Chance) -> Outcome:
        no = deck_no(chance.label)
        return (tuple(self._card(no, place) for place in range(chance.requests[0].n)),)

    def _heard_part(self, at: Spoken, part: dict[str, Json]) -> None:
        self.parts_at[at.seat] = at

    def _told(self, at: Spoken, act: Mapping[str, Json]) -> None:
        before, other = self._state, self.course.other(at.seat)
        public, others = self._view(before, None), self._view(before, other)
        after, events = self.knowing.go(before, self._inputs())
        facts = heard_by(events, None)
        self._must(at, act["facts"], facts)
        self._must(at, act["view"], diff(public, self._view(after, None)))
        own: Json = {"facts": list(range(len(facts))), "view": {}}
        if "hand" in act:
            mix = self.course.seats[at.seat].mix
            own = self.vaults[other].read_hand(mix, at.seat, at.no, at.index, act["hand"])
        try:
            told = heard({"facts": facts}, own) if is_own_part(own, self.knowing.follows) else None
            sees = self._less(fold(fold(others, act["view"]), own["view"]))
        except (FormError, LookupError, TypeError, AttributeError):
            told, sees = None, {}
        self._must(at, told, heard_by(events, other))
        self._must(at, sees, self._less(self._view(after, other)))
        self._went(after, events)

    def _went(self, after: Any, events: Sequence[Event]) -> None:
        self._state = after
        self.happened += events
        if not is_going(after):
            self.stood = after

    def _less(self, view: dict[str, Json]) -> dict[str, Json]:
        return {key: value for key, value in view.items() if key not in self.knowing.follows}

    def _must(self, at: Spoken, said: Json, was: Json) -> None:
        if not same(said, was):
            raise Fault(at.n, "TELL", at.seat, _("What {seat} tells of this step was not so.", seat=at.seat))

    def _go(self, given: Mapping[str, Order] | Outcome | None) -> tuple[str, ...]:
        after, events = self.knowing.go(self._state, given)
        self._went(after, events)
        return released_by(events)

    def _go_together(self, given: Mapping[str, Order] | Outcome | None) -> tuple[str, ...]:
        after, events = self.knowing.go(self._state, given)
        told = Publicly(tuple(heard_by(events, None)), self.knowing.view(after, None))
        for seat, part in self.given.parts.items():
            self._must(self.parts_at[seat], part, self.knowing.due(self._state, seat, given, told))
        self._went(after, events)
        return released_by(events)


def heard_by(events: Sequence[Event], seat: str | None) -> list[Json]:
    """Return the facts that a seat (None: everybody) hears of what happened."""
    return [told for event in events if isinstance(event, Fact) and (told := event.heard_by(seat)) is not None]
