"""Seats of hosted games that built-in players fill: each is a player like any other, with a desk, a key and letters of its own.

A letter to such a seat goes into a folder of the host instead of out. Its desk reads it, as a person's program would, and what it
answers is taken as mail is: decided, entered, signed by the seat's key. So a log shows nothing of it but the term `built_in`.

It agrees to whoever takes the place of one who has vanished, and to nothing else: no draw, nothing taken back.

What it orders follows from its view, the player, and chance that nobody can choose: the next link of the seat's own chain, which
was fixed when it joined and is shown with a later order. So whoever has the whole log can play each move again (`moves`).
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from pbem.errors import UsageError
from pbem.games import GamePack, find
from pbem.games.manifests import players_version
from pbem.host import Office
from pbem.host.built_in import folders
from pbem.host.hosted import HostedGame
from pbem.host.store import WAITING
from pbem.host.store.file import is_of_the_world
from pbem.host.store.keeping import OVER
from pbem.host.store.rows import GameRow, LetterRow, SeatRow
from pbem.host.troubles import note
from pbem.i18n import _
from pbem.kernel import Json, View
from pbem.ledger import Log, PrivateKey, cj, links_down, read_line
from pbem.mail import Maildir, read_message
from pbem.player import Desk, PlayerSettings
from pbem.player.notes import Notes
from pbem.records import dataclass
from pbem.reports.told import told

WAY = "built-in"
"""What a host notes as the way by which such a letter came."""
JOINING = ("invitation", "roster", "keys")
"""The kinds of letters that are answered with a word of one's own key."""


def _chance(game: str, seat: str, ask: int, link: str) -> random.Random:
    return random.Random(f"pbem built-in {game} {seat} {ask} {link}")  # noqa: S311 - it is meant to be played again


def _seen(pack: GamePack, view: Json) -> View:
    """Return a view as a player gets it, in play and played again: its keys in one order, in whichever it was put together."""
    return pack.rules.read_view(read_line(cj(view)))


class BuiltIns:
    """The built-in players of one host."""

    def __init__(self, office: Office) -> None:
        self.office = office
        self._over: set[Path] = set()

    def attend(self, now: str) -> bool:
        """Let each read what has come and answer; have they answered anything?"""
        attended = [folder for folder in folders(self.office.folder) if folder not in self._over]
        answered = [self._attend(folder, now) for folder in attended]  # all of them
        return any(answered)

    def _come_back(self, folder: Path, now: str) -> None:
        """Let one sit down again whose desk is gone, as where only the store was brought back: he needs key and copy."""
        number, _dot, seat = folder.name.partition(".")
        robot, game = self.office.robot, self.office.robot.house.game(int(number))
        why = ""
        if game.seats[seat].key not in (None, self._key(game, seat).key_line):
            why = _(
                "Its desk is gone, and the key that lay there: let somebody else take the seat (“pbem host replace”)."
            )
        note(self.office.store, f"built-in player {folder.name}", why, now)
        if not why:
            with self.office.store.decision():
                robot.post.resend(game, seat, now, -1, f"resent.back-{game.ledger.n}.{seat}")
            self._desk(folder)

    def _is_gone(self, folder: Path) -> bool:
        """Has somebody this seat who has no desk here, and no letter that is on its way or lies here gives him one?"""
        number, _dot, seat = folder.name.partition(".")
        row = self.office.store.get(SeatRow, game=int(number), seat=seat)
        if row is None or (folder / "desk").is_dir():
            return False
        comes = self.office.store.get(LetterRow, game=row.game, seat=seat, sent=WAITING) is not None
        return bool(row.key) or not (comes or any(Maildir(folder / "in").new()))

    def _key(self, game: HostedGame, seat: str) -> PrivateKey:
        """The key of a seat: it follows from the host's root secret, so that it is where the host's own key is."""
        halves = (self.office.robot.house.root.token(f"built-in {game.g} {seat} {half}") for half in (1, 2))
        return PrivateKey.from_seed(bytes.fromhex("".join(halves)))

    def _attend(self, folder: Path, now: str) -> bool:
        if self._is_gone(folder):
            self._come_back(folder, now)
            return (folder / "desk").is_dir()
        inbox = Maildir(folder / "in")
        came = sorted(inbox.new(), key=lambda one: b".resent." not in one[1][:2000])  # before what builds on it
        if not came:
            number = int(folder.name.partition(".")[0])
            if (row := self.office.store.get(GameRow, id=number)) is None or row.stage in OVER:
                self._over.add(folder)  # nothing comes there any more
            return False
        desk = self._desk(folder)
        for _path, raw, _at in came:
            with self._noted(f"built-in player {folder.name} reads", now):
                self._read(desk, raw, now)
        for notes in desk.games():
            with self._noted(f"built-in player {folder.name} answers", now):
                self._answer(desk, notes, now)
        outbox, answered = Maildir(folder / "out"), False
        desk.tray.send(int(datetime.fromisoformat(now).timestamp()))
        for path, raw, _at in list(outbox.new()):
            self.office.robot.take(raw, now, WAY)
            outbox.done(path)
            answered = True
        for path, _raw, _at in came:  # now; after a crash before this they are read again
            inbox.done(path)
        return answered

    @contextmanager
    def _noted(self, what: str, now: str) -> Iterator[None]:
        """Note what a player stumbles over, as a trouble of the host, and let the others go on. No transaction waits for him."""
        try:
            yield
        except Exception as error:
            if is_of_the_world(error):
                raise
            note(self.office.store, what, f"{type(error).__name__}: {error}", now)
        else:
            note(self.office.store, what, "", now)

    def _desk(self, folder: Path) -> Desk:
        home = folder / "desk"
        if home.is_dir():
            return Desk(home)
        number, _dot, seat = folder.name.partition(".")
        game = self.office.robot.house.game(int(number))
        return Desk.create(home, self._key(game, seat), PlayerSettings(game.seats[seat].address, str(folder / "out")))

    def _read(self, desk: Desk, raw: bytes, now: str) -> None:
        kind = read_message(raw, len(raw)).message_id.split(".")[1]
        if kind in JOINING:
            desk.join(raw, now)
            return
        if kind == "proposal":  # whoever the host and the other players take in place of one who has vanished
            desk.newcomers.welcome(raw, now)
            return
        if kind == "resent":  # its desk was lost: what was asked of it there is asked once more
            with suppress(UsageError):
                desk.join(raw, now)
        desk.read(raw)
        if kind == "copy":  # the host has gone back to a backup
            for notes in desk.games():
                desk.speaker(notes).send_copy(-1, now)

    def _answer(self, desk: Desk, notes: Notes, now: str) -> None:
        try:
            to, _view, pack = desk.question(notes)
        except UsageError:
            return
        if notes.revisions.get(str(to.ask)) is not None:
            return
        seat = desk.seat(notes)
        named = seat.log.entries[0].fields["terms"]["built_in"][notes.seat]
        bot = pack.bots[named["player"]]()
        link = seat.pen.link(seat.course.seats[notes.seat].link_n + 1)
        view = _seen(pack, seat.copy.tells()[-1].view)
        order = bot.answer(view, _chance(notes.game, notes.seat, to.ask, link))
        desk.order(notes, str(order), bot.plans(view), now, anyway=True)


