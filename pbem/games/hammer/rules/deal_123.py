"""The 1-2-3 deal (option): if a side is dealt more than one Move 3, two events or three Move 1, all cards are dealt again.

Nobody sees the discarded cards, which return unseen as leftover cards do (ruling 7.0); only the fact of another deal is told. Each
deal takes a link of its own (PROTOCOL 5). So a game has more deals than years: about one and a third a year.
"""

from __future__ import annotations

from collections.abc import Sequence

from .board import Board
from .printed import CARD_NAME, CARDS_A_YEAR, is_event
from .scenarios import SCENARIOS
from .variants import DEAL_123

MOST = {"Move 3": 1, "event": 2, "Move 1": 3}
"""How many cards of a kind a hand may hold."""


def is_too_much(hand: Sequence[str]) -> bool:
    """Has a hand too many cards of a kind?

    >>> is_too_much(["Move 3", "Move 1", "Move 1", "Move 1", "Herald"]), is_too_much(["Move 3", "Move 3", "Move 2"])
    (False, True)
    """
    kinds = ["event" if is_event(card) else card for card in hand]
    return any(kinds.count(kind) > most for kind, most in MOST.items())


def is_dealt_again(board: Board, dealt: Sequence[str]) -> bool:
    """Are these ten cards thrown away for another deal?"""
    if DEAL_123 not in board.variants:
        return False
    cards = [CARD_NAME[card] for card in dealt]
    hands = cards[:CARDS_A_YEAR], cards[CARDS_A_YEAR:]
    return any(map(is_too_much, hands))


def deals_before(scenario: str, year: int) -> int:
    """Return how many deals the years before would have taken with one each."""
    return year - SCENARIOS[scenario].first_year
