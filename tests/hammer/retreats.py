"""What several tests need of retreats: battle, victory."""

from __future__ import annotations

from pbem.games.hammer.rules.printed import ENGLISH
from tests.hammer.builder import Table

HOME = {"Dunbar": "Dunbar"}
NORTH = {"Ross": "Ross"}


def battle(
    english: dict[str, str], scots: dict[str, str], area: str, attacker: str = ENGLISH, **board: object
) -> Table:
    """Return a battle with everybody in front."""
    return Table({**HOME, **english}, {**NORTH, **scots}, **board).battles((area, attacker, "", ""))  # type: ignore[arg-type]


def victory(english: dict[str, str], scots: dict[str, str], area: str) -> Table:
    """Return a table where the English have just won a battle."""
    table = battle(english, {**scots, area: "Douglas 1"}, area)
    while table.asked[1] != "regroup":
        seat, what = table.asked
        if what == "battle action":
            table.order(f"BATTLE {area}: ALL {'FIRE' if seat == ENGLISH else 'PASS'}")
        else:
            table.dice(*[1] * table.stop.wants.requests[0].n)  # type: ignore[union-attr]
    return table
