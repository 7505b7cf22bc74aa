"""The state of a desk's games, to show the pending work: the seat to move, since when, and the waiting letters."""

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
    """One game: its state, whom it waits for, since when and until when, and which of the player's letters have not arrived yet.

    `state` is “joining” (seats are being taken), “ready” (players confirm that they are ready), “mine” (this player must answer),
    “answered” (this player has answered, by the desk's notes), “others”, “over”, “gone” (this player has left) or “lost” (its log
    is not here). `waiting` lists letters in `out/`. `missed` lists letters that left and that the host has not confirmed. `friend`
    is the partner in a game without a host. `owed` describes what the friend still owes. `zone` is the time zone for the times
    shown.
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

    @property
    def holds_up(self) -> bool:
        """Is the player's own part done, and only its letter not sent yet?"""
        return (
            self.state in ("answered", "others", "joining", "ready")
            and self.seat not in self.seats
            and any(path.stem.split(".")[1] in ("two", "order", "join", "ready") for path in self.waiting)
        )

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


def overview(notes: Notes, log: Log, course: Course, tray: Tray, by_host: tuple[str, ...]) -> Overview:
    """Return the state of a game with a host, by its copy and the letters on the desk.

    Of the seats `by_host` the host itself says that they are ready.
    """
    state: State = "others"
    seats, since = course.waiting, course.question.at if course.question else ""
    if log.finished:
        state, seats = "over", ()
    elif course.seats[notes.seat].gone:
        state = "gone"
    elif course.phase == "roster":
        # his own is taken, once its letter is written
        state, seats = (
            "joining",
            tuple(
                seat
                for seat, held in course.seats.items()
                if not held.key and (seat != notes.seat or not tray.written(notes, "join"))
            ),
        )
    elif course.phase in ("ready", "called"):
        mine = (notes.seat,) if tray.said_ready(notes) else ()
        state, seats = "ready", tuple(seat for seat in course.missing if seat not in (*by_host, *mine))
        since = course.call.at if course.call else course.clock
    elif notes.seat in seats:
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
