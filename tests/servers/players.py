"""Built-in players who live at mailboxes of a real server: they fetch their mail by IMAP and send by SMTP, with TLS."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from pbem.errors import WorldError
from pbem.games import find
from pbem.ledger import PrivateKey, sha256_hex
from pbem.mail.imap import Bell, ImapBox
from pbem.mail.settings import Imap
from pbem.player import Desk, PlayerSettings

from .real import PASSWORD, Servers

PATIENCE = 120
"""Seconds of silence after which a game is said to stand still."""


class Player:
    """One of them, with a mailbox of his seat's name or `at` another.

    Four orders of five go `to` another address of the host than the one his invitation came from.
    """

    def __init__(self, folder: Path, servers: Servers, seat: str, game: str, to: str = "", at: str = "") -> None:
        self.seat, self.to = seat, to
        (folder / seat).mkdir(parents=True)
        (folder / seat / "password").write_text(PASSWORD + "\n", "utf-8")
        account = {
            "host": "localhost",
            "ca_file": str(servers.certificate),
            "user": at or seat,
            "password_file": "password",
        }
        smtp = {**account, "port": servers.submission, "tls": "starttls"}
        key = PrivateKey.from_seed(bytes.fromhex(sha256_hex(seat.encode())))
        self.desk = Desk.create(folder / seat, key, PlayerSettings(f"{at or seat}@players.test", smtp=smtp))
        self.box = ImapBox(Imap.read({**account, "port": servers.imaps}, "the mailbox"), folder / seat)
        self.pack = find(game)
        bots = self.pack.bots
        self.bot = bots.get("planning", bots["sensible"])()  # fewer mails, where plans are known
        self.chance = random.Random(seat)
        self.over = False
        self.written, self.host = 0, ""

    def attend(self, now: str) -> int:
        """Read every new mail, answer, and send; return how many there were."""
        there = list(self.box.new(32_000_000))
        for number, raw, _ in there:
            reading = self.desk.read(raw)
            assert not reading.warnings, reading.warnings
            with suppress(
                WorldError
            ):  # a busy Dovecot may refuse to move a mail: it is read once more, which does no harm
                self.box.done(number)
            if reading.game:
                self._answer(raw, reading.game, now)
        if self.desk.tray.unsent():
            self.desk.tray.send()
        return len(there)

    def close(self) -> None:
        """Leave the server."""
        self.box.close()

    def _answer(self, raw: bytes, game: str, now: str) -> None:
        notes = self.desk.notes(game)
        self.host = self.host or notes.host
        entries = self.desk.copy(notes).log.entries
        last = entries[-1]
        asked = next((entry for entry in reversed(entries) if entry.k in ("ask", "tell")), last)
        if last.k in ("game", "join", "rekey"):
            self.desk.join(raw, now)
        elif asked.k == "ask" and self.seat in asked.fields["to"] and notes.revisions.get(str(asked.n)) is None:
            _, view, _ = self.desk.question(notes)
            self.written += 1
            notes.host = self.to if self.to and self.written % 5 else self.host
            self.desk.order(notes, str(self.bot.answer(view, self.chance)), self.bot.plans(view), now)
        self.over = last.k == "end"


class Plays(Protocol):
    """Somebody at a mailbox: has he the end of the game?"""

    @property
    def over(self) -> bool:
        """Has he?"""

    def attend(self, now: str) -> int:
        """Read every new mail, and answer; return how many there were."""

    def close(self) -> None:
        """Leave the server."""


def play(players: Sequence[Plays], now: str) -> None:
    """Let them play until everybody has the end of the game."""
    bell = Bell()
    silent_since = time.monotonic()
    try:
        while not all(player.over for player in players):
            if sum(player.attend(now) for player in players):
                silent_since = time.monotonic()
            else:
                bell.wait(0.03)
            assert time.monotonic() - silent_since < PATIENCE, "nothing comes any more"
    finally:
        for player in players:
            player.close()
        bell.close()
