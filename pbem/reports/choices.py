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
from pbem.i18n import ENGLISH, _, _n, spoken
from pbem.kernel import Planning, SendingAhead

if TYPE_CHECKING:
    from pbem.games.pack import GamePack
    from pbem.kernel import Order, View

    from .report import Ways

MOST = 8
"""A list has at most this many answers."""
_FEW = 3
"""Where there are too many legal orders to count, and the game lists none, this many are listed."""


_LONG, _FIRST = 60, 4
"""A longer order is unsuitable as an example."""


class Choice(NamedTuple):
    """One answer of the list; its number is its place, from 1."""

    order: str
    """The canonical text of the order."""
    words: str
    """The answer in one line, in the language that is spoken."""
    plans: str = ""
    """Canonical plans that go with the order; "" for none."""


def choices(pack: GamePack, view: View, *, most: int = MOST) -> tuple[Choice, ...]:
    """Return the numbered answers to the question of a view, the suggestion first; () where nothing is asked."""
    try:
        default = pack.rules.default(view)
        found = list(pack.look.choices(view)) or list(_first(pack, view))
    except OrderError:  # the log asks, and its view does not
        return ()
    listed: dict[tuple[str, str], Choice] = {}
    for order, words, plans in found:
        text = str(order)
        listed.setdefault((text, plans), Choice(text, words or text.replace("\n", "; "), plans))
    kept, silent = list(listed.values())[:most], str(default)
    if (silent, "") not in [(one.order, one.plans) for one in kept]:  # what counts for who is silent can be chosen
        kept[most - 1 :] = [listed.get((silent, ""), Choice(silent, silent.replace("\n", "; ")))]
    return tuple(kept)


def _first(pack: GamePack, view: View) -> Iterator[tuple[Order, str, str]]:
    """Go through the default answer and the first legal orders."""
    options = pack.rules.options(view)
    orders = islice(options, _FEW if options.count() is None else MOST)
    yield from ((order, "", "") for order in chain([pack.rules.default(view)], orders))


def others(pack: GamePack, view: View, listed: Iterable[Choice]) -> str:
    """Return what may be answered beyond the list, in sentences; "" where the list has every legal answer."""
    try:
        options = pack.rules.options(view)
    except OrderError:
        return ""
    count, orders = options.count(), {choice.order for choice in listed}
    if count is None:
        return str(options)
    left = count - len(orders)
    return (
        _n("{n} more answer can be typed.", "{n} more answers can be typed in the same way.", left) if left > 0 else ""
    )


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


def example(pack: GamePack, view: View, listed: Iterable[Choice]) -> str:
    """Return a short order as you may type it, with words of the current language; "" if there is none.

    An order from the list with a name in it is preferred to a verb alone. If the list has only verbs, the first legal order with a
    name is taken, to show how to write one. Only English has examples, because in other languages names in texts differ from those
    in orders.
    """
    if spoken() != ENGLISH:
        return ""
    orders = [one.order.replace("\n", "; ") for one in listed if not one.plans]
    if all(map(str.isupper, orders)):
        orders += [str(order).replace("\n", "; ") for order in islice(pack.rules.options(view), _FIRST)]
    orders = sorted((one for one in orders if len(one) <= _LONG), key=lambda one: (one.isupper(), len(one)))
    return orders[0] if orders else ""


def beside(pack: GamePack, view: View) -> Sequence[str]:
    """Return what a reply may say beside the list, a line each: the parts of a question with their answers, and conditions."""
    more = pack.look.beside(view)
    parts, told = more.pieces.lines(), more.conditions.told
    head = _("Or part by part: “1: 2” is answer 2 for part 1. A part that you do not name takes its answer 1.")
    return [*([head, *(f"  {line}" for line in parts)] if parts else []), *([told] if told else [])]


def only(view: View, pack: GamePack) -> Order | None:
    """Return the only legal answer to a view's question; None if there are more, or if the log has a question but the view has
    none.
    """
    try:
        found = list(islice(pack.rules.options(view), 2))
    except OrderError:
        return None
    return found[0] if len(found) == 1 else None


def why_asked(pack: GamePack, *, marked: bool, due: bool, by_reply: bool = False) -> str:
    """Return why a question is put that has one legal answer; where it is `due`, what comes of silence; and what would spare it."""
    if marked:
        said = [_("You have only one legal answer, but please send it: it carries your share of the coming dice.")]
        if isinstance(pack.rules, SendingAhead):
            said.append(_("An AHEAD line with the order before it would have answered it."))
    else:
        said = [
            _(
                "You have only one legal answer. You are asked anyway: otherwise everybody would learn that "
                "you have no other."
            )
        ]
        if due:
            said.append(
                _(
                    "When the time is over, it is taken for you, and you are not late; if you send it now, the "
                    "game continues."
                )
            )
        if isinstance(pack.rules, Planning):
            said.append(_("A PLAN can answer such questions."))
    if not by_reply:
        said.append(_("With pbem turn --only-answers sign your program signs such answers by itself."))
    return " ".join(said)


def answering(ways: Ways, silent: int = 0, order: str = "") -> list[str]:
    """Return how an answer is sent, in sentences, and what comes of silence.

    `order` is one as it may be typed, "" for none. `silent` is the number of the answer that counts for a seat that does not
    answer; 0 where the list has no such answer, or where the letter has said it already.
    """
    said = [
        (
            _("Reply with a number, or in words: {order}", order=order)
            if order
            else _("Reply with a number, or in words.")
        )
        if ways.by_reply
        else _(
            "Answer with pbem turn: type a number, or the order in words{order}. Or save this mail, and type pbem read MAIL, pbem "
            "order and pbem send.",
            order=f" ({order})" if order else "",
        )
    ]
    if ways.page and not ways.by_reply:
        said.append(_("Or on the page of this host: {page}", page=ways.page))
    if ways.late == "claim":
        said.append(_("If you do not answer in time, an opponent may claim the game."))
    if ways.late == "default" and silent:
        said.append(_("If you do not answer in time, number {n} counts.", n=silent))
    return said


def answered_by(pack: GamePack, view: View, listed: Sequence[Choice], ways: Ways, silent: int) -> list[str]:
    """Return how an answer is sent, in sentences, and what a reply may say beside the list; `silent`: see `answering`."""
    first, *said = answering(ways, silent, "" if len(listed) == 1 else example(pack, view, listed))
    return [first, *(beside(pack, view) if ways.by_reply else ()), *said]
