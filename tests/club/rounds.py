"""What several tests need of rounds: Cup."""

from __future__ import annotations

from pathlib import Path

from pbem.club.event import Event
from pbem.club.event_course import EventCourse
from pbem.club.results import LeftOut, RatedGame, result_of
from pbem.club.rounds import Rounds
from pbem.errors import PbemError
from pbem.games import installed
from pbem.host import Office
from pbem.host.settings import HeldEvents
from pbem.host.store.rows import GameRow
from pbem.kernel import Game, View
from pbem.mail import Maildir, read_message
from pbem.player import Desk, PlayerSettings
from tests.host.post import HOST, key_of, moment
from tests.stored import stored_rows

from .event import text
from .games import key

PEOPLE = ("rose", "iain", "moira")


class Cup:
    """A host that holds an event, and its players, who answer at once."""

    def __init__(self, folder: Path, file: str = "", people: tuple[str, ...] = PEOPLE) -> None:
        self.office = Office.create(folder / "host", key_of("host"), HOST)
        self.file = file or text(people=people)
        (folder / "host" / "cup.toml").write_text(self.file, "utf-8")
        self.posts = folder / "host" / "posts.toml"
        self.posts.write_text("".join(f'{name.title()} = "{name}@example.org"\n' for name in people), "utf-8")
        held = HeldEvents.model_validate({"files": ["cup.toml"], "addresses": "posts.toml", "hours": 48})
        self.numbers = iter(range(1000))
        self.rounds = Rounds(self.office, held, installed, lambda: f"{next(self.numbers):064x}")
        self.desks = {
            name: Desk.create(folder / name, key(name), PlayerSettings(f"{name}@example.org", str(folder / "out")))
            for name in people
        }
        self.minute = 0

    def play(self) -> None:
        """Let all play until nothing is left to do."""
        while self._once():
            pass

    def _once(self) -> bool:
        done = False
        self.office.send(moment(self.minute))
        for name, desk in self.desks.items():
            box = Maildir(self.office.folder / "mail" / name)
            letters = {read_message(raw).message_id: (path, raw) for path, raw, _at in box.new()}
            for row in stored_rows(self.office.store, "select message_id from outbox order by id"):
                if row["message_id"] not in letters:
                    continue
                path, raw = letters[row["message_id"]]
                kind = row["message_id"].split(".")[1]
                if kind in ("invitation", "roster"):
                    desk.join(raw, moment(self.minute))
                else:
                    desk.read(raw)
                box.done(path)
            for notes in desk.games():
                try:
                    to, view, pack = desk.question(notes)
                except PbemError:
                    continue
                if notes.revisions.get(str(to.ask)) is None:
                    desk.order(notes, self.answer(name, pack.rules, view), "", moment(self.minute))
            for letter in desk.tray.unsent():
                self.minute += 1
                self.office.robot.take(desk.tray.sent(letter).read_bytes(), moment(self.minute))
                done = True
        return done

    def answer(self, name: str, rules: Game, view: View) -> str:
        """Return what somebody orders: the first that is legal."""
        return str(next(iter(rules.options(view))))

    def course(self) -> EventCourse:
        """The event as anybody reckons it, from the file and the logs."""
        return EventCourse(
            Event.read(self.file, "cup.toml"), [one for one in self.results() if isinstance(one, RatedGame)]
        )

    def results(self) -> list[RatedGame | LeftOut]:
        """What the logs of all games give that are over."""
        ended = self.office.store.find(GameRow, stage="ended")
        return [result_of(self.office.robot.house.game(row.id).exported().dump(), installed) for row in ended]
