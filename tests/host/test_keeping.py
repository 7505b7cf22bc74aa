"""Looking after a host: its games at a glance, what may be thrown away, backups made while it works, and brought back."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from sqlite_utils import Database

from pbem.errors import UsageError, WorldError
from pbem.host import Office, Robot, Store
from pbem.host.store import FAILED, WAITING
from pbem.host.store.backup import back_up, restore
from pbem.host.store.keeping import Tidied, Wanted, overview
from pbem.ledger import verify
from pbem.ledger.terms import terms
from tests.a_postgres import IN_DATABASE, of_a_file
from tests.stored import stored_row, stored_rows

from .either import held_by
from .post import HOST, Club, a_club, key_of, moment


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path / "club") as club:
        yield club


def another_game(club: Club, title: str, *players: str) -> int:
    addresses = dict(zip(("ann", "bob"), players, strict=True))
    return club.robot.new_game("tiny", {"players": 2, "turns": 1}, addresses, title, terms(0), title, club.now())


def titles(club: Club, wanted: Wanted) -> list[str]:
    return [row.title for row in overview(club.robot.store, wanted)]


# --- games at a glance ------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_games_are_found_by_stage_kind_player_and_whom_they_wait_for(club: Club) -> None:
    club.begin()
    another_game(club, "second", "cat@example.org", "ANN@example.org")
    another_game(club, "third", "cat@example.org", "dan@example.org")
    club.robot.cancel(3, club.now())
    assert titles(club, Wanted()) == ["A test", "second", "third"]
    assert titles(club, Wanted(stage="playing")) == ["A test"]
    assert titles(club, Wanted(stage="cancelled")) == ["third"]
    assert titles(club, Wanted(game="tiny", player="ann@example.org")) == ["A test", "second"]
    assert titles(club, Wanted(game="chess")) == []
    assert titles(club, Wanted(waiting="ann@example.org")) == ["A test", "second"]
    club.take(club.order("ann"))
    assert titles(club, Wanted(waiting="ann@example.org")) == ["second"]
    assert titles(club, Wanted(idle=moment(0))) == []
    assert titles(club, Wanted(idle=moment(9999))) == ["A test", "second", "third"]


def test_a_game_waits_for_joiners_then_the_ready_then_the_asked(club: Club) -> None:
    assert club.asked() == ["ann", "bob"]
    for raw in club.deliver()["ann"]:
        club.desks["ann"].join(raw, club.now())
    club.take(club.letters(club.desks["ann"])[0])
    assert club.asked() == ["bob"]


# --- tidying ----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_old_mail_of_games_that_are_over_is_emptied_and_no_log_is_touched(club: Club) -> None:
    """Of what was decided or sent no bytes are left; a mail over which the program stumbled keeps them until its game is over."""
    club.begin().play()
    another_game(club, "second", "ann@example.org", "bob@example.org")
    store = club.office.store
    for number in (1, 2):
        store.insert(
            "inbox", sha256="", essence=f"e{number}", said="", at=moment(1), door="", sender=None, recipient=None, game=number,
            outcome="failed: KeyError", raw=b"an order",
        )  # fmt: skip
    club.office.send(club.now())
    log, known = club.log().dump(), club.sent[-1][1]
    assert set(store.notes("words 1 ")) == {"ann", "bob"}
    before = stored_rows(store, "select id, essence, at, outcome from inbox order by id")
    assert replace(club.robot.tidy(moment(0)), freed_bytes=0) == Tidied(0, 0, 0, 0, 0)
    assert replace(club.robot.tidy(moment(9999)), freed_bytes=0) == Tidied(1, 8, 0, 0, 0)
    assert stored_rows(store, "select game from inbox where raw <> x''") == [{"game": 2}], "its game is on"
    assert not store.notes("words 1 "), "the words of its letters are forgotten"
    assert club.log().dump() == log
    assert verify(log).verdict == "clean"
    assert stored_rows(store, "select id, essence, at, outcome from inbox order by id") == before
    assert club.robot.take(known, club.now()) == "duplicate"


@pytest.mark.slow
@pytest.mark.parametrize("sent", [WAITING, FAILED])
def test_a_letter_that_has_not_been_sent_is_never_emptied(club: Club, sent: int) -> None:
    """One that was refused for good can still be tried again."""
    club.begin().play()
    waiting = club.office.store.numbered(
        "outbox", message_id="1@x", game=1, seat="ann", address="ann@example.org", kind="report", sent=sent, at=moment(1),
        sender="", attempts=0, not_before="", last_error="", raw=b"news",
    )  # fmt: skip
    club.robot.tidy(moment(9999))
    assert stored_row(club.office.store, "select raw from outbox where id = ?", waiting) == {"raw": b"news"}


# --- backups ----------------------------------------------------------------------------------------------------------


def test_a_backup_made_during_a_decision_holds_all_before_it_and_nothing_of_it(club: Club, tmp_path: Path) -> None:
    club.begin()
    other = Office(club.folder / "host")
    before = club.robot.house.game(1).exported().dump()
    with club.office.store.decision():
        club.office.store.change("games", 1, title="half done")
        back_up(other.store, tmp_path / "saved")
    other.close()
    assert (tmp_path / "saved").stat().st_mode & 0o077 == 0
    store = Store(tmp_path / "saved")
    assert Robot(store, key_of("host"), HOST).house.game(1).exported().dump() == before
    assert stored_row(store, "select title from games") == {"title": "A test"}
    store.db.close()


@pytest.mark.slow
def test_a_host_brought_back_and_given_the_later_mail_again_has_the_same_history(club: Club, tmp_path: Path) -> None:
    club.begin().turn()
    back_up(club.office.store, tmp_path / "saved")
    known = len(club.sent)
    club.play()
    log, letters = club.log().dump(), stored_rows(club.office.store, "select message_id, address from outbox")
    club.office.close()
    path = club.folder / "host" / "pbem.sqlite"
    if not IN_DATABASE:
        with pytest.raises(UsageError, match="--replace"):
            restore(tmp_path / "saved", path, key_of("host").key_line)
    (game,) = restore(tmp_path / "saved", path, key_of("host").key_line, replace=True)
    assert path.with_name("pbem.sqlite.old").exists() is not IN_DATABASE
    club.office = Office(club.folder / "host")
    if not IN_DATABASE:
        assert stored_rows(club.office.store, "pragma journal_mode") == [{"journal_mode": "wal"}], (
            "who reads holds up nobody"
        )
    assert game.head == club.log().head[1]
    assert club.log().dump() != log
    for minute, raw in club.sent[known - 1 :]:  # one of them is in the backup already
        club.robot.take(raw, moment(minute))
    assert club.log().dump() == log
    assert stored_rows(club.office.store, "select message_id, address from outbox") == letters


@pytest.mark.slow
@of_a_file("a backup comes back as a file")
def test_a_second_restored_backup_keeps_what_the_host_wrote_last(club: Club, tmp_path: Path) -> None:
    """Setting a store aside overwrites no other store."""
    club.begin()
    back_up(club.office.store, tmp_path / "saved")
    club.turn()
    last = club.log().head
    club.office.close()
    path = club.folder / "host" / "pbem.sqlite"
    for _time in range(3):
        restore(tmp_path / "saved", path, key_of("host").key_line, replace=True)
    aside = [path.with_name(f"pbem.sqlite.old{number}") for number in ("", 2, 3)]
    assert all(one.is_file() for one in aside)
    shutil.copy(aside[0], tmp_path / "first")
    with closing(Store(tmp_path / "first")) as store:
        assert stored_row(store, "select n, hash from entries order by n desc") == {"n": last[0], "hash": last[1]}
    club.office = Office(club.folder / "host")


def no_store(path: Path) -> None:
    path.write_text("hello", "utf-8")


def an_early_one(path: Path) -> None:
    with closing(Database(path)) as db:
        db.table("meta").insert({"name": "schema", "value": "13"})


def another_database(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("create table x (y)")
    db.close()


def newer(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("insert into _sqlite_migrations (migration_set, name) values ('pbem', 'colours')")
    db.close()


def damaged(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[8192:12288] = b"\xff" * 4096
    path.write_bytes(data)


@pytest.mark.variants
@pytest.mark.parametrize(
    ("harm", "why"),
    [
        (no_store, "is not a host's store"), (an_early_one, "by an early pbem.*version 13"),
        (another_database, "is not a host's store"), (newer, "by a newer pbem.*colours"),
        (damaged, "damaged|malformed"), (lambda path: path.unlink(), "There is no file"),
    ],
)  # fmt: skip
def test_what_is_no_backup_is_not_brought_back(club: Club, tmp_path: Path, harm: object, why: str) -> None:
    club.begin()
    saved = tmp_path / "saved"
    back_up(club.office.store, saved)
    if harm in (no_store, another_database, an_early_one):
        saved.unlink()
    harm(saved)  # type: ignore[operator]
    before = held_by(club.office.store)
    club.office.close()
    with pytest.raises((UsageError, WorldError), match=why):
        restore(saved, club.folder / "host" / "pbem.sqlite", key_of("host").key_line, replace=True)
    club.office = Office(club.folder / "host")
    assert held_by(club.office.store) == before


def test_a_backup_of_another_host_is_not_brought_back_though_no_game_is_in_it(tmp_path: Path) -> None:
    with closing(Office.create(tmp_path / "host", key_of("host"), HOST)) as office:
        back_up(office.store, tmp_path / "saved")
    with pytest.raises(UsageError, match="another key"):
        restore(tmp_path / "saved", tmp_path / "new.sqlite", key_of("somebody").key_line)
    assert not (tmp_path / "new.sqlite").exists()


def test_a_backup_of_another_host_is_not_brought_back(club: Club, tmp_path: Path) -> None:
    back_up(club.office.store, tmp_path / "saved")
    with pytest.raises(UsageError, match="another key"):
        restore(tmp_path / "saved", tmp_path / "new.sqlite", key_of("somebody").key_line)
    assert not (tmp_path / "new.sqlite").exists()


def test_a_backup_that_cannot_be_written_leaves_the_older_one(club: Club, tmp_path: Path) -> None:
    back_up(club.office.store, tmp_path / "saved")
    before = (tmp_path / "saved").read_bytes()
    (tmp_path / "saved.part").mkdir()
    with pytest.raises(WorldError, match="could not be written"):
        back_up(club.office.store, tmp_path / "saved")
    assert (tmp_path / "saved").read_bytes() == before
    if not IN_DATABASE:
        with pytest.raises(UsageError, match="is the store itself"):
            back_up(club.office.store, club.folder / "host" / "pbem.sqlite")
    shutil.rmtree(tmp_path / "saved.part")
