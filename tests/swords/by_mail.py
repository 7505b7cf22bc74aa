"""What several tests need of by mail: seen, to_the_first_battle, copies."""

from __future__ import annotations

from pbem.games.swords.views import SwordsView
from tests.host.post import Club


def seen(club: Club, seat: str) -> SwordsView:
    """What a seat sees at its desk."""
    _asked, view, _pack = club.desks[seat].question(club.notes(seat))
    assert isinstance(view, SwordsView)
    return view


def to_the_first_battle(club: Club) -> Club:
    """All first cubes are placed in the Isles, so that a battle is triggered at the first flip."""
    club.begin()
    while seen(club, club.asked()[0]).question != "commit":
        for seat in club.asked():
            setup = seen(club, seat).question == "setup"
            club.take(
                club.order(seat, "CUBE Isles" if setup else "", "CUBE Isles, Isles, Isles, Isles" if setup else "")
            )
        club.read_all()
    return club


def copies(club: Club, seat: str) -> bytes:
    """All that a seat has of the game on its disk."""
    return b"".join(path.read_bytes() for path in sorted((club.folder / seat).rglob("*.pbem")))
