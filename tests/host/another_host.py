"""What several tests need of another host: copies, vanish, adopt, agree, ready, …."""

from __future__ import annotations

from functools import reduce

from pbem.host import Office
from pbem.ledger import Log, merge
from pbem.mail import read_message

from .post import Club, key_of


def copies(club: Club) -> Log:
    """What the players send to the new host."""
    return reduce(merge, (desk.copy(desk.notes()).log for desk in club.desks.values()))


def vanish(club: Club, name: str = "other") -> Office:
    """Let the host be gone, and another one be there; return the one that is gone."""
    former, club.office = club.office, Office.create(club.folder / name, key_of(name), f"{name}@example.org")
    return former


def adopt(club: Club, title: str = "A test") -> None:
    """Let the host that is there propose itself."""
    addresses = {seat: f"{seat}@example.org" for seat in club.desks}
    club.number = club.robot.adopt(copies(club), addresses, title, club.now())


def agree(club: Club) -> list[str]:
    """Everybody agrees to what he is sent; return what the host decided."""
    outcomes = []
    for seat, raws in club.deliver().items():
        for raw in raws:
            club.desks[seat].newcomers.welcome(raw, club.now())
            outcomes += [club.take(letter) for letter in club.letters(club.desks[seat])]
    return outcomes


def ready(club: Club) -> None:
    """Everybody says again that he is ready."""
    for seat, raws in club.deliver().items():
        club.desks[seat].join(raws[-1], club.now())
    for desk in club.desks.values():
        for letter in club.letters(desk):
            club.take(letter)
    club.read_all()


def with_a_report(boxes: dict[str, list[bytes]]) -> tuple[str, bytes]:
    """A seat that has been sent lines for its copy, and the mail that brings them."""
    return next((seat, raw) for seat, raws in boxes.items() for raw in raws if read_message(raw).log.startswith(b"{"))
