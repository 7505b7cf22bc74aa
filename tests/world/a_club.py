"""A club that runs itself for a year: thousands of people, hundreds of games at once, two events, a season of ratings; one program.

    PBEM_GAMES=examples python -m tests.world.a_club --players 2000 --games 500 --days 365 --seed 1

All of it is drawn from the seed, on a clock that nobody waits for. People come by mail and by the door; they vanish, come back,
play five games at once, move house, leave; some flood the host, write in other people's names, send what others have sent. In the
end it is held to its laws (`club_laws`), and what it came to is printed. `--games` is how many are on at once, at most; `--wants`
how many one plays at once, if he can (the keen want five times as many).
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import nullcontext
from datetime import datetime
from pathlib import Path
from unittest.mock import patch

os.environ.setdefault("PBEM_GAMES", str(Path(__file__).resolve().parents[2] / "examples"))

from pbem.club.built_in import BuiltIns
from pbem.club.rounds import Rounds
from pbem.errors import UsageError
from pbem.games import find, installed
from pbem.games.bot import Bot
from pbem.host import Office
from pbem.host.settings import HeldEvents
from pbem.host.store.rows import GameRow, Member
from pbem.ledger import PrivateKey, fingerprint
from pbem.mail import Letter
from pbem.mail.door import OF_THE_CLUB
from pbem.player.asking import AtDoor, NotHeard
from pbem.player.club import letter, line
from tests.a_postgres import a_server
from tests.host.post import HOST, key_of, moment
from tests.stored import stored_row, stored_rows
from tests.world.club_laws import Figures, hold
from tests.world.club_people import DAY, Person, Ways
from tests.world.club_post import Boxes, DoorUnplugged

STRANGERS = 60
STEP = DAY // 2
AT_ONCE = 25
"""After so many people have acted the host looks around, as it does again and again."""
_SETTINGS = f"""address = "{HOST}"
[out]
maildir = "mail/{{local}}"
[door]
address = "http://127.0.0.1:1/"
[club]
games = ["tiny", "hammer", "lords"]
strangers = {STRANGERS}
hours = 168
table_days = 20
join_days = 14
refused = ["@evil.example"]
"""
_EVENTS = (("Spring Cup", "swiss", 16, 0.25), ("Autumn League", "round robin", 6, 0.5))
"""Name, kind, how many play, and when it begins, as a part of all days."""


class ClubWorld:
    """One club, its people, and the ways between them."""

    def __init__(
        self, folder: Path, seed: int, players: int, games: int, days: int, store: str = "", wants: int = 1
    ) -> None:
        self.chance = random.Random(f"club {seed}")
        self.folder, self.games, self.days, self.wants = folder, games, days, wants
        self.minute, self.no, self.count = 0, 0, Counter[str]()
        key = key_of(f"host {seed}")
        Office.create(folder / "host", key, HOST).close()
        (folder / "host" / "host.toml").write_text(f'store = "{store}"\n{_SETTINGS}', "utf-8")
        self.office, self.host_key = Office(folder / "host", new=bool(store)), key.key_line
        self._count_what_comes()
        self.office.beside = BuiltIns(self.office).attend
        assert self.office.robot.club is not None
        self.office.robot.club.fresh = self.fresh
        self.boxes = Boxes(random.Random(f"servers {seed}"))
        self.office.sending._carrier = self.boxes
        self.door = DoorUnplugged(self.office, self.now, lambda: 60.0 * self.minute)
        self.people = [self._somebody(n, players) for n in range(players)]
        self.owner = {one.address: one for one in self.people}
        self.ways, self.patience = Ways(self), 4
        self._bots: dict[str, Bot] = {}
        self.events: dict[str, str] = {}
        """The file of each event that has begun, by its name there."""
        self.rounds: Rounds | None = None
        self._seen: dict[int, int] = {}
        """When a game of an event was first seen to wait for its players."""

    def _count_what_comes(self) -> None:
        """Count what is handed to the robot, by whatever way, and what it decides."""
        taken: Callable[..., str] = self.office.robot.take

        def take(raw: bytes, at: str, *more: str) -> str:
            outcome = taken(raw, at, *more)
            self.count["mails in"] += 1
            self.count["mails of built-in players"] += more == ("built-in",)
            self.count["mails that were there before"] += outcome == "duplicate"
            self.count[f"mail {outcome.partition(':')[0]}"] += 1
            return outcome

        self.office.robot.take = take  # type: ignore[assignment, method-assign]

    def _somebody(self, n: int, players: int) -> Person:
        chance, name = self.chance, f"p{n}"
        diligence = chance.choice((90, 70, 50, 40, 30, 20, 10))
        comes = chance.randrange(max(1, self.days * 3 // 4)) * DAY if n > players // 4 else chance.randrange(5) * DAY
        return Person(
            name, f"{name}@example.org", self.folder / "people" / name, comes, diligence, chance.randrange(4) == 0,
            chance.randrange(12) == 0, n == 0,
        )  # fmt: skip

    # -- what people ask of it ------------------------------------------------------------------------------------------

    def now(self) -> str:
        """The time."""
        return moment(self.minute)

    def fresh(self) -> str:
        """Randomness for a game."""
        return f"{self.chance.getrandbits(256):064x}"

    def take(self, raw: bytes) -> str:
        """Hand a mail to the host."""
        return self.office.robot.take(raw, self.now())

    def bot(self, game: str) -> Bot:
        """Who thinks for people in a game: nobody, it is played at random."""
        if game not in self._bots:
            self._bots[game] = find(game).bots["random"]()
        return self._bots[game]

    def wants_games(self) -> bool:
        """Is there room for another game?"""
        found = stored_row(
            self.office.store, "select count(*) as n from games where stage in ('joining', 'readying', 'playing')"
        )
        return int((found or {"n": 0})["n"]) < self.games

    def a_game(self, person: Person) -> str:
        """What somebody opens a table for."""
        chance, what = self.chance, self.chance.randrange(100)
        if what < 2:
            return "hammer scenario=bruce english=random side=scottish hours=240"
        if what < 5:
            return "lords players=3 angus=sensible buchan=random side=carrick rounds=2 hours=240"
        if what < 12:
            return "tiny players=3 turns=2 cat=random"
        if what < 17:
            return f"tiny players=3 turns=1 rated hours={chance.choice((72, 120))}"
        more = chance.choice(
            (" rated", " rated", " rated", "", " side=ann", f" bob={chance.choice(self.people).name} rated", " open")
        )
        return f"tiny players=2 turns={chance.choice((1, 2, 3))}{more}"

    def deliver(self) -> None:
        """Let the host's letters go."""
        for trouble in self.office.send(self.now()):
            self.count[f"letters: {'refused' if 'for good' in trouble else 'another try'}"] += 1

    # -- days -----------------------------------------------------------------------------------------------------------

    def half_a_day(self) -> None:
        """Everybody who is there reads and writes; the host looks around in between; then what is over by time."""
        end, here = self.minute + STEP, list[Person]()
        for person in self.people:
            if person.comes <= self.minute and self.minute >= person.gone_until:
                waits = person.on or person.codes or person.address in self.boxes.boxes
                if self.chance.randrange(100) < (person.diligence if waits or person.member else 8):
                    here.append(person)
        self.chance.shuffle(here)
        for n, person in enumerate(here):
            self.minute = max(self.minute, end - STEP + n * STEP // (len(here) + 1))
            person.member = self.is_member(person)
            self.ways.acts(person)
            if n % AT_ONCE == 0:
                self.deliver()
        if not self.chance.randrange(4):
            self._mischief()
        self.minute = max(end, self.minute)
        self.office.robot.tick(self.now())
        self._organises()
        self.deliver()

    def is_member(self, person: Person) -> bool:
        """Is he a member of the club?"""
        return any(one.confirmed for one in self.office.store.find(Member, address=person.address))

    def _mischief(self) -> None:
        """Floods, words in other people's names, letters of others sent once more, a mailbox that is closed."""
        victim, chance = self.chance.choice(self.people), self.chance
        match chance.randrange(7):
            case 0:
                for _n in range(30):
                    self._forges(victim.address, "GAMES")
            case 1:
                for n in range(80):
                    self._forges(f"x{chance.randrange(10**6)}@elsewhere.example", f"REGISTER x{n}x")
            case 2:
                for said in (
                    "NEW tiny players=2",
                    f"CONFIRM {chance.getrandbits(128):032x}",
                    "WITHDRAW 1",
                    "LEAVE CLUB",
                ):
                    self._forges(victim.address, said)
            case 3:
                text = "BEGIN PBEM\nnothing\nEND PBEM\n"
                self.take(Letter(victim.address, HOST, "x", text, f"{self.no}.x@eve", self._date()).raw())
            case 4:
                for raw in victim.letters:
                    self.take(
                        b"Received: found in the waste paper\r\n"
                        + raw.replace(b"Message-ID: <", b"Message-ID: <again.")
                    )
                    self.take(raw)
            case 5:
                eve = key_of("eve")
                for n in range(60):
                    self.no += 1
                    said = line([f"register Eve{n}x"], eve) if n % 2 else "JOIN 1"
                    raw = letter(victim.address, HOST, said, f"eve{self.no}", self.now()).raw()
                    self.count[f"eve at the door: {self.knocks(eve, raw)}"] += 1
            case _:
                if not victim.member:
                    self.boxes.shut.add(victim.address)

    def knocks(self, key: PrivateKey, raw: bytes) -> str:
        """Let somebody bring a letter to the club's door; return what became of it."""
        door = AtDoor(self.door.settings.address, self.host_key, *OF_THE_CLUB, key, self.now)
        try:
            return self.door.said(door.asks_club(raw)).became
        except NotHeard as error:
            return error.error

    def _forges(self, address: str, said: str) -> None:
        self.no += 1
        self.take(letter(address, HOST, said, f"forged.{self.no}", self.now()).raw())

    def _date(self) -> datetime:
        return datetime.fromisoformat(self.now())

    # -- the organiser --------------------------------------------------------------------------------------------------

    def _organises(self) -> None:
        """Begin the events in their time, open their rounds, rule on what nobody takes up, let go who cannot be reached."""
        for name, kind, most, when in _EVENTS:
            file = f"{name.partition(' ')[0].lower()}.toml"
            if file not in self.events and self.minute >= when * self.days * DAY:
                self._begins(file, name, kind, most)
        if self.rounds is None:
            return
        for row in self.office.store.find(GameRow, order="id", stage="joining"):
            event = self.office.robot.house.game(row.id).ledger.entry(0)["terms"].get("event", "")
            if event and self._seen.setdefault(row.id, self.minute) + 10 * DAY < self.minute:
                self.office.robot.cancel(row.id, self.now())
                self._rules(event, row.id)
        try:
            self.office.open_rounds(self.now())
        except UsageError as error:
            self._withdraws(str(error))

    def _begins(self, file: str, name: str, kind: str, most: int) -> None:
        seats = stored_rows(self.office.store, "select distinct address from seats where key is not null and key <> ''")
        played = {row["address"] for row in seats}
        there = [one for one in self.people if one.address in played and self.is_member(one) and one.diligence >= 40]
        if len(there) < 3:
            return
        players = self.chance.sample(there, min(most, len(there)))
        told = "".join(
            f'[[players]]\nname = "{one.name}"\nkey = "{fingerprint(key_of(one.name).key_line)}"\n' for one in players
        )
        rounds = "rounds = 3\n" if kind == "swiss" else ""
        text = f'name = "{name}"\ngame = "tiny"\nkind = "{kind}"\n{rounds}[options]\nplayers = 2\nturns = 1\n{told}'
        self._writes(file, text)

    def _writes(self, file: str, text: str) -> None:
        self.events[file] = text
        (self.office.folder / file).write_text(text, "utf-8")
        if self.rounds is None or file not in self.rounds.held.files:
            held = HeldEvents.model_validate({"files": list(self.events), "hours": 72})
            before = self.rounds._results if self.rounds else {}
            self.rounds = Rounds(self.office, held, installed, self.fresh)
            self.rounds._results.update(before)
            self.office.for_events = self.rounds.open

    def _rules(self, event: str, number: int) -> None:
        """Nobody has won a game that was not taken up."""
        notes = self.office.store.notes("event ")
        name = next(name for name, noted in notes.items() if noted == str(number))
        first, second = name.split()[-2:]
        at_round = int(name.split()[-3])
        file = next(file for file, text in self.events.items() if event.startswith(text.split('"')[1]))
        ruling = f'[[rulings]]\nround = {at_round}\nplayers = ["{first}", "{second}"]\nresult = "0-0"\n'
        self._writes(file, self.events[file] + ruling)
        self.count["rulings"] += 1

    def _withdraws(self, why: str) -> None:
        """Whom no letter reaches any more has left: the organiser withdraws him from the next round on."""
        for file, text in self.events.items():
            for one in self.people:
                said = f'player = "{one.name}"'
                if f"to {one.name} go" in why and f'name = "{one.name}"' in text and said not in text:
                    self._writes(file, f"{text}[[withdrawals]]\n{said}\nafter = {self._rounds_of(text)}\n")
                    self.count["withdrawals"] += 1
                    return

    def _rounds_of(self, text: str) -> int:
        """How many rounds of an event have been opened."""
        name = text.split('"')[1]
        opened = [noted.split() for noted in self.office.store.notes("event ") if noted.startswith(f"{name} ")]
        return max((int(words[-3]) for words in opened), default=0)

    def close(self) -> None:
        """Close the host and its door."""
        self.door.close()
        self.office.close()


def play(
    folder: Path,
    seed: int,
    players: int,
    games: int,
    days: int,
    say: Callable[[str], None] = lambda _line: None,
    enough: Callable[[], bool] = lambda: False,
    store: str = "",
    wants: int = 1,
) -> Figures:
    """Let a club run for so many days, or until `enough`, and hold it to its laws; return what it came to. `store`: the address of
    an empty database, "": it is kept in a file. Raises AssertionError for a broken law."""
    world = ClubWorld(folder, seed, players, games, days, store, wants)
    # a game that lies in a folder is looked for among all packages that are installed, each time
    looked = patch("pbem.games.pack._entry_points", dict)
    looked.start()
    try:
        for half in range(2 * days):
            if enough():
                break
            world.count["days"] = (half + 1) // 2
            world.half_a_day()
            if half % 20 == 19:
                on = stored_row(world.office.store, "select count(*) as n from games where stage = 'playing'") or {
                    "n": 0
                }
                say(f"day {half // 2 + 1}: {world.count['mails in']} mails, {on['n']} games are on")
        say("the laws")
        return hold(world)
    finally:
        looked.stop()
        world.close()


def main() -> None:
    """Play a club, and print what it came to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=200)
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--days", type=int, default=60)
    parser.add_argument("--wants", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--folder", type=Path, help="where its files lie, as on a disk of memory; it is emptied at the end"
    )
    parser.add_argument(
        "--store", default="", help="the address of an empty database that it is kept in: postgresql://…"
    )
    parser.add_argument("--database", action="store_true", help="it is kept in a PostgreSQL server of its own")
    parser.add_argument("--within", type=float, default=1e9, help="no further day is begun after so many minutes")
    said = parser.parse_args()
    began, worked = time.monotonic(), time.process_time()

    def say(text: str) -> None:
        print(f"{time.process_time() - worked:8.0f} s  {text}", flush=True)

    def enough() -> bool:
        return bool(time.monotonic() - began > 60 * said.within)

    with (
        tempfile.TemporaryDirectory(dir=said.folder) as folder,
        a_server() if said.database else nullcontext(said.store) as store,
    ):
        figures = play(Path(folder), said.seed, said.players, said.games, said.days, say, enough, store, said.wants)
    print("\n".join(figures.told()))
    print(f"{(time.monotonic() - began) / 60:.1f} minutes, {(time.process_time() - worked) / 60:.1f} of them at work")


if __name__ == "__main__":
    main()
