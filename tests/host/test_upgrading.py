"""A host's store is brought up to this pbem by one command alone, which saves it first and tries the update on a copy."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
from sqlite_utils import Database

from pbem.errors import StoreError, WorldError
from pbem.host import Store
from pbem.host.auditing import faults
from pbem.host.store import OlderStore
from pbem.host.store.backup import back_up
from pbem.host.store.schema import MIGRATIONS, NOTED_IN, names
from pbem.host.store.upgrading import planned, upgrade
from pbem.ledger import verify
from tests.a_postgres import a_server, name_its_place, of_a_file, schema_for, why_not
from tests.cli.odd_uses import pbem, the_example_game_is_found
from tests.cli.program import Program
from tests.stored import stored_rows

from .post import Club, a_club

__all__ = ["pbem", "the_example_game_is_found"]

pytestmark = of_a_file("a server of these tests' own is tried with it")


@pytest.fixture
def one_more() -> Iterator[None]:
    """A migration behind those of today, as a later pbem has."""
    known = list(MIGRATIONS._migrations)

    def register() -> None:
        @MIGRATIONS()
        def colours(db: Database) -> None:
            db.table("games").add_column("colour", str, not_null_default="red")
            db.create_table("more", {"n": int}, pk="n", strict=True)

    register()
    yield
    MIGRATIONS._migrations[:] = known


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    with a_club(tmp_path_factory.mktemp("club")) as club:
        club.begin().turn()
        back_up(club.office.store, club.folder / "saved")
        yield club


@pytest.fixture
def club(begun: Club, tmp_path: Path) -> Iterator[Club]:
    with begun.copy_to(tmp_path / "club") as club:
        yield club


@pytest.fixture
def host(club: Club) -> Path:
    """The folder of a host that is not at work."""
    club.office.close()
    return club.folder / "host"


def content(path: Path) -> str:
    with closing(sqlite3.connect(path)) as db:
        return "\n".join(db.iterdump())


def test_the_plan_says_what_the_store_lacks_and_changes_nothing(host: Path, pbem: Program, one_more: None) -> None:
    before = content(host / "pbem.sqlite")
    code, said = pbem("host", "upgrade", "--dir", host)
    assert code == 1
    assert "lacks: colours\n  ALTER TABLE games ADD COLUMN colour" in said
    assert "CREATE TABLE more\n" in said
    assert "pbem host upgrade --copy FILE" in said
    assert content(host / "pbem.sqlite") == before
    assert names()[-1] == "colours"


def test_a_store_of_this_pbem_has_no_plan(host: Path, pbem: Program) -> None:
    code, said = pbem("host", "upgrade", "--copy", host / "copy", "--dir", host)
    assert (code, "There is nothing to update" in said) == (0, True)
    assert not (host / "copy").exists()


def test_the_store_is_saved_as_it_was_and_then_updated(host: Path, pbem: Program, one_more: None) -> None:
    """The copy is one that the older pbem reads; the games go on with the updated store."""
    before = content(host / "pbem.sqlite")
    code, said = pbem("host", "upgrade", "--copy", host / "saved", "--dir", host)
    assert code == 0, said
    assert content(host / "saved") == before
    assert not list(host.glob("*.trial*")), "the copy on which it was tried is gone"
    with closing(Store(host / "pbem.sqlite")) as store:
        assert stored_rows(store, "select colour from games") == [{"colour": "red"}]
    code, said = pbem("host", "export", 1, "--out", host / "log", "--dir", host)
    assert (code, verify((host / "log").read_bytes()).verdict) == (0, "unfinished")
    MIGRATIONS._migrations.pop()
    with closing(Store(host / "saved")) as store:
        assert stored_rows(store, f"select name from {NOTED_IN} where name = 'colours'") == []  # noqa: S608


def test_while_a_host_is_at_work_nothing_is_updated(club: Club, pbem: Program, one_more: None) -> None:
    host = club.folder / "host"
    code, said = pbem("host", "upgrade", "--copy", host / "saved", "--dir", host)
    assert (code, "A host is at work in" in said) == (2, True)
    assert not (host / "saved").exists()
    with pytest.raises(OlderStore):
        Store(host / "pbem.sqlite")


def test_a_host_at_work_decides_nothing_in_a_store_that_another_pbem_updated(club: Club) -> None:
    """As where somebody copies a newer pbem's store to its place; the error says so."""
    with closing(Store(club.office.store.path)) as store:
        store.db.execute(f"insert into {NOTED_IN} (migration_set, name) values ('pbem', 'colours')")  # noqa: S608
        store.db.conn.commit()
    with pytest.raises(StoreError, match="Another pbem has changed the tables"):
        club.robot.take(b"From: ann@example.org\n\nhello\n", club.now(), "lmtp")
    with closing(sqlite3.connect(club.office.store.path)) as db:
        db.execute(f"delete from {NOTED_IN} where name in ('colours', 'vouched')")  # noqa: S608
        db.commit()
    with pytest.raises(StoreError, match="Another pbem"), club.office.store.decision():
        pass


