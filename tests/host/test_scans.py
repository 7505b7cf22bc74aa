"""What a host does for one mail, or at one look at the clock, grows with no other game: every statement goes by an index."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.host import members
from pbem.host.settings import ClubByMail
from pbem.host.store import is_server
from pbem.host.store.wire import ServerDatabase
from tests.stored import stored_rows

from .bounces import bounce, ways_back
from .post import Club, a_club, key_of, moment
from .requests import request

ASKED = re.compile(r"\s*(select|update|delete|insert|replace)\b", re.IGNORECASE)

SMALL = re.compile(r"SCAN (\d* ?CONSTANT ROWS?|meta|given|\(subquery-\d+\)|sqlite_master|sqlite_schema)")


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path, hours=24) as club:
        yield club.begin()


def scans(club: Club, do: Callable[[], object]) -> set[str]:
    """The statements of an action that look at every row of a table which grows."""
    if is_server(club.office.store.path):
        return scans_in_database(club.office.store.db, do)
    asked: list[str] = []
    connection = club.office.store.db.conn
    connection.set_trace_callback(asked.append)
    do()
    connection.set_trace_callback(None)
    assert asked
    return {
        f"{sql}: {row[3]}"
        for sql in set(filter(ASKED.match, asked))
        for row in connection.execute(f"explain query plan {sql}")
        if row[3].startswith("SCAN") and not SMALL.fullmatch(row[3])
    }


def scans_in_database(db: ServerDatabase, do: Callable[[], object]) -> set[str]:
    """The same, of a server, to which any other way is dearer than it is: an index that is gone through whole is none.

    How it would go about a few rows hangs on whether it has counted them yet; so it is asked as if it never had.
    """
    asked: dict[str, Any] = {}
    run = db.execute

    def heard(sql: str, args: Any = ()) -> Any:
        if ASKED.match(sql):
            asked[sql] = args
        return run(sql, args)

    db.execute = heard  # type: ignore[method-assign]
    do()
    db.execute = run  # type: ignore[method-assign]
    assert asked
    own = "pg_class where relnamespace = current_schema()::regnamespace"
    db.begin()
    db.execute("set local enable_seqscan = off")
    db.execute(f"delete from pg_statistic where starelid in (select oid from {own})")  # noqa: S608 - its own words
    db.execute(f"update {own.replace('where', 'set relpages = 0, reltuples = -1 where')}")
    found = set()
    for sql, args in asked.items():
        plan = "\n".join(row["QUERY PLAN"] for row in db.query(f"explain (costs off) {sql}", args))
        for node in re.split(r"\n\s*->", plan):
            if not re.search(r" on (meta|pg_)", node) and (
                "Seq Scan" in node or (re.search(r"Index (Only )?Scan", node) and "Index Cond" not in node)
            ):
                found.add(f"{sql}: {node}")
    db.undo()
    return found


@pytest.mark.slow
def test_an_order_scans_nothing(club: Club) -> None:
    for seat in ("ann", "bob"):  # the second one closes the question
        raw = club.order(seat)
        assert scans(club, lambda raw=raw: club.robot.take(raw, club.now())) == set()  # type: ignore[misc]


def test_a_duplicate_scans_nothing(club: Club) -> None:
    raw = club.order("ann")
    club.take(raw)
    assert scans(club, lambda: club.robot.take(raw, club.now())) == set()


@pytest.mark.variants
@pytest.mark.parametrize("text", ["STATUS", "BOARD", "RESEND", "HELP", "hm", "GAME 1\nBOARD"])
def test_what_nobody_signed_scans_nothing(club: Club, text: str) -> None:
    raw = request(text, Message_ID="<1@x>", Subject="[pbem 1]")
    assert scans(club, lambda: club.robot.take(raw, club.now())) == set()


def test_a_bounce_scans_nothing(club: Club) -> None:
    raw = bounce(ways_back(club, "ann")[0], "5.1.1")
    assert scans(club, lambda: club.robot.take(raw, club.now())) == set()


@pytest.mark.parametrize("minute", [10, 2000])
def test_a_look_at_the_clock_scans_nothing(club: Club, minute: int) -> None:
    """When nothing is late, and when a question is closed."""
    assert scans(club, lambda: club.robot.tick(moment(minute))) == set()


def test_sending_scans_nothing(club: Club) -> None:
    club.take(club.order("ann"))
    assert scans(club, lambda: club.office.send(club.now())) == set()


def test_a_club_grows_and_what_it_is_asked_does_not(club: Club) -> None:
    """Whoever becomes a member, is looked for by his name, or leaves: nobody goes through all members, letters, keys."""
    robot, store = club.robot, club.office.store
    robot.open_club(ClubByMail(games=["tiny"]))
    key = key_of("zoe").key_line.partition(" ")[2]

    def writes(text: str, n: list[int] = [0]) -> set[str]:  # noqa: B006 - they are counted
        n[0] += 1
        mail = f"From: zoe@example.net\r\nMessage-ID: <{n[0]}@zoe>\r\n\r\n{text}\r\n".encode()
        said: list[str] = []
        found = scans(club, lambda: said.append(robot.take(mail, club.now())))
        assert re.match("asked|member|answered|refused: FORM: There is no member", said[0]), said
        return {one for one in found if not re.search(r"\b(tables|chairs)\b", one)}  # of these few wait

    def code() -> str:
        return str(store.values("members", "code", address="zoe@example.net")[0])

    assert writes(f"REGISTER Zoe key={key}") == set()
    assert writes(f"CONFIRM {code()}") == set()
    assert writes("NEW tiny players=2 turns=2 bob=zed") == set(), "of whom nobody knows"
    assert scans(club, lambda: members.member_named(store, "zoe")) == set()
    assert scans(club, lambda: members.let_lapse(store, club.now())) == set()
    assert writes("LEAVE CLUB") == set()
    assert writes(f"CONFIRM {code()}") == set()


@pytest.mark.slow
def test_a_scan_is_found(club: Club) -> None:
    store = club.office.store
    assert len(scans(club, lambda: stored_rows(store, "select id from inbox where door = 'x'"))) == 1
