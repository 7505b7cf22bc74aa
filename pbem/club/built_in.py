"""Seats of hosted games that built-in players fill. Each is a player like any other, with a client, a key and letters of its own.

A letter to such a seat goes into a folder of the host instead of out. The seat's client reads it, as a person's program would. Its
answer is handled like mail: decided, entered, and signed by the seat's key. In the log, only the term `built_in` shows the
difference.

A built-in player agrees to a replacement for a player who has vanished. It agrees to no draws and no take-backs.

Its orders follow from its view, its program, and chance that nobody can choose. That chance is the next link of the seat's own
chain, which was fixed at the join and is shown with a later order. So anyone with the whole log can play each move again (`moves`).
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from shutil import rmtree
from typing import Any, Literal

from pbem import private
from pbem.errors import EarlierWanted, PbemError, PlayerError, RecordError, UsageError
from pbem.games import GamePack, find
from pbem.games.manifests import players_version
from pbem.host import Office, locks
from pbem.host.built_in import DESK, WHOLE, is_built_in, seated
from pbem.host.deciding import MOVES_NOTHING
from pbem.host.hosted import HostedGame
from pbem.host.store import WAITING
from pbem.host.store.keeping import ON
from pbem.host.store.rows import AnswerRow, LetterRow, SeatRow
from pbem.host.troubles import note
from pbem.i18n import _
from pbem.kernel import Json, View
from pbem.ledger import Log, PrivateKey, cj, links_down, read_line
from pbem.mail import Maildir, read_message
from pbem.player import Desk, PlayerSettings
from pbem.player.folder import unused
from pbem.player.notes import Notes
from pbem.records import dataclass
from pbem.reports.told import told

WAY = "built-in"
"""What a host notes as the way by which such a letter came."""
_PLAYER = "built-in player "
"""So his trouble is named; the name of his folder follows."""
_ATTENDED = "attended"
"""The lock file in a player's folder. Only the program of the host that has this lock runs the player."""
JOINING = ("invitation", "roster", "keys")
"""The kinds of letters that are answered with a word of one's own key."""


def _chance(game: str, seat: str, ask: int, link: str) -> random.Random:
    return random.Random(f"pbem built-in {game} {seat} {ask} {link}")  # noqa: S311 - it is meant to be played again


def _notes(desk: Desk, game: HostedGame) -> list[Notes]:
    """Return the notes of a game, if it is on a desk."""
    return [notes for notes in desk.games() if notes.game == game.g]


def _seen(pack: GamePack, view: Json) -> View:
    """Return a view as a player gets it, in play and played again: its keys in one order, in whichever it was put together."""
    return pack.rules.read_view(read_line(cj(view)))


@contextmanager
def _stumbling(troubles: list[str]) -> Iterator[None]:
    """Record the error of one built-in player in `troubles`, and let the program continue with the others."""
    try:
        yield
    except Exception as error:  # noqa: BLE001 - a program that plays may raise anything
        troubles.append(str(error) if isinstance(error, PbemError) else f"{type(error).__name__}: {error}")


