"""The names of orders and lines of a draft in the current language: the labels of the touches that make them.

An order is signed in English, whatever its player reads. If a game has no words for a line, the line is still a row of touches with
labels. So a page can name it by them, and no game has to define the words twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

from pbem.look.touches import Touch, parts

Lines = tuple[str, ...]
Further: TypeAlias = Callable[[Lines], Sequence[Touch]]
"""The touches of a draft."""
# A number at the end of a line grows as its place is touched again.
_DIGITS, _DOT, _ASIDE = "0123456789", " · ", " ("


def in_words(answers: Iterable[Touch], further: Further) -> Iterator[Touch]:
    """Go through whole answers; where one is called by the text of its order, words take the place of that."""
    for one in answers:
        text = "; ".join(order := parts(one.draft).order)
        yield one._replace(label=one.label.replace(text, called(order, further) or text)) if text in one.label else one


def called(order: Lines, further: Further) -> str:
    """Return the labels of the touches that compose an order one by one; "" if touches cannot compose it.

    If there are several touches, text in brackets is left out. If something is touched twice, the second label counts.

    >>> steps = {
    ...     (): [Touch("block:A", "A in Fife (far)", ("MOVE Fife: A",)), Touch("choice:PASS", "nobody", ("PASS",))],
    ...     ("MOVE Fife: A",): [Touch("area:Angus", "to Angus", ("MOVE Fife: A > Angus",))],
    ... }
    >>> called(("MOVE Fife: A > Angus",), lambda draft: steps.get(draft, ()))
    'A in Fife · to Angus'
    >>> called(("PASS",), lambda draft: steps.get(draft, ()))
    'nobody'
    >>> called(("MOVE Fife: B",), lambda draft: steps.get(draft, ()))
    ''
    """

    def far(draft: Lines) -> tuple[int, int, Lines]:
        return len(set(draft) & set(order)), sum(map(len, draft)), draft

    draft, found = Lines(), dict[str, str]()
    while set(draft) != set(order):
        on = [one for one in further(draft) if _leads(one.draft, order) and far(one.draft) > far(draft)]
        if not on:
            return ""
        best = max(on, key=lambda one: far(one.draft))
        draft, found[best.at] = best.draft, best.label
    return _DOT.join(one.partition(_ASIDE)[0] if len(found) > 1 else one for one in found.values())


def _leads(draft: Lines, order: Lines) -> bool:
    """Is each line of a draft one of the order, or the beginning of one, whatever number it ends with?"""
    return all(any(line.startswith(said.rstrip(_DIGITS)) for line in order) for said in draft)
