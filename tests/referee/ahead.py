"""What several tests need of ahead: of_tiny, of_hammer, next_of_tiny, next_of_hammer, play, …."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import tiny_game

from pbem.games import find
from pbem.kernel import Game, next_marks, read_ahead
from pbem.ledger import REACH
from pbem.referee.table import Table

HAMMER = find("hammer")
QUESTIONS = 90


def of_tiny(table: Table, seat: str) -> str:
    """The card that has been in hand the longest; of other answers the first."""
    return str(next(iter(table.game.options(table.referee.view(seat)))))


def of_hammer(table: Table, seat: str) -> str:
    """The first card by name; Player 1 passes; all else at random."""
    view: Any = table.referee.view(seat)
    match view.ask["what"]:
        case "card":
            return f"CARD {min(view.hand)}"
        case "act" if view.ask["player"] == 1:
            return "PASS"
    whim = random.Random(f"{seat} {table.referee.marks[seat]} {table.ledger.next_n}")
    return str(HAMMER.bots["random"]().answer(view, whim))


def next_of_tiny(table: Table, seat: str) -> list[str]:
    kept = table.referee.views()[seat]["sides"][seat]["hand"][1]
    return [f"AHEAD CARD: CARD {kept}"]


def next_of_hammer(table: Table, seat: str) -> list[str]:
    """With a card what Player 1 does with it, with an act the next card."""
    view: Any = table.referee.view(seat)
    if view.ask["what"] == "card":
        return ["AHEAD ACT IF FIRST: PASS"]
    return [f"AHEAD CARD: CARD {min(view.hand)}"] if view.hand else []


def play(
    game: Game, options: Any, say: Callable[[Table, str], str], later: Callable[[Table, str], list[str]] | None
) -> Table:
    """Play the beginning of a game; with `later` what it says is sent ahead at every marked question."""
    table = Table(game, options, "dice")
    while table.open and sum(entry.k == "ask" for entry in table.ledger.log.entries) < QUESTIONS:
        orders = {seat: (say(table, seat), "") for seat in table.waiting}
        for seat in table.waiting if later and table.referee.open_mark else ():
            view, marks = table.referee.view(seat), next_marks(game, *table.course.asked_last(seat), REACH)
            for mark, text in read_ahead(game, view, marks, "\n".join(later(table, seat))).items() if later else ():
                table.ahead(seat, mark, text)
        table.answer(orders)
    return table


@cache
def both(name: str) -> tuple[Table, Table]:
    """A game whose orders come when they are asked for, and the same with orders sent ahead."""
    if name == "tiny":
        tiny = partial(play, tiny_game.GAME, {"players": 3, "turns": 6}, of_tiny)
        return tiny(None), tiny(next_of_tiny)
    hammer = partial(play, HAMMER.rules, {"scenario": "braveheart"}, of_hammer)
    return hammer(None), hammer(next_of_hammer)
