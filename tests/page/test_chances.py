"""Chances are shown, unless it was agreed before the game that programs show none."""

from __future__ import annotations

from pathlib import Path

from pbem.games import find
from pbem.ledger import Log
from pbem.page.chair import Chair

LOGS = Path(__file__).parents[1] / "golden" / "logs"


def titles(name: str, odds: bool | None) -> list[str]:
    """What stands above the chances that are shown to the English side of a recorded log, by such terms."""
    log = Log.parse((LOGS / f"{name}.pbem").read_bytes())
    if odds is not None:
        log.entries[0].fields["terms"]["odds"] = odds
    return [table.title for table in Chair.of_log("a log", log, find("hammer"), "english").odds().tables]


def test_who_agreed_to_show_no_chances_is_shown_none_while_the_game_is_on() -> None:
    assert titles("hammer-begun", odds=False) == ["It was agreed that programs show no chances."]
    assert titles("hammer-begun", odds=True) == titles("hammer-begun", odds=None)
    assert titles("hammer-braveheart", odds=False) == titles("hammer-braveheart", odds=None)
