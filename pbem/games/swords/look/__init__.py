"""The words of Swords Over Scotland (ring 3).

=========  =========================================
facts      what happened
questions  the question, and how to answer; `matter`: its subject, for programs
touches    the possible next touches
board      the table, and what belongs to a seat
cards      glory cards as cards, dice, the cost of a battle
odds       the chances of a commitment
picture    the table as SVG, a battle as a scene
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

from ..rules.told import SwordsFact
from . import board, facts, questions
from .matter import matter
from .touches import touches
from .words import ORDER_WORDS, player

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from markupsafe import Markup

    from pbem.kernel import Chooser, Json, Order, View
    from pbem.look import PageTable
    from pbem.look.shown import CardRow, Rolled, Struck
    from pbem.look.touches import Touch

    from ..views import SwordsView


class SwordsLook(Look):
    """See `pbem.look.Look` for the duties of each."""

    facts = SwordsFact
    order_words = ORDER_WORDS

    def seat_name(self, seat: str) -> str:
        return player(seat)

    def fact(self, fact: Json, seat: str | None) -> str:
        return facts.Teller(seat).sentence(SwordsFact.read(fact))

    def question(self, view: View) -> str:
        return questions.question(_seen(view))

    def matter(self, view: View) -> Mapping[str, Json]:
        return matter(_seen(view))

    def asked(self, what: str) -> str:
        return _(questions.CALLED[what])

    def advice(self, view: View) -> Order | None:
        from ..bots import SensibleBot  # it thinks, which a program that only shows need not load

        return steady(SensibleBot(), view) if _seen(view).question else None

    def template(self, view: View, advice: Order | None = None) -> str:
        advice = advice or self.advice(view)
        return questions.template(_seen(view), advice, partial(self.touches, view)) if advice else ""

    def unsaid(self, view: View, text: str) -> Sequence[str]:
        return tuple(questions.unsaid(_seen(view), text)) if _seen(view).question else ()

    def touches(self, view: View, draft: Sequence[str]) -> Sequence[Touch]:
        return touches(_seen(view), draft)

    def board(self, view: View) -> str:
        return board.board(_seen(view))

    def hand(self, view: View) -> str:
        return board.hand(_seen(view))

    def cards(self, view: View) -> Sequence[CardRow]:
        from .cards import card_rows

        return tuple(card_rows(_seen(view)))

    def rolled(self, fact: Json) -> Rolled | None:
        from .cards import rolled

        return rolled(SwordsFact.read(fact))

    def struck(self, fact: Json) -> Sequence[Struck]:
        from .cards import struck

        return tuple(struck(SwordsFact.read(fact)))

    def odds(self, view: View, chooser: Chooser) -> Sequence[PageTable]:
        from .odds import odds

        return tuple(odds(_seen(view)))

    def picture(self, views: Sequence[View], facts: Sequence[Json]) -> Markup:
        from .picture import picture

        return picture([_seen(view) for view in views])

    def scene(self, views: Sequence[View]) -> Markup:
        from .picture.scene import scene

        return scene(_seen(views[0]))

    def chapter(self, fact: Json) -> Chapter | None:
        match fact["f"]:
            case "round":
                return Chapter(_("Round {round}", round=fact["round"]))
            case "battle":
                return Chapter(_("Battle in {region}", region=fact["region"]), 1)
            case "won":
                return Chapter(_("{who} wins", who=player(fact["seat"])), 1, adds=True)
        return None

    def closing(self, course: Sequence[tuple[View, Sequence[Json]]]) -> Sequence[PageTable | Markup]:
        from .closing import closing

        return closing([(_seen(view), heard) for view, heard in course])

    def tables(self, view: View) -> Sequence[PageTable]:
        return board.tables(_seen(view))

    def summary(self, facts: Sequence[Json], start: int) -> Sequence[str]:
        from .summary import summary

        return summary(facts, start)

    def result(self, result: Json) -> str:
        return facts.result(result)


def _seen(view: View) -> SwordsView:
    return cast("SwordsView", view)


LOOK: Look = SwordsLook()

__all__ = ["LOOK", "SwordsLook"]
