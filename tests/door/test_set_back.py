"""What lies at the door when the host, the key or the door is another than before: nobody misses a letter in silence."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.host import Office
from pbem.host.store.backup import back_up, restore
from pbem.mail import read_message
from pbem.player import settled
from pbem.player.asking import AtTheDoor, Brought, Errand, Found
from pbem.player.door import DoorLine
from pbem.player.doors import Doors
from tests.host.post import Club, a_club, key_of

from .commands import first_turn, here
from .doors import PATIENCE, DoorHost, at_work


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path) as club:
        yield club.begin()


def doors(club: Club, host: DoorHost, seat: str) -> Doors:
    """A seat's desk at the door."""
    return Doors(club.desks[seat], lambda: host.clock[0])


def came(errand: Errand) -> Iterator[Found]:
    """What comes of an errand, by real requests."""
    return DoorLine(PATIENCE).carried(errand)


def fetched(club: Club, host: DoorHost, seat: str) -> list[str]:
    """The subjects and texts of what a desk had not fetched so far; it reads them."""
    found = []
    for one in came(doors(club, host, seat).fetches(club.notes(seat))):
        assert isinstance(one, AtTheDoor)
        club.desks[seat].read(one.raw)
        found.append(read_message(one.raw).text)
    return found


def says(club: Club, host: DoorHost, seat: str, mail: str) -> list[str]:
    """Let a desk bring what it wants by mail; return what lies there for it then."""
    brought, *letters = came(doors(club, host, seat).brings([wish(club, host, seat, mail)]))
    assert isinstance(brought, Brought)
    assert brought.became == "taken"
    return [read_message(one.raw).text for one in letters if isinstance(one, AtTheDoor)]


def wish(club: Club, host: DoorHost, seat: str, mail: str) -> Path:
    """The letter in which a desk says what it wants by mail."""
    desk = club.desks[seat]
    settled.choose_mail(desk.speaker(desk.notes()), mail, None, host.clock[0])
    return desk.tray.next_unsent()


@pytest.mark.variants
@pytest.mark.parametrize("brings", [True, False], ids=["brought", "fetched"])
@pytest.mark.parametrize(("lost", "since"), [(1, 1), (2, 1), (1, 2)])
def test_letters_of_a_host_that_was_set_back_are_not_missed(club: Club, lost: int, since: int, brings: bool) -> None:
    """His numbers come once more, for other letters: they are fetched all the same."""
    text, store = here(), club.folder / "host" / "pbem.sqlite"
    with at_work(club, text) as host:
        first_turn(club, host)
        fetched(club, host, "ann")
    back_up(club.office.store, club.folder / "saved")
    with at_work(club, text) as host:
        for _ in range(lost):
            says(club, host, "ann", "short")
    club.office.close()
    restore(club.folder / "saved", store, key_of("host").key_line, replace=True)
    club.office = Office(club.folder / "host")
    with at_work(club, text) as host:
        for _ in range(since):  # other letters of his have come to the door meanwhile, with his numbers of before
            host.door(club, "ann").bring(wish(club, host, "ann", "all").read_bytes())
            club.desks["ann"].tray.sent(club.desks["ann"].tray.next_unsent())
        found = says(club, host, "ann", "none") if brings else fetched(club, host, "ann")
        assert sum("come to you by mail, and lie at the door" in text for text in found) == since
        assert fetched(club, host, "ann") == [], "once"
