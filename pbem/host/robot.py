"""The host's robot: takes mail in, decides, and lays letters in the outbox.

Raw mail is stored first. What follows from it (entries, attachments, answers, snapshot, letters) is written in one
transaction with the note that it has been decided: a host that is killed goes on where it stood, nothing is lost and
nothing done twice. Who wrote is told by signatures alone; answers go to registered addresses only.

It knows no clock: every `at` is the time a mail arrived (RFC 3339, UTC), handed in.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from email.utils import parseaddr
from hashlib import sha256
from typing import Any

from pbem.errors import FormError, OrderError, PbemError, PlayerError, UsageError
from pbem.games import GamePack, find, manifest
from pbem.kernel import Json
from pbem.ledger import HashChain, PrivateKey, cj, fingerprint, player_root, sha256_hex
from pbem.mail import Incoming, read_block, read_message
from pbem.referee import (
    AnswersDue,
    EndDue,
    Envelope,
    Question,
    Referee,
    Refused,
    Scribe,
    Seat,
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
from pbem.reports.text import Report, groups, render

from .letters import About, Letters
from .store import Store, StoredLedger


class _Chains(dict[str, HashChain]):
    """The host's chains of a game, each made from its stored checkpoints when it is first wanted."""

    def __init__(self, table: _Table) -> None:
        super().__init__()
        self._table = table

    def __missing__(self, label: str) -> HashChain:
        table = self._table
        sql = "select checkpoints from chains where game = ? and label = ?"
        row = table.robot.store.row(sql, table.id, label)
        stored = json.loads(row["checkpoints"]) if row else None
        chain = self[label] = host_chain(table.robot.root, table.row["nonce"], label, stored)
        return chain


class _Table:
    """One game as the robot handles it within one decision."""

    def __init__(self, robot: Robot, row: Mapping[str, Any]) -> None:
        self.robot, self.row, self.id = robot, dict(row), int(row["id"])
        self.pack: GamePack = robot.pack(row["game"])
        self.options: Json = json.loads(row["opts"])
        self.g: str = row["g"]
        found = robot.store.rows("select * from seats where game = ? order by rowid", self.id)
        self.seats: dict[str, dict[str, Any]] = {seat["seat"]: seat for seat in found}
        self.ledger = StoredLedger(robot.store, self.id, tuple(self.seats))
        self.about = About(self.id, self.g, row["title"])

    @property
    def stage(self) -> str:
        return str(self.row["stage"])

    def name(self, seat: str) -> str:
        return self.pack.look.seat_name(seat)

    def scribe(self, referee: Referee) -> Scribe:
        links = {name: (seat["link_n"], seat["link"]) for name, seat in self.seats.items()}
        return Scribe(referee, self.ledger, self.g, self.robot.key, self.robot.root, _Chains(self), links)

    def resume(self) -> Referee:
        return Referee.resume(self.pack.rules, self.options, json.loads(self.row["snapshot"]))

    def seat(self, name: str) -> Seat:
        seat = self.seats[name]
        return Seat(name, seat["key"], seat["link_n"], seat["link"])

    def question(self, due: AnswersDue) -> Question:
        entry = self.ledger.entry(due.ask)
        return Question(due.ask, entry["secret"], entry.get("mark"), (due.ask, self.ledger.hash_of(due.ask) or ""))


