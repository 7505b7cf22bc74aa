"""The words of Lords of Scotland, and its picture (ring 3).

=========  =========================================
facts      what happened
questions  the question, and how to answer
touches    the next touches; `ahead`: of additional lines
board      the table, the hand
standing   who is ahead, and why
cards      the hand as cards
picture    the table as SVG; `faces`: cards; `style`: colours
closing    how a game went, for its end; `summary`: in a few lines
words      recurring words
=========  =========================================
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, cast

from pbem.games.bot import steady
from pbem.i18n import _
from pbem.look import Chapter, Look

from ..rules.told import LordsFact
from ..views import HIDDEN, LordsView
from . import board, facts, questions, touches
from .words import ORDER_WORDS, lord

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from markupsafe import Markup

    from pbem.kernel import Json, Order, View
    from pbem.look import PageTable
    from pbem.look.shown import Afterwards, CardRow
    from pbem.look.touches import Touch


class LordsLook(Look):
    """See `pbem.look.Look` for the duties of each."""

    facts = LordsFact
    order_words = ORDER_WORDS

    def seat_name(self, seat: str) -> str:
        return lord(seat)

    def fact(self, fact: Json, seat: str | None) -> str:
        return facts.sentence(LordsFact.read(fact), seat)

    def question(self, view: View) -> str:
        return questions.question(_seen(view))

    def matter(self, view: View) -> Mapping[str, Json]:
        return questions.matter(_seen(view))

    def asked(self, what: str) -> str:
        return _(questions.CALLED[what])

    def advice(self, view: View) -> Order | None:
        from ..bots import SensibleBot  # it thinks, which a program that only shows need not load

        return steady(SensibleBot(), view) if _seen(view).question else None

    def template(self, view: View, advice: Order | None = None) -> str:
        advice = advice or self.advice(view)
        return questions.template(_seen(view), advice, partial(self.touches, view)) if advice else ""

    def choices(self, view: View) -> Sequence[tuple[Order, str, str]]:
        return questions.choices(_seen(view))

    def unsaid(self, view: View, text: str) -> Sequence[str]:
        return tuple(questions.unsaid(_seen(view), text)) if _seen(view).question else ()

    def afterwards(self, view: View, after: View, text: str) -> Afterwards:
        then, row = _seen(after), _seen(view).row
        gone = [no for no, card in enumerate(row) if card not in then.row and then.pile]
        filled = [*then.row[: gone[0]], HIDDEN, *then.row[gone[0] :]] if gone else then.row  # from the pile
        return super().afterwards(view, after, text)._replace(drawn=then.model_copy(update={"row": filled}))

    def touches(self, view: View, draft: Sequence[str]) -> Sequence[Touch]:
        return touches.touches(_seen(view), draft)

    def board(self, view: View) -> str:
        return board.board(_seen(view))

    def hand(self, view: View) -> str:
        return board.hand(_seen(view))

    def cards(self, view: View) -> Sequence[CardRow]:
        from .cards import card_rows

        return tuple(card_rows(_seen(view)))

    def picture(self, views: Sequence[View], facts: Sequence[Json]) -> Markup:
        from .picture import picture

        return picture([_seen(view) for view in views])

    def chapter(self, fact: Json) -> Chapter | None:
        return Chapter(_("Round {round}", round=fact["round"])) if fact["f"] == "round" else None

    def closing(self, course: Sequence[tuple[View, Sequence[Json]]]) -> Sequence[PageTable | Markup]:
        from .closing import closing

        return closing([(_seen(view), heard) for view, heard in course])

    def tables(self, view: View) -> Sequence[PageTable]:
        taken = board.seen(_seen(view))
        return [*board.tables(_seen(view)), *([taken] if taken else [])]

    def summary(self, facts: Sequence[Json], start: int) -> Sequence[str]:
        from .summary import summary

        return summary(facts, start)

    def result(self, result: Json) -> str:
        return facts.result(result)


def _seen(view: View) -> LordsView:
    return cast("LordsView", view)


LOOK: Look = LordsLook()

__all__ = ["LOOK", "LordsLook"]
