"""Ann and Bob with a host, with commands and a mailbox each: what the tests of sealed copies are told in. The clock is theirs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.errors import PbemError
from pbem.ledger import PrivateKey, cj
from pbem.ledger.sealed import HEARD
from pbem.mail import read_block, read_message, write_block
from pbem.player import Desk
from pbem.referee import Envelope
from tests.host.post import Club, a_club, key_of, moment

HOUR = 60


def came(raw: bytes, minute: int) -> bytes:
    """A mail as it lies in a mailbox to which it came in that minute."""
    date = format_datetime(datetime.fromisoformat(moment(minute)).astimezone(UTC))
    return f"Received: from mail.example.org by mx.example.net; {date}\r\n".encode() + raw


class Players:
    """The club, with everything done by commands; what a command is typed at is the club's time."""

    def __init__(self, club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
        self.club, self.files = club, 0
        for module in ("desk", "orders", "letters"):
            monkeypatch.setattr(f"pbem.cli.{module}.now", lambda: moment(self.club.minute))
        for desk in club.desks.values():
            desk.change_settings(post="")

    def pbem(self, who: str, *words: object, typed: str = "") -> tuple[int, str]:
        """Run a command; return its code, and what was shown or what error ended it, on one line."""
        home = ["--home", str(self.home(who))] if who else []
        result = CliRunner().invoke(app, [*map(str, words), *home], input=typed, env={"PBEM_PASSPHRASE": ""})
        error = result.exception
        if error is not None and not isinstance(error, SystemExit | PbemError):
            raise error
        shown = f"{result.output} {error}" if isinstance(error, PbemError) else result.output
        return (2 if isinstance(error, PbemError) else result.exit_code), " ".join(shown.split())

    def home(self, who: str) -> Path:
        return self.club.folder / who

    def desk(self, who: str) -> Desk:
        return Desk(self.home(who))

    def out(self, who: str) -> dict[str, bytes]:
        """The letters that wait on a desk, by what they are; they count as sent then."""
        tray = self.desk(who).tray
        return {path.name.split(".")[1]: tray.sent(path).read_bytes() for path in tray.unsent()}

    def order(self, who: str, text: str = "") -> dict[str, bytes]:
        """The letters with an order, the first that is legal where none is typed."""
        desk = self.desk(who)
        _to, view, pack = desk.question(desk.notes())
        code, shown = self.pbem(who, "order", "-", typed=text or str(next(iter(pack.rules.options(view)))))
        assert code == 0, shown
        return self.out(who)

    def read(self, who: str, raw: bytes, minute: int | None = None) -> tuple[int, str]:
        """Let somebody read a mail that came to him now, or in a minute."""
        self.files += 1
        path = self.club.folder / f"mail{self.files}.eml"
        path.write_bytes(came(raw, self.club.minute if minute is None else minute))
        return self.pbem(who, "read", path)

    def read_all(self) -> None:
        """Everybody reads what the host has sent."""
        for who, raws in self.club.deliver().items():
            for raw in raws:
                assert self.read(who, raw)[0] == 0

    def wait(self, hours: int) -> None:
        """Time goes by; the host is at work."""
        self.club.minute += hours * HOUR
        self.club.robot.tick(self.club.now())
        self.read_all()

    def told(self, who: str) -> None:
        """The others go on until somebody is sent his report."""
        copy = self.copy(who)
        before = copy.stat().st_size
        self.read_all()
        while copy.stat().st_size == before:
            for other in self.club.asked():
                self.club.take(self.order(other)["order"])
            self.read_all()

    def copy(self, who: str) -> Path:
        """Somebody's copy of the game."""
        return next((self.home(who) / "games").glob("*.pbem"))

    def heard(self, who: str) -> Path:
        """What others have acknowledged to him."""
        return self.copy(who).with_suffix(".heard")

    def sent(self, who: str, kind: str = "order") -> Path:
        return max((self.home(who) / "sent").glob(f"*.{kind}.*"))

    def complain(self, who: str = "ann", heard: Path | None = None, letter: Path | None = None) -> dict[str, Any]:
        """The verdict on the last order of somebody, by his copy and by what others have acknowledged to him."""
        papers = heard or self.heard(who)
        code, shown = self.pbem("", "complain", self.copy(who), letter or self.sent(who), "--heard", papers, "--json")
        found: dict[str, Any] = json.loads(shown) if shown.startswith("{") else {"verdict": shown}
        assert code == 1 or found["verdict"] in ("unfounded", shown), shown
        return found


def ruled(found: Mapping[str, Any]) -> tuple[str, str | None, str | None]:
    return found["verdict"], found["code"], found["party"]


def paper_in(raw: bytes) -> Envelope:
    """The paper in a letter."""
    found = read_block(read_message(raw).text)
    assert found is not None
    return found


def with_paper(raw: bytes, paper: Envelope) -> bytes:
    """The same letter with another paper in it."""
    text = read_message(raw).text
    head, _blank, _body = raw.partition(b"\r\n\r\n")
    plain = b"\r\n".join(line for line in head.split(b"\r\n") if not line.lower().startswith(b"content-"))
    begun = text.index("BEGIN PBEM")
    return plain + b"\r\n\r\n" + (text[:begun] + write_block(paper)).encode().replace(b"\n", b"\r\n")


def signed_anew(paper: Mapping[str, Any], key: PrivateKey, **changes: object) -> dict[str, Any]:
    """An acknowledgement that says something else, signed by a key; what stands beside it stays."""
    say = {**paper["say"], **changes}
    return {**paper, "say": say, "sig": key.sign(HEARD, cj(say))}


@pytest.fixture
def claims(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Players]:
    """Ann and Bob play; a late answer may be claimed."""
    with a_club(tmp_path, turns=3, hours=24, terms={"late": "claim", "leave": 48}) as club:
        club.begin()
        yield Players(club, monkeypatch)


@pytest.fixture
def defaults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Players]:
    """Ann and Bob play; who is late is passed over."""
    with a_club(tmp_path, turns=3, hours=24, terms={"leave": 48}) as club:
        club.begin()
        yield Players(club, monkeypatch)


__all__ = ["claims", "defaults", "key_of", "replace"]
