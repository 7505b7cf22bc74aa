"""A game that stands somewhere, for tests of rules: typed orders, dictated chance, and what was told of it."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import pytest

from pbem.errors import OrderError
from pbem.kernel import Ask, End, Event, Fact, Game, Json, Stop, View
from tests.conformance import take


class Standing:
    """A game's table derives from it, and lays itself out in the rule book's words."""

    game: ClassVar[Game]

    def __init__(self, stop: Stop) -> None:
        self.stop = stop
        self.events: list[Event] = list(stop.events)

    def view(self, seat: str | None) -> View:
        """What a seat sees."""
        return self.game.read_view(self.game.view(self.stop.state, seat))

    def heard(self, seat: str | None, kind: str = "") -> list[Json]:
        """All facts that a seat (None: the public) has heard, or those of one kind."""
        heard = [event.heard_by(seat) for event in self.events if isinstance(event, Fact)]
        return [fact for fact in heard if fact and (not kind or fact["f"] == kind)]

    @property
    def asked(self) -> tuple[str, ...]:
        """Who is asked."""
        return self.stop.wants.seats if isinstance(self.stop.wants, Ask) else ()

    @property
    def what(self) -> str:
        """What is asked."""
        return self.stop.wants.what if isinstance(self.stop.wants, Ask) else type(self.stop.wants).__name__

    @property
    def result(self) -> Json:
        """How it ended."""
        assert isinstance(self.stop.wants, End)
        return self.stop.wants.result

    def go_on(self, given: Any) -> Self:
        """Go on with what was wanted."""
        self.stop = self.game.step(self.stop.state, given)
        self.events += self.stop.events
        return self

    def order(self, *texts: str, **by_seat: str) -> Self:
        """Answer what is asked: one question after the other of whoever is asked, or by seat where several are."""
        for text in texts:
            (seat,) = self.asked
            self.order(**{seat: text})
        if by_seat:
            self.go_on({seat: take(self.game, self.view(seat), text) for seat, text in by_seat.items()})
        return self

    def refused(self, text: str, why: str, seat: str = "") -> None:
        """An order that is not legal, and the words that say why."""
        with pytest.raises(OrderError, match=why):
            take(self.game, self.view(seat or self.asked[0]), text)

    def legal(self, seat: str = "") -> list[str]:
        """All that may be ordered."""
        return list(map(str, self.game.options(self.view(seat or self.asked[0]))))
