"""A host and the players of a short game of Tiny, in a folder, as between people: for the tests of host and player.

The clock is a count of minutes from 2030 on; nothing here waits.
"""

from __future__ import annotations

import copy
import shutil
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Self

from pbem.games import find
from pbem.host import Office, Robot, StoredLedger
from pbem.host.short import write_out
from pbem.host.store import STORE, is_server
from pbem.host.store.keeping import Wanted, overview
from pbem.host.store.moving import write_file
from pbem.kernel import Json
from pbem.ledger import Log, PrivateKey, sha256_hex
from pbem.ledger.terms import terms as terms_of
from pbem.mail import Letter, Maildir, read_block, read_message, write_block
from pbem.mail.hours import ALWAYS, Hours
from pbem.player import Desk, Notes, PlayerSettings, settled
from pbem.referee import Envelope
from tests.a_postgres import name_its_place
from tests.stored import stored_row, stored_rows

EPOCH = 1893456000
HOST = "host@example.org"


def moment(minute: int) -> str:
    """The time so many minutes after the beginning."""
    return datetime.fromtimestamp(EPOCH + 60 * minute, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def key_of(who: str) -> PrivateKey:
    return PrivateKey.from_seed(bytes.fromhex(sha256_hex(who.encode())))


def letter_of(who: str, envelope: Envelope, said: str = "I take the seat.") -> bytes:
    """A mail to the host with a signed block, as anybody may write one: by his own program, or none."""
    text, date = f"{said}\n\n{write_block(envelope)}\n", datetime.fromisoformat(moment(0))
    return Letter(f"{who}@example.org", HOST, "Tiny", text, f"{sha256_hex(text.encode())[:16]}@{who}", date).raw()


class Club:
    """One host, one game, and a desk for each seat; letters go from hand to hand."""

    def __init__(
        self,
        folder: Path,
        *,
        players: int = 2,
        turns: int = 2,
        hours: int = 0,
        terms: Json = None,
        game: str = "tiny",
        grace: int = 0,
        clock: Hours = ALWAYS,
        languages: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.folder = folder
        self.minute = 0
        self.office = Office.create(folder / "host", key_of("host"), HOST)
        options: Json = {"players": players, "turns": turns} if game == "tiny" else {}
        seats = find(game).rules.seats(options)
        addresses = {seat: f"{seat}@example.org" for seat in seats}
        agreed = terms_of(hours, grace, **(terms or {}))
        self.number = self.robot.new_game(
            game, options, addresses, "A test", agreed, "fresh", self.now(), clock, languages
        )
        self.desks = {seat: self.new_desk(seat) for seat in seats}
        self.sent: list[tuple[int, bytes]] = []
        """Every letter to the host, with the minute in which it arrived."""
        self.received: dict[str, list[bytes]] = {seat: [] for seat in seats}
        """Every letter to each seat, in order."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Its host is closed at the end."""
        self.office.close()

    @property
    def robot(self) -> Robot:
        return self.office.robot

    def new_desk(self, seat: str, home: str = "") -> Desk:
        """A desk for a seat's key; a second one in another folder."""
        settings = PlayerSettings(f"{seat}@example.org", str(Maildir(self.folder / "post").path))
        return Desk.create(self.folder / (home or seat), key_of(seat), settings)

    def now(self) -> str:
        """The time; a minute passes."""
        self.minute += 1
        return moment(self.minute)

    def copy_to(self, folder: Path) -> Club:
        """The same club once more, in another folder: what happens there does not happen here."""
        shutil.copytree(self.folder, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns(f"{STORE}*"))
        write_file(self.office.store, folder / "host" / STORE)
        name_its_place(folder / "host", "")
        twin = copy.copy(self)
        twin.folder, twin.office = folder, Office(folder / "host")
        if is_server(path := str(twin.office.store.path)):
            name_its_place(folder / "host", path)
        twin.desks = {seat: Desk(folder / seat) for seat in self.desks}
        twin.sent, twin.received = list(self.sent), {seat: list(raws) for seat, raws in self.received.items()}
        return twin

    # -- letters --------------------------------------------------------------------------------------------------------

    def deliver(self) -> dict[str, list[bytes]]:
        """Hand over the host's new letters; return them by seat."""
        self.office.send(moment(self.minute))
        new: dict[str, list[bytes]] = {}
        for seat in self.desks:
            box = Maildir(self.office.folder / "mail" / seat)
            for path, raw, _ in list(box.new()):
                new.setdefault(seat, []).append(raw)
                box.done(path)
            new[seat] = sorted(new.get(seat, []), key=self._order_sent)
            self.received[seat] += new[seat]
        return new

    def _order_sent(self, raw: bytes) -> int:
        row = stored_row(self.office.store, "select id from outbox where message_id = ?", read_message(raw).message_id)
        return int(row["id"]) if row else 0

    def box(self, name: str) -> list[bytes]:
        """The host's new letters to somebody who has no seat, in order."""
        self.office.send(moment(self.minute))
        box, found = Maildir(self.office.folder / "mail" / name), []
        for path, raw, _ in list(box.new()):
            found.append(raw)
            box.done(path)
        return sorted(found, key=self._order_sent)

    def letters(self, desk: Desk) -> list[bytes]:
        """The letters that wait on a desk; they lie in its `sent/` then."""
        return [desk.tray.sent(path).read_bytes() for path in desk.tray.unsent()]

    def take(self, raw: bytes) -> str:
        """Let the host take a letter."""
        at = self.now()
        self.sent.append((self.minute, raw))
        return self.robot.take(raw, at)

    def signed(self, raw: bytes) -> Envelope:
        """What is signed in a letter, as the host reads it."""
        found = read_block(read_message(raw).text, None, partial(write_out, self.robot.house))
        assert found is not None
        return found

    def answer_to(self, raw: bytes) -> tuple[str, dict[str, list[bytes]]]:
        """Let the host take a letter; return what it decided and the letters that came of it."""
        self.deliver()
        return self.take(raw), self.deliver()

    # -- the game -------------------------------------------------------------------------------------------------------

    def begin(self) -> Club:
        """All join and are ready; the first question stands open."""
        for _ in ("invitation", "roster"):
            for seat, raws in self.deliver().items():
                for raw in raws:
                    self.desks[seat].join(raw, self.now())
            for desk in self.desks.values():
                for letter in self.letters(desk):
                    self.take(letter)
        self.read_all()
        return self

    def read_all(self) -> None:
        """Everybody reads his new letters."""
        for seat, raws in self.deliver().items():
            for raw in raws:
                self.desks[seat].read(raw)

    def notes(self, seat: str) -> Notes:
        return self.desks[seat].notes()

    def order(self, seat: str, text: str = "", plans: str = "") -> bytes:
        """The letter with a seat's order; without text the first that is legal."""
        desk = self.desks[seat]
        _, view, pack = desk.question(desk.notes())
        desk.order(desk.notes(), text or str(next(iter(pack.rules.options(view)))), plans, self.now())
        (letter,) = self.letters(desk)
        return letter

    def say(self, seat: str, act: str, **more: Json) -> str:
        """Let a seat say something besides an order; everybody reads what comes of it."""
        desk = self.desks[seat]
        desk.speaker(desk.notes()).say(act, self.now(), **more)
        (letter,) = self.letters(desk)
        outcome = self.take(letter)
        self.read_all()
        return outcome

    def set_clock(self, seat: str, zone: str, quiet: str = "off", weekends: str = "on") -> str:
        """Let a seat say when time counts for it."""
        desk = self.desks[seat]
        settled.set_clock(desk.speaker(desk.notes()), Hours.read(zone, quiet, weekends), None, self.now())
        (letter,) = self.letters(desk)
        return self.take(letter)

    def asked(self) -> list[str]:
        """Whom the host waits for."""
        return overview(self.robot.store, Wanted())[0].waiting

    def turn(self) -> None:
        """Everybody who is asked answers and reads."""
        for seat in self.asked():
            self.take(self.order(seat))
        self.read_all()

    def play(self) -> Club:
        """Play to the end."""
        while self.asked():
            self.turn()
        return self

    # -- how it stands --------------------------------------------------------------------------------------------------

    def log(self) -> Log:
        """The host's log."""
        return StoredLedger(self.office.store, self.number, tuple(self.desks)).whole()

    def state(self) -> Mapping[str, object]:
        """All of the game that must not move when a mail is refused."""
        store = self.office.store
        (game,) = stored_rows(store, "select * from games")
        game.pop("fence")  # it counts what was decided, be it that nothing moves
        return {
            "game": game,
            "log": self.log().dump(),
            "seats": stored_rows(store, "select game, seat, address, key, link_n, link, sent_n from seats"),
            "answers": stored_rows(store, "select * from answers"),
            "joins": stored_rows(store, "select * from joins"),
            "ahead": stored_rows(store, "select * from ahead"),
            "kept": stored_rows(store, "select * from kept_says"),
        }


a_club = Club
