"""A mail server's pipe leaves its mails for the host at work, which takes them; without one it decides by itself."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem import spool
from pbem.cli.taking import MOST
from pbem.host import Running
from pbem.host.store.rows import Mail
from pbem.host.supervised import only_one
from pbem.mail.incoming import MAX_MAIL
from tests.cli.odd_uses import pbem, the_example_game_is_found
from tests.cli.program import Program

from .post import HOST, Club, a_club

__all__ = ["pbem", "the_example_game_is_found"]


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path, hours=24) as club:
        yield club.begin()


def left(club: Club) -> int:
    return len(list((club.folder / "host" / spool.SPOOL).glob("*")))


def handed(club: Club, pbem: Program, raw: bytes, *words: str) -> tuple[int, str]:
    return pbem("host", "take", *words, "--dir", club.folder / "host", typed=raw)


def test_a_mail_is_left_for_the_host_at_work_and_taken_before_deadlines(club: Club, pbem: Program) -> None:
    """With its envelope, and with the moment at which it came. Whatever is left twice is one order."""
    order, host = club.order("ann"), club.folder / "host"
    with only_one(host):
        for _again in range(2):
            assert handed(club, pbem, order, "--sender", "ann@example.org", "--recipient", HOST) == (
                0,
                "left for the host that is at work\n",
            )
        assert left(club) == 2
        said = list[str]()
        running = Running(club.office, club.now, said.append)
        running._look_around()
        assert [line for line in said if line in ("order: ann", "duplicate")] == ["order: ann", "duplicate"]
    assert left(club) == 0
    mail = club.office.store.find(Mail)[-1]
    assert (mail.sender, mail.recipient, mail.door) == ("ann@example.org", HOST, spool.SPOOL)
    assert mail.at <= club.now()


def test_without_a_host_at_work_a_mail_is_decided_at_once(club: Club, pbem: Program) -> None:
    assert handed(club, pbem, club.order("ann"), "--recipient", HOST) == (0, "order: ann\n")
    assert left(club) == 0


def test_a_mail_to_another_address_is_looked_at_with_all_settings(club: Club, pbem: Program) -> None:
    with only_one(club.folder / "host"):
        code, said = handed(club, pbem, b"Subject: x\n\nhello\n", "--recipient", "else@example.org")
    assert (code, "is not an address of this host" in said) == (67, True)
    assert left(club) == 0


def test_what_a_host_has_left_at_its_end_is_taken_by_the_next(club: Club, pbem: Program) -> None:
    """Also one that has stored a mail, and was killed before it could delete the file."""
    order, host = club.order("ann"), club.folder / "host"
    with only_one(host):
        handed(club, pbem, order)
    assert club.take(order) == "order: ann"
    assert club.office.work(club.now())[0] == ["duplicate"]
    assert left(club) == 0


def test_a_spool_that_cannot_be_read_lets_no_deadline_pass(club: Club, pbem: Program) -> None:
    """The trouble is named, and the mail is taken once it can be read."""
    host, said = club.folder / "host", list[str]()
    with only_one(host):
        handed(club, pbem, club.order("ann"))
        (path,) = (host / spool.SPOOL).glob("*.eml")
        whole = path.read_bytes()
        path.write_bytes(b"damaged")
        running = Running(club.office, club.now, said.append)
        club.minute += 60 * 24 * 3
        running._look_around()
        assert club.asked(), "nobody has lost a turn"
        (trouble,) = [line for line in said if line.startswith("deadlines: ")]
        assert f"{path} is no mail of the spool" in trouble
        path.write_bytes(whole)
        running._look_around()
    assert "order: ann" in said


def test_a_disk_that_is_full_tells_the_mail_server_to_come_again(
    club: Club, pbem: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_path: Path, _data: bytes) -> None:
        raise OSError(28, "No space left on device")

    order = club.order("ann")
    monkeypatch.setattr("pbem.private.put", full)
    with only_one(club.folder / "host"):
        code, said = handed(club, pbem, order)
    assert (code, "No space left on device" in said) == (75, True)


def test_the_pipe_loads_nothing_of_the_host(club: Club) -> None:
    """That is what it saves: the host, its store and the rules take a second of the processor."""
    host = club.folder / "host"
    code = "import sys\nfrom pbem.cli import main\ntry:\n    main()\nfinally:\n    print(*sys.modules)\n"
    with only_one(host):
        done = subprocess.run(
            [sys.executable, "-c", code, "host", "take", "--dir", str(host)],
            input=club.order("ann"), capture_output=True, check=True, env={**os.environ},
        )  # fmt: skip
    loaded = done.stdout.decode().split()
    assert "pbem.spool" in loaded
    assert not {"pbem.host", "pbem.ledger", "pydantic", "cryptography", "sqlite_utils"} & {*loaded}
    assert left(club) == 1


def test_the_pipe_knows_how_large_a_mail_may_be() -> None:
    assert MOST == MAX_MAIL
