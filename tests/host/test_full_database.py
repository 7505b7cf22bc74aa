"""A PostgreSQL server whose disk is full, in mid-decision: nothing is lost, or said too early, and the host goes on by itself.

Told to fail at each statement, by the server itself; and with a real disk that is full.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest

from pbem.errors import WorldError
from pbem.host import Office
from pbem.host.run import Running
from pbem.host.store.moving import move
from pbem.host.store.rows import LetterRow
from pbem.host.store.wire import ServerDatabase
from pbem.mail import Maildir, read_message
from tests.a_postgres import Postgres, a_postgres, name_its_place, of_a_file, schema_for, why_not
from tests.stored import stored_rows

from .post import moment
from .several import OneOfSeveral, several

pytestmark = [
    pytest.mark.skipif(bool(why_not()), reason=why_not()),
    of_a_file("it goes from there to a server of these tests' own, in any run"),
]

FULL = "do 'begin raise exception ''could not extend file \"base/1/1\": No space left on device'' using errcode = ''53100''; end'"
HOURS = 24


class Begun:
    """A host with a game whose first question stands open, in a file, and the orders that answer it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (game,) = several(folder, 1, hours=HOURS)
        game.begin()
        self.orders = [game.order(seat) for seat in game.asked()]
        game.office.close()
        self.game = game

    def in_database(self, address: str, folder: Path) -> OneOfSeveral:
        """The same in a database, with a folder of its own."""
        source = (
            folder / "moved.sqlite"
        )  # a store that has been moved decides nothing more, and others begin with this one
        shutil.copyfile(self.folder / "host" / "pbem.sqlite", source)
        move(source, address)
        return self._opened(folder, address)

    def in_file(self, folder: Path) -> OneOfSeveral:
        return self._opened(folder, "")

    def _opened(self, folder: Path, address: str) -> OneOfSeveral:
        import copy

        shutil.copytree(self.folder, folder, dirs_exist_ok=True)
        name_its_place(folder / "host", address)
        twin = copy.copy(self.game)
        twin.folder, twin.office = folder, Office(folder / "host")
        return twin


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    with a_postgres() as server:
        yield server


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Begun:
    patch = pytest.MonkeyPatch()
    patch.setenv("PBEM_GAMES", str(Path(__file__).parents[2] / "examples"))
    return Begun(tmp_path_factory.mktemp("begun"))


@pytest.fixture
def club(begun: Begun, postgres: Postgres, tmp_path: Path) -> Iterator[OneOfSeveral]:
    club = begun.in_database(schema_for(postgres.address, tmp_path), tmp_path)
    yield club
    club.office.close()


@pytest.fixture
def calm(begun: Begun, tmp_path: Path) -> Iterator[OneOfSeveral]:
    """The same host with room on its disk."""
    club = begun.in_file(tmp_path / "calm")
    yield club
    club.office.close()


@contextmanager
def fails_at(number: int) -> Iterator[list[str]]:
    """Let the server say at one statement within a transaction that it has no room; those so far are yielded."""
    run, many = ServerDatabase.execute, ServerDatabase.execute_many
    said: list[str] = []

    def is_the_one(db: ServerDatabase, sql: str) -> bool:
        if db.in_transaction and sql != "rollback":
            said.append(sql)
            return len(said) == number
        return False

    def watched(db: ServerDatabase, sql: str, args: Any = ()) -> Any:
        return run(db, FULL, ()) if is_the_one(db, sql) else run(db, sql, args)

    def watched_many(db: ServerDatabase, sql: str, rows: Any) -> None:
        if is_the_one(db, sql):
            run(db, FULL, ())
        many(db, sql, rows)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ServerDatabase, "execute", watched)
        patch.setattr(ServerDatabase, "execute_many", watched_many)
        yield said


def at_each_statement(do: Callable[[], object], stays: Callable[[], Mapping[str, object]]) -> int:
    """Do something with the disk full at its first statement, its second … until it has gone well; what `stays` is as before.

    Return at how many it was full.
    """
    before, number = stays(), 0
    while True:
        number += 1
        with fails_at(number) as said:
            try:
                do()
            except WorldError as error:
                why = str(error)
            else:
                assert len(said) < number, f"it went on behind statement {number}: {said[number - 1]}"
                return number - 1
        assert "No space left on device" in why, f"statement {number}: {said[-1]}"
        assert differing(before, stays()) == [], f"statement {number}: {said[-1]}"


