"""Single bits of a log that a disk has flipped: each is found by the host's check, and no backup keeps it in silence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pbem.errors import RecordError
from pbem.host import Store, auditing, sound
from pbem.host.store import StoredLedger
from pbem.host.store.backup import back_up, damaged_name, looked_into
from pbem.host.store.rows import GameRow
from pbem.ledger import verify
from tests.stored import stored_rows

from .post import Club, a_club, key_of

FLIPS = 60
NUMBERS = {"entries": "rowid", "attachments": "id"}
"""What numbers the rows of a table."""


@pytest.fixture(scope="module", params=[2, 3], ids=["a game that is on", "a game that is over"])
def club(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    with a_club(tmp_path_factory.mktemp("club")) as club:
        club.begin()
        if request.param == 3:
            club.play()
        else:
            club.turn()
        yield club


def lines(store: Store) -> list[tuple[str, int, bytes]]:
    """Where each line of the log lies in the store, and its bytes."""
    return [
        (table, row["number"], bytes(row["line"]))
        for table, number in NUMBERS.items()
        for row in stored_rows(store, f"select {number} as number, line from {table}")  # noqa: S608
    ]


def put(store: Store, table: str, row: int, line: bytes) -> None:
    store.db.execute(f"update {table} set line = ? where {NUMBERS[table]} = ?", [line, row])  # noqa: S608


def flipped(line: bytes, bit: int) -> bytes:
    changed = bytearray(line)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def test_each_flipped_bit_of_entries_and_attachments_is_found(club: Club) -> None:
    """`pbem host check` names the game and the place. It compares each line with its digest, chain or signature, as an
    audit does."""
    store, chance = club.office.store, Random(9)
    assert list(auditing.faults(store)) == []
    beside = [one for one in lines(store) if one[0] == "attachments"]
    seen_by_all = 0
    for table, row, line in [*beside, *chance.choices(lines(store), k=FLIPS)]:
        with store.decision():
            put(store, table, row, flipped(line, chance.randrange(8 * len(line))))
        (said,) = auditing.faults(store)
        assert "is damaged in the store" in said
        with suppress(RecordError):
            seen_by_all += verify(StoredLedger(store, 1, ()).whole()).verdict == "fault"
        with store.decision():
            put(store, table, row, line)
    assert seen_by_all > 20, "some of them can be read as lines, and only their digest or signature tells"
    assert list(auditing.faults(store)) == []


def test_each_flipped_bit_of_who_holds_what_is_found(club: Club) -> None:
    """`pbem host check` derives each seat's lines from the log. For a deal's places it checks seat, game and number;
    only the rules know which tell showed which place."""
    store, chance = club.office.store, Random(9)
    (log, _hashes), (row,) = StoredLedger(store, 1, ()).as_it_lies(), store.find(GameRow)
    assert sound.held_fault(store, row, log) == ""
    notes, seen = stored_rows(store, "select * from held where game = 1"), 0
    dealt = {number for table, number, line in lines(store) if table == "attachments" and b',"p' in line[:110]}
    known = {tuple(note.values())[:4] for note in notes} | {(note["attachment"], note["seat"]) for note in notes}
    kept = "update held set {} = ? where game = ? and seat = ? and after_n = ? and no = ? and attachment = ?"
    for note in chance.sample(notes, 12):
        bits: dict[str, list[Any]] = {
            name: [note[name] ^ 1 << bit for bit in range(8)] for name in note if name != "seat"
        }
        bits["seat"] = [flipped(note["seat"].encode(), 8 * at + bit).decode() for at in range(3) for bit in range(7)]
        for name, value in [(name, value) for name, values in bits.items() for value in values]:
            now = {**note, name: value}
            if (*now.values(),)[:4] in known or (
                name in ("attachment", "seat") and (now["attachment"], now["seat"]) in known
            ):
                continue
            if note["attachment"] in dealt and name in ("after_n", "attachment"):
                continue
            with store.decision():
                store.db.execute(kept.format(name), [value, *note.values()])
            seen += 1
            assert sound.held_fault(store, row, log) or store.held_of_no_game(), now
            with store.decision():
                store.db.execute(kept.format(name), [note[name], *now.values()])
    assert seen > 400
    with store.decision():
        store.db.execute("update held set game = 3 where after_n = 6")
    assert [
        said for said in auditing.faults(store) if "is damaged in the store" in said or "of games that are not" in said
    ]
    with store.decision():
        store.db.execute("update held set game = 1 where game = 3")
    assert list(auditing.faults(store)) == []


def test_a_line_under_the_name_of_another_is_found(club: Club) -> None:
    store = club.office.store
    (row, *_rest) = stored_rows(store, "select id, key from attachments order by id")
    with store.decision():
        store.db.execute(
            "update attachments set key = ? where id = ?", [flipped(row["key"].encode(), 8 * 3).decode(), row["id"]]
        )
    (said,) = auditing.faults(store)
    assert "is filed under the wrong name" in said
    with store.decision():
        store.db.execute("update attachments set key = ? where id = ?", [row["key"], row["id"]])


def test_a_backup_of_a_damaged_log_replaces_no_older_one_and_says_so(club: Club, tmp_path: Path) -> None:
    """`pbem host backup` checks its result, writes it beside the older backup as `FILE.damaged`, names the games and
    ends with 1."""
    store, place = club.office.store, tmp_path / "saved"
    assert back_up(store, place, auditing.faults) == []
    whole = place.read_bytes()
    table, row, line = lines(store)[-1]
    with store.decision():
        put(store, table, row, flipped(line, 8 * line.index(b'"') + 9))
    (said,) = back_up(store, place, auditing.faults)
    assert "The log of game 1" in said
    assert place.read_bytes() == whole
    with looked_into(damaged_name(place), tmp_path / "part", key_of("host").key_line) as saved:
        assert list(auditing.faults(saved)) == [said], "all else is in it"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["saved", "saved.damaged"]
    with store.decision():
        put(store, table, row, line)
    assert back_up(store, place, auditing.faults) == []
