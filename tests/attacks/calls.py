"""What several tests need of calls: a_table, a_game."""

from __future__ import annotations

from functools import cache

import tiny_game

from pbem.referee.table import Table

from .recorded import Recorded, record, take_turn
from .rekey import NEW, SPARE, a_key


def a_table(players: int = 2, hours: int = 24, late: str = "claim", leave: int = 0) -> Table:
    """All are asked, at the beginning of a game."""
    options = {"players": players, "turns": 3}
    return Table(tiny_game.GAME, options, "call", hours=hours, late=late, leave=leave, recovery=SPARE.key_line)


@cache
def a_game() -> Recorded:
    """Bob changes his key, Ann takes leave, Cat never comes back and is out; then Bob's spare key takes the change back."""
    table = a_table(3, leave=48)
    before = table.pens["bob"].key
    table.change_key("bob", NEW)
    table.say("ann", "leave", hours=4)
    table.ready("bob")
    table.ready("ann")
    table.say("ann", "claim", at=table.course.due)
    take_turn(table)
    while table.course.phase != "asked":
        take_turn(table)
    table.rekey("bob", a_key("again"), SPARE)
    while table.open:
        take_turn(table)
    return record(table, {"bob": before})
