"""The effect of signed statements in their game: taking a seat, being ready, answering; and the effect of deadlines.

Each function works inside the transaction of its caller, and returns in a few words what was done. A statement that is not allowed
raises Refused or OrderError; the caller then rolls back. Letters are put into the outbox with the decision.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

from pbem.games.touching import taken
from pbem.i18n import _
from pbem.kernel import Json, read_plans
from pbem.mail import said_otherwise
from pbem.referee import (
    Answer,
    AnswersDue,
    EndDue,
    Envelope,
    Referee,
    Refused,
    Scribe,
    Sent,
    TimeToAnswer,
    check_order,
    check_ready,
)

from . import ahead, observers, roster
from .ahead import Kept
from .deadlines import Deadlines
from .hosted import HostedGame, House, Receipt
from .post import Post
from .troubles import settle


class GamesInPlay:
    """All games of one host, as they are played."""

    def __init__(self, house: House, post: Post) -> None:
        self.house, self.post = house, post
        self.deadlines = Deadlines(house, post)
        self.clock: Callable[[], str] = lambda: ""
        """Tells when the host was last at work: where a mail is decided on later than it came, time runs from then."""

    def ready(self, game: HostedGame, envelope: Envelope, at: str) -> str:
        """Take a seat's word that it has seen the roster; when all are ready, begin."""
        seat = game.seat_of(envelope)
        if game.course.seats[seat].is_ready:
            return "duplicate: ready already"
        if held := roster.held(game):
            raise Refused("ASK", held)
        check_ready(envelope, game.history)
        moment = max(at, game.course.clock)
        game.ledger.append({"k": "ready", "by": seat, "say": envelope.say, "sig": envelope.sig, "at": moment})
        game.change_seat(seat, link_n=1)
        game.move_on(at)
        if game.course.phase == "play":
            self.house.store.change("games", game.id, stage="playing")
            settle(self.house.store, game.id)
            self.go_on(game, game.scribe(Referee.start(game.pack.rules, game.options)), at)
        return f"ready: {seat}"

    def order(self, game: HostedGame, envelope: Envelope, text: str, at: str) -> str:
        _not_behind(game)
        seat, say, referee = game.seat_of(envelope), envelope.say, game.resume()
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
        check_order(envelope, game.history, question)
        before = ahead.newest(game, seat, question.mark, due.ask)
        if before and before.rev >= say["rev"]:
            if before.say == say:
                kept = self._keep(game, referee, envelope.ahead, at)
                return _were_kept(kept) if kept else "duplicate: that order is here"
            raise Refused(
                "DOUBLE",
                _(
                    "Revision {here} of your answer is here already, perhaps from another machine of yours; this one is "
                    "revision {rev}. To replace it, let your program read this mail (“pbem read”) and order again: "
                    "that will be revision {next}.",
                    here=before.rev, rev=say["rev"], next=before.rev + 1,
                ),
            )  # fmt: skip
        order, plans = envelope.openings[0][6], envelope.openings[1][6]
        view = referee.view(seat)
        # what is refused here is told with what could stand there
        answer = self.house.read(
            game.id, due.ask, seat, (order, plans),
            lambda: Answer(taken(game.pack, view, order), read_plans(game.pack.rules, plans)),
        )  # fmt: skip
        sent = game.signed(envelope, answer, at)
        self._keep(game, referee, envelope.ahead, at)
        self.house.store.put("answers", ask=due.ask, **ahead.row_of(game, envelope, at))
        waiting = [other for other in due.to if other not in game.answers(due.ask)]
        otherwise = said_otherwise(text, envelope)
        reported = () if waiting else self.close(game, referee, due, at, {}, read={seat: sent})
        if seat not in reported or otherwise:  # a report that follows at once brings the signed receipt among its lines
            self.post.receipt(game, seat, at, Receipt(envelope, answer, sent.got, waiting, view, otherwise))
        return f"order: {seat}"

    def close(
        self,
        game: HostedGame,
        referee: Referee,
        due: AnswersDue,
        at: str,
        silent: Mapping[str, str],
        claim: int | None = None,
        read: Mapping[str, Sent] = MappingProxyType({}),
    ) -> tuple[str, ...]:
        """Write the answers to the open question and continue; return the seats that were sent a report.

        `silent` are the seats that gave none, and when they are skipped; `claim` is the entry that claims the game from them;
        `read` are answers that have just been read. Those that had no choice are not late.
        """
        free, forced = set(silent) - set(game.pace.forced), set(silent) & set(game.pace.forced)
        for seat in free:
            game.change_seat(seat, late=game.seats[seat].late + 1)
        scribe = game.scribe(referee)
        self._enter(game, scribe, due, at, read, silent, claim, frozenset(forced))
        return self.go_on(game, scribe, at)

    @staticmethod
    def _enter(
        game: HostedGame,
        scribe: Scribe,
        due: AnswersDue,
        at: str,
        read: Mapping[str, Sent],
        silent: Mapping[str, str],
        claim: int | None = None,
        forced: frozenset[str] = frozenset(),
    ) -> None:
        """Write the answers that are here, and the skips of the silent."""
        here = game.answers(due.ask)
        sent = {seat: read.get(seat) or game.sent(scribe.referee, row) for seat, row in here.items()}
        scribe.orders(sent, silent, at, claim, forced)
        game.forget_answers(due.ask)
        game.forget_ahead()

    def go_on(self, game: HostedGame, scribe: Scribe, at: str) -> tuple[str, ...]:
        """Write entries until somebody has to be asked or the game is over; return the seats that were sent a report.

        A seat with a fitting premove is not asked. A question bears the moment at which it is put, even if its causes came long
        before, because its time is for answering it.
        """
        referee, at = scribe.referee, self._moment(game, at)
        while True:
            scribe.write_on(at, self.time_for(game))
            due = referee.due()
            if not isinstance(due, AnswersDue):
                to = tuple(game.seats)
                self.settle(game, referee, at, to)
                return to
            if scribe.chains.nearly_used_up(game.course):
                self._renew(game, scribe, at)
                return ()
            used, unused = ahead.use(game, referee, due, self.post.telling)
            here = game.answers(due.ask)
            if to := tuple(seat for seat in due.to if seat not in here):
                self.settle(game, referee, at, to, unused=unused)
                return to
            self._enter(game, scribe, due, at, used, {})

    def time_for(self, game: HostedGame) -> TimeToAnswer:
        """Return what says how long a question, or a call, can be answered."""
        return lambda to, at: self.deadlines.due(game, to, self._moment(game, at))

    def _moment(self, game: HostedGame, at: str) -> str:
        return max(at, self.clock()) if game.course.terms.hours else at

    def _renew(self, game: HostedGame, scribe: Scribe, at: str) -> None:
        """Continue from new anchors, and call everybody to be ready."""
        scribe.renew(at, self.time_for(game))
        self.settle(game, scribe.referee, at, ())
        self.post.rosters(game, at, renewed=True)

    # -- sent ahead -------------------------------------------------------------------------------------------------

    def ahead(self, game: HostedGame, envelope: Envelope, at: str) -> str:
        """Keep orders sent ahead, for questions to come; one for the open question answers it."""
        _not_behind(game)
        referee = game.resume()
        due = referee.due()
        if not isinstance(due, AnswersDue):
            raise Refused("ASK", _("Nothing is asked in this game now."))
        before = game.waiting()
        kept = self._keep(game, referee, (envelope, *envelope.ahead), at)
        if not kept:
            return "duplicate: that is here"
        waiting = game.waiting()
        if before and not waiting:
            self.close(game, referee, due, at, {}, read={one.seat: one.sent for one in kept if one.sent})
        elif asked_now := tuple(seat for seat in waiting if seat not in before):  # its answer was taken back
            self.settle(game, referee, at, asked_now)
        else:
            game.move_on(at)
        return _were_kept(kept)

    def _keep(self, game: HostedGame, referee: Referee, envelopes: Iterable[Envelope], at: str) -> Sequence[Kept]:
        """Keep orders sent ahead, and send a receipt; return those that were not here before."""
        kept = list(filter(None, (ahead.take(game, referee, envelope, at) for envelope in envelopes)))
        if kept:
            self.post.kept(game, kept[0].seat, at, kept)
        return kept

    def settle(
        self,
        game: HostedGame,
        referee: Referee,
        at: str,
        to: tuple[str, ...],
        news: str = "",
        unused: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
    ) -> None:
        """Store the state of the game, and report to the seats `to`; `news` is the subject of the letter.

        `unused` says why a premove did not fit.
        """
        due, course = referee.due(), game.course
        open_ = due.ask if isinstance(due, AnswersDue) else None
        if course.phase == "called" and course.call:
            open_, asked = course.call.n, course.missing
        else:
            asked = due.to if isinstance(due, AnswersDue) else ()
        until = course.due if asked else ""
        game.move_on(at)
        self.deadlines.lay(game, referee, at)
        self.house.store.change(
            "games", game.id, ask=open_, asked=asked, due=until or None,
            snapshot=json.dumps(referee.snapshot(), separators=(",", ":")),
        )  # fmt: skip
        if isinstance(due, EndDue):
            self.house.store.change("games", game.id, stage="ended", result=due.result)
            settle(self.house.store, game.id)
        for seat in to:
            self.post.report(game, seat, at, referee, until, news, unused.get(seat, ()))
        observers.report(game, referee, self.post, at, until)

    def expire(self, game: HostedGame, at: str) -> bool:
        """Close the open question of a game if its time is past at `at`.

        Where a late answer is claimed by another seat it stays open, unless all who are silent have one answer only.
        """
        silent = game.waiting()
        if not game.row.due or at <= game.row.due or game.behind or game.course.phase != "asked":
            return False
        if game.claims and not set(silent) <= set(game.pace.forced):
            return False
        referee = game.resume()
        due = referee.due()
        if not isinstance(due, AnswersDue):
            return False
        self.close(game, referee, due, at, dict.fromkeys(silent, at))
        return True


