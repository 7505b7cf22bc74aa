"""Secrecy: positions made up from what one seat knows look the same to that seat."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from itertools import islice

from pbem.kernel import (
    Ask,
    Chance,
    ChangingHosts,
    End,
    Fact,
    Game,
    Json,
    Open,
    Order,
    Outcome,
    Show,
    Stop,
    unseen,
)

from .forms import canonical, visible
from .playing import Given, Record, answers, outcome
from .suite import Suite


class Secrecy(Suite):
    """Twins, and draws of others."""

    def test_a_made_up_position_fits_the_view_it_was_made_from(self) -> None:
        """Twins, positions that differ only in what a seat cannot see, give that seat the same view, question and choices."""
        rng = random.Random(self.seed)
        for record in self.records():
            for index in record.every(self.slow_stride):
                stop = record.stops[index]
                for seat in record.seats:
                    at = f"{record.at(index)} seen by {seat}"
                    json_view = self.game.view(stop.state, seat)
                    view = self.game.read_view(json_view)
                    twin = self.game.determinise(view, rng)
                    assert canonical(self.game.view(twin, seat)) == canonical(json_view), at
                    wanted = self.game.wants(twin)
                    assert visible(wanted, seat) == visible(stop.wants, seat), at
                    assert self.game.load(json.loads(canonical(self.game.dump(twin)))) == twin, at
                    if isinstance(stop.wants, Ask) and seat in stop.wants.seats:
                        twins_view = self.game.read_view(self.game.view(twin, seat))
                        assert str(self.game.options(twins_view)) == str(self.game.options(view)), at
                        assert self.game.default(twins_view) == self.game.default(view), at

    def test_a_game_can_be_played_on_from_a_made_up_position(self) -> None:
        rng = random.Random(self.seed)
        for record in self.records():
            for index in islice(record.every(max(self.slow_stride, len(record.stops) // 20)), 20):
                for seat in record.seats:
                    state = self.game.determinise(record.view(index, seat), rng)
                    stop = Stop(state, (), self.game.wants(state))
                    for _ in range(6):
                        if not isinstance(stop.wants, End):
                            stop = self.game.step(stop.state, answers(self.game, stop, rng))

    def test_the_public_knows_no_more_than_any_seat(self) -> None:
        """A public view follows from each seat's view: positions that look the same to a seat look the same to the public."""
        rng = random.Random(self.seed)
        for record in self.records():
            for index in record.every(self.slow_stride):
                public = canonical(self.game.view(record.stops[index].state, None))
                for seat in record.seats:
                    twin = self.game.determinise(record.view(index, seat), rng)
                    assert canonical(self.game.view(twin, None)) == public, f"{record.at(index)} guessed by {seat}"

    def test_what_one_seat_draws_tells_the_others_nothing(self) -> None:
        rng = random.Random(self.seed)
        for record in self.records():
            for index in record.every(self.stride):
                stop = record.stops[index]
                if not (isinstance(stop.wants, Chance) and stop.wants.owner):
                    continue
                drawn = outcome(stop.wants, rng)
                if any(self.lies_open(stop, given) for given in (drawn, record.givens[index])):
                    continue
                other = self.game.step(stop.state, drawn)
                for seat in (None, *record.seats):
                    if seat != stop.wants.owner:
                        at = f"{record.at(index)} heard by {seat}"
                        assert _heard(other, seat) == _heard(record.stops[index + 1], seat), at
                        views = [self.game.view(s.state, seat) for s in (other, record.stops[index + 1])]
                        assert canonical(views[0]) == canonical(views[1]), at

    def test_what_an_answer_probes_is_told(self) -> None:
        """Where what a seat sees after its answer hangs on what it cannot know, the answer is not taken back (ADR 47)."""
        rng = random.Random(self.seed)
        for record in self.records():
            for index in record.every(max(1, self.stride // 4)):
                if not (probe := _probe(record, index)):
                    continue
                seat, given, after = probe
                here = record.stops[index].state
                if self.game.told_secret(here, after.state):
                    continue
                seen = _sees(self.game, after, seat)
                for _ in range(_TWINS):
                    twin = self.game.determinise(record.view(index, seat), rng)
                    at = f"{record.at(index)} answered by {seat}: {given[seat]}"
                    assert _sees(self.game, self.game.step(twin, given), seat) == seen, at

    def test_what_nobody_knows_can_be_dealt_anew(self) -> None:
        """As when another host goes on: no view changes by it, the same is asked, and the game can be played on."""
        rng = random.Random(self.seed)
        for record in self.records():
            for index in record.every(max(self.slow_stride, len(record.stops) // 20)):
                stop, at = record.stops[index], record.at(index)
                state = self.dealt_anew(stop.state, rng)
                for seat in (None, *record.seats):
                    assert canonical(self.game.view(state, seat)) == canonical(self.game.view(stop.state, seat)), at
                assert self.game.wants(state) == stop.wants, at
                assert self.game.load(json.loads(canonical(self.game.dump(state)))) == state, at
                on = Stop(state, (), stop.wants)
                for _ in range(6):
                    if not isinstance(on.wants, End):
                        on = self.game.step(on.state, answers(self.game, on, rng))

    def test_what_is_dealt_anew_is_all_that_no_seat_knows(self) -> None:
        """Had places that nobody has seen held each other's cards, it would be the same position once dealt anew."""
        rng = random.Random(self.seed)
        for record in self.records():
            for index in record.every(max(self.slow_stride, len(record.stops) // 5)):
                if (givens := _otherwise_dealt(record, index, rng)) is None:
                    continue
                stop, at = self.game.start(record.options), record.at(index)
                for given in givens:
                    stop = self.game.step(stop.state, given)
                state = record.stops[index].state
                assert isinstance(self.game, ChangingHosts)
                groups = unseen(self.game, state)
                assert groups is not None
                assert unseen(self.game, stop.state) == groups, at
                drawn = tuple(group.names for group in groups)
                anew = self.game.dealt_anew(stop.state, drawn)
                assert self.game.dump(anew) == self.game.dump(self.game.dealt_anew(state, drawn)), at

    def dealt_anew(self, state: Json, rng: random.Random) -> Json:
        """Return the state with what nobody knows lying in another order."""
        groups = unseen(self.game, state)
        assert isinstance(self.game, ChangingHosts)
        assert groups is not None, f"{self.game.id} does not define which facts nobody knows"
        assert all(len(group.places) == len(group.names) for group in groups)
        return self.game.dealt_anew(state, tuple(tuple(rng.sample(group.names, len(group.names))) for group in groups))

    def lies_open(self, stop: Stop, drawn: Given) -> bool:
        """Say of a draw that by the rules it is seen what was drawn: a subclass names such draws."""
        return False


_TWINS = 3
"""So many positions that look alike are given the same answer."""


def _probe(record: Record, index: int) -> tuple[str, Mapping[str, Order], Stop] | None:
    """Return who answered alone at a stop, what, and what came of it; None where that is never taken back, for all to see.

    Whoever drives the rules lets nothing be taken back behind chance, and behind dealt cards that come to light.
    """
    stop = record.stops[index]
    if not isinstance(stop.wants, Ask) or len(stop.wants.seats) != 1:
        return None
    given, after = record.givens[index], record.stops[index + 1]
    assert isinstance(given, Mapping)
    if not isinstance(after.wants, Ask) or not all(isinstance(event, Fact) for event in after.events):
        return None
    return stop.wants.seats[0], given, after


def _sees(game: Game, stop: Stop, seat: str) -> bytes:
    """Return all that a seat has of a stop: its view and the public's, what it hears, and what is wanted."""
    views = [game.view(stop.state, one) for one in (seat, None)]
    return canonical([*views, _heard(stop, seat), _heard(stop, None), visible(stop.wants, seat)])


def _heard(stop: Stop, seat: str | None) -> list[Json]:
    return [
        event.heard_by(seat) for event in stop.events if isinstance(event, Fact) and event.heard_by(seat) is not None
    ]


def _otherwise_dealt(record: Record, index: int, rng: random.Random) -> list[Given] | None:
    """What was given on the way to a stop, but with the cards that nobody has seen by then in each other's places; None: all were.

    A deal of which nothing was ever shown was thrown away by the rules, and stays as it was.
    """
    events = [event for stop in record.stops[: index + 1] for event in stop.events]
    seen = {(event.label, event.place) for event in events if isinstance(event, Show | Open)}
    givens, changed = list(record.givens[:index]), False
    for i, given in enumerate(givens):
        wanted = record.stops[i].wants
        if not (isinstance(wanted, Chance) and wanted.is_deal and isinstance(given, tuple) and len(given) == 1):
            continue
        cards = list(given[0])
        hidden = [place for place in range(len(cards)) if (wanted.label, place) not in seen]
        if 1 < len(hidden) < len(cards):
            others = rng.sample(hidden, len(hidden))
            givens[i] = _permuted(cards, hidden, others)
            changed = True
    return givens if changed else None


def _permuted(cards: list[Json], places: list[int], others: list[int]) -> Outcome:
    moved = dict(zip(places, others, strict=True))
    return (tuple(cards[moved.get(place, place)] for place in range(len(cards))),)
