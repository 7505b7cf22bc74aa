"""How a question is answered: beyond the numbered list, by which way, and why it is put though it has one answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from textwrap import fill
from typing import TYPE_CHECKING

from pbem.errors import OrderError
from pbem.i18n import ENGLISH, _, _n, spoken
from pbem.kernel import Planning, SendingAhead

from .choices import Choice, Listing, choices, numbered

if TYPE_CHECKING:
    from pbem.games.pack import GamePack
    from pbem.kernel import View

    from .report import Ways

_LONG, _FIRST = 60, 4
"""A longer order is unsuitable as an example."""
_NAMED = 12
"""Up to this many legal answers that the list lacks are named below it."""


def others(pack: GamePack, view: View, listed: Listing) -> str:
    """Return what may be answered beyond the list; "" where the list has every legal answer.

    Where few answers are left, each has a line of its own, below a sentence.
    """
    try:
        options = pack.rules.options(view)
    except OrderError:
        return ""
    count, orders = options.count(), {choice.order for choice in listed}
    if count is None:
        return str(options)
    left = count - len(orders)
    if 0 < left <= _NAMED:
        named = {choice.order: choice.words for choice in listed.cut if not choice.plans and choice.order not in orders}
        if len(named) < left:  # the game lists fewer
            rest = [text for text in map(str, options) if text not in orders]
            named = {text: named.get(text) or text.replace("\n", "; ") for text in rest}
        head = _n("{n} more answer can be typed:", "{n} more answers can be typed:", left)
        return "\n".join([head, *(f"  {words}" for words in named.values())])
    return (
        _n("{n} more answer can be typed.", "{n} more answers can be typed in the same way.", left) if left > 0 else ""
    )


def whole_list(pack: GamePack, view: View) -> str:
    """Return the numbered list as text, and below it what may be answered beyond the list."""
    listed = choices(pack, view)
    below = others(pack, view, listed) if listed else ""
    return "\n".join([numbered(listed), *(fill(line, 72) for line in below.split("\n") if line)])


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
