"""What several tests need of seats: club, matters, texts."""

from __future__ import annotations

from pbem.host.troubles import MATTER
from pbem.mail import read_message
from tests.host.post import Club
from tests.stored import stored_rows


def matters(club: Club) -> list[str]:
    """What the operator is told of who wants which seat."""
    rows = stored_rows(
        club.office.store, "select value from meta where name like ? order by name", f"trouble {MATTER}%"
    )
    return [row["value"].partition(" ")[2] for row in rows]


def texts(raws: list[bytes]) -> list[str]:
    """The texts of letters, each as one line."""
    return [" ".join(read_message(raw).text.split()) for raw in raws]
