"""What a question is to those who answer it: which orders fit, which are legal, what silence means.

Every question of the rules has one entry in a table, `turn_questions`, `battle_questions` or `winter_questions`; all of them work
from the asked seat's view alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pbem.errors import OrderError, Problem
from pbem.kernel import Line, Names, Options, Order, Refusal, read_lines
from pbem.words import N_, _

from .rules.facts import ALIASES, AREAS, ROSTER
from .views import HammerView

Form = Callable[[HammerView, Line, str], Order]
"""Reads what stands behind a verb; raises OrderError."""


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
        lines = read_lines(text)
        forms = self.forms(view)
        if not lines:
            raise OrderError(Problem(0, "", _("there is no order here"), legal=", ".join(forms)))
        problems: list[Problem] = []
        orders: list[tuple[Line, Order]] = []
        for line in lines:
            try:
                orders.append((line, self._read_line(view, line, forms)))
            except OrderError as error:
                problems += error.problems
        problems += self._judge(view, orders, complete=not problems)
        if problems:
            raise OrderError(*sorted(problems, key=lambda problem: problem.line))
        return self._joined([order for _, order in orders])

    def read_unjudged(self, view: HammerView, text: str) -> Order:
        """Return the order that a text means, legal or not. Raises OrderError with all bad lines."""
        forms, problems, orders = self.forms(view), list[Problem](), list[Order]()
        for line in read_lines(text):
            try:
                orders.append(self._read_line(view, line, forms))
            except OrderError as error:
                problems += error.problems
        if problems or not orders:
            raise OrderError(*problems or [Problem(0, "", _("there is no order here"), legal=", ".join(forms))])
        joined = self._joined(orders)
        if len(orders) > 1 and joined is orders[0]:
            raise OrderError(Problem(0, str(orders[1]), _("one order is wanted here, and there is another before it")))
        return joined

    @staticmethod
    def _read_line(view: HammerView, line: Line, forms: Mapping[str, Form]) -> Order:
        word, _, rest = line.text.partition(" ")
        verb = Names(forms, N_("order")).find(word.rstrip(":"), line)
        try:
            return forms[verb](view, line, rest.strip())
        except OrderError as error:
            raise OrderError(*(_in_full(problem, line) for problem in error.problems)) from error

    def _joined(self, orders: Sequence[Order]) -> Order:
        if self.join and len(orders) > 1 and len({type(order) for order in orders}) == 1:
            return self.join(orders)
        return orders[0]

    def _judge(self, view: HammerView, orders: Sequence[tuple[Line, Order]], complete: bool) -> list[Problem]:
        if not orders:
            return []
        joined = self._joined([order for _, order in orders])
        if len(orders) > 1 and joined is orders[0][1]:
            return [
                Problem(line.no, line.text, _("one order is wanted here, and there is another before it"))
                for line, _order in orders[1:]
            ]
        if self.line_refusals and self.join and type(joined) is type(orders[0][1]):
            found = self.line_refusals(view, joined)
            bad = [(orders[i][0], refusal) for i, refusal in found.items()]
        else:
            bad = self._first_refused(view, orders)
        problems = [Problem(line.no, line.text, *refusal) for line, refusal in bad]
        if not problems and complete:
            refusal = self.why_not(view, joined)
            if refusal:
                problems = [Problem(orders[0][0].no, orders[0][0].text, *refusal)]
        return problems

    def _first_refused(self, view: HammerView, orders: Sequence[tuple[Line, Order]]) -> list[tuple[Line, Refusal]]:
        """Return the first line that does not go with those above it."""
        for n, (line, _order) in enumerate(orders, 1):
            if refusal := self.why_not(view, self._joined([order for _, order in orders[:n]])):
                return [(line, refusal)]
        return []


def _in_full(problem: Problem, line: Line) -> Problem:
    return Problem(line.no, problem.read or line.text, problem.why, problem.rule, problem.legal)


def wrong_order(line: Line, why: str, legal: str) -> OrderError:
    """Return the error for a line that has not the form of its verb."""
    return OrderError(Problem(line.no, line.text, why, legal=legal))


BLOCK = N_("block")
_AREAS = Names(AREAS, N_("area"))
_BLOCKS = Names(ROSTER, BLOCK, ALIASES)


def find_area(word: str, line: Line) -> str:
    """Return the area that a word means."""
    return _AREAS.find(word, line)


def find_block(word: str, line: Line, near: Sequence[str] = ()) -> str:
    """Return the block that a word means: first among those near at hand, then among all."""
    nearby = Names(near, BLOCK, {alias: name for alias, name in ALIASES.items() if name in near})
    return (nearby if nearby.fits(word) else _BLOCKS).find(word, line)


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
    asked = view.ask["area"] if view.ask and "area" in view.ask else ""
    if not asked:
        raise wrong_order(line, _("an area and a colon are missing"), "Fife: …")
    return asked, rest
