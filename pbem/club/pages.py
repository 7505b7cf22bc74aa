"""The pages of a club, as files: open games and whose turn it is, finished games, ratings, a feed, and a list as JSON.

They are made only from public data: logs as the host shows them to everybody. So any web server can serve them, and anyone can
rebuild them from the same logs to check them. The pages need no scripts and load only files beside them. (The replay page of a
game embeds its own script.)
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, field
from functools import cached_property
from typing import Any
from xml.etree import ElementTree as ET

from pbem.games import GamePack
from pbem.i18n import _, moments, spoken
from pbem.i18n.visible import in_a_line
from pbem.kernel import Json
from pbem.ledger import Log, fingerprint
from pbem.look.picture import font_faces
from pbem.look.pixels import png
from pbem.mail.calendar import Deadline, calendar_of
from pbem.records import dataclass
from pbem.reports.html import PALETTES, template
from pbem.reports.html import page as report_page
from pbem.reports.policy import rules
from pbem.reports.reckoned import Reckoned
from pbem.reports.report import Report
from pbem.reports.text import result_text
from pbem.reports.told import Told, told
from pbem.reports.turns import Turns
from pbem.story.spectators import shared

from .rating_list import RatingList
from .standings import EventListed

LIST = "club.json"
"""What the pages say, for programs; it names the files of each game, too."""
FORMAT = "pbem-club/1"
SMALL = 420
"""The width of a picture in the list, in pixels."""
NEWS = 40
"""The maximum number of games in the feed, those with the latest events."""
_ATOM = "http://www.w3.org/2005/Atom"


@dataclass(frozen=True)
class PublicGame:
    """A game in its public form: its name at the host, its public log, and its audit's result."""

    title: str
    log: Log
    pack: GamePack
    verdict: str = ""
    """The verdict in a word or two; "" while the game is being played."""

    @property
    def name(self) -> str:
        """What its files are called."""
        return self.log.game[:16]

    @property
    def over(self) -> bool:
        """Is it over?"""
        return self.log.entries[-1].k == "end"

    @property
    def at(self) -> str:
        """When something happened in it last."""
        return str(self.log.entries[-1].fields["at"])

    @cached_property
    def tells(self) -> Sequence[Told]:
        """What the public was told."""
        return told(self.log, None)

    @property
    def first(self) -> Mapping[str, Json]:
        """Entry 0."""
        return self.log.entries[0].fields

    @cached_property
    def question(self) -> Mapping[str, Json]:
        """The open question: its seats, when it was put, and when it is due; {} if there is none."""
        if self.over:
            return {}
        asks = (entry.fields for entry in reversed(self.log.entries) if entry.k == "ask")
        return next(asks, {})

    @cached_property
    def turn(self) -> tuple[str, int]:
        """What part of the game it has come to, the largest first, and at which entry the second of them began."""
        turns = Turns()
        for tell in self.tells:
            for chapter in filter(None, map(self.pack.look.chapter, tell.facts)):
                turns.note(tell.n, chapter)
        path = turns.open
        return ", ".join(turn.name for turn in path), path[:2][-1].n if path else 0

    @property
    def result(self) -> str:
        """The result in a sentence; "" while the game is being played."""
        return result_text(self.log.entries[-1].fields["result"], self.pack) if self.over else ""

    @property
    def seats(self) -> list[tuple[str, str]]:
        """The seats, each with the fingerprint of the key that joined, "" where none has."""
        keys = {entry.fields["by"]: entry.fields["say"]["key"] for entry in self.log.entries if entry.k == "join"}
        name = self.pack.look.seat_name
        return [(name(seat), fingerprint(keys[seat]) if seat in keys else "") for seat in self.first["seats"]]

    @cached_property
    def report(self) -> Reckoned | None:
        """The current public report: the position, and the events in this part of the game; None before the game began."""
        if not self.tells:
            return None
        since = self.turn[1]
        asked = self.question
        n, head = self.log.head
        return Reckoned(
            Report(
                game_id=self.log.game,
                seat="",
                view=self.tells[-1].view,
                told=tuple(tell.facts for tell in self.tells if tell.n >= since),
                asked=tuple(asked.get("to", ())),
                entry=n,
                head=head,
                due=asked.get("due", ""),
                result=self.log.entries[-1].fields["result"] if self.over else None,
                earlier=tuple(fact for tell in self.tells if tell.n < since for fact in tell.facts),
                complete=True,
            ),
            self.pack,
        )

    def files(self, links: Sequence[tuple[str, str]] = ()) -> Iterator[tuple[str, bytes]]:
        """Go through its files: the log, the page, a small picture, and what tells it to spectators."""
        yield f"{self.name}.pbem", self.log.dump()
        if self.report is None:
            return
        beside = [*links, (f"{self.name}.pbem", _("The log"))]
        for one in shared(self.name, self.log, self.pack):
            beside.append((one.name, one.says))
            yield one.name, one.data
        yield f"{self.name}.html", report_page(self.report, links=beside).encode()
        if self.report.picture:
            yield f"{self.name}.png", png(self.report.picture, SMALL)


