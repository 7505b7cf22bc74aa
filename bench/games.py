"""Whole games between built-in players: at a table with every key and seal, or before the host's robot by mail."""

from __future__ import annotations

import random
import statistics
import tempfile
import time
import tracemalloc
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Protocol

from pbem.games import GamePack, manifest
from pbem.games.bot import Bot
from pbem.host.robot import Robot
from pbem.host.store import Heard, Store, StoredLedger
from pbem.kernel import Json
from pbem.ledger import PrivateKey, sha256_hex
from pbem.ledger.terms import terms
from pbem.mail import Letter, write_block
from pbem.referee import AnswersDue, AskSeen, Envelope, Pen
from pbem.referee.table import Table

START = datetime(2030, 1, 1, tzinfo=UTC)


class Speaking(Protocol):
    """Says what the players order."""

    def say(self, seat: str, view: Json) -> str:
        """Return the order of the player at `seat`, as text."""
        ...


class Players:
    """The built-in players of one game, each with whims of his own that follow from the seed."""

    def __init__(
        self, pack: GamePack, seats: tuple[str, ...], seed: int, bots: Mapping[str, str] | None = None
    ) -> None:
        names = bots or {}
        self._game = pack.rules
        self._bots: dict[str, Bot] = {seat: pack.bots[names.get(seat, "sensible")]() for seat in seats}
        self._choosers = {seat: random.Random(f"{seed} {seat}") for seat in seats}

    def say(self, seat: str, view: Json) -> str:
        """Return the order of the player at `seat`, as text."""
        return str(self._bots[seat].answer(self._game.read_view(view), self._choosers[seat]))

    def plan(self, seat: str, view: Json) -> str:
        """Return the plans that go with that order."""
        return self._bots[seat].plans(self._game.read_view(view))


def chosen(options: Sequence[str]) -> dict[str, str]:
    """Return options that were said as NAME=VALUE."""
    return dict(option.split("=", 1) for option in options)


def play_at_a_table(
    pack: GamePack,
    options: Json,
    seed: int,
    bots: Mapping[str, str] | None = None,
    kept: Mapping[str, str] | None = None,
) -> Table:
    """Return a table at which a whole game has been played; `kept` are the words of seats whose keys the host keeps."""
    table = Table(pack.rules, pack.ending(options), f"bench {seed}", manifest(pack)[1], kept=kept)
    table.play(Players(pack, table.seats, seed, bots).say)
    return table


class ByMail:
    """A game before the host's robot: real envelopes in real letters, and how long the host took over each order."""

    def __init__(self, pack: GamePack, options: Json, seed: int) -> None:
        self.pack, self.options, self.seed = pack, options, seed
        self.seats = pack.rules.seats(options)
        self.took: list[float] = []
        self.reports: list[float] = []
        """The seconds that the host took to write each report."""
        self.heard = 0
        """So many bytes of memory does the host use for what the seats of the whole game have heard."""
        self._minutes = 0

    def play(self) -> list[float]:
        """Play to the end; return the seconds of the host for each order that closed or waited on a question."""
        with tempfile.TemporaryDirectory() as folder:
            store = Store(Path(folder) / "host.db", new=True)
            try:
                self._play(store)
            finally:
                store.db.close()
        return self.took

    def _play(self, store: Store) -> None:
        self.open(Robot(store, key_of(self.seed, "host"), "host@example.org"))
        while self.answer_all():
            pass
        tracemalloc.start()
        heard = Heard()
        heard.follow(StoredLedger(store, self.number, self.seats))
        self.heard = tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()

    def open(self, robot: Robot, players: Speaking | None = None) -> None:
        """Open the game before a host; all join and are ready. Built-in players say what is answered, or other `players`."""
        self.robot = robot
        report = robot.post.report

        def timed(*args: Any) -> None:
            begin = time.perf_counter()
            report(*args)
            self.reports.append(time.perf_counter() - begin)

        robot.post.report = timed  # type: ignore[assignment]
        posts = {seat: f"{seat}@example.org" for seat in self.seats}
        self.number = robot.new_game(
            self.pack.rules.id, self.options, posts, "Bench", terms(0), f"bench {self.seed}", self._now()
        )
        g = robot.house.game(self.number).g
        self.pens = {seat: Pen(key_of(self.seed, seat), g, seat) for seat in self.seats}
        for seat, pen in self.pens.items():
            token = robot.post.token(robot.house.game(self.number), seat)
            robot.take(self._letter(seat, "join", pen.join(token=token)), self._now())
        ledger = StoredLedger(robot.store, self.number, self.seats)
        for seat, pen in self.pens.items():
            robot.take(self._letter(seat, "ready", pen.ready((len(self.seats), ledger.head))), self._now())
        self.say = (players or Players(self.pack, self.seats, self.seed)).say

    def answer_all(self) -> bool:
        """Let everybody who is asked answer; was there anybody?"""
        letters = self.write_answers()
        self.take(letters)
        return bool(letters)

    def write_answers(self) -> list[tuple[bytes, str]]:
        """Write the answers to the open question, each with its time of arrival."""
        return self.answers(self.robot, self.number, self.pens, "")

    def take(self, letters: Iterable[tuple[bytes, str]]) -> None:
        """Hand letters to the host, and note how long it took over each."""
        for letter, at in letters:
            begin = time.perf_counter()
            outcome = self.robot.take(letter, at)
            self.took.append(time.perf_counter() - begin)
            assert outcome.startswith("order"), outcome

    def answers(self, robot: Robot, number: int, pens: Mapping[str, Pen], name: str) -> list[tuple[bytes, str]]:
        """Write the answers to the open question of a game, each with its time of arrival; `name` tells its letters apart."""
        referee = robot.house.game(number).resume()
        due = referee.due()
        if not isinstance(due, AnswersDue):
            return []
        ledger = StoredLedger(robot.store, number, self.seats)
        entry = ledger.entry(due.ask)
        question = AskSeen.of(due.ask, entry, ledger.hash_of(due.ask) or "")
        letters = []
        for seat in due.to:
            text = self.say(seat, referee.views()[seat])
            letter = self._letter(seat, f"{name}order.{due.ask}", pens[seat].order(question, text))
            letters.append((letter, self._now()))
        return letters

    def _now(self) -> str:
        self._minutes += 7
        return (START + timedelta(minutes=self._minutes)).strftime("%Y-%m-%dT%H:%M:%SZ")

    def _letter(self, seat: str, name: str, envelope: Envelope) -> bytes:
        return Letter(
            sender=f"{seat}@example.org",
            to="host@example.org",
            subject=name,
            text=f"{write_block(envelope)}\n",
            message_id=f"bench.{self.seed}.{name}.{seat}@example.org",
            date=START,
        ).raw()


def last_to_first(took: list[float], n: int = 20) -> tuple[float, float]:
    """Return the median of the first `n` and of the last `n`, in seconds."""
    return statistics.median(took[:n]), statistics.median(took[-n:])


def key_of(seed: int, who: str) -> PrivateKey:
    """The key of a player, or of the host."""
    return PrivateKey.from_seed(bytes.fromhex(sha256_hex(f"bench {seed} {who}".encode())))
