"""The host's robot: takes mail in, decides, and lays letters in the outbox.

Raw mail is stored first. What follows from it (entries, attachments, answers, snapshot, letters) is written in one
transaction with the note that it has been decided: a host that is killed goes on where it stood, nothing is lost and
nothing done twice. Who wrote is told by signatures alone; answers go to registered addresses only.

It knows no clock: every `at` is the time a mail arrived (RFC 3339, UTC), handed in.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from email.utils import parseaddr
from hashlib import sha256

from pbem.errors import FormError, OrderError, PbemError, PlayerError, UsageError
from pbem.games import manifest
from pbem.kernel import Json
from pbem.ledger import SAY, PrivateKey, cj, sha256_hex, verify_sig
from pbem.mail import Incoming, read_block, read_message
from pbem.referee import (
    AnswersDue,
    EndDue,
    Envelope,
    Referee,
    Refused,
    Scribe,
    Sent,
    check_join,
    check_order,
    check_ready,
    host_chain,
    host_labels,
    opening_entry,
    receipt,
    signed_head,
)

from .essence import essence
from .hosted import HostedGame, House
from .post import Post, later
from .store import Store, StoredLedger


class Robot:
    """One host: its store, its key, its address."""

    def __init__(self, store: Store, key: PrivateKey, address: str) -> None:
        self.store, self.house = store, House(store, key)
        self.post = Post(self.house, address)

    # -- games begin and end ----------------------------------------------------------------------------------------

    def new_game(
        self, game: str, options: Json, players: Mapping[str, str], title: str, hours: int, fresh: str, at: str
    ) -> int:
        """Open a game and lay the invitations in the outbox; return its number here.

        `players` maps seats to addresses, `hours` is the time for an answer (0: no limit), `fresh` is randomness that the
        caller read from the system (or a seed, in a demo): the game's nonce and all its chains come from it.
        """
        rules, house = self.house.pack(game).rules, self.house
        opts = rules.options_model.model_validate(options).model_dump(mode="json")
        seats = rules.seats(opts)
        if set(players) != set(seats):
            raise UsageError(f"{rules.title} is played by {', '.join(seats)}: name an address for each, and no other.")
        nonce = house.root.nonce(fresh)
        chains = {label: host_chain(house.root, nonce, label) for label in host_labels(rules, seats)}
        anchors = {label: chain.anchor for label, chain in chains.items()}
        first = opening_entry(rules, opts, manifest(game)[1], nonce, house.key, anchors)
        g = sha256_hex(cj({**first, "n": 0, "prev": "0" * 64}))
        with self.store.decision():
            number = self.store.insert(
                "games", g=g, game=game, opts=json.dumps(opts), nonce=nonce, stage="joining", hours=hours, title=title, made=at,
                at=at, asked="[]",
            )  # fmt: skip
            for seat in seats:
                self.store.insert("seats", game=number, seat=seat, address=players[seat], link_n=0, sent_n=-1)
            for label, chain in chains.items():
                self.store.insert("chains", game=number, label=label, checkpoints=json.dumps(chain.checkpoints))
            StoredLedger(self.store, number, seats).append(first)
            self.post.invitations(house.game(number), at)
        return number

    def cancel(self, number: int, at: str) -> None:
        """Call off a game that has not begun, and tell those who were invited."""
        game = self.house.game(number)
        if game.stage not in ("joining", "readying"):
            raise UsageError(f"Game {number} is {game.stage}; only a game that has not begun can be cancelled.")
        with self.store.decision():
            self.store.change("games", number, stage="cancelled")
            self.post.called_off(game, at)

    def overview(self) -> list[dict[str, Json]]:
        """Return a row for each game: number, id, game, title, stage, entry, waiting."""
        games = [HostedGame(self.house, row) for row in self.store.rows("select * from games order by id")]
        return [
            {"number": game.id, "id": game.g[:8], "game": game.pack.rules.id, "title": game.title, "stage": game.stage}
            | {"entry": game.ledger.n, "waiting": game.waiting()}
            for game in games
        ]

    def status(self) -> dict[str, Json]:
        """Return how many games there are by stage, and how many mails came in, were refused, and wait to go out."""
        stages = self.store.rows("select stage, count(*) as n from games group by stage order by stage")
        mails = self.store.row(
            "select count(*) as mails_in, coalesce(sum(outcome = ''), 0) as mails_undecided, "
            "coalesce(sum(outcome like 'refused%'), 0) as mails_refused from inbox"
        )
        out = self.store.row(
            "select count(*) as mails_out, (select count(*) from outbox where sent = 0) as mails_unsent from outbox"
        )
        return {f"games_{row['stage']}": row["n"] for row in stages} | (mails or {}) | (out or {})

    def export(self, number: int) -> bytes:
        """Return the whole log of a game, with everything the host holds."""
        return self.house.game(number).ledger.whole().dump()

    def tick(self, at: str) -> int:
        """Close every question whose time is past, with the default of each silent seat; return how many were closed."""
        overdue = self.store.rows("select id from games where due < ? order by due, id", at)
        closed = 0
        for row in overdue:
            with self.store.decision():
                closed += self._expire(self.house.game(row["id"]), at)
        return closed

    def _expire(self, game: HostedGame, at: str) -> bool:
        """Close the open question of a game if its time is past at `at`."""
        if game.row["due"] is None or at <= game.row["due"]:
            return False
        referee = game.resume()
        due = referee.due()
        if not isinstance(due, AnswersDue):
            return False
        silent = {seat: at for seat in due.to if seat not in game.answers(due.ask)}
        self._close(game, referee, due, at, silent)
        return True

    # -- mail -------------------------------------------------------------------------------------------------------

    def take(self, raw: bytes, at: str, door: str = "", sender: str | None = None, recipient: str | None = None) -> str:
        """Store a mail and decide on it; return what was decided, in a few words. A mail taken before is a duplicate.

        `door` names the way it came; `sender` and `recipient` are those of its envelope, None where the door tells none.
        """
        number = self.keep(raw, at, door, sender, recipient)
        if number is None:
            self.catch_up()
            return "duplicate"
        return self._decide(number)

    def keep(
        self, raw: bytes, at: str, door: str = "", sender: str | None = None, recipient: str | None = None
    ) -> int | None:
        """Store a mail, to be decided on; return its number, or None when it is here already."""
        same = essence(raw)
        with self.store.decision():
            if self.store.row("select id from inbox where essence = ?", same):
                return None
            return self.store.insert(
                "inbox", sha256=sha256(raw).hexdigest(), essence=same, said="", at=at, door=door, sender=sender,
                recipient=recipient, outcome="", raw=raw,
            )  # fmt: skip

    def catch_up(self) -> int:
        """Decide on every mail that was stored but not decided, as after a crash; return how many."""
        left = self.store.rows("select id from inbox where outcome = '' order by id")
        for row in left:
            self._decide(row["id"])
        return len(left)

    def _decide(self, number: int) -> str:
        with self.store.decision():
            row = self.store.row("select * from inbox where id = ?", number) or {}
            if row["outcome"]:  # another program of this host was quicker
                return str(row["outcome"])
            outcome = self._outcome(read_message(row["raw"]), row["essence"], row["at"])
            self.store.change("inbox", number, outcome=outcome)
        return outcome

    def _outcome(self, mail: Incoming, digest: str, at: str) -> str:
        if mail.problem:
            return f"unreadable: {mail.problem}"
        try:
            envelope = read_block(mail.text)
        except FormError as error:
            return self._refuse_unsigned(mail, str(error), digest, at)
        if envelope is None:
            why = "It holds no signed block. Orders are made with “pbem order”."
            return self._refuse_unsigned(mail, why, digest, at)
        row = self.store.row("select id from games where g = ?", str(envelope.say.get("game", "")))
        if row is None:
            return self._refuse_unsigned(mail, "It is signed for a game that this host does not know.", digest, at)
        self._expire(self.house.game(row["id"]), at)  # 3: an ask closes at once when its time is past
        game = self.house.game(row["id"])
        try:
            with self.store.decision():  # what a refused mail began is undone
                return self._handle(game, envelope, at)
        except (PlayerError, FormError) as error:
            return self._refuse(game, envelope, mail, error, digest, at)

    def _handle(self, game: HostedGame, envelope: Envelope, at: str) -> str:
        match (envelope.say.get("act"), game.stage):
            case ("join", "joining"):
                return self._join(game, envelope, at)
            case ("ready", "readying"):
                return self._ready(game, envelope, at)
            case ("order", "playing"):
                return self._order(game, envelope, at)
            case ("join" | "ready", "readying" | "playing"):
                return "duplicate: that step is done"
            case (_, "cancelled"):
                raise Refused("ASK", "This game was called off before it began.")
            case (_, "ended"):
                raise Refused("ASK", "This game is over; nothing can be ordered any more.")
            case (act, stage):
                raise Refused("FORM", f"“{act}” cannot be taken while the game is {stage}.")

    def _join(self, game: HostedGame, envelope: Envelope, at: str) -> str:
        taken = {name: seat["key"] for name, seat in game.seats.items() if seat["key"]}
        check_join(envelope, game.g, list(game.seats), taken)
        say, seat = envelope.say, str(envelope.say["seat"])
        if seat in taken:
            return "duplicate: that seat is taken already"
        game.ledger.append({"k": "join", "by": seat, "say": say, "sig": envelope.sig, "at": at})
        game.change_seat(seat, key=say["key"], link_n=0, link=say["chain"])
        if len(taken) + 1 == len(game.seats):
            n, head = game.ledger.n, game.ledger.head
            game.ledger.attach(("head", "", n, ""), "", signed_head(self.house.key, game.g, n, head), game.seats)
            self.store.change("games", game.id, stage="readying")
            self.post.rosters(game, at)
        return f"joined: {seat}"

    def _ready(self, game: HostedGame, envelope: Envelope, at: str) -> str:
        seat, roster = game.seat(str(envelope.say.get("seat"))), len(game.seats)
        if seat.link_n:
            return "duplicate: ready already"
        check_ready(envelope, game.g, seat, game.row["nonce"], (roster, game.ledger.hash_of(roster) or ""))
        game.ledger.append({"k": "ready", "by": seat.seat, "say": envelope.say, "sig": envelope.sig, "at": at})
        game.keep_link(seat.seat, 1, envelope.say["link"])
        if all(other["link_n"] for other in game.seats.values()):
            self.store.change("games", game.id, stage="playing")
            self._go_on(game, game.scribe(Referee.start(game.pack.rules, game.options)), at)
        return f"ready: {seat.seat}"

    def _order(self, game: HostedGame, envelope: Envelope, at: str) -> str:
        held, say, ledger = game.seat(str(envelope.say.get("seat"))), envelope.say, game.ledger
        seat, referee = held.seat, game.resume()
        due = referee.due()
        if not isinstance(due, AnswersDue):
            raise Refused("ASK", "Nothing is asked in this game now.")
        if seat not in due.to:
            raise Refused(
                "ASK", f"Nothing is asked of {game.name(seat)} now; the game waits for {game.names(*due.to)}."
            )
        check_order(envelope, game.g, held, game.row["nonce"], game.question(due), ledger.hash_of, ledger.n)
        before = game.answers(due.ask).get(seat)
        if before and before["rev"] >= say["rev"]:
            if json.loads(before["say"]) == say:
                return "duplicate: that order is here"
            raise Refused(
                "DOUBLE",
                f"Revision {before['rev']} of your answer is here already; send this as revision {before['rev'] + 1}.",
            )
        answer = referee.read(seat, envelope.openings[0][6], envelope.openings[1][6])
        self.store.put(
            "answers", game=game.id, ask=due.ask, seat=seat, rev=say["rev"], say=json.dumps(say), sig=envelope.sig,
            openings=json.dumps(envelope.openings), at=at,
        )  # fmt: skip
        waiting = [other for other in due.to if other not in game.answers(due.ask)]
        reported = () if waiting else self._close(game, referee, due, at, {})
        if seat not in reported:
            got = receipt(self.house.key, game.g, say, at)
            self.post.receipt(game, seat, answer, say["rev"], waiting, got, at)
        return f"order: {seat}"

    def _close(
        self, game: HostedGame, referee: Referee, due: AnswersDue, at: str, silent: Mapping[str, str]
    ) -> tuple[str, ...]:
        """Write the answers to the open question and go on; return the seats that were sent a report."""
        sent = {}
        for seat, row in game.answers(due.ask).items():
            say, openings = json.loads(row["say"]), json.loads(row["openings"])
            answer = referee.read(seat, openings[0][6], openings[1][6])
            sent[seat] = Sent(
                say, row["sig"], row["at"], tuple(openings), receipt(self.house.key, game.g, say, row["at"]), answer
            )
        scribe = game.scribe(referee)
        scribe.orders(sent, silent)
        for seat, (n, link) in scribe.links.items():
            if n != game.seats[seat]["link_n"]:
                game.keep_link(seat, n, link)
        return self._go_on(game, scribe, at)

    def _go_on(self, game: HostedGame, scribe: Scribe, at: str) -> tuple[str, ...]:
        hours = game.row["hours"]
        until = later(max(at, game.row["at"]), hours=hours) if hours else None  # a clock put back shortens no time
        scribe.write_on(until)
        referee = scribe.referee
        due = referee.due()
        asked = due.to if isinstance(due, AnswersDue) else ()
        self.store.change(
            "games", game.id, at=at, ask=due.ask if isinstance(due, AnswersDue) else None, asked=json.dumps(asked),
            due=until if asked else None, snapshot=json.dumps(referee.snapshot(), separators=(",", ":")),
        )  # fmt: skip
        if isinstance(due, EndDue):
            self.store.change("games", game.id, stage="ended", result=json.dumps(due.result))
        to = asked or tuple(game.seats)
        for seat in to:
            self.post.report(game, referee, seat, at, until or "")
        return to

    # -- refusals ---------------------------------------------------------------------------------------------------

    def _refuse(
        self, game: HostedGame, envelope: Envelope, mail: Incoming, error: PlayerError | FormError, digest: str, at: str
    ) -> str:
        code = error.code if isinstance(error, Refused) else "ILLEGAL" if isinstance(error, OrderError) else "FORM"
        seat = self._writer(game, envelope, mail, at)
        if seat is not None:
            received = _received(envelope) if isinstance(error, OrderError) else []
            self.post.refusal(game, seat, str(error), received, digest, at)
        return f"refused: {code}: {error}"

    def _refuse_unsigned(self, mail: Incoming, why: str, digest: str, at: str) -> str:
        """Answer a mail without a usable block: only to an address registered here, and about one of its games."""
        if mail.automatic:
            return "ignored: written by a robot"
        address = parseaddr(mail.sender)[1].lower()
        row = self.store.row(
            "select seats.game, seat, address from seats join games on games.id = seats.game where lower(address) = ? "
            "order by stage in ('ended', 'cancelled'), games.id desc limit 1",
            address,
        )
        if row is not None and self.post.may_refuse(row["address"], at):
            self.post.refusal(self.house.game(row["game"]), row["seat"], why, [], digest, at)
        return f"refused: FORM: {why}"

    def _writer(self, game: HostedGame, envelope: Envelope, mail: Incoming, at: str) -> str | None:
        """Whom to answer: the seat that signed, or the seat registered for the address; a stranger gets no answer."""
        seat = str(envelope.say.get("seat"))
        if seat in game.seats and _signed_by(envelope, game.seats[seat]["key"]):
            return seat
        address = parseaddr(mail.sender)[1].lower()
        for name, row in game.seats.items():
            if row["address"].lower() == address and not mail.automatic and self.post.may_refuse(row["address"], at):
                return name
        return None


def _signed_by(envelope: Envelope, key: str | None) -> bool:
    try:
        return bool(key) and verify_sig(str(key), SAY, cj(envelope.say), envelope.sig)
    except PbemError:
        return False


def _received(envelope: Envelope) -> list[str]:
    order, plans = (str(opening[6]) for opening in envelope.openings)
    return order.split("\n") + (["PLANS", *plans.split("\n")] if plans else [])
