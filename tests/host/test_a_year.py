"""A simulated year of a club: twenty games, players as they are, and mail servers that fail now and then.

The clock goes on by three hours at a time. Some players are prompt, some late, some take leave, one falls silent in summer and
his mailbox is shut, one sends every letter twice. Servers take no mail for a while, refuse a letter for now, or take it and say
they did not; the host itself stands still for some days. In the end every deadline, reminder and skip stands at the moment at
which it had to, every log is clean, and every mail is accounted for.

All that follows from the seeds that stand here, from the players' names, and from the rules, whose fingerprints are in the games'
ids: with these rules it is the same year on each machine.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem.errors import NotTaken, UsageError, WorldError
from pbem.games import find, manifest
from pbem.host import Office, StoredLedger
from pbem.host.condition import figures
from pbem.host.moments import later
from pbem.ledger import Log, verify
from pbem.ledger.terms import terms
from pbem.mail import read_message
from pbem.mail.hours import Hours, latest
from pbem.player import Desk, Notes, PlayerSettings, settled
from pbem.referee.audit import audit
from tests.stored import stored_rows

from .post import HOST, key_of

pytestmark = pytest.mark.slow

BEGIN = datetime(2030, 1, 1, tzinfo=UTC)
STEP, YEAR = 3, 365 * 24
GAMES = 20
STILL = (170 * 24, 175 * 24)
"""From when to when the host stands still, in hours from the beginning."""
LONG, ENOUGH = (4, 9), (25 * 24, 40 * 24)
"""Which games are of Hammer of the Scots, and after how many hours their players resign."""
SUMMER, LAST = 184 * 24, 13
"""From when on Gus writes nothing any more, and his mailbox is shut; and the last game that he begins, two days before; with one
who is slow, so that it is not over by then."""


def at_hour(hour: float) -> str:
    return (BEGIN + timedelta(hours=hour)).strftime("%Y-%m-%dT%H:%M:%SZ")


@dataclass(frozen=True, slots=True)
class Ways:
    """What a player is like: how many hours he takes to answer, from and to, what he does besides, and his clock."""

    slow: tuple[int, int]
    clock: Hours
    does: str = ""


WAYS = {
    "ada": Ways((1, 12), Hours("Europe/London")),
    "ben": Ways((1, 40), Hours("Europe/Paris", "22:00-08:00", "sat,sun")),
    "cleo": Ways((20, 130), Hours("America/New_York", "23:00-07:00"), "late"),
    "dirk": Ways((1, 30), Hours("Asia/Kolkata", "", "sat,sun"), "leave"),
    "elsa": Ways((1, 20), Hours("Australia/Lord_Howe", "21:30-06:30"), "twice"),
    "finn": Ways((30, 140), Hours("America/St_Johns", "00:00-08:00", "fri,sat"), "late"),
    "gus": Ways((1, 30), Hours("UTC"), "silent"),
    "hana": Ways((1, 24), Hours("Pacific/Auckland", "22:00-07:00"), "press"),
}


class Servers:
    """The mail servers between host and players, as a carrier: each fails in its way, by the chance of a seed."""

    def __init__(self, chance: random.Random) -> None:
        self.chance, self.hour, self.boxes = chance, 0, {f"{who}@club.org": list[bytes]() for who in WAYS}
        self.failed: Counter[str] = Counter()

    def carry(self, sender: str, address: str, raw: bytes) -> None:
        """Take a letter, or fail."""
        if address == "gus@club.org" and self.hour >= SUMMER:
            self.failed["for good"] += 1
            raise NotTaken("no such mailbox", for_good=True)
        luck = self.chance.random()
        if luck < 0.02:
            self.failed["no server"] += 1
            raise WorldError("the server does not answer")
        if luck < 0.06:
            self.failed["not now"] += 1
            raise NotTaken("the mailbox is full", for_good=False)
        self.boxes[address].append(raw)
        if luck < 0.08:
            self.failed["taken all the same"] += 1
            raise WorldError("the line broke")

    def check(self, sender: str) -> str:
        """It is never tried."""
        return sender

    def objection(self, sender: str, address: str) -> str:
        """Nor asked."""
        return ""

    def close(self) -> None:
        """Nothing stays open."""


@dataclass(slots=True)
class Player:
    """One player, his desk, and when he is going to answer which question of which game."""

    name: str
    desk: Desk
    chance: random.Random
    means: dict[str, tuple[int, int]] = field(default_factory=dict)
    """By game: the question, and the hour in which he answers it."""
    asked: dict[str, int] = field(default_factory=dict)
    read: Counter[str] = field(default_factory=Counter)
    posted: list[bytes] = field(default_factory=list)
    claims: set[str] = field(default_factory=set)
    resigns: dict[str, int] = field(default_factory=dict)
    """By game: the hour in which he has had enough of it."""

    @property
    def ways(self) -> Ways:
        return WAYS[self.name]

    def reads(self, raw: bytes, hour: int, at: str) -> None:
        """Read one letter of the host, and make up his mind."""
        mail = read_message(raw, len(raw))
        kind = mail.message_id.split(".")[1]
        self.read[mail.message_id] += 1
        if self.read[mail.message_id] > 1:
            return
        if kind in ("invitation", "roster"):
            self.desk.join(raw, at)
        else:
            self.desk.read(raw)
        notes = next((found for found in self.desk.games() if mail.message_id.startswith(found.game[:16])), None)
        assert notes is not None
        if kind == "invitation":
            clock = self.ways.clock
            settled.set_clock(self.desk.speaker(notes), clock, None, at)
            if notes.title != "Tiny":
                self.resigns[notes.game] = hour + self.chance.randint(*ENOUGH)
        if kind == "report":
            self._asked(notes, hour)
        if ".claim." in mail.message_id and (self.chance.random() < 0.6 or hour >= SUMMER):
            self.claims.add(notes.game)

    def _asked(self, notes: Notes, hour: int) -> None:
        try:
            to, _, _ = self.desk.question(notes)
        except UsageError:
            self.means.pop(notes.game, None)
            return
        if self.asked.get(notes.game) != to.ask:
            self.asked[notes.game] = to.ask
            self.means[notes.game] = (to.ask, hour + self.chance.randint(*self.ways.slow))

    def acts(self, hour: int, at: str) -> list[bytes]:
        """Do what he meant to do by now; return his letters."""
        if self.ways.does == "silent" and hour >= SUMMER:
            return []
        for notes in list(self.desk.games()):
            ask, when = self.means.get(notes.game, (0, YEAR * 2))
            if when > hour:
                continue
            if self.ways.does == "leave" and self.chance.random() < 0.3 and self._takes_leave(notes, at):
                self.means[notes.game] = (ask, hour + 20)
                continue
            del self.means[notes.game]
            _, view, pack = self.desk.question(notes)
            self.desk.order(notes, str(pack.rules.options(view).sample(self.chance)), "", at)
        for game, when in list(self.resigns.items()):
            if when <= hour:
                del self.resigns[game]
                self._resigns(self.desk.notes(game), at)
        for game in sorted(self.claims):
            self.desk.speaker(self.desk.notes(game)).say("claim", at)
        self.claims.clear()
        if self.ways.does == "press" and self.chance.random() < 0.01 and (played := list(self.desk.games())):
            self.desk.speaker(self.chance.choice(played)).write("Has anybody seen my block?", "", at)
        letters = [path.read_bytes() for path in self.desk.tray.unsent()]
        for path in self.desk.tray.unsent():
            self.desk.tray.sent(path)
        if self.ways.does == "twice":
            letters += [b"Received: by another way\r\n" + letter for letter in letters]
        return letters

    def _resigns(self, notes: Notes, at: str) -> None:
        with suppress(UsageError):  # the game is over already
            self.desk.speaker(notes).say("resign", at)
            self.means.pop(notes.game, None)

    def _takes_leave(self, notes: Notes, at: str) -> bool:
        try:
            self.desk.speaker(notes).say("leave", at, hours=self.chance.choice((24, 48)))
        except UsageError:  # none is given here, or it is used up
            return False
        return True


class Year:
    """The club and its year."""

    def __init__(self, folder: Path) -> None:
        self.chance = random.Random(1297)
        self.office = Office.create(folder / "host", key_of("host"), HOST)
        self.servers = Servers(random.Random(1314))
        self.office.sending._carrier = self.servers
        self.players = {
            name: Player(
                name, Desk.create(folder / name, key_of(name), PlayerSettings(f"{name}@club.org")), random.Random(name)
            )
            for name in WAYS
        }
        self.numbers: list[int] = []
        self.outcomes: Counter[str] = Counter()
        self.handed_in = 0

    def opens(self, no: int, at: str) -> None:
        """Open the next game: of two, or now and then of three; every other one by claims."""
        count = 3 if no % 5 == 3 else 2
        game, options = ("hammer", {}) if no in LONG else ("tiny", {"players": count, "turns": 2})
        pack = find(game)
        complete = pack.complete(options)
        seats = pack.rules.seats(complete)
        known = [who for who in WAYS if who != "gus" or at < at_hour(SUMMER)]
        people = self.chance.sample(known, len(seats))
        if no == LAST:
            people = ["gus", "cleo", *(who for who in people if who not in ("gus", "cleo"))][: len(seats)]
        agreed = terms(48, 12 if no % 3 else 0, "claim" if no % 2 else "default", 96)
        self.numbers.append(
            self.office.robot.new_game(
                game, complete, dict(zip(seats, (f"{who}@club.org" for who in people), strict=True)),
                f"Game {no}", agreed, f"fresh {no}", at,
            )
        )  # fmt: skip

    def passes(self) -> None:
        """Let the year go by."""
        for hour in range(0, YEAR, STEP):
            self.servers.hour, at = hour, at_hour(hour)
            if hour % (14 * 24) == 0 and len(self.numbers) < GAMES:
                self.opens(len(self.numbers), at)
            stands_still = STILL[0] <= hour < STILL[1]
            if not stands_still:
                self.office.robot.tick(at)
                self.office.send(at)
            for player in self.players.values():
                box = self.servers.boxes[f"{player.name}@club.org"]
                while box and not stands_still:
                    player.reads(box.pop(0), hour, at)
                player.posted += player.acts(hour, at)
                while player.posted and not stands_still:
                    self.handed_in += 1
                    outcome = self.office.robot.take(player.posted.pop(0), at_hour(hour + 1))
                    self.outcomes[outcome.partition(":")[0]] += 1

    def log(self, number: int) -> Log:
        """The whole log of a game."""
        return StoredLedger(self.office.store, number, tuple(self.office.robot.house.game(number).seats)).whole()

    def clocks(self, number: int) -> Mapping[str, Hours]:
        """Each seat's clock."""
        game = self.office.robot.house.game(number)
        return {seat: WAYS[row.address.partition("@")[0]].clock for seat, row in game.seats.items()}


