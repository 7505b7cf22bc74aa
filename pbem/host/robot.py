"""The host's robot: takes mail in, decides, and puts letters into the outbox.

Raw mail is stored first. Everything that follows from it (entries, attachments, answers, snapshot, letters) is written in one
transaction, with a note that the mail has been decided. So a host that is killed continues where it stopped: nothing is lost and
nothing is done twice. Writers are identified by signatures alone; answers go to registered addresses only.

It knows no clock: every `at` is the time a mail arrived (RFC 3339, UTC), passed in.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from functools import partial
from hashlib import sha256
from pathlib import Path

from pbem.errors import UsageError, WorldError
from pbem.i18n import ENGLISH, N_, _
from pbem.ledger import Log, PrivateKey, sha256_hex
from pbem.mail.hours import ALWAYS, Hours
from pbem.referee import Refused
from pbem.referee.replaying import Shelf

from . import adopting, budgets, catching_up, doorstep, endless, mending, roster, stuck, succession
from .arrivals import HANDED_BY, LETTER, Arrivals
from .clubroom import ClubRoom
from .deciding import HELD, Decider
from .endless import TooLong, bounded, in_game
from .essence import Case
from .forwarded import Forwarded
from .hosted import HostedGame, House
from .in_order import Arrived
from .moments import later
from .play import GamesInPlay
from .post import Post
from .says import Says, extend, give_time
from .settings import ClubByMail
from .sound import damaged, log_fault
from .store import Store, is_of_the_world
from .store.keeping import Tidied, tidy
from .store.rows import GameRow, Kind, LetterRow, Mail
from .troubles import apart

DEATHS = 3
"""So often the program may have died over one mail; then a process of its own decides on it. A supervisor gives up after a few
more."""

DIES = "dies over "
"""So the notes begin of mails that are being decided on once more; their number follows."""
LATE = 60
"""The number of minutes after which an unsent letter has cost its receiver time to answer."""
GONE_BACK = N_("the database continues from an earlier moment; “pbem host catch-up”, “pbem host go-on”")
TELL = 12
"""The number of hours for which a deadline is held before the players are told."""


class Robot:
    """One host: its store, its key, its address. `tags`: mail to the address with a part after `+` comes to it as well."""

    def __init__(
        self,
        store: Store,
        key: PrivateKey,
        address: str,
        *,
        tags: bool = True,
        pictures: bool = False,
        language: str = ENGLISH,
        templates: Path | None = None,
    ) -> None:
        self.store, self.house = store, House(store, key)
        self.post = Post(self.house, address, tags=tags, pictures=pictures, language=language, templates=templates)
        self.play = GamesInPlay(self.house, self.post)
        self.says = Says(self.house, self.play)
        self.arrivals = Arrivals(store)
        self.play.clock = self.arrivals.clock
        self.decider = Decider(store, self.house, self.post, self.play, self.says, self.arrivals)
        self.decider.kept.copies = Forwarded(store, self.play, self.post)
        self.order = Arrived(store, address)
        self.new_game = partial(roster.open_game, self.post)
        self.club: ClubRoom | None = None
        """Its club by mail, where the settings have one."""
        store.place.when_gone_back = self._stand_still
        self.elsewhere: Callable[[int], bool] = self._decided_here
        """Decides on a mail over which the program has died, so that this process lives; did it come to an end?"""

    def open_club(self, rules: ClubByMail) -> None:
        """Let people join by mail, and open games by themselves."""
        self.club = self.decider.club = ClubRoom(self.post, rules)

    # -- games begin and end ----------------------------------------------------------------------------------------

    def invite(self, number: int, seat: str, at: str, address: str = "") -> None:
        """Withdraw the invitation to a seat of a game that has not begun, and send another. Raises UsageError."""
        with self.store.decision():
            roster.invite_again(self.house.game(number), seat, self.post, at, address)

    def replace(self, number: int, seat: str, address: str, at: str, language: str = "") -> None:
        """Invite somebody to the seat of a player who has vanished. Raises UsageError if no player has."""
        with self.store.decision():
            game = self.house.game(number)
            due = game.course.due
            if due and due < at and not self.arrivals.is_over(number, due):
                why = _("What came in time may be unread ({what}): nobody is late yet.", what=self._unread(number, due))
                raise UsageError(why)
            succession.invite(self.house.game(number), seat, address, self.post, at, language)

    def confirm(self, number: int, seat: str, key: str, at: str) -> None:
        """Confirm a newcomer's key, compared with him, so that the others are asked. Raises UsageError."""
        with self.store.decision():
            succession.confirm(self.house.game(number), seat, key, self.post, at)

    def adopt(
        self,
        copies: Log,
        players: Mapping[str, str],
        title: str,
        at: str,
        clock: Hours = ALWAYS,
        languages: Mapping[str, str] | None = None,
        shelf: Shelf | None = None,
    ) -> int:
        """Take over a game from its players' copies after its host has vanished, and ask them all; return its number here.

        `title`, `clock` and `languages`, which are in no log, are as with `new_game`. `shelf` has the rules of other versions, for
        moves played by them. Raises UsageError or RecordError if the copies do not suffice.
        """
        with self.store.decision():
            manners = adopting.Manners(title, clock, languages or {})
            return adopting.adopt(self.house, self.post, copies, players, manners, at, shelf or {})

    def hold(self, at: str, why: str) -> list[int]:
        """Suspend all running games, and ask their players for their copies; return the numbers of all paused games."""
        with self.store.decision():
            for number in self.store.game_numbers():
                catching_up.hold(self.house.game(number), self.post, at, why)
        return catching_up.standing_still(self.store)

    def _stand_still(self) -> None:
        """Suspend all games because the database continues from an earlier moment, as if restored from a backup."""
        self.house.already_read.clear()
        at = max([self.arrivals.clock(), *self.store.last_moment()])
        for number in self.store.game_numbers():
            catching_up.hold(self.house.game(number), self.post, at, _(GONE_BACK))

    def catch_up_with(
        self, copy: Log, at: str, players: dict[str, str] | None = None, title: str = ""
    ) -> tuple[int, str]:
        """Write the further lines of a copy of this host's game again. Return the game's number, and why that is not possible, or
        "".

        `players` are the addresses of the seats of a game that is not here at all. Raises UsageError.
        """
        with self.store.decision():
            here = self.store.number_of(copy.game)
            number = here or catching_up.begin_again(self.house, copy, players or {}, title, at)
            game = self.house.game(number)
            if not here:
                catching_up.hold(game, self.post, at, _("it was opened after the backup"))
            if not game.stands_still:
                raise UsageError(_("Game {number} is not paused: no part of it is missing.", number=number))
            found = catching_up.read_copy(game, copy.dump())
            catching_up.keep_copy(game, f"file {sha256_hex(found.dump())}", found)
            return number, catching_up.write_again(self.play, number, at)

    def go_on(self, number: int, at: str) -> None:
        """Continue a paused game as it is here. Raises UsageError if it is not paused."""
        with self.store.decision():
            if not self.house.game(number).stands_still:
                raise UsageError(_("Game {number} is not paused.", number=number))
            catching_up.go_on(self.play, number, at)
        self.catch_up()

    def mend(
        self, number: int, given: mending.SpareLog, at: str, shelf: Shelf, *, stand_still: bool = False
    ) -> mending.Mended:
        """Restore the log of a game that is damaged here or missing, in full or not at all. Raises UsageError or RecordError."""
        with self.store.decision():
            for one in [one.number for one in stuck.mails(self.store) if number in one.games]:
                stuck.change(self.store, one, next=at)  # what hindered it is put right
            return mending.mend(self.play, number, given, at, shelf, stand_still=stand_still)

    def cancel(self, number: int, at: str) -> None:
        """Call off a game that has not begun, and tell those who were invited. Raises UsageError."""
        with self.store.decision():
            roster.call_off(self.house.game(number), self.post, at)

    def tidy(self, before: str) -> Tidied:
        """Throw away the bytes of mail that belongs to games which were over before that time; return what went."""
        return tidy(self.store, before)

    def tick(self, at: str) -> int:
        """Close every question past its deadline, with the default of each silent seat, and remind the others.

        Return the number of closed questions.

        A deadline has passed when all mail that may have come in time has been read (`arrivals`); until then the question is held.
        Mail that is stored but undecided is decided first.
        """
        self.arrivals.look(at)
        self.catch_up()
        doorstep.back_to_mail(self.house, self.post, at)
        if self.arrivals.in_doubt():
            return 0
        still = catching_up.standing_still(self.store)
        closed = set[int]()

        def close(number: int) -> None:
            due = self.store.due(number)
            if not due or due >= at:
                return  # another program of this host was quicker
            if self.arrivals.is_over(number, due):
                self.arrivals.let_go(number)
                if self.play.expire(self.house.game(number), at):
                    closed.add(number)
                self.says.enter_waiting(number, at)
            elif give_time(self.play, number, due, self.arrivals.most, at):
                return
            elif later(self.arrivals.hold(number, due, at), hours=TELL) <= at and self._unread(number, due):
                self._tell_of_the_hold(number, at)

        over = [number for number, _due in self.store.overdue(at) if number not in still]
        for skip in (True, False):  # what others are at is looked at once more in the end
            over = [
                number for number in over
                if not in_game(self.store, number, f"game {number}", at, partial(close, number), skip=skip)
            ]  # fmt: skip
        self.play.deadlines.remind(at, self.arrivals.is_over)
        self._pay_receipts(at)
        self.decider.kept.forget(at)
        if self.club is not None:
            with apart(self.store, "club", at):
                self.club.tick(at)
        return len(closed)

    def _pay_receipts(self, at: str) -> None:
        """Send the receipts that were not written, for orders that still wait, where there is room again."""
        budgets.forget_old(self.store, at)
        for number, seat in list(budgets.owed(self.store)):
            game = self.house.game(number)
            order = game.order_here(seat) if game.stage == "playing" else None
            if order is None:
                budgets.paid(self.store, number, seat)
            elif budgets.left(self.store, "receipt", game.seats[seat].address, at) != 0:
                with self.store.decision():
                    budgets.paid(self.store, number, seat)
                    self.post.receipt(game, seat, at, order)

    def _tell_of_the_hold(self, number: int, at: str) -> None:
        """Tell the players of a game, once, why its question is not closed."""
        game = self.house.game(number)
        due = str(game.row.due)
        for seat in game.seats:
            if seat not in game.course.gone:
                self.post.held(game, seat, at, due, self._unread(number, due), self.arrivals.most)

    def _unread(self, number: int, due: str) -> str:
        return ", ".join(what for what in self.arrivals.holding(number, due) if not what.startswith(LETTER))

    def must_wait(self, number: int, now: str) -> bool:
        """Would a letter, a row of the outbox, give a question more time, while the clock that says so may be wrong?"""
        return self.arrivals.in_doubt() and self._told_late(number, now) is not None

    def handed_over(self, number: int, now: str) -> None:
        """Restore the time that a question or a ready round has lost because its letter, a row of the outbox, was sent only now."""
        if (game := self._told_late(number, now)) is None:
            return
        until = self.play.deadlines.due(game, tuple(game.waiting()), now)
        if until >= later(str(game.course.due), minutes=LATE):
            with suppress(Refused):
                extend(self.play, game, until, _("a letter could not be sent before"), now)

    def _told_late(self, number: int, now: str) -> HostedGame | None:
        """Return the game of a letter that waited here for long with an open question or call, if its seat has no other letter with
        it."""
        letter = self.store.get(LetterRow, id=number)
        if letter is None or letter.kind not in ("report", "keys") or later(letter.at, minutes=LATE) > now:
            return None
        game = self.house.game(letter.game or 0)
        if not game.course.due or game.stands_still or letter.seat not in game.waiting():
            return None
        if letter.kind == "keys" and game.course.phase != "called":
            return None
        return None if self.post.has_told(game, letter.seat, number) else game

    # -- mail -------------------------------------------------------------------------------------------------------

    def take(self, raw: bytes, at: str, way: str = "", sender: str | None = None, recipient: str | None = None) -> str:
        """Store a mail and decide on it; return the decision in a few words. A mail taken before is a duplicate.

        `way` names the way in; `sender` and `recipient` are those of its envelope, None if the way does not tell them.
        """
        if way in HANDED_BY:
            self.arrivals.look(at)
        number = self.keep(raw, at, way, sender, recipient)
        if first := self.order.before(number):
            self.catch_up(only=first)  # what came first is decided first: it may have been in time
        return self.decide(number)

    def keep(self, raw: bytes, at: str, way: str = "", sender: str | None = None, recipient: str | None = None) -> int:
        """Store a mail, to be decided on; return its number. Nothing is read in it yet."""
        return self.store.keep_mail(
            sha256=sha256(raw).hexdigest(), essence="", said="", at=at, door=way,
            sender=_storable(sender), recipient=_storable(recipient), outcome="", raw=raw,
        )  # fmt: skip

    def catch_up(self, stopped: Callable[[], bool] = lambda: False, only: Collection[int] = ()) -> int:
        """Decide on every stored mail that is undecided, as after a crash, or that waited, until `stopped`; return their number.

        Mails are decided in order of arrival. A mail in the hands of another program of this host is passed over, and so are the
        mails that must follow it. For the mails in `only`, it waits instead. A mail that has killed the program repeatedly (as
        when its memory is full) would kill every start. So a separate process decides on it.
        """
        self._let_go_on()
        left = [mail for mail in self.store.undecided() if not only or mail.id in only]
        under_way = self.order.nothing()
        died = {one.number for one in stuck.mails(self.store) if one.died}
        for mail in left:
            if stopped():
                break
            if not only and (under_way.concerns(mail.id) or not self.store.is_free("inbox", mail.id)):
                under_way.add(mail.id)
                continue
            name = f"{DIES}{mail.id}"
            if mail.id in died or self._deaths(name) >= DEATHS:
                if self._decide_elsewhere(mail.id):
                    self.store.forget(name)
                continue
            try:
                self.decide(mail.id)
            finally:  # it has not died
                with suppress(WorldError):
                    self.store.forget(name)
        return len(left)

    def _let_go_on(self) -> None:
        """Release waiting mail if its game continues, its deadline is settled, or its next try is due."""
        still = catching_up.standing_still(self.store)
        for mail in self.store.find(Mail, outcome=catching_up.WAITS):
            if mail.game not in still:
                self.store.ask_again(mail.id, Kind.WAITS)
        for mail in [] if self.arrivals.in_doubt() else self.store.find(Mail, outcome=HELD):
            game = int(mail.game or 0)
            due = self.store.due(game)
            if not due or mail.at <= due or self.arrivals.is_over(game, due):
                self.store.ask_again(mail.id, Kind.WAITS)
        for name in self.store.notes(DIES):  # whoever counted that has died, and another has decided
            counted = self.store.get(Mail, id=int(name))
            if counted is None or counted.outcome:
                self.store.forget(f"{DIES}{name}")
        clock = self.arrivals.clock()
        for one in stuck.mails(self.store):
            if one.is_due(clock):
                self._try_again(one)

    def _try_again(self, one: stuck.Stuck) -> str:
        """Retry a mail that is stuck; return the decision."""
        self.store.ask_again(one.number, Kind.FAILED)
        return self._decide_elsewhere(one.number) if one.died else self.decide(one.number)

    def _decide_elsewhere(self, number: int) -> str:
        """Let another process decide on a mail; return the decision."""
        return self._given_up(number, "the program died over it, time and again", ended=self.elsewhere(number))

    def _given_up(self, number: int, why: str, *, ended: bool = False) -> str:
        """Note that a mail cannot be decided on now, unless it is; return the decision."""
        with self.store.decision():
            mail = self.store.get(Mail, id=number)
            if mail is None:
                return "duplicate"
            if mail.outcome or ended:  # where it is still undecided, the store could not be used
                return mail.outcome
            self.store.change("inbox", number, outcome=f"failed: {why}")
            stuck.note(self.store, number, why, self.arrivals.clock(), died=True)
        return f"failed: {why}"

    def _decided_here(self, number: int) -> bool:
        self.decide(number)
        return True

    def _deaths(self, name: str) -> int:
        """Count, before a mail is decided on once more, how often it has been begun without coming to an end."""

        def count() -> int:
            deaths = int(self.store.note(name) or 0)
            self.store.put_note(name, str(deaths + 1))
            return deaths

        return self.store.in_part(None, count, alone="deaths")

    def decide(self, number: int) -> str:
        """Decide on a stored mail; return the decision in a few words."""
        try:
            with bounded():
                game = self.order.game_of(number)
                if game is None:
                    with self.store.decision():
                        return self._decide(number)
                return self.store.in_part(game, lambda: self._decide(number))
        except TooLong:
            return self._given_up(number, endless.why())

    def _decide(self, number: int) -> str:
        if self.club is not None:
            self.club.said_at_door()  # what an earlier letter was answered is for nobody but who brought that
        mail = self.store.claimed_mail(number)
        if mail is None:  # another program of this host was quicker, and found it to be one taken before
            return "duplicate"
        if mail.outcome:
            return mail.outcome
        case = None
        try:
            case = self.order.case(mail)
            if self._is_here(case):
                self.store.delete("inbox", id=number)
                stuck.forget(self.store, number)
                return "duplicate"
            with self.store.decision():
                outcome = self.decider.outcome(case)
        except Exception as error:
            if is_of_the_world(error):
                raise
            # one mail over which the program stumbles must not stop the host
            logs = [
                damaged(row, why)
                for game in stuck.games(self.store, self.store.raw("inbox", number), mail.recipient or "")
                if (row := self.store.get(GameRow, id=game)) and (why := log_fault(self.store, row))
            ]
            outcome = f"failed: {' '.join(logs) or f'{type(error).__name__}: {error}'}"
            stuck.note(self.store, number, outcome.removeprefix("failed: "), self.arrivals.clock())
        else:
            stuck.forget(self.store, number)
        kept = _is_needed(outcome) or (case is not None and case.kept)
        self.store.change("inbox", number, outcome=outcome, **({} if kept else {"raw": b""}))
        return outcome

    def _is_here(self, case: Case) -> bool:
        """Has this mail been taken before? If not, it is known from now on."""
        for known in self.store.find(Mail, essence=case.digest):
            if known.id == case.number:
                continue
            if case.at < known.at and (Kind.WAITS.is_of(known.outcome) or Kind.FAILED.is_of(known.outcome)):
                self.store.change("inbox", known.id, at=case.at)  # it came earlier, by another way that is read later
                stuck.change(self.store, known.id, at=case.at)
            return True
        self.store.change("inbox", case.number, essence=case.digest)
        return False

    def retry(self) -> list[str]:
        """Retry now every mail over which the program failed or died; return the decisions."""
        failed = {mail.id for mail in self.store.failed()}
        return [self._try_again(one) for one in stuck.mails(self.store) if one.number in failed]


def _storable(address: str | None) -> str | None:
    """Return an envelope's address in a form that the store can keep: a stranger's may contain bytes that are not text."""
    return address if address is None else address.encode("utf-8", "replace").decode()


def _is_needed(outcome: str) -> bool:
    """Return whether the bytes of a mail are needed again.

    Of other mails, the log has the signed part, and their marks identify repetitions.
    """
    return Kind.FAILED.is_of(outcome) or outcome in (catching_up.WAITS, HELD)
