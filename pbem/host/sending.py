"""Letters go out: one after the other, by one program of a host at a time, or, from a database, those to one address.

A letter that could not be handed over waits, longer each time; one that is refused for good is kept as failed. Letters to one
address go in their order. It decides nothing of what a letter says, and knows no clock: times are handed in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pbem.errors import LeftOver, NotTaken, UsageError, WorldError
from pbem.i18n import _, _n
from pbem.mail import Carrier, Maildir, carrier
from pbem.mail.maildir import MaildirCarrier
from pbem.mail.signing import signed

from . import built_in, locks
from .locks import writable
from .moments import later
from .outbox import lay_aside
from .robot import Robot
from .senders import Senders
from .settings import Settings
from .store import FAILED, SENT, WAITING
from .store.rows import LetterRow
from .troubles import apart

WAITS = (1, 2, 5, 10, 20, 40, 60, 120, 240)
"""The minutes that a letter waits after its first, second … failed try; the last value repeats."""

_SPARED = 3
"""The number of letters in a row at which a server may hang up before it counts as down, if it has done so before."""

SENDING = "sending"
"""The lock file of the sender: only the program that has this lock sends letters from this folder."""
CLAIMS = "letters to"
"""The claim on an address in the store: only the program that has it sends letters there."""


def _waits_still(letter: LetterRow, now: str) -> bool:
    """Return whether a letter must still wait. A wait beyond the maximum was set by a clock that has been put back since."""
    return now < letter.not_before <= later(now, minutes=WAITS[-1])


class Sending:
    """What goes out of one host's folder."""

    def __init__(self, folder: Path, settings: Settings, robot: Robot) -> None:
        self.folder, self.settings, self.robot, self.store = folder, settings, robot, robot.store
        self.senders = Senders(self.store, settings.address)
        self._carrier: Carrier | None = None
        self._waits = False
        self._carried: set[int] = set()
        """Letters that were handed over, and of which the store does not know it yet."""

    # -- letter by letter -------------------------------------------------------------------------------------------

    def send(self, now: str, stopped: Callable[[], bool] = lambda: False) -> list[str]:
        """Hand over the letters that are due, until `stopped`; return the failures, in sentences.

        A letter that was handed over before a crash, but not noted, is sent again: it is the same mail, with the same Message-ID.
        """
        troubles: list[str] = []
        spared = _SPARED
        late: set[str] = (
            set()
        )  # addresses with a letter that waits: none overtakes it, as it may build on what that one tells
        with self.alone(), self.store.claims(CLAIMS) as claim:
            self.store.in_part(None, self.store.lay_receipts_aside)
            waiting = self.store.find(LetterRow, order="id", sent=WAITING)
            for place, letter in enumerate(waiting):
                if not letter.attempts and _waits_still(letter, now):
                    continue  # a receipt that waits for a report: it builds on nothing, so others go before it
                if _waits_still(letter, now) or letter.address in late or self.robot.must_wait(letter.id, now):
                    late.add(letter.address)
                    continue
                if not claim(letter.address.lower()):  # another program of this host sends what goes there
                    late.add(letter.address)
                    continue
                if not self._still_waits(letter.id):
                    continue
                try:
                    if letter.id not in self._carried:  # else the store could not take note of it
                        self._carry(letter, now)
                except NotTaken as error:
                    troubles.append(self._not_taken(letter, error, now))
                    late |= set() if error.for_good else {letter.address}
                except (WorldError, UsageError) as error:
                    if isinstance(error, LeftOver) and letter.attempts and spared and not stopped():
                        spared -= 1  # it may be this one letter, and keep all others back for ever
                        troubles.append(self._none_taken([letter], error, now))
                        late.add(letter.address)
                        continue
                    mine = [one for one in waiting[place:] if claim(one.address.lower())]
                    troubles.append(self._none_taken(mine, error, now))
                    break
                else:
                    spared = _SPARED
                    self._note_that_it_went(letter, now)
                if stopped():
                    break
        return troubles

    def _still_waits(self, number: int) -> bool:
        """Has nobody sent a letter since it was seen waiting?"""
        letter = self.store.get(LetterRow, id=number)
        return letter is not None and letter.sent == WAITING

    def _note_that_it_went(self, letter: LetterRow, now: str) -> None:
        """Note that a letter was handed over. Raises WorldError if the store fails, which is not the fault of the way out."""

        def note() -> None:  # in one: who dies between the two would not give the time
            lay_aside(self.store, letter.id)
            with apart(self.store, f"letter {letter.id}", now):
                self.robot.handed_over(letter.id, now)

        self.store.in_part(letter.game, note)
        self._carried.discard(letter.id)

    def _carry(self, letter: LetterRow, now: str) -> None:
        """Send a letter with its intended sender; if that may be the reason for a refusal, with the plain address."""
        plain, raw = self.settings.address, self.store.raw("outbox", letter.id)
        if seat := built_in.folder_for(self.robot.house, self.folder, letter):
            try:
                Maildir(seat / "in").deliver(raw)
            except WorldError as error:  # of that folder alone
                raise NotTaken(str(error), for_good=False) from error
            self._carried.add(letter.id)
            return
        if (dkim := self.settings.out.dkim) is not None:
            raw = signed(raw, dkim, plain, self.folder)
        known, refusal = self.senders.of(letter.sender, now), ""
        try:
            with self._far_away():
                self.way_out().carry(known, letter.address, raw)
        except NotTaken as error:
            if not error.by_sender or known == plain:
                raise
            with self._far_away():
                self.way_out().carry(plain, letter.address, raw)
            refusal = str(error)
        self._carried.add(letter.id)
        if refusal or known == letter.sender != plain:
            self.senders.note(letter.sender, refusal, now)

    def send_again(self) -> int:
        """Let all letters that wait go with the next `send`, those that were refused for good too; return how many."""
        letters = self.store.letters_in_trouble()
        with self.store.decision():
            for letter in letters:
                self.store.change("outbox", letter.id, sent=WAITING, not_before="")
        return len(letters)

    def _not_taken(self, letter: LetterRow, error: NotTaken, now: str) -> str:
        """Note that a letter was not taken, and say so."""
        self._not_sent([letter], error, now, for_good=error.for_good)
        told = {"address": letter.address, "why": str(error)}
        if error.for_good:
            return _("A letter to {address} was refused for good: {why}", **told)
        return _("A letter to {address} waits for another try: {why}", **told)

    def _none_taken(self, letters: list[LetterRow], error: WorldError | UsageError, now: str) -> str:
        """Note that no letter can be sent now, and say how many due letters wait."""
        due = [letter for letter in letters if not _waits_still(letter, now)]
        self._not_sent(due, error, now, for_good=False)
        return _n(
            "{n} letter waits for another try: {why}",
            "{n} letters wait for another try: {why}",
            len(due),
            why=str(error),
        )

    def _not_sent(self, letters: list[LetterRow], error: Exception, now: str, *, for_good: bool) -> None:
        def note() -> None:
            for letter in filter(lambda one: self._still_waits(one.id), letters):
                attempts = letter.attempts + 1
                self.store.change(
                    "outbox",
                    letter.id,
                    sent=FAILED if for_good else WAITING,
                    attempts=attempts,
                    not_before=later(now, minutes=WAITS[min(attempts, len(WAITS)) - 1]),
                    last_error=str(error),
                )

        self.store.in_part(None, note)

    # -- one program at a time --------------------------------------------------------------------------------------

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Let no other program of this host send from this folder at the same time. Raises WorldError."""
        with writable(self.folder):
            while (lock := locks.alone(self.folder / SENDING, wait=1)) is None:
                pass
        try:
            yield
        finally:
            lock.close()

    def sweep(self, before: float) -> int:
        """Throw away what a program began to write into players' folders before a moment and never ended; return how many.

        While another program of this host sends nothing is thrown away: by a clock that has jumped, what it is writing at this
        moment began long ago.
        """
        way = self.settings.out.way
        if not isinstance(way, str):
            return 0
        with (
            suppress(OSError),
            locks.at_once(self.folder / SENDING) as alone,
            self.store.unclaimed(CLAIMS) as unclaimed,
        ):
            return MaildirCarrier(way, self.folder).sweep(before) if alone and unclaimed else 0
        return 0

    # -- the way out ------------------------------------------------------------------------------------------------

    def way_out(self) -> Carrier:
        """Return the way out that the settings name; it is opened when it is used first."""
        if self._carrier is None:
            sent = self.store.get(LetterRow, sent=SENT) is not None
            self._carrier = carrier(self.settings.out.way, self.folder, make=not sent)
        return self._carrier

    def hang_up(self) -> None:
        """Take leave of the mail server; the next letter calls again."""
        if self._carrier is not None:
            carrier, self._carrier = self._carrier, None
            with suppress(WorldError), self._far_away():
                carrier.close()

    @contextmanager
    def _far_away(self) -> Iterator[None]:
        """Talk to a server, for which nothing here has to be finished first."""
        self._waits = True
        try:
            yield
        finally:
            self._waits = False

    def leave_server(self) -> None:
        """Called from a signal: where the program waits for the answer of a mail server, raise WorldError there.

        A letter that was on its way waits for another try, under the same Message-ID.
        """
        if self._waits:
            self._waits = False
            raise WorldError(_("The host is being stopped."))
