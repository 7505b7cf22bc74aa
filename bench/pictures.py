"""How long a report takes to make in each of its forms, against the map as PNG where most of it was drawn before."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from functools import partial

from bench.parts import best
from pbem.games import GamePack
from pbem.ledger import Log
from pbem.look.pixels import png
from pbem.reports.html import mail, page
from pbem.reports.reckoned import Reckoned, render
from pbem.reports.report import Report
from pbem.reports.told import told

SAMPLES = 12
FIRST, PNG = "the first map to PNG", "the next maps to PNG"
STEP, MAPS = 3, 80
"""A map after every third entry that tells a seat something, so many at the most: each is drawn once, as a host draws them."""
Form = Callable[[Report], object]


def reports(data: bytes, step: int = 0) -> list[Report]:
    """Return reports to the first seat: one for so many entries that told it something, or some, spread over the game."""
    log = Log.parse(data)
    seat = log.entries[0].fields["seats"][0]
    tells = told(log, seat)
    stride = step or max(1, len(tells) // SAMPLES)
    return [
        Report(
            game_id=log.game, seat=seat, view=tells[i].view, told=tuple(tell.facts for tell in tells[i - stride : i]),
            asked=(seat,), entry=tells[i].n, head=log.entries[tells[i].n].hash, complete=True,
            earlier=tuple(fact for tell in tells[: i - stride] for fact in tell.facts),
        )
        for i in range(stride, len(tells), stride)
    ]  # fmt: skip


def forms(pack: GamePack, data: bytes) -> dict[str, float]:
    """Return the median seconds that each form of a report takes."""
    samples = reports(data)
    made: dict[str, Form] = {
        "text": lambda report: render(Reckoned(report, pack)),
        "HTML for mail": lambda report: mail(Reckoned(report, pack), "map@example.org"),
        "page with the map": lambda report: page(Reckoned(report, pack)),
        "map as SVG": lambda report: Reckoned(report, pack).picture,
    }
    took = {name: _median([partial(form, report) for report in samples]) for name, form in made.items()}
    return {**took, **drawn(pack, data)}


def drawn(pack: GamePack, data: bytes, since: int = 0) -> dict[str, float]:
    """Return the processor's seconds for the first map of a process, and the median of those for the next ones, from a map on."""
    maps = [svg for report in reports(data, STEP)[since:MAPS] if (svg := Reckoned(report, pack).picture)]
    if len(maps) < 2:
        return {}
    first, *others = (_once(partial(png, svg)) for svg in maps)
    return {FIRST: first, PNG: statistics.median(others)}


def _once(work: Callable[[], object]) -> float:
    begin = time.process_time()
    work()
    return time.process_time() - begin


def _median(works: Sequence[Callable[[], object]]) -> float:
    return statistics.median(best(work) for work in works)
