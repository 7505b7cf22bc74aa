"""The audit of all games of a host: it finds nothing where all is well, and whatever is changed that decides anything."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.host.auditing import audited, faults
from pbem.host.checking import check as check_host
from pbem.host.condition import Condition
from pbem.host.found_well import FoundWell, checked
from pbem.host.metrics import told
from pbem.host.store.backup import back_up
from tests.a_postgres import of_a_file
from tests.stored import stored_rows

from .mailboxes import Mailboxes
from .post import a_club, moment

pytestmark = [pytest.mark.slow, of_a_file("it changes bytes by SQLite's own words")]


@pytest.mark.parametrize("terms", [None, {"rated": True}], ids=["plain", "rated"])
def test_nothing_is_found_at_any_moment_of_a_game(tmp_path: Path, terms: object) -> None:
    """Not in a ready round either, in which the host signs no head; a backup made then is a good one."""
    with a_club(tmp_path, hours=24, turns=3, terms=terms) as club:
        store, seen, take = club.office.store, set[str](), club.robot.take

        def watched(raw: bytes, at: str) -> str:
            outcome = take(raw, at)
            (one,) = audited(store)
            assert one.damage == "", one
            assert back_up(store, tmp_path / "saved", faults) == []
            seen.add(one.verdict)
            return outcome

        club.robot.take = watched  # type: ignore[method-assign, assignment]
        club.begin().play()
    assert seen == {"not begun", "unfinished", "clean"}


@pytest.fixture(scope="module")
def boxes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mailboxes]:
    """A game of players who only reply, with mails behind its entries, an order that waits, and a mail that is undecided."""
    with Mailboxes(tmp_path_factory.mktemp("boxes"), hours=24, options={"players": 3, "turns": 3}) as boxes:
        boxes.begin()
        boxes.say(boxes.asked[0], "1")
        assert len(boxes.asked) == 2
        boxes.robot.keep(b"From: ann@example.org\n\nLater.\n", moment(90))
        yield boxes


CHANGED = {
    "an entry": "update entries set line = cast(replace(cast(line as text), '\"tell\"', '\"tall\"') as blob) where n = {tell}",
    "an entry's hash": "update entries set hash = 'f' || substr(hash, 2) where n = 3",
    "a line beside the entries": "update attachments set line = cast(replace(cast(line as text), 'seal', 'seel') as blob)",
    "a mail behind an entry": "update evidence_parts set raw = cast('x' || raw as blob) where name = 'mail'",
    "the digest of mails": "update evidence set digest = 'f' || substr(digest, 2)",
    "a mail that is undecided": "update inbox set raw = cast(raw || 'x' as blob) where outcome = ''",
    "the text of an order that waits": "update answers set openings = replace(openings, '\"order\",', '\"plans\",')",
    "what is signed of an order": "update answers set say = replace(say, '\"rev\":', '\"rew\":')",
    "the position": "update games set snapshot = replace(snapshot, '1', '2')",
    "whom a question asks": "update games set asked = '[]'",
    "which question is open": "update games set ask = ask - 1",
    "the options": "update games set opts = replace(opts, '3', '2')",
    "the course": "update courses set course = replace(course, 'host', 'hast')",
    "a seat's key": "update seats set key = replace(key, 'A', 'B')",
    "who holds a line": "delete from held where seat = (select min(seat) from held)",
}  # fmt: skip


@pytest.mark.parametrize("what", CHANGED)
def test_whatever_is_changed_in_the_store_is_found_by_audit_and_check(boxes: Mailboxes, what: str) -> None:
    """An order, a mail behind an entry, the position from which the host goes on, its open question. `pbem host check` finds
    it, too, and `pbem host status` says it first."""
    store, office = boxes.office.store, boxes.office
    assert [one for one in audited(store) if one.damage] == []
    assert [why for well, why in checked(store, moment(99)) if not well] == []
    notes = FoundWell(store)
    assert all(map(notes.has, store.game_numbers())), "it is noted"
    tell = next(
        n
        for n, line in enumerate(stored_rows(store, "select line from entries order by n"))
        if b'"tell"' in line["line"]
    )
    before = {table: stored_rows(store, f"select * from {table}") for table in TABLES}  # noqa: S608
    with store.decision():
        store.db.execute(CHANGED[what].format(tell=tell))
    assert {table: stored_rows(store, f"select * from {table}") for table in TABLES} != before, "it is changed"  # noqa: S608
    (one,) = [one for one in audited(store) if one.damage]
    assert one.verdict == "damaged"
    said = [why for well, why in check_host(office, moment(100)) if not well]
    assert one.damage in said
    status = Condition(office.folder, office.settings, store).status()
    assert status["troubles"][0]["damage"] == (f"game {one.number}" if one.number else "store")
    assert 'pbem_troubles{kind="damage"} 1' in told(status, "", 1, 2)
    with store.decision():
        for table, rows in before.items():
            store.db.execute(f"delete from {table}")  # noqa: S608
            for row in rows:
                store.insert(table, **{name: read(name, value) for name, value in row.items()})
    assert [why for well, why in check_host(office, moment(101)) if not well and "damaged" in why] == []
    assert not any(
        "damage" in trouble for trouble in Condition(office.folder, office.settings, store).status()["troubles"]
    )


TABLES = (
    "entries",
    "attachments",
    "evidence",
    "evidence_parts",
    "inbox",
    "answers",
    "games",
    "courses",
    "seats",
    "held",
)


def read(name: str, value: Any) -> Any:
    """A value as it is given to the store, which writes some columns as JSON."""
    return json.loads(value) if name in ("opts", "asked", "openings", "say", "result") and value is not None else value
