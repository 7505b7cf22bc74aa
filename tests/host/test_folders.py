"""Folders that letters are laid into: each address has one of its own, whatever a file system makes of its name."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.errors import NotTaken
from pbem.host import Office, locks
from pbem.host.checking import check as check_host
from pbem.ledger.terms import terms
from pbem.mail import Maildir
from pbem.mail.maildir import MaildirCarrier, claim, whole_name

from .post import HOST, Club, a_club, key_of

PAIRS = [
    ("ann@example.org", "ann@example.net"),
    ("ann.b@example.org", "ann_b@example.org"),
    ("ann+b@example.org", "ann/b@example.org"),
    ("Ann@example.org", "ann@example.net"),
    ("a" * 64 + "@example.org", "a" * 64 + "@example.net"),
    ("con@example.org", "con@example.net"),
]


def found(folder: Path) -> dict[bytes, str]:
    """The letters below a folder: text, and in which."""
    return {path.read_bytes(): path.parents[1].name for path in folder.rglob("new/*")}


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_two_addresses_never_share_a_folder(tmp_path: Path, one: str, other: str) -> None:
    """Two addresses may be equal before the @, or differ in a way the file system ignores. A file in each folder names
    its owner."""
    for _ in range(2):
        for address in (one, other):
            MaildirCarrier("mail/{local}", tmp_path).carry("", address, f"To: {address}\r\n\r\nyour hand\r\n".encode())
    places = found(tmp_path)
    assert len(places) == 2
    assert len(set(places.values())) == 2


def test_one_address_has_one_folder_in_whatever_letters_it_is_written(tmp_path: Path) -> None:
    """Also where the file system tells no large letters from small ones."""
    assert claim(tmp_path / "ann", "Ann@Example.org")
    assert claim(tmp_path / "ann", "ann@example.org")
    assert not claim(tmp_path / "ann", "ann@example.net")


def test_the_ordinary_folder_is_called_as_ever(tmp_path: Path) -> None:
    """Players who fetch from a folder find it where it was, letters in it that an older pbem has laid there, too."""
    box = Maildir(tmp_path / "mail" / "ann")
    box.deliver(b"Subject: old\r\n\r\n")
    MaildirCarrier("mail/{local}", tmp_path).carry("", "ann@example.org", b"Subject: new\r\n\r\n")
    assert len(list(box.new())) == 2


@pytest.mark.parametrize("name", ["con", "NUL", "com1", "Lpt9", "aux"])
def test_no_folder_has_a_name_that_windows_lacks(tmp_path: Path, name: str) -> None:
    MaildirCarrier("mail/{local}", tmp_path).carry("", f"{name}@example.org", b"\r\n")
    assert [path.name for path in (tmp_path / "mail").iterdir()] == [f"{name.lower()}@example.org"]


def test_one_folder_for_all_is_what_a_pattern_without_a_name_asks_for(tmp_path: Path) -> None:
    for address in ("ann@example.org", "bob@example.org"):
        MaildirCarrier("mail/all", tmp_path).carry("", address, f"To: {address}\r\n\r\n".encode())
    assert set(found(tmp_path).values()) == {"all"}


def test_a_folder_that_says_whose_it_is_in_no_way_waits(tmp_path: Path) -> None:
    place = tmp_path / "mail" / "ann"
    place.mkdir(parents=True)
    (place / "pbem-address").write_bytes(b"\xff")
    with pytest.raises(NotTaken, match="cannot be used"):
        MaildirCarrier("mail/{local}", tmp_path).carry("", "ann@example.org", b"\r\n")


LOCAL = st.text("abAB./+_-%^~{}|'=?!#$&*`", min_size=1, max_size=8)


@given(LOCAL, LOCAL)
def test_a_whole_name_is_no_other_addresss_and_every_file_system_takes_it(one: str, other: str) -> None:
    names = [whole_name(f"{local}@example.org") for local in (one, other)]
    assert (names[0] == names[1]) == (one.lower() == other.lower())
    assert not set(names[0]) & set('<>:"|?*\\/')
    assert names[0] == names[0].lower()


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path) as club:
        yield club


def test_a_player_with_the_name_of_the_host_s_folder_gets_his_letters(club: Club) -> None:
    """Otherwise the host would read them as its own mail, and the player would get nothing."""
    addresses = {"ann": "host@elsewhere.example", "bob": "ann@elsewhere.example"}
    club.robot.new_game("tiny", {"players": 2, "turns": 1}, addresses, "Another", terms(0), "fresh", club.now())
    decided, troubles = club.office.work(club.now())
    assert (decided, troubles) == ([], [])
    assert club.office.look_into_folder(club.now()) is not None
    assert list(club.office.look_into_folder(club.now())) == []
    places = {raw.split(b"To: ")[1].splitlines()[0]: place for raw, place in found(club.folder / "host").items()}
    assert places == {
        b"ann@example.org": "ann",
        b"bob@example.org": "bob",
        b"host@elsewhere.example": "host@elsewhere.example",
        b"ann@elsewhere.example": "ann@elsewhere.example",
    }


# -- locks ---------------------------------------------------------------------------------------------------------------

PIPES: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
SENDS = """
import sys
sys.modules["fcntl"] = None
from pathlib import Path
from pbem.host import Office
office = Office(Path(sys.argv[1]))
sys.stdin.readline()
print("begins", flush=True)
print(office.send("2030-01-01T12:00:00Z"), flush=True)
office.close()
"""


@pytest.mark.slow
def test_two_programs_send_one_after_the_other_without_the_locks_of_unix(club: Club) -> None:
    """As on Windows: the second waits until the first has sent, and finds nothing left to send."""
    home, store = club.folder / "host", club.office.store
    with subprocess.Popen([sys.executable, "-c", SENDS, str(home)], **PIPES) as other:
        assert other.stdin is not None
        assert other.stdout is not None
        with club.office.sending.alone():
            other.stdin.write("go\n")
            other.stdin.flush()
            assert other.stdout.readline() == "begins\n"
            assert locks.alone(home / "sending") is None
            store.db.execute("update outbox set sent = 1")  # as the first does at its end
            store.db.conn.commit()
        assert other.stdout.readline() == "[]\n"
        assert other.wait() == 0
    assert found(home) == {}


HOLDS = """
import sys
sys.modules["fcntl"] = None
from pathlib import Path
from pbem.host import locks
lock = locks.alone(Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
"""


@pytest.mark.slow
def test_a_lock_ends_with_the_program_that_holds_it(tmp_path: Path) -> None:
    place = tmp_path / "lock"
    with subprocess.Popen([sys.executable, "-c", HOLDS, str(place)], **PIPES) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        assert locks.shared(place) is None
        holder.kill()
    _free(place)
    assert place.read_bytes() == b""


def test_what_is_shared_is_shared_and_keeps_out_who_would_be_alone(tmp_path: Path) -> None:
    place = tmp_path / "lock"
    one, other = locks.shared(place), locks.shared(place)
    assert one is not None
    assert other is not None
    assert locks.alone(place) is None
    one.close()
    assert locks.alone(place) is None, (
        "one of this program's own files was closed, and the other one's lock still holds"
    )
    other.close()
    _free(place)


def _free(place: Path) -> None:
    lock = locks.alone(place)
    assert lock is not None
    lock.close()


def test_a_lock_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "lock").write_bytes(b"something else" * 100)
    with pytest.raises(OSError, match="file is not a database"):
        locks.alone(tmp_path / "lock")
    with pytest.raises((OSError, sqlite3.Error)):
        locks.alone(tmp_path / "missing" / "lock")


def test_a_folder_that_is_left_is_free(tmp_path: Path) -> None:
    office = Office.create(tmp_path / "host", key_of("host"), HOST)
    assert locks.alone(tmp_path / "host" / "working") is None
    office.close()
    _free(tmp_path / "host" / "working")


@pytest.mark.slow
def test_an_outgoing_folder_that_disappears_is_not_created_again(tmp_path: Path) -> None:
    """Its disk is not mounted. The letters wait; in a new folder they would reach nobody but count as sent."""
    with a_club(tmp_path) as club:
        club.begin()
        club.office.close()
        place = club.folder / "host" / "host.toml"
        out = tmp_path / "disk"
        place.write_text(place.read_text("utf-8").replace('"mail/{local}"', f'"{out}/{{local}}"'), "utf-8")
        club.office = Office(club.folder / "host")
        for seat in ("ann", "bob"):
            club.take(club.order(seat))
        club.minute += 11  # receipts wait for a report that may follow
        (trouble,) = club.office.send(club.now())
        assert f"The folder {out} for outgoing letters is missing. Is its disk mounted" in trouble
        assert [sentence for well, sentence in check_host(club.office, club.now()) if not well and str(out) in sentence]
        assert not out.exists()
        waiting = club.office.status()["mails_unsent"]
        assert waiting > 0
        out.mkdir()
        club.office.sending.send_again()
        club.office.send(club.now())
        assert len(found(out)) == waiting
