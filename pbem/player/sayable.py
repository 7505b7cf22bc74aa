"""The statements, other than orders, that a seat may make now; each comes with its consequences, shown before it is signed.

This module decides what to offer, from the copy alone. The desk and the host decide in the end whether a statement is allowed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from pbem.errors import UsageError
from pbem.i18n import _
from pbem.ledger import TAKEBACK, waits

from .meanings import leave_left, meaning

if TYPE_CHECKING:
    from pbem.kernel import Json

    from .seat import Seat


class Saying(NamedTuple):
    """What may be said: under which name, with which number, and what follows from it."""

    what: str
    number: int | None
    """The number that goes with the statement unchanged; for a leave, its maximum in hours."""
    label: str
    means: str
    why_not: str
    """Why it cannot be said now; "" where it can."""


def sayings(seat: Seat, at: str) -> tuple[Saying, ...]:
    """Return what may be said in a game at a moment; nothing before it begins, and once it is over for this seat."""
    begun = bool(seat.copy.tells()) and not seat.log.finished and not seat.course.seats[seat.notes.seat].gone
    return tuple(_Says(seat, at).all()) if begun else ()


def check_no_draw(seat: Seat) -> None:
    """Check that no other seat has offered a draw, because offering one too would not accept it. Raises UsageError."""
    if why := _draw_stands(seat):
        raise UsageError(why)


def _draw_stands(seat: Seat) -> str:
    own = seat.notes.seat
    for n, offer in seat.course.offers.items():
        if offer.act == "draw" and offer.seat != own and own not in offer.agreed:
            return _(
                "{seat} offered a draw at entry {n}, and the offer is still open. Agree to that one (“pbem "
"say agree {n}”).",
                seat=seat.pack.look.seat_name(offer.seat), n=n,
            )  # fmt: skip
    return ""


class _Says:
    """What one seat may say at a moment."""

    def __init__(self, seat: Seat, at: str) -> None:
        self.seat, self.course, self.own, self.at = seat, seat.course, seat.notes.seat, at

    def all(self) -> Iterator[Saying]:
        yield from self._agree()
        yield self._one("draw", _("Offer a draw"), why_not=_draw_stands(self.seat) or self._objection("draw"))
        yield from self._take_back()
        if self.course.terms.leave:
            yield self._one("leave", _("Take leave"), leave_left(self.seat), self._objection("leave", hours=1))
        if self.course.terms.late == "claim" or self.course.phase == "called":
            yield self._one("claim", _("Claim the game"), why_not=self._objection("claim"))
        if self.seat.pack.rules.version > self.course.rules["ver"]:
            yield self._one("rules", _("Agree to the rules that are here"))
        yield self._one("resign", _("Resign"))

    def _agree(self) -> Iterator[Saying]:
        for n, offer in self.course.offers.items():
            if offer.seat == self.own:
                continue
            who = self.seat.pack.look.seat_name(offer.seat)
            label = _("Let {seat} answer question {n} again", seat=who, n=offer.about)
            if offer.act == "draw":
                label = _("Agree to the draw that {seat} offers", seat=who)
            yield self._one("agree", label, n, self._objection("agree", about=n))

    def _take_back(self) -> Iterator[Saying]:
        asked = [entry.n for entry in self.seat.log.entries if entry.k == "ask" and entry.fields["to"] == [self.own]]
        points = {point.n for point in self.course.back if point.seat == self.own}
        for n in sorted({*points, *asked[-1:]}, reverse=True):
            if self.course.question and n == self.course.question.n and self.own in self.course.waiting:
                continue  # it is not answered yet
            yield self._one(TAKEBACK, _("Ask to answer question {n} again", n=n), n)

    def _one(self, what: str, label: str, number: int | None = None, why_not: str = "") -> Saying:
        return Saying(what, number, label, meaning(self.seat, what, number), why_not)

    def _objection(self, act: str, **more: Json) -> str:
        """Why the log could not hold it now; nothing where it waits for an order that is on its way."""
        seat, course = self.seat, self.course
        say = {"act": act, "no": course.next_no(self.own), "seen": list(seat.log.head), "after": seat.after(), **more}
        return "" if waits(course, self.own, say) else seat.objection("say", say, self.at)
