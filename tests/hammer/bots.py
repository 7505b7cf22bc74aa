"""What several tests need of bots: Judged, play, Moments."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pbem.games.bot import Bot
from pbem.games.hammer import GAME
from pbem.games.hammer.orders import Move
from pbem.games.hammer.rules.printed import SIDES
from pbem.kernel import Ask, Chance, Chooser, End, Json, Order, Stop, View
from tests.conformance import outcome
from tests.hammer.invariants import Watch

STEPS = 10_000
YEARS = {"campaign": {"years": 12}}
"""A campaign that nobody has won by then ends."""


class Judged(Bot):
    """A built-in player, every answer of whom is judged as a host would."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.answers = 0
        self.rallied = 0

    def answer(self, view: View, chooser: Chooser) -> Order:
        order = self.bot.answer(view, chooser)
        assert GAME.why_not(view, order) is None, f"{order} is not legal"
        assert GAME.parse(view, str(order)) == order, f"{order} does not read back"
        self.answers += 1
        self.rallied += isinstance(order, Move) and any(march.rally for march in order.marches)
        return order


def play(
    bots: Mapping[str, Bot], seed: int, scenario: str = "braveheart", edition: str = "4.0", options: Iterable[str] = ()
) -> Json:
    """Play a whole game, watched, and return its result."""
    rng = random.Random(f"bots {seed}")
    choosers = {side: random.Random(f"{seed} {side}") for side in SIDES}
    given = {"scenario": scenario, "edition": edition, **YEARS.get(scenario, {}), **dict.fromkeys(options, True)}
    stop = GAME.start(given)
    watch = Watch()
    watch.see(stop)
    while not isinstance(stop.wants, End) and watch.steps < STEPS:
        if isinstance(stop.wants, Chance):
            stop = GAME.step(stop.state, outcome(stop.wants, rng))
        else:
            views = {seat: GAME.read_view(GAME.view(stop.state, seat)) for seat in stop.wants.seats}
            stop = GAME.step(
                stop.state, {seat: bots[seat].answer(view, choosers[seat]) for seat, view in views.items()}
            )
        watch.see(stop)
    assert isinstance(stop.wants, End)
    watch.finish()
    return stop.wants.result


class Moments:
    """A game between two players, stop by stop, with the orders that led to each."""

    def __init__(self, bots: dict[str, Bot], seed: int, scenario: str = "braveheart") -> None:
        self.bots, self.rng = bots, random.Random(f"small {seed}")
        self.stop = GAME.start({"scenario": scenario})

    def __iter__(self) -> Iterator[tuple[Stop, dict[str, Any], Stop]]:
        while not isinstance(self.stop.wants, End):
            before, given = self.stop, dict[str, Any]()
            if isinstance(before.wants, Ask):
                views = {seat: GAME.read_view(GAME.view(before.state, seat)) for seat in before.wants.seats}
                given = {seat: self.bots[seat].answer(view, self.rng) for seat, view in views.items()}
                self.stop = GAME.step(before.state, given)
            elif isinstance(before.wants, Chance):
                self.stop = GAME.step(before.state, outcome(before.wants, self.rng))
            yield before, given, self.stop
