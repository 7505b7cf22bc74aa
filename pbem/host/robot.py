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
    Envelope,
    Refused,
    host_chain,
    host_labels,
    opening_entry,
)

from .essence import essence
from .hosted import HostedGame, House
from .keeping import Wanted, overview, status, tidy
from .play import Play
from .post import Post
from .says import ACTS, Says
from .store import Store, StoredLedger


class Robot:
    """One host: its store, its key, its address."""

    def __init__(self, store: Store, key: PrivateKey, address: str) -> None:
        self.store, self.house = store, House(store, key)
        self.post = Post(self.house, address)
        self.play = Play(self.house, self.post)
        self.says = Says(self.house, self.play)

    # -- games begin and end ----------------------------------------------------------------------------------------

    def new_game(
        self,
        game: str,
        options: Json,
        players: Mapping[str, str],
        title: str,
        hours: int,
        fresh: str,
        at: str,
        terms: Json = None,
    ) -> int:
        """Open a game and lay the invitations in the outbox; return its number here.

        `players` maps seats to addresses, `hours` is the time for an answer (0: no limit), `fresh` is randomness that the
        caller read from the system (or a seed, in a demo): the game's nonce and all its chains come from it. `terms` are what
        the players agreed on about late answers and leave, as entry 0 holds them.
        """
        rules, house = self.house.pack(game).rules, self.house
        opts = rules.options_model.model_validate(options).model_dump(mode="json")
        seats = rules.seats(opts)
        if set(players) != set(seats):
            raise UsageError(f"{rules.title} is played by {', '.join(seats)}: name an address for each, and no other.")
        nonce = house.root.nonce(fresh)
        chains = {label: host_chain(house.root, nonce, label) for label in host_labels(rules, seats)}
        anchors = {label: chain.anchor for label, chain in chains.items()}
        first = opening_entry(rules, opts, manifest(game)[1], nonce, house.key, anchors, terms)
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
        """Return the whole log of a game, with everything the host holds."""
        return self.house.game(number).ledger.whole().dump()

    def tick(self, at: str) -> int:
        """Close every question whose time is past, with the default of each silent seat; return how many were closed.

        Mail that was stored and not decided comes first: it may have been in time.
        """
        self.catch_up()
        overdue = self.store.rows("select id from games where due < ? order by due, id", at)
        closed = 0
        for row in overdue:
            with self.store.decision():
                closed += self.play.expire(self.house.game(row["id"]), at)
        return closed

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
        self.play.expire(self.house.game(row["id"]), at)  # 3: an ask closes at once when its time is past
        game = self.house.game(row["id"])
        try:
            with self.store.decision():  # what a refused mail began is undone
                return self._handle(game, envelope, at)
        except (PlayerError, FormError) as error:
            return self._refuse(game, envelope, mail, error, digest, at)

    def _handle(self, game: HostedGame, envelope: Envelope, at: str) -> str:
        match (envelope.say.get("act"), game.stage):
            case ("join", "joining"):
                return self.play.join(game, envelope, at)
            case ("ready", "readying"):
                return self.play.ready(game, envelope, at)
            case ("order", "playing"):
                return self.play.order(game, envelope, at)
            case (act, "playing") if act in ACTS:
                return self.says.take(game, envelope, at)
            case ("join" | "ready", "readying" | "playing"):
                return "duplicate: that step is done"
            case (_, "cancelled"):
                raise Refused("ASK", "This game was called off before it began.")
            case (_, "ended"):
                raise Refused("ASK", "This game is over; nothing can be ordered any more.")
            case (act, stage):
                raise Refused("FORM", f"“{act}” cannot be taken while the game is {stage}.")

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
