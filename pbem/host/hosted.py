"""A game as its host has it: the row, the seats, the log, and the means to continue it.

It decides nothing. A `House` is what all games of one host share. A `HostedGame` is created for each decision, and reads and
writes inside its transaction.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial

from pbem.errors import UsageError
from pbem.games import GamePack, find
from pbem.i18n import _
from pbem.kernel import Json, View
from pbem.ledger import Course, Log, PrivateKey, cj, player_root
from pbem.mail.hours import Hours
from pbem.records import dataclass
from pbem.referee import (
    Answer,
    AnswersDue,
    AskSeen,
    Envelope,
    History,
    HostChains,
    Referee,
    Refused,
    Scribe,
    Sent,
    receipt,
    signed_head,
)

from . import evidence
from .kept import shown_at_end
from .proposals import still_to_agree
from .store import Heard, Store, StoredLedger
from .store.rows import KEPT as KEPT_HERE
from .store.rows import AheadRow, AnswerRow, GameRow, OrderRow, PaceRow, SeatRow

KEPT = 64
"""The number of games for which memory keeps what their seats have heard: some 2 MB for a long game."""


class House:
    """What all games of a host share: its store, its key, and the root of all its randomness."""

    def __init__(self, store: Store, key: PrivateKey) -> None:
        self.store, self.key, self.root = store, key, player_root(key)
        self._packs: dict[str, GamePack] = {}
        self._heard: OrderedDict[int, Heard] = OrderedDict()
        self.already_read: OrderedDict[tuple[int, int, str], tuple[tuple[str, str], Answer]] = OrderedDict()
        """The answers that wait for others; a host with a restored database forgets them."""

    def game(self, number: int) -> HostedGame:
        """Return the game of that number. Raises UsageError."""
        return HostedGame(self, row_of(self.store, number))

    def seats_at(self, address: str) -> list[SeatRow]:
        """Return the rows of the seats of an address, by game."""
        found = (self.store.get(SeatRow, game=at.game, seat=at.seat) for at in self.store.registered(address))
        return [row for row in found if row is not None]

    def pack(self, game: str) -> GamePack:
        """Return a game with all that belongs to it, looked for once."""
        if game not in self._packs:
            self._packs[game] = find(game)
        return self._packs[game]

    def heard(self, number: int) -> Heard:
        """Return the facts that a game's seats have heard, up to the last entry read. Only the most recently used games are
        kept."""
        found = self._heard[number] = self._heard.pop(number, Heard())
        if len(self._heard) > KEPT:
            self._heard.popitem(last=False)
        return found

    def read(self, game: int, ask: int, seat: str, texts: tuple[str, str], read: Callable[[], Answer]) -> Answer:
        """Return a seat's answer to a question, which `read` reads from its texts: once, while it waits for the others.

        A question's entry and its seat's view are fixed in the log, so the same texts always say the same.
        """
        kept = self.already_read.pop((game, ask, seat), None)
        made = kept[1] if kept and kept[0] == texts else read()
        self.already_read[game, ask, seat] = texts, made
        if len(self.already_read) > KEPT:
            self.already_read.popitem(last=False)
        return made


def row_of(store: Store, number: int) -> GameRow:
    """Return the row of the game of that number. Raises UsageError."""
    row = store.get(GameRow, id=number)
    if row is None:
        raise UsageError(_("There is no game {number} here; “pbem host games” lists them.", number=number))
    return row


def keep_game(
    store: Store, g: str, first: Mapping[str, Json], stage: str, title: str, at: str, seats: Mapping[str, Mapping[str, Json]],
    snapshot: str | None = None,
) -> int:  # fmt: skip
    """Keep a game with the id `g` that begins with that entry, and the columns of its seats; return its number."""
    number = store.numbered(
        "games", g=g, game=first["rules"]["id"], opts=first["opts"], nonce=first["nonce"], stage=stage,
        hours=first["terms"]["hours"], title=title, made=at, at=at, asked=[], snapshot=snapshot,
    )  # fmt: skip
    for seat, columns in seats.items():
        store.insert("seats", game=number, seat=seat, **columns)
    store.insert("paces", game=number, promised="", forced=[])
    return number


def covered(log: Log, g: str, host: str, key: PrivateKey | None) -> Log:
    """Return a game's log up to an entry that a head of the host in office covers; with that host's key, sign its last entry."""
    n, head = log.head
    signed = [line.fields[2] for line in log.attachments if line.k == "head"]
    if n in signed:
        return log
    if key is not None and host == key.key_line:
        log.attach(signed_head(key, g, n, head))
        return log
    return log.cut(max(signed)) if signed else log


def on_clock(hours: Hours) -> dict[str, Json]:
    """Return the columns of a seat for which time counts so."""
    return {"zone": hours.zone, "quiet": hours.quiet, "weekends": hours.weekends}


def check_addresses(players: Collection[str], seats: Collection[str]) -> None:
    """Raise UsageError where those who are to play a game that has begun are not named seat by seat."""
    if set(players) != set(seats):
        named = ", ".join(seats)
        raise UsageError(_("The seats of this game are {seats}: name an address for each, and no other.", seats=named))


def signed_lines(got: Sequence[Json], envelope: Envelope) -> bytes:
    """Return a receipt as a line of a log; and a line that tells the player's other machines what he signed, and its openings."""
    written = {"say": envelope.say, "sig": envelope.sig, "openings": list(map(list, envelope.openings))}
    return cj(list(got)) + b"\n" + cj(written) + b"\n"


