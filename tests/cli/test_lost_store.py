"""A host whose store is missing, empty, damaged or none takes nothing and makes nothing: an unmounted disk eats no orders.

Only `host init`, `restore` and `adopt` make a store, and say so.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from pbem.cli.commands import OF_A_HOST
from pbem.host import Office
from pbem.host.store.backup import back_up
from pbem.mail import Maildir
from tests.host.post import HOST, Club, a_club

from .odd_uses import pbem, the_example_game_is_found
from .program import Program

__all__ = ["pbem", "the_example_game_is_found"]

MAIL = "From: ann@example.org\n\nhello\n"
COMMANDS: dict[str, tuple[object, ...]] = {
    "take": (), "run": ("--once",), "retry": (), "status": (), "games": (), "check": (),
    "audit": ("--all",), "tidy": (),
    "new": ("--game", "tiny", "--seat", "ann=ann@example.org", "--seat", "bob=bob@example.org"),
    "follow": (1,), "invite": (1, "ann", "--yes"), "replace": (1, "ann", "x@example.org", "--yes"),
    "cancel": (1, "--yes"),
    "export": (1, "--out", "LOG"), "mails": (1, "FOLDER"), "extend": (1, 5, "--why", "so", "--yes"),
    "observe": (1, "x@example.org"),
    "templates": ("mail/help.txt.j2",), "backup": ("SAVED",), "catch-up": ("COPY",), "go-on": (1, "--yes"),
    "mend": (1, "--from", "SAVED"),
    "move-store": ("STORE", "postgresql://nobody@/none"),
    "upgrade": ("--copy", "SAVED"), "ban": ("x@example.org", "--why", "so"), "unban": ("x@example.org",),
    "person": ("ann@example.org",),
    "register": ("--out", "REGISTER"), "pages": (), "members": (), "rounds": (), "forget": ("ann@example.org", "--yes"),
}  # fmt: skip
MAKES = {"init", "restore", "adopt"}
LOOKS_ELSEWHERE = {"dkim", "settings", "drill"}
"""They know the settings alone, or a backup."""


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    with a_club(tmp_path_factory.mktemp("club")) as club:
        club.begin().turn()
        back_up(club.office.store, club.folder / "saved")
        (club.folder / "copy").write_bytes(club.log().dump())
        club.office.close()
        yield club
        club.office = Office(club.folder / "host")


@pytest.fixture
def host(begun: Club, tmp_path: Path) -> Path:
    """The folder of a host, on a disk of its own; a letter to it waits."""
    shutil.copytree(begun.folder, tmp_path / "club")
    for beside in ("-wal", "-shm"):
        (tmp_path / "club" / "host" / f"pbem.sqlite{beside}").unlink(missing_ok=True)
    Maildir(tmp_path / "club" / "host" / "mail" / "host").deliver(MAIL.encode())
    return tmp_path / "club" / "host"


def lost(store: Path) -> None:
    store.unlink()


def empty(store: Path) -> None:
    store.write_bytes(b"")


def no_tables(store: Path) -> None:
    """As a program leaves it that was killed while it made one."""
    store.unlink()
    with closing(sqlite3.connect(store)) as db:
        db.execute("pragma journal_mode = wal").fetchall()


def folder(store: Path) -> None:
    store.unlink()
    store.mkdir()


def other_tables(store: Path) -> None:
    store.unlink()
    with closing(sqlite3.connect(store)) as db:
        db.execute("create table games (name text)")


def no_store(store: Path) -> None:
    store.write_bytes(b"no database" * 1000)


def journal_alone(store: Path) -> None:
    """Its directory was restored in part, or a file was thrown away that seemed of no use."""
    store.unlink()
    store.with_name("pbem.sqlite-wal").write_bytes(b"what was decided last")


SPOILT: dict[Callable[[Path], None], str] = {
    lost: "is missing.", empty: "is an empty file.", no_tables: "contains no tables.", folder: "is not a file;",
    other_tables: "it contains other tables.", no_store: "is damaged", journal_alone: "but its journal",
}  # fmt: skip


def there(store: Path) -> dict[str, bytes]:
    return {
        path.name: path.read_bytes() if path.is_file() else b""
        for path in sorted(store.parent.glob("pbem.sqlite*"))
        if not path.name.endswith("-shm") and not (path.name.endswith("-wal") and not path.stat().st_size)
    }  # a journal without anything in it is none


def test_every_command_of_a_host_is_tried_here() -> None:
    assert {*OF_A_HOST} == {*COMMANDS, *MAKES, *LOOKS_ELSEWHERE}


@pytest.mark.variants
@pytest.mark.parametrize("name", COMMANDS)
def test_no_other_command_creates_a_store(pbem: Program, host: Path, name: str) -> None:
    """The store is missing, empty or not a store, as with an unmounted disk. Each command names the file and ends with
    75. Only `pbem host init`, `restore` and `adopt` create stores."""
    store = host / "pbem.sqlite"
    lost(store)
    places = {"LOG": host / "log", "SAVED": host / "saved", "COPY": host.parent / "copy"}
    places |= {"STORE": store}
    notes = {host / "working", host / "turned-away"}  # that it is at work; that mail which comes again came in time
    before = {path for path in host.rglob("*") if path.is_file()} | notes
    code, said = pbem("host", name, *(places.get(str(a), a) for a in COMMANDS[name]), "--dir", host, typed=MAIL)
    assert code == 75
    assert f"The host's store {store} is missing." in said
    assert "pbem host restore BACKUP" in said
    assert {path for path in host.rglob("*") if path.is_file()} | notes == before, "nothing is made, taken, moved"


@pytest.mark.variants
@pytest.mark.parametrize("spoil", SPOILT, ids=lambda spoil: spoil.__name__)
@pytest.mark.parametrize("name", ["take", "run", "status", "check", "new", "export"])
def test_a_store_that_is_none_takes_no_mail_and_stays_as_it_is(
    pbem: Program, host: Path, name: str, spoil: Callable[[Path], None]
) -> None:
    store, places = host / "pbem.sqlite", {"LOG": host / "log"}
    spoil(store)
    before = there(store)
    code, said = pbem("host", name, *(places.get(str(a), a) for a in COMMANDS[name]), "--dir", host, typed=MAIL)
    assert code == (65 if spoil is no_store and name != "take" else 75), "a mail server is to come again"
    assert SPOILT[spoil] in said
    assert str(store) in said
    assert "pbem host restore" in said
    assert there(store) == before
    assert len(list((host / "mail" / "host" / "new").iterdir())) == 1


@pytest.mark.variants
@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "upgrade"])
def test_no_other_command_updates_a_store(pbem: Program, host: Path, name: str) -> None:
    """Each says which command does, and ends with 75: a mail server keeps its mail until then."""
    store = host / "pbem.sqlite"
    with closing(sqlite3.connect(store)) as db, db:
        db.execute("delete from _sqlite_migrations where name = 'vouched'")
        before = list(db.iterdump())
    places = {"LOG": host / "log", "SAVED": host.parent / "saved", "COPY": host.parent / "copy", "STORE": store}
    code, said = pbem("host", name, *(places.get(str(a), a) for a in COMMANDS[name]), "--dir", host, typed=MAIL)
    assert code == 75
    assert "its tables lack vouched. “pbem host upgrade”" in said
    with closing(sqlite3.connect(store)) as db:
        assert list(db.iterdump()) == before


def test_a_disk_that_comes_back_lost_no_mail(pbem: Program, host: Path) -> None:
    """The mail server brings again what it was told to keep, and the folder was not touched."""
    store = host / "pbem.sqlite"
    store.rename(host.parent / "disk")
    assert pbem("host", "take", "--dir", host, typed=MAIL)[0] == 75
    assert pbem("host", "run", "--once", "--dir", host)[0] == 75
    (host.parent / "disk").rename(store)
    assert pbem("host", "take", "--dir", host, typed=MAIL)[0] == 0
    assert pbem("host", "games", "--dir", host)[1].startswith("   1  ")


def test_init_makes_an_empty_store_for_a_host_that_lost_it_and_keeps_its_key(pbem: Program, host: Path) -> None:
    lost(host / "pbem.sqlite")
    key, settings = (host / "key").read_bytes(), (host / "host.toml").read_bytes()
    code, said = pbem("host", "init", host, "--address", "other@example.org")
    assert code == 2
    assert f"has the address {HOST}" in said
    assert not (host / "pbem.sqlite").exists()
    code, said = pbem("host", "init", host, "--address", HOST)
    assert code == 0
    assert "an empty store" in said
    assert ((host / "key").read_bytes(), (host / "host.toml").read_bytes()) == (key, settings)
    assert pbem("host", "games", "--dir", host) == (0, "")
    seats = ("--seat", "ann=ann@example.org", "--seat", "bob=bob@example.org")
    assert pbem("host", "catch-up", host.parent / "copy", *seats, "--dir", host)[0] == 0
    assert pbem("host", "games", "--dir", host)[1].startswith("   1  ")


@pytest.mark.parametrize("spoil", [lost, empty, no_tables])
def test_init_finishes_what_was_cut_short(pbem: Program, host: Path, spoil: Callable[[Path], None]) -> None:
    spoil(host / "pbem.sqlite")
    assert pbem("host", "init", host, "--address", HOST)[0] == 0
    assert pbem("host", "status", "--dir", host)[0] == 0


def test_init_writes_over_no_store_and_no_key(pbem: Program, host: Path) -> None:
    code, said = pbem("host", "init", host, "--address", HOST)
    assert code == 2
    assert "There is a host in" in said
    (host / "host.toml").unlink()
    before = (host / "key").read_bytes()
    code, said = pbem("host", "init", host, "--address", HOST)
    assert code == 0
    assert "It is the key that was there; the settings are new." in said
    assert (host / "key").read_bytes() == before
    assert pbem("host", "games", "--dir", host)[1].startswith("   1  ")
    for name in ("host.toml", "key"):
        (host / name).unlink()
    code, said = pbem("host", "init", host, "--address", HOST)
    assert code == 2
    assert "without its key" in said


def test_restore_brings_a_lost_store_back(pbem: Program, host: Path) -> None:
    lost(host / "pbem.sqlite")
    assert pbem("host", "restore", "--yes", host.parent / "saved", "--dir", host)[0] == 0
    assert pbem("host", "games", "--dir", host)[1].startswith("   1  ")


def test_a_host_that_takes_over_a_game_may_make_its_store(pbem: Program, host: Path) -> None:
    other = host.parent / "other"
    assert pbem("host", "init", other, "--address", "other@example.org")[0] == 0
    for path in other.glob("pbem.sqlite*"):
        path.unlink()
    seats = ("--seat", "ann=ann@example.org", "--seat", "bob=bob@example.org")
    assert pbem("host", "adopt", "--yes", host.parent / "copy", *seats, "--dir", other)[0] == 0
    assert pbem("host", "games", "--dir", other)[1].startswith("   1  ")


def test_a_store_that_goes_away_beneath_a_host_at_work_is_noticed(pbem: Program, host: Path) -> None:
    """Writes to a deleted file would be lost when the program ends, so the host decides nothing more and says so."""
    office = Office(host)
    with closing(office):
        (host / "pbem.sqlite").rename(host / "elsewhere")
        with pytest.raises(Exception, match="has gone while the host works"):
            office.robot.take(MAIL.encode(), "2030-01-02T00:00:00Z")
        shutil.copy(host.parent / "saved", host / "pbem.sqlite")
        with pytest.raises(Exception, match="Another file replaced the host's store"):
            office.robot.take(MAIL.encode(), "2030-01-02T00:00:00Z")
        (host / "elsewhere").rename(host / "pbem.sqlite")
        assert office.robot.take(MAIL.encode(), "2030-01-02T00:00:00Z").startswith("refused")