# Playing its moves again


@dataclass(frozen=True, slots=True)
class BuiltInMove:
    """A move of a built-in player: its entry, what was ordered, and what that player orders; None where it cannot be told yet."""

    n: int
    seat: str
    order: str
    wanted: str | None

    @property
    def is_his(self) -> bool | None:
        """Is it that player's? None where it cannot be told."""
        return None if self.wanted is None else self.order == self.wanted


def moves(log: Log) -> Iterator[BuiltInMove]:
    """Go through the moves of built-in players in a log that is in order, each played again.

    What cannot be told: a move after which the seat has shown no link, one that the copy does not open, one of a player in another
    version than the one that is here.
    """
    first = log.entries[0].fields
    pack = find(first["rules"]["id"])
    for seat, named in first["terms"].get("built_in", {}).items():
        yield from _moves_of(log, pack, seat, named)


def _moves_of(log: Log, pack: GamePack, seat: str, named: Mapping[str, Any]) -> Iterator[BuiltInMove]:
    opened = {line.digest: line.fields[6] for line in log.attachments if line.k == "seal"}
    views = {tell.n: tell.view for tell in told(log, seat)}
    own = [entry for entry in log.entries if entry.fields.get("by") == seat and "say" in entry.fields]
    says = [(entry.n, entry.fields["say"]) for entry in own]
    shown = [(n, say["link_n"], say["link"]) for n, say in says if "link_n" in say]
    here = named["player"] in pack.bots and named["ver"] == players_version(pack)
    for entry in own:
        say = entry.fields["say"]
        if entry.k != "order" or say["act"] != "order":
            continue
        order, plans = (opened.get(say["seals"][name]) for name in ("order", "plans"))
        place = 1 + max((mark for n, mark, _link in shown if n < say["ask"]), default=0)
        later = next(((mark, link) for _n, mark, link in shown if mark >= place), None)
        seen = max((n for n in views if n < say["ask"]), default=None)
        if not here or order is None or later is None or seen is None:
            yield BuiltInMove(entry.n, seat, order or "", None)
            continue
        link = links_down(log.game, f"seat:{seat}", *later, place)
        view = _seen(pack, views[seen])
        bot = pack.bots[named["player"]]()
        wanted = str(bot.answer(view, _chance(log.game, seat, say["ask"], link)))
        yield BuiltInMove(entry.n, seat, _whole(order, plans or ""), _whole(wanted, bot.plans(view)))


def _whole(order: str, plans: str) -> str:
    return "\n".join(filter(None, [order, plans]))
