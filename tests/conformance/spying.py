"""Is anything told that should be hidden? One game is followed, and at every stop each seat's knowledge is put to the test.

From what a seat knows a twin is made up: another position that it cannot tell from the true one. Its view, its question, its
choices and its report must be the same bytes in both. Then the true position and the twin go on in the same way, by that seat's
own decision or by dice that all see, and what it hears must be the same, too, as long as the rules reveal nothing to it: that they
do is told by facts which a game names.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping

from pbem.games import GamePack
from pbem.kernel import Ask, Chance, End, Fact, Json, Stop
from pbem.reports.html import mail
from pbem.reports.reckoned import Reckoned, render
from pbem.reports.report import Report

from .forms import canonical, visible
from .playing import Given, answers


class Spy:
    """Follows one game: `see` every stop in turn. Every `reports` stops the reports are written, too.

    Facts that are `revealing` show what was hidden: from there on true position and twin may differ. Where none is named, it is
    not looked at how they go on.
    """

    def __init__(
        self,
        pack: GamePack,
        seats: tuple[str, ...],
        rng: random.Random,
        revealing: frozenset[str] = frozenset(),
        reports: int = 12,
    ) -> None:
        self.pack, self.game, self.seats, self.revealing = pack, pack.rules, seats, revealing
        self.rng, self.reports, self.steps, self.same = rng, reports, 0, 0
        self._heard: dict[str, list[Json]] = {seat: [] for seat in seats}

    def follow(self, options: Json, most: int = 1 << 30) -> None:
        """Play a game at random, to its end or so many steps, and look at all of it."""
        stop = self.game.start(options)
        self.see(stop)
        while not isinstance(stop.wants, End) and self.steps < most:
            given = answers(self.game, stop, self.rng)
            then = self.game.step(stop.state, given)
            self.goes_on(stop, given, then)
            self.see(then)
            stop = then
        assert self.same, "no step was ever the same"

    def see(self, stop: Stop) -> None:
        """Look at a stop. Raises AssertionError where a seat could tell the twin from the true position."""
        for seat in self.seats:
            self._heard[seat] += _heard(stop, seat)
            twin = self._twin(stop, seat)
            self._compare(stop, twin, seat)
            if (self.steps + len(seat)) % self.reports == 0:
                self._report(stop, twin, seat)
        self.steps += 1

    def goes_on(self, stop: Stop, given: Given, then: Stop) -> None:
        """Look at a step: by the decision of one seat alone, or by open dice, a twin tells that seat the same."""
        wanted = stop.wants
        if not self.revealing or (isinstance(wanted, Chance) and (wanted.is_deal or wanted.owner)):
            return
        seats = self.seats if isinstance(wanted, Chance) else wanted.seats if isinstance(wanted, Ask) else ()
        if isinstance(given, Mapping) and len(given) > 1:
            return
        for seat in seats:
            other = self.game.step(self._twin(stop, seat).state, given)
            told, twins = (list(self._until_revealed(_heard(s, seat))) for s in (then, other))
            assert told == twins, f"{seat} could tell by what is told: {told} or {twins}"
            if not any(self._reveals(s, seat) for s in (then, other)):
                self._compare(then, other, seat)
                self.same += 1

    def _twin(self, stop: Stop, seat: str) -> Stop:
        view = self.game.read_view(self.game.view(stop.state, seat))
        state = self.game.determinise(view, self.rng)
        return Stop(state, stop.events, self.game.wants(state))

    def _compare(self, stop: Stop, twin: Stop, seat: str) -> None:
        views = [canonical(self.game.view(s.state, seat)) for s in (stop, twin)]
        assert views[0] == views[1], f"{seat} could tell by the view: {views[0]!r} or {views[1]!r}"
        assert self.game.view(stop.state, None) == self.game.view(twin.state, None)
        assert visible(stop.wants, seat) == visible(twin.wants, seat), (
            f"{seat} could tell by {stop.wants}, {twin.wants}"
        )
        if isinstance(stop.wants, Ask) and seat in stop.wants.seats:
            mine, its = (self.game.read_view(self.game.view(s.state, seat)) for s in (stop, twin))
            assert str(self.game.options(mine)) == str(self.game.options(its))
            assert self.game.default(mine) == self.game.default(its)

    def _report(self, stop: Stop, twin: Stop, seat: str) -> None:
        made = [Reckoned(self._sheet(s, seat), self.pack) for s in (stop, twin)]
        texts = [[write(one) for write in (render, mail)] for one in made]
        assert texts[0] == texts[1], f"{seat} could tell by the report"

    def _sheet(self, stop: Stop, seat: str) -> Report:
        asked = stop.wants.seats if isinstance(stop.wants, Ask) else ()
        result = stop.wants.result if isinstance(stop.wants, End) else None
        return Report(
            game_id="3f29aa00-1122-3344-5566-778899001122", seat=seat, view=self.game.view(stop.state, seat),
            told=(tuple(self._heard[seat][-40:]),), asked=asked, entry=1, head="3f29aa00" * 8, due="1298-05-01T18:00:00Z",
            result=result,
        )  # fmt: skip

    def _until_revealed(self, facts: list[Json]) -> Iterator[Json]:
        for fact in facts:
            if fact["f"] in self.revealing:
                return
            yield fact

    def _reveals(self, stop: Stop, seat: str) -> bool:
        return any(fact["f"] in self.revealing for fact in _heard(stop, seat))


def _heard(stop: Stop, seat: str) -> list[Json]:
    told = (event.heard_by(seat) for event in stop.events if isinstance(event, Fact))
    return [fact for fact in told if fact is not None]
