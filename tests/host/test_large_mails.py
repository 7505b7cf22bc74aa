"""Large mails: every way in reads as much of them as any, and an order in what is read counts."""

from __future__ import annotations

import smtplib
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.host import Office
from pbem.host.moments import later
from pbem.mail import Maildir
from pbem.mail.incoming import MAX_MAIL

from .faults import large
from .in_time import due
from .post import Club, a_club
from .running import running, with_a_door

pytestmark = pytest.mark.usefixtures("letters_kept")


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path, turns=3, hours=24) as club:
        yield club.begin()


@pytest.mark.slow
@pytest.mark.parametrize("behind", [5_000_000, MAX_MAIL])
def test_a_large_mail_in_a_folder_is_read(club: Club, behind: int) -> None:
    inbox = club.office.inbox
    assert isinstance(inbox, Maildir)
    inbox.deliver(large(club.order("ann"), behind))
    outcomes, troubles = club.office.work(later(due(club), hours=-2))
    assert (outcomes, troubles) == (["order: ann"], [])


@pytest.mark.slow
@pytest.mark.parametrize("behind", [5_000_000, MAX_MAIL])
def test_a_large_mail_with_long_lines_is_handed_over(club: Club, behind: int) -> None:
    raw = large(club.order("ann"), behind).replace(b"\n", b"\r\n")
    at = later(due(club), minutes=-1)
    port = with_a_door(club)
    with running(club.folder / "host", [at]) as host:
        host.hear("waiting for mail")
        with smtplib.LMTP("127.0.0.1", port, timeout=30) as door:
            assert door.sendmail("ann@example.org", "host@example.org", raw) == {}
        host.hear("order: ann")
    club.office = Office(club.folder / "host")
