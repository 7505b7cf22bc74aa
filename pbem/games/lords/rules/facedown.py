"""The cards that nobody has seen: the draw pile and the face-down recruits; and how to deal them again.

Everybody can work out that the pile has only cards of the last deal. So the cards of that deal are one group, and a recruit that is
face-down since an earlier deal belongs to another.
"""

from __future__ import annotations

from itertools import chain

from pbem.kernel import Outcome, Unseen, changed

from .board import Board, Recruit


def unseen(board: Board) -> tuple[Unseen, ...]:
    """Return what no seat knows: the cards of the last deal, and those of earlier ones."""
    return tuple(
        Unseen(
            tuple((lying.label, lying.place) for lying in group),
            tuple(sorted((lying.card for lying in group), key=board.terms.rank)),
        )
        for group in _groups(board)
    )


def dealt_anew(board: Board, drawn: Outcome) -> Board:
    """Return the table with these cards in the places of `unseen`."""
    places = [(lying.deal, lying.place) for group in _groups(board) for lying in group]
    cards = dict(zip(places, chain.from_iterable(drawn), strict=True))
    row = tuple(r if r.up else changed(r, card=cards[r.deal, r.place]) for r in board.recruits)
    pile = tuple(cards[board.deals, place] for place in range(board.top, board.dealt))
    return changed(board, recruits=row, pile=pile)


def _groups(board: Board) -> list[list[Recruit]]:
    """Return the face-down cards in groups, pile cards in the form of recruits: those of earlier deals, and of the last."""
    pile = [Recruit(card, up=False, deal=board.deals, place=board.top + i) for i, card in enumerate(board.pile)]
    down = [*(recruit for recruit in board.recruits if not recruit.up), *pile]
    groups = ([lying for lying in down if (lying.deal == board.deals) is last] for last in (False, True))
    return [group for group in groups if group]
