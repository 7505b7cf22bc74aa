"""Parts of a reply beyond a number of the list: an answer for each of several pieces, `1: 2`; a condition, `UNTIL …`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from pbem.kernel import View


class AnsweredPiece(NamedTuple):
    """One of the pieces: its name, and its answers, each as part of an order and in words; the suggestion first."""

    name: str
    answers: Sequence[tuple[str, str]]


class Pieces(NamedTuple):
    """The pieces of a question, and how their answers make an order."""

    pieces: Sequence[AnsweredPiece] = ()
    begins: str = ""
    """How the order begins."""
    between: str = "\n"

    def order(self, chosen: Mapping[int, int]) -> str:
        """Return the order in which pieces, by number, have the answers with the given numbers; other pieces have their first
        answer.

        >>> Pieces([AnsweredPiece("Bruce", [("Bruce FIRE", "fire"), ("Bruce PASS", "pass")])], "BATTLE Annan: ", ", ").order({1: 2})
        'BATTLE Annan: Bruce PASS'
        """
        answers = [piece.answers[chosen.get(no, 1) - 1][0] for no, piece in enumerate(self.pieces, 1)]
        return self.begins + self.between.join(answers)

    def lines(self) -> list[str]:
        """Return them as a letter lists them.

        >>> Pieces([AnsweredPiece("Bruce", [("Bruce FIRE", "fire"), ("Bruce PASS", "pass")])]).lines()
        ['1: Bruce. 1 fire, 2 pass']
        """
        return [
            f"{no}: {piece.name}. " + ", ".join(f"{n} {words}" for n, (_order, words) in enumerate(piece.answers, 1))
            for no, piece in enumerate(self.pieces, 1)
        ]


class Conditions(NamedTuple):
    """Conditions until which something continues: their description, and a function from a text to its order and plans, or None.

    >>> Conditions().read("UNTIL ROUND 3") is None
    True
    """

    told: str = ""
    read: Callable[[str], tuple[str, str] | None] = lambda _said: None


class SaidBeside:
    """Parts of a reply to a view's question beyond a number of the list; by default none."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.pieces, self.conditions = Pieces(), Conditions()
