"""Premoves: the next card, its use, and the conditions for them.

===================  ========================================================================
FIRST, SECOND        you are Player 1, or Player 2, of the turn (3.12, 4.1)
YEAR 1298            implied in every line: a hand is of one year
===================  ========================================================================

A premove is decided from the view in which it is written, or at the latest from the view of the question. Whether it is legal is
checked when the question is put.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from pbem.errors import OrderError, Problem
from pbem.kernel import Order

from .questions import turn
from .questions.question import Form
from .rules.said import _
from .views import HammerView

MARKED = ("card", "act")
FIRST, SECOND = "FIRST", "SECOND"
_PLAYER = {FIRST: 1, SECOND: 2}
_YEAR = re.compile(r"YEAR\s+(1[23]\d\d)", re.IGNORECASE)


def _forms(view: HammerView) -> Mapping[str, Form]:
    return turn.act_forms_of_any_card(view)


def _unknown(view: HammerView, order: Order) -> None:
    """What will be legal then nobody knows: neither the card nor the board."""


_LATER = {
    "card": turn.QUESTIONS["card"],
    "act": replace(turn.QUESTIONS["act"], forms=_forms, why_not=_unknown),
}


def read_ahead(view: HammerView, what: str, text: str) -> str:
    """Return the canonical text of an order for a question that comes later. Raises OrderError.

    The area of the question that is open now does not fill a gap in it.
    """
    return str(_LATER[what].read_unjudged(view.model_copy(update={"wait": {}}), text))


def bounds(view: HammerView) -> tuple[str, ...]:
    """Return the bounds of all premoves: the year of the cards in hand."""
    return (f"YEAR {view.year}",)


def read_condition(text: str) -> str:
    """Return the canonical text of a condition. Raises OrderError."""
    if text.strip().upper() in _PLAYER:
        return text.strip().upper()
    if found := _YEAR.fullmatch(text.strip()):
        return f"YEAR {found[1]}"
    raise OrderError(Problem(0, text, _("this is no condition that can be told"), legal=f"{FIRST}, {SECOND}"))


def holds(view: HammerView, condition: str) -> bool:
    """Does a condition hold for the question in a view?"""
    if condition in _PLAYER:
        return (view.ask or {}).get("player") == _PLAYER[condition]
    return condition == f"YEAR {view.year}"
