"""Orders sent ahead, as the host keeps them: until the question of their mark closes, and then used once, or not.

Each function works inside the transaction of its caller. For each seat and mark the order with the highest revision is kept. When
its question is put, it answers it, if it fits; otherwise the seat is asked. The referee decides whether it fits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

from pbem.errors import OrderError
from pbem.i18n import _
from pbem.kernel import Json, read_plans
from pbem.records import dataclass
from pbem.referee import AnswersDue, Envelope, Referee, Refused, Sent, check_ahead, receipt
from pbem.reports.text import VOIDED

from .hosted import HostedGame
from .store.rows import AheadRow, OrderRow


@dataclass(frozen=True, slots=True)
class Kept:
    """A premove that was taken: the signed envelope, the host's receipt, and, for an open question, the answer that it gives."""

    envelope: Envelope
    got: Sequence[Json]
    sent: Sent | None = None

    @property
    def answers(self) -> bool:
        """Does it answer a question that is open?"""
        return self.sent is not None

    @property
    def seat(self) -> str:
        """The seat that sent it."""
        return str(self.envelope.say["seat"])

    @property
    def mark(self) -> int:
        """The mark that it is for."""
        return int(self.envelope.say["link_n"])

    @property
    def lines(self) -> list[str]:
        """The lines of the premove; [] if it withdraws an earlier one."""
        return [line for line in str(self.envelope.openings[0][6]).split("\n") if line]


def take(game: HostedGame, referee: Referee, envelope: Envelope, at: str) -> Kept | None:
    """Keep an order sent ahead, or let it answer the open question; None where it is here already. Raises Refused, OrderError."""
    store, say = game.house.store, envelope.say
    seat, due = game.seat_of(envelope), referee.due()
    stands = game.course.seats[seat].mark
    is_open = isinstance(due, AnswersDue) and seat in due.to and referee.open_mark == stands
    check_ahead(envelope, game.history, is_open=is_open)
    if seat in referee.gone:
        raise Refused("ASK", _("You are out of this game; nothing is asked of you any more."))
    mark, order, plans = say["link_n"], str(envelope.openings[0][6]), str(envelope.openings[1][6])
    before = newest(game, seat, mark, due.ask if isinstance(due, AnswersDue) and is_open and mark == stands else 0)
    if before and before.rev >= say["rev"]:
        if before.say == say:
            return None
        why = _(
            "Revision {here} of your order for mark {mark} is here already; this one is revision {rev}. To replace it, "
            "order again: that has to be revision {next}.",
            here=before.rev, mark=mark, rev=say["rev"], next=before.rev + 1,
        )  # fmt: skip
        raise Refused("DOUBLE", why)
    read_plans(referee.game, plans)
    sent = None
    if isinstance(due, AnswersDue) and is_open and mark == stands:
        if order:
            sent = game.signed(envelope, referee.ahead(seat, order, plans), at)
            store.put("answers", ask=due.ask, **row_of(game, envelope, at))
        else:
            store.delete("answers", game=game.id, ask=due.ask, seat=seat)
    store.put("ahead", mark=mark, **row_of(game, envelope, at))
    return Kept(envelope, sent.got if sent else receipt(game.house.key, game.g, say, at), sent)


def row_of(game: HostedGame, envelope: Envelope, at: str) -> dict[str, Any]:
    """Return the columns of an order that came at that moment."""
    return {
        "game": game.id, "seat": envelope.say["seat"], "rev": envelope.say["rev"], "say": envelope.say,
        "sig": envelope.sig, "openings": envelope.openings, "at": at,
    }  # fmt: skip


def newest(game: HostedGame, seat: str, mark: int | None, ask: int) -> OrderRow | None:
    """Return the order of a seat with the highest revision, for a mark or for the open question `ask`; None if there is none."""
    kept = [row for row in game.house.store.find(AheadRow, game=game.id) if (row.mark, row.seat) == (mark, seat)]
    answer = game.answers(ask).get(seat)
    return max([*([answer] if answer else []), *kept], key=lambda row: row.rev, default=None)


def use(
    game: HostedGame,
    referee: Referee,
    due: AnswersDue,
    telling: Callable[[HostedGame, str], AbstractContextManager[None]],
) -> tuple[dict[str, Sent], dict[str, tuple[str, ...]]]:
    """Answer the question that was just put with premoves; return the answers, and the reasons why others were not used.

    `telling` switches to the language of a seat.
    """
    used: dict[str, Sent] = {}
    unused: dict[str, tuple[str, ...]] = {}
    for row in game.house.store.find(AheadRow, game=game.id):
        if row.mark != referee.open_mark:
            continue
        seat, (order, plans) = row.seat, row.texts
        if seat not in due.to or not order:
            continue
        seen = row.say["seen"][0]
        if seen < game.course.since or row.mark > game.course.most_ahead(seat, seen):
            unused[seat] = (VOIDED,)
            continue
        with telling(game, seat):
            try:
                answer = referee.ahead(seat, order, plans)
            except OrderError as error:
                unused[seat] = tuple(str(problem) for problem in error.problems)
                continue
        game.house.store.put("answers", ask=due.ask, **row_of(game, row.envelope, row.at))
        used[seat] = game.signed(row, answer, row.at)
    return used, unused
