"""Whether an answer has revealed hidden things to its seat: nothing may be taken back past such an answer (ADR 47).

It compares two positions, that of the question and that of the next. If the other side's blocks changed without that side being
asked, the rules changed them. What the rules then did depends on blocks that only that side sees. The same applies to earlier
orders carried out now. The driver of the rules handles chance, dealt cards and sealed answers.
"""

from __future__ import annotations

from pbem.kernel import Ask, wants

from .battle import Battle
from .board import Piece, State
from .printed import DEAD, OFF


def told_secret(before: State, after: State) -> bool:
    """Has something hidden from a seat decided what it saw, on the way from one question to the next?"""
    asked = wants(before.board, before.stack, before.result)
    answering = asked.seats if isinstance(asked, Ask) else ()
    pieces = zip(before.board.pieces, after.board.pieces, strict=True)
    changed = [(was, now) for was, now in pieces if was is not now]
    return any(_turned_up(was, now) or _moved_by_the_rules(was, now, answering) for was, now in changed) or any(
        isinstance(frame, Battle) and _goes_on(frame, before, answering) for frame in before.stack
    )


def _turned_up(was: Piece, now: Piece) -> bool:
    """Was a block turned up, or put face-up beside the map?"""
    beside = (DEAD, OFF)
    return now.known > was.known or (now.at in beside and was.at not in beside)


def _moved_by_the_rules(was: Piece, now: Piece, answering: tuple[str, ...]) -> bool:
    """Return whether a block is elsewhere, weaker, stronger or on the other side, although its owner was not asked."""
    return was.side not in answering and was[1:4] != now[1:4]


def _goes_on(battle: Battle, before: State, answering: tuple[str, ...]) -> bool:
    """Return whether the other side's combat turn continues, by its orders or by ordering nothing further."""
    return battle.side not in answering and bool(battle.queue or battle.leaving or battle.waiting(before.board))