@dataclass(frozen=True)
class GameListed:
    """What the list says of a game. It is kept as JSON, and so a game in which nothing happened need not be looked at again."""

    id: str
    head: str
    game: str
    played: str
    title: str
    event: str
    at: str
    over: bool
    turn: str
    asked: Sequence[str]
    since: str
    due: str
    result: str
    verdict: str
    seats: Sequence[Sequence[str]]
    files: Sequence[str]
    rated: Json = None
    """What it gives to the ratings, where it counts for them; a sentence where it does not."""

    @classmethod
    def of(cls, game: PublicGame, files: Sequence[str], rated: Json = None) -> GameListed:
        """Return the row of a game."""
        asked = game.question
        return cls(
            game.log.game, game.log.head[1], game.first["rules"]["id"], game.pack.rules.title, in_a_line(game.title),
            in_a_line(game.first["terms"].get("event", "")), game.at, game.over, game.turn[0],
            [game.pack.look.seat_name(seat) for seat in asked.get("to", ())], asked.get("at", ""), asked.get("due", ""),
            game.result, game.verdict, game.seats, files, rated,
        )  # fmt: skip

    def file(self, ending: str) -> str:
        """Return its file with that ending, as `.html`; "" where it has none."""
        return next((name for name in self.files if name == f"games/{self.id[:16]}{ending}"), "")

    def players(self, called: Mapping[str, str]) -> str:
        """Return who plays what, by the names of keys."""
        named = ((seat, called.get(key, "")) for seat, key in self.seats)
        return ", ".join(_("{seat}: {name}", seat=seat, name=name) if name else seat for seat, name in named)

    @property
    def waits(self) -> str:
        """Whom it waits for, since when and until when, in a sentence."""
        if not self.asked:
            return ""
        since = moments.day(self.since)
        if self.due:
            return _(
                "It waits for {seats}, since {since}, until {due}.",
                seats=", ".join(self.asked),
                since=since,
                due=moments.told(self.due),
            )
        return _("It waits for {seats}, since {since}.", seats=", ".join(self.asked), since=since)


@dataclass(frozen=True)
class TableListed:
    """A game that waits for players, as everybody may know it: nobody's name is in it."""

    number: int
    game: str
    lines: Sequence[str]
    free: Sequence[str]
    """The seats that are free, as they are called."""


