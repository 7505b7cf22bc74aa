"""What a puzzle tells the person solving it: the task, useful facts, whether an order is an answer, and the solution.

A command and a page show it, each in its own way; both use this module to judge an order.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from pbem.games import GamePack
from pbem.games.proving import Line, Proves
from pbem.games.puzzles import Puzzle
from pbem.games.reckoning import Reckoner
from pbem.games.touching import taken
from pbem.i18n import _, _n
from pbem.kernel import Order
from pbem.records import dataclass

from .text import fact_text, items


@dataclass(frozen=True, slots=True)
class PuzzleVerdict:
    """Whether an order is an answer: in words and, if it is not, with the line in which it fails.

    A line contains orders and the public facts about each, with their indentation: 0 or 1.
    """

    said: str
    line: tuple[tuple[int, str], ...] = ()

    @property
    def solves(self) -> bool:
        """Is it one?"""
        return not self.line


def task(one: Puzzle) -> str:
    """Return the seat to move and the task, as a sentence."""
    seat = one.pack.look.seat_name(one.seat)
    return _("{seat} to move. {task}", seat=seat[:1].upper() + seat[1:], task=one.task)


def about(one: Puzzle) -> Iterator[str]:
    """Yield further facts: the number of orders, and what is hidden."""
    if one.chance is None or one.chance == 1:
        yield _n(
            "Of {orders} legal orders {n} wins.", "Of {orders} legal orders {n} win.", len(one.wins), orders=one.orders
        )
    else:
        yield _n(
            "Of {orders} legal orders {n} has the best chance.",
            "Of {orders} legal orders {n} have the best chance.",
            len(one.wins),
            orders=one.orders,
        )
    if one.chance is None:
        yield _n(
            "What you cannot see can lie in {n} way, as far as it matters.",
            "What you cannot see can lie in {n} ways, as far as it matters.",
            one.arrangements,
        )
    else:
        yield _(
            "Nothing that you cannot see matters here. The calculation assumes that you and the others "
            "play as well as possible from here on."
        )


def verdict(one: Puzzle, prover: Proves, text: str) -> PuzzleVerdict:
    """Say whether a typed order is an answer. Raises OrderError if it is not a legal order."""
    order = taken(one.pack, prover.view, text)
    line = prover.against(order)
    reckoned = _reckoned(prover, order) if isinstance(prover, Reckoner) else ""
    if line is None:
        said = reckoned or _(
            "{order} wins, whatever you cannot see. This was proved in {n} steps.",
            order=in_a_line(order),
            n=prover.steps,
        )
        return PuzzleVerdict(said)
    said = reckoned or _("{order} does not win for certain. This may happen:", order=in_a_line(order))
    return PuzzleVerdict(said, tuple(_told(one.pack, line)))


def solution(one: Puzzle) -> Iterator[tuple[int, str]]:
    """Go through the answer and the puzzle's source, each with its indentation."""
    if one.chance is None or one.chance == 1:
        yield 0, _n("This wins:", "Each of these wins:", len(one.wins))
    else:
        chance = _chance(one.chance)
        yield (
            0,
            _n(
                "This has the best chance, {chance}:",
                "Each of these has the best chance, {chance}:",
                len(one.wins),
                chance=chance,
            ),
        )
    yield from ((1, in_a_line(order)) for order in one.wins)
    yield 0, _("Found in a game of built-in players: {found}.", found=one.found)


def in_a_line(order: Order | str) -> str:
    """Return an order in one line, whatever number of lines it has."""
    return str(order).replace("\n", "; ")


def _reckoned(prover: Reckoner, order: Order) -> str:
    """Describe how good an order is, for a prover that computes chances."""
    said, chance, best = in_a_line(order), prover.chance(order), prover.best()
    if chance == best == 1:
        return _("{order} does it for certain. This was proved in {n} steps.", order=said, n=prover.steps)
    if chance == best:
        return _(
            "{order} has the best chance: {chance}. This was calculated in {n} steps.",
            order=said,
            chance=_chance(chance),
            n=prover.steps,
        )
    if best == 1:
        return _(
            "{order} does it with a chance of {chance}, another order for certain. This may happen:",
            order=said,
            chance=_chance(chance),
        )
    return _(
        "{order} does it with a chance of {chance}, the best order with {best}. It is likeliest to fail so:",
        order=said,
        chance=_chance(chance),
        best=_chance(best),
    )


def _chance(chance: Fraction) -> str:
    """Return a chance exactly, and rounded to percent where it is a fraction.

    >>> from fractions import Fraction
    >>> _chance(Fraction(2, 3)), _chance(Fraction(0))
    ('2/3 (67 %)', '0')
    """
    if chance.denominator == 1:
        return str(chance)
    return _(
        "{fraction} ({n} %)",
        fraction=chance,
        n=(200 * chance.numerator + chance.denominator) // (2 * chance.denominator),
    )


def _told(pack: GamePack, line: Line) -> Iterator[tuple[int, str]]:
    """Go through orders and what everybody hears of each."""
    for move in line:
        yield 0, _("{seat}: {order}", seat=pack.look.seat_name(move.seat), order=in_a_line(move.order))
        yield from ((1, item.text) for item in items(fact_text(fact, None, pack) for fact in move.facts))
