"""What several tests need of newcomers: miss, two, three, club, trio, …."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.mail import read_block, read_message
from pbem.referee import Pen
from tests.host.post import Club, a_club, key_of, letter_of


def miss(club: Club) -> None:
    """Bob lets his time go by; whoever else is asked answers."""
    while "bob" not in club.asked():
        club.turn()
    for seat in set(club.asked()) - {"bob"}:
        club.take(club.order(seat))
    club.minute += 60 * 25
    club.robot.tick(club.now())
    club.read_all()


def _vanished(folder: Path, players: int) -> Iterator[Club]:
    with a_club(folder, players=players, turns=6, hours=24) as club:
        club.begin()
        miss(club)
        miss(club)
        yield club


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    yield from _vanished(tmp_path_factory.mktemp("three"), 3)


@pytest.fixture
def trio(three: Club, tmp_path: Path) -> Iterator[Club]:
    """The same with Cat, who is there."""
    twin = three.copy_to(tmp_path / "club")
    twin.robot.replace(twin.number, "bob", "dora@example.org", twin.now())
    yield twin
    twin.office.close()


def token(club: Club) -> str:
    """What the invitation that came last brings Dora."""
    return next(found for raw in reversed(club.box("dora")) if (found := read_message(raw).token))


def takes(club: Club, key: str, brings: str = "") -> str:
    """Somebody would take Bob's seat; what the host decided."""
    return club.take(letter_of(key, Pen(key_of(key), club.log().game, "bob").join(token=brings)))


def agree(club: Club) -> list[str]:
    """Whoever is asked agrees to the newcomer; return what the host decided."""
    outcomes = []
    for seat, raws in club.deliver().items():
        for raw in raws:
            if (block := read_block(read_message(raw).text)) and block.say["act"] == "join":
                club.desks[seat].newcomers.welcome(raw, club.now())
                outcomes += [club.take(letter) for letter in club.letters(club.desks[seat])]
    return outcomes


def holder(club: Club) -> str:
    """Whose key holds Bob's seat, by the log."""
    return club.robot.house.game(club.number).course.seats["bob"].key
