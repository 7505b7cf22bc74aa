"""Is anything told that should be hidden? One game is followed, and at every stop each seat's knowledge is put to the test.

From what a seat knows a twin is made up: another position that it cannot tell from the true one. Its view, its question, its
choices and its report must be the same bytes in both. Then the true position and the twin go on in the same way, by that seat's
own decision or by dice that all see, and what it hears must be the same, too, as long as the rules reveal nothing to it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping

from pbem.games import find
from pbem.games.hammer import GAME
from pbem.games.hammer.rules.facts import SIDES
from pbem.kernel import Ask, Chance, End, Fact, Json, Stop
from pbem.reports.html import mail
from pbem.reports.text import Report, render
from tests.conformance import Given, canonical, visible

REVEALING = {
    "reveal", "unity", "fire", "hit", "killed", "defection", "turned", "pillage losses", "captured", "raid", "homes",
}  # fmt: skip
"""The facts by which the rules show what was hidden: from there on true position and twin may differ. With `homes` the nobles
leave the areas where they stood unseen, and the winter disbands blocks that the enemy has not seen."""
PACK = find("hammer")


class Spy:
    """Follows one game: `see` every stop in turn. Every `reports` stops the reports are written, too."""

    def __init__(self, rng: random.Random, reports: int = 12) -> None:
        self.rng, self.reports, self.steps, self.same = rng, reports, 0, 0
        self._heard: dict[str, list[Json]] = {seat: [] for seat in SIDES}

    def see(self, stop: Stop) -> None:
        """Look at a stop. Raises AssertionError where a seat could tell the twin from the true position."""
        for seat in SIDES:
            self._heard[seat] += _heard(stop, seat)
            twin = self._twin(stop, seat)
            self._compare(stop, twin, seat)
            if (self.steps + len(seat)) % self.reports == 0:
                self._report(stop, twin, seat)
        self.steps += 1

    def goes_on(self, stop: Stop, given: Given, then: Stop) -> None:
        """Look at a step: by the decision of one seat alone, or by open dice, a twin tells that seat the same."""
        wanted = stop.wants
        if isinstance(wanted, Chance) and (wanted.is_deal or wanted.owner):
            return
        seats = SIDES if isinstance(wanted, Chance) else wanted.seats if isinstance(wanted, Ask) else ()
        if isinstance(given, Mapping) and len(given) > 1:
            return
        for seat in seats:
            other = GAME.step(self._twin(stop, seat).state, given)
            told, twins = (list(_until_revealed(_heard(s, seat))) for s in (then, other))
            assert told == twins, f"{seat} could tell by what is told: {told} or {twins}"
            if not any(_reveals(s, seat) for s in (then, other)):
                self._compare(then, other, seat)
                self.same += 1

    def _twin(self, stop: Stop, seat: str) -> Stop:
        view = GAME.read_view(GAME.view(stop.state, seat))
        state = GAME.determinise(view, self.rng)
        return Stop(state, stop.events, GAME.wants(state))

    def _compare(self, stop: Stop, twin: Stop, seat: str) -> None:
        views = [canonical(GAME.view(s.state, seat)) for s in (stop, twin)]
        assert views[0] == views[1], f"{seat} could tell by the view: {views[0]!r} or {views[1]!r}"
        assert GAME.view(stop.state, None) == GAME.view(twin.state, None)
        assert visible(stop.wants, seat) == visible(twin.wants, seat), (
            f"{seat} could tell by {stop.wants}, {twin.wants}"
        )
        if isinstance(stop.wants, Ask) and seat in stop.wants.seats:
            mine, its = (GAME.read_view(GAME.view(s.state, seat)) for s in (stop, twin))
            assert str(GAME.options(mine)) == str(GAME.options(its))
            assert GAME.default(mine) == GAME.default(its)

    def _report(self, stop: Stop, twin: Stop, seat: str) -> None:
        texts = [[write(_sheet(s, seat, self._heard[seat]), PACK) for write in (render, mail)] for s in (stop, twin)]
        assert texts[0] == texts[1], f"{seat} could tell by the report"


def _sheet(stop: Stop, seat: str, heard: list[Json]) -> Report:
    asked = stop.wants.seats if isinstance(stop.wants, Ask) else ()
    result = stop.wants.result if isinstance(stop.wants, End) else None
    return Report(
        game_id="3f29aa00-1122-3344-5566-778899001122", seat=seat, view=GAME.view(stop.state, seat),
        told=(tuple(heard[-40:]),), asked=asked, entry=1, head="3f29aa00" * 8, due="1298-05-01 18:00 UTC", result=result,
    )  # fmt: skip


def _heard(stop: Stop, seat: str) -> list[Json]:
    told = (event.heard_by(seat) for event in stop.events if isinstance(event, Fact))
    return [fact for fact in told if fact is not None]


def _until_revealed(facts: list[Json]) -> Iterator[Json]:
    for fact in facts:
        if fact["f"] in REVEALING:
            return
        yield fact


def _reveals(stop: Stop, seat: str) -> bool:
    return any(fact["f"] in REVEALING for fact in _heard(stop, seat))
