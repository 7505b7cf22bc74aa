"""Plausibility of a position: whether a game can have led to its cards.

`position` checks that every card is in one place. This module checks the history: cards taken openly, cards out of sight at the
last shuffle, and the recruits' places of a deal.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pbem.i18n import _

from .board import Board


class Flaw(NamedTuple):
    """What a table cannot have come to: where, and why not."""

    where: str
    why: str


def flaws(board: Board) -> Iterator[Flaw]:
    """Yield the flaws of a table."""
    followers = [f for army in board.armies.values() for f in army if not f.up]
    mustered = {f.card: f.seen[0] for f in followers if f.seen}
    in_hands = {card for hand in board.hands.values() for card in hand}
    face_down = [recruit for recruit in board.recruits if not recruit.up]
    hidden = {*(f.card for f in followers), *in_hands, *(recruit.card for recruit in face_down)}
    for follower in followers:
        if not follower.seen:
            yield Flaw(follower.card, _("it lies face-down, and nobody has mustered it"))
    for seat in board.seats:
        for card in board.taken[seat]:
            if card not in board.hands[seat] and mustered.get(card) != seat:
                yield Flaw(
                    f"TAKEN {seat}: {card}", _("it is neither in that hand, nor did that seat muster it face-down")
                )
    for card in board.old:
        if card not in hidden:
            why = _("an old card is out of sight since before the last shuffle: in a hand, or face-down")
            yield Flaw(f"OLD: {card}", why)
    if board.old and board.deals <= 1:
        yield Flaw("OLD", _("before the first shuffle no card was out of sight"))
    if len(hidden.difference(board.old)) > board.top:
        yield Flaw(f"DEAL {board.deals} of {board.dealt}", _("more cards came from it than it had"))
    for recruit in face_down:
        old = recruit.card in board.old
        fits = 0 < recruit.deal < board.deals if old else (recruit.deal == board.deals and recruit.place < board.top)
        if not fits:
            yield Flaw(f"{recruit.card} down {recruit.deal}.{recruit.place}", _("it cannot have come from there"))
    if len({(recruit.deal, recruit.place) for recruit in face_down}) < len(face_down):
        yield Flaw("RECRUITS", _("two of them came from the same place"))
