"""The time of open questions: their deadlines and reminders.

A question is promised to be open for a number of hours that count for each seat asked, by its own clock. Grace is added. The log's
`due` includes it, so everything that PROTOCOL ties to `due` (a skip, a claim, the worth of a receipt) waits for it. A seat that
has only one legal answer is not reminded and is never late.

`robot.tick` closes a question: `arrivals.is_over` says whether its deadline has passed, and `play.expire` takes the defaults.

Reminders are scheduled when a question is put or its time changes. They wait in the store until `remind` finds that they are due.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial

from pbem.mail.hours import awake, halfway, latest
from pbem.referee import AnswersDue, Referee

from .endless import in_game
from .hosted import HostedGame, House
from .moments import later
from .post import Post
from .store.rows import Reminder

LEAST = 3
"""The minimum number of hours before the deadline for a reminder; a later one is not sent."""
AGAIN = 6
"""The number of hours before checking again whether a seat that was late itself has answered, and may claim."""
HALF, OVER, CLAIM = "half", "over", "claim"
"""Half of the time is over; the whole time is, and grace runs; another seat is late and the game may be claimed."""


class Deadlines:
    """The deadlines in all games of one host."""

    def __init__(self, house: House, post: Post) -> None:
        self.house, self.post = house, post

    def due(self, game: HostedGame, to: tuple[str, ...], at: str) -> str:
        """Return until when these seats may answer a question put at that moment, or be ready, including grace."""
        terms = game.course.terms
        return latest(at, terms.hours + terms.grace, [game.clock(seat) for seat in to])

    def lay(self, game: HostedGame, referee: Referee, at: str) -> None:
        """Note the time promised to the seats that are asked, or called to be ready, and schedule their reminders.

        Call this before the game's row is changed: a row with another `due` means that more time was given.
        """
        course = game.course
        called = course.call if course.phase == "called" else None
        open_ = referee.due()
        n = called.n if called else open_.ask if isinstance(open_, AnswersDue) else 0
        to = course.missing if called else open_.to if isinstance(open_, AnswersDue) else ()
        if not to or not course.due:
            self._forget(game)
            game.change_pace(promised="", forced=())
            return
        start = max(at, game.row.at)
        if n != game.row.ask:
            promised = min(latest(start, course.terms.hours, [game.clock(seat) for seat in to]), course.due)
        elif course.due != game.row.due:
            more = datetime.fromisoformat(course.due) - datetime.fromisoformat(game.row.due)
            promised = later(game.pace.promised, seconds=int(more.total_seconds()))
        elif not called:
            return
        else:
            promised = game.pace.promised
        # 5: the one answer to a marked question nobody takes for a seat
        free = () if called or referee.open_mark else to
        forced = tuple(seat for seat in free if not referee.has_choice(seat))
        game.change_pace(promised=promised, forced=forced)
        self._forget(game)
        here = {} if called else game.answers(n)
        for seat in to:
            if seat not in forced and seat not in here:
                self._lay_for(game, seat, n, course.due, start)
        if set(to) - set(forced):
            for seat in self._may_claim(game, referee):
                self._put(game, seat, CLAIM, n, awake(course.due, game.clock(seat)))

    @staticmethod
    def _may_claim(game: HostedGame, referee: Referee) -> list[str]:
        """The seats that may claim the game when the time is over: in a call all but those who made it."""
        call, there = game.course.call, [seat for seat in game.seats if seat not in referee.gone]
        if game.course.phase == "called" and call:
            return [seat for seat in there if seat not in (*call.makers, *game.course.missing)]
        return there if game.claims else []

    def _lay_for(self, game: HostedGame, seat: str, ask: int, due: str, at: str) -> None:
        promised, clock = game.pace.promised, game.clock(seat)
        half, over = halfway(at, promised, clock), awake(promised, clock)
        if half <= later(promised, hours=-LEAST):
            self._put(game, seat, HALF, ask, half)
        if over < due or game.claims or game.course.phase == "called":
            self._put(game, seat, OVER, ask, over)

    def _put(self, game: HostedGame, seat: str, kind: str, ask: int, at: str) -> None:
        self.house.store.put("reminders", game=game.id, seat=seat, kind=kind, ask=ask, at=at)

    def _forget(self, game: HostedGame) -> None:
        self.house.store.delete("reminders", game=game.id)

    def remind(self, at: str, is_over: Callable[[int, str], bool] = lambda *_: True) -> int:
        """Send the reminders that are due; return their number. `is_over` says whether a game's time is over. Until then, nobody is
        told that the game may be claimed.
        """
        store, sent = self.house.store, list[bool]()

        def remind(row: Reminder) -> None:
            if store.get(Reminder, game=row.game, seat=row.seat, kind=row.kind) != row:
                return  # another program of this host was quicker, or the question has another time by now
            due = store.due(row.game)
            if row.kind != CLAIM or not due or is_over(row.game, due):
                sent.append(self._remind(row, at))

        for row in store.reminders_until(at):
            in_game(store, row.game, f"reminding in game {row.game}", at, partial(remind, row))
        return sum(sent)

    def _remind(self, row: Reminder, at: str) -> bool:
        """Send one reminder if there is still cause; one that comes late into quiet hours waits for their end."""
        game, kind, seat = self.house.game(row.game), row.kind, row.seat
        if (later_on := awake(at, game.clock(seat))) > at:
            self.house.store.change("reminders", (game.id, seat, kind), at=later_on)
            return False
        silent = game.waiting()
        # Who is silent himself may claim once he has answered, be it late.
        if kind == CLAIM and seat in silent and game.row.ask == row.ask:
            self.house.store.change("reminders", (game.id, seat, kind), at=later(at, hours=AGAIN))
            return False
        self.house.store.delete("reminders", game=game.id, seat=seat, kind=kind)
        late = [other for other in silent if other not in game.pace.forced]
        if game.stage != "playing" or game.stands_still or game.behind or game.row.ask != row.ask:
            return False
        if kind == CLAIM:
            wanted = bool(late) and seat not in silent and seat not in game.course.gone
        else:
            wanted = seat in silent and (kind == OVER or at < game.pace.promised)
        if wanted:
            self.post.reminder(game, seat, at, kind, late)
        return wanted
