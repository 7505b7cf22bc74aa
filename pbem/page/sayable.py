"""What a seat may say besides its orders, as the game stands: each with what follows from it, told before it is signed.

It decides what is offered, and by the copy alone; whether it may be said in the end the desk decides, and the host.
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.errors import UsageError
from pbem.i18n import _
from pbem.kernel import Json
from pbem.ledger import waits
from pbem.player import Desk, Notes
from pbem.player.seat import Seat

from . import acts, calls


def sayings(desk: Desk, notes: Notes, at: str) -> acts.Sayings:
    """Return what may be said in a game at a moment, and to whom words can go."""
    seat = desk.seat(notes)
    begun = bool(seat.copy.tells()) and not seat.log.finished and not seat.course.seats[notes.seat].gone
    name = seat.pack.look.seat_name
    others = [calls.SeatName(seat=one, name=name(one)) for one in seat.course.seats if one != notes.seat]
    return acts.Sayings(says=tuple(_Says(seat, at).all()) if begun else (), others=tuple(others))


def check_no_draw(seat: Seat) -> None:
    """Raise UsageError where another seat's offer of a draw stands: who offers one, too, has not agreed to it."""
    if why := _draw_stands(seat):
        raise UsageError(why)


def _draw_stands(seat: Seat) -> str:
    own = seat.notes.seat
    for n, offer in seat.course.offers.items():
        if offer.act == "draw" and offer.seat != own and own not in offer.agreed:
            who = seat.pack.look.seat_name(offer.seat)
            return _("{seat} offered a draw at entry {n}, and the offer stands: agree to that one.", seat=who, n=n)
    return ""


class _Says:
    """What one seat may say at a moment."""

    def __init__(self, seat: Seat, at: str) -> None:
        self.seat, self.course, self.own, self.at = seat, seat.course, seat.notes.seat, at

    def all(self) -> Iterator[acts.Sayable]:
        yield from self._agree()
        yield self._one(
            "draw", _("Offer a draw"), _draw_means(), why_not=_draw_stands(self.seat) or self._objection("draw")
        )
        yield from self._take_back()
        yield from self._leave()
        yield from self._claim()
        yield from self._rules()
        yield self._one("resign", _("Resign"), _resign_means())

    def _agree(self) -> Iterator[acts.Sayable]:
        for n, offer in self.course.offers.items():
            if offer.seat == self.own:
                continue
            who = self.seat.pack.look.seat_name(offer.seat)
            if offer.act == "draw":
                label, means = _("Agree to the draw that {seat} offers", seat=who), _agreed_draw_means()
            else:
                label = _("Let {seat} answer question {n} anew", seat=who, n=offer.about)
                means = _(
                    "If all others agree, too, what was answered from question {n} on counts no more, and it is put again.",
                    n=offer.about,
                )
            yield self._one("agree", label, means, n, why_not=self._objection("agree", about=n))

    def _take_back(self) -> Iterator[acts.Sayable]:
        asked = [entry.n for entry in self.seat.log.entries if entry.k == "ask" and entry.fields["to"] == [self.own]]
        points = {point.n for point in self.course.back if point.seat == self.own}
        for n in sorted({*points, *asked[-1:]}, reverse=True):
            if self.course.question and n == self.course.question.n and self.own in self.course.waiting:
                continue  # it is not answered yet
            means = _(
                "You ask all others to let you answer question {n} anew. If they agree, what was answered since then counts no "
                "more. It is refused where dice fell, or something was shown, since then.",
                n=n,
            )
            yield self._one("takeback", _("Ask to answer question {n} anew", n=n), means, n)

    def _leave(self) -> Iterator[acts.Sayable]:
        left = self.course.terms.leave - self.course.seats[self.own].leave
        if self.course.terms.leave:
            means = _(
                "The hours are added to your time to answer this question, and taken off the {left} hours of leave that you "
                "have left in the whole game. They are not given back.",
                left=left,
            )
            yield self._one("leave", _("Take leave"), means, left, why_not=self._objection("leave", hours=1))

    def _claim(self) -> Iterator[acts.Sayable]:
        if self.course.terms.late == "claim" or self.course.phase == "called":
            means = _(
                "You claim the game, as the time of those who should have answered is over. If it is so by the log, the game ends "
                "against them, for good. You may as well wait for them."
            )
            yield self._one("claim", _("Claim the game"), means, why_not=self._objection("claim"))

    def _rules(self) -> Iterator[acts.Sayable]:
        rules = self.seat.pack.rules
        if rules.version > self.course.rules["ver"]:
            means = _(
                "You agree that the game goes on by version {version} of the rules of {game}, which is the one here. It does "
                "when all others agree, too; there is no way back to the version before.",
                version=rules.version,
                game=rules.title,
            )
            yield self._one("rules", _("Agree to the rules that are here"), means)

    def _one(self, what: str, label: str, means: str, number: int | None = None, why_not: str = "") -> acts.Sayable:
        return acts.Sayable.model_validate(
            {"what": what, "number": number, "label": label, "means": means, "why_not": why_not}
        )

    def _objection(self, act: str, **more: Json) -> str:
        """Why the log could not hold it now; nothing where it waits for an order that is on its way."""
        seat, course = self.seat, self.course
        say = {"act": act, "no": course.next_no(self.own), "seen": list(seat.log.head), "after": seat.after(), **more}
        return "" if waits(course, self.own, say) else seat.objection("say", say, self.at)


def _draw_means() -> str:
    return _(
        "You offer that the game ends without a winner. The offer stands until the next order is entered; if all others agree "
        "to it, the game is over."
    )


def _agreed_draw_means() -> str:
    return _("If all others agree, too, or have, the game ends without a winner: at once, and for good.")


def _resign_means() -> str:
    return _(
        "You give this game up. Once the host has it, it cannot be taken back: you are asked nothing more, and the game ends "
        "or goes on without you."
    )