class BuiltIns:
    """The built-in players of one host."""

    def __init__(self, office: Office) -> None:
        self.office = office

    def attend(self, now: str) -> bool:
        """Let each built-in player read its new letters and answer. Return whether that changed anything."""
        store = self.office.store
        on = {number for stage in ON for number in store.values("games", "id", stage=stage)}
        attended = [one for one in seated(self.office.folder) if one[0] in on]
        named = {folder.name for _number, _seat, folder in attended}
        for name in store.notes(f"trouble {_PLAYER}").keys() - named:
            note(store, f"{_PLAYER}{name}", "", now)  # his game is over
        answered = [self._attend(*one, now) for one in attended]  # all of them
        return any(answered)

    def _attend(self, number: int, seat: str, folder: Path, now: str) -> bool:
        """Let one player do its pending work; return whether it led to anything. Another program of this host may be doing it."""
        troubles, written, moved = list[str](), list[tuple[Path, bytes, str]](), False
        with _stumbling(troubles):
            if self._is_called(number, seat, folder):
                with locks.at_once(folder / _ATTENDED) as alone:
                    if alone:
                        moved = self._at_desk(number, seat, folder, troubles, now)
        with _stumbling(troubles):
            if (folder / "out").is_dir():
                written.extend(Maildir(folder / "out").new())
        for path, raw, _at in written:
            moved |= not self.office.robot.take(raw, now, WAY).startswith(MOVES_NOTHING)
            with _stumbling(troubles):
                Maildir(folder / "out").done(path)
        note(self.office.store, f"{_PLAYER}{folder.name}", " ".join(troubles[:1]), now)
        return moved

    def _is_called(self, number: int, seat: str, folder: Path) -> bool:
        """Has anything come, or not gone out; is his desk gone, or is he asked, as where he has stumbled over the question?"""
        store = self.office.store
        row = store.get(SeatRow, game=number, seat=seat)
        if row is None or not is_built_in(row.address):
            return False
        if not (folder / DESK).is_dir() or any(
            any((folder / place).glob("*.eml")) for place in ("in/new", f"{DESK}/out")
        ):
            return True
        return store.values("games", "stage", id=number)[0] != "playing" or self._asked(number, seat) is not None

    def _asked(self, number: int, seat: str) -> int | None:
        """Return the question that one is asked and has not answered yet, by what the host knows: no note of his need say so."""
        store = self.office.store
        ask, asked = (store.values("games", column, id=number)[0] for column in ("ask", "asked"))
        return ask if seat in asked and store.get(AnswerRow, game=number, ask=ask, seat=seat) is None else None

    def _at_desk(self, number: int, seat: str, folder: Path, troubles: list[str], now: str) -> bool:
        """Let one read, answer, and hand over what he has written; has he been sent his copy, so that there is more to read?"""
        store, game = self.office.store, self.office.robot.house.game(number)
        inbox, came = Maildir(folder / "in"), list[tuple[Path, bytes, str]]()
        Maildir(folder / "out")
        desk = self._desk(folder, game, seat)
        with _stumbling(troubles):
            came.extend(inbox.new())
        comes = came or store.get(LetterRow, game=number, seat=seat, sent=WAITING) is not None
        lacks = not comes and self._lacks(desk, game, seat)
        for path, raw, _at in sorted(
            came, key=lambda one: b".resent." not in one[1][:2000]
        ):  # before what builds on it
            with _stumbling(troubles):
                try:
                    self._read(desk, game, seat, raw, now)
                except EarlierWanted:
                    lacks = True
                    continue
                except (PlayerError, RecordError) as error:
                    if self._owes_word(number, seat):
                        raise
                    troubles.append(str(error))  # it is refused for good
                inbox.done(path)
        for notes in _notes(desk, game):
            with _stumbling(troubles):
                self._answer(desk, notes, self._asked(number, seat), now)
        desk.tray.send(int(datetime.fromisoformat(now).timestamp()))
        return lacks and self._sent_again(number, seat, now)

    def _lacks(self, desk: Desk, game: HostedGame, seat: str) -> bool:
        """Return whether the client has no copy of the game, or lacks the question or statement that the host waits for."""
        if not (found := _notes(desk, game)) or game.stands_still:
            return not found
        ask = self._asked(game.id, seat)
        asked = desk.course(found[0]).question
        return self._owes_word(game.id, seat) or (ask is not None and (asked is None or asked.n != ask))

    def _sent_again(self, number: int, seat: str, now: str) -> bool:
        """Have the host send a seat its copy again. Return whether this queued the letter.

        This is for a seat whose client was lost or missed a letter, once a day for each entry. Otherwise an unreadable letter
        would be sent again and again.
        """
        store, letter = self.office.store, {"game": number, "seat": seat, "kind": "resent", "sent": WAITING}
        if store.get(LetterRow, **letter) is not None:
            return False
        with store.decision():
            game = self.office.robot.house.game(number)
            self.office.robot.post.resend(game, seat, now, -1, f"resent.back-{game.ledger.n}-{now[:10]}.{seat}")
        return store.get(LetterRow, **letter) is not None

    def _key(self, game: HostedGame, seat: str) -> PrivateKey:
        """The key of a seat: it follows from the host's root secret, so that it is where the host's own key is."""
        halves = (self.office.robot.house.root.token(f"built-in {game.g} {seat} {half}") for half in (1, 2))
        return PrivateKey.from_seed(bytes.fromhex("".join(halves)))

    def _desk(self, folder: Path, game: HostedGame, seat: str) -> Desk:
        """Return the seat's `Desk`, creating it if necessary. Raises UsageError if the seat's key was lost with it."""
        home, key, his = folder / DESK, self._key(game, seat), game.seats[seat].key
        out = str((folder / "out").absolute())
        if (desk := self._opened(home, game, {key.key_line, his})) is None:
            if his not in (None, key.key_line):
                raise UsageError(
                    _(
                        "The built-in player's desk and its key are gone: give the seat to somebody else (“pbem host "
                        "replace”)."
                    )
                )
            if home.exists():
                home.rename(unused(home.with_name(f"{DESK}.before")))
            part = home.with_name(f"{DESK}{private.PART}")  # whoever is killed over it leaves no desk
            rmtree(part, ignore_errors=True)
            Desk.create(part, key, PlayerSettings(game.seats[seat].address, out))
            part.rename(home)
            desk = Desk(home)
        if desk.settings.post != out:  # the host's folder was moved
            desk.change_settings(post=out)
        return desk

    def _opened(self, home: Path, game: HostedGame, keys: Collection[str | None]) -> Desk | None:
        """Return the `Desk` in that folder, or None if it is incomplete, damaged, or of another game with this number.

        It belongs to this game if its key is one of `keys`, or if it has a copy of the game.
        """
        if not all((home / name).is_file() for name in WHOLE):
            return None
        try:
            desk = Desk(home)
            found = _notes(desk, game)
            for notes in found:
                desk.copy(notes)
            return desk if desk.key.key_line in keys or found else None
        except (PlayerError, RecordError) as error:
            if isinstance(error.__cause__, OSError):
                raise
            return None

    def _read(self, desk: Desk, game: HostedGame, seat: str, raw: bytes, now: str) -> None:
        """Let one read a letter. Raises what keeps him from it: EarlierWanted where he has missed another."""
        g, kind = [*read_message(raw, len(raw)).message_id.split("."), ""][:2]
        if g != game.g[:16]:
            return  # it is that of another game, which had this number
        if kind in JOINING:
            desk.join(raw, now)
            return
        if kind == "resent":  # its desk was lost: what was asked of it there is asked once more
            try:
                desk.join(raw, now)
            except UsageError:
                if self._owes_word(game.id, seat):
                    raise
        elif not _notes(desk, game):
            raise EarlierWanted(_("The desk has no copy of the game."))
        if kind == "proposal":  # whoever the host and the other players take in place of one who has vanished
            desk.newcomers.welcome(raw, now)
            return
        desk.read(raw)
        if kind == "copy":  # the host has gone back to a backup
            for notes in _notes(desk, game):
                desk.speaker(notes).send_copy(-1, now)

    def _owes_word(self, number: int, seat: str) -> bool:
        """Is it still to be said by his key that one joins, or is ready?"""
        game = self.office.robot.house.game(number)
        return not game.seats[seat].key if game.stage == "joining" else seat in game.course.missing

    def _answer(self, desk: Desk, notes: Notes, ask: int | None, now: str) -> None:
        try:
            to, _view, pack = desk.question(notes)
        except UsageError:
            return
        if to.ask != ask or notes.revisions.get(str(ask)) is not None:
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
    """A move of a built-in player: its entry, the order played, and the order that the player computes (None if not known yet)."""

    n: int
    seat: str
    order: str
    wanted: str | None

    @property
    def is_his(self) -> bool | None:
        """Is it that player's? None where it cannot be told."""
        return None if self.wanted is None else self.order == self.wanted


