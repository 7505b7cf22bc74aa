"""Peers: seats that each know their own view go through a game by the unchanged rules, and see what a host would show them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, ClassVar

import pytest

from pbem.kernel import Ask, Chance, Fact, Json, Open, Show
from pbem.kernel.knowing import EACH, Knowing, Publicly, is_going
from pbem.ledger.patch import diff, fold
from pbem.referee.peer import HandedOver, Peer, Worked

from .forms import same
from .playing import Given, Record
from .suite import Suite


class Peers(Suite):
    """Whole games without a host."""

    knowing: ClassVar[Knowing | None] = None
    """Who knows what in the game, if it can be played without a host."""

    def test_peers_see_what_a_host_would_show_them(self) -> None:
        if self.knowing is None:
            pytest.skip(f"{self.game.id} is played with a host")
        for record in self.records():
            steps = min(self.together, len(record.givens))
            assert steps_together(self.knowing, record, self.together) > steps // 2

    def test_who_knows_a_step_is_the_same_for_all_that_look_alike(self) -> None:
        if self.knowing is None:
            pytest.skip(f"{self.game.id} is played with a host")
        rng = random.Random(self.seed)
        for record in self.records():
            for index in record.every(self.slow_stride):
                state = record.stops[index].state
                if state.result is None:
                    twins = [self.game.determinise(record.view(index, seat), rng) for seat in record.seats]
                    for twin in twins:
                        same(self.knowing.knower(twin), self.knowing.knower(state), record.at(index))


def steps_together(knowing: Knowing, record: Record, most: int | None = None) -> int:
    """Go through a recorded game as its host and as its peers do; compare all that each sees and hears; return how many steps."""
    return sum(1 for _step in islice(_Together(knowing, record).steps(), most))


class _Together:
    """One game that a host runs, and peers that have each what its seat may have and nothing else."""

    def __init__(self, knowing: Knowing, record: Record) -> None:
        self.knowing, self.game, self.record = knowing, record.game, record
        start, seats = record.stops[0], record.seats
        self.peers = {seat: Peer(knowing, seat, seats, start, random.Random(f"{record.seed} {seat}")) for seat in seats}
        self.forgetful = [seat for i, seat in enumerate(seats) if i != record.seed % len(seats)]
        """Who begins every step with his view alone, as if it had just been read from a file."""
        self.state = start.state
        self.dealt: dict[str, tuple[Any, ...]] = {}
        """The cards of every deal, by its label: what a deck that nobody knows would hold."""
        self.said: dict[str, Any] = {}
        """What each seat has said of the step that was taken last, if it was known to EACH."""
        self.at = ""

    def steps(self) -> Iterator[str]:
        """Go through it, step by step: who could work it out."""
        given_next = iter(self.record.givens)
        while self.state.result is None:
            wanted = None if is_going(self.state) else self.game.wants(self.state)
            given = None if wanted is None else next(given_next, None)
            if wanted is not None and given is None:
                return
            yield self._step(wanted, given)

    def _step(self, wanted: Any, given: Given | None) -> str:
        knowing, state, peers, frame = self.knowing, self.state, self.peers, self.state.stack[-1]
        knower = knowing.knower(state)
        step = f"{type(frame).__name__}.{frame.step}, known to {knower}"
        self.at = f"{self.game.id} {self.record.options} seed {self.record.seed}: {step}"
        assert {peer.knower() for peer in peers.values()} == {knower}, self.at
        after, events = knowing.go(state, given)
        if isinstance(wanted, Chance) and wanted.is_deal:
            self._deal(wanted, given)
        cards = self._cards(given, events)
        has = {seat: masked(knowing, wanted, given, seat) for seat in peers}
        views = {seat: knowing.view(after, seat or None) for seat in ("", *peers)}
        self._no_more_than_a_host_shows(after, views)
        if knower in peers:
            assert not isinstance(wanted, Chance) or wanted.owner in (None, knower), self.at
            heard = self._from_one(knower, has[knower], cards[knower], views)
            same(list(heard[""]), facts_heard(events, None), f"{self.at}, heard by everybody")
        else:
            assert not isinstance(wanted, Chance) or not wanted.owner, self.at
            heard = self._from_all(knower, has, cards)
            told = Publicly(tuple(facts_heard(events, None)), views[""])
            for seat, part in self.said.items():
                due = knowing.due(state, seat, given, told)
                same(part, due, f"{self.at}, said by {seat} and not seen by all")
        for seat, peer in peers.items():
            same(list(heard[seat]), facts_heard(events, seat), f"{self.at}, heard by {seat}")
            same(peer.public, views[""], f"{self.at}, everybody's, of {seat}")
            same(peer.own, views[seat], f"{self.at}, seen by {seat}")
        self.state = after
        return knower

    def _deal(self, wanted: Chance, given: Given | None) -> None:
        assert isinstance(given, tuple)
        deck = self.knowing.next_deck()
        assert not deck or [getattr(request, "of", ()) for request in wanted.requests] == [deck], self.at
        self.dealt[wanted.label] = given[0]

    def _cards(self, given: Given | None, events: tuple[Any, ...]) -> dict[str, dict[tuple[str, int], str]]:
        """By seat the cards that a deck would tell it in a step: those that it is shown, and those that are turned up."""
        places = [(event.label, event.place) for event in events if isinstance(event, Open)]
        opened = {(label, place): self.dealt[label][place] for label, place in places}
        played = self.knowing.played(self.state, given) if isinstance(given, Mapping) else {}
        assert sorted(played.values()) == sorted(map(self.knowing.called, opened.values())), self.at
        if given is not None:  # what a deal shows comes with it
            return dict.fromkeys(self.peers, opened)
        shown = {(event.label, event.place): event.seat for event in events if isinstance(event, Show)}
        assert [self.knowing.shows(self.state), *(peer.shows() for peer in self.peers.values())] == [shown] * (
            1 + len(self.peers)
        ), self.at
        return {
            seat: {(label, place): self.dealt[label][place] for (label, place), to in shown.items() if to == seat}
            for seat in self.peers
        }

    def _no_more_than_a_host_shows(self, state: Any, views: dict[str, Json]) -> None:
        """Where a host shows something, when somebody is asked or all is over, it shows just that."""
        if is_going(state) or (state.result is None and isinstance(self.game.wants(state), Chance)):
            return
        same(
            views,
            {seat: self.game.view(state, seat or None) for seat in views},
            f"{self.at}, seen by (everybody first)",
        )

    def _from_one(self, knower: str, given: Any, cards: Any, true: dict[str, Json]) -> dict[str, tuple[Json, ...]]:
        """One works the step out, the others hear it: what each then has heard, and "" for everybody.

        Nothing is handed to a seat that a host would not have shown it.
        """
        worked = self.peers[knower].work(given, cards=cards)
        heard = {"": worked.told.facts, knower: self._gone_on(knower, worked)}
        for seat, handed in worked.handed.items():
            peer = self.peers[seat]
            same(_seen(peer, worked, handed), _less(true[seat], peer), f"{self.at}, handed to {seat}")
            heard[seat] = peer.hear(worked.told, handed)
        return heard

    def _gone_on(self, seat: str, worked: Worked) -> tuple[Json, ...]:
        return self.peers[seat].go_on(worked._replace(after=None) if seat in self.forgetful else worked)

    def _from_all(self, knower: str, given: dict[str, Any], cards: Any) -> dict[str, tuple[Json, ...]]:
        """Each works the step out, with the others' parts where there are such: what each then has heard."""
        peers, parts = self.peers, dict[str, Any]()
        if knower == EACH:
            parts = {seat: peer.part(peer.work(given[seat], cards=cards[seat])) for seat, peer in peers.items()}
        made = {}
        for seat, peer in peers.items():
            others = {other: part for other, part in parts.items() if other != seat}
            made[seat] = peer.work(given[seat], others, cards[seat])
        first, *others_made = ([list(one.told.facts), one.told.view] for one in made.values())
        for other in others_made:
            same(other, first, f"{self.at}, worked out by one and by another")
        self.said = parts
        return {seat: self._gone_on(seat, made[seat]) for seat in peers}


