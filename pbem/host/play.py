"""What a signed statement does in its game: taking a seat, being ready, answering; and what the clock does.

Each function works inside the transaction of its caller, and says in a few words what was done. What may not be taken raises
Refused, or OrderError; what had been begun is then undone by the caller. Letters are laid in the outbox with the decision.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from pbem.mail import said_otherwise
from pbem.referee import (
    AnswersDue,
    EndDue,
    Envelope,
    Referee,
    Refused,
    Scribe,
    check_join,
    check_order,
    check_ready,
    receipt,
    signed_head,
)
from pbem.words import _

from . import ahead, observers
from .deadlines import Deadlines
from .hosted import HostedGame, House, Receipt
from .post import Post


class Play:
    """All games of one host, as they are played."""

    def __init__(self, house: House, post: Post) -> None:
        self.house, self.post = house, post
        self.deadlines = Deadlines(house, post)

    def join(self, game: HostedGame, envelope: Envelope, at: str, language: str = "") -> str:
        taken = {name: seat["key"] for name, seat in game.seats.items() if seat["key"]}
        check_join(envelope, game.g, list(game.seats), taken)
        say, seat = envelope.say, str(envelope.say["seat"])
        if seat in taken:
            return "duplicate: that seat is taken already"
        game.ledger.append({"k": "join", "by": seat, "say": say, "sig": envelope.sig, "at": at})
        spoken = {"language": language} if language else {}
        game.change_seat(seat, key=say["key"], link_n=0, link=say["chain"], **spoken)
        game.move_on(at)
        if len(taken) + 1 == len(game.seats):
            n, head = game.ledger.n, game.ledger.head
            game.ledger.attach(("head", "", n, ""), "", signed_head(self.house.key, game.g, n, head), game.seats)
            self.house.store.change("games", game.id, stage="readying")
            self.post.rosters(game, at)
        return f"joined: {seat}"

    def ready(self, game: HostedGame, envelope: Envelope, at: str) -> str:
        seat, roster = game.seat(str(envelope.say.get("seat"))), len(game.seats)
        if seat.link_n:
            return "duplicate: ready already"
        check_ready(envelope, game.g, seat, game.row["nonce"], (roster, game.ledger.hash_of(roster) or ""))
        game.ledger.append({"k": "ready", "by": seat.seat, "say": envelope.say, "sig": envelope.sig, "at": at})
        game.keep_link(seat.seat, 1, envelope.say["link"])
        game.move_on(at)
        if all(other["link_n"] for other in game.seats.values()):
            self.house.store.change("games", game.id, stage="playing")
            self.go_on(game, game.scribe(Referee.start(game.pack.rules, game.options)), at)
        return f"ready: {seat.seat}"

    def order(self, game: HostedGame, envelope: Envelope, text: str, at: str) -> str:
        _not_behind(game)
        held, say, ledger = game.seat(str(envelope.say.get("seat"))), envelope.say, game.ledger
        seat, referee = held.seat, game.resume()
        due = referee.due()
        if not isinstance(due, AnswersDue):
            raise Refused("ASK", _("Nothing is asked in this game now."))
        if seat not in due.to:
            raise Refused(
                "ASK",
                _(
                    "Nothing is asked of {seat} now; the game waits for {seats}.",
                    seat=game.name(seat), seats=game.names(*due.to),
                ),
            )  # fmt: skip
        question = game.question(due)
        check_order(envelope, game.g, held, game.row["nonce"], question, ledger.hash_of, ledger.n)
        before = ahead.newest(game, seat, question.mark, due.ask)
        if before and before["rev"] >= say["rev"]:
            if json.loads(before["say"]) == say:
                return self._keep(game, referee, envelope.ahead, at) or "duplicate: that order is here"
            raise Refused(
                "DOUBLE",
                _(
                    "Revision {here} of your answer is here already, perhaps from another machine of yours; this one is "
                    "revision {rev}. To replace it, let your program read this mail (“pbem read”) and order again: "
                    "that will be revision {next}.",
                    here=before["rev"], rev=say["rev"], next=before["rev"] + 1,
                ),
            )  # fmt: skip
        answer = referee.read(seat, envelope.openings[0][6], envelope.openings[1][6])
        self._keep(game, referee, envelope.ahead, at)
        self.house.store.put(
            "answers", game=game.id, ask=due.ask, seat=seat, rev=say["rev"], say=json.dumps(say), sig=envelope.sig,
            openings=json.dumps(envelope.openings), at=at,
        )  # fmt: skip
        waiting = [other for other in due.to if other not in game.answers(due.ask)]
        got, otherwise = receipt(self.house.key, game.g, say, at), said_otherwise(text, envelope)
        reported = () if waiting else self.close(game, referee, due, at, {})
        if seat not in reported or otherwise:  # a report that follows at once brings the signed receipt among its lines
            self.post.receipt(game, seat, Receipt(envelope, answer, got, waiting, otherwise), at)
        return f"order: {seat}"

    def close(
        self,
        game: HostedGame,
        referee: Referee,
        due: AnswersDue,
        at: str,
        silent: Mapping[str, str],
        claim: int | None = None,
    ) -> tuple[str, ...]:
        """Write the answers to the open question and go on; return the seats that were sent a report.

        `silent` are the seats that gave none, and when they are skipped; `claim` is the entry that claims the game from them.
        Those that had no choice are not late.
        """
        free, forced = set(silent) - set(game.pace.forced), set(silent) & set(game.pace.forced)
        for seat in free:
            game.change_seat(seat, late=game.seats[seat]["late"] + 1)
        scribe = game.scribe(referee)
        self._enter(game, scribe, due, at, silent, claim, frozenset(forced) if game.claims else frozenset())
        return self.go_on(game, scribe, at)

    @staticmethod
    def _enter(
        game: HostedGame,
        scribe: Scribe,
        due: AnswersDue,
        at: str,
        silent: Mapping[str, str],
        claim: int | None = None,
        forced: frozenset[str] = frozenset(),
    ) -> None:
        """Write the answers that are here, and the skips of the silent."""
        sent = {seat: game.sent(scribe.referee, row) for seat, row in game.answers(due.ask).items()}
        scribe.orders(sent, silent, at, claim, forced)
        for seat, (n, link) in scribe.links.items():
            if n != game.seats[seat]["link_n"]:
                game.keep_link(seat, n, link)

    def go_on(self, game: HostedGame, scribe: Scribe, at: str) -> tuple[str, ...]:
        """Write what is due until somebody has to be asked or the game is over; return the seats that were sent a report.

        Who has sent a fitting order ahead is not asked.
        """
        referee = scribe.referee
        while True:
            scribe.write_on(lambda to: self.deadlines.due(game, to, at), at)
            due = referee.due()
            if not isinstance(due, AnswersDue):
                to = tuple(game.seats)
                self.settle(game, referee, at, None, to)
                return to
            unused = ahead.use(game, referee, due, self.post.telling)
            here = game.answers(due.ask)
            if to := tuple(seat for seat in due.to if seat not in here):
                self.settle(game, referee, at, game.ledger.entry(due.ask).get("due"), to, unused=unused)
                return to
            self._enter(game, scribe, due, at, {})

    # -- sent ahead -------------------------------------------------------------------------------------------------

    def ahead(self, game: HostedGame, envelope: Envelope, at: str) -> str:
        """Keep orders sent ahead, for questions to come; one for the open question answers it."""
        _not_behind(game)
        referee = game.resume()
        due = referee.due()
        if not isinstance(due, AnswersDue):
            raise Refused("ASK", _("Nothing is asked in this game now."))
        before = game.waiting()
        done = self._keep(game, referee, (envelope, *envelope.ahead), at)
        if not done:
            return "duplicate: that is here"
        waiting = game.waiting()
        if before and not waiting:
            self.close(game, referee, due, at, {})
        elif asked_now := tuple(seat for seat in waiting if seat not in before):  # its answer was taken back
            until = game.ledger.entry(due.ask).get("due")
            self.settle(game, referee, at, until, asked_now)
        else:
            game.move_on(at)
        return done

    def _keep(self, game: HostedGame, referee: Referee, envelopes: Iterable[Envelope], at: str) -> str:
        """Keep orders sent ahead, and send a receipt; say in a few words whose they are, "" where all were here before."""
        kept = list(filter(None, (ahead.take(game, referee, envelope, at) for envelope in envelopes)))
        if not kept:
            return ""
        seat = str(kept[0].envelope.say["seat"])
        self.post.kept(game, seat, kept, at)
        return f"ahead: {seat}, marks {', '.join(str(one.mark) for one in kept)}"

    def settle(
        self,
        game: HostedGame,
        referee: Referee,
        at: str,
        until: str | None,
        to: tuple[str, ...],
        news: str = "",
        called: tuple[str, ...] = (),
        unused: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
    ) -> None:
        """Keep how the game stands, and report to the seats `to`; `until` is the time to answer, `news` what the mail is about.

        `called` are the seats that are to say again that they are ready; `unused` says why an order sent ahead did not fit.
        """
        due = referee.due()
        asked = due.to if isinstance(due, AnswersDue) else called
        game.move_on(at)
        self.deadlines.lay(game, referee, until, at)
        self.house.store.change(
            "games", game.id, ask=due.ask if isinstance(due, AnswersDue) else None, asked=json.dumps(asked),
            due=until if asked else None, snapshot=json.dumps(referee.snapshot(), separators=(",", ":")),
        )  # fmt: skip
        if isinstance(due, EndDue):
            self.house.store.change("games", game.id, stage="ended", result=json.dumps(due.result))
        for seat in to:
            self.post.report(game, referee, seat, at, until or "", news, unused.get(seat, ()))
        observers.report(game, referee, self.post, at, until or "")

    def expire(self, game: HostedGame, at: str) -> bool:
        """Close the open question of a game if its time is past at `at`.

        Where a late answer is claimed by another seat it stays open, unless all who are silent have one answer only.
        """
        silent = game.waiting()
        if game.row["due"] is None or at <= game.row["due"] or game.behind:
            return False
        if game.claims and not set(silent) <= set(game.pace.forced):
            return False
        referee = game.resume()
        due = referee.due()
        if not isinstance(due, AnswersDue):
            return False
        self.close(game, referee, due, at, dict.fromkeys(silent, at))
        return True


def _not_behind(game: HostedGame) -> None:
    """Refuse orders in a game that waits for its players to agree to the rules that are here."""
    if game.behind:
        raise Refused(
            "RULES",
            f"This game is played by version {game.rules['ver']} of its rules, and the host has version "
            f"{game.pack.rules.version}. It goes on when all players have agreed to that: “pbem say rules”.",
        )
