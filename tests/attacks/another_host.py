"""What several tests need of another host: a_game, a_roll_before_all_are_ready, ready_with_an_old_link, …."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import tiny_game

from pbem.referee.table import Table

from .forger import Forger, Piece
from .recorded import Recorded


def _turn(table: Table) -> None:
    """Let everybody who is asked give the last of his legal answers: the first cards stay in hand, tokens are drawn."""
    assert table.open
    options = {seat: list(table.game.options(table.referee.view(seat))) for seat in table.open.to}
    table.answer({seat: (str(legal[-1]), "") for seat, legal in options.items()})


@cache
def a_game() -> Recorded:
    """Three play; in the third turn the host has vanished, with half a pile that nobody has seen."""
    table = Table(tiny_game.GAME, {"players": 3, "turns": 4}, "moved", hours=24)
    former = table.host_key
    while table.referee.indices.get("pub", 0) < 2 or len(table.open.to if table.open else ()) < 3:
        _turn(table)
    table.move("another")
    while table.open:
        _turn(table)
    whole = table.whole()
    return Recorded(table.game, whole, whole, {s: table.copy(s) for s in table.seats}, table, {}, former)


def _ready(f: Forger) -> list[Piece]:
    return [p for p in f.all("ready") if f.pieces.index(p) > f.pieces.index(f.first("host"))]


def a_roll_before_all_are_ready(f: Forger) -> Piece:
    rolls = [
        p for p in f.all("rand") if p.fields["chain"] == "pub" and f.pieces.index(p) < f.pieces.index(_ready(f)[0])
    ]
    return f.roll(len(rolls) + 1, [{"op": "roll", "n": 1, "sides": 6}], before=_ready(f)[-1])


def ready_with_an_old_link(f: Forger) -> Piece:
    ready = _ready(f)[0]
    given = [p for p in f.all("order") if p.seat == ready.seat and f.pieces.index(p) < f.pieces.index(ready)]
    ready.fields["say"]["link"] = next(p.fields["say"]["link"] for p in given if "link" in p.fields["say"])
    return ready


def ready_for_what_was_before(f: Forger) -> Piece:
    ready = _ready(f)[0]
    ready.fields["say"]["seen"] = f.last("ask", ready)
    return ready


def _roll(f: Forger) -> Piece:
    return next(
        p for p in f.all("rand") if p.fields["chain"] == "pub" and f.pieces.index(p) > f.pieces.index(_ready(f)[-1])
    )


def a_link_of_another_chain(f: Forger) -> Piece:
    roll = _roll(f)
    roll.fields["x"] = "7" * 64
    return roll


def dice_that_begin_anew(f: Forger) -> Piece:
    roll = _roll(f)
    roll.fields["i"] = 1
    return roll


def another_die(f: Forger) -> Piece:
    roll = _roll(f)
    roll.fields["res"][0][0] = roll.fields["res"][0][0] % 6 + 1
    return roll


def a_question_without_a_tell(f: Forger) -> Piece:
    tell = f.next("tell", f.first("host"))
    ask = f.next("ask", tell)
    f.drop(tell)
    return ask


CODES: dict[str, list[Callable[[Forger], Piece]]] = {
    "SEEN": [ready_for_what_was_before],
    "ORDERING": [a_question_without_a_tell],
    "EARLY": [a_roll_before_all_are_ready],
    "LINK": [ready_with_an_old_link, a_link_of_another_chain],
    "REQ": [dice_that_begin_anew],
    "RAND": [another_die],
}  # fmt: skip