@pytest.fixture(scope="module")
def year(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Year]:
    year = Year(tmp_path_factory.mktemp("year"))
    year.passes()
    yield year
    year.office.close()


def test_everything_happened_that_was_to_happen(year: Year) -> None:
    """Else the rest proves less than it says."""
    said = [
        entry.fields["say"]["act"] for number in year.numbers for entry in year.log(number).entries if entry.k == "say"
    ]
    assert {"leave", "claim"} <= set(said)
    whys = {e.fields["why"] for number in year.numbers for e in year.log(number).entries if e.k == "skip"}
    assert {"due", "late"} <= whys
    kinds = {row["message_id"].split(".")[3] for row in reminders(year)}
    assert kinds == {"half", "over", "claim"}
    assert set(year.servers.failed) == {"for good", "no server", "not now", "taken all the same"}
    assert {"order", "joined", "ready", "time", "press", "leave", "claim", "waits", "duplicate"} <= set(year.outcomes)
    decided = stored_rows(year.office.store, "select outcome from inbox")
    assert "refused" in {row["outcome"].partition(":")[0] for row in decided}, "what waited as well, in the end"
    assert not any(row["outcome"].startswith("waits") for row in decided)


def test_every_game_came_to_its_end_and_every_log_is_clean(year: Year) -> None:
    assert len(year.numbers) == GAMES
    for number in year.numbers:
        log = year.log(number)
        assert log.finished, number
        assert audit(log.dump(), lambda game: (find(game).rules, manifest(game)[1])).verdict.verdict == "clean"


