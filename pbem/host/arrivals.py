"""How far the host has read its mail: an answer that arrived in time counts, whenever it is read.

A deadline has passed when every way in has been read past it, not when a clock says so. A way that the host polls (a folder, a
mailbox) notes until when it was read completely. To a way that receives mail (LMTP, a pipe), a mail server may bring mail kept
while the host was down. The settings say how long that may take. A clock that has leapt may be wrong. So for a while no deadline
passes, and signed mail waits.

These also stop the deadlines of the games concerned, up to a limit in the settings:
- a mail over which the program fails or dies (`stuck`),
- a seat's own mail in which nothing could be read (`unread`),
- the letter that puts a question, as long as it could not be sent.

It knows no clock: times are passed in. Its notes are in the store's `meta`:

- `read WAY`: until when a way was read;
- `read handed`: the same for received mail;
- `read clock`: until when the clock was right, while it may be wrong;
- `stood still`: until when a mail server may bring kept mail;
- `held GAME`: the held deadline, and since when.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from . import stuck, unread
from .moments import later
from .outbox import reported
from .store import SENT, WAITING, Store
from .store.rows import AnswerRow, GameRow, LetterRow, Mail

LEAP = 72
"""The number of hours between two looks beyond which the clock of a working host must have leapt."""
DOUBT = 60
"""The number of minutes for which a clock that has leapt is doubted, so that a wrong setting can be corrected."""
SLACK = 60
"""The number of seconds a server may take between recording a mail's arrival and showing it; its clock may also be behind ours."""
HANDED = "handed"
CLOCK = "clock"
LETTER = "letter "
DOOR = "door"
"""The way of a letter that was brought to the web address, by a page or a program. It arrives when it is here completely."""
CLUB_DOOR = "club "
"""So the way begins by which something comes that is for the club; the key follows that has signed the request."""
HANDED_BY = ("lmtp", "pipe")
"""Ways by which mail is handed over: it comes when it is taken."""