def differing(before: Mapping[str, object], after: Mapping[str, object]) -> list[tuple[str, object, object]]:
    """Return what is not as it was."""
    return [(name, before[name], after[name]) for name in before if before[name] != after[name]]


def all_of(club: OneOfSeveral) -> Mapping[str, object]:
    """All that a decision changes."""
    store = club.office.store
    return {
        **club.state(),
        "letters": stored_rows(store, "select message_id, raw, sent from outbox order by id"),
        "mails": stored_rows(store, "select * from inbox order by id"),
    }


@pytest.mark.slow
def test_a_decision_in_which_the_disk_is_full_leaves_nothing_and_is_made_once_there_is_room(
    club: OneOfSeveral, calm: OneOfSeveral, begun: Begun
) -> None:
    """The database's disk is full at any statement or COMMIT. No letter goes; `status` reads the cause from a file in
    the host's folder."""
    for minute, raw in enumerate(begun.orders, 500):
        number = club.robot.keep(raw, moment(minute))
        statements = at_each_statement(partial(club.robot.decide, number), partial(all_of, club))
        assert statements > 10
        calm.robot.take(raw, moment(minute))
    assert club.log().dump() == calm.log().dump()
    assert letters_of(club) == letters_of(calm)
    assert club.office.stumbled() == []


def letters_of(club: OneOfSeveral) -> list[str]:
    return [row["message_id"] for row in stored_rows(club.office.store, "select message_id from outbox order by id")]


def test_a_mail_that_cannot_be_stored_is_not_taken(club: OneOfSeveral, begun: Begun) -> None:
    assert at_each_statement(lambda: club.robot.keep(begun.orders[0], moment(500)), partial(all_of, club)) > 2
    assert club.robot.catch_up() == 1


@pytest.mark.slow
def test_a_question_is_closed_whole_or_not_at_all(club: OneOfSeveral, calm: OneOfSeveral) -> None:
    late = moment(500 + 60 * HOURS * 2)
    for one in (club, calm):
        one.robot.arrivals.expect(set())
        one.robot.arrivals.look(late)
    at_each_statement(lambda: club.robot.tick(late), club.state)
    calm.robot.tick(late)
    assert club.log().dump() == calm.log().dump()
    assert letters_of(club) == letters_of(calm)
    assert club.log().entries[-1].n > 0


@pytest.mark.slow
def test_no_letter_goes_before_its_decision_is_written_and_none_goes_twice(club: OneOfSeveral, begun: Begun) -> None:
    club.office.send(moment(500))
    before = set(letters_of(club))
    for minute, raw in enumerate(begun.orders, 500):
        club.robot.take(raw, moment(minute))
    number = 0
    while True:
        number += 1
        with fails_at(number) as said, suppress(WorldError):
            club.office.send(moment(501 + number))
        now = Counter(sent_by(club))
        assert set(now.values()) <= {1}, said
        if len(said) < number and not stored_rows(club.office.store, "select id from outbox where sent = 0"):
            break
        assert number < 500
    stood_in_for = {one.message_id for one in club.office.store.find(LetterRow, kind="receipt") if one.not_before}
    new = set(letters_of(club)) - before - stood_in_for  # a report has brought what those say
    assert new
    assert new <= set(now), "each has gone"


def sent_by(club: OneOfSeveral) -> list[str]:
    boxes = (Maildir(path) for path in (club.office.folder / "mail").iterdir() if (path / "new").is_dir())
    return [read_message(raw).message_id for box in boxes for _path, raw, _at in box.new()]


def test_a_commit_that_has_no_room_has_written_nothing(club: OneOfSeveral, begun: Begun) -> None:
    """The server says so at the very end, when all has been decided."""
    store = club.office.store
    store.db.execute(
        "create function no_room() returns trigger language plpgsql as "
        "'begin raise exception ''could not extend file: No space left on device'' using errcode = ''53100''; end'"
    )
    number = club.robot.keep(begun.orders[0], moment(500))
    before = all_of(club)
    store.db.execute(
        "create constraint trigger no_room after insert or update on outbox deferrable initially deferred for each row "
        "execute function no_room()"
    )
    with pytest.raises(WorldError, match="No space left"):
        club.robot.decide(number)
    assert all_of(club) == before
    store.db.execute("drop trigger no_room on outbox")
    assert club.robot.decide(number).startswith("order: ")


# --- a real disk ------------------------------------------------------------------------------------------------------


