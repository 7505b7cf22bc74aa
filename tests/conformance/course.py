"""The course of a game: it ends, and what it wants and tells keeps the protocol."""

from __future__ import annotations

import re

import pytest

from pbem.errors import UsageError
from pbem.kernel import (
    Ask,
    Chance,
    End,
    Fact,
    Open,
    Release,
    Roll,
    Show,
)

from .forms import flaws
from .playing import Record
from .suite import Suite

_SEAT = re.compile(r"[a-z][a-z0-9_]{0,39}")
_NO_SEATS = {"host", "state", "pub", "req", "order", "plans"}


class Course(Suite):
    """From the start to the end."""

    def test_random_play_comes_to_an_end(self) -> None:
        for record in self.records():
            last = record.stops[-1].wants
            assert isinstance(last, End), f"{record.at(len(record.givens))}: not over after {self.limit} steps"
            assert not list(flaws(last.result)), record.at(len(record.givens))
            assert last.result["winner"] in (*record.seats, ""), record.at(len(record.givens))
            assert last.result["why"], record.at(len(record.givens))

    def test_seats_and_options(self) -> None:
        assert re.fullmatch("[a-z]+", self.game.id)
        for options in self.options:
            seats = self.game.seats(options)
            assert len(set(seats)) == len(seats)
            assert all(_SEAT.fullmatch(seat) and seat not in _NO_SEATS for seat in seats), seats
            full = self.game.options_model.model_validate(options).model_dump(mode="json")
            assert not list(flaws(full))
            assert self.game.start(full) == self.game.start(options), "options that are left out are the defaults"
        with pytest.raises(UsageError):
            self.game.start({"no_such_option_anywhere": 1})

    def test_what_is_wanted_follows_from_the_state_alone(self) -> None:
        for record in self.records():
            for index in record.every(self.stride):
                stop = record.stops[index]
                assert self.game.wants(stop.state) == stop.wants, record.at(index)

    def test_questions_keep_the_protocol(self) -> None:
        """A game asks nothing that everybody knows to have one answer."""
        for record in self.records():
            marks = dict.fromkeys(record.seats, 0)
            for index, stop in enumerate(record.stops):
                wanted, at = stop.wants, record.at(index)
                if not isinstance(wanted, Ask):
                    continue
                assert wanted.seats, at
                assert list(wanted.seats) == [seat for seat in record.seats if seat in wanted.seats], (
                    f"{at}: seat order"
                )
                assert wanted.secret in ("no", "until resolved", "until end"), at
                assert wanted.secret != "no" or len(wanted.seats) == 1, f"{at}: an open question has one seat"
                if wanted.mark:
                    assert len({marks[seat] for seat in wanted.seats}) == 1, f"{at}: marks stand at different numbers"
                    marks.update({seat: marks[seat] + 1 for seat in wanted.seats})
                if wanted.secret == "no":
                    count = self.game.options(record.view(index, wanted.seats[0])).count()
                    assert count != 1, f"{at}: one legal answer to an open question is not asked for"

    def test_chance_keeps_the_protocol(self) -> None:
        for record in self.records():
            dealt: list[str] = []
            for index, stop in enumerate(record.stops):
                wanted, at = stop.wants, record.at(index)
                if not isinstance(wanted, Chance):
                    continue
                assert wanted.requests, at
                assert wanted.listed or wanted.is_deal, f"{at}: only a deal's list may be hidden"
                for request in wanted.requests:
                    if not isinstance(request, Roll):
                        assert request.n, at
                        assert len(set(request.of)) == len(request.of), f"{at}: a name stands in the list twice"
                if wanted.is_deal:
                    dealt.append(wanted.label)
                    assert wanted.label == f"deal:{len(dealt)}", f"{at}: deals are numbered from 1"
                else:
                    assert wanted.label == "pub" or wanted.owner in record.seats, at

    def test_events_keep_the_protocol(self) -> None:
        for record in self.records():
            places: dict[str, int] = {}
            shown: set[tuple[str, str, int]] = set()
            opened: set[tuple[str, int]] = set()
            released: set[str] = set()
            for index, stop in enumerate(record.stops):
                at = record.at(index)
                before = record.stops[index - 1].wants if index else None
                if isinstance(before, Chance) and before.is_deal:
                    places[before.label] = sum(request.n for request in before.requests)
                for event in stop.events:
                    if isinstance(event, Fact):
                        _check_fact(event, record, at)
                        continue
                    assert event.label in places, f"{at}: {event} comes before its deal"
                    if isinstance(event, Release):
                        assert event.label not in released, f"{at}: {event} comes twice"
                        released.add(event.label)
                        every = {(event.label, place) for place in range(places[event.label])}
                        over = isinstance(stop.wants, End)
                        assert over or every <= opened, f"{at}: {event} tells places that are still hidden"
                        continue
                    assert 0 <= event.place < places[event.label], f"{at}: {event} has no such place"
                    if isinstance(event, Show):
                        assert event.seat in record.seats, at
                        assert (event.seat, event.label, event.place) not in shown, f"{at}: {event} comes twice"
                        shown.add((event.seat, event.label, event.place))
                    elif isinstance(event, Open):
                        assert (event.label, event.place) not in opened, f"{at}: {event} comes twice"
                        opened.add((event.label, event.place))


def _check_fact(fact: Fact, record: Record, at: str) -> None:
    assert fact.public is not None or fact.private, f"{at}: a fact that nobody hears"
    assert set(fact.private) <= set(record.seats), at
    for told in [told for told in (fact.public, *fact.private.values()) if told is not None]:
        assert not list(flaws(told)), f"{at}: {told}"
        assert isinstance(told, dict), f"{at}: {told}"
        assert isinstance(told.get("f"), str), f"{at}: {told}"
        assert told["f"], f"{at}: {told}"
