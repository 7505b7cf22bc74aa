"""Several games of one host, each between players of its own, as people play them at the same time."""

from __future__ import annotations

from pathlib import Path

from pbem.host import Office, StoredLedger
from pbem.ledger import Log
from pbem.ledger.terms import terms as terms_of
from pbem.mail import Maildir
from pbem.player import Desk, PlayerSettings

from .post import HOST, Club, key_of, moment

SEATS = ("ann", "bob")


class OneOfSeveral(Club):
    """A game of Tiny on a host that has others, between Ann and Bob number so and so."""

    def __init__(self, office: Office, folder: Path, no: int, turns: int = 2, hours: int = 0) -> None:
        self.office, self.folder, self.no, self.minute = office, folder, no, 0
        players = {seat: f"{seat}{no}@example.org" for seat in SEATS}
        options = {"players": 2, "turns": turns}
        terms = terms_of(hours)
        self.number = self.robot.new_game("tiny", options, players, f"Game {no}", terms, f"fresh {no}", self.now())
        self.desks = {seat: self.new_desk(seat) for seat in SEATS}
        self.sent, self.received = [], {seat: [] for seat in SEATS}

    def new_desk(self, seat: str, home: str = "") -> Desk:
        settings = PlayerSettings(f"{seat}{self.no}@example.org", str(Maildir(self.folder / "post").path))
        return Desk.create(self.folder / f"{seat}{self.no}", key_of(f"{seat}{self.no}"), settings)

    def deliver(self) -> dict[str, list[bytes]]:
        self.office.send(moment(self.minute))
        new: dict[str, list[bytes]] = {}
        for seat in SEATS:
            box = Maildir(self.office.folder / "mail" / f"{seat}{self.no}")
            raws = []
            for path, raw, _ in list(box.new()):
                raws.append(raw)
                box.done(path)
            new[seat] = sorted(raws, key=self._order_sent)
            self.received[seat] += new[seat]
        return new

    def asked(self) -> list[str]:
        return self.robot.house.game(self.number).waiting()

    def log(self) -> Log:
        return StoredLedger(self.office.store, self.number, SEATS).whole()


def several(folder: Path, many: int, turns: int = 2, hours: int = 0) -> list[OneOfSeveral]:
    """Open so many games on a host that is made for them."""
    office = Office.create(folder / "host", key_of("host"), HOST)
    return [OneOfSeveral(office, folder, no, turns, hours) for no in range(1, many + 1)]
