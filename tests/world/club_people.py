"""The people of a simulated club: diligent or not, by mail or by the door; they vanish, come back, move house, play five at once.

What each does next is drawn from the world's chance; what comes of it the host and his own program decide. He looks at his letters
and his copies alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.errors import PbemError
from pbem.mail import read_message
from pbem.mail.door import OF_THE_CLUB
from pbem.player import Desk, PlayerSettings, settled
from pbem.player.asking import AtDoor, AtTheDoor, NotBrought, NotFetched, NotHeard
from pbem.player.club import letter, line
from pbem.player.doors import Doors
from tests.host.post import HOST, key_of, moment

if TYPE_CHECKING:
    from pbem.player import Notes

    from .a_club import ClubWorld

DAY = 24 * 60
_CODE = re.compile(r"CONFIRM ([0-9a-f]{32})")
_TABLE = re.compile(r"^Table (\d+):", re.MULTILINE)
_JOINING = ("invitation", "roster", "keys")
_ZONES = (
    "",
    "",
    " zone=Europe/Paris quiet=22-08",
    " language=fr",
    " weekends=off",
    " zone=Asia/Kolkata quiet=23-07 weekends=off",
)


@dataclass
class Person:
    """Somebody: when he comes first, how likely he looks at his letters at a time of day, whether he uses the door."""

    name: str
    address: str
    home: Path
    comes: int
    diligence: int
    by_door: bool
    keen: bool
    """Does he play as many games at once as he can?"""
    passes_by: bool = False
    """Does he leave the club as soon as he is in it, and stay away?"""
    gone_until: int = 0
    member: bool = False
    tables: list[str] = field(default_factory=list)
    codes: list[str] = field(default_factory=list)
    letters: list[bytes] = field(default_factory=list)
    """The last that he has sent, for somebody who finds them."""
    moves: int = 0
    left: int = 0
    """When he has confirmed that he leaves."""
    at_table: int = 0
    desk: Desk | None = None
    on: set[str] = field(default_factory=set)
    """The games that he plays in and that go on, as far as he knows."""

    def at_desk(self) -> Desk:
        """His program, made when he needs it."""
        if self.desk is None:
            self.desk = Desk.create(self.home, key_of(self.name), PlayerSettings(self.address, str(self.home / "out")))
        return self.desk


class Ways:
    """What the people of one world do."""

    def __init__(self, world: ClubWorld) -> None:
        self.world, self.chance = world, world.chance

    # -- reading ------------------------------------------------------------------------------------------------------

    def reads(self, person: Person) -> None:
        """Read what has come, by mail and at the door."""
        for raw in self.world.boxes.take(person.address):
            self._reads_one(person, raw)
        if person.by_door and person.desk is not None:
            for found in self._at_the_door(person):
                self._reads_one(person, found)
        person.on = {game for game in person.on if not self._is_over(person, game)}

    def _reads_one(self, person: Person, raw: bytes) -> None:
        world, mail = self.world, read_message(raw)
        world.count["letters read"] += 1
        if code := _CODE.search(mail.text):
            person.codes.append(code[1])
        if not mail.log:
            if found := _TABLE.findall(mail.text):
                person.tables = found
            return
        kind = mail.message_id.split(".")[1]
        try:
            if kind in _JOINING:
                if kind != "invitation" or self.chance.randrange(100) < 96:
                    desk = person.at_desk()
                    desk.join(raw, world.now())
                    person.on |= {notes.game for notes in desk.games() if mail.message_id.startswith(notes.game[:16])}
            elif person.desk is not None:
                person.desk.read(raw)
        except PbemError as error:  # a game that he has not joined
            world.count[f"not read: {type(error).__name__}"] += 1

    def _at_the_door(self, person: Person) -> Iterator[bytes]:
        assert person.desk is not None
        doors = Doors(person.desk, self.world.now)
        for notes in doors.with_one():
            if notes.game in person.on:
                yield from self._errand(doors.fetches(notes))

    def _errand(self, errand: object) -> Iterator[bytes]:
        for found in self.world.door.carried(errand):  # type: ignore[arg-type, var-annotated]
            self.world.count[f"door: {type(found).__name__}"] += 1
            if isinstance(found, AtTheDoor):
                yield found.raw
            elif isinstance(found, NotBrought | NotFetched):
                self.world.count[f"door: {found.why[:60]}"] += 1

    def _is_over(self, person: Person, game: str) -> bool:
        assert person.desk is not None
        return person.desk.copy(person.desk.notes(game)).log.finished

    # -- acting -------------------------------------------------------------------------------------------------------

    def acts(self, person: Person) -> None:
        """Do what he does when he sits down: read, confirm, do something about the club, answer, send."""
        self.reads(person)
        for code in person.codes:
            if self.chance.randrange(12):
                self.says(person, f"CONFIRM {code}")
        if person.codes and person.member and not self.world.is_member(person):
            person.left, person.member = self.world.minute, False
        person.codes.clear()
        if person.passes_by:
            if not person.left:
                self.says(person, "LEAVE CLUB" if person.member else f"REGISTER {person.name}")
        elif not person.member:
            if self.chance.randrange(2):
                self.says(person, f"REGISTER {person.name}{self.chance.choice(_ZONES)}")
        else:
            self._visits_the_club(person)
        self.answers(person)

    def _visits_the_club(self, person: Person) -> None:
        world, chance = self.world, self.chance
        wants = world.wants * (5 if person.keen else 1)
        playing = len(person.on) + (world.minute < person.at_table)
        what = chance.randrange(1000)
        if what < 4:
            person.gone_until = world.minute + chance.choice((5, 20, 60, 400)) * DAY
        elif what < 5:
            self.says(person, "LEAVE CLUB")
        elif what < 7 and person.on:
            self.moves_house(person)
        elif what < 9 and person.tables:
            self.says(person, f"WITHDRAW {chance.choice(person.tables)}")
        elif what < 10:
            self.says(person, f"WATCH {chance.randrange(1, 50)}")
        elif playing < wants and world.wants_games():
            if not person.tables or chance.randrange(4):
                self.says(person, "GAMES")
            if person.tables and chance.randrange(5):
                self.says(person, f"JOIN {chance.choice(person.tables)}")
                person.at_table = world.minute + 10 * DAY
            elif chance.randrange(3):
                self.says(person, f"NEW {world.a_game(person)}")
                person.at_table = world.minute + 10 * DAY

    def answers(self, person: Person) -> None:
        """Answer what is asked in his games, and send what he has signed."""
        if person.desk is None:
            return
        for game in sorted(person.on):
            self._answers_in(person, person.desk.notes(game))
        if person.desk.tray.unsent():
            self.sends(person)
        person.desk.let_go(400_000)

    def _answers_in(self, person: Person, notes: Notes) -> None:
        assert person.desk is not None
        try:
            to, view, pack = person.desk.question(notes)
        except PbemError:
            return
        if notes.revisions.get(str(to.ask)) is not None:
            return
        if pack.rules.id != "tiny" and self.chance.randrange(100) < self.world.patience:
            person.desk.speaker(notes).say("resign", self.world.now())
            return
        bot = self.world.bot(pack.rules.id)
        person.desk.order(notes, str(bot.answer(view, self.chance)), "", self.world.now(), anyway=True)

    def sends(self, person: Person) -> None:
        """Send what waits: to the door, or by mail."""
        assert person.desk is not None
        tray = person.desk.tray
        if person.by_door:
            for raw in self._errand(
                Doors(person.desk, self.world.now).brings(Doors(person.desk, self.world.now).waiting())
            ):
                self._reads_one(person, raw)
        for path in tray.unsent():
            raw = tray.sent(path).read_bytes()
            person.letters = [*person.letters, raw][-3:]
            self.world.take(raw)

    def says(self, person: Person, words: str) -> None:
        """Write a line to the club."""
        world = self.world
        said = line([words], key_of(person.name)) if person.by_door else words
        world.no += 1
        raw = letter(person.address, HOST, said, f"{world.no}", world.now()).raw()
        if not person.by_door:
            world.take(raw)
            return
        door = AtDoor(
            world.door.settings.address, world.host_key, *OF_THE_CLUB, key_of(person.name), lambda: moment(world.minute)
        )
        try:
            answer = world.door.said(door.asks_club(raw))
        except NotHeard as error:
            world.count[f"club's door: {error.error}"] += 1
            return
        world.count[f"club's door: {answer.became}"] += 1
        person.tables = _TABLE.findall(answer.said) or person.tables

    def moves_house(self, person: Person) -> None:
        """Name another address in all his games; the host asks there, and he answers."""
        desk, world = person.at_desk(), self.world
        person.moves += 1
        address = f"{person.name}.{person.moves}@example.org"
        for game in sorted(person.on):
            settled.move(desk.speaker(desk.notes(game)), address, None, world.now())
        self.sends(person)
        world.deliver()
        for raw in world.boxes.take(address):
            if code := _CODE.search(read_message(raw).text):
                world.take(letter(address, HOST, f"CONFIRM {code[1]}", f"move.{world.no}.{code[1]}", world.now()).raw())
        if world.office.store.registered(address):
            world.count["moved house"] += 1
            world.owner[address] = person
            person.address = address
            desk.change_settings(address=address)
