"""The host's robot: takes mail in, decides, and lays letters in the outbox.

Raw mail is stored first. What follows from it (entries, attachments, answers, snapshot, letters) is written in one
transaction with the note that it has been decided: a host that is killed goes on where it stood, nothing is lost and
nothing done twice. Who wrote is told by signatures alone; answers go to registered addresses only.

It knows no clock: every `at` is the time a mail arrived (RFC 3339, UTC), handed in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from pbem.errors import FormError, FullWanted, OrderError, PbemError, PlayerError, UsageError, WorldError
from pbem.i18n import ENGLISH, _, speaking
from pbem.kernel import Json
from pbem.ledger import ADDRESS, COPY, POST, PRESS, REQUEST, SAY, TIME, Log, PrivateKey, cj, sha256_hex, verify_sig
from pbem.mail import Incoming, Short, ahead_lines, read_block, read_message
from pbem.mail.hours import ALWAYS, Hours
from pbem.mail.robots import OF_OURS
from pbem.referee import (
    Envelope,
    Refused,
)
from pbem.referee.replaying import Shelf

from . import adopting, catching_up, mails, moves, press, requests, roster, short, stuck, succession
from .about import game_of
from .arrivals import DOOR, HANDED_BY, LETTER, Arrivals
from .bounces import lift_mark, take_bounce
from .essence import as_read, mark, reading
from .hosted import HostedGame, House, signed_lines
from .outbox import TooMany, later
from .play import GamesInPlay, came_in_time
from .post import Post
from .says import ACTS, Says, extend
from .store import Store, is_of_the_world
from .store.keeping import STAGE, Wanted, overview, status, tidy
from .store.rows import Kind, LetterRow, Mail, SeatRow
from .tongues import language_of, understood
from .troubles import apart, matter

DEATHS = 3
"""So often the program may have died over one mail; then a process of its own decides on it. A supervisor gives up after a few
more."""

LATE = 60
"""A letter that could not be sent for so many minutes has taken time from who is to answer it."""
TELL = 12
"""A deadline is held for so many hours until the players are told."""

EVIDENCE = 5
"""So many mails of a seat that show another history are kept."""

HELD = "waits: mail that came in time may be unread"
"""What is noted on mail that came when a time was over, as long as not all is read that may have come before; and while the clock
is in doubt."""
_MOVES_NOTHING = ("refused", "ignored", "duplicate")
ANSWERS = ("order", "ahead", "ready")
BESIDES = ("address", "time", "press", "resend", "copy", "post")
"""What is signed besides the game: no time has to be over for it, and none ends by it."""


@dataclass(slots=True)
class Case:
    """A mail to be decided on: its number in the inbox, what can be read in it, its mark, when and how it came; its game, once
    known."""

    number: int
    mail: Incoming
    digest: str
    at: str
    way: str = ""
    game: int | None = None
    kept: bool = False
    """Are its bytes kept as evidence?"""

    @classmethod
    def of(cls, row: Mail, raw: bytes, own: str) -> Case:
        """Return the case that a row of the inbox makes, with the mail's bytes: a function of what was stored."""
        mail = read_message(raw, own=own, envelope=row.sender, recipient=row.recipient)
        return cls(row.id, as_read(mail), mark(raw, mail), row.at, row.door)


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
        self.elsewhere: Callable[[int], bool] = self._decided_here
        """Decides on a mail over which the program has died, so that this process lives; did it come to an end?"""

    # -- games begin and end ----------------------------------------------------------------------------------------

    new_game = roster.open_game

    def invite(self, number: int, seat: str, at: str, address: str = "") -> None:
        """Withdraw the invitation to a seat of a game that has not begun, and send another. Raises UsageError."""
        with self.store.decision():
            roster.invite_again(self.house.game(number), seat, self.post, at, address)

    def replace(self, number: int, seat: str, address: str, at: str, language: str = "") -> None:
        """Invite somebody to the seat of a player who has vanished. Raises UsageError where nobody has."""
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
        """Take over a game whose host has vanished, from its players' copies, and ask them all; return its number here.

        What stands in no log is said anew: `title`, `clock` and `languages` are as with `new_game`.
        On the shelf are rules of other versions, for what was played by them.
        Raises UsageError or RecordError where nobody can go on from them.
        """
        with self.store.decision():
            manners = adopting.Manners(title, clock, languages or {})
            return adopting.adopt(self.house, self.post, copies, players, manners, at, shelf or {})

    def hold(self, at: str, why: str) -> list[int]:
        """Let all games stand still that are on, and ask their players for their copies; return their numbers."""
        with self.store.decision():
            for number in self.store.game_numbers():
                catching_up.hold(self.house.game(number), self.post, at, why)
        return catching_up.standing_still(self.store)

    def catch_up_with(
        self, copy: Log, at: str, players: dict[str, str] | None = None, title: str = ""
    ) -> tuple[int, str]:
        """Write again what a copy of a game of this host holds further; return its number, and why that cannot be, or "".

        `players` are the addresses of the seats of a game that is not here at all. Raises UsageError.
        """
        with self.store.decision():
            here = self.store.number_of(copy.game)
            number = here or catching_up.begin_again(self.house, copy, players or {}, title, at)
            game = self.house.game(number)
            if not here:
                catching_up.hold(game, self.post, at, _("it was opened after the backup"))
            if not game.stands_still:
                raise UsageError(_("Game {number} does not stand still: nothing of it is missed.", number=number))
            found = catching_up.read_copy(game, copy.dump())
            catching_up.keep_copy(game, f"file {sha256_hex(found.dump())}", found)
            return number, catching_up.write_again(self.play, number, at)

    def go_on(self, number: int, at: str) -> None:
        """Let a game go on that stands still, as it stands here. Raises UsageError where it does not stand still."""
        with self.store.decision():
            if not self.house.game(number).stands_still:
                raise UsageError(_("Game {number} does not stand still.", number=number))
            catching_up.go_on(self.play, number, at)
        self.catch_up()

    def cancel(self, number: int, at: str) -> None:
        """Call off a game that has not begun, and tell those who were invited. Raises UsageError."""
        with self.store.decision():
            roster.call_off(self.house.game(number), self.post, at)

    def overview(self, wanted: Wanted | None = None) -> list[dict[str, Json]]:
        """Return a row for each game, or for those wanted: number, id, game, title, stage, entry, waiting, due, last."""
        return overview(self.store, wanted or Wanted())

    def status(self) -> dict[str, Json]:
        """Return how the host stands: games by stage, mail in and out, addresses that take none."""
        return status(self.store)

    def tidy(self, before: str) -> dict[str, Json]:
        """Throw away the bytes of mail that belongs to games which were over before that time; return what went."""
        return tidy(self.store, before)

    def export(self, number: int) -> bytes:
        """Return the whole log of a game, with everything the host holds, ending where his signature covers it."""
        return self.house.game(number).exported().dump()

    def tick(self, at: str) -> int:
        """Close every question whose time is over, with the default of each silent seat, and remind those whose time runs.

        Return how many were closed.

        A time is over when all has been read that may have come in it (`arrivals`): else the question is held. Mail that was
        stored and not decided comes first.
        """
        self.arrivals.look(at)
        self.catch_up()
        if self.arrivals.in_doubt():
            return 0
        still = catching_up.standing_still(self.store)
        closed = 0
        for number, due in self.store.overdue(at):
            if number in still:
                continue
            with apart(self.store, f"game {number}", at):
                if self.arrivals.is_over(number, due):
                    self.arrivals.let_go(number)
                    closed += self.play.expire(self.house.game(number), at)
                    self.says.enter_waiting(self.house.game(number), at)
                elif later(self.arrivals.hold(number, due, at), hours=TELL) <= at and self._unread(number, due):
                    self._tell_of_the_hold(number, at)
        self.play.deadlines.remind(at, self.arrivals.is_over)
        return closed

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
        """Give the time anew that a question or a call has lost where the letter with it, a row of the outbox, went only now."""
        if (game := self._told_late(number, now)) is None:
            return
        until = self.play.deadlines.due(game, tuple(game.waiting()), now)
        if until >= later(str(game.course.due), minutes=LATE):
            with suppress(Refused):
                extend(self.play, game, until, _("a letter could not be sent before"), now)

    def _told_late(self, number: int, now: str) -> HostedGame | None:
        """The game whose open question or call a letter puts that lay here for long, if its seat knows of it by no other."""
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
        """Store a mail and decide on it; return what was decided, in a few words. A mail taken before is a duplicate.

        `way` names the way in by which it came; `sender` and `recipient` are those of its envelope, None where that tells none.
        """
        if way in HANDED_BY:
            self.arrivals.look(at)
        number = self.keep(raw, at, way, sender, recipient)
        if any(mail.id < number for mail in self.store.undecided()):
            self.catch_up()  # what came first is decided first: it may have been in time
        return self.decide(number)

    def keep(self, raw: bytes, at: str, way: str = "", sender: str | None = None, recipient: str | None = None) -> int:
        """Store a mail, to be decided on; return its number. Nothing is read in it yet."""
        with self.store.decision():
            return self.store.insert(
                "inbox", sha256=sha256(raw).hexdigest(), essence="", said="", at=at, door=way,
                sender=_storable(sender), recipient=_storable(recipient), outcome="", raw=raw,
            )  # fmt: skip

    def catch_up(self, stopped: Callable[[], bool] = lambda: False) -> int:
        """Decide on every mail that was stored but not decided, as after a crash, or that waited, until `stopped`; return how many.

        What came first comes first. A mail over which the program has died time and again (not by an error, but as when its
        memory is full) would be met by every start: a process of its own decides on it.
        """
        self._let_go_on()
        left = self.store.undecided()
        died = {one.number for one in stuck.mails(self.store) if one.died}
        for mail in left:
            if stopped():
                break
            name = f"dies over {mail.id}"
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
        """Let mail that waited be decided on: its game goes on, its time is over or still runs, its next try has come."""
        still = catching_up.standing_still(self.store)
        for mail in self.store.find(Mail, outcome=catching_up.WAITS):
            if mail.game not in still:
                self.store.change("inbox", mail.id, outcome="")
        for mail in [] if self.arrivals.in_doubt() else self.store.find(Mail, outcome=HELD):
            game = int(mail.game or 0)
            due = self.store.due(game)
            if not due or mail.at <= due or self.arrivals.is_over(game, due):
                self.store.change("inbox", mail.id, outcome="")
        clock = self.arrivals.clock()
        for one in stuck.mails(self.store):
            if one.next <= clock:
                self._try_again(one)

    def _try_again(self, one: stuck.Stuck) -> str:
        """Try a mail again that is stuck; return what was decided."""
        self.store.change("inbox", one.number, outcome="")
        return self._decide_elsewhere(one.number) if one.died else self.decide(one.number)

    def _decide_elsewhere(self, number: int) -> str:
        """Let another process decide on a mail; return what was decided."""
        ended = self.elsewhere(number)
        with self.store.decision():
            mail = self.store.get(Mail, id=number)
            if mail is None:
                return "duplicate"
            if mail.outcome or ended:  # where it is still undecided, the store could not be used
                return mail.outcome
            why = "the program died over it, time and again"
            self.store.change("inbox", number, outcome=f"failed: {why}")
            stuck.note(self.store, number, why, self.arrivals.clock(), died=True)
        return f"failed: {why}"

    def _decided_here(self, number: int) -> bool:
        self.decide(number)
        return True

    def _deaths(self, name: str) -> int:
        """Count, before a mail is decided on once more, how often it has been begun without coming to an end."""
        with self.store.decision():
            deaths = int(self.store.note(name) or 0)
            self.store.put_note(name, str(deaths + 1))
        return deaths

    def decide(self, number: int) -> str:
        """Decide on a mail that is stored; return what was decided, in a few words."""
        with self.store.decision():
            mail = self.store.get(Mail, id=number)
            if mail is None:  # another program of this host was quicker, and found it to be one taken before
                return "duplicate"
            if mail.outcome:
                return mail.outcome
            case = None
            try:
                case = Case.of(mail, self.store.raw("inbox", number), self.post.address)
                if self._is_here(case):
                    self.store.delete("inbox", id=number)
                    stuck.forget(self.store, number)
                    return "duplicate"
                with self.store.decision():
                    outcome = self._outcome(case)
            except Exception as error:
                if is_of_the_world(error):
                    raise
                # one mail over which the program stumbles must not stop the host
                outcome = f"failed: {type(error).__name__}: {error}"
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
                stuck.came_before(self.store, known.id, case.at)
            return True
        self.store.change("inbox", case.number, essence=case.digest)
        return False

    def retry(self) -> list[str]:
        """Decide once more, now, on every mail over which the program stumbled or died; return what was decided."""
        stuck_ones = {one.number: one for one in stuck.mails(self.store)}
        outcomes = []
        for mail in self.store.failed():
            if mail.id in stuck_ones:
                outcomes.append(self._try_again(stuck_ones[mail.id]))
            else:  # an older pbem noted it
                self.store.change("inbox", mail.id, outcome="")
                outcomes.append(self.decide(mail.id))
        return outcomes

    def _outcome(self, case: Case) -> str:
        self.post.by_door = case.way == DOOR
        with speaking(understood(case.mail.wants) or self.post.at_hand(language_of(self.store, case.mail.sender))):
            return self._answered(case)

    def _answered(self, case: Case) -> str:
        """Decide on a mail, in the language of its sender."""
        mail = case.mail
        if mail.bounce is not None and (mail.bounce.kind or not self._holds_signed(mail.text)):
            return take_bounce(self.store, mail.bounce, case.at)
        if mail.problem:
            return f"unreadable: {mail.problem}"
        try:
            envelope = read_block(mail.text, self._is_signed, self._write_out)
        except FullWanted as error:
            return self._want_full(case, error)
        except FormError as error:
            return self._said_before(case) or self._refuse_unsigned(case, "FORM", str(error))
        if envelope is None:
            return self._said_before(case) or self._unsigned(case)
        case.game = self.store.number_of(envelope.say.get("game", ""))
        if case.game is None:
            return self._refuse_unsigned(case, "FORM", _("It is signed for a game that this host does not know."))
        self.store.change("inbox", case.number, game=case.game)
        if (outcome := self._standing_still(case, envelope)) is not None:
            return outcome
        if (outcome := self._at_its_time(case, envelope)) is not None:
            return outcome
        game, seat, wanted = self.house.game(case.game), str(envelope.say.get("seat")), understood(mail.wants)
        if seat not in game.seats:
            return self._tried(game, envelope, case)
        if wanted and _signed_by(envelope, game.seats[seat].key):
            game.change_seat(seat, language=wanted)
        with self.post.telling(game, seat, wanted):
            return self._tried(game, envelope, case)

    def _at_its_time(self, case: Case, envelope: Envelope) -> str | None:
        """Close the open question if its time was over when a mail came; say so if the mail has to wait until that is known.

        3: an ask closes at once when its time is past. What came after it counts after all that came in time, and that has to
        be read first. An answer that a mail server may have kept since before is in time.
        """
        game = self.house.game(int(case.game or 0))
        due = game.row.due
        if envelope.say.get("act") in BESIDES:
            return None
        if game.course.terms.hours and self.arrivals.in_doubt():
            return HELD
        if not due or case.at <= due:
            return None
        if not self.arrivals.is_over(game.id, due):
            if envelope.say.get("act") in ANSWERS and self.arrivals.may_be_late_for_us(case.way, due, case.at):
                return None
            return HELD
        if self.play.expire(game, case.at):
            self.says.enter_waiting(self.house.game(game.id), case.at)
        return None

    def _holds_signed(self, text: str) -> bool:
        """Has a player written it? Some mail programs answer to the way back of a letter, too."""
        with suppress(FormError):
            envelope = read_block(text, self._is_signed, self._write_out)
            return envelope is not None and self._is_signed(envelope)
        return False

    def _write_out(self, said: Short) -> Envelope:
        """Write out what a short block says. Raises FullWanted or FormError."""
        return short.write_out(self.house, said)

    def _is_signed(self, envelope: Envelope) -> bool:
        """Is it signed by whom it names, as far as this host knows him?"""
        number = self.store.number_of(envelope.say.get("game", ""))
        seat = self.store.get(SeatRow, game=number, seat=str(envelope.say.get("seat", "")))
        return seat is not None and _signed_by(envelope, seat.key)

    def _standing_still(self, case: Case, envelope: Envelope) -> str | None:
        """Say what becomes of a mail for a game that stands still, or must; None where its game goes on."""
        number, act = int(case.game or 0), envelope.say.get("act")
        game = self.house.game(number)
        row = game.seats.get(str(envelope.say.get("seat")))
        still = game.stands_still
        if still and act == "copy":
            try:
                with self.store.decision():
                    return catching_up.take(self.play, number, envelope, case.mail.log, case.at)
            except Refused as error:
                return self._refuse(game, envelope, case, error)
        if not still and catching_up.knows_more(game, envelope) and row and _signed_by(envelope, row.key):
            why = _("{seat} has seen entry {n}, which is not here", seat=game.name(row.seat), n=envelope.say["seen"][0])
            catching_up.hold(game, self.post, case.at, why)
            still = True
        if not still:
            return None
        if envelope.openings:
            self.store.change("inbox", case.number, outcome=catching_up.WAITS)
            with self.store.decision():
                catching_up.look(self.play, number, case.at)
        return catching_up.WAITS

    def _tried(self, game: HostedGame, envelope: Envelope, case: Case) -> str:
        """Do what a signed mail says, or refuse it and undo what it began."""
        try:
            game_of(self.store, case.mail, case.game)
        except Refused as error:  # tags cost nothing: whatever names they bring, one letter says so
            return self._refuse(game, envelope, case, error, "which game")
        try:
            with self.store.decision():
                outcome = self._handle(game, envelope, case)
                self.says.enter_waiting(self.house.game(game.id), case.at)
                # what was known before, or moves nothing, anybody may have sent
                if not outcome.startswith(_MOVES_NOTHING) or _signed_by(envelope, self._key(game, envelope)):
                    lift_mark(self.store, game.seats[str(envelope.say["seat"])].address)
                return outcome
        except (PlayerError, FormError) as error:
            if (due := came_in_time(game, envelope, case.at)) and _signed_by(envelope, self._key(game, envelope)):
                self.post.late(game, str(envelope.say["seat"]), case.at, envelope, due)
                return f"late: {envelope.say['seat']}, read when its question was closed"
            return self._refuse(game, envelope, case, error)

    @staticmethod
    def _key(game: HostedGame, envelope: Envelope) -> str | None:
        key: str | None = game.seats[str(envelope.say["seat"])].key
        return key

    def _said_before(self, case: Case) -> str:
        """Has this sender sent a mail of this Message-ID before in which the same was read? In a few words, or "".

        Asked only of mail that nobody has signed: a Message-ID is its writer's choice and can be another's, and must keep out
        no order. What is signed is known by game, question and revision.
        """
        mail = case.mail
        if not mail.message_id or not mail.sender:
            return ""
        said = reading(replace(mail, sender=mail.sender.lower()))
        before = [mail.id for mail in self.store.find(Mail, said=said) if mail.id != case.number]
        self.store.change("inbox", case.number, said=said)
        return f"duplicate: of mail {before[0]}" if before else ""

    def _unsigned(self, case: Case) -> str:
        mail = case.mail
        if mail.automatic:
            return f"ignored: written by a robot ({mail.robot})"
        try:
            case.game = game_of(self.store, mail)
            if mail.command is not None and mail.command.word == "PRESS":
                return press.unsigned(self.post, mail, mail.command, case.game, case.digest, case.at)
            if mail.command is not None:
                return requests.answer(self.post, mail, mail.command, case.game, case.digest, case.at)
            why = _(
                "It holds no signed block. Orders are made with “pbem order”; a mail with the line HELP tells more."
            )
            if mail.cut:
                why += " " + _(
                    "Not all of it was looked through: it is too long, or too much lies inside of it. Send the order in a mail of "
                    "its own."
                )
            return self._refuse_unsigned(case, "FORM", why)
        except Refused as error:
            return self._refuse_unsigned(case, error.code, str(error))

    def _handle(self, game: HostedGame, envelope: Envelope, case: Case) -> str:
        at = case.at
        match (envelope.say.get("act"), game.stage):
            case ("address", _):
                return moves.ask(game, envelope, self.post, at)
            case ("resend", _):
                return requests.resend(game, envelope, self.post, at)
            case ("press", _):
                return press.signed(game, envelope, self.post, at)
            case ("copy", _):
                game.seat_of(envelope)
                return "ignored: the game goes on without"
            case ("post", "joining" | "readying" | "moving" | "playing"):
                return mails.choose(game, envelope, self.post, at)
            case ("time", "joining" | "readying" | "moving" | "playing"):
                return moves.set_clock(game, envelope, self.post, at)
            case ("agree", "moving"):
                return adopting.agree(game, envelope, self.play, at)
            case ("join", "joining"):
                return roster.join(game, envelope, self.post, at, understood(case.mail.wants))
            case ("join", "readying"):
                return roster.late_join(game, envelope, self.post, at)
            case ("ready", "readying"):
                return self.play.ready(game, envelope, at)
            case ("order", "playing"):
                return self.play.order(game, envelope, case.mail.text, at)
            case ("ahead", "playing"):
                return self.play.ahead(game, envelope, at)
            case ("join", "playing"):
                return succession.take(game, envelope, self.post, at, understood(case.mail.wants))
            case ("rekey", "playing"):
                return self.says.rekey(game, envelope, at)
            case ("ready", "playing"):
                return self.says.ready(game, envelope, at)
            case (act, "playing") if act in ACTS:
                return self.says.take(game, envelope, at)
            case (_, "former"):
                raise Refused("FORM", _("This game is of a former format of logs; it can only be looked at here."))
            case (_, "cancelled"):
                raise Refused("ASK", _("This game was called off before it began."))
            case (_, "ended"):
                raise Refused("ASK", _("This game is over; nothing can be ordered any more."))
            case (act, stage):
                raise Refused(
                    "FORM", _("“{act}” cannot be taken while the game is {stage}.", act=act, stage=_(STAGE[stage]))
                )

    # -- refusals ---------------------------------------------------------------------------------------------------

    def _refuse(
        self, game: HostedGame, envelope: Envelope, case: Case, error: PlayerError | FormError, kind: str = ""
    ) -> str:
        """Tell who signed a mail why it was not taken; of refusals of one kind only the first, until the game has moved."""
        code = error.code if isinstance(error, Refused) else "ILLEGAL" if isinstance(error, OrderError) else "FORM"
        seat = str(envelope.say.get("seat"))
        if seat in game.seats and _signed_by(envelope, game.seats[seat].key):
            received = _received(envelope) if isinstance(error, OrderError) else []
            here = game.order_here(seat) if code == "DOUBLE" and envelope.say.get("act") == "order" else None
            # the same statement once more, however it is dressed, finds the same answer until the game has moved
            about: list[Json] = [envelope.sig, game.ledger.n, kind or str(error)]
            digest = sha256_hex(cj([seat, case.at[:10], str(error)] if isinstance(error, TooMany) else about))
            lines = signed_lines(here.got, here.envelope) if here else b""
            wants = understood(case.mail.wants)
            self.post.refusal(game, seat, case.at, str(error), received, digest, lines, language=wants)
            self._keep_evidence(game, envelope, case)
            lift_mark(self.store, game.seats[seat].address)
            return f"refused: {code}: {error}"
        return self._refuse_unsigned(case, code, str(error))

    def _want_full(self, case: Case, error: FullWanted) -> str:
        """Ask the seat that a short block names for its full form: here it cannot be written out. Nobody is blamed for that.

        Anybody may have written it, so that there are only so many such letters, and they go to the seat's own address.
        """
        game = short.named(self.house, error)
        seat = short.seat_named(game, error) if game else ""
        if game is None or not seat:
            return self._refuse_unsigned(case, "FORM", str(error))
        case.game = game.id
        self.store.change("inbox", case.number, game=game.id)
        if game.stands_still:  # what is missing comes with the copies, and it may open what they hold sealed
            self.store.change("inbox", case.number, outcome=catching_up.WAITS)
            with self.store.decision():
                catching_up.look(self.play, game.id, case.at)
            return catching_up.WAITS
        if case.mail.automatic and case.mail.robot != OF_OURS:
            return "ignored: written by a robot"
        with self.post.telling(game, seat, understood(case.mail.wants)):
            if self.post.may_answer("wanted", game.seats[seat].address, case.at):
                wants = understood(case.mail.wants)
                self.post.refusal(game, seat, case.at, str(error), [], case.digest, language=wants, full=True)
        return f"refused: FORM: {error}"

    def _keep_evidence(self, game: HostedGame, envelope: Envelope, case: Case) -> None:
        """Keep the bytes of a mail in which a seat has signed another history than the one that is here; of a few."""
        seat, seen = str(envelope.say["seat"]), envelope.say.get("seen")
        if not isinstance(seen, list) or len(seen) != 2 or type(seen[0]) is not int:
            return
        if game.ledger.hash_of(seen[0]) in (seen[1], None) or short.left_behind(game, seen[0]):
            return
        before = self.store.note(f"evidence {game.id} {seat}").split()
        if len(before) < EVIDENCE:
            case.kept = True
            self.store.put_note(f"evidence {game.id} {seat}", " ".join([*before, str(case.number)]))
            with speaking(self.post.language):
                name, last = game.name(seat), case.number
                what = _(
                    "{seat} has signed another entry {n} than the one that is here: two histories. Mail {mail} is kept as it came.",
                    seat=name, n=seen[0], mail=last,
                )  # fmt: skip
                matter(self.store, game.id, seat, what, case.at, is_open=False)

    def _refuse_unsigned(self, case: Case, code: str, why: str) -> str:
        """Answer a mail that nobody here has signed: only at an address registered here, in a letter of one of its games."""
        if case.mail.automatic and case.mail.robot != OF_OURS:  # our own letters come from no seat's address
            return "ignored: written by a robot"
        seats = sorted(
            self.store.registered(case.mail.sender),
            key=lambda seat: (seat.game != case.game, seat.stage in ("ended", "cancelled"), -seat.game),
        )
        if seats and self.post.may_answer("refusal", seats[0].address, case.at):
            game, language = self.house.game(seats[0].game), understood(case.mail.wants)
            self.post.refusal(game, seats[0].seat, case.at, why, [], case.digest, language=language)
        return f"refused: {code}: {why}"


def _storable(address: str | None) -> str | None:
    """An address of an envelope as the store can hold it: a stranger may have set bytes in it that are no text."""
    return address if address is None else address.encode("utf-8", "replace").decode()


def _is_needed(outcome: str) -> bool:
    """Are the bytes of a mail needed once more? What was signed in the others is in the log, and their marks tell them again."""
    return Kind.FAILED.is_of(outcome) or outcome in (catching_up.WAITS, HELD)


def _signed_by(envelope: Envelope, key: str | None) -> bool:
    space = {"address": ADDRESS, "time": TIME, "press": PRESS, "copy": COPY, "resend": REQUEST, "post": POST}.get(
        str(envelope.say.get("act")), SAY
    )
    try:
        return bool(key) and verify_sig(str(key), space, cj(envelope.say), envelope.sig)
    except PbemError:
        return False


def _received(envelope: Envelope) -> list[str]:
    order, plans = (str(opening[6]) for opening in envelope.openings)
    said = ahead_lines(envelope) if envelope.say["act"] == "ahead" else order.split("\n")
    lines = [*said, *(["PLANS", *plans.split("\n")] if plans else [])]
    return [*lines, *(line for one in envelope.ahead for line in ahead_lines(one))]
