"""A player's folder: his key, his settings, and his copy of each game with the notes beside it.

It decides which game is meant and which key signs. It reads no mail and writes no letter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any, Self

from pbem import private
from pbem.errors import KeyFileError, UsageError, system_said
from pbem.games import GamePack, find
from pbem.i18n import _
from pbem.ledger import Course, Log, PrivateKey

from .copy import Copy
from .notes import Notes, PlayerSettings

FOLDERS = ("games", "out", "sent")
"""The folders that are written into without a check that they exist."""
_NAMED = 16
"""The number of digits of a game's id that name its files."""
HELD = 24_000_000
"""The maximum number of bytes of copies kept in memory between calls, where they take about ten times that space."""


class Folder:
    """The contents of the folder `home`.

    `tell` shows the player a message at once, while they wait; None if that is not possible. `clock` tells the time; if it is
    None, each mail says when it came.
    """

    tell: Callable[[str], None] | None = None
    clock: Callable[[], str] | None = None

    def __init__(self, home: Path, passphrase: bytes | None = None, *, keyless: bool = False) -> None:
        """Open the folder. Raises UsageError if it has no key; with `keyless`, only if it never had one."""
        self.home = home
        keyless = keyless and (home / "settings.json").is_file()
        if not (home / "key").is_file() and not keyless:
            raise UsageError(_no_key(home))
        for part in FOLDERS:  # what keeps files alone, as a zip or a browser does, has lost the empty ones
            private.make_folder(home / part)
        for part in ("key", *FOLDERS, "replaced", "signed"):
            private.shut(home / part)
        if not (home / "settings.json").is_file():
            raise UsageError(
                _(
                    "There is a key in {home}, but no settings.json next to it. “pbem key --import {key} "
                    "--address ADDRESS --home FOLDER” makes a new folder with this key. Then move the contents "
                    "of “games” from here to the new folder.",
                    home=home,
                    key=home / "key",
                )
            )
        self.settings = PlayerSettings.read(home / "settings.json")
        self._passphrase = passphrase
        self._key: PrivateKey | None = None
        self._copies: dict[str, Copy] = {}
        self._packs: dict[str, GamePack] = {}

    @classmethod
    def create(cls, home: Path, key: PrivateKey, settings: PlayerSettings, passphrase: bytes | None = None) -> Self:
        """Set a desk up with a key. Raises UsageError where there is one already."""
        if (home / "key").exists():
            raise UsageError(
                _("There is a key in {home} already; a key that is lost or overwritten cannot be had back.", home=home)
            )
        for part in FOLDERS:
            private.make_folder(home / part)
        _put_key(home, key, passphrase)
        settings.write(home / "settings.json")
        return cls(home, passphrase)

    def change_settings(self, **changes: Any) -> None:
        """Let some of the settings be others."""
        self.settings = replace(self.settings, **changes)
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

    @property
    def recovery_line(self) -> str:
        """The line of the recovery key that new seats are taken with, or ""."""
        path = self.home / "recovery.pub"
        return path.read_text("utf-8").strip() if path.is_file() else ""

    def keys_before(self) -> Iterator[PrivateKey]:
        """Go through the keys that this desk had before, and has kept."""
        return (PrivateKey.load(path.read_bytes(), self._passphrase) for path in self.home.glob("key.before*"))

    def change_key(self, new: PrivateKey) -> None:
        """Let the desk have another key; the one that it has is kept."""
        if (self.home / "key").exists():
            (self.home / "key").replace(unused(self.home / "key.before"))
        _put_key(self.home, new, self._passphrase)
        self._key = new

    def games(self) -> Iterator[Notes]:
        """Go through the games of this desk."""
        return self._games("")

    def _games(self, game: str) -> Iterator[Notes]:
        """Go through the notes with a file that may be of a game with an id that begins so."""
        for path in sorted((self.home / "games").glob("*.json")):
            if path.stem.startswith(game[:_NAMED]):
                yield Notes.read(path)

    def names_of(self, ending: str) -> list[str]:
        """Return the beginnings of the ids of the games that have a file with this ending: “json” with a host, “two” without."""
        return [path.stem for path in sorted((self.home / "games").glob(f"*.{ending}"))]

    def notes(self, game: str = "") -> Notes:
        """Return the notes of the game with an id that begins with `game`; without `game`, of the only game, or the only running
        one."""
        fits = [notes for notes in self._games(game.lower()) if notes.game.startswith(game.lower())]
        if not game and len(fits) > 1:
            fits = [notes for notes in fits if not self.lying(notes).log.finished] or fits
        if len(fits) == 1:
            return fits[0]
        others = [name[:8] for name in self.names_of("two")]
        if not fits and any(name.startswith(game.lower()[:8]) for name in others):
            raise UsageError(
                _(
                    "Game {game} has no host, and this command is for games that have one.",
                    game=game[:8] or ", ".join(others),
                )
            )
        if not fits and others:
            raise UsageError(
                _(
                    "There is no game {game} on this desk. The games without a host are {games}: name one with --game.",
                    game=game[:8],
                    games=", ".join(others),
                )
            )
        if not fits and game:
            raise UsageError(
                _(
                    "There is no game {game} on this desk. “pbem join MAIL” accepts an invitation. If you have "
                    "lost your copy, send the host a mail with the line RESEND.",
                    game=game[:8],
                )
            )
        if not fits:
            raise UsageError(
                _(
                    "There is no game on this desk yet. “pbem join MAIL” accepts an invitation. If you have lost "
                    "your copy, send the host a mail with the line RESEND. Without a host, ask your friend for "
                    "his copy (“pbem copy”)."
                )
            )
        names = ", ".join(f"{one.game[:8]} ({one.title})" for one in fits)
        raise UsageError(
            _("Which game? There are {games}. Name one by --game {first}.", games=names, first=fits[0].game[:8])
        )

    def copy(self, notes: Notes) -> Copy:
        """Return the copy of a game. Raises RecordError where it is lost or damaged."""
        copy = self.lying(notes)
        copy.check_here(notes.title, notes.game)
        return copy

    def lying(self, notes: Notes) -> Copy:
        """Return the stored copy of a game, or an empty copy if it is lost or damaged."""
        copy = self._copies.pop(notes.game, None) or Copy(self.path(notes, "pbem"), notes.seat)
        self._copies[notes.game] = copy  # what was used last stands last
        return copy

    def let_go(self, most: int = HELD) -> None:
        """Drop copies from memory until at most `most` bytes are held; the most recently used copy stays.

        Dropped copies are read again when needed. The caller must hold none, because there is only one copy of each file.
        """
        while len(self._copies) > 1 and sum(one.size for one in self._copies.values()) > most:
            del self._copies[next(iter(self._copies))]

    def change_seat(self, notes: Notes, seat: str) -> None:
        """Change the player's seat in a game of which only the beginning is known."""
        notes.seat = seat
        self.keep(notes)
        self._copies.pop(notes.game, None)

    def path(self, notes: Notes, ending: str) -> Path:
        """Return a file that belongs to a game: “pbem” its copy, “json” its notes, “receipts”."""
        return self.home / "games" / f"{notes.game[:_NAMED]}.{ending}"

    def keep(self, notes: Notes) -> None:
        """Write the notes of a game."""
        notes.write(self.path(notes, "json"))

    def course(self, notes: Notes) -> Course:
        """Return the course of a game: the open question, the statements, and the valid keys."""
        return self.copy(notes).course

    def pack(self, log: Log) -> GamePack:
        """Return the game that a log is of."""
        game = log.entries[0].fields["rules"]["id"]
        if game not in self._packs:
            self._packs[game] = find(game)
        return self._packs[game]


def unused(path: Path) -> Path:
    """Return `path` if that file does not exist yet, otherwise the same name with the first free number appended."""
    return next(one for n in count(1) if not (one := path.with_name(path.name + f".{n}" * (n > 1))).exists())


def _no_key(home: Path) -> str:
    """Return the advice without a key: it was lost, or nobody has made one."""
    if next((home / "games").glob("*.pbem"), None) is None:
        return _(
            "There is no key in {home}. “pbem setup” makes one, and names your mail account; “pbem key” makes one alone. "
            "If you have one elsewhere, name its folder with --home.",
            home=home,
        )
    said = _(
        "There is no key in {home}, though there are games. Put your backup of the key back, as "
        "{key}. If you have none, “pbem rekey --recovery FILE” takes your seats back with the "
        "recovery key.",
        home=home,
        key=home / "key",
    )
    if next((home / "games").glob("*.two"), None) is not None:
        said += " " + _(
            "In a game of two nothing but the key opens your seat: without it, agree with your friend on how the game ends."
        )
    return said


def _put_key(home: Path, key: PrivateKey, passphrase: bytes | None) -> None:
    private.put(home / "key", key.dump(passphrase))
    private.put(home / "key.pub", f"{key.key_line}\n".encode())
