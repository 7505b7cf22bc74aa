"""How Hammer of the Scots is shown to people (ring 3): views and facts in, words out; never a state.

==================  =============================================================================
words               the words they share: sides, blocks, dice
facts               what happened, except in battles and winter
battle_facts        battles, round by round
winter_facts        the Winter Turn
board               the board, the nobles, the hand
cards               the hand as cards, dice, and the blocks that are hit
odds                the chances in a battle
tables              the same board for a page, in tables
summary             battles in short, and the results of a turn, a year, the game
seen                the enemy's blocks as seen so far
questions           the question, in the rule book's terms; `matter`: its subject, for programs
offering            order lines to copy and edit
homes               nobles who wait for a choice of home
choices             the numbered answers of a question
unsaid              what an order means beyond its lines
touches             the possible next touches while an order is made
terminal            the map with the position on it, in characters
map                 the map with the position on it, as SVG, and the current battle
closing             how a game went, for its end
==================  =============================================================================
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import cast

from markupsafe import Markup

from pbem.games.bot import steady
from pbem.i18n import _
from pbem.kernel import Chooser, Json, Order, View
from pbem.look import Chapter, Look, PageTable, Span
from pbem.look.pieces import SaidBeside
from pbem.look.shown import Afterwards, CardRow, Rolled, Struck
from pbem.look.touches import Touch

from ..rules.told import HammerFact
from ..views import HammerView
from . import battle_facts, facts, offering, questions, summary, winter_facts
from .board import board, hand
from .matter import matter
from .seen import seen
from .tables import tables
from .words import ORDER_WORDS, capital, the

ASKS = questions.SAYS
"""Every question -> its text."""


class _Beside(SaidBeside):
    def __init__(self, view: View) -> None:
        from .pieces import conditions, pieces

        self.pieces, self.conditions = pieces(_seen(view)), conditions(_seen(view))


class HammerLook(Look):
    """See `pbem.look.Look` for the duties of each."""

    facts = HammerFact
    order_words = ORDER_WORDS
    beside = _Beside

    def seat_name(self, seat: str) -> str:
        return the(seat)

    def fact(self, fact: Json, seat: str | None) -> str:
        read = HammerFact.read(fact)
        said = (part.sentence(read) for part in (facts, battle_facts, winter_facts))
        return capital(next(text for text in said if text is not None))

    def story(self, told: Sequence[tuple[Json, str]]) -> Sequence[str]:
        return summary.story(told)

    def summary(self, facts: Sequence[Json], start: int) -> Sequence[str]:
        return summary.summary(facts, start)

    def question(self, view: View) -> str:
        seen = _seen(view)
        return "\n".join(ASKS[seen.ask["what"]](seen, seen.ask)) if seen.ask else ""

    def about(self, view: View) -> str:
        ask = _seen(view).ask
        return questions.about(_seen(view), ask) if ask else ""

    def matter(self, view: View) -> Mapping[str, Json]:
        return matter(_seen(view))

    def asked(self, what: str) -> str:
        return _(questions.CALLED[what])

    def advice(self, view: View) -> Order | None:
        from ..bots import SensibleBot  # it thinks, which a program that only shows need not load

        return steady(SensibleBot(), view) if _seen(view).ask else None

    def template(self, view: View, advice: Order | None = None) -> str:
        advice = advice or self.advice(view)
        return offering.template(_seen(view), advice, partial(self.touches, view)) if advice else ""

    def unsaid(self, view: View, text: str) -> Sequence[str]:
        from .unsaid import unsaid

        return tuple(unsaid(_seen(view), text)) if _seen(view).ask else ()

    def afterwards(self, view: View, after: View, text: str) -> Afterwards:
        from .unsaid import afterwards, in_winter, stays

        now, then = _seen(view), _seen(after)
        return Afterwards(tuple(afterwards(now, then, text)), stays(now, then), in_winter(now, then, text))

    def choices(self, view: View) -> Sequence[tuple[Order, str, str]]:
        from .choices import choices

        return choices(_seen(view))

    def offered(self, view: View) -> str:
        from .. import GAME

        ask = _seen(view).ask
        return str(GAME.default(view)) if ask and ask["what"] == "battle action" else ""

    def board(self, view: View) -> str:
        return board(_seen(view))

    def hand(self, view: View) -> str:
        return hand(_seen(view))

    def brief_hand(self, view: View) -> str:
        return hand(_seen(view), pool=False)

    def cards(self, view: View) -> Sequence[CardRow]:
        from .cards import card_rows

        return tuple(card_rows(_seen(view)))

    def rolled(self, fact: Json) -> Rolled | None:
        from .cards import rolled

        return rolled(HammerFact.read(fact))

    def struck(self, fact: Json) -> Sequence[Struck]:
        from .cards import struck

        return tuple(struck(HammerFact.read(fact)))

    def odds(self, view: View, chooser: Chooser) -> Sequence[PageTable]:
        from .odds import odds

        return tuple(odds(_seen(view), chooser))

    def terminal(self, view: View) -> Sequence[Sequence[Span]]:
        from .terminal import terminal

        return terminal(_seen(view))

    def touches(self, view: View, draft: Sequence[str]) -> Sequence[Touch]:
        from .touches import touches

        return touches(_seen(view), draft)

    def picture(self, views: Sequence[View], facts: Sequence[Json]) -> Markup:
        from .map import picture

        return picture([_seen(view) for view in views], facts)

    def chapter(self, fact: Json) -> Chapter | None:
        return facts.chapter(fact)

    def scene(self, views: Sequence[View]) -> Markup:
        from .map.fight import fight

        return fight([_seen(view) for view in views])

    def closing(self, course: Sequence[tuple[View, Sequence[Json]]]) -> Sequence[PageTable | Markup]:
        from .closing import closing

        return closing([(_seen(view), facts) for view, facts in course])

    def tables(self, view: View) -> Sequence[PageTable]:
        return tables(_seen(view))

    def seen(self, view: View, facts: Sequence[Json]) -> PageTable | None:
        return seen(_seen(view), facts)

    def result(self, result: Json) -> str:
        return facts.result(result["why"], result["winner"])


def _seen(view: View) -> HammerView:
    return cast("HammerView", view)


LOOK: Look = HammerLook()

__all__ = ["ASKS", "LOOK", "HammerLook"]
