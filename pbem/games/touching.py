"""The part of touches that is alike in every game, where they meet its law: additional lines, and the options in refusals.

A draft has lines of three kinds. Each kind has touches of its own, which get only its lines. This module decides which kinds can be
continued, and puts the other lines back. To find out whether a draft is complete, it asks the game's law, as for a typed order.

The law says why an order is refused. It sees no look. This module names the possible replacements, made by touches, wherever the
refusal is shown to somebody.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from pbem.errors import OrderError, Problem
from pbem.i18n import _, in_english
from pbem.kernel import Game, Line, Order, SendingAhead, View, next_marks, read_ahead, read_lines, read_plans
from pbem.kernel.ahead import MOST
from pbem.look.offers import possible
from pbem.look.touches import AHEAD, END, PLAN, Touch, end, first_word, listed, parts

if TYPE_CHECKING:
    from .pack import GamePack

Lines = tuple[str, ...]
Making = Callable[[Lines], Sequence[Touch]]
"""The touches that continue lines of one kind; they need not say "end"."""


def beside(
    game: Game, view: View, draft: Sequence[str], order: Making, plan: Making | None = None, ahead: Making | None = None
) -> tuple[Touch, ...]:
    """Return the touches of a draft in a game, from those of its kinds of lines; the seat of the view is asked something.

    Lines of `plan` begin with PLAN, and of `ahead` with AHEAD; both kinds are begun by a choice, before the order is begun or once
    it is whole. A line that is begun is finished first.
    """
    found = parts(draft)
    lines = {"": found.order, PLAN: found.plans, AHEAD: found.ahead}
    makes: dict[str, Making] = {"": order, PLAN: plan or _none, AHEAD: ahead or _none}
    is_whole = _is_order(game, view, found.order)
    broken = [
        kind
        for kind, whole in (
            ("", is_whole or not found.order),
            (PLAN, _are_plans(game, found.plans)),
            (AHEAD, _are_ahead(game, view, found.ahead)),
        )
        if not whole
    ]
    if broken:
        return tuple(_of_kind(broken[0], lines, makes, is_whole)) if len(broken) == 1 else ()
    last = first_word(draft[-1]) if draft else ""
    kinds = dict.fromkeys(["", last if last in lines else ""])
    touches = [touch for kind in kinds for touch in _of_kind(kind, lines, makes, is_whole)]
    touches += _beginnings(lines, makes)
    return tuple([end(draft), *touches] if touches and is_whole else touches)


def _of_kind(kind: str, lines: dict[str, Lines], makes: dict[str, Making], is_whole: bool) -> Iterator[Touch]:
    """Go through the touches of a kind, with the lines of the others put back in front; `is_whole` says it of the order."""
    others = tuple(line for other, said in lines.items() if other != kind for line in said)
    for touch in makes[kind](lines[kind]):
        if touch.at != END:
            yield touch._replace(draft=(*others, *touch.draft), closes=touch.closes and (is_whole or not kind))


def _beginnings(lines: dict[str, Lines], makes: dict[str, Making]) -> Iterator[Touch]:
    """Go through the choices by which a line that goes along is begun."""
    every = tuple(line for said in lines.values() for line in said)
    called = {PLAN: _("Plan for what may be asked later"), AHEAD: _("Send an order ahead")}
    for kind, label in called.items():
        if makes[kind]((*lines[kind], kind)):
            yield Touch(f"choice:{kind}", label, (*every, kind))


def few(pack: GamePack, view: View) -> tuple[str, ...]:
    """Return the legal orders of a game without touches if there are few; otherwise ()."""
    if pack.look.touches(view, ()):
        return ()
    options = pack.rules.options(view)
    count = options.count()
    return tuple(map(str, options)) if count is not None and count <= _FEW else ()


def among(pack: GamePack, view: View, orders: Sequence[str], draft: Sequence[str]) -> tuple[Touch, ...]:
    """Return the touches of a draft where these are all orders there are, word by word."""
    return beside(pack.rules, view, draft, partial(listed, orders))


def room_ahead(game: Game, view: View, asked: str, lines: Sequence[str]) -> dict[str, bool]:
    """Return the questions for which another premove line fits beside these, each with whether it would be its first.

    They are in the order in which they follow the question `asked`. A withdrawal is always alone.
    """
    marked = game.marked if isinstance(game, SendingAhead) else ()
    said = [pair for line in lines for pair in _sent(game, view, marked, line)]
    count, back = Counter(name for name, _text in said), {name for name, text in said if not text}
    coming = next_marks(game, 0, asked, len(marked))
    return {name: not count[name] for name in coming if count[name] < MOST and name not in back}


def _sent(game: Game, view: View, marked: Sequence[str], line: str) -> list[tuple[str, str]]:
    """Return the questions that a premove line names, each with its text; "" for a withdrawal."""
    try:
        found = read_ahead(game, view, {name: no for no, name in enumerate(marked)}, line)
    except OrderError:
        return []
    return [(marked[no], text) for no, text in found.items()]


def _none(lines: Lines) -> tuple[Touch, ...]:
    return ()


def _is_order(game: Game, view: View, lines: Sequence[str]) -> bool:
    try:
        judged(game, view, "\n".join(lines))
    except OrderError:
        return False
    return True


def judged(game: Game, view: View, text: str) -> Order:
    """Return the legal order that a typed text means. Raises OrderError with all bad lines, or with why it is not legal."""
    order = game.parse(view, text)
    if refusal := game.why_not(view, order):
        raise OrderError(Problem(0, str(order), *refusal))
    return order


def unsaid(pack: GamePack, view: View, text: str) -> tuple[str, ...]:
    """Return what a legal order means beyond its text, a sentence each; () if the text is not a legal order."""
    try:
        return tuple(pack.look.unsaid(view, text)) if _is_order(pack.rules, view, text.split("\n")) else ()
    except OrderError:
        return ()


def remembered(pack: GamePack, view: View) -> Making:
    """Return the touches of a view, cached by draft: for a caller that checks many illegal orders."""
    return lru_cache(_REMEMBERED)(partial(pack.look.touches, view))


def taken(pack: GamePack, view: View, text: str, touching: Making | None = None) -> Order:
    """Return the order in a text. The error that it raises names replacements for bad lines, as touches make them."""
    try:
        return judged(pack.rules, view, in_english(text, pack.look.order_words))
    except OrderError as error:
        raise mended(pack, view, text, error, touching) from error


_FEW = 60
"""The maximum number of orders offered for a game without touches."""
_REMEMBERED = 1000
"""The number of drafts with remembered touches."""
_MENDED = 3
"""The maximum number of bad lines for which replacements are named."""


def mended(pack: GamePack, view: View, text: str, error: OrderError, touching: Making | None = None) -> OrderError:
    """Return an error about the order in a text that names replacements for the first bad lines, as touches make them.

    `touching` makes the touches of the view, if the caller caches them from one order to the next. If touches make no replacement,
    the error names the order without the line, or the default.
    """
    lines, touching = read_lines(text), touching or remembered(pack, view)
    head, rest = error.problems[:_MENDED], error.problems[_MENDED:]
    return OrderError(*(_mended(pack, view, touching, lines, problem) for problem in head), *rest)


def _mended(pack: GamePack, view: View, touching: Making, lines: Sequence[Line], problem: Problem) -> Problem:
    above = _canonical(pack.rules, view, [line.text for line in lines if line.no < problem.line])
    wanted = "; ".join(line.text for line in lines if problem.line in (0, line.no))
    legal = possible(touching, above, wanted) or _without(pack.rules, view, lines, problem.line)
    return replace(problem, legal=legal)


def _without(game: Game, view: View, lines: Sequence[Line], no: int) -> str:
    """Return what is possible if nothing can replace a line: the order without it, or otherwise the default."""
    if _is_order(game, view, [line.text for line in lines if line.no != no]):
        return _("the order without this line")
    if _is_order(game, view, [line.text for line in lines if line.no < no]):
        return _("the order without this line and what comes after it")
    return str(game.default(view)).replace("\n", "; ")


def _canonical(game: Game, view: View, lines: Sequence[str]) -> Lines:
    """Return lines as touches write them; () if they are not an order by themselves."""
    try:
        return tuple(str(game.parse(view, "\n".join(lines))).split("\n")) if lines else ()
    except OrderError:
        return ()


def _are_plans(game: Game, lines: Lines) -> bool:
    try:
        read_plans(game, "\n".join(lines))
    except OrderError:
        return False
    return True


def _are_ahead(game: Game, view: View, lines: Lines) -> bool:
    """Are they lines sent ahead for the next question of some name?"""
    marked = game.marked if isinstance(game, SendingAhead) else ()
    try:
        read_ahead(game, view, {name: no for no, name in enumerate(marked, 1)}, "\n".join(lines))
    except OrderError:
        return False
    return True
