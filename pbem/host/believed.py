"""Which mail counts for a kept seat, and what follows from it.

A mail counts if it has the code of the open question and is from an address of that seat. If either is missing, or the host's own
mail server calls the sender forged, the mail is held. The seat is then asked whether the mail is its player's. A YES makes it
count as of its arrival. An old code orders nothing, so an old number is never applied to a new list.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import field, replace
from functools import partial

from pbem.errors import UsageError
from pbem.i18n import N_, _, languages, speaking, spoken
from pbem.kernel import Json, View, typed
from pbem.kernel.digits import whole
from pbem.ledger import TAKEBACK, cj, sha256_hex
from pbem.ledger.kept import words_of
from pbem.mail import Command as Request
from pbem.mail import read_message
from pbem.mail.robots import OF_OURS, is_of_a_list
from pbem.mail.unquoting import letters_alone
from pbem.records import dataclass
from pbem.referee import AnswersDue, Envelope, Refused, last_orders
from pbem.reports.choices import choices

from . import ahead, evidence, kept_seating, newcomers, playing_again, requests, roster
from .about import game_of
from .allowance import UNREAD, Allowance
from .answers import AnswerRead, AskedByMail, Wish, read_answer, read_yes
from .besides import marks_behind
from .codes import doubt_code, question_put
from .copies import Copies
from .essence import Case, as_read
from .evidence import Part
from .hosted import HostedGame, House
from .kept import HowKept
from .kept_seating import KeptNewcomers
from .kept_seats import held, keeper, not_ready, shared, sign_join, sign_ready
from .moments import later
from .play import GamesInPlay
from .post import Post
from .says import Says, rules_here
from .store import Store
from .store.kept_rows import Doubt, MoreAddress, PutLetter, forget_mails, letter_meant, with_old_mails, written_from
from .store.rows import KEPT, MAY_BE_KEPT, OWN, SeatRow
from .tongues import understood

A_DAY = 3
"""The maximum number of letters in 24 hours that ask a seat for a YES; any beyond them are noted."""
_MAIL = "mail"
"""The subject of a doubt about a whole mail, not a single word."""
_REQUESTS = ("HELP", "STATUS", "BOARD", "RESEND", "UNSUBSCRIBE", "PICTURES", "LANGUAGE", "CONFIRM")
_SURE = ("RESIGN", "OFFER DRAW", "CLAIM")
"""Words that ask for a YES."""
_FROM_ELSEWHERE = N_("That is not an address of your seat.")
_WITHOUT_CODE = N_("It did not come as a reply to a letter of this game.")
_FORGED = N_("The host’s mail server says that its sender may be forged (DMARC).")
_FAILED = re.compile(r"(?:^|[;\s])dmarc\s*=\s*fail", re.IGNORECASE)


def says_forged(raw: bytes, server: str) -> bool:
    """Return whether the host's own mail server says that a mail fails DMARC.

    `server` is the name under which it says so; "" if it says nothing. Anything below its first Received line may have been
    written by anybody.

    >>> head = b"Authentication-Results: mx.example.org; dmarc=fail\\r\\nReceived: from x by mx.example.org\\r\\n"
    >>> says_forged(head, "mx.example.org"), says_forged(b"Received: from x\\r\\n" + head, "mx.example.org"), says_forged(head, "")
    (True, False, False)
    """
    head = re.sub(rb"\r?\n[ \t]+", b" ", raw[:65_536].replace(b"\r\n", b"\n").partition(b"\n\n")[0])
    for line in head.decode("latin-1").split("\n") if server else ():
        name, _sign, value = line.partition(":")
        if name.strip().lower() == "received":
            return False
        said, _sign, results = value.partition(";")
        if (
            name.strip().lower() == "authentication-results"
            and said.split()[:1] == [server]
            and _FAILED.search(results)
        ):
            return True
    return False


def is_a_robots(robot: str) -> bool:
    """Was a mail that has a good code written by a program, by the mark that was found on it?

    A list may hand on what a person wrote, and people's mail may say `auto-generated`, and have a Message-ID like ours.

    >>> [is_a_robots(mark) for mark in ("auto-submitted: auto-replied", "list-id", "auto-submitted: auto-generated", "")]
    [True, False, False, False]
    """
    if robot.startswith("precedence: auto"):
        return True
    generated = robot.startswith("auto-submitted: auto-generated")
    return bool(robot) and not is_of_a_list(robot) and not generated and robot != OF_OURS


@dataclass(slots=True)
class KeptMail:
    """What one host makes of the mail of kept seats. `tried`, `at_its_time` and `refuse_unsigned` are the decider's: they do what
    somebody signed, close a question whose time is over, and answer a mail that nobody signed.
    """

    store: Store
    house: House
    post: Post
    play: GamesInPlay
    says: Says
    tried: Callable[[HostedGame, Envelope, Case], str]
    at_its_time: Callable[[HostedGame, Case, Envelope], str | None]
    refuse_unsigned: Callable[[Case, str, str], str]
    allowance: Allowance
    authserv: str = ""
    """By which name the host's own mail server says what it found of a sender; "": it says nothing."""
    copies: Copies = field(init=False)
    """The handler for mail to a paused game."""
    keep_days: int = 90
    """The number of days for which mails are kept after the end of their game."""

    def handled(self, game: HostedGame, envelope: Envelope, outcome: str, at: str) -> None:
        """Note which player has taken a seat with his own key, and confirm kept seats in a ready round."""
        seat = game.seats[str(envelope.say["seat"])]
        if envelope.say.get("act") == "join" and seat.kept == MAY_BE_KEPT and outcome.startswith("joined"):
            game.change_seat(seat.seat, kept=OWN)
        self.be_ready(game.id, at)

    def be_ready(self, number: int, at: str) -> None:
        """Say for the kept seats of a game that they are ready, where all are called to be."""
        game, first = self.house.game(number), True
        while game.stage in ("readying", "playing") and (seats := not_ready(game)):
            for seat in [one for one in seats if first and game.stage == "playing" and held(game, one).later]:
                self.post.keep_this(game, seat, at)
            first = False
            ready = self.play.ready if game.stage == "readying" else self.says.ready
            try:
                ready(game, sign_ready(game, seats[0]), at)
            except Refused:  # two keys want another seat: the operator settles that first
                return
            game = self.house.game(number)

    def forget(self, at: str) -> None:
        """Forget the mails behind games that have long been over."""
        for game in with_old_mails(self.store, later(at, hours=-24 * self.keep_days)):
            self.store.in_part(game, partial(forget_mails, self.store, game))

    # -- which mail is for a kept seat ----------------------------------------------------------------------------------

    def take(self, case: Case) -> str:
        """Decide on a mail for a kept seat; "" where it is for none, or asks for what anybody may ask."""
        if row := self.copies.wanted(case, self._seats_of(case.mail.sender)):
            return self._in_game(case, row.game, row.seat, partial(self.copies.take, case, row.seat))
        for code in case.mail.codes:
            if doubt := self.store.get(Doubt, code=code):
                return self._in_game(case, doubt.game, doubt.seat, partial(self._told_of_a_doubt, case, doubt))
            if letters := self.store.find(PutLetter, code=code):
                put, case.quoting = letter_meant(letters, case.references)
                return self._in_game(case, put.game, put.seat, partial(self._answers, case, put))
        with suppress(Refused):
            number = game_of(self.store, case.mail)
            seats = [row for row in self._seats_of(case.mail.sender) if number in (None, row.game)]
            if case.mail.robot or case.mail.command is not None:
                return ""
            if why := kept_seating.not_joined(self.house, case.mail, number):
                return self.refuse_unsigned(case, "FORM", why)
            if len(seats) != 1:
                return ""
            return self._in_game(case, seats[0].game, seats[0].seat, partial(self._without_code, case, seats[0].seat))
        return ""

    def _in_game(self, case: Case, number: int, seat: str, do: Callable[[HostedGame], str]) -> str:
        case.game = number
        self.store.change("inbox", case.number, game=number)
        game = self.house.game(number)
        with self.post.telling(game, seat, understood(case.mail.wants)):
            return do(game)

    def _seats_of(self, address: str) -> list[SeatRow]:
        """Return the kept seats, in running games, of the players who write from an address."""
        found = [self.store.get(SeatRow, game=one.game, seat=one.seat) for one in written_from(self.store, address)]
        seats = [*self.house.seats_at(address), *filter(None, found)]
        on = [row for row in seats if row.kept == KEPT and self.house.game(row.game).stage == "playing"]
        return list({(row.game, row.seat): row for row in on}.values())

    def _addresses(self, game: HostedGame, seat: str) -> set[str]:
        more = self.store.find(MoreAddress, game=game.id, seat=seat)
        return {game.seats[seat].address.lower(), *(one.address.lower() for one in more)}

    def _answers(self, case: Case, put: PutLetter, game: HostedGame) -> str:
        """Decide on a mail that has the code of a letter to a seat."""
        mail, seat = case.mail, put.seat
        row = game.seats[seat]
        if put.n == -row.invited < 0 and newcomers.is_invited(game, seat) and not is_a_robots(mail.robot):
            return KeptNewcomers(self.post).take(case, game, seat)
        if row.kept != KEPT and not (row.kept == MAY_BE_KEPT and put.n == -row.invited):
            return ""
        if is_a_robots(mail.robot):
            if row.kept == KEPT:
                self.post.a_robot_wrote(game, seat, case.at, put.n, mail.robot)
            return f"ignored: written by a robot ({mail.robot})"
        asks = mail.command
        if (
            asks
            and kept_seating.is_asked(self.post, asks, is_invited=put.n <= 0)
            and not self._reading(case, game, put).says
        ):
            return ""
        if (said := evidence.words_behind_join(mail.own)) is not None:
            if row.kept != KEPT:
                return self._join(case, game, seat, said)
            if put.n <= 0:
                return self._moves_nothing(case, game, seat, _("You have the seat already."), "duplicate: joined")
        if asks and (row.kept != KEPT or asks.word in _REQUESTS):
            case.mail = replace(
                mail, sender=row.address
            )  # whoever has the code is answered there, wherever he writes from
            return ""
        if row.kept != KEPT:
            why = _("To take the seat, reply to the invitation with JOIN and a few words. Nothing before that is read.")
            return self._moves_nothing(case, game, seat, why, "ignored: not JOIN") if mail.own.strip() else ""
        if game.stands_still:
            return self.copies.take(case, seat, game)
        if (over := self.allowance.why_unread(case, game, seat, case.digest)) is not None:
            return self._moves_nothing(case, game, seat, over, UNREAD) if over else UNREAD
        if (outcome := self.at_its_time(game, case, Envelope({"act": "order", "seat": seat}, ""))) is not None:
            return outcome
        game = self.house.game(game.id)
        if why := self._doubtful(case, game, seat):
            return self._ask_whether(case, game, put, why)
        parts = (("letter", put.words.encode()), ("mail", self.store.raw("inbox", case.number)))
        return self._do(case, game, put, parts)

    def _doubtful(self, case: Case, game: HostedGame, seat: str) -> str:
        """Return why a mail with a good code may be another's, or "" if it is the player's by all that mail can show."""
        if case.mail.sender.lower() not in self._addresses(game, seat):
            return _(_FROM_ELSEWHERE)
        if says_forged(self.store.raw("inbox", case.number), self.authserv):
            return _(_FORGED)
        return ""

    def _without_code(self, case: Case, seat: str, game: HostedGame) -> str:
        """Decide on a mail from an address of a seat that answers no letter."""
        letters = self.store.find(PutLetter, game=game.id, seat=seat, n=game.row.ask or 0)
        if not letters or game.stands_still:
            return ""
        put, case.quoting = letter_meant(letters, ())
        if not self._reading(case, game, put).says:
            return ""
        return self._ask_whether(case, game, put, _(_WITHOUT_CODE))

    # -- taking a seat --------------------------------------------------------------------------------------------------

    def _join(self, case: Case, game: HostedGame, seat: str, said: str) -> str:
        """Take a seat for the player who answered JOIN; the sender's address becomes the seat's address."""
        if game.stage != "joining" or game.seats[seat].key:
            return ""
        if why := shared(game, seat, case.mail.sender):
            self.post.refusal(game, seat, case.at, why, [], case.digest)
            return "refused: BIND: two seats with one address"
        own, at, wanted = words_of(said), case.at, understood(case.mail.wants)
        try:
            with self.store.decision():
                spoken = {"language": wanted} if wanted else {}
                game.change_seat(seat, address=case.mail.sender, kept=KEPT, **spoken)
                raw = self.store.raw("inbox", case.number)
                joined = sign_join(game, seat, HowKept(own), self.post.token(game, seat), raw, at)
                self.post.has_joined(game, seat, at, own)
                outcome = roster.join(game, joined, self.post, at, game.seats[seat].language)
        except Refused as error:
            return self.refuse_unsigned(case, error.code, str(error))
        self.be_ready(game.id, at)
        return outcome

    # -- what a mail says -----------------------------------------------------------------------------------------------

    def _reading(self, case: Case, game: HostedGame, put: PutLetter) -> AnswerRead:
        """Read an answer to a letter, so that anybody who has the letter and the mail gets the same result."""
        view, language = None, self.post.at_hand(game.seats[put.seat].language)
        if game.stage == "playing" and put.n == game.row.ask:
            referee = game.resume()
            due = referee.due()
            if isinstance(due, AnswersDue) and put.seat in due.to:
                view = referee.view(put.seat)
        listed = choices(game.pack, view) if view is not None and self._has_listed(game, view, put) else ()
        letter = f"{put.words}\n{case.quoting}" if case.quoting else put.words
        asked, most = game.course.asked_last(put.seat), game.course.most_ahead(put.seat)
        marks = marks_behind(game.pack, asked, most) if view is not None else {}
        return read_answer(case.mail.own, AskedByMail(game.pack, view, listed, language, letter, marks))

    def _has_listed(self, game: HostedGame, view: View, put: PutLetter) -> bool:
        """Return whether a letter has the list that the host would write now.

        After an update a number may mean another line. Then no number counts until the player answers the new list.
        """
        whole = letters_alone(put.words)
        for language in sorted(languages(), key=lambda one: one != spoken()):
            with speaking(language):
                listed = enumerate(choices(game.pack, view), 1)
                if all(f"{no}{letters_alone(one.words)}" in whole for no, one in listed):
                    return True
        return False

    def _do(self, case: Case, game: HostedGame, put: PutLetter, parts: Sequence[Part]) -> str:
        """Do what a mail says that counts."""
        seat = put.seat
        if evidence.AGREE.fullmatch(case.mail.own) and put.n == game.row.ask:
            return self._agree(case, game, seat, parts)
        reading = self._reading(case, game, put)
        if game.stage == "playing" and put.n != question_put(game, seat):
            back = any(point.n == put.n and point.seat == seat for point in game.course.back)
            if back and not reading.bad and [one.word for one in reading.commands] == ["UNDO"]:
                return self._state(case, game, seat, "UNDO", "", parts)
            return self._moves_nothing(
                case,
                game,
                seat,
                _("That question is closed, so your mail changed nothing."),
                "ignored: its question is closed",
            )
        if reading.bad:
            self.post.not_taken(game, seat, case.at, [str(one) for one in reading.bad], case.digest)
            return f"refused: FORM: {reading.bad[0]}"
        done = [self._command(case, game, put, one, parts) for one in reading.commands]
        if reading.press:
            done.append(self._press(case, game, seat, reading))
        if reading.order or reading.ahead:
            done.append(self._order(case, game, put, reading, parts))
        if reading.unread and (reading.order or reading.ahead or not done):
            first = (
                _("Your order was read.") if reading.order else _("Nothing in your mail could be read as an answer.")
            )
            note = self._moves_nothing(case, self.house.game(game.id), seat, first, "ignored: prose", reading.unread)
            done.append("" if done else note)
        if not done:
            return (
                "ignored: a letter that was forwarded"
                if case.mail.log
                else self._moves_nothing(case, game, seat, _("Your mail was empty."), "ignored: empty")
            )
        return next(filter(None, done))

    def _moves_nothing(
        self, case: Case, game: HostedGame, seat: str, first: str, outcome: str, unread: Sequence[str] = ()
    ) -> str:
        if self.post.may_answer("told", game.seats[seat].address, case.at):
            self.post.how_it_stands(game, seat, case.at, first, case.digest, unread)
        return outcome

    def _order(self, case: Case, game: HostedGame, put: PutLetter, reading: AnswerRead, parts: Sequence[Part]) -> str:
        """Sign an order for a seat, and let it count as any that is signed."""
        seat, due = put.seat, game.resume().due()
        if not isinstance(due, AnswersDue):
            return self._moves_nothing(case, game, seat, _("Nothing is asked of you now."), "ignored: nothing is asked")
        later = self._sent_ahead(case, game, seat, reading, parts)
        if not reading.order:
            return self._without_order(case, game, seat, later, parts)
        question = game.question(due)
        before = ahead.newest(game, seat, question.mark, due.ask)
        if before and before.texts == (reading.order, reading.plans):
            return self._without_order(case, game, seat, later, parts)
        if before and before.at > case.at:
            return self._moves_nothing(
                case, game, seat, _("A later mail of yours counts instead."), "ignored: a later order is here"
            )
        rev, by = before.rev + 1 if before else 0, held(game, seat)
        signed = keeper(game).sign(seat, by, game.course, question, reading.order, reading.plans, rev)
        return self._signed_for(case, game, replace(signed, ahead=later), parts)

    def _without_order(
        self, case: Case, game: HostedGame, seat: str, later: tuple[Envelope, ...], parts: Sequence[Part]
    ) -> str:
        """Apply premoves from a mail that has no order, or one that the host already has."""
        if later:
            return self._signed_for(case, game, replace(later[0], ahead=later[1:]), parts)
        return self._moves_nothing(case, game, seat, _("That order is here already."), "duplicate: that order is here")

    def _sent_ahead(
        self, case: Case, game: HostedGame, seat: str, reading: AnswerRead, parts: Sequence[Part]
    ) -> tuple[Envelope, ...]:
        """Sign the premoves of a seat, with the mails behind them; skip those that the host already has."""
        row, seen, found = game.seats[seat], (game.ledger.n, game.ledger.head), list[Envelope]()
        for mark, text in reading.ahead:
            before = ahead.newest(game, seat, mark, 0)
            if before is None or before.texts != (text, reading.plans):
                rev, by = before.rev + 1 if before else 0, held(game, seat)
                signed = keeper(game).ahead(seat, by, game.course, seen, (mark, text), reading.plans, rev)
                evidence.lay(
                    self.store, self.house.root, (game.id, game.g), seat, signed.say, parts, case.at, row.language
                )
                found.append(signed)
        return tuple(found)

    def _signed_for(self, case: Case, game: HostedGame, signed: Envelope, parts: Sequence[Part]) -> str:
        """Let something count that was signed for a seat; the mails behind it are kept."""
        say, row = signed.say, game.seats[str(signed.say["seat"])]
        place = (game.id, game.g)
        evidence.lay(self.store, self.house.root, place, row.seat, say, parts, case.at, row.language)
        signed = replace(signed, beside=evidence.beside(self.store, game.id, say))
        bare = Case(case.number, replace(case.mail, text=""), case.digest, case.at, case.way, game.id)
        return self.tried(game, signed, bare)

    def _press(self, case: Case, game: HostedGame, seat: str, reading: AnswerRead) -> str:
        no = max([0, *filter(None, self.store.values("press", "no", game=game.id, seat=seat))]) + 1
        pen = keeper(game).pen(seat, held(game, seat), game.course)
        return self.tried(game, pen.press(reading.press, reading.to, no), case)

    # -- what is said besides orders --------------------------------------------------------------------------------------

    def _command(self, case: Case, game: HostedGame, put: PutLetter, said: Wish, parts: Sequence[Part]) -> str:
        """Carry out a command of a line."""
        seat, course = put.seat, game.course
        row, word, rest = game.seats[seat], said.word, said.rest
        pen = keeper(game).pen(seat, held(game, seat), course)
        if word in _SURE:
            return self._ask_whether_sure(case, game, put, word)
        if word in ("UNDO", "AWAY"):
            return self._state(case, game, seat, word, rest, parts)
        if word == "AGAIN" and playing_again.is_offered(game):
            return playing_again.play_again(self.post, game, case.at, partial(self._moves_nothing, case, game, seat))
        if word == "ZONE":
            quiet, weekends = row.quiet or "off", row.weekends or "on"
            return self.tried(game, pen.time(rest, quiet, weekends, row.clocks + 1), case)
        if word == "ADDRESS":
            return self.tried(game, pen.address(rest, row.moves + 1), case)
        if word in _REQUESTS:
            since = whole(rest)
            request = Request(
                word, since, rest.lower() if word == "PICTURES" else "", rest.lower() if word == "CONFIRM" else ""
            )
            mail = replace(case.mail, wants=rest.lower() if word == "LANGUAGE" else case.mail.wants, sender=row.address)
            try:
                return requests.answer(self.post, mail, request, game.id, case.digest, case.at)
            except (Refused, UsageError) as error:
                return self._moves_nothing(case, game, seat, str(error), f"refused: FORM: {error}")
        return self._moves_nothing(
            case,
            game,
            seat,
            _("UNTIL sets a condition that the letter offers, never a day. For more time write AWAY 3 DAYS.")
            if word == "UNTIL"
            else _("{word} cannot be asked by a reply here.", word=word),
            f"ignored: {word}",
        )

    def _agree(self, case: Case, game: HostedGame, seat: str, parts: Sequence[Part]) -> str:
        """Agree for a seat to the one thing that is offered or proposed: an offer, a newcomer, other rules."""
        course = game.course
        open_: list[dict[str, Json]] = [
            {"about": n} for n, one in course.offers.items() if one.seat != seat and seat not in one.agreed
        ]
        proposals = [*newcomers.proposed(game).values(), *([{"rules": rules_here(game)}] if game.behind else [])]
        digests = [sha256_hex(cj(what)) for what in proposals]
        open_ += [{"what": digest} for digest in digests if seat not in course.pledges.get(digest, ())]
        if len(open_) == 1:
            return self._say(case, game, seat, parts, "agree", **open_[0])
        first = _("More than one thing is offered: say which.") if open_ else _("Nothing is offered or proposed now.")
        return self._moves_nothing(case, game, seat, first, "ignored: nothing to agree to")

    def _state(self, case: Case, game: HostedGame, seat: str, word: str, rest: str, parts: Sequence[Part]) -> str:
        """Make a statement for a seat, as its mail asks: take leave, take an answer back, agree to an offer, resign."""
        course = game.course
        offers = {offer.act: n for n, offer in course.offers.items() if offer.seat != seat and seat not in offer.agreed}
        more: dict[str, Json] = {}
        match word:
            case "AWAY":
                hours, left = 24 * (whole(rest) or 0), course.terms.leave - course.seats[seat].leave
                if hours > left:
                    return self._moves_nothing(
                        case,
                        game,
                        seat,
                        _(
                            "You have {left} hours of leave left in this game, and ask for {hours}.",
                            left=left,
                            hours=hours,
                        ),
                        "refused: ORDERING: not so much leave is left",
                    )
                act, more = "leave", {"hours": hours}
            case "UNDO" if TAKEBACK in offers:
                act, more = "agree", {"about": offers[TAKEBACK]}
            case "UNDO":
                point = next((one for one in reversed(course.back) if one.seat == seat), None)
                if point is None:
                    first = _("No answer of yours can be taken back now.")
                    return self._moves_nothing(case, game, seat, first, "ignored: nothing to take back")
                act, more = TAKEBACK, {"about": point.n}
            case "OFFER DRAW" if "draw" in offers:
                act, more = "agree", {"about": offers["draw"]}
            case "OFFER DRAW":
                act = "draw"
            case _:
                act = word.lower()
        return self._say(case, game, seat, parts, act, **more)

    def _say(self, case: Case, game: HostedGame, seat: str, parts: Sequence[Part], act: str, **more: Json) -> str:
        """Sign a statement for a seat, and let it count."""
        course, row = game.course, game.answers(game.row.ask).get(seat)
        holder = course.seats[seat]
        answer = (row.ask, row.rev) if row else holder.answer if holder.answer[0] >= 0 else None
        after = last_orders(answer, holder.ahead if holder.ahead[0] >= 0 else None)
        seen = (game.ledger.n, game.ledger.head)
        signed = keeper(game).state(seat, held(game, seat), course, seen, after, act, **more)
        return self._signed_for(case, game, signed, parts)

    # -- what is in doubt -------------------------------------------------------------------------------------------------

    def _ask_whether(self, case: Case, game: HostedGame, put: PutLetter, why: str) -> str:
        """Hold a mail, and ask its seat whether it is its player's: only where it says something, and only so often."""
        reading = self._reading(case, game, put)
        said = [line for line in (*reading.order.split("\n"), *reading.plans.split("\n")) if line]
        said += [f"{one.word} {one.rest}".strip() for one in reading.commands]
        said += [line for mark, text in reading.ahead for line in typed(mark, text)]
        if put.n != game.row.ask or not reading.says or not said:
            return f"ignored: in doubt, and it moves nothing ({case.mail.sender})"
        seat, code = put.seat, doubt_code(game, put.seat, case.number)
        if not self._hold(case, game, put, _MAIL, code):
            return "ignored: in doubt, and one is asked about already"
        self.post.is_this_yours(game, seat, case.at, code, case.mail.sender, why, said)
        return f"in doubt: {seat} is asked"

    def _ask_whether_sure(self, case: Case, game: HostedGame, put: PutLetter, word: str) -> str:
        """Ask a player whether he means what cannot be undone."""
        code = doubt_code(game, put.seat, case.number)
        if not self._hold(case, game, put, word, code):
            return self._moves_nothing(
                case,
                game,
                put.seat,
                _("Another letter waits for your YES or NO, or there were enough today. Answer that first."),
                "ignored: one is asked about already",
            )
        self.post.are_you_sure(game, put.seat, case.at, code, word)
        return f"to be confirmed: {word}, {put.seat}"

    def _hold(self, case: Case, game: HostedGame, put: PutLetter, what: str, code: str) -> bool:
        """Keep a mail until a YES comes; False where another is asked about, or enough were today."""
        seat, find = put.seat, partial(self.store.find, Doubt, game=game.id, seat=put.seat)
        if find(n=put.n, is_open=1) or len(find(since=later(case.at, hours=-24))) >= A_DAY:
            return False
        self.store.insert(
            "doubts", game=game.id, seat=seat, n=put.n, code=code, at=case.at, sender=case.mail.sender, what=what,
            mail=case.number, letter=put.id, is_open=1, words=put.words, raw=self.store.raw("inbox", case.number),
        )  # fmt: skip
        return True

    def _told_of_a_doubt(self, case: Case, doubt: Doubt, game: HostedGame) -> str:
        """Take a YES or a NO; with a YES the mail that was held counts, as of when it came."""
        mail, seat = case.mail, doubt.seat
        said = read_yes(mail.own)
        if is_a_robots(mail.robot) or game.seats[seat].kept != KEPT:
            return f"ignored: written by a robot ({mail.robot})"
        if mail.sender.lower() not in {*self._addresses(game, seat), doubt.sender.lower()}:
            return "ignored: a YES from elsewhere"
        if not said or not doubt.is_open:
            first = _("Reply YES or NO.") if doubt.is_open else _("That is settled already.")
            return self._moves_nothing(case, game, seat, first, "ignored: neither YES nor NO")
        self.store.change("doubts", doubt.id, is_open=0)
        if said == "no":
            return self._moves_nothing(case, game, seat, _("Then nothing in that mail counts."), f"no: {seat}")
        if said == "always":
            self.store.put("more_addresses", game=game.id, seat=seat, address=doubt.sender)
        raw = self.store.raw("doubts", doubt.id)
        asked = next(reversed(self.store.find(PutLetter, code=doubt.code)))
        parts: list[Part] = [
            ("letter", doubt.words.encode()),
            ("mail", raw),
            ("asked", asked.words.encode()),
            ("yes", self.store.raw("inbox", case.number)),
        ]
        if doubt.what != _MAIL:
            return self._state(case, game, seat, doubt.what, "", parts)
        held = Case(
            case.number, as_read(read_message(raw, own=self.post.address)), case.digest, doubt.at, case.way, game.id
        )
        put = PutLetter(doubt.letter, game.id, seat, doubt.n, "", "", doubt.at, doubt.words)
        return self._do(held, game, put, parts)
