"""Premoves: orders for a marked question that has not been put yet, their canonical text, and the answer they give later.

AHEAD CARD: CARD Move 3                          the first of these lines that is legal when the card is asked for
AHEAD CARD: CARD Move 2
AHEAD ACT IF FIRST: MOVE Fife: Wallace > Mentieth; PASS      lines of one order are parted by semicolons
AHEAD 14: ASK                                    takes back what was sent ahead for mark 14

The canonical text is the part after the question's name, one line for each choice, in order. A line applies if all its conditions
are true and its order is legal. Both follow from the seat's own view at the time, so host, player and audit reach the same answer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pbem.errors import OrderError, Problem
from pbem.i18n import _

from .game import Game, SendingAhead
from .order import Line, Names, Order, View, read_each, read_lines

MOST = 20
"""The maximum number of lines for one question."""
AND = " AND "
ASK = "ASK"
_TYPED = re.compile(r"AHEAD\s+(?:NEXT\s+)?(\w+)(?:\s+IF\s+([^:]+?)|\s+ELSE)?\s*:\s*(.+)", re.IGNORECASE)
_AND = re.compile(r"\s+AND\s+", re.IGNORECASE)


class Fit(NamedTuple):
    """What an order sent ahead answers: the order, and the line that spoke."""

    order: Order
    line: str


def read_ahead(game: Game, view: View, next_marks: Mapping[str, int], text: str) -> dict[int, str]:
    """Return the canonical text for each mark that typed lines name; "" withdraws a premove. Raises OrderError.

    `next_marks` maps the name of each question open to premoves to its mark. A line may give the name or the number.
    """
    read, problems = read_each(read_lines(text), lambda line: _read_line(game, view, next_marks, line))
    found: dict[int, list[str]] = {}
    for mark, order in read:
        found.setdefault(mark, []).append(order)
    for mark, lines in found.items():
        if "" in lines and len(lines) > 1:
            why = _("this must be the only line: where no other line fits, you are asked anyway")
            problems.append(Problem(0, f"AHEAD {mark}: {ASK}", why))
        if len(lines) > MOST:
            problems.append(Problem(0, f"AHEAD {mark}", _("{n} lines for one question are the most", n=MOST)))
    if problems:
        raise OrderError(*problems)
    return {mark: "\n".join(dict.fromkeys(lines)) for mark, lines in found.items()}


def _read_line(game: Game, view: View, next_marks: Mapping[str, int], line: Line) -> tuple[int, str]:
    whole = _TYPED.fullmatch(line.text)
    if not isinstance(game, SendingAhead):
        raise line.refusal(_("in {game} nothing can be sent ahead", game=game.title))
    legal = f"AHEAD {game.marked[0].upper()}: …"
    if not whole:
        raise OrderError(
            Problem(line.no, line.text, _("a line sent ahead names its question and an order"), legal=legal)
        )
    name, conditions, said = whole[1], whole[2] or "", whole[3]
    what, mark = _question(next_marks, name, line)
    if said.strip().upper() == ASK:
        return mark, ""
    order = game.read_ahead(view, what, "\n".join(part.strip() for part in said.split(";")))
    held = [*game.bounds(view), *(game.read_condition(c) for c in _AND.split(conditions) if c)]
    spoken = "; ".join(order.split("\n"))
    return mark, f"IF {AND.join(dict.fromkeys(held))}: {spoken}" if held else spoken


def typed(mark: int, text: str) -> list[str]:
    """Return the canonical text for a mark as lines that read as it.

    >>> typed(14, "IF FIRST: PASS\\nCARD Herald")
    ['AHEAD 14 IF FIRST: PASS', 'AHEAD 14: CARD Herald']
    >>> typed(14, "")
    ['AHEAD 14: ASK']
    """
    return [
        f"AHEAD {mark} {line}" if line.startswith("IF ") else f"AHEAD {mark}: {line or ASK}"
        for line in text.split("\n")
    ]


def _question(next_marks: Mapping[str, int], name: str, line: Line) -> tuple[str, int]:
    if name.isdecimal():
        for what, mark in next_marks.items():
            if str(mark) == name.lstrip("0"):
                return what, mark
        said = ", ".join(f"{mark} ({what})" for what, mark in next_marks.items())
        raise line.refusal(_("for this mark nothing can be sent ahead now"), said)
    what = Names(next_marks, "question").find(name, line)
    return what, next_marks[what]


def next_marks(game: Game | SendingAhead, mark: int, what: str, reach: int) -> dict[str, int]:
    """Return the marks open to premoves for a seat that answers question `what` at `mark`, by name of question.

    If a question occurs twice within reach, its second name ends in its mark.

    >>> class Sample(SendingAhead): marked = ("card", "act")
    >>> next_marks(Sample(), 14, "card", 2)
    {'act': 15, 'card': 16}
    """
    found: dict[str, int] = {}
    marked = game.marked if isinstance(game, SendingAhead) else ()
    start = marked.index(what) + 1 if what in marked else 0
    for step in range(reach if marked else 0):
        name = marked[(start + step) % len(marked)]
        found[name if name not in found else f"{name}{mark + step + 1}"] = mark + step + 1
    return found


def choose(game: Game, view: View, text: str) -> Fit | Sequence[Problem]:
    """Return what an order sent ahead answers to the question in a view; where it answers nothing, why each line does not fit."""
    problems: list[Problem] = []
    lines = text.split("\n")
    if len(lines) > MOST:
        return [Problem(0, "", _("{n} lines for one question are the most", n=MOST))]
    for no, line in enumerate(filter(None, lines), 1):
        conditions, said = line.removeprefix("IF ").split(": ", 1) if line[:3] == "IF " and ": " in line else ("", line)
        named = filter(None, conditions.split(AND))
        if failed := next((c for c in named if not (isinstance(game, SendingAhead) and game.holds(view, c))), ""):
            problems.append(Problem(no, line, _("it is not so: {condition}", condition=failed)))
            continue
        try:
            order = game.parse(view, said.replace("; ", "\n"))
        except OrderError as error:
            first = error.problems[0]
            problems.append(Problem(no, line, first.why, first.rule, first.legal))
            continue
        refusal = game.why_not(view, order)
        if refusal is None:
            return Fit(order, line)
        problems.append(Problem(no, line, refusal.why, refusal.rule, refusal.legal))
    return problems
