"""A desk at the doors of its games' hosts: which letter goes there, and what lies there for it.

It decides which game's door a letter may be brought to: its own host's, at the address that he has signed. What lies there is read
as mail is, by whoever asks for it; that nothing is lost where a door cannot be reached is seen to by the mail.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pbem.ledger import sha256_hex
from pbem.mail import read_message
from pbem.mail.door import Answered

from .desk import Desk
from .door import HostsDoor, NotHeard
from .notes import Notes


@dataclass(frozen=True, slots=True)
class Brought:
    """A letter that was brought to a door: its file now, what became of it, and the letters that lie there since."""

    path: Path
    title: str
    became: str
    letters: Iterator[bytes]


class Doors:
    """The doors of one desk's games; `clock` tells the time."""

    def __init__(self, desk: Desk, clock: Callable[[], str], timeout: float = 60) -> None:
        self.desk, self.clock, self.timeout = desk, clock, timeout
        self._known: dict[tuple[str, str], HostsDoor] = {}

    def with_one(self) -> list[Notes]:
        """Return the games whose hosts have a door, as far as it is known here."""
        return [notes for notes in self.desk.games() if notes.door]

    def is_for_one(self, path: Path) -> bool:
        """Can a letter that waits be brought to a door?"""
        return self._game_of(path) is not None

    def bring(self, path: Path) -> Brought:
        """Bring a letter that waits to the door of its game's host. Raises PbemError; then it still waits."""
        notes = self._game_of(path)
        assert notes is not None  # noqa: S101 - `is_for_one` has said so
        answer = self._brought(notes, path.read_bytes())
        return Brought(self.desk.tray.sent(path), notes.title, answer.became, self._lying(notes, answer))

    def fetch(self, notes: Notes) -> Iterator[bytes]:
        """Go through the letters that lie at a game's door and were not fetched before. Raises PbemError."""
        yield from self._lying(notes, self._door(notes).letters(notes.at_door))

    def _lying(self, notes: Notes, answer: Answered) -> Iterator[bytes]:
        """Go through the letters of an answer and those behind them; each counts as fetched when the next is asked for."""
        door = self._door(notes)
        if not answer.goes_on(notes.at_door, notes.last_at_door):
            answer = door.letters(0)
        while answer.letters:
            for letter in answer.letters:
                raw = letter.mail
                yield raw
                self._note(notes, letter.no, sha256_hex(raw))
            if letter.no >= answer.upto:
                break
            answer = door.letters(letter.no)

    def _brought(self, notes: Notes, raw: bytes) -> Answered:
        """Bring a letter with the desk's key; where the host does not know that yet, with the one before."""
        try:
            return self._door(notes).bring(raw, notes.at_door)
        except NotHeard as error:
            if error.error != "key":
                raise
            for key in self.desk.keys_before():
                door = self._door(notes)
                door.key, now = key, door.key
                try:
                    return door.bring(raw, notes.at_door)
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
                to = read_message(path.read_bytes()).to
                return notes if notes.host.lower() in [one.lower() for one in to] else None
        return None

    def _door(self, notes: Notes) -> HostsDoor:
        known = notes.game, notes.door
        if known not in self._known:
            host = self.desk.course(notes).host
            self._known[known] = HostsDoor(
                notes.door, host, notes.game, notes.seat, self.desk.key, self.clock, timeout=self.timeout
            )
        return self._known[known]