@contextmanager
def a_small_disk(size: str) -> Iterator[Path]:
    """A disk in memory; where none can be made the test is passed over, and says why."""
    folder = Path(tempfile.mkdtemp(prefix="pgfull", dir="/tmp"))
    try:
        made = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)], capture_output=True, check=False
        )
        if made.returncode:
            pytest.skip(f"no disk of a size of its own can be made here: {made.stderr.decode().strip()}")
        try:
            yield folder
        finally:
            subprocess.run(["umount", "-l", str(folder)], check=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def disk() -> Iterator[Path]:
    if os.geteuid() != 0:
        pytest.skip("only root can make a disk of a size of its own")
    with a_small_disk("24m") as folder:
        shutil.chown(folder, "postgres", "postgres")
        yield folder


@pytest.fixture
def on_disk(begun: Begun, postgres: Postgres, disk: Path, tmp_path: Path) -> Iterator[OneOfSeveral]:
    """A host whose tables lie on that disk, and nothing else does."""
    with psycopg.connect(postgres.address, autocommit=True) as conn:
        conn.execute(f"create tablespace small location '{disk}'".encode())
        conn.execute("set default_tablespace = small")
        address = schema_for(postgres.address, tmp_path)
        conn.execute("alter role pbem set default_tablespace = small")
    try:
        club = begun.in_database(address, tmp_path)
        yield club
        club.office.close()
    finally:
        with psycopg.connect(postgres.address, autocommit=True) as conn:
            conn.execute("alter role pbem reset default_tablespace")
            schema = conn.execute("select distinct schemaname from pg_tables where tablespace = 'small'").fetchall()
            for (name,) in schema:
                conn.execute(f"drop schema {name} cascade".encode())
            conn.execute("checkpoint")
            conn.execute("drop tablespace small")


def fill(disk: Path, left: int = 0) -> Path:
    """Fill it up to so many pages of 4,096 bytes; return what has to go for there to be room again."""
    ballast = disk / "ballast"
    with suppress(OSError), ballast.open("wb") as file:
        while True:
            file.write(b"\0" * 4096)
            file.flush()
    with ballast.open("r+b") as file:
        file.truncate(max(0, (ballast.stat().st_size // 4096 - left) * 4096))
    return ballast


@pytest.mark.variants
@pytest.mark.parametrize("left", [0, 8, 32])
def test_a_disk_that_is_full_takes_nothing_half_and_loses_nothing(
    on_disk: OneOfSeveral, calm: OneOfSeveral, begun: Begun, disk: Path, left: int
) -> None:
    """From “not even the mail can be stored” to “the last letter does not fit”."""
    big = begun.orders[0].replace(b"\n\n", b"\n\n" + b"much that is written besides \n" * 900, 1)
    before = all_of(on_disk)
    ballast = fill(disk, left)
    try:
        said = on_disk.robot.take(big, moment(500))
    except WorldError as error:
        assert "No space left" in str(error)  # noqa: PT017 - it may go well, too
        if not stored_rows(on_disk.office.store, "select id from inbox where at = ?", moment(500)):
            assert all_of(on_disk) == before
    else:
        assert said.startswith("order: ")
    ballast.unlink()
    on_disk.robot.catch_up()
    assert on_disk.robot.take(big, moment(501)).startswith(("order: ", "duplicate"))
    calm.robot.take(big, moment(500))
    on_disk.robot.take(begun.orders[1], moment(502))
    calm.robot.take(begun.orders[1], moment(502))
    assert [entry.k for entry in on_disk.log().entries] == [entry.k for entry in calm.log().entries]
    assert on_disk.office.stumbled() == []


@pytest.mark.slow
def test_a_host_at_work_says_so_in_its_status_and_goes_on_by_itself(
    on_disk: OneOfSeveral, begun: Begun, disk: Path
) -> None:
    box = Maildir(on_disk.office.folder / "mail" / "host", make=True)
    said: list[str] = []
    host = Running(on_disk.office, lambda: moment(600), said.append)
    ballast = fill(disk)
    for no in range(40):  # what room there is in pages that are there already goes, too
        box.deliver(b"From: x@example.org\nSubject: much\n\n" + os.urandom(9000).hex().encode() + b"%d\n" % no)
    for raw in begun.orders:
        box.deliver(raw)
    host._look_around()
    assert any("No space left on device" in line for line in said), said
    told = str(on_disk.office.status()["troubles"])
    assert "No space left on device" in told, told
    ballast.unlink()
    host._look_around()
    assert "No space left on device" not in str(on_disk.office.status()["troubles"])
    assert not list(box.new())
    assert on_disk.log().entries[-1].n > 5
