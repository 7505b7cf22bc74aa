"""A store of an older pbem is opened and goes on; one that is cut short stands at a whole step; a newer one is left alone."""

from __future__ import annotations

import ast
import re
import sqlite3
from pathlib import Path

import pytest
from sqlite_utils import Database

import pbem.host
from pbem.errors import UsageError, WorldError
from pbem.host import Robot, Store
from pbem.host.outbox import lay_aside
from pbem.host.store import WAITING
from pbem.host.store.schema import STEPS, bring_up_to_date, version
from pbem.ledger import verify
from pbem.mail import read_message
from tests.a_postgres import of_a_file

from .either import held_by
from .post import HOST, key_of, moment
from .stores.make import HERE, UNDECIDED

SHAPE = "select name, tbl_name from sqlite_schema where sql is not null order by name"


def old_store(path: Path, number: int) -> Path:
    """The store that this version of the schema left."""
    with sqlite3.connect(path) as db:
        db.executescript((HERE / f"schema-{number}.sql").read_text("utf-8"))
    db.close()
    return path


FORMER = 6
"""Up to this version of the schema a store may hold games of `pbem-log/0`."""


@pytest.mark.parametrize("number", range(FORMER + 1, len(STEPS) + 1))
def test_a_game_in_a_store_on_file_goes_on(tmp_path: Path, number: int) -> None:
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
    assert robot.tick(moment(UNDECIDED + 24 * 60 + 1)) == 0, "who has not been sent the question is not late"
    for row in store.rows("select * from outbox where sent = ?", WAITING):
        lay_aside(store, row["id"])
    assert robot.tick(moment(UNDECIDED + 24 * 60 + 1)) == 1
    assert verify(robot.export(1)).verdict in ("unfinished", "clean")
    store.db.close()


@pytest.mark.parametrize("number", range(1, FORMER + 1))
def test_a_game_of_the_former_format_can_be_looked_at_and_no_more(tmp_path: Path, number: int) -> None:
    """It stays whole: nothing in it moves, every mail for it is answered, and its log can be exported and verified."""
    old = old_store(tmp_path / "old.sqlite", number)
    with sqlite3.connect(old) as db:
        (kept,) = db.execute("select count(*) from inbox").fetchone()
    store = Store(old)
    robot = Robot(store, key_of("host"), HOST)
    (row,) = robot.overview()
    assert (row["stage"], row["waiting"], row["due"]) == ("former", [], "")
    assert robot.status()["mails_in"] == kept
    assert robot.status()["mails_undecided"] == 1
    before = robot.export(1)
    assert verify(before).verdict == "unfinished"
    assert robot.catch_up() == 1, "a mail that the old one had stored is decided"
    (last,) = store.rows("select outcome from inbox order by id desc limit 1")
    assert last["outcome"] == f"refused: FORM: {OF_A_FORMER_FORMAT}"
    assert OF_A_FORMER_FORMAT in said_last(store)
    assert robot.tick(moment(UNDECIDED + 24 * 60 + 1)) == 0
    assert robot.export(1) == before
    store.db.close()


OF_A_FORMER_FORMAT = "This game is of a former format of logs; it can only be looked at here."


def said_last(store: Store) -> str:
    """The last letter of a host, in one line."""
    (row,) = store.rows("select raw from outbox order by id desc limit 1")
    return " ".join(read_message(row["raw"]).text.split())


def test_what_may_be_asked_of_a_former_game_and_what_not(tmp_path: Path) -> None:
    store = Store(old_store(tmp_path / "old.sqlite", FORMER))
    robot = Robot(store, key_of("host"), HOST)
    before, at = robot.export(1), moment(UNDECIDED)
    for word, told in (
        ("STATUS", "The game is of a former format of logs"),
        ("BOARD", "== YOUR HAND =="),
        ("RESEND", "Here is your copy of the game once more, from its first line."),
    ):
        outcome = robot.take(f"From: ann@example.org\r\nMessage-ID: <{word}@x>\r\n\r\n{word}\r\n".encode(), at)
        assert outcome == f"answered: {word}"
        assert told in said_last(store)
        assert "may still replace it" not in said_last(store)
    (sent,) = store.rows("select raw from outbox order by id desc limit 1")
    assert verify(read_message(sent["raw"]).log, "ann").verdict == "unfinished"
    with pytest.raises(UsageError, match="of a former format"):
        robot.cancel(1, at)
    with pytest.raises(UsageError, match="of a former format"):
        robot.invite(1, "ann", at)
    with pytest.raises(UsageError, match="Those who have: nobody"):
        robot.replace(1, "ann", "cat@example.org", at)
    assert robot.export(1) == before
    store.db.close()


@of_a_file("a database begins with the tables of today")
@pytest.mark.parametrize("number", range(1, len(STEPS) + 1))
def test_an_old_store_comes_to_the_shape_of_a_new_one(tmp_path: Path, number: int) -> None:
    old, new = Store(old_store(tmp_path / "old.sqlite", number)), Store(tmp_path / "new.sqlite", new=True)
    assert old.steps == len(STEPS) - number
    assert old.rows(SHAPE) == new.rows(SHAPE)
    for table in new.db.table_names():
        for ask in ("table_info", "index_list"):
            assert old.rows(f"pragma {ask}({table})") == new.rows(f"pragma {ask}({table})"), table
    for store in (old, new):
        store.db.close()


def test_every_schema_has_a_store_on_file() -> None:
    """When a step has been added: python -m tests.host.stores.make."""
    assert {path.name for path in HERE.glob("*.sql")} == {f"schema-{n}.sql" for n in range(1, len(STEPS) + 1)}


def test_a_store_of_a_newer_pbem_is_left_alone(tmp_path: Path) -> None:
    store = Store(tmp_path / "host.sqlite", new=True)
    store.change("meta", ("schema",), value="99")
    before = held_by(store)
    with pytest.raises(WorldError, match="written by a newer pbem"):
        Store(tmp_path / "host.sqlite")
    assert held_by(store) == before
    store.db.close()


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
