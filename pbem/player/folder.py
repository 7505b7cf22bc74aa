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
"""What is written into without looking whether it is there."""
_NAMED = 16
"""So many digits of a game's id name its files."""
HELD = 24_000_000
"""So many bytes of copies are held in memory between calls, where they take some ten times as much."""


class Folder:
    """What lies in the folder `home`.

    `tell`: by which its player is told something at once, while he waits; None where he cannot be told. `clock` tells the time;
    None: what is read tells when it came.
    """

    tell: Callable[[str], None] | None = None
    clock: Callable[[], str] | None = None

    def __init__(self, home: Path, passphrase: bytes | None = None, *, keyless: bool = False) -> None:
        """Open it. Raises UsageError where no key lies in it; `keyless`: where nobody has ever had one there."""
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
                    "There is a key in {home}, and no settings.json beside it. “pbem key --import {key} --address ADDRESS --home "
                    "FOLDER” makes a new folder with this key; then move what lies in “games” here into that one.",
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
        """Go through those whose file may be of a game whose id begins so."""
        for path in sorted((self.home / "games").glob("*.json")):
            if path.stem.startswith(game[:_NAMED]):
                yield Notes.read(path)

    def notes(self, game: str = "") -> Notes:
        """Return the notes of the game whose id begins with `game`; without it, of the only game there is, or that is not over."""
        fits = [notes for notes in self._games(game.lower()) if notes.game.startswith(game.lower())]
        if not game and len(fits) > 1:
            fits = [notes for notes in fits if not self.lying(notes).log.finished] or fits
        if len(fits) == 1:
            return fits[0]
        of_two = [path.stem[:8] for path in sorted((self.home / "games").glob("*.two"))]
        if not fits and any(name.startswith(game.lower()[:8]) for name in of_two):
            raise UsageError(
                _(
                    "Game {game} has no host, and this command is for games that have one.",
                    game=game[:8] or ", ".join(of_two),
                )
            )
        if not fits and of_two:
            raise UsageError(
                _(
                    "There is no game {game} on this desk; there are, without a host, {games}. Name one of them with --game.",
                    game=game[:8],
                    games=", ".join(of_two),
                )
            )
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
                    "write to the host a mail with the line RESEND, or ask the friend with whom you play without one for his "
                    "(“pbem copy”)."
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
        """Return the copy of a game as it lies here; an empty one where it is lost or damaged."""
        copy = self._copies.pop(notes.game, None) or Copy(self.path(notes, "pbem"), notes.seat)
        self._copies[notes.game] = copy  # what was used last stands last
        return copy

    def let_go(self, most: int = HELD) -> None:
        """Forget copies until those that are held come to so many bytes; the one that was used last stays.

        They are read anew where they are wanted. Whoever calls this holds none himself: of one file there is one copy.
        """
        while len(self._copies) > 1 and sum(one.size for one in self._copies.values()) > most:
            del self._copies[next(iter(self._copies))]

    def change_seat(self, notes: Notes, seat: str) -> None:
        """Let another seat be his in a game of which no more is known than how it begins."""
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
        """Return how far a game has come: what is asked, what was said, whose keys count."""
        return self.copy(notes).course

    def pack(self, log: Log) -> GamePack:
        """Return the game that a log is of."""
        game = log.entries[0].fields["rules"]["id"]
        if game not in self._packs:
            self._packs[game] = find(game)
        return self._packs[game]


def unused(path: Path) -> Path:
    """Return a name of which there is no file yet: this one, else with a number behind it."""
    return next(one for n in count(1) if not (one := path.with_name(path.name + f".{n}" * (n > 1))).exists())


def _no_key(home: Path) -> str:
    """What to do where there is no key: it was lost, or nobody has made one."""
    if next((home / "games").glob("*.pbem"), None) is None:
        return _(
            "There is no key in {home}. “pbem setup” makes one, and names your mail account; “pbem key” makes one alone. "
            "If you have one elsewhere, name its folder with --home.",
            home=home,
        )
    said = _(
        "There is no key in {home}, though there are games. Put your copy of it back, as {key}; if there is none left, “pbem rekey "
        "--recovery FILE” takes your seats back with the recovery key.",
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
