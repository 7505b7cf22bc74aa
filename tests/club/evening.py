"""A host with a game in which built-in players fill all seats but one, played by letters of which none waits."""

from __future__ import annotations

from pathlib import Path

from pbem.club.built_in import BuiltIns
from pbem.errors import UsageError
from pbem.games import find, manifest
from pbem.host import Office, StoredLedger
from pbem.host.built_in import address_of, make_folder, player_named
from pbem.kernel import Json
from pbem.ledger import Log
from pbem.ledger.terms import terms
from pbem.mail import Maildir, read_message
from pbem.player import Desk, PlayerSettings
from pbem.referee.audit import audit
from tests.host.post import EPOCH, HOST, key_of, moment


class Evening:
    """A host with one game: the first seat is Ann's, the others are built-in players'. Nothing waits."""

    def __init__(self, folder: Path, game: str, options: Json, player: str, hours: int = 0) -> None:
        self.folder, self.minute, self.pack = folder, 0, find(game)
        self.options = self.pack.complete(options)
        ann, *others = self.pack.rules.seats(self.options)
        self.office = self._opened(Office.create(folder / "host", key_of("host"), HOST))
        built_in = {seat: player_named(self.pack, player) for seat in others}
        posts = {ann: "ann@example.org"} | {seat: address_of(seat, player) for seat in others}
        agreed = terms(hours, built_in=built_in)
        self.number = self.office.robot.new_game(game, self.options, posts, "An evening", agreed, "fresh", self.now())
        for seat in others:
            make_folder(self.office.folder, self.number, seat)
        self.seats = (ann, *others)
        post = str(folder / "host" / "mail" / "host")
        self.desk = Desk.create(folder / "ann", key_of("ann"), PlayerSettings("ann@example.org", post))
        self.mail = Maildir(folder / "host" / "mail" / "ann")

    def _opened(self, office: Office) -> Office:
        office.beside = BuiltIns(office).attend
        return office

    def again(self) -> None:
        """Let the host be started anew."""
        self.office.close()
        self.office = self._opened(Office(self.folder / "host"))

    def now(self) -> str:
        self.minute += 1
        return moment(self.minute)

    def play(self, most: int = 10_000) -> Evening:
        """Let Ann answer at once with the first that is legal, until nothing happens any more."""
        self.office.send(self.now())
        while most and self._attend():
            most -= 1
        return self

    def _attend(self) -> int:
        for path, raw, _at in list(self.mail.new()):
            kind = read_message(raw).message_id.split(".")[1]
            if kind in ("invitation", "newcomer", "roster", "keys"):
                self.desk.join(raw, self.now())
            else:
                self.desk.read(raw)
            if kind == "copy":
                self.desk.speaker(self.desk.notes()).send_copy(-1, self.now())
            self.mail.done(path)
        for notes in self.desk.games():
            try:
                to, view, pack = self.desk.question(notes)
                if notes.revisions.get(str(to.ask)) is None:
                    self.desk.order(notes, str(next(iter(pack.rules.options(view)))), "", self.now())
            except UsageError:  # nothing is asked, or the others have not agreed yet to whom it is
                continue
        sent = len(self.desk.tray.send(EPOCH + 60 * self.minute))
        self.office.work(self.now())
        return sent

    def log(self) -> Log:
        return StoredLedger(self.office.store, self.number, self.seats).whole()

    def verdict(self) -> str:
        return audit(self.log().dump(), lambda game: (find(game).rules, manifest(game)[1])).verdict.verdict

    def close(self) -> None:
        self.office.close()
