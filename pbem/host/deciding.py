"""The decision on one mail: who wrote it, whether it came in time, its effect on its game, and the reason for a refusal.

It identifies writers by signatures alone, answers registered addresses only, and returns the decision in a few words. It runs in
the transaction of its caller, which knows the mail's row and the time of the decision. It knows no clock.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import field, replace

from pbem.errors import FormError, FullWanted, OrderError, PbemError, PlayerError
from pbem.i18n import N_, _, speaking
from pbem.ledger import ADDRESS, COPY, POST, PRESS, REQUEST, SAY, TIME, cj, sha256_hex, verify_sig
from pbem.mail import Incoming, Short, ahead_lines, read_block
from pbem.mail.block import has_own_block
from pbem.mail.robots import OF_OURS, REPORT
from pbem.mail.unquoting import ours_among, own_part
from pbem.records import dataclass
from pbem.referee import Envelope, Refused

from . import (
    adopting,
    banned,
    catching_up,
    clubroom,
    in_time,
    mails,
    moves,
    press,
    requests,
    roster,
    short,
    succession,
    unread,
)
from .about import game_of
from .allowance import UNREAD, Allowance
from .arrivals import CLUB_DOOR, DOOR, Arrivals
from .believed import KeptMail
from .bounces import lift_mark, take_bounce
from .built_in import is_built_in
from .essence import Case, reading
from .hosted import HostedGame, House, signed_lines
from .outbox import TooMany
from .play import GamesInPlay, came_in_time
from .post import Post
from .says import ACTS, Says
from .store import Store
from .store.keeping import OVER, STAGE
from .store.rows import KEPT, Mail, SeatRow
from .tongues import language_of, understood
from .troubles import matter

EVIDENCE = 5
"""The maximum number of mails of a seat that are kept as evidence of another history."""

HELD = "waits: mail that came in time may be unread"
"""The outcome noted for mail that came after a deadline, while earlier mail may be unread or the clock is in doubt."""
_LONGER = N_("If your time runs out, it is made longer once for that.")
MOVES_NOTHING = ("refused", "ignored", "duplicate")
ANSWERS = ("order", "ahead", "ready")
BESIDES = ("address", "time", "press", "resend", "copy", "post")
"""Signed statements beside the game: none has to wait for a deadline, and none ends one."""


@dataclass(slots=True)
class Decider:
    """One host's judgement of mail."""

    store: Store
    house: House
    post: Post
    play: GamesInPlay
    says: Says
    arrivals: Arrivals
    club: clubroom.ClubRoom | None = None
    allowance: Allowance = field(default_factory=Allowance)
    kept: KeptMail = field(init=False)
    """The part that handles the mail of kept seats."""

    def __post_init__(self) -> None:
        self.kept = KeptMail(
            self.store, self.house, self.post, self.play, self.says,
            self._tried, self._at_its_time, self._refuse_unsigned, self.allowance,
        )  # fmt: skip

    def outcome(self, case: Case) -> str:
        """Decide on a mail; return the decision in a few words."""
        self.post.by_door = case.way == DOOR
        with speaking(understood(case.mail.wants) or self.post.at_hand(language_of(self.store, case.mail.sender))):
            return (
                self.store.place.bans and banned.outcome(self.store, case, self._is_signed, self._write_out)
            ) or self._answered(case)

    def _answered(self, case: Case) -> str:
        """Decide on a mail, in the language of its sender."""
        mail = case.mail
        if mail.bounce is not None and (mail.bounce.kind or not self._holds_signed(mail.text)):
            return take_bounce(self.store, mail.bounce, case.at)
        if mail.excess and not case.way.startswith(CLUB_DOOR):
            return self._unreadable(case)
        if case.way.startswith(CLUB_DOOR):
            key = case.way.removeprefix(CLUB_DOOR)
            if self.club is None:
                return "ignored: there is no club here"
            return self.club.at_door(mail, mail.command, key, case.digest, case.at)
        try:
            envelope = in_time.opened(self.house, read_block(mail.text, self._is_signed, self._write_out), case)
        except FullWanted as error:
            return self._want_full(case, error)
        except FormError as error:
            return self._said_before(case) or self._refuse_unsigned(case, "FORM", str(error))
        if envelope is None:
            return self._said_before(case) or self.kept.take(case) or self._unsigned(case)
        case.game = self.store.number_of(envelope.say.get("game", ""))
        if case.game is None:
            return self._refuse_unsigned(case, "FORM", _("It is signed for a game that this host does not know."))
        self.store.change("inbox", case.number, game=case.game)
        game, seat, wanted = self.house.game(case.game), str(envelope.say.get("seat")), understood(case.mail.wants)
        if (outcome := self._standing_still(game, case, envelope)) is not None:
            return outcome
        if (outcome := self._at_its_time(game, case, envelope)) is not None:
            return outcome
        if game.row.due and case.at > game.row.due:  # its question may have been closed
            game = self.house.game(case.game)
        if seat not in game.seats:
            return self._tried(game, envelope, case)
        if wanted and _signed_by(envelope, game.seats[seat].key):
            game.change_seat(seat, language=wanted)
        with self.post.telling(game, seat, wanted):
            return self._tried(game, envelope, case)

    def _at_its_time(self, game: HostedGame, case: Case, envelope: Envelope) -> str | None:
        """Close the open question if its time was over when a mail came; say so if the mail has to wait until that is known.

        3: an ask closes at once when its time is past. What came after it counts after all that came in time, and that has to
        be read first. An answer that a mail server may have kept since before is in time.
        """
        due = game.row.due
        if envelope.say.get("act") in BESIDES:
            return None
        if game.course.terms.hours and self.arrivals.in_doubt():
            return HELD
        if not due or case.at <= due:
            return None
        if not self.arrivals.is_over(game.id, due):
            if envelope.say.get("act") not in ANSWERS:
                return HELD
            held = self.arrivals.is_held_for(game.id, due, str(envelope.say.get("seat")))
            return None if held or self.arrivals.may_be_late_for_us(case.way, due, case.at) else HELD
        if self.play.expire(game, case.at):
            self.says.enter_waiting(game.id, case.at)
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
        """Return whether an envelope is signed by the player it names, if this host knows his key."""
        number = self.store.number_of(envelope.say.get("game", ""))
        seat = self.store.get(SeatRow, game=number, seat=str(envelope.say.get("seat", "")))
        return seat is not None and _signed_by(envelope, seat.key)

    def _standing_still(self, game: HostedGame, case: Case, envelope: Envelope) -> str | None:
        """Return the outcome of a mail for a game that is paused, or must be; None if its game continues."""
        number, act = game.id, envelope.say.get("act")
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
        seat = str(envelope.say.get("seat"))
        try:
            game_of(self.store, case.mail, case.game)
        except Refused as error:  # tags cost nothing: whatever names they bring, one letter says so
            return self._refuse(game, envelope, case, error, "which game")
        try:
            if (
                seat in game.seats
                and game.seats[seat].kept != KEPT
                and _signed_by(envelope, game.seats[seat].key)
                and (why := self.allowance.why_unread(case, game, seat, envelope.sig)) is not None
            ):
                return self._refuse(game, envelope, case, TooMany(why)) if why else UNREAD
            with self.store.decision():
                outcome = self._handle(game, envelope, case)
                if any(row.kept for row in game.seats.values()):
                    self.kept.handled(game, envelope, outcome, case.at)
                self.says.enter_waiting(game.id, case.at)
                # what was known before, or moves nothing, anybody may have sent
                if not outcome.startswith(MOVES_NOTHING) or _signed_by(envelope, game.seats[seat].key):
                    lift_mark(self.store, game.seats[seat].address)
                if not outcome.startswith(MOVES_NOTHING):
                    unread.heard(self.store, game.id, seat)
                return outcome
        except (PlayerError, FormError) as error:
            if (due := came_in_time(game, envelope, case.at)) and _signed_by(envelope, game.seats[seat].key):
                self.post.late(game, seat, case.at, envelope, due)
                return f"late: {seat}, read when its question was closed"
            return self._refuse(game, envelope, case, error)

    def _said_before(self, case: Case) -> str:
        """Return “duplicate: …” if this sender has sent a mail of this Message-ID with the same content before, otherwise "".

        This applies only to unsigned mail. A Message-ID is chosen by its writer and can be another's, so it must never exclude an
        order. Signed mail is known by game, question and revision.
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
        if (outcome := self._to_the_club(case)) is not None:
            return outcome
        try:
            case.game = game_of(self.store, mail)
            if mail.command is not None and mail.command.word == "PRESS":
                return press.unsigned(self.post, mail, mail.command, case.game, case.digest, case.at)
            if mail.command is not None and mail.command.word not in banned.WORDS:
                return requests.answer(self.post, mail, mail.command, case.game, case.digest, case.at)
            why = _("It contains no signed block, so it orders nothing, whatever its words say.")
            held = bool(mail.unread) and self._holds(case, str(mail.unread))
            why = " ".join(filter(None, [why, str(mail.unread or ""), _(_LONGER) if held else ""]))
            if mail.below:
                why += " " + _(
                    "“{request}” counts only as the first line of a mail, or as its subject. Here it comes below "
"“{above}”: send “{request}” as the subject.",
                    request=mail.below.request, above=mail.below.above,
                )  # fmt: skip
            return self._refuse_unsigned(case, "FORM", why, bare=True, always=held)
        except Refused as error:
            return self._refuse_unsigned(case, error.code, str(error))

    def _to_the_club(self, case: Case) -> str | None:
        """Carry out a mail's command to the club; return None without a club or such a command."""
        mail, club = case.mail, self.club
        if club is None or mail.command is None:
            return None
        if mail.command.word == "CONFIRM":
            with self.store.decision():
                return club.confirm(mail.command.code, case.digest, case.at)
        if mail.command.word in banned.WORDS:
            return club.answer(mail, mail.command, case.digest, case.at)
        if mail.command.word in ("HELP", "STATUS") and not self.store.registered(mail.sender):
            return club.answer(mail, mail.command._replace(word="GAMES"), case.digest, case.at)
        return None

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
        is_illegal, seat = isinstance(error, OrderError), str(envelope.say.get("seat"))
        code = error.code if isinstance(error, Refused) else "ILLEGAL" if is_illegal else "FORM"
        if seat in game.seats and game.seats[seat].kept == KEPT and _signed_by(envelope, game.seats[seat].key):
            self.post.not_taken(game, seat, case.at, [str(error)], case.digest)
            return f"refused: {code}: {error}"
        if not case.mail.text:  # somebody else passed it on
            return in_time.overtaken(code) or self._refuse_unsigned(case, code, _(in_time.NO_ORDER))
        if seat in game.seats and _signed_by(envelope, game.seats[seat].key):
            here = game.order_here(seat) if code == "DOUBLE" and envelope.say.get("act") == "order" else None
            # the same statement once more, however it is dressed, finds the same answer until the game has moved
            digest = sha256_hex(
                cj(
                    [seat, case.at[:10], str(error)]
                    if isinstance(error, TooMany)
                    else [envelope.sig, game.ledger.n, kind or str(error)]
                )
            )
            self.post.refusal(
                game,
                seat,
                case.at,
                str(error),
                _received(envelope) if is_illegal else [],
                digest,
                signed_lines(here.got, here.envelope) if here else b"",
                language=understood(case.mail.wants),
            )
            self._keep_evidence(game, envelope, case)
            lift_mark(self.store, game.seats[seat].address)
            return f"refused: {code}: {error}"
        return self._refuse_unsigned(case, code, str(error))

    def _want_full(self, case: Case, error: FullWanted) -> str:
        """Ask the seat that a short block names for the full form, because the block cannot be expanded here.

        Nobody is blamed for that. Anybody may have written the block. So the number of such letters is limited, and they go to the
        seat's own address.
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
        if self._rests(case.mail):
            return "ignored: written by a robot"
        with self.post.telling(game, seat, understood(case.mail.wants)):
            if self.post.may_answer("wanted", game.seats[seat].address, case.at):
                self.post.refusal(
                    game, seat, case.at, str(error), [], case.digest, language=understood(case.mail.wants), full=True
                )
        return f"refused: FORM: {error}"

    def _rests(self, mail: Incoming) -> bool:
        """Return whether a mail with a block is left unanswered, so that two robots do not answer each other.

        A person's block is answered, whatever robots forwarded the mail and whatever they wrote into its headers. A bounce report
        or a robot's answer only quotes a block, with or without quote marks.
        """
        if not mail.automatic or mail.robot == OF_OURS:  # our own letters come from no seat's address
            return False
        if mail.robot == REPORT or mail.bounce is not None or not has_own_block(mail.text):
            return True
        own = own_part(mail.text)
        seats = [row for row in self.store.registered(mail.sender) if row.seat]
        return any(ours_among(own, self.post.words_sent(self.house.game(row.game), row.seat)) for row in seats)

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

    def _unreadable(self, case: Case) -> str:
        """Answer a mail in which nothing that counts could be read, and let it hold the questions that its sender was asked."""
        mail = case.mail
        if mail.automatic:
            return f"ignored: written by a robot ({mail.robot})"
        held = self._holds(case, mail.problem)
        why = _(
            "{problem} No signed block and no request was found in this mail. Send your order again, "
            "alone in a new mail: without the letter that you answer, pictures or attached files.",
            problem=mail.problem,
        )
        why = " ".join([why, _(_LONGER)]) if held else why
        self._refuse_unsigned(case, "FORM", why, unread=True, always=held)
        return f"unreadable: {mail.problem}"

    def _holds(self, case: Case, why: str) -> bool:
        """Note that a mail could not be read, in the games that it may be for. Return whether it holds a deadline from now on.

        A built-in player writes no such mail: a mail from its address is forged.
        """
        if is_built_in(case.mail.sender):
            return False
        game: int | None = None
        with suppress(Refused):
            game = game_of(self.store, case.mail)
        held = False
        for at in self.store.registered(case.mail.sender):
            if game in (None, at.game) and at.stage not in OVER:
                held |= unread.note(self.house.game(at.game), at.seat, case.number, case.at, why)
        return held and self.arrivals.most != 0

    def _refuse_unsigned(
        self, case: Case, code: str, why: str, *, bare: bool = False, unread: bool = False, always: bool = False
    ) -> str:
        """Answer a mail that nobody here has signed: only at an address registered here, in a letter of one of its games.

        `bare`: it holds no block at all, so that its writer is told how one answers. `unread`: not all of it was read. `always`:
        it is answered, however many such answers there were.
        """
        if self._rests(case.mail):
            return "ignored: written by a robot"
        seats = sorted(
            self.store.registered(case.mail.sender),
            key=lambda seat: (seat.game != case.game, seat.stage in ("ended", "cancelled"), -seat.game),
        )
        if seats and (always or self.post.may_answer("refusal", seats[0].address, case.at)):
            game, language = self.house.game(seats[0].game), understood(case.mail.wants)
            post, seat = self.post, seats[0].seat
            post.refusal(game, seat, case.at, why, [], case.digest, language=language, unsigned=bare, unread=unread)
        return f"refused: {code}: {why}"


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