def _seen(peer: Peer, worked: Worked, handed: HandedOver) -> Json:
    """What a peer has of a step that another has worked out, less what follows from it."""
    return _less(fold(fold(peer.own, diff(peer.public, worked.told.view)), handed.patch), peer)


def _less(view: Json, peer: Peer) -> Json:
    return {key: value for key, value in view.items() if key not in peer.knowing.follows}


def masked(knowing: Knowing, wanted: Any, given: Given | None, seat: str) -> Any:
    """What a seat has of what is given: of answers that stay sealed to the end its own, of a deal its own cards alone."""
    match wanted:
        case Ask(secret="until end"):
            assert isinstance(given, Mapping)
            return {asked: order for asked, order in given.items() if asked == seat}
        case Chance(owner=str(owner)):
            return given if owner == seat else None
        case Chance(is_deal=True):
            whose = knowing.whose(wanted)
            assert isinstance(given, tuple)
            return tuple(tuple(name if whose.get(i) == seat else "" for i, name in enumerate(drawn)) for drawn in given)
    return given


def facts_heard(events: tuple[Any, ...], seat: str | None) -> list[Json]:
    """The facts that a seat hears, or everybody."""
    return list(_facts(events, seat))


def _facts(events: tuple[Any, ...], seat: str | None) -> Iterator[Json]:
    for event in events:
        if isinstance(event, Fact) and (heard := event.heard_by(seat)) is not None:
            yield heard
