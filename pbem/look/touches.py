"""The possible next actions, as data: touches, each of which turns one draft of order lines into another (ring 3).

A draft is the lines of an order written so far; the last may be unfinished. To undo, return to the previous draft. Touches are text
throughout: whatever can be clicked can also be numbered, typed and completed (ADR 64). Nothing here knows a rule or a view;
`pbem.look.Look.touches` specifies the obligations of a game's touches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from pbem.i18n import _

PLAN, AHEAD = "PLAN", "AHEAD"
"""The first words of lines that go with an order: for what may be asked later, and for marked questions that come later."""
END = "end"
"""The touch of a reader who adds nothing more: the draft is the order."""


class Touch(NamedTuple):
    """Something that may be touched, and the draft that this makes."""

    at: str
    """The touched thing: "area:Fife", "block:Wallace", "card:12", "border:Fife/Mentieth", "choice:PASS", "end"."""
    label: str
    """In the reader's language, complete by itself: a screen reader says it."""
    draft: tuple[str, ...]
    """The order lines that it makes; the last may be unfinished ("MOVE Fife: Wallace >")."""
    note: str = ""
    """Where it helps, short: "!" for an attack, "2 of 6 may cross"."""
    closes: bool = False
    """Whether the draft is a complete order, which needs no more touches. More may still be possible."""


class Parts(NamedTuple):
    """The lines of a draft by what they are, each kind in its order."""

    order: tuple[str, ...]
    plans: tuple[str, ...]
    ahead: tuple[str, ...]


def parts(draft: Sequence[str]) -> Parts:
    """Return the lines of a draft parted into the order's own, plans, and orders sent ahead.

    >>> parts(["PLAN CLAIM STRONGEST", "RECRUIT 2"])
    Parts(order=('RECRUIT 2',), plans=('PLAN CLAIM STRONGEST',), ahead=())
    """
    found: dict[str, list[str]] = {PLAN: [], AHEAD: []}
    order: list[str] = []
    for line in draft:
        found.get(first_word(line), order).append(line)
    return Parts(tuple(order), tuple(found[PLAN]), tuple(found[AHEAD]))


def first_word(line: str) -> str:
    """Return the first word of a line in capitals; "" if it has none.

    >>> first_word("  plan claim")
    'PLAN'
    """
    return next(iter(line.split()), "").upper()


def writes(draft: Sequence[str], touch: Touch) -> str:
    """Return what a touch adds to a draft as somebody would type it: the rest of the last line, or whole lines.

    >>> writes(["MOVE Fife: Wallace >"], Touch("area:Mentieth", "Mentieth", ("MOVE Fife: Wallace > Mentieth",)))
    'Mentieth'
    >>> writes(["PASS"], Touch("choice:PLAN", "Plan", ("PASS", "PLAN")))
    'PLAN'
    """
    before, line = tuple(draft[:-1]), "".join(draft[-1:])
    if draft and len(touch.draft) == len(draft) and touch.draft[:-1] == before and touch.draft[-1].startswith(line):
        return touch.draft[-1][len(line) :].strip()
    return "\n".join(line for line in touch.draft if line not in draft) or "\n".join(touch.draft)


def listed(
    orders: Iterable[object],
    draft: Sequence[str],
    at: Callable[[str], str] = "choice:{}".format,
    label: Callable[[str], str] = str,
) -> tuple[Touch, ...]:
    """Return the touches of a question from a list of its legal orders: word by word, wherever there is a choice.

    `orders` are orders or their canonical texts. `at` and `label` get the words that a touch adds where it differs from the others,
    and return the touch target and its label. Words common to all orders are skipped.

    >>> for touch in listed(["ACT BANK", "ACT DIG DEEP", "ACT DIG LONG"], ()):
    ...     print(touch)
    Touch(at='choice:BANK', label='BANK', draft=('ACT BANK',), note='', closes=True)
    Touch(at='choice:DIG', label='DIG', draft=('ACT DIG',), note='', closes=False)
    """
    said = _words("\n".join(draft))
    folded = [word.upper() for word in said]
    texts = dict.fromkeys(tuple(_words(str(order))) for order in orders)
    fits = [words for words in texts if [word.upper() for word in words[: len(said)]] == folded]
    if len(fits) == 1 and len(fits[0]) == len(said) > 0:
        return ()
    begin = max(len(said), min(_alike(fits), min(map(len, fits), default=0) - 1))
    branches: dict[str, list[tuple[str, ...]]] = {}
    for words in fits:
        if len(words) > begin:
            branches.setdefault(words[begin], []).append(words)
    ends = [end(draft)] if any(len(words) == begin for words in fits) else []
    return (*ends, *(_branch(branch, begin, at, label) for branch in branches.values()))


def end(draft: Sequence[str]) -> Touch:
    """Return the touch by which nothing is added to a draft that is whole."""
    return Touch(END, _("Done"), tuple(draft), closes=True)


def _branch(fits: list[tuple[str, ...]], begin: int, at: Callable[[str], str], label: Callable[[str], str]) -> Touch:
    words = fits[0][: _alike(fits)]
    added = " ".join(word.strip("\n") for word in words[begin:])
    whole = any(len(other) == len(words) for other in fits)
    return Touch(at(added), label(added), tuple(" ".join(words).replace(" \n", "\n").split("\n")), closes=whole)


def _alike(fits: Sequence[Sequence[str]]) -> int:
    """Return how many words all have in common at their beginning."""
    return next(
        (n for n, words in enumerate(zip(*fits, strict=False)) if len(set(words)) > 1), min(map(len, fits), default=0)
    )


def _words(text: str) -> list[str]:
    """Return the words of a text; the first one of each line after the first has the line break in front."""
    lines = [line.split() for line in text.split("\n")]
    return [f"\n{word}" if no and not i else word for no, line in enumerate(lines) for i, word in enumerate(line)]
