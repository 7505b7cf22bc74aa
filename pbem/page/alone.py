"""Solo games: one person against the built-in players, in this process, saved after every order.

The file has only what cannot be computed again: how the game was begun, and everybody's answers. Each question takes a line of
JSON, or two if built-in players are asked at the same time: they may think for long, so the person's answer is saved first. A line
also says which question the person answers again (`Solo.take_back`). If there is only one legal answer, it is given for the
person. The rest follows: the dice from the seed, the log from the answers. Any program that reads the file can therefore continue
the game, and a line cut off costs only the last answer. Several programs may have one game open: it continues only from the state
in its file. This module has no player's key, no host and no clock. A solo player could cheat, and is free to.
"""

from __future__ import annotations

import json
import os
import random
import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import IO, Any, NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError

from pbem import private
from pbem.errors import OrderError, UsageError
from pbem.games import GamePack, find, manifest
from pbem.games.bot import Bot
from pbem.games.touching import taken
from pbem.i18n import _
from pbem.kernel import Json, View, read_plans, take_apart
from pbem.ledger import TAKEBACK, Log, Progress
from pbem.referee import EndDue
from pbem.referee.table import Table
from pbem.reports.told import Story, Told

BEFORE = "alone-"
"""So the name of a game alone begins; the id of no other does."""
_NAME = re.compile(r"alone-[0-9a-f]{8}")
_FEW = 4
"""The maximum number of games held in memory."""
BEST = ("sensible", "normal", "hard", "planning", "random")
"""How built-in players are offered: first the one that is meant where nobody says, then by level; a game has some of them."""


class Beginning(BaseModel):
    """How a game alone was begun: the first line of its file."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    game: str
    version: int
    options: dict[str, Any]
    seat: str
    against: str
    seed: str


def beginning(pack: GamePack, options: Mapping[str, Json], seat: str, against: str, seed: str) -> Beginning:
    """Return how a game begins; "" is the first seat, the best built-in player, other dice than ever.

    Raises UsageError for what there is not: an option, a seat, a built-in player.
    """
    complete = pack.complete(options)
    seats = pack.rules.seats(complete)
    return Beginning(
        game=pack.rules.id,
        version=pack.rules.version,
        options=complete,
        seat=_seat(pack, seat, seats) if seat else seats[0],
        against=pack.player_named(against) if against else best(pack)[0],
        seed=seed or secrets.token_hex(4),
    )


class Stamp(NamedTuple):
    """The state of a game's file on the disk, which changes when another program writes the file."""

    at: int
    size: int

    @classmethod
    def of(cls, found: os.stat_result) -> Stamp:
        """Return it as the system has it."""
        return cls(found.st_mtime_ns, found.st_size)


