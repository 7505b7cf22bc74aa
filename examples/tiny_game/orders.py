"""What can be ordered in Tiny, and how it is typed: `CARD c7`, `ACT BANK`, `ACT DIG`, `KEEP t4`.

This module knows how orders are written, not whether they are allowed: that is `rules.py`, which knows the view.
The name of a question is its verb in small letters, and so is the field of its order.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pbem.errors import OrderError, Problem
from pbem.i18n import N_, _
from pbem.kernel import Line, Names, Order, one_of, read_orders

SEATS = ("ann", "bob", "cat", "dan")
ALL_CARDS = tuple(f"c{value}" for value in range(1, 14))  # 1.1: thirteen for four players, fewer for fewer
ALL_TOKENS = ("t1", "t2", "t3", "t4", "t5")  # 1.3

# People read facts and views, and anybody can forge a log: so each text in them must be a name of the game.
Seat = Annotated[str, one_of(SEATS)]
CardName = Annotated[str, one_of(ALL_CARDS)]
Token = Annotated[str, one_of(ALL_TOKENS)]


class PlayCard(Order, form="CARD {card}"):
    """2.1: the card played this turn."""

    card: str


class Act(Order, form="ACT {act}"):
    """4: what the winner of a turn does."""

    act: Literal["BANK", "DIG"]


class Keep(Order, form="KEEP {keep}"):
    """4.2: which of the two tokens drawn is kept."""

    keep: str


_VERBS = Names(["CARD", "ACT", "KEEP"], N_("order"))
_ORDERS: dict[str, tuple[type[Order], Names]] = {
    "card": (PlayCard, Names(ALL_CARDS, N_("card"))),
    "act": (Act, Names(["BANK", "DIG"], N_("act"))),
    "keep": (Keep, Names(ALL_TOKENS, N_("token"))),
}


def read_order(text: str, question: str) -> Order:
    """Return the one order in `text` that answers `question`. Raises OrderError with every bad line."""
    if not question:
        raise OrderError(Problem(0, "", _("nothing is asked of you now")))
    return _read_one(read_orders(text), question)


def read_plans(text: str) -> str:
    """Return the plan in `text` in its canonical form: `ACT BANK`, `ACT DIG`, or "" for no plan (5)."""
    lines = [Line(line.no, _without_plan(line.text)) for line in read_orders(text)]
    return str(_read_one(lines, N_("act"))) if lines else ""


def _without_plan(words: str) -> str:
    first, _blank, rest = words.partition(" ")
    return rest if first.upper() == "PLAN" else words


def _read_one(lines: list[Line], question: str) -> Order:
    found: list[Order] = []
    problems: list[Problem] = []
    for line in lines:
        try:
            order = _read_line(line, question)
        except OrderError as error:
            problems.extend(error.problems)
        else:
            if found:
                problems.append(Problem(line.no, line.text, _("one line is enough here")))
            found.append(order)
    if not lines:
        problems.append(Problem(0, "", _("there is no {verb} line in it", verb=question.upper())))
    if problems:
        raise OrderError(*problems)
    return found[0]


def _read_line(line: Line, question: str) -> Order:
    verb, _blank, name = line.text.partition(" ")
    if _VERBS.find(verb, line) != question.upper():
        raise line.refusal(_("that is not what is asked"), f"{question.upper()} …")
    kind, names = _ORDERS[question]
    if not name:
        raise line.refusal(_("the {kind} is missing", kind=_(names.kind)), ", ".join(names.names))
    return kind.model_validate({question: names.find(name, line)})
