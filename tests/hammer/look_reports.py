"""What several tests need of look reports: Sent, sent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property

from pbem.games.hammer import GAME
from pbem.games.hammer.look import LOOK
from pbem.games.hammer.views import HammerView
from pbem.games.pack import find
from pbem.kernel import Ask, End, Fact, Json
from pbem.reports.reckoned import Reckoned, render
from pbem.reports.report import Report
from tests.conformance import play

SEEDS = (1, 2)
SEATS = (*GAME.seats({}), "")


@dataclass(frozen=True)
class Sent:
    """A report as it was sent to a seat ("" is the public)."""

    where: str
    seat: str
    view: HammerView
    facts: tuple[Json, ...]
    asked: str
    text: str
    report: Report

    @cached_property
    def template(self) -> str:
        """Its lines to type over."""
        return LOOK.template(self.view)


@cache
def sent() -> tuple[Sent, ...]:
    """All reports of some random games: to who is asked, and at the end to everybody."""
    return tuple(report for seed in SEEDS for report in _game(seed))


def _game(seed: int) -> Iterator[Sent]:
    record = play(GAME, {}, seed)
    heard: dict[str, list[Json]] = {seat: [] for seat in SEATS}
    before: dict[str, list[Json]] = {seat: [] for seat in SEATS}
    for n, stop in enumerate(record.stops):
        for event in stop.events:
            for seat in SEATS if isinstance(event, Fact) else ():
                fact = event.heard_by(seat or None) if isinstance(event, Fact) else None
                heard[seat] += [fact] if fact is not None else []
        wanted = stop.wants
        seats = wanted.seats if isinstance(wanted, Ask) else SEATS if isinstance(wanted, End) else ()
        for seat in seats:
            view = GAME.view(stop.state, seat or None)
            facts = tuple(heard[seat])
            asked = wanted.seats if isinstance(wanted, Ask) else ()
            result = wanted.result if isinstance(wanted, End) else None
            report = Report(
                game_id="3f29aa00-1122-3344-5566-778899001122", seat=seat, view=view, told=(facts,), asked=asked, entry=n,
                head="3f29aa00" * 8, due="1298-05-01T18:00:00Z", result=result,
                earlier=tuple(before[seat]), complete=True,
            )  # fmt: skip
            before[seat] += heard[seat]
            heard[seat] = []
            what = wanted.what if isinstance(wanted, Ask) else ""
            text = render(Reckoned(report, find("hammer")))
            yield Sent(
                f"seed {seed} step {n} {seat} {what}", seat, HammerView.model_validate(view), facts, what, text, report
            )
