"""Two programs of one host at once, as when a mail server's pipe starts one for each mail: each mail is decided once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.errors import WorldError
from pbem.host import Office

from .either import waits_for_nobody
from .post import Club, a_club


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path) as club:
        yield club.begin()


def test_a_mail_that_another_program_has_decided_is_not_decided_again(club: Club) -> None:
    other = Office(club.folder / "host")
    raw = club.order("ann")
    number = club.robot.keep(raw, club.now())
    assert number is not None
    assert other.robot.catch_up() == 1
    before = club.state()
    assert club.robot.decide(number) == "order: ann"
    assert club.state() == before
    assert other.robot.catch_up() == 0
    other.close()


@pytest.mark.slow
def test_a_mail_taken_by_both_is_taken_once(club: Club) -> None:
    other = Office(club.folder / "host")
    raw = club.order("ann")
    assert club.take(raw) == "order: ann"
    assert other.robot.take(raw, club.now()) == "duplicate"
    other.close()


def test_a_host_that_cannot_write_says_so_and_nothing_moves(club: Club) -> None:
    """Another program has locked the store; the answer is “Try again”."""
    other = Office(club.folder / "host")
    waits_for_nobody(other.store)
    raw = club.order("ann")
    before = club.state()
    with club.office.store.decision(), pytest.raises(WorldError, match="Try again"):
        other.robot.take(raw, club.now())
    assert club.state() == before
    assert other.robot.take(raw, club.now()) == "order: ann"
    other.close()
