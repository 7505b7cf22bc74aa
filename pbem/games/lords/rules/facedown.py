"""What lies where nobody has looked: the draw pile, and the face-down recruits; and how it is dealt anew.

Everybody can reckon that the pile holds cards of the last deal only. So the cards of that deal are one group, and a recruit that
lies face-down since an earlier one is of another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from pbem.kernel import Outcome, Unseen

from .board import Board


class _Place(NamedTuple):
    """A place where nobody has looked: its deal and its number there, what lies there, and its number in the row (or the pile)."""

    deal: int
    place: int
    card: str
    at: int
    in_pile: bool


def unseen(board: Board) -> tuple[Unseen, ...]:
    """Return what no seat knows: the cards of the last deal, and those of earlier ones."""
    return tuple(
        Unseen(
            tuple((f"deal:{place.deal}", place.place) for place in group),
            tuple(sorted((place.card for place in group), key=board.terms.rank)),
        )
        for group in _groups(board)
    )


def dealt_anew(board: Board, drawn: Outcome) -> Board:
    """Return the table with these cards in the places of `unseen`."""
    row, pile = list(board.recruits), list(board.pile)
    for group, cards in zip(_groups(board), drawn, strict=True):
        for place, card in zip(group, cards, strict=True):
            if place.in_pile:
                pile[place.at] = card
            else:
                row[place.at] = replace(row[place.at], card=card)
    return replace(board, recruits=tuple(row), pile=tuple(pile))


def _groups(board: Board) -> Sequence[Sequence[_Place]]:
    places = list(_places(board))
    old, new = ([p for p in places if (p.deal == board.deals) is last] for last in (False, True))
    return [group for group in (old, new) if group]


def _places(board: Board) -> Iterator[_Place]:
    for i, recruit in enumerate(board.recruits):
        if not recruit.up:
            yield _Place(recruit.deal, recruit.place, recruit.card, i, in_pile=False)
    for i, card in enumerate(board.pile):
        yield _Place(board.deals, board.top + i, card, i, in_pile=True)
