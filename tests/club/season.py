"""A club by mail that runs itself for days, with people as they are: `play` draws all of it from one number, and holds it to laws.

People join, open tables, sit down, play with programs of their own, vanish and come back, change their address, leave; somebody
floods, somebody writes in other people's names. The clock is a count of minutes; nobody waits. `bench.club` prints it.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from pbem.cli.common import rules_installed
from pbem.club.rating_list import RatingList
from pbem.club.results import result_of
from pbem.errors import PbemError
from pbem.games import find
from pbem.host import Office
from pbem.host.registering import register_of
from pbem.host.settings import ClubByMail
from pbem.host.store.rows import GameRow, Mail, Member
from pbem.mail import Letter, Maildir, read_message
from pbem.player import Desk, PlayerSettings
from pbem.referee.audit import audit
from tests.host.post import HOST, key_of, moment

HALF_A_DAY = 12 * 60
STRANGERS = 40
_BEGIN = datetime(2030, 1, 1, tzinfo=UTC)
_CODE = re.compile(r"CONFIRM ([0-9a-f]{32})")
_TABLE = re.compile(r"^Table (\d+):", re.MULTILINE)


@dataclass
class Person:
    """Somebody, with what he does: how diligent he is, whether he has gone for now, what he knows of tables."""

    name: str
    address: str
    home: Path
    diligence: int
    gone_until: int = 0
    tables: list[str] = field(default_factory=list)
    codes: list[str] = field(default_factory=list)
    moves: int = 0
    desk: Desk | None = None

    def at_desk(self) -> Desk:
        """His program, made when the first invitation comes."""
        if self.desk is None:
            self.desk = Desk.create(self.home, key_of(self.name), PlayerSettings(self.address, str(self.home / "out")))
        return self.desk


class Season:
    """One club, and its people."""

    def __init__(self, folder: Path, seed: int, people: int) -> None:
        self.chance, self.minute, self.no = random.Random(f"season {seed}"), 0, 0
        self.office = Office.create(folder / "host", key_of(f"host {seed}"), HOST)
        rules = {"games": ["tiny"], "strangers": STRANGERS, "hours": 48, "table_days": 10, "join_days": 5}
        self.office.robot.open_club(ClubByMail.model_validate(rules))
        assert self.office.robot.club is not None
        self.office.robot.club.fresh = lambda: f"{self.chance.getrandbits(256):064x}"
        self.folder = folder
        self.people = [
            Person(f"p{n}", f"p{n}@example.org", folder / f"p{n}", self.chance.choice((95, 90, 80, 50, 20)))
            for n in range(people)
        ]
        self.count: Counter[str] = Counter()
        self.bot = find("tiny").bots["random"]()

    # -- what is written ----------------------------------------------------------------------------------------------

    def _take(self, raw: bytes) -> str:
        outcome = self.office.robot.take(raw, moment(self.minute))
        self.count[f"mail {outcome.partition(':')[0]}"] += 1
        return outcome

    def write(self, address: str, text: str, name: str = "") -> str:
        """Let somebody write a line by hand."""
        self.no += 1
        self.minute += 1
        head = f"From: {name} <{address}>\r\nTo: {HOST}\r\nSubject: x\r\nMessage-ID: <{self.no}@by.hand>\r\n\r\n"
        return self._take(f"{head}{text}\r\n".encode())

    def _box(self, address: str) -> Iterator[bytes]:
        box = Maildir(self.office.folder / "mail" / address.partition("@")[0])
        for path, raw, _at in sorted(box.new(), key=lambda one: one[0].name):
            yield raw
            box.done(path)

    # -- what people do -----------------------------------------------------------------------------------------------

    def _read(self, person: Person) -> None:
        letters = list(self._box(person.address))
        order = {row["message_id"]: row["id"] for row in self.office.store.rows("select id, message_id from outbox")}
        for raw in sorted(letters, key=lambda raw: order.get(read_message(raw).message_id, 0)):
            mail = read_message(raw)
            kind = mail.message_id.split(".")[1] if mail.log else mail.message_id.partition(".")[0]
            self.count["letters read"] += 1
            if code := _CODE.search(mail.text):
                person.codes.append(code[1])
            if kind in ("club", "table"):
                person.tables = _TABLE.findall(mail.text)
            elif mail.log and kind in ("invitation", "roster", "keys"):
                if self.chance.randrange(100) < 92:
                    person.at_desk().join(raw, moment(self.minute))
            elif mail.log and person.desk is not None:
                try:
                    person.desk.read(raw)
                except PbemError as error:  # a game that he has not joined
                    self.count[f"not read: {type(error).__name__}"] += 1

    def _act(self, person: Person) -> None:
        chance = self.chance
        self._read(person)
        for code in person.codes:
            if chance.randrange(10):
                self.write(person.address, f"CONFIRM {code}", person.name)
        person.codes.clear()
        what = chance.randrange(100)
        if not any(one.confirmed for one in self.office.store.find(Member, address=person.address)):
            if what < 40:
                zone = chance.choice(("", " zone=Europe/Paris quiet=22-08", " language=fr", " weekends=off"))
                self.write(person.address, f"REGISTER {person.name}{zone}")
        elif what < 12:
            more = chance.choice(("", " rated", " side=ann", " ann=random", f" bob={chance.choice(self.people).name}"))
            self.write(person.address, f"NEW tiny players=2 turns={chance.choice((1, 2))}{more}")
        elif what < 40 and person.tables:
            self.write(person.address, f"JOIN {chance.choice(person.tables)}")
        elif what < 60:
            self.write(person.address, "GAMES")
        elif what < 62 and person.tables:
            self.write(person.address, f"WITHDRAW {chance.choice(person.tables)}")
        elif what < 64:
            person.gone_until = self.minute + chance.choice((5, 20, 400)) * 24 * 60
        elif what == 64:
            self.write(person.address, "LEAVE CLUB")
        elif what == 65 and person.desk is not None and person.desk.games():
            self._moves_house(person)
        self._answer(person)

    def _answer(self, person: Person) -> None:
        if person.desk is None:
            return
        for notes in person.desk.games():
            try:
                to, view, _pack = person.desk.question(notes)
            except PbemError:
                continue
            if notes.revisions.get(str(to.ask)) is None:
                person.desk.order(notes, str(self.bot.answer(view, self.chance)), "", moment(self.minute), anyway=True)
        self._send(person)

    def _send(self, person: Person) -> None:
        assert person.desk is not None
        for path in person.desk.tray.unsent():
            self.minute += 1
            self._take(person.desk.tray.sent(path).read_bytes())

    def _moves_house(self, person: Person) -> None:
        """Name another address in all his games; the host asks there, and he answers with the next letters that he reads."""
        assert person.desk is not None
        person.moves += 1
        address = f"{person.name}.{person.moves}@example.org"
        for notes in person.desk.games():
            person.desk.speaker(notes).move(address, None, moment(self.minute))
        self._send(person)
        self.office.send(moment(self.minute))
        for raw in self._box(address):
            if code := _CODE.search(read_message(raw).text):
                self.write(address, f"CONFIRM {code[1]}")
        if self.office.robot.store.registered(address):
            self.count["moved house"] += 1
            person.address = address

    def _mischief(self) -> None:
        """Floods by a member and by strangers, and words in other people's names."""
        victim, chance = self.chance.choice(self.people), self.chance
        match chance.randrange(4):
            case 0:
                for _n in range(30):
                    self.write(victim.address, "GAMES", "eve")
            case 1:
                for n in range(60):
                    self.write(f"x{chance.randrange(1000)}@elsewhere.example", f"REGISTER x{n}")
            case 2:
                self.write(victim.address, "NEW tiny players=2", "eve")
                self.write(victim.address, f"CONFIRM {chance.getrandbits(128):032x}", "eve")
            case _:
                letter = Letter(
                    victim.address, HOST, "x", "BEGIN PBEM\nnothing\nEND PBEM\n", f"{self.no}.x@eve", _BEGIN
                )
                self._take(letter.raw())

    # -- days ---------------------------------------------------------------------------------------------------------

    def half_a_day(self) -> None:
        """Everybody who is there reads and writes; the host keeps its deadlines."""
        end = self.minute + HALF_A_DAY
        for person in self.people:
            if self.minute >= person.gone_until and self.chance.randrange(100) < person.diligence:
                self._act(person)
                self._deliver()
        if not self.chance.randrange(3):
            self._mischief()
        self.minute = max(end, self.minute + 1)
        self.office.robot.tick(moment(self.minute))
        self._deliver()

    def _deliver(self) -> None:
        """Let the host's letters go: one that lies for an hour gives its reader more time."""
        assert self.office.send(moment(self.minute)) == []

    def check(self) -> RatingList:
        """Hold the club to its laws; return the ratings that follow from its logs."""
        store, robot = self.office.store, self.office.robot
        for mail in store.find(Mail):
            assert mail.outcome, f"mail {mail.id} was not decided"
            assert not mail.outcome.startswith("failed"), mail.outcome
        assert not store.rows("select id from outbox where sent = 0"), "letters that wait"
        assert self.office.troubles() == []
        days = store.rows(
            "select substr(at, 1, 10) as day, count(*) as n from outbox where kind = 'register' group by day"
        )
        assert all(row["n"] <= 3 * STRANGERS for row in days), "strangers are written to too often"
        names = [one.name.casefold() for one in store.find(Member) if one.confirmed]
        assert len(set(names)) == len(names), "two members of one name"
        results = []
        for row in store.find(GameRow, stage="ended"):
            log = robot.export(row.id)
            assert audit(log, rules_installed).verdict.verdict == "clean", f"game {row.id}"
            results.append(result_of(log, rules_installed))
        register = register_of(store)
        rated = {one.id for one in RatingList.of(results).counted}
        assert rated <= {*register.begun}, "a rated game that no register knows"
        ratings = RatingList.of(results)
        self.chance.shuffle(results)
        assert ratings == RatingList.of(results), "the order of the logs counts"
        for told in store.rows("select stage, count(*) as n from games group by stage"):
            self.count[f"games {told['stage']}"] = told["n"]
        self.count["rated games counted"] = len(rated)
        self.count["members"] = len(names)
        self.count["letters written"] = (store.row("select count(*) as n from outbox") or {})["n"]
        return ratings


def play(folder: Path, seed: int, people: int, days: int) -> Season:
    """Play a club for so many days, and hold it to its laws."""
    season = Season(folder, seed, people)
    for _half in range(2 * days):
        season.half_a_day()
    season.check()
    return season
