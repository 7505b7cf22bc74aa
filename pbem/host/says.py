"""What players say besides their orders: taken, entered, and told to everybody; and what must follow from it.

`Play` does what a seat's joining, being ready and answering do; here stands the rest. Whether a say may stand is `Talk`'s to
know, as for anybody who checks the log.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pbem.games import manifest
from pbem.kernel import Json
from pbem.ledger import Talk, cj, sha256_hex
from pbem.referee import (
    AnswersDue,
    EndDue,
    Envelope,
    Referee,
    Refused,
    check_ready_again,
    check_rekey,
    check_say,
    receipt,
)
from pbem.words import N_, _

from . import succession
from .hosted import HostedGame, House
from .play import Play

_NEWS = {
    "resign": N_("a player has resigned"),
    "draw": N_("a draw is offered"),
    "takeback": N_("a move is asked back"),
    "agree": N_("a player agrees"),
    "leave": N_("a player takes leave"),
}

ACTS = (*_NEWS, "claim")
"""What may be said while a game is played."""


class Says:
    """The talk in the games of one host."""

    def __init__(self, house: House, play: Play) -> None:
        self.house, self.play = house, play

    def take(self, game: HostedGame, envelope: Envelope, at: str) -> str:
        """Enter what a player says, with all that follows from it; return what was done. Raises Refused."""
        held, say = game.seat(str(envelope.say.get("seat"))), envelope.say
        entries = game.ledger.entries()
        if any(entry["k"] == "say" and cj(entry["say"]) == cj(dict(say)) for entry in entries):
            return "duplicate: that was said"
        talk, act = Talk.read(entries), str(say["act"])
        if act == "agree" and "what" in say:
            return self._agree(game, envelope, at, talk)
        check_say(envelope, game.g, held, talk, game.ledger.hash_of, game.ledger.next_n, at)
        referee = game.resume()
        due = referee.due()
        if act == "claim" and isinstance(due, AnswersDue):
            if held.seat in due.to and held.seat not in game.answers(due.ask):
                raise Refused("ASK", _("You have not answered yourself. Order first, and claim then."))
            silent = dict.fromkeys(game.waiting(), at)
            if set(silent) <= set(game.pace.forced):
                raise Refused(
                    "ASK", _("Who has not answered has one legal answer only, so nobody is late. It is taken.")
                )
            n = game.scribe(referee).say(envelope, at, talk)
            self._close(game, referee, due, at, silent, n)
            return f"claim: {held.seat}"
        if act == "takeback" and referee.trail.back_to(say["about"]) is None:
            raise Refused(
                "BIND", _("Since then something was shown that cannot be made unseen. Nothing can be taken back.")
            )
        scribe = game.scribe(referee)
        scribe.say(envelope, at, talk)
        if talk.amends is not None:
            self._report_rest(game, referee, at, self.play.go_on(game, scribe, at), N_("an answer was taken back"))
            return f"agree: {held.seat}"
        if talk.called and talk.phase == "told" and not isinstance(referee.due(), EndDue):
            self._report_rest(game, referee, at, self.play.go_on(game, scribe, at), N_("a player is out"))
            return f"claim: {held.seat}"
        if act == "resign" and isinstance(due, AnswersDue):
            forget = "delete from answers where game = ? and ask = ? and seat = ?"
            self.house.store.db.execute(forget, (game.id, due.ask, held.seat))
            left = referee.due()
            if isinstance(left, AnswersDue) and set(left.to) <= set(game.answers(left.ask)):
                self._close(game, referee, left, at, {})
                return f"resign: {held.seat}"
        news = N_("the game is over") if isinstance(referee.due(), EndDue) else _NEWS[act]
        self.play.settle(game, referee, at, talk.due, tuple(game.seats), news)
        return f"{act}: {held.seat}"

    def rekey(self, game: HostedGame, envelope: Envelope, at: str) -> str:
        """Let a seat go on with another key, and call everybody to be ready again. Raises Refused."""
        held, say = game.seat(str(envelope.say.get("seat"))), envelope.say
        entries = game.ledger.entries()
        if any(entry["k"] == "rekey" and cj(entry["say"]) == cj(dict(say)) for entry in entries):
            return "duplicate: that key counts already"
        talk, referee = Talk.read(entries), game.resume()
        check_rekey(envelope, game.g, held, talk, game.ledger.hash_of, game.ledger.next_n, at)
        game.scribe(referee).rekey(envelope, at, talk)
        game.change_seat(held.seat, key=say["key"])
        self.play.settle(game, referee, at, talk.due, (), called=tuple(talk.missing))
        self.play.post.rosters(game, at, held.seat)
        return f"rekey: {held.seat}"

    def ready(self, game: HostedGame, envelope: Envelope, at: str) -> str:
        """Take a seat's word that it is ready again; when all are, put the question again. Raises Refused."""
        held, talk = game.seat(str(envelope.say.get("seat"))), Talk.read(game.ledger.entries())
        if held.seat not in talk.missing:
            return "duplicate: that step is done"
        if held.seat in talk.fresh:
            held = replace(held, link_n=0, link=talk.fresh[held.seat])
        nonce, referee = game.row["nonce"], game.resume()
        check_ready_again(envelope, game.g, held, nonce, talk, game.ledger.hash_of, game.ledger.next_n, at)
        scribe = game.scribe(referee)
        scribe.ready(envelope, at, talk)
        self.play.post.ready(game, held.seat, receipt(self.house.key, game.g, envelope.say, at), at)
        game.keep_link(held.seat, *scribe.links[held.seat])
        if talk.missing:
            self.play.settle(game, referee, at, talk.due, (), called=tuple(talk.missing))
        else:
            self._report_rest(game, referee, at, self.play.go_on(game, scribe, at), N_("the game goes on"))
        return f"ready: {held.seat}"

    def _agree(self, game: HostedGame, envelope: Envelope, at: str, talk: Talk) -> str:
        """Enter an agreement to go on by the rules that this host has, and when all have agreed, do."""
        held, say = game.seat(str(envelope.say["seat"])), envelope.say
        check_say(envelope, game.g, held, talk, game.ledger.hash_of, game.ledger.next_n, at)
        for seat, newcomer in succession.proposed(game).items():
            if say["what"] == sha256_hex(cj(newcomer)):
                return self._welcome(game, envelope, at, talk, seat, newcomer)
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
        scribe.say(envelope, at, talk)
        if (agreed := talk.pledged(what)) is None:
            self.play.settle(game, referee, at, talk.due, tuple(game.seats), N_("a player agrees to other rules"))
            return f"agree: {held.seat}"
        scribe.amend(what, agreed)
        referee.renew(game.pack.rules, rules["ver"])
        self._report_rest(game, referee, at, self.play.go_on(game, scribe, at), N_("other rules from now on"))
        return f"agree: {held.seat}"

    def _welcome(self, game: HostedGame, envelope: Envelope, at: str, talk: Talk, seat: str, what: Json) -> str:
        """Enter an agreement to a newcomer, and when all have agreed, give him the seat and call everybody to be ready."""
        referee, by = game.resume(), str(envelope.say["seat"])
        scribe = game.scribe(referee)
        scribe.say(envelope, at, talk)
        if seat not in succession.vanished(game):
            raise Refused("BIND", _("{seat} is there again: the seat is not to be given away.", seat=game.name(seat)))
        if (agreed := talk.pledged(what)) is None:
            self.play.settle(game, referee, at, talk.due, tuple(game.seats), N_("a player agrees to a newcomer"))
            return f"agree: {by}"
        scribe.replace(Envelope(what["player"]["say"], what["player"]["sig"]), agreed, talk)
        succession.settle_in(game, seat)
        self.play.settle(game, referee, at, talk.due, (), called=tuple(talk.missing))
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
        until = game.ledger.entry(game.ledger.n).get("due", "")
        for seat in game.seats:
            if seat not in reported:
                self.play.post.report(game, referee, seat, at, until, news)


def rules_here(game: HostedGame) -> dict[str, Json]:
    """Return the rules that this host has for a game, as a log names them."""
    return {"id": game.pack.rules.id, "ver": game.pack.rules.version, "sha256": manifest(game.pack)[1]}


def extend(play: Play, game: HostedGame, until: str, why: str, at: str) -> None:
    """Give more time for the open question of a game, for a reason that everybody may read; `at` is the time of the decision.

    For whoever keeps the deadlines: holidays, quiet hours, a host that stood still. Raises Refused where the log cannot hold it:
    nothing is open, it has no limit, or `until` is not later than the limit that stands.
    """
    talk, referee = Talk.read(game.ledger.entries()), game.resume()
    objection = talk.objection(game.ledger.next_n, {"k": "extend", "ask": talk.ask, "due": until, "why": why})
    if objection:
        raise Refused(objection.code, objection.reason)
    scribe = game.scribe(referee)
    scribe.extend(until, why)
    scribe.sign_head()
    play.settle(game, referee, at, until, tuple(game.seats), N_("more time to answer"))
