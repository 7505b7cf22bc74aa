"""A player's instructions in advance in a game of two: plans and premoves, kept only on the player's own desk.

This module decides which instruction answers the open question, as the referee does in hosted games, and why one does not. It uses
only what the seat sees, and signs nothing: nobody learns of an instruction before it becomes an ordinary answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pbem.errors import UsageError
from pbem.i18n import _
from pbem.kernel import (
    Fit,
    Planning,
    SendingAhead,
    choose,
    next_marks,
    read_ahead,
    read_lines,
    read_plans,
    take_apart,
    typed,
)
from pbem.ledger import REACH

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.kernel import Json
    from pbem.referee.pair import PairPlay

    from .notes import PairNotes
    from .table import PairTable

MOST = 1_000
"""The maximum number of questions of one turn that plans may answer; after that the player is asked."""


class Advance(NamedTuple):
    """The parsed extras of an order: its plans ("" if it has none), and its premoves by mark; "" takes back a premove."""

    order: str
    plans: str
    ahead: dict[int, str]

    @property
    def lines(self) -> list[str]:
        """The lines that say it, canonical."""
        sent = [line for mark, text in self.ahead.items() for line in typed(mark, text)]
        return [*(f"PLAN {line}" for line in self.plans.splitlines()), *sent]


def is_ahead_alone(text: str) -> bool:
    """Does a text send orders ahead, and answer nothing now?"""
    sheet = take_apart(text)
    return bool(sheet.ahead) and not read_lines(sheet.order)


def read_advance(notes: PairNotes, play: PairPlay, text: str, plans: str = "") -> Advance:
    """Read the lines of an order and what goes along with it; `plans` are those of a file. Raises OrderError, UsageError."""
    sheet = take_apart(text)
    own = "\n".join(filter(None, (sheet.plans, plans)))
    planned = read_plans(play.game, own) if own else notes.plans
    return Advance(sheet.order, planned, _read_ahead(play, sheet.ahead) if sheet.ahead else {})


def _read_ahead(play: PairPlay, text: str) -> dict[int, str]:
    marks = marks_ahead(play)
    if not marks and isinstance(play.game, SendingAhead):
        raise UsageError(_("Nothing can be sent ahead: the game is over."))
    view = play.view if play.question is not None else play.game.own_view(play.shown)
    return read_ahead(play.game, view, marks, text)


def marks_ahead(play: PairPlay) -> dict[str, int]:
    """Return the marks for which orders may be sent ahead now, by the names of their questions."""
    if play.result is not None:
        return {}
    (mark, what), ask = play.marked, play.question
    if ask is not None and ask.mark:
        mark, what = mark + 1, ask.what
    return next_marks(play.game, mark, what, REACH)


def keep_ahead(notes: PairNotes, play: PairPlay, said: Advance) -> None:
    """Keep new premoves, which replace earlier ones for the same questions; forget those already answered."""
    for mark, text in said.ahead.items():
        notes.ahead.pop(str(mark), None)
        if text:
            notes.ahead[str(mark)] = [text, said.plans]
    notes.ahead = {mark: sent for mark, sent in notes.ahead.items() if int(mark) > play.marked[0]}


def answer_for(notes: PairNotes, play: PairPlay) -> str | None:
    """Return the answer that the player gave in advance to the open question, and note its use; None if the player must decide."""
    ask = play.question
    if ask is None or sum(n == play.course.head[0] + 1 for n, _heard, _fact in notes.spoken) >= MOST:
        return None
    found = _sent_ahead(notes, play) if ask.mark else _planned(notes, play)
    if not isinstance(found, tuple):
        return None
    kind, order, clause = found
    if kind == "ahead":
        notes.along = notes.ahead.pop(str(play.marked[0] + 1))[1]
    notes.spoken.append(
        [
            play.course.head[0] + 1,
            len(play.news),
            {"f": kind, "seat": play.seat, "what": ask.what, "order": order, "clause": clause},
        ]
    )
    return order


def why_silent(notes: PairNotes, play: PairPlay) -> tuple[str, ...]:
    """Return why nothing given in advance answers the open question; empty if nothing was given for it."""
    if play.question is None:
        return ()
    found = _sent_ahead(notes, play) if play.question.mark else _planned(notes, play)
    return tuple(found) if isinstance(found, list) else ()


def _sent_ahead(notes: PairNotes, play: PairPlay) -> tuple[str, str, str] | list[str]:
    text, _plans = notes.ahead.get(str(play.marked[0] + 1), ("", ""))
    found = choose(play.game, play.view, text) if text else ()
    return ("ahead", str(found.order), found.line) if isinstance(found, Fit) else [str(one) for one in found]


def _planned(notes: PairNotes, play: PairPlay) -> tuple[str, str, str] | list[str]:
    game, view = play.game, play.view
    planned = game.planned(view, notes.along) if notes.along and isinstance(game, Planning) else None
    if planned is None:
        return []
    if refusal := game.why_not(view, planned.order):
        return [
            _("Your plan would answer {order}, which is not legal now: {why}.", order=planned.order, why=refusal.why)
        ]
    return "plan", str(planned.order), planned.clause


def heard_with(notes: PairNotes, play: PairPlay, since: int = 0, spoken: int = 0) -> Iterator[tuple[int, Json]]:
    """Yield what the player heard after the first facts, and the answers given for the player in between, each with its entry.

    `since` facts and `spoken` of these answers were already shown.
    """
    answers = notes.spoken[spoken:]
    for at, told in enumerate(play.news[since:], since):
        while answers and answers[0][1] <= at:
            n, _heard, fact = answers.pop(0)
            yield n, fact
        yield told
    yield from ((n, fact) for n, _heard, fact in answers)


def told_shown(table: PairTable, notes: PairNotes) -> str:
    """Say whether the plans are pledged in battles, and what that means; "" in a game without any."""
    if not table.knowing.has_contests:
        return ""
    if notes.shows:
        return _(
            "Your plans are shown: in each battle that they speak of they answer at once, if your friend's are shown as well. "
            "“pbem plan --kept” keeps them to yourself."
        )
    return _(
        "Nobody but you sees your plans. With “pbem plan --shown” they answer at once in battles, if your friend shows his as "
        "well: such a battle takes about two letters."
    )


def unmet(table: PairTable, notes: PairNotes, play: PairPlay) -> str:
    """Return the battle for which the friend has pledged his plans behind what he signed last, if this player pledges none."""
    if notes.shows:
        return ""
    last = next(entry.n for entry in reversed(table.entries) if entry.fields["by"] != notes.seat)
    found = [fact for n, fact in play.news if n > last and fact["f"] == "pledge" and fact["seat"] == notes.seat]
    return str(found[-1]["about"]) if found else ""


def told_waiting(notes: PairNotes) -> list[str]:
    """Return lines that describe the plans and premoves that wait here; empty without any."""
    lines = [f"  PLAN {line}" for line in notes.along.splitlines()]
    said = [_("Of your last order these plans hold:"), *lines] if lines else []
    sent = [f"  {line}" for mark, (text, _plans) in notes.ahead.items() for line in typed(int(mark), text)]
    return [*said, *([_("You have sent ahead:"), *sent] if sent else [])]
