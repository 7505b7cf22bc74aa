"""How a position between two turns is thought to end: the hope of a player who looks further than the next winter.

What is to be seen of it (`features`) is weighed, and turned into a share of certainty. The weights (`weights`) were found
from whole games, played by the rules (ADR 101).
"""

from __future__ import annotations

from collections.abc import Iterable

from ...rules import CARDS_A_YEAR, card_value, is_event
from .features import NAMES, features
from .model import SmallGame
from .weights import AT_FIRST, WEIGHTS
from .worth import CERTAIN, FAR_OFF

Hands = tuple[float, float]
"""How much better than usual the cards in hand are, by side; 0 for those that nobody knows."""
EVEN: Hands = (0.0, 0.0)
USUAL_CARD, EVENT_CARD = 2.0, 1.5
"""Cards by Group Moves, as they are reckoned."""
STEEPNESS = 0.6

_WEIGHED = (AT_FIRST, *(WEIGHTS[name] for name in NAMES))


def in_hand(cards: Iterable[str]) -> float:
    """Return how much better than usual some cards are."""
    return sum((EVENT_CARD if is_event(card) else card_value(card)) - USUAL_CARD for card in cards)


def hope(model: SmallGame, hands: Hands = EVEN) -> int:
    """Return how likely the English are to win, from 0 to `CERTAIN`, with `model.left` turns of this year still to come."""
    if model.winner >= 0:
        return CERTAIN * (1 - model.winner)
    left = model.last - model.year
    turns, years, last = model.left / CARDS_A_YEAR, max(0, min(FAR_OFF, left)) / FAR_OFF, left == 0
    x = 0.0
    for value, (always, by_turns, by_years, at_last) in zip((1.0, *features(model, hands)), _WEIGHED, strict=True):
        if value:
            x += value * (always + by_turns * turns + by_years * years + last * at_last)
    x *= STEEPNESS
    return int(CERTAIN * (0.5 + 0.5 * x / (1.0 + x * x) ** 0.5))
