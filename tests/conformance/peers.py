"""Peers: seats that each know their own view go through a game by the unchanged rules, and see what a host would show them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, ClassVar

import pytest

from pbem.kernel import Chance, Fact, Json
from pbem.kernel.knowing import EACH, Knowing, is_going
from pbem.ledger.patch import diff, fold
from pbem.referee.peer import HandedOver, Peer, Worked

from .forms import canonical
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
            assert steps_together(self.knowing, record) > len(record.givens) // 2

    def test_who_knows_a_step_is_the_same_for_all_that_look_alike(self) -> None:
        if self.knowing is None:
            pytest.skip(f"{self.game.id} is played with a host")
        rng = random.Random(self.seed)
        for record in self.records():
            for index in record.every(self.slow_stride):
                state = record.stops[index].state
                if state.result is None:
                    twins = [self.game.determinise(record.view(index, seat), rng) for seat in record.seats]
                    assert {self.knowing.knower(twin) for twin in twins} == {self.knowing.knower(state)}, record.at(
                        index
                    )


def steps_together(knowing: Knowing, record: Record) -> int:
    """Go through a recorded game as its host and as its peers do; compare all that each sees and hears; return how many steps."""
    game, seats, given_next = record.game, record.seats, iter(record.givens)
    start = record.stops[0]
    peers = {seat: Peer(knowing, seat, seats, start, random.Random(f"{record.seed} {seat}")) for seat in seats}
    state, n = start.state, 0
    while state.result is None:
        wanted = None if is_going(state) else game.wants(state)
        given = None if wanted is None else next(given_next, None)
        if wanted is not None and given is None:
            break
        knower, frame = knowing.knower(state), state.stack[-1]
        at = f"{game.id} {record.options} seed {record.seed} step {n}: {type(frame).__name__}.{frame.step}, known to {knower}"
        assert {peer.knower() for peer in peers.values()} == {knower}, at
        after, events = knowing.go(state, given)
        if knower in seats:
            heard = _from_one(peers, knower, given, {seat: game.view(after, seat) for seat in seats}, at)
        else:
            heard = _from_all(peers, knower, {seat: masked(knowing, wanted, given, seat) for seat in seats}, at)
        for seat, peer in peers.items():
            assert canonical(list(heard[seat])) == canonical(_heard(events, seat)), f"{at}, heard by {seat}"
            assert canonical(peer.public) == canonical(game.view(after, None)), f"{at}, everybody's, of {seat}"
            assert canonical(peer.own) == canonical(game.view(after, seat)), f"{at}, seen by {seat}"
        if knower in seats:
            assert canonical(list(heard[""])) == canonical(_heard(events, None)), at
        state, n = after, n + 1
    return n


def _from_one(
    peers: dict[str, Peer], knower: str, given: Given | None, true: dict[str, Json], at: str
) -> dict[str, tuple[Json, ...]]:
    """One works the step out, the others hear it: what each then has heard, and "" for everybody.

    Nothing is handed to a seat that a host would not have shown it.
    """
    worked = peers[knower].work(given)
    heard = {"": worked.told.facts, knower: peers[knower].go_on(worked)}
    for seat, handed in worked.handed.items():
        assert _seen(peers[seat], worked, handed) == canonical(_less(true[seat], peers[seat])), (
            f"{at}, handed to {seat}"
        )
        heard[seat] = peers[seat].hear(worked.told, handed)
    return heard


def _seen(peer: Peer, worked: Worked, handed: HandedOver) -> bytes:
    """What a peer has of a step that another has worked out, less what follows from it."""
    return canonical(_less(fold(fold(peer.own, diff(peer.public, worked.told.view)), handed.patch), peer))


def _less(view: Json, peer: Peer) -> Json:
    return {key: value for key, value in view.items() if key not in peer.knowing.follows}


def _from_all(peers: dict[str, Peer], knower: str, given: dict[str, Any], at: str) -> dict[str, tuple[Json, ...]]:
    """Each works the step out, with the others' parts where there are such: what each then has heard."""
    made = {seat: peer.work(given[seat]) for seat, peer in peers.items()}
    if knower == EACH:
        parts = {seat: peer.part(made[seat]) for seat, peer in peers.items()}
        for seat, peer in peers.items():
            made[seat] = peer.work(given[seat], {other: part for other, part in parts.items() if other != seat})
    assert len({canonical([list(one.told.facts), one.told.view]) for one in made.values()}) == 1, at
    return {seat: peer.go_on(made[seat]) for seat, peer in peers.items()}


def masked(knowing: Knowing, wanted: Any, given: Given | None, seat: str) -> Any:
    """What a seat has of what is given: of a deal its own cards alone."""
    if not (isinstance(wanted, Chance) and wanted.is_deal):
        return given
    whose = knowing.whose(wanted)
    assert isinstance(given, tuple)
    return tuple(tuple(name if whose.get(i) == seat else "" for i, name in enumerate(drawn)) for drawn in given)


def _heard(events: tuple[Any, ...], seat: str | None) -> list[Json]:
    return list(_facts(events, seat))


def _facts(events: tuple[Any, ...], seat: str | None) -> Iterator[Json]:
    for event in events:
        if isinstance(event, Fact) and (heard := event.heard_by(seat)) is not None:
            yield heard