class Robot:
    """One host: its store, its key, its address."""

    def __init__(self, store: Store, key: PrivateKey, address: str) -> None:
        self.store, self.key, self.letters = store, key, Letters(address)
        self.root = player_root(key)
        self._packs: dict[str, GamePack] = {}

    def pack(self, game: str) -> GamePack:
        """Return a game with all that belongs to it, looked for once."""
        if game not in self._packs:
            self._packs[game] = find(game)
        return self._packs[game]

    # -- games begin and end ----------------------------------------------------------------------------------------

    def new_game(
        self, game: str, options: Json, players: Mapping[str, str], title: str, hours: int, fresh: str, at: str
    ) -> int:
        """Open a game and lay the invitations in the outbox; return its number here.

        `players` maps seats to addresses, `hours` is the time for an answer (0: no limit), `fresh` is randomness that the
        caller read from the system (or a seed, in a demo): the game's nonce and all its chains come from it.
        """
        pack = self.pack(game)
        opts = pack.rules.options_model.model_validate(options).model_dump(mode="json")
        seats = pack.rules.seats(opts)
        if set(players) != set(seats):
            raise UsageError(
                f"{pack.rules.title} is played by {', '.join(seats)}: name an address for each, and no other."
            )
        nonce = self.root.nonce(fresh)
        chains = {label: host_chain(self.root, nonce, label) for label in host_labels(pack.rules, seats)}
        anchors = {label: chain.anchor for label, chain in chains.items()}
        first = opening_entry(pack.rules, opts, manifest(game)[1], nonce, self.key, anchors)
        g = sha256_hex(cj({**first, "n": 0, "prev": "0" * 64}))
        with self.store.decision():
            number = self.store.insert(
                "games", g=g, game=game, opts=json.dumps(opts), nonce=nonce, stage="joining", hours=hours, title=title, made=at
            )  # fmt: skip
            for seat in seats:
                self.store.insert("seats", game=number, seat=seat, address=players[seat], link_n=0, sent_n=-1)
            for label, chain in chains.items():
                self.store.insert("chains", game=number, label=label, checkpoints=json.dumps(chain.checkpoints))
            StoredLedger(self.store, number, seats).append(first)
            table = self._table(number)
            for seat in seats:
                text = self.letters.text(
                    "invitation",
                    game=pack.rules.title,
                    title=title,
                    seat=table.name(seat),
                    others=[(table.name(other), players[other]) for other in seats if other != seat],
                    options=[f"{name}: {value}" for name, value in opts.items()],
                    host_key=fingerprint(self.key.key_line),
                    game_id=g[:8],
                )
                self._post(table, seat, f"invitation.{seat}", "you are invited", text, at, with_log=True)
        return number

    def cancel(self, number: int, at: str) -> None:
        """Call off a game that has not begun, and tell those who were invited."""
        table = self._table(number)
        if table.stage not in ("joining", "readying"):
            raise UsageError(f"Game {number} is {table.stage}; only a game that has not begun can be cancelled.")
        with self.store.decision():
            self.store.change("games", number, stage="cancelled")
            text = self.letters.text("notice", text=f"The host has called off {table.row['title']} before it began.")
            for seat in table.seats:
                self._post(table, seat, f"cancelled.{seat}", "called off", text, at)

    def overview(self) -> list[dict[str, Json]]:
        """Return a row for each game: number, id, game, title, stage, entry, waiting."""
        rows = []
        for row in self.store.rows("select * from games order by id"):
            table = _Table(self, row)
            waiting: list[str] = []
            match table.stage:
                case "joining":
                    waiting = [name for name, seat in table.seats.items() if not seat["key"]]
                case "readying":
                    waiting = [name for name, seat in table.seats.items() if not seat["link_n"]]
                case "playing":
                    due = table.resume().due()
                    if isinstance(due, AnswersDue):
                        here = self._answers(table, due.ask)
                        waiting = [seat for seat in due.to if seat not in here]
            rows.append(
                {
                    "number": table.id,
                    "id": table.g[:8],
                    "game": row["game"],
                    "title": row["title"],
                    "stage": table.stage,
                }
                | {"entry": table.ledger.n, "waiting": waiting}
            )
        return rows

    def status(self) -> dict[str, Json]:
        """Return how many games there are by stage, and how many mails came in, were refused, and wait to go out."""
        stages = self.store.rows("select stage, count(*) as n from games group by stage order by stage")
        mails = self.store.row(
            "select count(*) as mails_in, coalesce(sum(outcome = ''), 0) as mails_undecided, "
            "coalesce(sum(outcome like 'refused%'), 0) as mails_refused from inbox"
        )
        out = self.store.row("select count(*) as mails_out, coalesce(sum(sent = 0), 0) as mails_unsent from outbox")
        return {f"games_{row['stage']}": row["n"] for row in stages} | (mails or {}) | (out or {})

    def export(self, number: int) -> bytes:
        """Return the whole log of a game, with everything the host holds."""
        return self._table(number).ledger.whole().dump()

    def tick(self, at: str) -> int:
        """Close every question whose time is past, with the default of each silent seat; return how many were closed."""
        playing = self.store.rows("select id from games where stage = 'playing' and hours > 0")
        closed = 0
        for row in playing:
            with self.store.decision():
                closed += self._expire(self._table(row["id"]), at)
        return closed

    def _expire(self, table: _Table, at: str) -> bool:
        """Close the open question of a game if its time is past at `at`."""
        if table.stage != "playing" or not table.row["hours"]:
            return False
        referee = table.resume()
        due = referee.due()
        until = table.ledger.entry(due.ask).get("due") if isinstance(due, AnswersDue) else None
        if not isinstance(due, AnswersDue) or until is None or at <= until:
            return False
        silent = {seat: at for seat in due.to if seat not in self._answers(table, due.ask)}
        self._close(table, referee, due, at, silent)
        return True

    # -- mail -------------------------------------------------------------------------------------------------------

    def take(self, raw: bytes, at: str) -> str:
        """Store a mail and decide on it; return what was decided, in a few words. A mail taken before is a duplicate."""
        digest = sha256(raw).hexdigest()
        with self.store.decision():
            known = self.store.row("select id from inbox where sha256 = ?", digest)
            if known is None:
                number = self.store.insert("inbox", sha256=digest, raw=raw, at=at, outcome="")
        if known is not None:
            self.catch_up()
            return "duplicate"
        return self._decide(number, raw, at)

    def catch_up(self) -> int:
        """Decide on every mail that was stored but not decided, as after a crash; return how many."""
        left = self.store.rows("select id, raw, at from inbox where outcome = '' order by id")
        for row in left:
            self._decide(row["id"], row["raw"], row["at"])
        return len(left)

    def _decide(self, number: int, raw: bytes, at: str) -> str:
        with self.store.decision():
            mail = self.store.row("select outcome from inbox where id = ?", number)
            if mail and mail["outcome"]:  # another program of this host was quicker
                return str(mail["outcome"])
            outcome = self._outcome(read_message(raw), sha256(raw).hexdigest(), at)
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
        self._expire(self._table(row["id"]), at)  # 3: an ask closes at once when its time is past
        table = self._table(row["id"])
        try:
            with self.store.decision():  # what a refused mail began is undone
                return self._handle(table, envelope, at)
        except (PlayerError, FormError) as error:
            return self._refuse(table, envelope, mail, error, digest, at)

    def _handle(self, table: _Table, envelope: Envelope, at: str) -> str:
        match (envelope.say.get("act"), table.stage):
            case ("join", "joining"):
                return self._join(table, envelope, at)
            case ("ready", "readying"):
                return self._ready(table, envelope, at)
            case ("order", "playing"):
                return self._order(table, envelope, at)
            case ("join" | "ready", "readying" | "playing"):
                return "duplicate: that step is done"
            case (_, "cancelled"):
                raise Refused("ASK", "This game was called off before it began.")
            case (_, "ended"):
                raise Refused("ASK", "This game is over; nothing can be ordered any more.")
            case (act, stage):
                raise Refused("FORM", f"“{act}” cannot be taken while the game is {stage}.")

    def _join(self, table: _Table, envelope: Envelope, at: str) -> str:
        taken = {name: seat["key"] for name, seat in table.seats.items() if seat["key"]}
        check_join(envelope, table.g, list(table.seats), taken)
        say, seat = envelope.say, str(envelope.say["seat"])
        if seat in taken:
            return "duplicate: that seat is taken already"
        table.ledger.append({"k": "join", "by": seat, "say": say, "sig": envelope.sig, "at": at})
        self.store.change("seats", (table.id, seat), key=say["key"], link_n=0, link=say["chain"])
        if len(taken) + 1 == len(table.seats):
            self._roster(self._table(table.id), at)
        return f"joined: {seat}"

    def _roster(self, table: _Table, at: str) -> None:
        n, head = table.ledger.n, table.ledger.head
        table.ledger.attach(("head", "", n, ""), "", signed_head(self.key, table.g, n, head), table.seats)
        self.store.change("games", table.id, stage="readying")
        for name in table.seats:
            text = self.letters.text(
                "roster",
                title=table.row["title"],
                keys=[(table.name(other), fingerprint(seat["key"])) for other, seat in table.seats.items()],
                host_key=fingerprint(self.key.key_line),
                game_id=table.g[:8],
                entry=n,
                head=groups(head),
            )
            self._post(table, name, f"roster.{name}", "compare the keys", text, at, with_log=True)

    def _ready(self, table: _Table, envelope: Envelope, at: str) -> str:
        seat = str(envelope.say.get("seat"))
        self._known(table, seat)
        if table.seats[seat]["link_n"]:
            return "duplicate: ready already"
        roster = len(table.seats)
        check_ready(
            envelope, table.g, table.seat(seat), table.row["nonce"], (roster, table.ledger.hash_of(roster) or "")
        )
        table.ledger.append({"k": "ready", "by": seat, "say": envelope.say, "sig": envelope.sig, "at": at})
        self._keep_link(table, seat, 1, envelope.say["link"])
        if all(other["link_n"] for other in table.seats.values()):
            self.store.change("games", table.id, stage="playing")
            self._go_on(table, table.scribe(Referee.start(table.pack.rules, table.options)), at)
        return f"ready: {seat}"

    def _order(self, table: _Table, envelope: Envelope, at: str) -> str:
        seat, say = str(envelope.say.get("seat")), envelope.say
        self._known(table, seat)
        referee = table.resume()
        due = referee.due()
        if not isinstance(due, AnswersDue):
            raise Refused("ASK", "Nothing is asked in this game now.")
        if seat not in due.to:
            raise Refused(
                "ASK", f"Nothing is asked of {table.name(seat)} now; the game waits for {self._names(table, due.to)}."
            )
        check_order(
            envelope,
            table.g,
            table.seat(seat),
            table.row["nonce"],
            table.question(due),
            table.ledger.hash_of,
            table.ledger.n,
        )
        before = self._answers(table, due.ask).get(seat)
        if before and before["rev"] >= say["rev"]:
            if json.loads(before["say"]) == say:
                return "duplicate: that order is here"
            raise Refused(
                "DOUBLE",
                f"Revision {before['rev']} of your answer is here already; send this as revision {before['rev'] + 1}.",
            )
        answer = referee.read(seat, envelope.openings[0][6], envelope.openings[1][6])
        self.store.put(
            "answers", game=table.id, ask=due.ask, seat=seat, rev=say["rev"], say=json.dumps(say), sig=envelope.sig,
            openings=json.dumps(envelope.openings), at=at,
        )  # fmt: skip
        waiting = [other for other in due.to if other not in self._answers(table, due.ask)]
        reported = () if waiting else self._close(table, referee, due, at, {})
        if seat not in reported:
            got = receipt(self.key, table.g, say, at)
            lines = str(answer.order).split("\n") + ([f"PLANS: {answer.plans}"] if answer.plans else [])
            text = self.letters.text(
                "receipt",
                headline=f"Your order for {table.row['title']} has been read as",
                lines=lines,
                waiting=[table.name(other) for other in waiting],
                replace=bool(waiting),
                rev=say["rev"],
            )
            self._post(table, seat, f"receipt.{got[2][:16]}", "your order is here", text, at, log=cj(got) + b"\n")
        return f"order: {seat}"

    def _close(
        self, table: _Table, referee: Referee, due: AnswersDue, at: str, silent: Mapping[str, str]
    ) -> tuple[str, ...]:
        """Write the answers to the open question and go on; return the seats that were sent a report."""
        sent = {}
        for seat, row in self._answers(table, due.ask).items():
            say, openings = json.loads(row["say"]), json.loads(row["openings"])
            answer = referee.read(seat, openings[0][6], openings[1][6])
            sent[seat] = Sent(
                say, row["sig"], row["at"], tuple(openings), receipt(self.key, table.g, say, row["at"]), answer
            )
        scribe = table.scribe(referee)
        scribe.orders(sent, silent)
        for seat, (n, link) in scribe.links.items():
            if n != table.seats[seat]["link_n"]:
                self._keep_link(table, seat, n, link)
        return self._go_on(table, scribe, at)

    def _go_on(self, table: _Table, scribe: Scribe, at: str) -> tuple[str, ...]:
        hours = table.row["hours"]
        until = _plus(at, hours=hours) if hours else None
        scribe.write_on(until)
        referee = scribe.referee
        due = referee.due()
        self.store.change("games", table.id, snapshot=json.dumps(referee.snapshot(), separators=(",", ":")))
        if isinstance(due, EndDue):
            self.store.change("games", table.id, stage="ended", result=json.dumps(due.result))
        to = due.to if isinstance(due, AnswersDue) else tuple(table.seats)
        for seat in to:
            self._report(table, referee, seat, at, until or "")
        return to

    # -- letters ----------------------------------------------------------------------------------------------------

    def _report(self, table: _Table, referee: Referee, seat: str, at: str, until: str) -> None:
        due = referee.due()
        report = Report(
            game_id=table.g,
            seat=seat,
            view=referee.views()[seat],
            told=tuple(map(tuple, table.ledger.told(seat, table.seats[seat]["sent_n"]))),
            asked=due.to if isinstance(due, AnswersDue) else (),
            entry=table.ledger.n,
            head=table.ledger.head,
            due=until,
            result=due.result if isinstance(due, EndDue) else None,
        )
        subject = "the game is over" if isinstance(due, EndDue) else "your move"
        self._post(
            table, seat, f"report.{table.ledger.n}.{seat}", subject, render(report, table.pack), at, with_log=True
        )

    def _post(
        self,
        table: _Table,
        seat: str,
        name: str,
        subject: str,
        text: str,
        at: str,
        *,
        log: bytes = b"",
        with_log: bool = False,
    ) -> None:
        """Lay a letter in the outbox; `with_log` adds the lines that the seat's copy grows by."""
        to = table.seats[seat]["address"]
        if with_log:
            lines = table.ledger.lines_for(seat, table.seats[seat]["sent_n"])
            log = b"".join(line + b"\n" for line in lines)
            table.seats[seat]["sent_n"] = table.ledger.n
            self.store.change("seats", (table.id, seat), sent_n=table.ledger.n)
        letter = self.letters.make(table.about, to, name, subject, text, at, log, seat)
        if not self.store.row("select id from outbox where message_id = ?", letter.message_id):
            self.store.insert(
                "outbox", message_id=letter.message_id, game=table.id, seat=seat, address=to, raw=letter.raw(), at=at, sent=0
            )  # fmt: skip

    def _refuse(
        self, table: _Table, envelope: Envelope, mail: Incoming, error: PlayerError | FormError, digest: str, at: str
    ) -> str:
        code = error.code if isinstance(error, Refused) else "ILLEGAL" if isinstance(error, OrderError) else "FORM"
        seat = self._writer(table, envelope, mail, at)
        if seat is not None:
            received = _received(envelope) if isinstance(error, OrderError) else []
            text = self.letters.text("refusal", why=str(error), received=received, **self._asked(table, seat))
            self._post(table, seat, f"refusal.{digest[:16]}", "your mail was not taken", text, at)
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
        if row is not None and self._may_answer(row["address"], at):
            table = self._table(row["game"])
            text = self.letters.text("refusal", why=why, received=[], **self._asked(table, row["seat"]))
            self._post(table, row["seat"], f"refusal.{digest[:16]}", "your mail was not taken", text, at)
        return f"refused: FORM: {why}"

    def _asked(self, table: _Table, seat: str) -> dict[str, str]:
        if table.stage == "playing":
            referee = table.resume()
            due = referee.due()
            if isinstance(due, AnswersDue) and seat in due.to:
                view, look = referee.view(seat), table.pack.look
                return {"question": look.question(view), "template": look.template(view)}
        return {"question": "", "template": ""}

    def _writer(self, table: _Table, envelope: Envelope, mail: Incoming, at: str) -> str | None:
        """Whom to answer: the seat that signed, or the seat registered for the address; a stranger gets no answer."""
        seat = str(envelope.say.get("seat"))
        if seat in table.seats and _signed_by(envelope, table.seats[seat]["key"]):
            return seat
        address = parseaddr(mail.sender)[1].lower()
        for name, row in table.seats.items():
            if row["address"].lower() == address and not mail.automatic and self._may_answer(row["address"], at):
                return name
        return None

    def _may_answer(self, address: str, at: str) -> bool:
        """May an address get an answer to what it did not sign? Two robots that do not know each other must come to rest."""
        sql = (
            "select count(*) as day, sum(at > ?) as lately from outbox "
            "where address = ? and at > ? and message_id like '%.refusal.%'"
        )
        row = self.store.row(sql, _plus(at, minutes=-10), address, _plus(at, hours=-24)) or {}
        return not row.get("lately") and int(row.get("day") or 0) < 10

    # -- small things -----------------------------------------------------------------------------------------------

    def _table(self, number: int) -> _Table:
        row = self.store.row("select * from games where id = ?", number)
        if row is None:
            raise UsageError(f"There is no game {number} here; “pbem host games” lists them.")
        return _Table(self, row)

    def _known(self, table: _Table, seat: str) -> None:
        if seat not in table.seats:
            raise Refused("BIND", f"This game has no seat “{seat}”; its seats are {', '.join(table.seats)}.")

    def _names(self, table: _Table, seats: tuple[str, ...]) -> str:
        return ", ".join(map(table.name, seats))

    def _answers(self, table: _Table, ask: int) -> dict[str, dict[str, Any]]:
        rows = self.store.rows("select * from answers where game = ? and ask = ?", table.id, ask)
        return {row["seat"]: row for row in rows}

    def _keep_link(self, table: _Table, seat: str, n: int, link: str) -> None:
        table.seats[seat].update(link_n=n, link=link)
        self.store.change("seats", (table.id, seat), link_n=n, link=link)


def _signed_by(envelope: Envelope, key: str | None) -> bool:
    from pbem.ledger import SAY, verify_sig

    try:
        return bool(key) and verify_sig(str(key), SAY, cj(envelope.say), envelope.sig)
    except PbemError:
        return False


def _received(envelope: Envelope) -> list[str]:
    order, plans = (str(opening[6]) for opening in envelope.openings)
    return order.split("\n") + (["PLANS", *plans.split("\n")] if plans else [])


def _plus(at: str, **time: int) -> str:
    return (datetime.fromisoformat(at) + timedelta(**time)).strftime("%Y-%m-%dT%H:%M:%SZ")
