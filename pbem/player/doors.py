"""A desk at the web addresses of its games' hosts: which letters go there, and which letters wait there.

This module decides to which address a letter may be brought: its own host's, as signed by that host. The caller reads the letters
that wait there like mails. If an address cannot be reached, nothing is lost, because the mail still brings it. The module does not
know how requests are carried: an errand yields them one by one, and the results between them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from pbem.errors import PbemError
from pbem.ledger import sha256_hex
from pbem.mail import read_message

from .asking import Asking, AtDoor, AtTheDoor, Brought, Errand, NotBrought, NotFetched, NotHeard, Unreached

if TYPE_CHECKING:
    from pathlib import Path

    from pbem.mail.door import Answered

    from .desk import Desk
    from .notes import Notes


class Doors:
    """The doors of one desk's games; `clock` tells the time."""

    def __init__(self, desk: Desk, clock: Callable[[], str]) -> None:
        self.desk, self.clock = desk, clock
        self._known: dict[tuple[str, str, str], AtDoor] = {}

    def with_one(self) -> list[Notes]:
        """Return the games of hosts with a known web address."""
        return [notes for notes in self.desk.games() if notes.door]

    def door_of(self, path: Path) -> str:
        """Return the web address to which a waiting letter can be brought, or "" without one."""
        return notes.door if (notes := self._game_of(path)) else ""

    def waiting(self, game: str = "") -> list[Path]:
        """Return the letters that wait and can be brought to a door; `game`: to that game's alone."""
        return [p for p in self.desk.tray.unsent() if (notes := self._game_of(p)) and notes.game.startswith(game)]

    # -- errands ----------------------------------------------------------------------------------------------------

    def visits(self, game: str) -> Errand:
        """Bring the waiting letters of a game to its web address, and fetch the letters there."""
        waiting = self.waiting(game)
        yield from self.brings(waiting)
        if not waiting:
            yield from self.fetches(self.desk.notes(game))

    def brings(self, letters: Collection[Path]) -> Errand:
        """Bring waiting letters, and fetch new ones. After an address could not be reached, bring no other letter there."""
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
            yield from self.fetches(notes, answer)

    def listens(self, game: str) -> Asking[None]:
        """Ask for the numbers of the letters for a game's seat, as `AtDoor.listens`."""
        yield from self._door(self.desk.notes(game)).listens()

    def fetches(self, notes: Notes, answer: Answered | None = None) -> Errand:
        """Go through the letters that lie at a game's door and were not fetched before; `answer`: the door has answered already."""
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
        """Remember the last letter fetched from a game's web address; keep any notes made in the meantime."""
        fresh = self.desk.notes(notes.game)
        if fresh.door == notes.door:  # else the letter has told of another host
            fresh.at_door, fresh.last_at_door = no, digest
            self.desk.keep(fresh)

    def _game_of(self, path: Path) -> Notes | None:
        """Return the game for bringing a letter to its host's web address: the game in its name, if the letter is written to that
        game's host."""
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
