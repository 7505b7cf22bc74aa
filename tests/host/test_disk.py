"""What a host keeps on its disk: the log, what tells mails and letters from others, and the bytes of those that are still needed.

What can be made anew from the log is not kept, and nothing is lost by that.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bench.load import MOST_BYTES, weigh
from pbem import private
from pbem.errors import StoreError, UsageError, WorldError
from pbem.games import find
from pbem.host import Office, Store
from pbem.host.checking import check as check_host
from pbem.host.outbox import WAITS_FOR
from pbem.host.store import FAILED, STORE
from pbem.host.store.backup import back_up, restore
from pbem.host.store.file import unusable
from pbem.ledger import verify
from pbem.mail import Maildir, read_message
from tests.a_postgres import of_a_file
from tests.stored import stored_rows

from .post import EPOCH, Club, a_club, key_of, moment


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path / "club", turns=3) as club:
        yield club


def raws(club: Club, table: str, where: str = "1 = 1") -> list[bytes]:
    return [row["raw"] for row in stored_rows(club.office.store, f"select raw from {table} where {where} order by id")]  # noqa: S608


# --- letters and mails ------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_letter_that_was_sent_keeps_no_bytes_and_one_that_waits_keeps_all(club: Club) -> None:
    """Of a sent letter the store keeps what identifies it; RESEND makes its lines again."""
    club.begin()
    club.take(club.order(club.asked()[0]))
    waiting = raws(club, "outbox", "sent = 0")
    assert waiting
    assert all(waiting)
    assert not any(raws(club, "outbox", "sent = 1"))
    before = stored_rows(
        club.office.store, "select id, message_id, game, seat, address, at, kind, token, sender from outbox"
    )
    club.minute += WAITS_FOR
    club.office.send(club.now())
    assert not any(raws(club, "outbox"))
    after = stored_rows(
        club.office.store, "select id, message_id, game, seat, address, at, kind, token, sender from outbox"
    )
    assert after == before, "in their order, with all that tells them from others"


@pytest.mark.slow
def test_a_letter_that_is_handed_over_while_the_host_dies_goes_again_byte_for_byte(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    club.begin()
    club.take(club.order(club.asked()[0]))
    (letter,) = raws(club, "outbox", "sent = 0")
    club.minute += WAITS_FOR
    with monkeypatch.context() as patch:
        patch.setattr("pbem.host.sending.lay_aside", _dies)
        with pytest.raises(SystemExit):
            club.office.send(club.now())
    club.office.close()
    club.office = Office(club.folder / "host")
    assert raws(club, "outbox", "sent = 0") == [letter]
    club.office.send(club.now())
    assert not raws(club, "outbox", "sent = 0")


def _stumbles(*_: object) -> str:
    raise KeyError("no such thing")


def _dies(*_: object) -> None:
    raise SystemExit


@pytest.mark.slow
def test_a_letter_that_was_refused_for_good_keeps_its_bytes_for_another_try(club: Club) -> None:
    club.begin()
    club.take(club.order(club.asked()[0]))
    (row,) = stored_rows(club.office.store, "select id, raw from outbox where sent = 0")
    club.office.store.change("outbox", row["id"], sent=FAILED)
    club.office.send(club.now())
    assert club.office.sending.send_again() == 1
    assert raws(club, "outbox", "sent = 0") == [row["raw"]]


@pytest.mark.slow
def test_a_mail_keeps_its_bytes_until_it_is_decided(club: Club) -> None:
    club.begin()
    raw = club.order(club.asked()[0])
    number = club.robot.keep(raw, club.now())
    assert raws(club, "inbox", f"id = {number}") == [raw]
    club.robot.catch_up()
    assert raws(club, "inbox", f"id = {number}") == [b""]
    assert club.take(raw) == "duplicate"
    assert club.take(b"Received: by another way\r\n" + raw) == "duplicate"


@pytest.mark.slow
def test_a_mail_over_which_the_program_stumbles_keeps_its_bytes(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    club.begin()
    raw = club.order(club.asked()[0])
    with monkeypatch.context() as patch:
        patch.setattr(club.robot.play, "order", _stumbles)
        assert club.take(raw).startswith("failed: KeyError")
    assert raws(club, "inbox", "outcome like 'failed:%'") == [raw]
    assert [outcome.split(":")[0] for outcome in club.robot.retry()] == ["order"]
    assert not any(raws(club, "inbox"))


@pytest.mark.slow
def test_a_mail_for_a_game_that_stands_still_keeps_its_bytes_until_it_goes_on(club: Club) -> None:
    club.begin()
    raw = club.order(club.asked()[0])
    club.robot.hold(club.now(), "so")
    assert club.take(raw).startswith("waits: the game stands still")
    assert raws(club, "inbox", "outcome like 'waits:%'") == [raw]
    club.robot.go_on(1, club.now())
    assert not any(raws(club, "inbox"))
    assert len(club.asked()) == 1, "it has been taken"


@pytest.mark.slow
def test_what_was_sent_is_sent_once_more_from_the_log(club: Club) -> None:
    club.begin().play()
    assert not any(raws(club, "outbox") + raws(club, "inbox"))
    mine = club.desks["ann"].copy(club.notes("ann")).log
    answered: list[bytes] = club.answer_to(b"From: ann@example.org\r\nMessage-ID: <1@x>\r\n\r\nRESEND\r\n")[1]["ann"]
    copy = read_message(answered[0]).log
    assert set(copy.splitlines()) == set(mine.dump().splitlines())
    assert verify(copy, "ann").verdict == "clean"


@pytest.mark.slow
def test_answers_to_a_question_that_is_closed_stand_in_the_log_alone(club: Club) -> None:
    club.begin()
    seats = club.asked()
    club.take(club.order(seats[0]))
    assert len(stored_rows(club.office.store, "select seat from answers")) == 1
    for seat in seats[1:]:
        club.take(club.order(seat))
    club.read_all()
    club.play()
    assert stored_rows(club.office.store, "select * from answers") == []


# --- how much it is ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
@of_a_file("its pages are counted")
def test_a_game_costs_little_on_the_disk() -> None:
    """A tenth of a game of Hammer; the whole one is weighed by bench.load."""
    given, grown, tables = weigh(find("hammer"), 1, pictures=False, orders=44)
    assert given >= 44
    assert grown < MOST_BYTES * 3 // 20, tables
    assert tables.get("outbox", 0) + tables.get("inbox", 0) < 100_000


@of_a_file("a server gives its disk back by itself")
def test_a_store_gives_the_disk_back_what_it_does_not_use(tmp_path: Path) -> None:
    path = tmp_path / STORE
    store = Store(path, new=True)
    try:
        store.insert("copies", game=1, seat="ann", log=bytes(9_000_000))
        store.delete("copies", game=1)
        store.db.execute("pragma wal_checkpoint(truncate)").fetchall()
        assert path.stat().st_size > 9_000_000
        assert store.give_back() > 8_000_000
        assert path.stat().st_size < 1_000_000
        assert store.check().endswith("is whole.")
        assert store.give_back() == 0
    finally:
        store.db.close()


# --- a store that is damaged ------------------------------------------------------------------------------------------


def spoil(path: Path) -> None:
    """Write over the pages that hold the log, as a failing disk does; the store can still be opened."""
    with closing(sqlite3.connect(path)) as db:
        pages = [
            page
            for (page,) in db.execute("select rootpage from sqlite_schema where name in ('entries', 'attachments')")
        ]
    data = bytearray(path.read_bytes())
    for page in pages:
        data[(page - 1) * 4096 : page * 4096] = b"\xff" * 4096
    path.write_bytes(data)


def damaged(club: Club) -> Path:
    club.begin().turn()
    club.office.store.db.execute("pragma wal_checkpoint(truncate)").fetchall()
    back_up(club.office.store, club.folder / "saved")
    club.office.close()
    spoil(club.folder / "host" / STORE)
    return club.folder / "host" / STORE


@pytest.mark.slow
@of_a_file("its pages are written over")
def test_a_damaged_store_is_found_by_the_check_and_what_is_said_helps(club: Club) -> None:
    """The host takes no mail (75). The error names the file and how to restore a backup."""
    assert club.office.store.check().endswith("is whole.")
    path = damaged(club)
    store = Store(path)
    with pytest.raises(StoreError, match=r"is damaged .*host restore BACKUP --replace") as found:
        store.check()
    assert "Try again" not in str(found.value)
    store.db.close()
    office = Office(club.folder / "host")
    wrong = [sentence for well, sentence in check_host(office, club.now()) if not well]
    assert any("is damaged" in sentence for sentence in wrong)
    office.close()
    assert len(restore(club.folder / "saved", path, key_of("host").key_line, replace=True)) == 1
    club.office = Office(club.folder / "host")
    assert club.office.store.check().endswith("is whole.")


@pytest.mark.slow
@of_a_file("its pages are written over")
def test_a_decision_over_a_damaged_page_says_what_to_do(club: Club) -> None:
    path = damaged(club)
    club.office = Office(club.folder / "host")
    club.office.store.db.execute("pragma cache_size = 0")

    def read() -> None:
        with club.office.store.decision():
            stored_rows(club.office.store, "select * from entries, attachments")

    with pytest.raises(StoreError, match=r"is damaged .*host restore BACKUP"):
        read()
    assert path.exists()


@pytest.mark.slow
@of_a_file("its pages are written over")
def test_no_backup_is_made_of_a_damaged_store_and_the_older_one_stays(club: Club) -> None:
    """The error says that the store is damaged, and nothing half written remains."""
    damaged(club)
    before = (club.folder / "saved").read_bytes()
    store = Store(club.folder / "host" / STORE)
    with pytest.raises(WorldError, match=r"No backup has been made.*is damaged") as found:
        back_up(store, club.folder / "saved")
    store.db.close()
    assert ".part" not in str(found.value)
    assert (club.folder / "saved").read_bytes() == before
    assert not (club.folder / "saved.part").exists()
    club.office = Office.create(club.folder / "other", key_of("other"), "other@example.org")


@pytest.mark.slow
@of_a_file("its pages are written over")
def test_a_damaged_backup_is_said_to_be_one(club: Club) -> None:
    damaged(club)
    spoil(club.folder / "saved")
    with pytest.raises(UsageError, match=r"saved is damaged: .*Take an older backup"):
        restore(club.folder / "saved", club.folder / "host" / STORE, key_of("host").key_line, replace=True)
    club.office = Office.create(club.folder / "other", key_of("other"), "other@example.org")


# --- what a crash leaves ----------------------------------------------------------------------------------------------


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="only there the name of an open file is known")
def test_a_file_that_is_put_or_delivered_is_on_the_disk_with_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The host syncs the bytes, then the name, then the folder. This covers keys, settings, notes, letters and backups."""
    done: list[tuple[str, str]] = []
    sync, replace = os.fsync, Path.replace

    def synced(file: int) -> None:
        done.append(("sync", Path(f"/proc/self/fd/{file}").readlink().name))
        sync(file)

    def replaced(path: Path, to: Path) -> Path:
        done.append(("name", to.name))
        return replace(path, to)

    box = Maildir(tmp_path / "box")
    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(Path, "replace", replaced)
    private.put(tmp_path / "key", b"secret")
    assert done == [("sync", "key.part"), ("name", "key"), ("sync", tmp_path.name)]
    done.clear()
    place = box.deliver(b"Message-ID: <a@x>\r\n\r\nhello\r\n")
    (first, draft), *rest = done
    assert first == "sync"
    assert draft.endswith(place.name)
    assert rest == [("name", place.name), ("sync", "new")]


