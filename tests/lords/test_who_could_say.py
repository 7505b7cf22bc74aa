"""Who could say each step of Lords of Scotland from his own view: every seat, one of them, or only all together.

It is played with a host; this is a check of secrecy, and of why it is. Whoever could say a step that another class stands for here
would know more than he may, or others less than they see.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest

from pbem.games.lords import GAME
from pbem.kernel import Chance
from pbem.kernel.knowing import Knowing, is_going, one_step
from tests.conformance import canonical, play
from tests.conformance.peers import facts_heard, masked

pytestmark = pytest.mark.slow

KNOWING = Knowing(GAME)
GUESSES = 5
EVERY, ONE, TOGETHER = "every", "one", "together"

CLASSES = {
    "reign.first": {EVERY},
    "reign.hands": {EVERY},
    "reign.round": {EVERY},
    "reign.end": {EVERY, ONE, TOGETHER},  # hands are shown at the end: that of one, those of more, or none is left
    "skirmish.recruits": {EVERY},
    "skirmish.supporters": {EVERY},
    "skirmish.look": {EVERY},
    "skirmish.turn": {EVERY},
    "skirmish.count": {EVERY, ONE, TOGETHER},  # each turns up his own followers
    "skirmish.clear": {EVERY},
    "turn.initiative": {EVERY, TOGETHER},  # a recruit is turned up that nobody has seen
    "turn.act": {ONE, TOGETHER},  # who is asked; but for Wemyss on a follower that he has not seen
    "turn.drawn": {EVERY},
    "claims.next": {EVERY},
    "claims.ask": {EVERY},
    "drawing.card to deal": {EVERY},  # that a card goes to a hand; which, nobody can say
    "drawing.card to hand": {EVERY},
    "drawing.card to recruits": {EVERY},
    "drawing.card to recruits, up": {EVERY, TOGETHER},  # the pile; every seat can where none is left to draw
    "drawing.card to supporters": {EVERY, TOGETHER},
    "drawing.shuffle": {EVERY},
}
"""By step, in how many hands what everybody hears and sees of it has been."""


def test_who_could_say_each_step_is_as_the_table_has_it() -> None:
    found: defaultdict[str, set[str]] = defaultdict(set)
    for players in (2, 4):
        for seed in (1, 2, 3):
            for step, how in _classes(players, seed):
                found[step].add(how)
    assert dict(found) == CLASSES


def _classes(players: int, seed: int) -> Iterator[tuple[str, str]]:
    """Go through a random game: each step, and in whose hands it is."""
    record, rng = play(GAME, {"players": players}, seed), random.Random(seed)
    state, givens = record.stops[0].state, iter(record.givens)
    while state.result is None:
        wanted = None if is_going(state) else GAME.wants(state)
        given = None if wanted is None else next(givens)
        after, events = one_step(state, given)
        true = canonical([facts_heard(events, None), GAME.view(after, None)])
        able = [
            all(_said(state, seat, wanted, masked(KNOWING, wanted, given, seat), rng) == true for _ in range(GUESSES))
            for seat in record.seats
        ]
        yield _named(state.stack[-1]), EVERY if all(able) else ONE if any(able) else TOGETHER
        state = after


def _named(frame: Any) -> str:
    if frame.at != "drawing" or frame.step != "card":
        return f"{frame.at}.{frame.step}"
    return f"drawing.card to {frame.to}" + (", up" if frame.up else "")


def _said(state: Any, seat: str, wanted: Any, given: Any, rng: random.Random) -> bytes:
    """What everybody would hear and see of a step, as a seat makes it up from its view, and from what it is given."""
    guess = GAME.determinise(GAME.read_view(GAME.view(state, seat)), rng)
    if wanted is not None and not given:
        return b""  # another's answer
    if isinstance(wanted, Chance):
        given = KNOWING.filled(wanted, given, {}, rng)
    after, events = one_step(guess, given)
    return canonical([facts_heard(events, None), GAME.view(after, None)])
