"""How the games of a desk stand, for one who wants to know what there is to do: whose turn it is, since when, what waits."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pbem.records import dataclass

if TYPE_CHECKING:
    from pbem.kernel import Json
    from pbem.ledger import Course, Log

    from .notes import Notes
    from .tray import Tray

State = Literal["joining", "ready", "mine", "answered", "others", "over", "gone", "lost"]


@dataclass(frozen=True, slots=True)
class Overview:
    """One game: what it waits for, whom, since when, until when; and the letters of its player that did not arrive yet.

    `state` is “joining” (seats are being taken), “ready” (all say that they are), “mine” (this player is to answer), “answered”
    (he has, as far as his desk knows), “others”, “over”, “gone” (he plays it no more) or “lost” (its log is not here). `waiting`
    are letters in `out/`, `missed` those that left and that the host has not confirmed. `friend` is with whom it is played without
    a host, `owed` what he owes besides, `zone` the clock by which moments are told.
    """

    game: str
    title: str
    seat: str
    state: State
    seats: tuple[str, ...]
    since: str
    due: str
    waiting: tuple[Path, ...]
    missed: tuple[Path, ...] = ()
    friend: str | None = None
    zone: str = ""
    owed: str = ""

    def to_json(self) -> Json:
        """Return it for a program."""
        return {
            "game": self.game,
            "title": self.title,
            "seat": self.seat,
            "state": self.state,
            "waits_for": list(self.seats),
            "since": self.since,
            "due": self.due,
            "unsent": [path.name for path in self.waiting],
            "without_receipt": [path.name for path in self.missed],
            **({} if self.friend is None else {"friend": self.friend}),
        }


def overview(notes: Notes, log: Log, course: Course, tray: Tray) -> Overview:
    """Return how a game with a host stands, by its copy and the letters on the desk."""
    state: State
    seats, since = course.waiting, course.question.at if course.question else ""
    if log.finished:
        state, seats = "over", ()
    elif course.seats[notes.seat].gone:
        state = "gone"
    elif course.phase == "roster":
        mine = notes.seat if tray.written(notes, "join") else ""  # his own is taken, once its letter is written
        state, seats = "joining", tuple(seat for seat, held in course.seats.items() if not held.key and seat != mine)
    elif course.phase in ("ready", "called"):
        mine = notes.seat if tray.said_ready(notes) else ""
        state, seats = "ready", tuple(seat for seat in course.missing if seat != mine)
        since = course.call.at if course.call else course.clock
    elif notes.seat not in seats:
        state = "others"
    else:
        state = "answered" if course.question and str(course.question.n) in notes.revisions else "mine"
    return Overview(
        game=notes.game,
        title=notes.title,
        seat=notes.seat,
        state=state,
        seats=seats,
        since=since or course.clock,
        due=course.due if seats else "",
        waiting=tuple(tray.lying(notes)),
        missed=tuple(tray.missed(notes)),
        zone=notes.zone,
    )