@dataclass(frozen=True)
class Club:
    """All that the pages show, whole: the games by when something happened last, the ratings, the head of the register."""

    title: str
    key: str
    """The fingerprint of its host's key."""
    by: str
    """The release that made the pages."""
    rows: Sequence[GameListed]
    ratings: RatingList
    register: tuple[int, str] | None = None
    """The number of the last line of its register, and that line's hash."""
    called: Mapping[str, str] = field(default_factory=dict)
    tables: Sequence[TableListed] = ()
    """Games that wait for players; none in a club that people do not join by mail."""
    address: str = ""
    """Where one writes to join."""
    events: Sequence[Mapping[str, Any]] = ()
    """The standings of the events that the host makes public, as it has noted them (`event_json`)."""

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Go through the files of the whole: the page of the list, its style, the feed, and the list for programs."""
        style = template("report.css.j2").render(**PALETTES, fonts=font_faces()) + template("club.css.j2").render(
            **PALETTES
        )
        yield "club.css", style.encode()
        yield "index.html", self._page().encode()
        yield "feed.xml", self._feed()
        yield "deadlines.ics", self._deadlines().encode()
        yield LIST, (json.dumps(self.to_json(), ensure_ascii=False, indent=1) + "\n").encode()

    def to_json(self) -> dict[str, Json]:
        """Return all that the pages say."""
        own = [{name: getattr(row, name) for name in GameListed.__dataclass_fields__} for row in self.rows]
        register = list(self.register) if self.register else None
        return {
            "format": FORMAT, "title": self.title, "key": self.key, "pbem": self.by, "language": spoken(), "games": own,
            "tables": [asdict(table) for table in self.tables], "events": list(self.events),
            "register": register, "ratings": self.ratings.to_json(),
        }  # fmt: skip

    def _page(self) -> str:
        policy = rules(
            script_src="", worker_src="", connect_src="", img_src="'self'", font_src="data:", manifest_src="",
            frame_ancestors="", require_trusted_types_for="", trusted_types="",
        )  # fmt: skip
        return template("club.html.j2").render(
            title=self.title,
            policy=policy,
            tables=self.tables,
            address=self.address,
            going=[row for row in self.rows if not row.over],
            over=[row for row in self.rows if row.over],
            lists=[(self._played(game), list(enumerate(rows, 1))) for game, rows in self.ratings.games.items()],
            name=self._name,
            called=self.called,
            key=self.key,
            register=self.register,
            events=[EventListed(told, {row.id: row.file(".html") for row in self.rows}) for told in self.events],
        )

    def _deadlines(self) -> str:
        """The times until which games wait, as a calendar that programs fetch again and again."""
        return calendar_of(
            self.title,
            (
                Deadline(
                    f"{row.id[:16]}@pbem",
                    0,
                    row.since,
                    row.due,
                    f"{row.title}: {', '.join(row.asked)}",
                    row.waits,
                    hours=0,
                )
                for row in self.rows
                if row.due and row.asked
            ),
        )

    def _played(self, game: str) -> str:
        return next(row.played for row in self.rows if row.game == game)

    def _name(self, keys: Iterable[str]) -> str:
        keys = list(keys)
        return next((self.called[key] for key in keys if key in self.called), f"{keys[0][:19]}…")

    def _feed(self) -> bytes:
        ET.register_namespace("", _ATOM)
        feed = ET.Element(f"{{{_ATOM}}}feed")

        def add(to: ET.Element, name: str, text: str = "", **attributes: str) -> ET.Element:
            made = ET.SubElement(to, f"{{{_ATOM}}}{name}", attributes)
            made.text = text or None
            return made

        add(feed, "title", self.title)
        add(feed, "id", f"urn:pbem:club:{self.key}")
        add(feed, "updated", max((row.at for row in self.rows), default="1970-01-01T00:00:00Z"))
        add(feed, "link", href="index.html")
        for row in self.rows[:NEWS]:
            entry = add(feed, "entry")
            add(entry, "title", f"{row.title}: {row.result or row.turn or row.played}")
            add(entry, "id", f"urn:pbem:{row.id}:{row.head[:16]}")
            add(entry, "updated", row.at)
            add(entry, "link", href=row.file(".html") or row.file(".pbem"))
            add(add(entry, "author"), "name", row.played)
            add(entry, "summary", row.result or row.waits or row.players(self.called))
        made: bytes = ET.tostring(feed, "utf-8", xml_declaration=True)
        return made + b"\n"