@dataclass(frozen=True, slots=True)
class HostsAct:
    """An act of the host in a built-in player's seat: a built-in player itself only answers, on time, with one key."""

    n: int
    seat: str
    what: Literal["skip", "late", "key", "said", "ahead"]


def acts_of_host(log: Log) -> Iterator[HostsAct]:
    """Go through what seats of built-in players did and no such player does: skipped or late answers, changes of key, words."""
    seats, due, ask = log.entries[0].fields["terms"].get("built_in", {}), "", -1
    for entry in log.entries:
        fields: Mapping[str, Any] = entry.fields
        by, kind = str(fields.get("by", "")), entry.k
        if kind == "ask":
            due, ask = fields.get("due") or "", entry.n
        elif kind == "extend" and fields["ask"] == ask:
            due = fields["due"]
        elif kind == "skip" and fields["to"] in seats and fields["why"] != "only":
            yield HostsAct(entry.n, fields["to"], "skip")
        elif (
            kind == "amend"
            and (what := fields.get("what"))
            and "player" in what
            and what["player"]["say"]["seat"] in seats
        ):
            yield HostsAct(entry.n, what["player"]["say"]["seat"], "key")
        elif by in seats and kind in ("rekey", "say"):
            yield HostsAct(entry.n, by, "key" if kind == "rekey" else "said")
        elif by in seats and kind == "order" and fields["say"]["act"] != "order":
            yield HostsAct(entry.n, by, "ahead")
        elif by in seats and kind == "order" and due and fields["at"] > due:
            yield HostsAct(entry.n, by, "late")


def moves(log: Log) -> Iterator[BuiltInMove]:
    """Replay and yield each move of built-in players in a valid log.

    A move cannot be checked in three cases: its seat has shown no later link, the copy cannot open it, or the player's version is
    not the installed one.
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