def test_every_copy_is_the_hosts_history(year: Year) -> None:
    logs = {log.game: log for log in map(year.log, year.numbers)}
    for player in year.players.values():
        for notes in player.desk.games():
            copy = player.desk.copy(notes).log
            n, head = copy.head
            assert logs[notes.game].entries[n].hash == head
            assert verify(copy, notes.seat).verdict in ("clean", "unfinished")
            assert copy.finished or player.name == "gus"


def reminders(year: Year) -> list[dict[str, Any]]:
    return stored_rows(year.office.store, "select * from outbox where kind = 'reminder' order by id")


def questions(year: Year, number: int) -> dict[int, tuple[list[str], str, str, str]]:
    """By its number, each question's seats, and when it was put, and until when it was promised, and taken."""
    game, clocks, found = year.office.robot.house.game(number), year.clocks(number), {}
    start, grace = "", game.course.terms.grace
    for entry in year.log(number).entries:
        start = max(start, entry.fields.get("at", ""))
        if entry.k == "ask":
            of = [clocks[seat] for seat in entry.fields["to"]]
            assert entry.fields["due"] == latest(start, 48 + grace, of), "as the clocks of those who are asked say"
            found[entry.n] = (entry.fields["to"], start, latest(start, 48, of), entry.fields["due"])
        if entry.k == "extend":
            to, put, promised, due = found[entry.fields["ask"]]
            more = datetime.fromisoformat(entry.fields["due"]) - datetime.fromisoformat(due)
            found[entry.fields["ask"]] = (
                to, put, later(promised, seconds=int(more.total_seconds())), entry.fields["due"]
            )  # fmt: skip
    return found


