"""The demonstration: built-in players, each with his own key and folder of mail, play a whole game through a host.

Everything goes through real messages in folders, as between people. Keys, dice and times follow from the seed, so the same
seed gives the same bytes.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

from pbem import private
from pbem.errors import UsageError
from pbem.games import GamePack, find, manifest
from pbem.games.bot import Bot
from pbem.host import Office, StoredLedger
from pbem.host.store.rows import GameRow
from pbem.i18n import _
from pbem.kernel import Json
from pbem.ledger import Log, PrivateKey, sha256_hex
from pbem.ledger.terms import terms
from pbem.mail import Maildir
from pbem.player import Desk, PlayerSettings
from pbem.records import dataclass
from pbem.referee.audit import Audited, audit
from pbem.reports.replay import page
from pbem.reports.text import fact_text, wrap

from .common import bot_of, seat_of

_EPOCH = 1893456000  # 2030-01-01T00:00:00Z: a demonstration happens at a time of its own
_STEP = 420


@dataclass(frozen=True, slots=True)
class Demonstrated:
    """What a demonstration left: the folder, the sentence of the result, and the audit."""

    out: Path
    result: str
    audited: Audited


def _seeded_key(seed: int, who: str) -> PrivateKey:
    return PrivateKey.from_seed(bytes.fromhex(sha256_hex(f"pbem demo {seed} {who}".encode())))


class Demo:
    """One demonstration in one folder, which must be new or empty."""

    def __init__(self, out: Path, seed: int, pack: GamePack, options: Json, bots: Mapping[str, str]) -> None:
        if out.exists() and (not out.is_dir() or any(out.iterdir())):
            raise UsageError(_("{out} is there already; name a new folder with --out.", out=out))
        self.out, self.seed, self.pack = out, seed, pack
        self.options = pack.ending(options)
        self.seats = self.pack.rules.seats(self.options)
        chosen = {seat_of(self.seats, seat): bot_of(pack, name) for seat, name in bots.items()}
        self.now = _EPOCH
        self.office = Office.create(out / "host", _seeded_key(seed, "host"), "host@example.org", mail="../mail")
        self.players = {seat: _Player(self, seat, chosen.get(seat) or bot_of(pack, "sensible")) for seat in self.seats}
        self.shown = 0

    def tick(self) -> str:
        """Let some minutes pass; return the time."""
        self.now += _STEP
        return datetime.fromtimestamp(self.now, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

    def play(self, say: Callable[[str], None]) -> Demonstrated:
        """Play to the end; `say` is called with a line for each thing that happened, as everybody may hear it."""
        at = self.tick()
        number = self.office.robot.new_game(
            self.pack.rules.id,
            self.options,
            {seat: f"{seat}@example.org" for seat in self.seats},
            f"{self.pack.rules.title}, demonstration {self.seed}",
            terms(0),
            f"demo {self.seed}",
            at,
        )
        self.office.send(at)
        while sum(player.attend() for player in self.players.values()):
            self.office.work(self.tick())
            self._progress(number, say)
        return self._leave(number)

    def _progress(self, number: int, say: Callable[[str], None]) -> None:
        ledger = StoredLedger(self.office.store, number, self.seats)
        for n in range(self.shown + 1, ledger.n + 1):
            entry = ledger.entry(n)
            if entry["k"] == "tell":
                for fact in entry["pub"]["facts"]:
                    if text := fact_text(fact, None, self.pack):
                        say(wrap(text, "        ", f"[{n:4}]  "))
            elif entry["k"] in ("join", "ready"):
                say(f"[{n:4}]  {self.pack.look.seat_name(entry['by'])}: {entry['k']}")
        self.shown = ledger.n

    def _leave(self, number: int) -> Demonstrated:
        whole = StoredLedger(self.office.store, number, self.seats).whole().dump()
        private.write(self.out / "game.pbem", whole)
        for seat, player in self.players.items():
            private.write(self.out / f"{seat}.pbem", player.desk.copy(player.desk.notes()).log.dump())
        row = self.office.store.get(GameRow, id=number)
        self.office.close()
        if row is None or not row.result:
            raise UsageError(_("The demonstration stopped before its end; please report it with its seed."))
        private.write(self.out / "replay.html", page(Log.parse(whole), self.pack).encode())
        audited = audit(whole, lambda game: (find(game).rules, manifest(game)[1]))
        result = self.pack.look.result(row.result)
        return Demonstrated(self.out, result, audited)


class _Player:
    """A built-in player at a desk, who reads mails, answers questions and sends letters."""

    def __init__(self, demo: Demo, seat: str, bot: Bot) -> None:
        self.demo, self.seat, self.bot = demo, seat, bot
        self.chooser = random.Random(f"{demo.seed} {seat}")  # noqa: S311 - a player's whims, not the game's dice
        settings = PlayerSettings(f"{seat}@example.org", str(demo.out / "mail" / "host"))
        self.desk = Desk.create(demo.out / "players" / seat, _seeded_key(demo.seed, seat), settings)
        self.mail = Maildir(demo.out / "mail" / seat)
        self.reports = demo.out / "reports" / seat
        private.make_folder(self.reports)
        self.read = 0

    def attend(self) -> int:
        """Read every new mail, do what it asks for, and send; return how many letters went out."""
        for path, raw, _since in list(self.mail.new()):
            reading = self.desk.read(raw)
            self.read += 1
            warnings = "".join(_("WARNING: {warning}", warning=warning) + "\n\n" for warning in reading.warnings)
            told = "\n\n".join(filter(None, [reading.text, reading.words]))
            private.write(self.reports / f"{self.read:03}.txt", f"{warnings}{told}".encode())
            self.mail.done(path)
            self._answer(raw, reading.game)
        return len(self.desk.tray.send(self.demo.now))

    def _answer(self, raw: bytes, game: str) -> None:
        if not game:
            return
        notes = self.desk.notes(game)
        last, at = self.desk.copy(notes).log.entries[-1], self.demo.tick()
        if last.k in ("game", "join"):
            self.desk.join(raw, at)
        elif last.k == "ask" and self.seat in last.fields["to"] and notes.revisions.get(str(last.n)) is None:
            view = self.desk.question(notes)[1]
            self.desk.order(notes, str(self.bot.answer(view, self.chooser)), self.bot.plans(view), at)
