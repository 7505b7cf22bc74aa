"""The data that all forms of a report share. A text, a mail and a page are made from it, and it calls the game only once.

Each part is computed when first needed, and kept while the report is made: board, tables and drawing are the most expensive parts.
It knows only the report and its game.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pbem.i18n import _

from .answering import answered_by, others, why_asked
from .choices import Listing, choices, default_number, numbered
from .report import Report, Ways
from .story import lead, new_of, summed, tells_the_board
from .text import VOIDED, Item, environment, fact_text, groups, items, listed, result_text, set_out

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

    from pbem.games.pack import GamePack
    from pbem.kernel import View
    from pbem.look import PageTable


class Reckoned:
    """A report, and the game's texts on it, in the language of the moment when its forms are made."""

    def __init__(self, report: Report, pack: GamePack) -> None:
        self.report, self.pack, self.look = report, pack, pack.look
        self.mine = report.seat in report.asked
        """Is something asked of the seat that reads it?"""

    @cached_property
    def view(self) -> View:
        """The view as the game reads it."""
        return self.report.typed(self.pack)

    @cached_property
    def question(self) -> str:
        """The seat's question; "" if there is none."""
        return self.look.question(self.view) if self.mine else ""

    @cached_property
    def about(self) -> str:
        """The question in a few words, for the subject of a mail; "" if there is none."""
        return self.look.about(self.view) if self.mine else ""

    @cached_property
    def over(self) -> str:
        """How the game ended, in a sentence; "" while it is unfinished."""
        if self.report.result is None:
            return ""
        again = (
            _("Reply AGAIN to play once more, with the seats changed.") if (self.report.ways or Ways()).again else ""
        )
        return f"{result_text(self.report.result, self.pack)} {again}".rstrip()

    @cached_property
    def is_whole(self) -> bool:
        """Does it tell the board in words?"""
        return tells_the_board(self.report, self.pack)

    @cached_property
    def choices(self) -> Listing:
        """The numbered answers."""
        return choices(self.pack, self.view) if self.mine else Listing()

    @cached_property
    def parts(self) -> dict[str, Any]:
        """The parts with the same words in every form: the seat, the question, the other asked seats, ways to answer, and
        the head."""
        report, name = self.report, self.look.seat_name
        question, details = lead(self.question)
        return {
            "seat": name(report.seat) if report.seat else "",
            "over": self.over,
            "mine": self.mine,
            "others": [name(seat) for seat in report.asked if seat != report.seat],
            "question": question,
            "details": details,
            "summed": summed(report, self.pack),
            "head": groups(report.head),
            "reply": report.reply,
            "register": (report.register[0] + 1, groups(report.register[1])) if report.register else (),
            "ways": self._ways() if self.mine else (),
        }

    def _ways(self) -> Sequence[str]:
        """Return how to answer the question, in sentences: what you can also type, how to send it, and the consequence of
        silence."""
        report, listed_ = self.report, self.choices
        more = others(self.pack, self.view, listed_) if listed_ else ""
        forced = len(listed_) == 1 and not more
        said = (
            [
                why_asked(
                    self.pack,
                    marked=report.marked,
                    due=bool(report.due),
                    by_reply=bool(report.ways and report.ways.by_reply),
                )
            ]
            if forced
            else more.split("\n")
        )
        silent = 0 if forced and not report.marked else default_number(self.pack, self.view, listed_) if listed_ else 0
        return tuple(
            filter(
                None, [*said, *(answered_by(self.pack, self.view, listed_, report.ways, silent) if report.ways else ())]
            )
        )

    @cached_property
    def happened(self) -> Sequence[Item]:
        """The story of all facts told since the last report."""
        report = self.report
        texts = [(fact, fact_text(fact, report.seat or None, self.pack)) for facts in report.told for fact in facts]
        told = items(self.look.story(texts))
        return told or ([Item(self.over)] if report.ends_untold and self.over else [])

    @cached_property
    def board(self) -> str:
        """The board in plain text."""
        return self.look.board(self.view)

    @cached_property
    def tables(self) -> Sequence[PageTable]:
        """The board as tables; none where the text is all there is."""
        return self.look.tables(self.view)

    @cached_property
    def hand(self) -> str:
        """What the seat alone has before it."""
        return self.look.hand(self.view) if self.is_whole else self.look.brief_hand(self.view)

    @cached_property
    def seen(self) -> PageTable | None:
        """The others' hidden pieces that the seat has seen, all or only new ones; None if its earlier facts are incomplete."""
        report = self.report
        before = self.look.seen(self.view, report.earlier) if report.complete and not self.is_whole else None
        now = self.look.seen(self.view, report.heard()) if report.complete else None  # after it, which it continues
        return now if now is None or self.is_whole else new_of(now, before)

    @cached_property
    def picture(self) -> Markup:
        """The drawing of the position as SVG, empty from a game that has none."""
        return self.look.picture([self.view], self.report.heard())


def render(made: Reckoned, env: Environment | None = None) -> str:
    """Return the report's text: lines of at most 72 columns, ending in LF; `env` can have other templates than pbem's own."""
    report, seen = made.report, made.seen
    return (
        (env or environment())
        .get_template("report.txt.j2")
        .render(
            **made.parts,
            game=made.pack.rules.title,
            due=report.until,
            choices=numbered(made.choices),
            happened=listed(made.happened),
            board=made.board if made.is_whole else "",
            hand=made.hand,
            seen=set_out(seen) if seen else "",
            entry=report.entry,
            game_id=report.game_id[:8],
            by_plan=report.by_plan,
            ends_untold=report.ends_untold,
            unused=[_(why) if why == VOIDED else why for why in report.unused] if made.mine else (),
        )
    )


def brief(made: Reckoned) -> str:
    """Return the report in two lines, for players who want short mails: its subject, the deadline, and where to find the rest."""
    until = _("Answer by {due}.", due=made.report.until) + " " if made.mine and made.report.until else ""
    if made.report.result is not None:
        said = made.over
    elif made.mine:
        said = _("Your move: {about}.", about=made.about) if made.about else _("Your move.")
    else:
        said = _("Nothing is asked of you now.")
    whole = _("The whole report: let pbem read this mail.")
    return f"{said}\n{until}{whole}\n"