class Solo:
    """One solo game with its file; without a file it is not saved.

    `stamp` is the file's state after the last step played here, and `size` is its readable length. If `stamp` is None, the game in
    memory differs from the saved game.
    """

    def __init__(self, path: Path | None, begun: Beginning) -> None:
        """Set it up, as it begins. Raises UsageError for anything that does not exist, as somebody may have edited the file."""
        self.stamp: Stamp | None = None
        self.size = 0
        self.pack = find(begun.game)
        if self.pack.rules.version != begun.version:
            raise UsageError(
                _(
                    "This game was begun by version {version} of the rules of {game}; here is version {here}. Begin a new one.",
                    version=begun.version,
                    game=self.pack.rules.title,
                    here=self.pack.rules.version,
                )
            )
        begun = beginning(self.pack, begun.options, begun.seat, begun.against, begun.seed)
        self.path, self.begun, self.seat = path, begun, begun.seat
        self.table = Table(self.pack.rules, begun.options, begun.seed, manifest(self.pack)[1])
        self.answered = 0
        self._given: dict[str, tuple[str, str]] = {}
        self._log, self._story, self._lines = Log(), Story(self.seat), 0
        self._told: list[Told] = []

    @property
    def name(self) -> str:
        """By which it is called."""
        return self.path.stem if self.path else ""

    @property
    def view(self) -> View:
        """How its player sees it."""
        return self.table.referee.view(self.seat)

    @property
    def asked(self) -> tuple[str, ...]:
        """The seats that are asked, and have not answered."""
        return tuple(seat for seat in self.table.open.to if seat not in self._given) if self.table.open else ()

    @property
    def more(self) -> bool:
        """Return whether something must be answered before the person: by built-in players, or by the person without a choice."""
        return bool(self.asked) and (self.seat not in self.asked or bool(self.only))

    @property
    def only(self) -> str:
        """The one answer that the person can give now; "" where he has a choice, or is not asked."""
        return self._only(self.view) if self.seat in self.asked else ""

    def _only(self, view: View) -> str:
        first, *others = islice(self.pack.rules.options(view), 2)
        return "" if others else str(first)

    @property
    def back(self) -> int | None:
        """The entry of the last question that the person may answer again: the last with a choice.

        None if something was revealed since then: dice, cards, hidden blocks, another's answer (`pbem.referee.trail`).
        """
        rules, points = self.pack.rules, self.table.referee.trail.points
        if self.seat not in self.asked or self._given:
            return None
        own = [point for point in points if point.seat == self.seat]
        chosen = (p.ask for p in reversed(own) if not self._only(rules.own_view(rules.view(p.state, self.seat))))
        return next(chosen, None)

    @property
    def result(self) -> Json | None:
        """How it ended; None while it is on."""
        due = self.table.referee.due()
        return due.result if isinstance(due, EndDue) else None

    @property
    def plans(self) -> str:
        """The person's standing plans."""
        return self.table.referee.plans.get(self.seat, "")

    @cached_property
    def _bot(self) -> Bot:
        return self.pack.bots[self.begun.against]()

    def tells(self) -> list[Told]:
        """Return everything that the player was told, except facts that only a log contains.

        Those are the plan that a built-in player used, because its effect is reported anyway, and the consent of all to repeat a
        question.
        """
        lines = self.table.ledger.copies[self.seat]
        if more := lines[self._lines :]:
            self._log.grow(b"".join(line + b"\n" for line in more))
            self._lines = len(lines)
        tells = self._story.follow(self._log)
        self._told += [
            replace(tell, facts=tuple(filter(self._concerns, tell.facts))) for tell in tells[len(self._told) :]
        ]
        return self._told

    def _concerns(self, fact: Json) -> bool:
        return fact["f"] != "say" and bool(fact["f"] != "plan" or fact["seat"] == self.seat)

    def told_since(self) -> int:
        """Return how many tells there were when the person answered last; 0 before the first answer."""
        found = self.tells()
        answers = [entry.n for entry in self._log.entries if entry.k == "order" and entry.fields["by"] == self.seat]
        return sum(tell.n < answers[-1] for tell in found) if answers else 0

    def log(self) -> bytes:
        """Return the whole log once the game is over, otherwise the player's copy."""
        return self.table.whole() if self.result is not None else self.table.copy(self.seat)

    def answer(self, text: str, plans: str = "") -> str:
        """Play the person's order, which is legal; those asked at the same time answer, too. Return its canonical text.

        Raises OrderError, and UsageError where nothing is asked.
        """
        if self.seat not in self.asked:
            raise UsageError(_("Nothing is asked of you now."))
        rules, sheet = self.pack.rules, take_apart(text)
        if sheet.ahead:
            raise UsageError(_("Nothing can be sent ahead here now."))
        own = "\n".join(filter(None, (sheet.plans, plans)))
        planned = read_plans(rules, own) if own else self.plans
        order = str(taken(self.pack, self.view, sheet.order))
        self._play({self.seat: (order, planned)})
        if self._given:
            self.go_on()
        return "\n".join([order, *(f"PLAN {line}" for line in planned.splitlines())])

    def go_on(self) -> str:
        """Let the built-in players answer what they alone are asked, or give the person's only answer, which is returned."""
        only = self.only
        if self.more:
            self._play({self.seat: (only, self.plans)} if only else self._bots())
        return only

    def take_back(self) -> None:
        """Put the question again that the person answered last. Raises UsageError where he cannot take that back."""
        if (ask := self.back) is None:
            raise UsageError(
                _("You cannot take your last answer back: something has been revealed since, or nothing was chosen.")
            )
        self._keep({TAKEBACK: ask}, lambda: self._take_back(ask))

    def _take_back(self, ask: int) -> None:
        said = self.table.say(self.seat, TAKEBACK, about=ask)
        for seat in self.table.seats:
            if seat != self.seat:
                self.table.say(seat, "agree", about=said)

    def _bots(self) -> dict[str, tuple[str, str]]:
        """Return the built-in players' answers. Their random choices follow from the seed, so a saved game continues as before."""
        found = {}
        for seat in self.asked:
            if seat != self.seat:
                view = self.table.referee.view(seat)
                whims = random.Random(f"{self.begun.seed} {self.answered} {seat}")  # noqa: S311 - not the game's dice
                found[seat] = (str(self._bot.answer(view, whims)), self._bot.plans(view))
        return found

    def _play(self, orders: Mapping[str, tuple[str, str]]) -> None:
        """Let seats that are asked answer."""
        self._keep(orders, lambda: self._answer(orders))

    def _keep(self, said: Mapping[str, object], act: Callable[[], None]) -> None:
        """Continue by an `act`, and save its line before anybody is shown the result.

        After an error the file is unchanged, and the game has to be opened again.
        """
        if self.path is None:
            act()
            return
        line = json.dumps(said, ensure_ascii=False, separators=(",", ":"))
        before, self.stamp = self.stamp, None
        try:
            file = private.opened(self.path, "r+b")
        except FileNotFoundError as error:
            raise UsageError(_("This game was thrown away meanwhile; nothing was played.")) from error
        with file:
            if Stamp.of(os.fstat(file.fileno())) != before:
                raise UsageError(
                    _("This game was played on elsewhere meanwhile, and nothing was played here. Open it once more.")
                )
            act()
            self.size = _written(file, self.size, f"{line}\n".encode())
            self.stamp = Stamp.of(os.fstat(file.fileno()))

    def _answer(self, orders: Mapping[str, tuple[str, str]]) -> None:
        """Take answers; the game continues once everybody asked has answered. Raises OrderError for an illegal answer."""
        self._given |= orders
        if self.asked:
            for seat, (order, plans) in orders.items():
                self.table.referee.read(seat, order, plans)
        if not self.asked:
            self.table.answer(self._given)
            self.answered += 1
            self._given = {}

    def replay(self, lines: list[bytes], told: Progress) -> None:
        """Replay these lines. The last may be unreadable; it is followed by the rest of a line that was cut off.

        `told` gets the number of lines replayed and their total. Raises UsageError for a line that does not fit, and for an
        unreadable line that is followed by others.
        """
        whole = lines[:-1]
        for n, line in enumerate(whole):
            told(n, len(whole))
            try:
                found = json.loads(line)
                back = int(found.pop(TAKEBACK, -1))
                orders = {str(seat): (str(order), str(plans)) for seat, (order, plans) in found.items()}
            except (ValueError, TypeError, AttributeError, RecursionError) as error:
                if any(lines[n + 1 :]):
                    raise self._damaged(n, _("it cannot be read")) from error
                return
            if back >= 0 and not orders:
                if back != self.back:
                    raise self._damaged(n, _("it takes back what cannot be taken back"))
                self._take_back(back)
            elif not orders or not orders.keys() <= set(self.asked):
                raise self._damaged(n, _("it answers a question that was not asked"))
            else:
                try:
                    self._answer(orders)
                except OrderError as error:
                    raise self._damaged(n, _("an order in it is not legal")) from error
            self.size += len(line) + 1

    def _damaged(self, n: int, why: str) -> UsageError:
        """Return the error for one of the lines after the first."""
        return UsageError(
            _(
                "The game in {path} is damaged in line {line}: {why}. Its file was left as it is.",
                path=self.path,
                line=n + 2,
                why=why,
            )
        )


