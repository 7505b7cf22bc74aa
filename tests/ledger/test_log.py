"""PROTOCOL 2 and 7: the file, the copy of one seat, and two copies made one."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.errors import ForkError, FormError, RecordError, UsageError
from pbem.ledger import HEAD, Entry, Log, cj, merge, redact, verify
from tests.ledger.builder import Table, long_game, short_game
from tests.ledger.files import SAMPLES, sample

SEATS = ("ann", "bob", "cat")


def places_shown(copy: Log) -> dict[str, int]:
    """Where the places of deals stand in a seat's copy: what the rules of that game had shown him."""
    shown, n = {}, 0
    for line in copy.lines:
        if isinstance(line, Entry):
            n = line.n
        elif line.k == "seal" and line.fields[4][:1] == "p" and line.fields[4][1:].isdigit():
            shown[line.digest] = n
    return shown


@pytest.mark.parametrize("name", SAMPLES)
def test_a_file_reads_and_writes_the_same_bytes(name: str) -> None:
    log = Log.parse(sample(name))
    assert log.dump() == sample(name)
    assert log.head == (log.entries[-1].n, log.entries[-1].hash)
    assert log.game == log.entries[1].fields["say"]["game"]


def test_entries_are_chained_as_they_are_appended() -> None:
    log = short_game()
    again = Log()
    for line in log.lines:
        if isinstance(line, Entry):
            fields = {k: v for k, v in line.fields.items() if k not in ("n", "prev")}
            assert again.append(fields) == line
        else:
            again.attach(line.fields)
    assert again == log


def test_a_malformed_entry_or_line_is_refused_and_nothing_changes() -> None:
    log = Table().begin().log
    before = log.dump()
    for fields in ({"k": "tell"}, {"k": "ask", "to": ["ann"], "what": "x", "secret": "no", "extra": 1}, {"k": "rekey"}):
        with pytest.raises(FormError):
            log.append(fields)
    for line in (["head", log.game, 1], ["note", "x"], [], b'["link", 1]', b"{}"):
        with pytest.raises(FormError):
            log.attach(line)
    with pytest.raises(FormError, match="65536 are allowed"):
        log.append({"k": "end", "result": {"why": "x" * 70000}})
    assert log.dump() == before


def test_reading_a_broken_file_names_the_line() -> None:
    lines = sample("trio").split(b"\n")
    with pytest.raises(FormError, match="does not end in a line feed"):
        Log.parse(sample("trio")[:-1])
    with pytest.raises(FormError, match="line 2: the chain breaks at entry 1"):
        Log.parse(b"\n".join([lines[0], *lines[2:]]))
    with pytest.raises(FormError, match="line 2: the line is not JSON"):
        Log.parse(b"\n".join([lines[0], b"", *lines[1:]]))
    with pytest.raises(UsageError):
        _ = Log().head


def test_the_copy_of_one_seat_is_what_the_samples_show() -> None:
    full, copy = Log.parse(sample("trio")), Log.parse(sample("trio_bob"))
    assert redact(full, "bob", places_shown(copy)).dump() == sample("trio_bob")
    assert copy.tidy().dump() == sample("trio"), "a finished game's copies are complete"


def test_a_copy_in_mid_game_is_the_beginning_of_the_later_one() -> None:
    full = Log.parse(sample("trio"))
    shown = places_shown(Log.parse(sample("trio_ann_mid")))
    assert redact(full.cut(21), "ann", shown).dump() == sample("trio_ann_mid")
    later = redact(full, "ann", shown).dump()
    for n in (3, 9, 15, 21, 27):
        assert later.startswith(redact(full.cut(n), "ann", shown).dump())


@pytest.mark.parametrize(("seat", "kept"), [("ann", "trio_ann_mid"), ("bob", "trio_bob")])
@pytest.mark.parametrize("n", [9, 15, 21, 27, 30])
def test_a_copy_of_a_copy_is_that_copy(seat: str, kept: str, n: int) -> None:
    full = Log.parse(sample("trio")).cut(n)
    for shown in ({}, places_shown(Log.parse(sample(kept)))):
        copy = redact(full, seat, shown)
        assert redact(copy, seat, shown) == copy


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("n", [3, 9, 15, 21, 27])
def test_a_copy_holds_what_is_due_to_its_seat_and_nobody_elses_secrets(seat: str, n: int) -> None:
    full = Log.parse(sample("trio")).cut(n)
    copy = redact(full, seat)
    assert verify(copy, seat).verdict == "unfinished"
    opened = {digest for entry in copy.entries if entry.k == "tell" for digest in entry.fields["opens"]}
    for line in copy.attachments:
        if line.k == "seal" and line.digest not in opened:
            assert line.fields[2] == seat or line.fields[4] == seat
        if line.k == "link":
            assert line.fields[2] == f"priv:{seat}"


