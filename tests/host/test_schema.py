"""A store has had every migration or gets those that it lacks; one of an early or of a newer pbem is left alone, and told so."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlite_utils import Database

import pbem.host
from pbem.errors import StoreError, WorldError
from pbem.host import Store
from pbem.host.store.schema import MIGRATIONS, NOTED_IN
from tests.a_postgres import of_a_file
from tests.stored import stored_rows

from .either import held_by


@pytest.fixture
def two_more() -> Iterator[None]:
    """Two migrations behind those of today, as a later pbem would have; the second does not come to its end."""
    known = list(MIGRATIONS._migrations)

    @MIGRATIONS()
    def colours(db: Database) -> None:
        db.table("games").add_column("colour", str, not_null_default="red")

    @MIGRATIONS()
    def nowhere(db: Database) -> None:
        db.execute("insert into nowhere values (1)")

    yield
    MIGRATIONS._migrations[:] = known


def noted(store: Store) -> list[object]:
    return [row["name"] for row in stored_rows(store, f"select name from {NOTED_IN} order by id")]  # noqa: S608


def shape(path: Path) -> str:
    with closing(Database(path)) as db:
        return f"{db.schema} {list(db.table(NOTED_IN).rows)}"


def test_a_new_store_has_had_every_migration(tmp_path: Path) -> None:
    with closing(Store(tmp_path / "host.sqlite", new=True)) as store:
        assert noted(store) == [one.name for one in MIGRATIONS._migrations]


@of_a_file("test_two_places tries both")
def test_a_migration_that_fails_is_undone_with_those_before_it(tmp_path: Path, two_more: None) -> None:
    """The error says so."""
    path = tmp_path / "host.sqlite"
    (*_known, colours, nowhere) = MIGRATIONS._migrations
    MIGRATIONS._migrations[-2:] = []
    Store(path, new=True).close()
    before = shape(path)
    MIGRATIONS._migrations += [colours, nowhere]
    with pytest.raises(WorldError, match="nowhere"):
        Store(path, older="update")
    assert shape(path) == before
    MIGRATIONS._migrations.remove(nowhere)
    with closing(Store(path, older="update")) as store:
        assert noted(store)[-1] == "colours"
        assert stored_rows(store, "select colour from games") == []


def test_a_store_of_a_newer_pbem_is_left_alone(tmp_path: Path) -> None:
    """The error says so."""
    store = Store(tmp_path / "host.sqlite", new=True)
    store.db.execute(f"insert into {NOTED_IN} (migration_set, name) values ('pbem', 'colours')")  # noqa: S608
    before = held_by(store)
    with pytest.raises(StoreError, match=r"written by a newer pbem.*colours.*none behind vouched"):
        Store(tmp_path / "host.sqlite")
    assert held_by(store) == before
    store.db.close()


def test_a_store_of_an_early_pbem_is_left_alone_and_what_would_work_is_said(tmp_path: Path) -> None:
    """The store is older than the first release."""
    store = Store(tmp_path / "host.sqlite", new=True)
    store.put_note("schema", "13")
    store.db.execute(f"drop table {NOTED_IN}")
    before = held_by(store)
    with pytest.raises(StoreError, match=r"by an early pbem \(version 13.*“pbem host export”.*“pbem host init”"):
        Store(tmp_path / "host.sqlite")
    assert held_by(store) == before
    store.db.close()


def test_all_sql_stands_in_the_store() -> None:
    sql = re.compile(r"(select .* from|insert into|delete from|update \w+ set) ", re.IGNORECASE | re.DOTALL)
    host = Path(pbem.host.__file__).parent
    found = [
        (path.name, node.value)
        for path in host.glob("*.py")
        if path.name != "locks.py"  # a lock is an empty SQLite file, and no store
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and sql.match(node.value)
    ]
    assert not found
