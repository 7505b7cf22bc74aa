"""What several tests need of seats: club, matters, texts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.host.troubles import MATTER
from pbem.mail import read_message
from tests.host.post import Club, a_club
from tests.stored import stored_rows


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    """Two are invited; nobody has joined."""
    with a_club(tmp_path / "club") as club:
        club.deliver()
        yield club


def matters(club: Club) -> list[str]:
    """What the operator is told of who wants which seat."""
    rows = stored_rows(
        club.office.store, "select value from meta where name like ? order by name", f"trouble {MATTER}%"
    )
    return [row["value"].partition(" ")[2] for row in rows]


def texts(raws: list[bytes]) -> list[str]:
    """The texts of letters, each as one line."""
    return [" ".join(read_message(raw).text.split()) for raw in raws]
