"""Touches of a question that is stated once (ring 3): each step by which its order grows is a touch, with the game's words.

A draft is followed from its beginning: of the steps that `pbem.kernel.slots` offers, the longest that the draft begins with is
taken. So a draft that touches cannot write has no touches, except one that ends between two words. A touch closes the draft if
its order is legal, and does not if something is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from pbem.kernel import Refusal
from pbem.kernel.slots import Question, Step

from .touches import Touch


class Says(NamedTuple):
    """The words of one field: the label of a touch that fills it, where it is touched, and a note.

    Each gets the view, the order with the name in it, and the name.
    """

    label: Callable[[Any, Any, Any], str]
    at: Callable[[Any, Any, Any], str]
    note: Callable[[Any, Any, Any], str] = lambda _view, _order, _name: ""


def touches(
    question: Question[Any], says: Mapping[str, Says], view: Any, lines: Sequence[str], before: str = ""
) -> list[Touch]:
    """Return the touches that continue an order: the steps that lead to a legal order or on the way to one.

    `says` has the words of each field. `before` is what comes before the order in its line, such as "PLAN ".
    """
    found = []
    for step, missing in _next(question, view, before, "\n".join(lines).casefold()):
        words, told = says[step.field], (view, step.order, step.name)
        draft = tuple(f"{before}{step.text}".split("\n"))
        found.append(Touch(words.at(*told), words.label(*told), draft, words.note(*told), missing is None))
    return found


def _next(question: Question[Any], view: Any, before: str, said: str) -> list[tuple[Step, Refusal | None]]:
    """Return the steps that may follow a text; of a text that ends between two words, those that begin so."""
    here: Step | None = None
    text = ""
    while said and not before.casefold().startswith(said) and said != text:
        reached = question.grown(view, here, lambda longer: _begins(said, f"{before}{longer}".casefold()))
        best = max(reached, key=lambda step: len(step.text), default=None)
        if best is None:
            return [*question.steps(view, here, lambda longer: f"{before}{longer}".casefold().startswith(f"{said} "))]
        here, text = best, f"{before}{best.text}".casefold()
    return [*question.steps(view, here)]


def _begins(said: str, text: str) -> bool:
    """Does a text begin so, and not in the middle of a longer word?"""
    return said.startswith(text) and not said[len(text) : len(text) + 1].isalnum()
