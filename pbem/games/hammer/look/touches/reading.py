"""From the lines of a draft to orders, by the readers of the questions themselves; and what all touches share.

An unfinished line is read as if it ended in some way, and that end is then left out.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.errors import OrderError
from pbem.kernel import Order
from pbem.look.touches import Touch

from ... import orders
from ...questions import QUESTIONS
from ...questions.question import Question
from ...questions.winter import Read, WinterQuestion
from ...views import HammerView


def question(view: HammerView) -> Question:
    """Return the question that is put in a view."""
    return QUESTIONS[(view.ask or {})["what"]]


def read(view: HammerView, draft: Sequence[str], ending: str = "") -> Order | None:
    """Return the order that lines make with something behind the last, legal or not; None if they cannot be read."""
    try:
        return question(view).read_unjudged(view, "\n".join(draft) + ending)
    except OrderError:
        return None


def read_winter(view: HammerView, draft: Sequence[str]) -> Read | None:
    """Return the order that lines of the winter make, legal or not, with the blocks and areas named; None as `read` does."""
    asked = question(view)
    try:
        return asked.read_all(view, "\n".join(draft)) if isinstance(asked, WinterQuestion) else None
    except OrderError:
        return None


def is_legal(view: HammerView, order: Order) -> bool:
    """Return whether an order is a legal answer."""
    return question(view).why_not(view, order) is None


def made(view: HammerView, at: str, label: str, order: Order, note: str = "") -> Touch:
    """Return the touch that makes an order, complete or partial; it closes the draft if the order is legal."""
    return Touch(at, label, tuple(str(order).split("\n")), note, closes=is_legal(view, order))


def passing(label: str) -> Touch:
    """Return the touch that does nothing."""
    return Touch("choice:PASS", label, (str(orders.Pass()),), closes=True)