def _were_kept(kept: Sequence[Kept]) -> str:
    """Say in a few words which players' orders were kept."""
    return f"ahead: {kept[0].seat}, marks {', '.join(str(one.mark) for one in kept)}"


def _not_behind(game: HostedGame) -> None:
    """Refuse orders in a game that waits for its players to agree to the rules that are here."""
    if game.behind:
        raise Refused(
            "RULES",
            _(
                "This game uses version {ver} of its rules, but the host has version {here}. The game "
                "continues when all players have agreed to that version: install it, and type “pbem say "
                "rules”.",
                ver=game.rules["ver"],
                here=game.pack.rules.version,
            ),
        )


def came_in_time(game: HostedGame, envelope: Envelope, at: str) -> str:
    """Return the deadline of an order's question if the order came in time and its seat was skipped; otherwise ""."""
    say, seat = envelope.say, envelope.say.get("seat")
    if say.get("act") not in ("order", "ahead") or not game.course.terms.hours:
        return ""
    due, ask = "", 0
    for n, entry in enumerate(game.ledger.entries()):
        match entry["k"]:
            case "ask" if _is_meant(say, n, entry):
                due, ask = str(entry.get("due", "")), n
            case "extend" if entry["ask"] == ask:
                due = str(entry["due"])
            case "skip" if entry["ask"] == ask and entry["to"] == seat and entry["why"] in ("due", "late"):
                return due if at <= due else ""
    return ""


def _is_meant(say: dict[str, Json], n: int, ask: dict[str, Json]) -> bool:
    if say["act"] == "order":
        return bool(say.get("ask") == n)
    return bool("mark" in ask and ask["mark"] == say.get("link_n") and say.get("seat") in ask["to"])