def test_a_file_that_cannot_be_written_whole_leaves_the_older_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    private.put(tmp_path / "key", b"old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        private.put(tmp_path / "key", b"new")
    assert (tmp_path / "key").read_bytes() == b"old"


@pytest.mark.slow
def test_what_a_killed_program_began_to_write_is_thrown_away_at_a_start(club: Club) -> None:
    """The host deletes its own drafts after two days, and half-written stores. A mail server's drafts beside them stay."""
    club.begin()
    host = club.folder / "host"
    boxes = [host / "mail" / "host" / "tmp", host / "mail" / "ann" / "tmp"]
    raw = b"Message-ID: <a@x>\r\n\r\nhello\r\n"
    name = Maildir(club.folder / "elsewhere").deliver(raw).name
    for box in boxes:
        for file, minute in ((f"1-2.{name}", 0), (f"3-4.{name}", 3000), ("1700000000.M1P2.server", 0)):
            (box / file).write_bytes(raw[:9])
            os.utime(box / file, (EPOCH + 60 * minute,) * 2)
    (host / f"{STORE}.part").write_bytes(b"half a backup")
    club.office.close()
    club.office = Office(host)
    assert not (host / f"{STORE}.part").exists()
    club.office.work(moment(3001))
    for box in boxes:
        assert {path.name for path in box.iterdir()} == {f"3-4.{name}", "1700000000.M1P2.server"}


@of_a_file("a server says it in its own words")
def test_a_full_disk_is_called_so_whatever_sqlite_says_of_it(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that finds no room for its journal says “disk I/O error”."""
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorname = "SQLITE_IOERR_WRITE"
    path = club.office.folder / "pbem.sqlite"
    assert "make room" not in str(unusable(path, error))
    with_room = shutil.disk_usage(path.parent)
    monkeypatch.setattr(shutil, "disk_usage", lambda _where: with_room._replace(free=2048))
    assert "disk I/O error; 2 kB are free on its disk: make room" in str(unusable(path, error))
    with pytest.raises(WorldError, match="2 kB are free on its disk: make room"), club.office.store.decision():
        raise error
