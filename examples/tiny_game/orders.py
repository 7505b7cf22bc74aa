"""What can be ordered in Tiny, and how it is written: `CARD c7`, `ACT BANK`, `ACT DIG`, `KEEP t4`.

How it is read, and whether it is allowed, is in `rules/questions.py`, which knows the view.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pbem.kernel import Order, one_of

SEATS = ("ann", "bob", "cat", "dan")
ALL_CARDS = tuple(f"c{value}" for value in range(1, 14))  # 1.1: thirteen for four players, fewer for fewer
ALL_TOKENS = ("t1", "t2", "t3", "t4", "t5")  # 1.3

# People read facts and views, and anybody can forge a log: so each text in them must be a name of the game.
Seat = Annotated[str, one_of(SEATS)]
CardName = Annotated[str, one_of(ALL_CARDS)]
Token = Annotated[str, one_of(ALL_TOKENS)]


class PlayCard(Order, form="CARD {card}"):
    """2.1: the card played this turn."""

    card: str


class Act(Order, form="ACT {act}"):
    """4: what the winner of a turn does."""

    act: Literal["BANK", "DIG"]


class Keep(Order, form="KEEP {keep}"):
    """4.2: which of the two tokens drawn is kept."""

    keep: str
