"""The tray of a desk: the letters that he has signed and not sent, and the ways on which they go.

It decides what a letter looks like and where it lies: `out/` until it is sent, `sent/` after, `replaced/` where another took its
place before. It does not know what a letter says, but for the question and revision of an order.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import datetime
from pathlib import Path

from pbem import private
from pbem.errors import UsageError
from pbem.kernel import Json
from pbem.ledger import cj
from pbem.mail import Letter, Maildir, carrier, read_block, read_message, write_block
from pbem.mail.settings import Smtp
from pbem.referee import Envelope
from pbem.words import ENGLISH, _, spoken

from .folder import Folder
from .notes import Notes


class Tray(Folder):
    """A folder with letters to be sent."""

    def _write(
        self, notes: Notes, name: str, envelope: Envelope, said: str, at: str, to: str = "", log: bytes = b""
    ) -> None:
        """Lay a letter ready for the host, or for another one at `to`; with lines of a log, where they belong to it."""
        domain = re.sub(r"[^A-Za-z0-9.-]", "", self.settings.address.rpartition("@")[2]) or "localhost"
        letter = Letter(
            sender=self.settings.address,
            to=to or notes.host,
            subject=f"{notes.title} {notes.game[:8]}: {name.split('.', maxsplit=1)[0]}",
            text=f"{self._wish()}{said}\nEND\n\n{write_block(envelope)}\n",
            message_id=f"{notes.game[:16]}.{name}.{notes.seat}@{domain}",
            date=datetime.fromisoformat(at),
            log=log,
            log_name=f"{notes.game[:8]}.{notes.seat}.pbem",
        )
        private.write(self.home / "out" / f"{notes.game[:8]}.{name}.eml", letter.raw())

    def _wish(self) -> str:
        """The line that asks the host to write in this player's language; English, of which nobody spoke, is not asked for."""
        language = self.settings.language or spoken()
        return f"LANGUAGE {language}\n\n" if self.settings.language or language != ENGLISH else ""

    def unsent(self) -> list[Path]:
        """Return the letters that wait in `out/`."""
        return sorted((self.home / "out").glob("*.eml"))

    def _send_again(self, notes: Notes, entered: Collection[bytes]) -> list[Path]:
        """Lay what was sent in a game ready once more, but for what the log holds (by its canonical bytes); return the letters."""
        laid = []
        for path in sorted((self.home / "sent").glob(f"{notes.game[:8]}.*.eml")):
            if path.name.split(".")[1] not in ("copy", "press", "resend") and cj(says(path)) not in entered:
                laid.append(self.home / "out" / path.name)
                private.write(laid[-1], path.read_bytes())
        return laid

    def _lay_aside(self, path: Path) -> None:
        private.make_folder(self.home / "replaced")
        path.replace(self.home / "replaced" / path.name)

    def _unsent_orders(self, notes: Notes) -> list[Path]:
        """Return the orders for a game that wait: were one sent before the order that replaces it, it could be taken."""
        return [path for path in self.unsent() if path.name.startswith(f"{notes.game[:8]}.order.")]

    def _unsent_agreements(self, notes: Notes) -> list[Path]:
        """Return what waits of agreements to another host."""
        return [path for path in self.unsent() if path.name.startswith(f"{notes.game[:8]}.host.")]

    def _unsent_says(self, notes: Notes, no: int) -> list[Path]:
        """Return what waits of things said besides orders with this number: the host would take only one of them."""
        return [path for path in self.unsent() if path.match(f"{notes.game[:8]}.*.{no}.*") and says(path)["no"] == no]

    def next_unsent(self, game: str = "") -> Path:
        """Return the letter that waits, of the game whose id begins so. Raises UsageError when there is none, or several."""
        waiting = [path for path in self.unsent() if path.name.startswith(game.lower()[:8])]
        if not waiting:
            raise UsageError(_("Nothing waits to be sent."))
        games = sorted({path.name.partition(".")[0] for path in waiting})
        if len(games) > 1:
            raise UsageError(_("Letters of several games wait. Name one with --game: {games}.", games=", ".join(games)))
        return waiting[0]

    def sent(self, path: Path) -> Path:
        """Lay a letter that was sent by hand into `sent/`."""
        return path.replace(self.home / "sent" / path.name)

    def send(self, at: int | None = None) -> list[Path]:
        """Hand every waiting letter over and return their files in `sent/`; `at` as in Maildir.

        They go into the host's Maildir, else to the mail server of the settings. Raises WorldError or NotTaken where one
        cannot go: it stays, with those behind it.
        """
        if self.settings.post:
            post = Maildir(post_box(self.settings.post))
            return [self.sent(path) for path in self.unsent() if post.deliver(path.read_bytes(), at)]
        if not self.settings.smtp:
            raise UsageError(
                _(
                    "Name the host's Maildir as “post”, or a mail server as “smtp”, in {settings}; or send by hand.",
                    settings=self.home / "settings.json",
                )
            )
        server = carrier(
            Smtp.read(self.settings.smtp, _("“smtp” in {settings}", settings=self.home / "settings.json")), self.home
        )
        sent = []
        try:
            for path in self.unsent():
                raw = path.read_bytes()
                server.carry(self.settings.address, read_message(raw).to[0], raw)
                sent.append(self.sent(path))
        finally:
            server.close()
        return sent


def post_box(where: str) -> Path:
    """Return the host's Maildir. Raises UsageError where there is none: into a folder that is made here nobody looks."""
    if not (Path(where) / "new").is_dir():
        raise UsageError(
            _(
                "{where} is no mail folder (Maildir): there is no “new” in it. Name the one that the host takes its mail from.",
                where=where,
            )
        )
    return Path(where)


def revision(letter: Path) -> tuple[int, int]:
    """The question and revision of a letter in `out/`, by its name."""
    ask, rev = letter.name.split(".")[2:4]
    return int(ask), int(rev)


def ahead_in(letter: Path) -> tuple[Envelope, ...]:
    """The orders sent ahead that go with a letter in `out/`."""
    envelope = read_block(read_message(letter.read_bytes()).text)
    return envelope.ahead if envelope else ()


def says(letter: Path) -> Json:
    envelope = read_block(read_message(letter.read_bytes()).text)
    return envelope.say if envelope else None