def test_an_update_that_fails_on_the_copy_leaves_the_store_alone(host: Path, pbem: Program, one_more: None) -> None:
    def shrink(db: Database) -> None:
        db.execute("delete from entries where n = 1")

    def break_off(db: Database) -> None:
        db.execute("insert into entries select * from entries")

    before = content(host / "pbem.sqlite")
    for harm, why in ((shrink, "changed the number of rows (entries)"), (break_off, "UNIQUE constraint failed")):
        MIGRATIONS._migrations[-1].fn = harm
        code, said = pbem("host", "upgrade", "--copy", host / "saved", "--dir", host)
        assert code == 75, said
        assert why in said
        assert content(host / "pbem.sqlite") == before
        assert not list(host.glob("*.trial*"))


def test_a_backup_of_an_older_pbem_is_restored_and_stays_as_it_is(host: Path, pbem: Program, one_more: None) -> None:
    saved = host.parent / "saved"
    before = content(saved)
    code, said = pbem("host", "restore", saved, "--replace", "--yes", "--dir", host)
    assert code == 0, said
    assert pbem("host", "status", "--dir", host)[0] == 0
    assert content(saved) == before


@pytest.mark.slow
@pytest.mark.skipif(bool(why_not()), reason=why_not())
def test_a_store_in_a_database_is_upgraded_while_nobody_else_works_with_it(
    host: Path, pbem: Program, tmp_path: Path
) -> None:
    with a_server() as postgres:
        place = schema_for(postgres, tmp_path)
        assert pbem("host", "move-store", host / "pbem.sqlite", place, "--dir", host)[0] == 0
        name_its_place(host, place)
        known = list(MIGRATIONS._migrations)
        try:
            at_work = Store(place)
            _with_colours()
            with suppress(WorldError), closing(at_work):
                code, said = pbem("host", "upgrade", "--copy", host / "saved", "--dir", host)
                assert (code, "Other programs work with the store" in said) == (2, True), said
            plan = planned(place)
            assert plan.lacking == ["colours"]
            assert upgrade(plan, host / "saved", faults) == []
            with closing(Store(place)) as store:
                assert stored_rows(store, "select colour from games") == [{"colour": "red"}]
            assert planned(place).lacking == ()
        finally:
            MIGRATIONS._migrations[:] = known
        with closing(Store(host / "saved")) as saved, closing(Store(host / "pbem.sqlite", reading=True)) as moved:
            rows = "select count(*) as n from entries"
            assert stored_rows(saved, rows) == stored_rows(moved, rows)


def _with_colours() -> None:
    @MIGRATIONS()
    def colours(db: Database) -> None:
        db.table("games").add_column("colour", str, not_null_default="red")
