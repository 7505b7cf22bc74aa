"""What may be said in a game besides orders, as a call of the page's gives it; what it is, and means, the desk says."""

from __future__ import annotations

from pbem.player import Desk, Notes
from pbem.player.sayable import sayings as of_seat

from . import acts, calls


def sayings(desk: Desk, notes: Notes, at: str) -> acts.Sayings:
    """Return what may be said in a game at a moment, and to whom words can go."""
    seat = desk.seat(notes)
    says = tuple(acts.Sayable.model_validate(saying._asdict()) for saying in of_seat(seat, at))
    name = seat.pack.look.seat_name
    others = [calls.SeatName(seat=one, name=name(one)) for one in seat.course.seats if one != notes.seat]
    return acts.Sayings(says=says, others=tuple(others))
