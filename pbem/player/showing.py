"""A report, a page or a picture of a game for its player, made only from the seat's copy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.errors import UsageError
from pbem.i18n import _
from pbem.kernel import Fit, choose
from pbem.reports.reckoned import Reckoned, render
from pbem.reports.report import Report
from pbem.reports.text import VOIDED

from .copy import sense

if TYPE_CHECKING:
    from pbem.games import GamePack

    from .seat import Seat


def report(seat: Seat, since: int) -> str:
    """Return a seat's report from its copy: the news after entry `since`, and the game's state."""
    made, pack = material(seat, since)
    with sense():
        return render(Reckoned(made, pack))


def page(seat: Seat, since: int) -> str:
    """Return the same report as a self-contained HTML page."""
    from pbem.reports.html import page as as_page

    made, pack = material(seat, since)
    with sense():
        return as_page(Reckoned(made, pack))


def material(seat: Seat, since: int) -> tuple[Report, GamePack]:
    """Return the data of a seat's report, and the game. Raises UsageError before anything has been told."""
    tells, course = seat.copy.tells(), seat.course
    if not tells:
        raise UsageError(_("The game has not begun: nothing has been told yet."))
    last = seat.log.entries[-1]
    made = Report(
        game_id=seat.notes.game,
        seat=seat.notes.seat,
        view=tells[-1].view,
        told=tuple(tell.facts for tell in tells if tell.n > since),
        asked=course.waiting,
        entry=last.n,
        head=last.hash,
        due=course.due if course.waiting else "",
        result=last.fields["result"] if last.k == "end" else None,
        earlier=tuple(fact for tell in tells if tell.n <= since for fact in tell.facts),
        complete=True,
        unused=_unused(seat),
        zone=seat.notes.zone or "UTC",
        clock=course.clock,
        marked=bool(course.question and course.question.mark),
    )
    return made, seat.pack


def _unused(seat: Seat) -> tuple[str, ...]:
    """Return why a premove does not answer the open question; empty without a premove."""
    course = seat.course
    asked = seat.notes.seat in course.waiting and course.question
    sent = seat.notes.sent_ahead((asked.mark or None) if asked else None)
    if not sent.text:
        return ()
    if sent.seen < course.since:
        return (VOIDED,)
    view = seat.view
    with sense():
        found = choose(seat.pack.rules, view, sent.text)
    if isinstance(found, Fit):
        return (
            _(
                "It fits: {line}. If the host has sent you a receipt for it, it should have been used.",
                line=found.line,
            ),
        )
    return tuple(map(str, found))
