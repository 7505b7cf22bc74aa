"""The numbered list of a question's answers. Letters, pages and terminals show the same order, and each number means one answer.

The list follows from the game and the seat's view. The host makes it for a letter, and again when the answer comes; an audit makes
it too. No built-in player computes it. This module also explains how to send an answer, and why a question with only one answer is
put.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from textwrap import fill
from typing import TYPE_CHECKING, NamedTuple

from pbem.errors import OrderError

if TYPE_CHECKING:
    from pbem.games.pack import GamePack
    from pbem.kernel import Order, View


MOST = 8
"""A list has at most this many answers."""
_FEW = 3
"""Where there are too many legal orders to count, and the game lists none, this many are listed."""


class Listing(tuple["Choice", ...]):
    """The answers of a numbered list, and those that the game lists and that are cut off."""

    cut: Sequence[Choice] = ()


class Choice(NamedTuple):
    """One answer of the list; its number is its place, from 1."""

    order: str
    """The canonical text of the order."""
    words: str
    """The answer in one line, in the language that is spoken."""
    plans: str = ""
    """Canonical plans that go with the order; "" for none."""


def choices(pack: GamePack, view: View, *, most: int = MOST) -> Listing:
    """Return the numbered answers to the question of a view, the suggestion first; () where nothing is asked."""
    try:
        default = pack.rules.default(view)
        found = list(pack.look.choices(view)) or list(_first(pack, view))
    except OrderError:  # the log asks, and its view does not
        return Listing()
    listed: dict[tuple[str, str], Choice] = {}
    for order, words, plans in found:
        text = str(order)
        listed.setdefault((text, plans), Choice(text, words or text.replace("\n", "; "), plans))
    kept, silent = list(listed.values())[:most], str(default)
    if (silent, "") not in [(one.order, one.plans) for one in kept]:  # what counts for who is silent can be chosen
        kept[most - 1 :] = [listed.get((silent, ""), Choice(silent, silent.replace("\n", "; ")))]
    made = Listing(kept)
    made.cut = [one for one in listed.values() if one not in kept]
    return made


def _first(pack: GamePack, view: View) -> Iterator[tuple[Order, str, str]]:
    """Go through the default answer and the first legal orders."""
    options = pack.rules.options(view)
    orders = islice(options, _FEW if options.count() is None else MOST)
    yield from ((order, "", "") for order in chain([pack.rules.default(view)], orders))


def default_number(pack: GamePack, view: View, listed: Iterable[Choice]) -> int:
    """Return the number of the default answer, which counts for a seat that stays silent; 0 where the list has it not."""
    default = str(pack.rules.default(view))
    return next((no for no, one in enumerate(listed, 1) if one.order == default and not one.plans), 0)


def numbered(listed: Iterable[Choice]) -> str:
    """Return the list as text of 72 columns, a number before each answer.

    >>> print(numbered([Choice("PASS", "pass"), Choice("CARD Move 1", "Move 1")]))
      1  pass
      2  Move 1
    """
    return "\n".join(
        fill(one.words, 72, initial_indent=f"{no:>3}  ", subsequent_indent="     ") for no, one in enumerate(listed, 1)
    )


def only(view: View, pack: GamePack) -> Order | None:
    """Return the only legal answer to a view's question; None if there are more, or if the log has a question but the view has
    none.
    """
    try:
        found = list(islice(pack.rules.options(view), 2))
    except OrderError:
        return None
    return found[0] if len(found) == 1 else None