def test_nobody_was_skipped_or_lost_before_his_time_nor_long_after(year: Year) -> None:
    still = tuple(at_hour(hour) for hour in STILL)
    for number in year.numbers:
        asked = questions(year, number)
        late = Counter(e.fields["to"] for e in year.log(number).entries if e.fields.get("why") in ("due", "late"))
        for seat, row in year.office.robot.house.game(number).seats.items():
            assert row.late <= late[seat], "who has no choice is skipped at times, and is not late"
        for entry in year.log(number).entries:
            if entry.k == "skip" and entry.fields["why"] in ("due", "only"):
                due, at = asked[entry.fields["ask"]][3], entry.fields["at"]
                assert at > due
                assert at <= later(due, hours=STEP) or still[0] <= due <= later(still[1], hours=STEP)
            if entry.k == "say" and entry.fields["say"]["act"] == "claim":
                ask = max(n for n in asked if n < entry.n)
                assert entry.fields["at"] >= asked[ask][3]


def test_every_reminder_came_once_in_its_time_and_woke_nobody(year: Year) -> None:
    """Of each question and deadline: at half of the time, at the end of it, and to the others when they may claim."""
    assert len({row["message_id"] for row in reminders(year)}) == len(reminders(year))
    for row in reminders(year):
        ask, kind = int(row["message_id"].split(".")[2]), row["message_id"].split(".")[3]
        to, put, promised, due = questions(year, row["game"])[ask]
        assert year.clocks(row["game"])[row["seat"]].counts(datetime.fromisoformat(row["at"]))
        answered = [
            entry.fields["at"] for entry in year.log(row["game"]).entries
            if entry.k == "order" and entry.fields["by"] == row["seat"] and entry.fields["say"]["ask"] == ask
        ]  # fmt: skip
        if kind == "claim":
            assert row["at"] >= due
            continue
        assert row["seat"] in to
        assert not answered or answered[0] > row["at"], "who has answered is left in peace"
        assert put < row["at"] < promised if kind == "half" else row["at"] >= promised


def test_every_mail_is_accounted_for(year: Year) -> None:
    store, status = year.office.store, figures(year.office.robot.store)
    assert sum(year.outcomes.values()) == year.handed_in
    assert status["mails_in"] == year.handed_in - store_duplicates(year)
    assert (status["mails_undecided"], status["mails_stuck"], status["mails_unsent"]) == (0, 0, 0)
    rows = stored_rows(store, "select message_id, address, sent from outbox")
    read = Counter[str]()
    for player in year.players.values():
        read += player.read
    for row in rows:
        if row["sent"] == 1:
            assert read[row["message_id"]] >= 1, row
        else:
            assert row["address"] == "gus@club.org", "refused for good, after his mailbox was shut"
    assert set(read) <= {row["message_id"] for row in rows}
    assert sum(read.values()) == len(set(read)) + year.servers.failed["taken all the same"]
    assert year.office.status()["letters_refused"] == year.servers.failed["for good"]


def store_duplicates(year: Year) -> int:
    """Mails of which nothing had to be stored: the same came before by another way."""
    return year.handed_in - len({row["essence"] for row in stored_rows(year.office.store, "select essence from inbox")})
