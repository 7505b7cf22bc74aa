"""A player's folder: his key, his settings, and his copy of each game with the notes beside it.

It decides which game is meant, which key signs and over which copies nothing is signed. It reads no mail and writes no letter.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Self

from pbem.errors import KeyFileError, RecordError, UsageError, system_said
from pbem.games import GamePack, find
from pbem.ledger import Log, PrivateKey, Talk
from pbem.referee import Pen
from pbem.words import _

from .copy import Copy
from .notes import Notes, Settings


@contextmanager
def sense() -> Iterator[None]:
    """Turn what breaks on a report that makes no sense into a RecordError."""
    try:
        yield
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        nonsense = _(
            "What the host has told you is signed, but it is no report of this game: either your rules are of another "
            "version than his, or he lies. Do not go on; an audit will tell."
        )
        raise RecordError(f"{nonsense} ({type(error).__name__})") from error


class Folder:
    """What lies in the folder `home`."""

    def __init__(self, home: Path, passphrase: bytes | None = None) -> None:
        self.home = home
        if not (home / "key").is_file():
            raise UsageError(_("There is no key in {home}. Make one with “pbem key”.", home=home))
        self.settings = Settings.read(home / "settings.json")
        self._passphrase = passphrase
        self._key: PrivateKey | None = None
        self._copies: dict[str, Copy] = {}
        self._packs: dict[str, GamePack] = {}

    @classmethod
    def create(cls, home: Path, key: PrivateKey, settings: Settings, passphrase: bytes | None = None) -> Self:
        """Set a desk up with a key. Raises UsageError where there is one already."""
        if (home / "key").exists():
            raise UsageError(
                _("There is a key in {home} already; a key that is lost or overwritten cannot be had back.", home=home)
            )
        for part in ("games", "out", "sent"):
            (home / part).mkdir(parents=True, exist_ok=True)
        (home / "key").touch(mode=0o600)
        (home / "key").write_bytes(key.dump(passphrase))
        (home / "key.pub").write_text(key.key_line + "\n", "utf-8")
        settings.write(home / "settings.json")
        return cls(home, passphrase)

    def choose_language(self, language: str) -> None:
        """Let this be what the player reads, of the languages that have words."""
        self.settings = replace(self.settings, language=language)
        self.settings.write(self.home / "settings.json")

    @property
    def key_line(self) -> str:
        """The public key, as one line."""
        return (self.home / "key.pub").read_text("utf-8").strip()

    @property
    def key(self) -> PrivateKey:
        """The private key; read, and its passphrase asked for, only when something is signed."""
        if self._key is None:
            try:
                self._key = PrivateKey.load((self.home / "key").read_bytes(), self._passphrase)
            except OSError as error:
                raise KeyFileError(
                    _("The key in {home} cannot be read: {why}.", home=self.home, why=system_said(error))
                ) from error
        return self._key

    def games(self) -> Iterator[Notes]:
        """Go through the games of this desk."""
        for path in sorted((self.home / "games").glob("*.json")):
            yield Notes.read(path)

    def notes(self, game: str = "") -> Notes:
        """Return the notes of the game whose id begins with `game`; without it, of the only game there is."""
        fits = [notes for notes in self.games() if notes.game.startswith(game.lower())]
        if len(fits) == 1:
            return fits[0]
        if not fits and game:
            raise UsageError(
                _(
                    "There is no game {game} on this desk. “pbem join MAIL” takes up an invitation; if you have lost your "
                    "copy, write to the host a mail with the line RESEND.",
                    game=game[:8],
                )
            )
        if not fits:
            raise UsageError(
                _(
                    "There is no game yet on this desk. “pbem join MAIL” takes up an invitation; if you have lost your copy, "
                    "write to the host a mail with the line RESEND."
                )
            )
        raise UsageError(_("Which game? {games}", games=", ".join(f"{one.game[:8]} ({one.title})" for one in fits)))

    def copy(self, notes: Notes) -> Copy:
        """Return the copy of a game."""
        if notes.game not in self._copies:
            self._copies[notes.game] = Copy(self._path(notes, "pbem"), notes.seat)
        return self._copies[notes.game]

    def _path(self, notes: Notes, ending: str) -> Path:
        return self.home / "games" / f"{notes.game[:16]}.{ending}"

    def _keep(self, notes: Notes) -> None:
        notes.write(self._path(notes, "json"))

    def talk(self, notes: Notes) -> Talk:
        """Return what has been said in a game besides orders, and what is asked."""
        with sense():
            return Talk.read(entry.fields for entry in self.copy(notes).log.entries)

    def _pack(self, log: Log) -> GamePack:
        game = log.entries[0].fields["rules"]["id"]
        if game not in self._packs:
            self._packs[game] = find(game)
        return self._packs[game]

    def _pen(self, notes: Notes, log: Log) -> Pen:
        return Pen(self.key, notes.game, log.entries[0].fields["nonce"], notes.seat)

    def _in_order(self, notes: Notes) -> None:
        """Sign nothing over a copy that is at fault, nor for a host that was given up. Raises RecordError or UsageError."""
        if notes.next_host:
            raise UsageError(
                _(
                    "You have agreed that this game goes on under another host; for the former one nothing more is signed. "
                    "Wait for the mail that all have agreed."
                )
            )
        verdict = self.copy(notes).verdict()
        if verdict.verdict == "fault":
            raise RecordError(
                _(
                    "Your copy is at fault, so nothing is signed: entry {entry}, {code}. {reason}",
                    entry=verdict.entry,
                    code=verdict.code,
                    reason=verdict.reason,
                )
            )
