"""A desk at the doors of its games' hosts: which letter goes there, and what lies there for it.

It decides which game's door a letter may be brought to: its own host's, at the address that he has signed. What lies there is read
as mail is, by whoever goes through it; that nothing is lost where a door cannot be reached is seen to by the mail. How requests are
carried it does not know: an errand gives them one by one, and between them what came of it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.errors import PbemError
from pbem.ledger import sha256_hex
from pbem.mail import read_message
from pbem.records import dataclass

from .asking import Asking, AtDoor, DoorReply, DoorRequest, NotHeard, Unreached

if TYPE_CHECKING:
    from pbem.mail.door import Answered

    from .desk import Desk
    from .notes import Notes


@dataclass(frozen=True, slots=True)
class Brought:
    """A letter that was brought to a door: its file now, what became of it by the door's own word."""

    path: Path
    became: str


@dataclass(frozen=True, slots=True)
class NotBrought:
    """A letter that was not brought, and still waits."""

    path: Path
    why: str


@dataclass(frozen=True, slots=True)
class AtTheDoor:
    """A letter that lay at a game's door. It counts as fetched when the errand goes on."""

    game: str
    raw: bytes


@dataclass(frozen=True, slots=True)
class NotFetched:
    """Why what lies at a game's door could not be fetched, or not all of it."""

    title: str
    why: str


Found = Brought | NotBrought | AtTheDoor | NotFetched
Errand = Generator[DoorRequest | Found, DoorReply, None]
"""Requests to be carried, as in `Asking`, and between them what was found; that is answered with nothing."""


class Doors:
    """The doors of one desk's games; `clock` tells the time."""

    def __init__(self, desk: Desk, clock: Callable[[], str]) -> None:
        self.desk, self.clock = desk, clock
        self._known: dict[tuple[str, str, str], AtDoor] = {}

    def with_one(self) -> list[Notes]:
        """Return the games whose hosts have a door, as far as it is known here."""
        return [notes for notes in self.desk.games() if notes.door]

    def door_of(self, path: Path) -> str:
        """Return the address of the door to which a letter that waits can be brought, "" where there is none."""
        notes = self._game_of(path)
        return notes.door if notes else ""

    def waiting(self, game: str = "") -> list[Path]:
        """Return the letters that wait and can be brought to a door; `game`: to that game's alone."""
        return [p for p in self.desk.tray.unsent() if (notes := self._game_of(p)) and notes.game.startswith(game)]

    # -- errands ----------------------------------------------------------------------------------------------------

    def visits(self, game: str) -> Errand:
        """Bring what waits of a game, and fetch what lies at its door."""
        waiting = self.waiting(game)
        yield from self.brings(waiting)
        if not waiting:
            yield from self.fetches(self.desk.notes(game))

    def brings(self, letters: Collection[Path]) -> Errand:
        """Bring letters that wait, and fetch what lies there since. Where a door is not reached, no other is brought there."""
        shut: dict[str, str] = {}
        for path in letters:
            notes = self._game_of(path) if path.exists() else None  # reading a letter may have laid one aside
            if notes is None:
                continue
            if notes.door in shut:
                yield NotBrought(path, shut[notes.door])
                continue
            try:
                answer = yield from self._brought(notes, path.read_bytes())
            except PbemError as error:
                if isinstance(error, Unreached):
                    shut[notes.door] = str(error)
                yield NotBrought(path, str(error))
                continue
            yield Brought(self.desk.tray.sent(path) if path.exists() else path, answer.became)
            yield from self._fetched(notes, answer)

    def fetches(self, notes: Notes) -> Errand:
        """Go through the letters that lie at a game's door and were not fetched before."""
        yield from self._fetched(notes)

    def listens(self, game: str) -> Asking[None]:
        """Ask for the numbers of the letters for a game's seat, as `AtDoor.listens`."""
        yield from self._door(self.desk.notes(game)).listens()

    def _fetched(self, notes: Notes, answer: Answered | None = None) -> Errand:
        try:
            yield from self._lying(notes, answer or (yield from self._door(notes).asks(notes.at_door)))
        except PbemError as error:
            yield NotFetched(notes.title, str(error))

    def _lying(self, notes: Notes, answer: Answered) -> Errand:
        """Go through the letters of an answer and those behind them; each counts as fetched when the next is asked for."""
        door, since = self._door(notes), notes.at_door
        if not answer.goes_on(since, notes.last_at_door):
            since, answer = 0, (yield from door.asks(0))
        again = True  # the key that brought a letter may be handed nothing any more, and the present one all
        while True:
            for letter in answer.letters:
                raw = letter.mail
                yield AtTheDoor(notes.game, raw)
                self._note(notes, letter.no, sha256_hex(raw))
                since = letter.no
            if since >= answer.upto or not (answer.letters or again):
                break
            again, answer = bool(answer.letters), (yield from door.asks(since))

    def _brought(self, notes: Notes, raw: bytes) -> Asking[Answered]:
        """Bring a letter with the desk's key; where the host does not know that yet, with the one before."""
        door = self._door(notes)
        try:
            return (yield from door.brings(raw, notes.at_door))
        except NotHeard as error:
            if error.error != "key":
                raise
            for key in self.desk.keys_before():
                door.key, now = key, door.key
                try:
                    return (yield from door.brings(raw, notes.at_door))
                except NotHeard:
                    continue
                finally:
                    door.key = now
            raise

    def _note(self, notes: Notes, no: int, digest: str) -> None:
        """Remember up to which letter a game's door was emptied; what else was noted meanwhile stays."""
        fresh = self.desk.notes(notes.game)
        if fresh.door == notes.door:  # else the letter has told of another host
            fresh.at_door, fresh.last_at_door = no, digest
            self.desk.keep(fresh)

    def _game_of(self, path: Path) -> Notes | None:
        """The game to whose door a letter goes: that of its name, where the letter is written to that game's host."""
        for notes in self.with_one():
            if path.name.startswith(f"{notes.game[:8]}."):
                return notes if notes.host.lower() in map(str.lower, read_message(path.read_bytes()).to) else None
        return None

    def _door(self, notes: Notes) -> AtDoor:
        known = notes.game, notes.door, notes.seat
        door = self._known.get(known)
        if door is None or door.key is not self.desk.key:
            host = self.desk.course(notes).host
            door = AtDoor(notes.door, host, notes.game, notes.seat, self.desk.key, self.clock)
            self._known[known] = door
        return door
