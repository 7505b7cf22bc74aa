"""How long a report takes to make in each of its forms, against the map's way from SVG to PNG."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from functools import partial

from bench.parts import best
from pbem.games import GamePack
from pbem.ledger import Log
from pbem.look.pixels import png
from pbem.reports.html import mail, page
from pbem.reports.reckoned import Reckoned
from pbem.reports.text import Report, render
from pbem.reports.told import told

SAMPLES = 12
PNG = "map from SVG to PNG"
Form = Callable[[Report], object]


def reports(pack: GamePack, data: bytes) -> list[Report]:
    """Return some reports to the first seat, spread over a game."""
    log = Log.parse(data)
    seat = log.entries[0].fields["seats"][0]
    tells = told(log, seat)
    stride = max(1, len(tells) // SAMPLES)
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
    samples = reports(pack, data)
    made: dict[str, Form] = {
        "text": lambda report: render(Reckoned(report, pack)),
        "HTML for mail": lambda report: mail(Reckoned(report, pack), "map@example.org"),
        "page with the map": lambda report: page(Reckoned(report, pack)),
        "map as SVG": lambda report: Reckoned(report, pack).picture,
    }
    took = {name: _median([partial(form, report) for report in samples]) for name, form in made.items()}
    drawn = [svg for report in samples[::4] if (svg := Reckoned(report, pack).picture)]
    if drawn:
        took[PNG] = _median([partial(png, svg) for svg in drawn])
    return took


def _median(works: Sequence[Callable[[], object]]) -> float:
    return statistics.median(best(work) for work in works)