def test_all_copies_of_a_finished_game_make_the_whole_file() -> None:
    full = Log.parse(sample("trio"))
    ann, cat = (redact(full, seat) for seat in ("ann", "cat"))
    assert merge(merge(ann, Log.parse(sample("trio_bob"))), cat).dump() == sample("trio")


@settings(max_examples=30)
@given(st.sampled_from([9, 15, 21, 27, 30]), st.sampled_from([9, 15, 21, 27, 30]), st.permutations(SEATS))
def test_merging_does_not_depend_on_order_and_adds_nothing_twice(n: int, m: int, seats: list[str]) -> None:
    full = Log.parse(sample("trio"))
    a, b = redact(full.cut(n), seats[0]), redact(full.cut(m), seats[1])
    both = merge(a, b)
    assert both == merge(b, a) == merge(both, a) == merge(both, both)
    assert both.head == max(a.head, b.head)
    assert {x.line for x in both.attachments} == {x.line for x in (*a.attachments, *b.attachments)}
    assert verify(both).verdict in ("unfinished", "clean")


def test_all_copies_in_mid_game_hold_enough_to_go_on_but_for_the_hosts_own() -> None:
    full = Log.parse(sample("trio")).cut(21)
    united = merge(merge(*(redact(full, seat) for seat in ("ann", "bob"))), redact(full, "cat"))
    missing = {x.line for x in full.attachments} - {x.line for x in united.attachments}
    kinds = {(x.k, x.fields[2] if x.k == "link" else x.fields[4]) for x in full.attachments if x.line in missing}
    assert {name for kind, name in kinds if kind == "seal"} <= {"state", *(f"p{i}" for i in range(8))}
    assert {label for kind, label in kinds if kind == "link"} == {"deal:1", "deal:2"}


def test_two_games_cannot_be_merged() -> None:
    with pytest.raises(UsageError, match="two games"):
        merge(short_game(), Log.parse(sample("trio")))


def two_histories() -> tuple[Table, Table]:
    tables = Table().begin(), Table().begin()
    for table, sides in zip(tables, (6, 8), strict=True):
        table.roll(1, sides)
        table.tell()
        table.ask("ann")
    return tables


def test_two_signed_histories_are_a_fork_with_both_heads_as_proof() -> None:
    one, other = (table.log for table in two_histories())
    with pytest.raises(ForkError, match="over entry 7") as fork:
        merge(one, other)
    assert [line in (one.attachments[-1].line, other.attachments[-1].line) for line in fork.value.lines] == [True, True]


def test_copies_that_differ_without_two_signed_heads_prove_nothing() -> None:
    one, other = two_histories()
    forged = ["head", other.log.game, *other.log.head]
    unsigned = Log(itertools.takewhile(lambda line: line is not other.log.attachments[-1], other.log.lines))
    unsigned.attach([*forged, other.players["ann"].sign(HEAD, cj(forged))])
    with pytest.raises(RecordError, match="differ from entry 5 on") as refused:
        merge(one.log, unsigned)
    assert not isinstance(refused.value, ForkError)


def test_a_line_that_belongs_nowhere_is_not_merged_away_in_silence() -> None:
    log = Log.parse(sample("trio_ann_mid"))
    stray = Log(log.lines)
    stray.attach(["link", log.game, "deal:3", 1, "0" * 64])
    with pytest.raises(RecordError, match="belongs to no entry"):
        merge(log, stray)


def test_the_earliest_of_two_receipts_is_kept() -> None:
    table = Table()
    table.begin().tell()
    table.ask("ann")
    table.order("ann", "GO")
    later = Log(table.log.lines)
    receipt = ["got", *table.log.attachments[-1].fields[1:3], "2031-01-01T00:00:00Z"]
    later.lines.pop()
    later = Log(later.lines)
    later.attach([*receipt, table.host.sign("pbem-got-v1", cj(receipt))])
    assert merge(table.log, later) == merge(later, table.log) == table.log.tidy()


def test_a_long_log_is_tidy_as_it_grows() -> None:
    log = long_game(3)
    assert log.tidy() == log