@dataclass(frozen=True, slots=True)
class Receipt:
    """An order that was taken: the signed envelope, the answer read from it, the host's receipt, and the seats still awaited.

    `otherwise` are the readable lines of its mail if they differ from the signed order. `view` is what its seat saw when it
    answered.
    """

    envelope: Envelope
    answer: Answer
    got: Sequence[Json]
    waiting: Sequence[str]
    view: View
    otherwise: Sequence[str] = ()


class HostedGame:
    """One game of a host, as it is in the store."""

    def __init__(self, house: House, row: GameRow) -> None:
        self.house, self.row, self.id = house, row, row.id
        self.pack, self.options = house.pack(row.game), row.opts
        self.g, self.title, self.stage = row.g, row.title, row.stage
        self.seats = {seat.seat: seat for seat in house.store.find(SeatRow, game=self.id)}
        self.ledger = StoredLedger(house.store, self.id, tuple(self.seats), house.heard(self.id))

    @property
    def pace(self) -> PaceRow:
        """The time of the open question."""
        return self.house.store.get(PaceRow, game=self.id) or PaceRow()

    def change_pace(self, promised: str, forced: Sequence[str]) -> None:
        """Note until when an answer to the open question is promised to be in time, and which seats have only one."""
        self.house.store.change("paces", self.id, promised=promised, forced=list(forced))

    def clock(self, seat: str) -> Hours:
        """Return when time counts for a seat."""
        row = self.seats[seat]
        return Hours(row.zone, row.quiet, row.weekends)

    @property
    def course(self) -> Course:
        """How far its log has come."""
        return self.ledger.course

    @property
    def history(self) -> History:
        """The log's history, as needed to check an incoming statement."""
        return History(self.g, self.course, self.ledger.hash_of)

    @property
    def claims(self) -> bool:
        """Is a late answer claimed by another seat, and never replaced by a default?"""
        return self.course.terms.late == "claim"

    @property
    def rules(self) -> Mapping[str, Json]:
        """The rules by which this game is played, as its log names them: entry 0, or the last amendment."""
        return self.course.rules

    @property
    def stands_still(self) -> bool:
        """Has it been stopped, because its host may have written more than it knows?"""
        return bool(self.house.store.note(f"still {self.id}"))

    def check_moving(self) -> None:
        """Raise UsageError if the game is paused."""
        if self.stands_still:
            raise UsageError(
                _(
                    "Game {number} is paused: first use “pbem host catch-up”, or “pbem host go-on {number}”.",
                    number=self.id,
                )
            )

    @property
    def behind(self) -> bool:
        """Is this game played by an older version of its rules than this host has?"""
        return bool(self.rules["ver"] != self.pack.rules.version)

    def name(self, seat: str) -> str:
        """Return the name of a seat."""
        return self.pack.look.seat_name(seat)

    def names(self, *seats: str) -> str:
        """Return what several seats are called."""
        return ", ".join(map(self.name, seats))

    def seat_of(self, envelope: Envelope) -> str:
        """Return the seat that an envelope names. Raises Refused if the game has no such seat."""
        name = str(envelope.say.get("seat"))
        if name not in self.seats:
            seats = ", ".join(self.seats)
            raise Refused("BIND", _("This game has no seat “{seat}”; its seats are {seats}.", seat=name, seats=seats))
        return name

    @property
    def chains(self) -> HostChains:
        """The host's chains in it."""
        return HostChains(self.house.root, self.row.nonce, self._keep_chain)

    def _keep_chain(self, label: str, checkpoints: list[str] | None) -> list[str] | None:
        if checkpoints is not None:
            self.house.store.put("chains", game=self.id, label=label, checkpoints=checkpoints)
            return checkpoints
        return next(iter(self.house.store.values("chains", "checkpoints", game=self.id, label=label)), None)

    def resume(self) -> Referee:
        """Return the referee, from the last snapshot: a late order costs what an early one costs."""
        return Referee.resume(self.pack.rules, self.options, json.loads(self.row.snapshot or ""))

    def scribe(self, referee: Referee) -> Scribe:
        """Return the scribe that writes this game's log."""
        return Scribe(
            referee, self.ledger, self.g, self.house.key, self.house.root, self.chains,
            partial(shown_at_end, self.house.root, self.row.nonce, self.ledger.entries),
        )  # fmt: skip

    def question(self, due: AnswersDue) -> AskSeen:
        """Return the open question, as an order must answer it."""
        return AskSeen.of(due.ask, self.ledger.entry(due.ask), self.ledger.hash_of(due.ask) or "")

    def answers(self, ask: int | None) -> dict[str, AnswerRow]:
        """Return the answers to a question that are here already, by seat."""
        return {row.seat: row for row in self.house.store.find(AnswerRow, game=self.id) if row.ask == ask}

    def asked(self) -> list[str]:
        """Return the seats to which the open question was put."""
        return self.row.asked

    def order_here(self, seat: str) -> Receipt | None:
        """Return the order of a seat that waits for the others to answer, or None."""
        row = self.answers(self.row.ask).get(seat) if seat in self.asked() else None
        if row is None:
            return None
        referee = self.resume()
        sent = self.sent(referee, row)
        return Receipt(row.envelope, sent.answer, sent.got, self.waiting(), referee.view(seat))

    def sent(self, referee: Referee, row: AnswerRow) -> Sent:
        """Return an answer to the open question that is here, as the log will hold it."""
        if row.say["act"] == "ahead":
            return self.signed(row, referee.ahead(row.seat, *row.texts), row.at)
        read = partial(referee.read, row.seat, *row.texts)
        return self.signed(row, self.house.read(self.id, row.ask, row.seat, row.texts, read), row.at)

    def signed(self, order: OrderRow | Envelope, answer: Answer, at: str) -> Sent:
        """Return an order that came at that moment, with its answer and the host's receipt."""
        got = receipt(self.house.key, self.g, order.say, at)
        return Sent(
            order.say, order.sig, at, (order.openings[0], order.openings[1]), got, answer,
            evidence.beside(self.house.store, self.id, order.say) if self.seats[str(order.say["seat"])].kept == KEPT_HERE else {},
        )  # fmt: skip

    def waiting(self) -> list[str]:
        """Return the seats that the game waits for."""
        if self.stage == "joining":
            return [name for name, seat in self.seats.items() if not seat.key]
        if self.stage == "moving":
            return still_to_agree(self.house.store, self.id)
        if self.stage == "readying":
            return list(self.course.missing)
        asked = self.asked()
        here = self.answers(self.row.ask) if asked else {}
        return [seat for seat in asked if seat not in here]

    def forget_answers(self, ask: int) -> None:
        """Forget the answers to a closed question and to earlier ones: the answers that count are in the log."""
        for row in self.house.store.find(AnswerRow, game=self.id):
            if row.ask <= ask:
                self.house.store.delete("answers", game=self.id, ask=row.ask)

    def forget_ahead(self) -> None:
        """Delete premoves for marks that are closed."""
        for row in self.house.store.find(AheadRow, game=self.id):
            if row.mark <= self.course.seats[row.seat].link_n:
                self.house.store.delete("ahead", game=self.id, seat=row.seat, mark=row.mark)

    def exported(self) -> Log:
        """Return the whole log up to an entry covered by a signature of the host in office, as a verifier requires.

        During a ready round, or before the game begins, no head covers the last entry yet: this host signs one. Before all have
        agreed to this host, it may not sign for the game. Then statements since the former host's last head are left out.
        """
        return covered(self.ledger.whole(), self.g, self.course.host, self.house.key)

    def move_on(self, at: str) -> None:
        """Note that something was decided, and how far the log has come with it."""
        self.ledger.keep_course()
        self.row.at = max(at, self.row.at)
        self.house.store.change("games", self.id, at=self.row.at)

    def change_seat(self, seat: str, **columns: object) -> None:
        """Change columns of a seat's row."""
        for name, value in columns.items():
            setattr(self.seats[seat], name, value)
        self.house.store.change("seats", (self.id, seat), **columns)