class Arrivals:
    """What one host has read, up to when.

    `queue` are the minutes that a mail server may keep mail after a standstill; `most` the days that a time is held at most,
    None: without a limit.
    """

    def __init__(self, store: Store, queue: int = 90, most: int | None = 7) -> None:
        self.store, self.queue, self.most = store, queue, most
        self._untried: set[str] = set()

    # -- what is read -----------------------------------------------------------------------------------------------

    def expect(self, ways: Collection[str]) -> None:
        """Wait for these ways to be read, from now on; of one that was never read nothing is known."""
        known = self._reads()
        self._untried = set(ways) - {HANDED}
        if set(known) - {CLOCK} == set(ways):
            return
        with self.store.decision():
            for way in set(ways) - set(known):
                self.store.put_note(f"read {way}", "")
            for way in set(known) - {*ways, CLOCK}:
                self.store.forget(f"read {way}")

    def tried(self, way: str) -> None:
        """Note that a way was looked into, with success or without: no time is given up before this program has tried all."""
        self._untried.discard(way)

    def was_read(self, way: str) -> bool:
        """Was a way that is looked into ever read completely?"""
        return bool(self._reads().get(way))

    def read(self, way: str, at: str) -> None:
        """Note that a way that is looked into was read completely, by a look that began at that moment."""
        self.tried(way)
        if way in self._reads():
            self.store.put_note(f"read {way}", later(at, seconds=-SLACK))

    def look(self, at: str, *, started: bool = False) -> None:
        """Note that the host is at work, and check whether its clock has leapt or it was down.

        `started`: it has just begun to work.
        """

        def look() -> None:
            before = self.clock()
            self.store.put_note("clock", at)
            if before and at < before:
                self.store.want_all()
                self._put_back(at)
            if before and at > later(before, hours=LEAP):
                self.leapt(before, at)
            elif before and at < before and (right := self._reads().get(CLOCK)) and at > later(right, hours=LEAP):
                self.leapt(before, at)  # put back, and not far enough: it is as wrong as before
            elif (leapt := self.store.note("clock leapt")) and not leapt <= at < later(leapt, minutes=DOUBT):
                self.store.forget("clock leapt", f"read {CLOCK}")
            if started and before and before < at <= later(before, hours=LEAP):
                self._hold_longer(before, at)
            if HANDED in self._reads():
                self._look_for_what_was_kept(before, at, started=started)

        self.store.in_part(None, look, alone="clock")

    def leapt(self, before: str, at: str) -> None:
        """Doubt the clock for a while, because it has leapt from one moment to another. Each leap restarts that period."""
        with self.store.decision():
            self.store.want_all()
            self.store.put_note("clock leapt", at)
            if CLOCK not in self._reads():
                self.store.put_note(f"read {CLOCK}", before)
            for game, (due, _since) in self._held().items():  # as long as nobody was at work, nobody could read
                self.store.put_note(f"held {game}", f"{due} {at}")

    def _hold_longer(self, before: str, at: str) -> None:
        """While nobody was at work nobody could read: that does not count among the days that a time is held."""
        self.store.want_all()
        stood = int((datetime.fromisoformat(at) - datetime.fromisoformat(before)).total_seconds())
        for game, (due, since) in self._held().items():
            self.store.put_note(f"held {game}", f"{due} {later(since, seconds=stood)}")

    def turned_away(self, since: str, at: str) -> None:
        """Note that mail which was handed over could not be taken: it comes again, later than it came."""
        if HANDED in (reads := self._reads()):
            with self.store.decision():
                self.store.put_note(f"read {HANDED}", min(reads[HANDED], since))
                self.store.put_note("stood still", later(at, minutes=self.queue))

    def _look_for_what_was_kept(self, before: str, at: str, *, started: bool) -> None:
        stood = bool(before) and (started or at > later(before, minutes=self.queue)) and at >= before
        until = self.store.note("stood still")
        if stood:
            if not until or until <= before:
                self.store.put_note(f"read {HANDED}", before)
            self.store.put_note("stood still", later(at, minutes=self.queue))
        elif not until or until <= at:
            self.store.forget("stood still")
            self.store.put_note(f"read {HANDED}", at)

    def _put_back(self, at: str) -> None:
        """Correct notes that were made by a wrong clock, now that the clock has been put back."""
        for way, until in self._reads().items():
            self.store.put_note(f"read {way}", min(until, at))
        # what was handed over meanwhile, and was not decided on, came now at the latest
        self.store.came_at_the_latest(at)
        if until := self.store.note("stood still"):
            self.store.put_note("stood still", min(until, later(at, minutes=self.queue)))
        for game, (due, since) in self._held().items():
            self.store.put_note(f"held {game}", f"{due} {min(since, at)}")

    # -- what is over -----------------------------------------------------------------------------------------------

    def clock(self) -> str:
        """Return when the host was last at work, or ""."""
        return self.store.note("clock")

    def in_doubt(self) -> bool:
        """May the clock be wrong?"""
        return bool(self.store.note("clock leapt"))

    def is_over(self, game: int, due: str) -> bool:
        """Has all been read that may have come to a game by that time, or was that waited for long enough?"""
        return not self.holding(game, due) or self._is_given_up(game, due)

    def holding(self, game: int, due: str) -> list[str]:
        """Return what may have arrived by that time without a decision: names of ways, `mail N` and `letter SEAT`.

        `letter SEAT` is a seat that has not been sent the question, so it cannot be late.
        """
        ways = sorted(way for way, until in self._reads().items() if until < due)
        put = self.store.put_at(game)
        mails = [
            f"mail {one.number}" for one in stuck.mails(self.store)
            if game in one.games and one.at <= due and (one.at >= put or not self._is_old(one.at))
        ]  # fmt: skip
        mails += self._undecided(game, due)
        mails += [f"mail {one.mail}" for one in unread.holding(self.store, game, due)]
        return ways + mails + [f"{LETTER}{seat}" for seat in self._not_told(game)]

    def _undecided(self, game: int, due: str) -> list[str]:
        """Mails that came by then and are stored, and on which nobody could decide so far."""
        return [
            f"mail {mail.id}"
            for mail in self.store.find(Mail, outcome="")
            if mail.at <= due
            and game in stuck.games(self.store, self.store.raw("inbox", mail.id), mail.recipient or "")
        ]

    def _not_told(self, game: int) -> list[str]:
        """Return the silent seats with a question, or a ready round, if its letter still waits in the outbox.

        One that has been sent the question holds nothing by taking no letter that comes after it.
        """
        waiting = {letter.seat for letter in self._questions(game, WAITING)}
        row = self.store.get(GameRow, id=game) if waiting else None
        if row is None:
            return []
        here = {answer.seat for answer in self.store.find(AnswerRow, game=game, ask=row.ask)}
        wanted = waiting.intersection(row.asked) - here
        sent = self._questions(game, SENT) if wanted else []
        return sorted(wanted - {letter.seat for letter in sent if reported(letter.message_id) >= (row.ask or 0)})

    def _questions(self, game: int, sent: int) -> list[LetterRow]:
        letters = self.store.find(LetterRow, game=game, sent=sent)
        return [letter for letter in letters if letter.kind in ("report", "keys")]

    def _is_old(self, at: str) -> bool:
        """Return whether a mail from that moment has held later questions for long enough. It answers an earlier question."""
        return self.most is not None and later(at, hours=24 * self.most) <= self.clock()

    def may_be_late_for_us(self, way: str, due: str, at: str) -> bool:
        """May a mail that was handed over at that moment have come to its server by `due`, and been kept since?"""
        reads = self._reads()
        return way in HANDED_BY and HANDED in reads and reads[HANDED] < due and at < self.store.note("stood still")

    def is_held_for(self, game: int, due: str, seat: str) -> bool:
        """Return whether a question is held because a mail of that seat could not be read. The seat's answers are now in time."""
        return any(one.seat == seat for one in unread.holding(self.store, game, due))

    def hold(self, game: int, due: str, at: str) -> str:
        """Note that a game's time is held; return since when."""
        known, _, since = self.store.note(f"held {game}").partition(" ")
        if known != due:
            self.store.put_note(f"held {game}", f"{due} {at}")
            return at
        return since

    def let_go(self, game: int) -> None:
        """Note that the hold on a game's deadline has ended."""
        self.store.forget(f"held {game}")

    def held(self) -> list[tuple[int, str, str, list[str]]]:
        """Return which games' times are held: game, time, since when, and what may be unread."""
        found = []
        for game, (due, since) in self._held().items():
            if self.store.due(game) != due:
                continue  # it was answered, or has more time
            if (what := self.holding(game, due)) and not self._is_given_up(game, due):
                found.append((game, due, since, what))
        return found

    def _is_given_up(self, game: int, due: str) -> bool:
        known, _, since = self.store.note(f"held {game}").partition(" ")
        if self.most is None or self.in_doubt() or self._untried:
            return False
        return self.most == 0 or (known == due and later(since, hours=24 * self.most) <= self.clock())

    # -- the store --------------------------------------------------------------------------------------------------

    def _reads(self) -> dict[str, str]:
        return self.store.notes("read ")

    def _held(self) -> dict[int, tuple[str, str]]:
        """Which time of a game is held, and since when."""
        found = {int(game): held.partition(" ") for game, held in self.store.notes("held ").items()}
        return {game: (due, since) for game, (due, _, since) in found.items()}
