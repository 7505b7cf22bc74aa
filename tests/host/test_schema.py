"""A store of an older pbem is opened and goes on; one that is cut short stands at a whole step; a newer one is left alone."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from sqlite_utils import Database

from pbem.errors import WorldError
from pbem.host import Robot, Store
from pbem.host.schema import STEPS, bring_up_to_date, version
from pbem.ledger import verify

from .post import HOST, key_of, moment
from .stores.make import HERE, UNDECIDED

SHAPE = "select name, tbl_name from sqlite_schema where sql is not null order by name"


def old_store(path: Path, number: int) -> Path:
    """The store that this version of the schema left."""
    with sqlite3.connect(path) as db:
        db.executescript((HERE / f"schema-{number}.sql").read_text("utf-8"))
    db.close()
    return path


@pytest.mark.parametrize("number", range(1, len(STEPS)))
def test_a_game_in_an_old_store_goes_on(tmp_path: Path, number: int) -> None:
    old = old_store(tmp_path / "old.sqlite", number)
    with sqlite3.connect(old) as db:
        (kept,) = db.execute("select count(*) from inbox").fetchone()
    store = Store(old)
    robot = Robot(store, key_of("host"), HOST)
    (row,) = robot.overview()
    assert (row["stage"], len(row["waiting"])) == ("playing", 1)
    assert robot.status()["mails_in"] == kept
    assert robot.status()["mails_undecided"] == 1
    before = robot.export(1)
    assert verify(before).verdict == "unfinished"
    assert robot.catch_up() == 1, "a mail that the old one had stored is decided: it came after the deadline"
    grown = robot.export(1)
    assert len(grown) > len(before)
    assert b'"k":"skip"' in grown
    assert robot.tick(moment(UNDECIDED)) == 0
    assert robot.tick(moment(UNDECIDED + 24 * 60 + 1)) == 1
    assert verify(robot.export(1)).verdict in ("unfinished", "clean")
    store.db.close()


@pytest.mark.parametrize("number", range(1, len(STEPS)))
def test_an_old_store_comes_to_the_shape_of_a_new_one(tmp_path: Path, number: int) -> None:
    old, new = Store(old_store(tmp_path / "old.sqlite", number)), Store(tmp_path / "new.sqlite")
    assert old.steps == len(STEPS) - number
    assert old.rows(SHAPE) == new.rows(SHAPE)
    for table in new.db.table_names():
        for ask in ("table_info", "index_list"):
            assert old.rows(f"pragma {ask}({table})") == new.rows(f"pragma {ask}({table})"), table
    for store in (old, new):
        store.db.close()


def test_every_old_schema_has_a_store_on_file() -> None:
    """Before a step is added: python -m tests.host.stores.make."""
    assert {path.name for path in HERE.glob("*.sql")} >= {f"schema-{n}.sql" for n in range(1, len(STEPS))}


def test_a_store_of_a_newer_pbem_is_left_alone(tmp_path: Path) -> None:
    store = Store(tmp_path / "host.sqlite")
    store.change("meta", ("schema",), value="99")
    store.db.close()
    before = (tmp_path / "host.sqlite").read_bytes()
    with pytest.raises(WorldError, match="written by a newer pbem"):
        Store(tmp_path / "host.sqlite")
    assert (tmp_path / "host.sqlite").read_bytes() == before


def test_a_step_that_fails_is_undone_and_those_before_it_stay(tmp_path: Path) -> None:
    db = Database(str(tmp_path / "host.sqlite"))
    broken = (STEPS[0], "create table more (x text) strict; insert into nowhere values (1)")
    with pytest.raises(sqlite3.OperationalError, match="nowhere"):
        bring_up_to_date(db, broken)
    assert version(db) == 1
    assert "more" not in db.table_names()
    assert bring_up_to_date(db) == len(STEPS) - 1
    assert bring_up_to_date(db) == 0
    db.close()
