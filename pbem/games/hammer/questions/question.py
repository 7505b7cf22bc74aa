"""The parts of a question: which orders fit, which are legal, and the meaning of silence.

Every question of the rules has one entry in a table, of `turn`, `battle` or `winter`; all of them work from the asked seat's view
alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pbem.errors import OrderError, Problem
from pbem.i18n import N_
from pbem.kernel import Line, Names, Options, Order, Refusal, read_each, read_lines, read_orders

from ..orders import Pass
from ..rules import ALIASES, AREAS, ROSTER
from ..rules.said import _, typed
from ..views import HammerView

PASS = Pass()
Form = Callable[[HammerView, Line, str], Order]
"""Reads the text after a verb. Raises OrderError."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question: the forms of its orders by verb, its legal answers, why another is not legal, the answer of silence.

    `join` makes one order of several lines with the same verb; None where one line is the order. `line_refusals` judges such
    an order line by line.
    """

    forms: Callable[[HammerView], Mapping[str, Form]]
    options: Callable[[HammerView], Options]
    why_not: Callable[[HammerView, Order], Refusal | None]
    default: Callable[[HammerView], Order]
    join: Callable[[Sequence[Order]], Order] | None = None
    line_refusals: Callable[[HammerView, Order], Mapping[int, Refusal]] | None = None

    def read(self, view: HammerView, text: str) -> Order:
        """Return the legal order that a text means. Raises OrderError with all bad lines."""
        orders, problems = self._read_lines(view, text)
        problems += self._judge(view, orders, complete=not problems)
        if problems:
            raise OrderError(*sorted(problems, key=lambda problem: problem.line))
        return self._joined([order for _line, order in orders])

    def read_unjudged(self, view: HammerView, text: str) -> Order:
        """Return the order that a text means, legal or not. Raises OrderError with all bad lines."""
        orders, problems = self._read_lines(view, text)
        if problems:
            raise OrderError(*problems)
        joined = self._joined([order for _line, order in orders])
        if len(orders) > 1 and joined is orders[0][1]:
            raise OrderError(_one_too_many(Line(0, str(orders[1][1]))))
        return joined

    def _read_lines(self, view: HammerView, text: str) -> tuple[list[tuple[Line, Order]], list[Problem]]:
        """Return the order of each readable line, and the problems of the others. Raises OrderError if there is no line."""
        forms, lines = self.forms(view), order_lines(text)
        if not lines:
            raise OrderError(Problem(0, "", _("there is no order here"), legal=", ".join(forms)))
        return read_each(lines, lambda line: (line, self._read_line(view, line, forms)))

    def _read_line(self, view: HammerView, line: Line, forms: Mapping[str, Form]) -> Order:
        word, _blank, rest = line.text.partition(" ")
        verbs = _verbs(tuple(forms))
        if not verbs.fits(word.rstrip(":")) and (order := self._without_verb(view, line, forms)):
            return order
        return forms[verbs.find(word.rstrip(":"), line)](view, line, rest.strip())

    def _without_verb(self, view: HammerView, line: Line, forms: Mapping[str, Form]) -> Order | None:
        """Return the order of a line without a verb, if exactly one verb fits.

        Raises OrderError as that one does, unless the line seems to begin with another verb.
        """
        able = [form for verb, form in forms.items() if verb != PASS.verb]
        found = list[Order]()
        for form in able:
            try:
                found.append(form(view, line, line.text))
            except OrderError as error:
                if len(able) == 1 and not begins_with_a_verb(line, error):
                    raise
        legal = found if len(found) == 1 else [order for order in found if not self.why_not(view, order)]
        return legal[0] if len(legal) == 1 else None

    def _joined(self, orders: Sequence[Order]) -> Order:
        if self.join and len(orders) > 1 and len({type(order) for order in orders}) == 1:
            return self.join(orders)
        return orders[0]

    def _judge(self, view: HammerView, orders: Sequence[tuple[Line, Order]], complete: bool) -> list[Problem]:
        if not orders:
            return []
        joined = self._joined([order for _line, order in orders])
        if len(orders) > 1 and joined is orders[0][1]:
            return [_one_too_many(line) for line, _order in orders[1:]]
        if self.line_refusals and self.join and type(joined) is type(orders[0][1]):
            found = self.line_refusals(view, joined)
            bad = [(orders[i][0], refusal) for i, refusal in found.items()]
            if not bad and complete and (refusal := self.why_not(view, joined)):
                bad = [(orders[0][0], refusal)]
        else:
            bad = self._first_refused(view, orders)
        return [Problem(line.no, line.text, *refusal) for line, refusal in bad]

    def _first_refused(self, view: HammerView, orders: Sequence[tuple[Line, Order]]) -> list[tuple[Line, Refusal]]:
        """Return the first line that does not go with those above it."""
        for n, (line, _order) in enumerate(orders, 1):
            if refusal := self.why_not(view, self._joined([order for _line, order in orders[:n]])):
                return [(line, refusal)]
        return []


@lru_cache(maxsize=64)
def _verbs(verbs: tuple[str, ...]) -> Names:
    return Names(verbs, N_("order"))


def _one_too_many(line: Line) -> Problem:
    return Problem(line.no, line.text, _("one order is wanted here, and there is another before it"))


def begins_with_a_verb(line: Line, error: OrderError) -> bool:
    """Does a line without a verb that is known begin with another? Its fault is there, and no block or area is called so."""
    word, _blank, rest = line.text.partition(" ")
    is_word = word.isalpha() and rest[:1].isalnum() and not (_BLOCKS.fits(word) or _AREAS.fits(word))
    return is_word and any(line.text.startswith(problem.read) for problem in error.problems)


def read_pass(view: HammerView, line: Line, rest: str) -> Order:
    """Read the text after PASS, which must be empty."""
    if rest:
        raise line.refusal(_("nothing follows PASS"), "PASS")
    return PASS


def one_verb(
    kind: type[Order],
    rule: str,
    form: Form,
    options: Callable[[HammerView], Options],
    refusal: Callable[[HammerView, Any], Refusal | None],
    default: Callable[[HammerView], Order],
    *,
    elsewhere: str = "",
    may_pass: bool = False,
    join: Callable[[Sequence[Order]], Order] | None = None,
) -> Question:
    """Return a question that one kind of order answers, or PASS where one may; `refusal` judges orders of that kind alone.

    `elsewhere` is the message for an order that names another area than that of the question; "" where it names none.
    """
    verb = kind.model_fields["verb"].default
    forms: dict[str, Form] = {verb: form, **({"PASS": read_pass} if may_pass else {})}

    def why_not(view: HammerView, order: Order) -> Refusal | None:
        if may_pass and isinstance(order, Pass):
            return None
        if not isinstance(order, kind):
            return Refusal(_("{verb} is wanted here", verb=verb), rule)
        if elsewhere and getattr(order, "area", "") != (area := asked_area(view)):
            return Refusal(_(elsewhere, area=area), rule)
        return refusal(view, order)

    return Question(lambda view: forms, options, why_not, default, join)


def asked_area(view: HammerView) -> str:
    """Return the area that a question is about, "" for none."""
    return str((view.ask or {}).get("area", ""))


BLOCK = N_("block")
_AREAS = Names(AREAS, N_("area"), abroad=typed(AREAS))
_BLOCKS = Names(ROSTER, BLOCK, ALIASES, typed(ROSTER))


def find_area(word: str, line: Line) -> str:
    """Return the area that a word means."""
    return _AREAS.find(word, line)


def find_block(word: str, line: Line, near: Sequence[str] = ()) -> str:
    """Return the block that a word means: one of those near at hand, or the one among all. Raises OrderError.

    If none near at hand fits, nor exactly one elsewhere, the error names those near at hand.
    """
    nearby = _nearby(tuple(near))
    elsewhere = not nearby.fits(word) and (not near or len(_BLOCKS.fits(word)) == 1)
    return (_BLOCKS if elsewhere else nearby).find(word, line)


@lru_cache(maxsize=256)
def _nearby(near: tuple[str, ...]) -> Names:
    return Names(near, BLOCK, {alias: name for alias, name in ALIASES.items() if name in near}, typed(near))


_ARROW = re.compile(r"\s*[-=]+>\s*|\s+-\s+")
_TO = re.compile(r"(\bretreat)?\s+to\s+", re.IGNORECASE)


def arrow_lines(text: str) -> list[Line]:
    """Return the lines of a text, with ">" for the arrows and dashes that people write for it."""
    return [_with_arrows(line) for line in read_lines(text)]


def _with_arrows(line: Line) -> Line:
    return Line(line.no, _ARROW.sub(" > ", line.text))


def order_lines(text: str) -> list[Line]:
    """Return the lines of orders, where "to" also means an arrow, except after RETREAT, and a semicolon separates two lines.

    >>> order_lines("MOVE Fife: Wallace -> Angus\\nREGROUP Lanark: Moray to Lennox")
    [Line(no=1, text='MOVE Fife: Wallace > Angus'), Line(no=2, text='REGROUP Lanark: Moray > Lennox')]
    """
    return [
        Line(no, _TO.sub(lambda said: said[0] if said[1] else " > ", line))
        for no, line in map(_with_arrows, read_orders(text))
    ]


def words(text: str) -> list[str]:
    """Return the parts between commas.

    >>> words("Wallace, Douglas,")
    ['Wallace', 'Douglas']
    """
    return [part.strip() for part in text.split(",") if part.strip()]


def split_area(view: HammerView, line: Line, rest: str) -> tuple[str, str]:
    """Return the area in front of a colon and what follows; without a colon, the area that the question is about."""
    area, colon, after = rest.partition(":")
    if colon:
        return find_area(area, line), after.strip()
    if not (asked := asked_area(view)):
        raise line.refusal(_("an area and a colon are missing"), "Fife: …")
    return asked, rest
