"""Players' statements other than orders: taken, entered, and told to everybody; and their consequences.

`GamesInPlay` handles being ready and answering; this module handles the rest. The course of the log decides whether a say is
allowed, as for any verifier.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

from pbem.games import manifest
from pbem.i18n import N_, _
from pbem.kernel import Json
from pbem.ledger import TAKEBACK, cj, hold_of, longest, objection, pledged, sha256_hex
from pbem.referee import (
    AnswersDue,
    EndDue,
    Envelope,
    Referee,
    Refused,
    check_ready,
    check_rekey,
    check_say,
    receipt,
)

from . import budgets, evidence, members, moves, newcomers, succession, unread
from .hosted import HostedGame, House
from .moments import later
from .play import GamesInPlay
from .store.rows import OWN, KeptSay, Mail

_NEWS = {
    "resign": N_("a player has resigned"),
    "draw": N_("a draw is offered"),
    TAKEBACK: N_("a move is asked back"),
    "agree": N_("a player agrees"),
    "leave": N_("a player takes leave"),
}

ACTS = (*_NEWS, "claim")
"""What may be said while a game is played."""


class Says:
    """The talk in the games of one host."""

    def __init__(self, house: House, play: GamesInPlay) -> None:
        self.house, self.play = house, play

    def take(self, game: HostedGame, envelope: Envelope, at: str) -> str:
        """Enter a player's statement with all its consequences; return what was done. Raises Refused.

        A statement that follows an own order not yet in the log waits for it (`enter_waiting`).
        """
        seat, say = game.seat_of(envelope), envelope.say
        if self._was_said(game, envelope):
            return "duplicate: that was said"
        if check_say(envelope, game.history, at):
            return self._keep(game, envelope, at)
        act = str(say["act"])
        if act not in ("resign", "claim"):  # these can be said once
            budgets.check_said(_moments(game.ledger.entries(), "say", seat), budgets.MOST_SAID, at)
        if act == "agree" and "what" in say:
            return self._agree(game, envelope, at)
        referee, called = game.resume(), game.course.phase == "called"
        due = referee.due()
        if act == "claim" and not called and isinstance(due, AnswersDue):
            return self._claim(game, envelope, referee, due, at)
        if act == TAKEBACK and referee.trail.back_to(say["about"]) is None:
            raise Refused(
                "BIND", _("Since then something was shown that cannot be made unseen. Nothing can be taken back.")
            )
        scribe = game.scribe(referee)
        scribe.say(envelope, at)
        phase = game.course.phase
        if phase == "play" and not called:
            self._report_rest(game, referee, at, self.play.go_on(game, scribe, at), N_("an answer was taken back"))
            return f"agree: {seat}"
        if called and phase in ("play", "told"):
            self._report_rest(game, referee, at, self.play.go_on(game, scribe, at), N_("a player is out"))
            return f"{act}: {seat}"
        if act == "resign" and isinstance(due, AnswersDue):
            self.house.store.delete("answers", game=game.id, ask=due.ask, seat=seat)
            left = referee.due()
            if isinstance(left, AnswersDue) and set(left.to) <= set(game.answers(left.ask)):
                self._close(game, referee, left, at, {})
                return f"resign: {seat}"
        news = N_("the game is over") if isinstance(referee.due(), EndDue) else _NEWS.get(act, N_("a player is out"))
        self.play.settle(game, referee, at, tuple(game.seats), news)
        return f"{act}: {seat}"

    @staticmethod
    def _was_said(game: HostedGame, envelope: Envelope) -> bool:
        """Does the log hold it, or does it wait here?"""
        say, seat = envelope.say, game.course.seats.get(str(envelope.say.get("seat")))
        no = say.get("no")
        if seat is None or type(no) is not int:
            return False
        kept = game.house.store.get(KeptSay, game=game.id, seat=str(say["seat"]))
        if kept and kept.say == say:
            return True
        entries = game.ledger.entries() if no <= seat.said else []
        return any(entry["k"] in ("say", "rekey") and entry["say"] == say for entry in entries)

    def _keep(self, game: HostedGame, envelope: Envelope, at: str) -> str:
        """Keep a say until the order that its seat signed before it is in the log; its receipt says that it is here."""
        seat, say = str(envelope.say["seat"]), envelope.say
        if before := self.house.store.get(KeptSay, game=game.id, seat=seat):
            self._note(before, "ignored: its seat has said another thing after it")
        self.house.store.put("kept_says", game=game.id, seat=seat, no=say["no"], say=say, sig=envelope.sig, at=at)
        self.play.post.noted(game, seat, at, envelope, receipt(self.house.key, game.g, say, at))
        return _kept(say)

    def enter_waiting(self, number: int, at: str) -> None:
        """Enter what players said in a game behind an order that is in the log by now, or never will be."""
        for kept in self.house.store.find(KeptSay, order="at, seat", game=number):
            game = self.house.game(number)
            envelope = Envelope(kept.say, kept.sig, beside=evidence.beside(self.house.store, game.id, kept.say))
            try:
                with self.house.store.decision():
                    if game.stage == "playing" and check_say(envelope, game.history, at):
                        continue
                    self.house.store.delete("kept_says", game=game.id, seat=kept.seat)
                    over = "ignored: the game is over"
                    self._note(kept, self.take(game, envelope, at) if game.stage == "playing" else over)
            except Refused as why:
                self.house.store.delete("kept_says", game=game.id, seat=kept.seat)
                digest = sha256_hex(cj([envelope.sig, game.ledger.n]))
                self.play.post.refusal(game, kept.seat, at, str(why), [], digest)
                self._note(kept, f"refused: {why.code}: {why}")

    def _note(self, kept: KeptSay, outcome: str) -> None:
        """Note the outcome for the mail that brought a kept say."""
        for mail in self.house.store.find(Mail, game=kept.game, outcome=_kept(kept.say)):
            self.house.store.change("inbox", mail.id, outcome=outcome)

    def _claim(self, game: HostedGame, envelope: Envelope, referee: Referee, due: AnswersDue, at: str) -> str:
        """Close the open question, its time being over, for a seat that has answered."""
        seat = str(envelope.say["seat"])
        if seat in due.to and seat not in game.answers(due.ask):
            raise Refused("ASK", _("You have not answered yourself. Order first, and claim then."))
        silent = dict.fromkeys(game.waiting(), at)
        if set(silent) <= set(game.pace.forced):
            raise Refused(
                "ASK",
                _("The missing answers have only one legal choice each, so nobody is late. Those answers are taken."),
            )
        n = game.scribe(referee).say(envelope, at)
        self._close(game, referee, due, at, silent, n)
        return f"claim: {seat}"

    def rekey(self, game: HostedGame, envelope: Envelope, at: str) -> str:
        """Let a seat continue with another key or chain, and call everybody to be ready again. Raises Refused."""
        seat = game.seat_of(envelope)
        if self._was_said(game, envelope):
            return "duplicate: that key counts already"
        budgets.check_said(_moments(game.ledger.entries(), "rekey", seat), budgets.MOST_KEYS, at)
        referee = game.resume()
        check_rekey(envelope, game.history, at)
        game.scribe(referee).rekey(envelope, at, self.play.time_for(game))
        self.house.store.hand_on_at_door(game.id, seat, game.seats[seat].key or "", envelope.say["key"])
        members.rekeyed(self.house.store, game.seats[seat].key or "", envelope.say["key"])
        game.change_seat(seat, key=envelope.say["key"], kept=OWN)
        moves.forget(game, seat)
        self.play.settle(game, referee, at, ())
        self.play.post.rosters(game, at, seat)
        return f"rekey: {seat}"

    def ready(self, game: HostedGame, envelope: Envelope, at: str) -> str:
        """Take a seat's word that it is ready again; when all are, put the question again. Raises Refused."""
        seat = game.seat_of(envelope)
        if seat not in game.course.missing:
            return "duplicate: that step is done"
        referee = game.resume()
        check_ready(envelope, game.history)
        scribe = game.scribe(referee)
        scribe.ready(envelope, at)
        self.play.post.ready(game, seat, at, receipt(self.house.key, game.g, envelope.say, at))
        game.forget_ahead()
        if game.course.missing:
            self.play.settle(game, referee, at, ())
        else:
            self._report_rest(game, referee, at, self.play.go_on(game, scribe, at), N_("the game continues"))
        return f"ready: {seat}"

    def _agree(self, game: HostedGame, envelope: Envelope, at: str) -> str:
        """Enter an agreement to continue by this host's rules. When all have agreed, do so."""
        seat, say = str(envelope.say["seat"]), envelope.say
        for other, newcomer in newcomers.proposed(game).items():
            if say["what"] == sha256_hex(cj(newcomer)):
                return self._welcome(game, envelope, at, other, newcomer)
        what = {"rules": rules_here(game)}
        if say["what"] != sha256_hex(cj(what)):
            raise Refused(
                "BIND",
                _(
                    "You agree to something that is not proposed here. This host has version {ver} of the rules, "
                    "with the fingerprint {fingerprint}….",
                    ver=game.pack.rules.version, fingerprint=what["rules"]["sha256"][:16],
                ),
            )  # fmt: skip
        if not game.behind:
            raise Refused("BIND", _("The game is played by these rules already."))
        referee, rules = game.resume(), what["rules"]
        scribe = game.scribe(referee)
        scribe.say(envelope, at)
        if (agreed := pledged(game.course, what)) is None:
            self.play.settle(game, referee, at, tuple(game.seats), N_("a player agrees to other rules"))
            return f"agree: {seat}"
        scribe.amend(what, agreed, at)
        referee.renew(game.pack.rules, rules["ver"])
        self._report_rest(game, referee, at, self.play.go_on(game, scribe, at), N_("other rules from now on"))
        return f"agree: {seat}"

    def _welcome(self, game: HostedGame, envelope: Envelope, at: str, seat: str, what: Json) -> str:
        """Enter an agreement to a newcomer, and when all have agreed, give him the seat and call everybody to be ready."""
        referee, by = game.resume(), str(envelope.say["seat"])
        scribe = game.scribe(referee)
        scribe.say(envelope, at)
        if seat not in succession.vanished(game, at):
            raise Refused(
                "BIND",
                _("The player of {seat} is there again: the seat is not to be given away.", seat=game.name(seat)),
            )
        if pledged(game.course, what) is None:
            self.play.settle(game, referee, at, tuple(game.seats), N_("a player agrees to a newcomer"))
            return f"agree: {by}"
        scribe.replace(newcomers.newcomer(game, seat), at, self.play.time_for(game))
        succession.settle_in(game, seat)
        self.play.settle(game, referee, at, ())
        self.play.post.rosters(game, at, seat)
        return f"agree: {by}"

    def _close(
        self,
        game: HostedGame,
        referee: Referee,
        due: AnswersDue,
        at: str,
        silent: Mapping[str, str],
        claim: int | None = None,
    ) -> None:
        """Close the open question, and report to everybody."""
        reported = self.play.close(game, referee, due, at, silent, claim)
        self._report_rest(game, referee, at, reported, N_("a player is out"))

    def _report_rest(self, game: HostedGame, referee: Referee, at: str, reported: tuple[str, ...], news: str) -> None:
        """Report to those who are asked nothing, too."""
        until = game.course.due if game.asked() else ""
        for seat in game.seats:
            if seat not in reported:
                self.play.post.report(game, seat, at, referee, until, news)