class Shelf:
    """The games alone that lie in a folder."""

    def __init__(self, home: Path) -> None:
        self.folder = home / "alone"
        self.told: Progress = lambda _done, _all: None
        """Is told how far it is while a game that was left is played on."""
        self._open: dict[str, Solo] = {}

    def names(self) -> list[str]:
        """Return what they are called, the newest first."""
        paths = sorted(self.folder.glob(f"{BEFORE}*.jsonl"), key=lambda path: (-path.stat().st_mtime_ns, path.name))
        return [path.stem for path in paths if _NAME.fullmatch(path.stem)]

    def last(self, name: str) -> str:
        """Return when a game was played last."""
        return datetime.fromtimestamp(int(self._path(name).stat().st_mtime), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

    def begun(self, name: str) -> Beginning:
        """Return how a game was begun. Raises UsageError if it does not exist, or its file is damaged."""
        return self._read(self._path(name))[0]

    def opened(self, name: str) -> Solo | None:
        """Return a game if it has been played on here already."""
        return self._open.get(name)

    def get(self, name: str) -> Solo:
        """Return a game, replayed from its file. Raises UsageError if it is missing or damaged."""
        path = self._path(name)
        stamp = Stamp.of(path.stat())
        solo = self._open.pop(name, None)
        if solo is None or solo.stamp != stamp:
            begun, size, lines = self._read(path)
            solo = Solo(path, begun)
            solo.stamp, solo.size = stamp, size
            solo.replay(lines, self.told)
        self._open[name] = solo  # what was used last stands last
        return solo

    def let_go(self) -> None:
        """Drop all games from memory except the last few used; dropped games are replayed when needed."""
        while len(self._open) > _FEW:
            del self._open[next(iter(self._open))]

    def begin(self, game: str, options: dict[str, Json], seat: str, against: str, seed: str) -> Solo:
        """Begin a game. Raises UsageError for what there is not: a game, an option, a seat, a built-in player."""
        begun = beginning(find(game), options, seat, against, seed)
        name = f"{BEFORE}{secrets.token_hex(4)}"
        private.make_folder(self.folder)
        path = self.folder / f"{name}.jsonl"
        solo = Solo(path, begun)  # what cannot be begun leaves no file
        line = f"{begun.model_dump_json()}\n".encode()
        private.put(path, line)
        solo.stamp, solo.size = Stamp.of(path.stat()), len(line)
        self._open[name] = solo
        return solo

    def forget(self, name: str) -> None:
        """Throw a game away."""
        self._path(name).unlink()
        self._open.pop(name, None)

    def _path(self, name: str) -> Path:
        path = self.folder / f"{name}.jsonl"
        if not _NAME.fullmatch(name) or not path.is_file():
            raise UsageError(_("There is no game “{name}” here.", name=name[:40]))
        return path

    def _read(self, path: Path) -> tuple[Beginning, int, list[bytes]]:
        """Return a file's first line, its length, and the other lines; the last is "", or the rest of a line that was cut off."""
        first, *lines = path.read_bytes().split(b"\n")
        try:
            return Beginning.model_validate_json(first), len(first) + 1, lines
        except ValidationError as error:
            raise UsageError(
                _("The game in {path} cannot be read: how it was begun is damaged. Throw it away.", path=path.name)
            ) from error


def _written(file: IO[bytes], size: int, data: bytes) -> int:
    """Write behind what can be read of a file, to the disk; return how long it is. What fails leaves it as long as it was."""
    file.truncate(size)  # a line that was cut off while it was written
    file.seek(size)
    try:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    except OSError:
        with suppress(OSError):
            os.ftruncate(file.fileno(), size)
        raise
    return size + len(data)


def best(pack: GamePack) -> tuple[str, ...]:
    """Return a game's built-in players in the order offered; a game's own one comes before the random player."""
    last = len(BEST) - 1
    return tuple(
        sorted(pack.bots, key=lambda name: (BEST.index(name) if name in BEST else last, name == "random", name))
    )


def is_alone(game: str) -> bool:
    """Is that the name of a game alone?"""
    return game.startswith(BEFORE)


def _seat(pack: GamePack, named: str, there: Sequence[str]) -> str:
    """Return the seat that somebody names as the log or as the game does, or by how either begins."""
    fits = {
        seat for seat in there for name in (seat, pack.look.seat_name(seat)) if _fold(name).startswith(_fold(named))
    }
    if len(fits) == 1 or named in there:
        return named if named in there else fits.pop()
    seats = ", ".join(there)
    raise UsageError(_("There is no seat “{seat}”; the seats are {seats}.", seat=named[:40], seats=seats))


def _fold(name: str) -> str:
    return name.casefold().removeprefix("the ")
