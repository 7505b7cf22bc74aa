"""A game of two, asked on the first of the month, with 24 hours: what the tests of time are told in. The clock is theirs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.errors import NotTaken, WorldError
from pbem.host import Office
from pbem.mail import read_message
from tests.mail.scripted import ImapServer, listening
from tests.stored import stored_rows

from .faults import settle
from .post import Club, a_club, moment

CLAIMS = {"late": "claim", "leave": 48}


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path, turns=3, hours=24, terms={"leave": 48}) as club:
        yield club.begin()


@pytest.fixture
def claims(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path, turns=3, hours=24, terms=CLAIMS) as club:
        yield club.begin()


def due(club: Club) -> str:
    """Until when the open question can be answered."""
    (row,) = stored_rows(club.office.store, "select due from games where id = ?", club.number)
    return str(row["due"])


def kinds(club: Club) -> list[str]:
    return [entry.k for entry in club.log().entries]


def skipped(club: Club) -> list[str]:
    return [entry.fields["to"] for entry in club.log().entries if entry.k == "skip"]


def ordered(club: Club) -> list[tuple[str, str]]:
    return [(e.fields["by"], e.fields["at"]) for e in club.log().entries if e.k == "order"]


def said(club: Club, kind: str) -> list[str]:
    """The texts of the letters of a kind, in order."""
    rows = stored_rows(club.office.store, "select raw from outbox where message_id like ? order by id", f"%.{kind}.%")
    return [" ".join(read_message(row["raw"], 10**7).text.split()) for row in rows]


def held(club: Club) -> list[dict[str, Any]]:
    return [trouble for trouble in club.office.status()["troubles"] if "held" in trouble]


@pytest.fixture
def box(club: Club) -> Iterator[ImapServer]:
    """The host's only way in is a mailbox."""
    with listening(ImapServer()) as server:
        assert isinstance(server, ImapServer)
        settle(club, imap=server)
        club.office.work(moment(club.minute))
        yield server


def piped(club: Club) -> Office:
    """Let the host have no way in but the pipe; it is at work."""
    club.office.close()
    (club.folder / "host" / "host.toml").write_text(
        'address = "host@example.org"\n[out]\nmaildir = "mail/{local}"\n', "utf-8"
    )
    club.office = Office(club.folder / "host")
    club.office.work(moment(club.minute))
    return club.office


def stuck(club: Club) -> list[dict[str, Any]]:
    return [trouble for trouble in club.office.status()["troubles"] if "mail" in trouble]


class NoWay:
    """A mail server that takes nothing, or nothing for one address."""

    def __init__(self, office: Office, address: str = "") -> None:
        self.true, self.address = office.sending.way_out(), address

    def carry(self, sender: str, address: str, raw: bytes) -> None:
        if not self.address:
            raise WorldError("the mail server is down")
        if address == self.address:
            raise NotTaken("the mailbox is full", for_good=False)
        self.true.carry(sender, address, raw)

    def check(self, sender: str) -> str:
        return self.true.check(sender)

    def objection(self, sender: str, address: str) -> str:
        return self.true.objection(sender, address)

    def close(self) -> None:
        """Nothing is open."""