def _moments(entries: Sequence[Mapping[str, Json]], kind: str, seat: str) -> list[str]:
    """Return when a seat has said something of a kind, as entries of a log tell it."""
    return [str(entry["at"]) for entry in entries if entry["k"] == kind and entry["by"] == seat]


def _kept(say: Mapping[str, Json]) -> str:
    """Return the outcome noted for the mail that brought a say, as long as the say is kept."""
    return f"waits: {say['act']}, {say['seat']}"


def rules_here(game: HostedGame) -> dict[str, Json]:
    """Return the rules that this host has for a game, as a log names them."""
    return {"id": game.pack.rules.id, "ver": game.pack.rules.version, "sha256": manifest(game.pack)[1]}


def extend(play: GamesInPlay, game: HostedGame, until: str, why: str, at: str) -> None:
    """Give more time for the open question of a game, or to be ready, for a public reason.

    This is for the operator: holidays, quiet hours, a host that was down. `at` is the time of the decision. Raises Refused if the
    log cannot hold it: nothing is open, there is no limit, or `until` is not later than the present limit, or later than the terms
    allow.
    """
    game.check_moving()
    course, referee = game.course, game.resume()
    on = course.call if course.phase == "called" else course.question
    moment = max(at, course.clock)
    entry = {"k": "extend", "at": moment, "ask": on.n if on else 0, "due": until, "why": why}
    if found := objection(course, entry):
        raise Refused(found.code, found.reason)
    scribe = game.scribe(referee)
    scribe.extend(until, why, at)
    scribe.sign_head()
    play.settle(game, referee, at, tuple(game.seats), N_("more time to answer"))


def give_time(play: GamesInPlay, number: int, due: str, most: int | None, at: str) -> bool:
    """Give the time of a held deadline because mail of seats could not be read, by an entry for each seat; was any given?

    `most` are the days that a deadline is held, None: as many as the terms of the game allow.
    """
    store, given = play.house.store, False
    for one in unread.holding(store, number, due):
        game = play.house.game(number)
        allowed = longest(game.course)
        until = allowed if most is None else min(later(due, hours=24 * most), allowed)
        until = max(until, later(str(game.row.due), minutes=1))
        unread.was_held(store, one, until)
        if until > at:
            with suppress(Refused):  # the terms allow no more: the deadline is held without an entry
                extend(play, game, until, hold_of(one.seat), at)
                given = True
    return given
