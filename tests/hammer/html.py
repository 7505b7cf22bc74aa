"""What several tests need of html: _report."""

from __future__ import annotations

from pbem.kernel import Json
from pbem.reports.report import Report


def _report(view: Json, seat: str, *facts: Json) -> Report:
    return Report(
        game_id="3f29aa00-1122-3344-5566-778899001122", seat=seat, view=view, told=(facts,), asked=(seat,), entry=7,
        head="3f29aa00" * 8, complete=True,
    )  # fmt: skip
