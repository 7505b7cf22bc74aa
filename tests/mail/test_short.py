"""The short block: what was signed is written out again to the byte, or the full form is asked for."""

from __future__ import annotations

import base64
import struct
import textwrap
import zlib
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.errors import FormError, FullWanted
from pbem.games import find
from pbem.games.words import newest, words
from pbem.ledger import SAY, Log, cj, verify_sig
from pbem.mail import KnownLog, Short, openings_in, read_block, read_message, rebuild, shorten, write_block, write_short
from pbem.mail import short as form
from pbem.mail.short import MOST, PARTS, Plans, SignedPart
from pbem.referee import AskSeen, Envelope, Pen

from . import block

GOLDEN = Path(__file__).parents[1] / "golden" / "logs"
LOGS = ["hammer-begun", "hammer-braveheart", "lords-begun", "tiny-begun", "tiny-ahead", "hammer-other-keys"]


@pytest.fixture(autouse=True)
def with_tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_GAMES", str(Path(__file__).parents[2] / "examples"))


@cache
def known(name: str = "hammer-begun") -> KnownLog:
    log = Log.parse((GOLDEN / f"{name}.pbem").read_bytes())
    pack = find(log.entries[0].fields["rules"]["id"])
    return KnownLog(log, partial(words, pack))


def keys() -> Any:
    return block._KEY


def questions(name: str) -> list[tuple[AskSeen, str]]:
    """Every question of a log, with a seat to which it was put."""
    entries = known(name).log.entries
    asks = [entry for entry in entries if entry.k == "ask"]
    return [
        (AskSeen(e.n, e.fields["secret"], e.fields.get("mark"), (e.n, e.hash)), seat)
        for e in asks
        for seat in e.fields["to"]
    ]


def signed(
    name: str, no: int, text: str, plans: str = "", rev: int = 0, ahead: tuple[tuple[int, str, str], ...] = ()
) -> Envelope:
    """An order as a player's pen makes it, with orders sent ahead as (marks further, text, plans)."""
    (to, seat), log = questions(name)[no], known(name).log
    pen = Pen(keys(), log.game, seat)
    later = (pen.ahead((to.mark or 1) + on, log.head, said, planned, 0) for on, said, planned in ahead)
    return replace(pen.order(to, text, plans, rev), ahead=tuple(later))


def short_of(envelope: Envelope, name: str = "hammer-begun", dictionary: int = 0) -> Short:
    made = shorten(envelope, known(name), dictionary)
    assert made is not None
    return made


def bytes_of(envelope: Envelope, name: str = "hammer-begun", dictionary: int = 0) -> bytes:
    return form.write(short_of(envelope, name, dictionary), known(name).words(dictionary) or b"")


def block_of(envelope: Envelope, name: str = "hammer-begun", dictionary: int = 0) -> str:
    return write_short(short_of(envelope, name, dictionary), known(name).words(dictionary) or b"")


def back(text: str, name: str = "hammer-begun") -> Envelope | None:
    return read_block(text, None, lambda said: rebuild(said, known(name)))


def in_lines(data: bytes) -> str:
    """Any bytes as a block."""
    from pbem.mail.block import _lines

    return _lines(data)


def summed(data: bytes) -> bytes:
    """Bytes with the checksum that fits them."""
    return data + struct.pack(">I", zlib.crc32(data))


# --- round trips --------------------------------------------------------------------------------------------------------

TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=60) | st.sampled_from(
    ["CARD Herald\nHERALD Angus", "MOVE Fife: Wallace, Douglas > Mentieth", "PASS", "é" * 40]
)


@pytest.mark.slow
@settings(max_examples=80)
@given(st.data())
def test_what_was_signed_comes_back_to_the_byte(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(LOGS))
    no = data.draw(st.integers(0, len(questions(name)) - 1))
    later = data.draw(st.lists(st.tuples(st.integers(1, 2), TEXTS, TEXTS), max_size=3).map(tuple))
    envelope = signed(name, no, data.draw(TEXTS), data.draw(TEXTS), data.draw(st.integers(0, 999_999)), later)
    dictionary = data.draw(st.integers(0, newest(find(known(name).log.entries[0].fields["rules"]["id"]))))
    found = back(block_of(envelope, name, dictionary), name)
    assert found == envelope
    assert [cj(one.say) for one in (found, *found.ahead)] == [cj(one.say) for one in (envelope, *envelope.ahead)]
    assert verify_sig(keys().key_line, SAY, cj(found.say), found.sig)


@settings(max_examples=40)
@given(TEXTS, st.integers(25, 100), st.sampled_from(["", "> ", ">> ", "| ", "\t", "\u00a0"]), st.booleans())
def test_it_comes_through_wrapping_quoting_and_small_letters(said: str, width: int, mark: str, small: bool) -> None:
    envelope = signed("hammer-begun", 2, said)
    text = textwrap.indent(textwrap.fill(block_of(envelope), width), mark)
    assert back(text.lower() if small else text) == envelope


def test_orders_sent_ahead_alone_come_back() -> None:
    log = known().log
    pen = Pen(keys(), log.game, questions("hammer-begun")[0][1])
    first, second = (
        pen.ahead(mark, log.head, "PASS", plans, 3) for mark, plans in ((20, "RAID WEAKEST"), (21, "RAID WEAKEST"))
    )
    envelope = replace(first, ahead=(second,))
    made = short_of(envelope)
    assert [part.plans for part in made.parts] == [Plans.HERE, Plans.SAME]
    assert [part.head for part in made.parts] == [log.head[1][:16], ""]
    assert back(block_of(envelope)) == envelope


def test_plans_as_in_the_last_order_cost_nothing() -> None:
    name = "hammer-braveheart"
    no = len(questions(name)) - 1
    to, seat = questions(name)[no]
    last = known(name).last_plans(seat, to.ask)
    assert last
    same, other = signed(name, no, "PASS", last), signed(name, no, "PASS", "RAID CHOICE Fife")
    assert short_of(same, name).parts[0].plans is Plans.LAST
    assert short_of(other, name).parts[0].plans is Plans.HERE
    assert back(block_of(same, name), name) == same
    assert len(bytes_of(same, name)) == len(bytes_of(signed(name, no, "PASS"), name))


def test_the_plans_of_the_last_order_are_those_of_the_log_that_was_seen() -> None:
    """A later order of the seat, or one that stands in no log yet, changes nothing in them."""
    log = known("hammer-braveheart").log
    orders = [entry for entry in log.entries if entry.k == "order"]
    later = orders[-1]
    assert known("hammer-braveheart").last_plans(later.fields["by"], later.n) is not None
    first = min(entry.n for entry in orders if entry.fields["by"] == later.fields["by"])
    assert known("hammer-braveheart").last_plans(later.fields["by"], first - 1) == ""


def test_the_salt_of_one_seal_says_nothing_of_the_other() -> None:
    """An order's seal opens long before that of its plans. Both salts follow separately from one seed."""
    envelope = signed("hammer-begun", 0, "PASS", "RAID WEAKEST")
    salts = [str(line[5]) for line in envelope.openings]
    assert len(set(salts) | {envelope.seed}) == 3
    other = signed("hammer-begun", 0, "PASS", "RAID WEAKEST", rev=1)
    assert not {str(line[5]) for line in other.openings} & set(salts)
    assert signed("hammer-begun", 0, "PASS").seed != envelope.seed, "another text has another seed"


# --- what goes in full --------------------------------------------------------------------------------------------------


def test_what_is_no_order_has_no_short_form() -> None:
    log = known().log
    pen = Pen(keys(), log.game, questions("hammer-begun")[0][1])
    for envelope in (
        pen.join(),
        pen.ready(log.head),
        pen.say({"act": "draw", "no": 1, "seen": list(log.head), "after": []}),
    ):
        assert shorten(envelope, known(), 0) is None


def test_what_was_signed_without_a_seed_has_none() -> None:
    envelope = signed("hammer-begun", 0, "PASS")
    assert shorten(replace(envelope, seed=""), known(), 0) is None
    assert shorten(replace(envelope, seed="0" * 32), known(), 0) is None, "nor whose salts do not follow from it"


def test_what_names_another_entry_than_the_log_has_none() -> None:
    to, seat = questions("hammer-begun")[0]
    pen = Pen(keys(), known().game, seat)
    for wrong in (
        replace(to, seen=(to.ask, "0" * 64)),
        replace(to, ask=to.ask + 1),
        replace(to, seen=(10**6, "0" * 64)),
    ):
        assert shorten(pen.order(wrong, "PASS"), known(), 0) is None


def test_a_text_that_it_could_not_hold_goes_in_full() -> None:
    made = short_of(signed("hammer-begun", 0, "A\0B"))
    with pytest.raises(FormError):
        write_short(made, b"")
    with pytest.raises(FormError):
        write_short(short_of(signed("hammer-begun", 0, "x" * (MOST + 1))), b"")


# --- whatever is changed ------------------------------------------------------------------------------------------------

ORDER = signed("hammer-begun", 3, "CARD Herald\nHERALD Angus", "RAID WEAKEST", 2, ((1, "PASS", "RAID WEAKEST"),))
DATA = bytes_of(ORDER)


def is_signed(envelope: Envelope) -> bool:
    return all(verify_sig(keys().key_line, SAY, cj(one.say), one.sig) for one in (envelope, *envelope.ahead))


@pytest.mark.slow
@settings(max_examples=300)
@given(st.integers(0, 10**6), st.sampled_from("0123456789ABCDEFGHJKMNPQRSTVWXYZ \n>"), st.booleans())
def test_a_letter_lost_or_changed_is_found(at: int, letter: str, lost: bool) -> None:
    block = block_of(ORDER)
    at %= len(block)
    try:
        found = back(block[:at] + ("" if lost else letter) + block[at + 1 :])
    except FormError:
        return
    assert found in (ORDER, None)


@pytest.mark.slow
@settings(max_examples=400)
@given(st.integers(0, len(DATA) - 5), st.integers(1, 255))
def test_no_byte_can_be_changed_whatever_the_checksum_says(at: int, by: int) -> None:
    """A stranger changes a field of a short block and its checksum. The signature fails, or the host writes nothing out."""
    changed = bytearray(DATA[:-4])
    changed[at] ^= by
    try:
        found = back(in_lines(summed(bytes(changed))))
    except FormError:
        return
    assert found is None or found == ORDER or not is_signed(found)


@settings(max_examples=200)
@given(st.integers(0, len(DATA) - 5), st.integers(1, 40), st.booleans())
def test_no_bytes_can_be_cut_out_or_doubled(at: int, size: int, doubled: bool) -> None:
    piece = DATA[:-4][at : at + size]
    changed = DATA[:at] + piece * 2 * doubled + DATA[at + len(piece) : -4]
    try:
        found = back(in_lines(summed(changed)))
    except FormError:
        return
    assert found is None or found == ORDER or not is_signed(found)


CHANGES: dict[str, Callable[[SignedPart], SignedPart]] = {
    "the question": lambda p: replace(p, number=questions("hammer-begun")[0][0].ask),
    "an entry that is no question": lambda p: replace(p, number=1, seen=2),
    "a question that is not there": lambda p: replace(p, number=999_999),
    "the revision": lambda p: replace(p, rev=p.rev + 1),
    "what was seen": lambda p: replace(p, seen=0, head=known().game[:16]),
    "an entry that is not there": lambda p: replace(p, seen=999_999),
    "the hash of what was seen": lambda p: replace(p, head="0" * 16),
    "the link": lambda p: replace(p, link="" if p.link else "0" * 64),
    "the seed": lambda p: replace(p, seed="0" * 32),
    "the signature": lambda p: replace(p, sig=base64.b64encode(b"\0" * 64).decode()),
    "no plans": lambda p: replace(p, plans=Plans.NONE, planned=""),
    "other plans": lambda p: replace(p, planned="RAID CHOICE"),
    "the order": lambda p: replace(p, order="PASS"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_each_field_is_bound_by_the_signature(what: str) -> None:
    """A block for another game, seat, question or history."""
    made = short_of(ORDER)
    first, *rest = made.parts
    changed = write_short(replace(made, parts=(CHANGES[what](first), *rest)), b"")
    try:
        found = back(changed)
    except FullWanted:
        with pytest.raises(FullWanted, match="No fault was found in it") as asked:
            back(changed)
        assert "--full" in str(asked.value)
        assert (asked.value.game, asked.value.seat) == (made.game, made.seat)
        return
    assert found is not None
    assert not is_signed(found)


def test_swapped_statements_are_refused() -> None:
    """A stranger swaps two orders of one block."""
    made = short_of(replace(ORDER, ahead=()))
    later = short_of(signed("hammer-begun", 3, "PASS", "", 2, ((1, "A", ""), (2, "B", "")))).parts
    with pytest.raises(FormError):
        back(write_short(replace(made, parts=(later[1], made.parts[0])), b""))
    swapped = write_short(replace(made, parts=(later[0], replace(later[2], number=later[1].number), later[1])), b"")
    found = back(swapped)
    assert found is not None
    assert not is_signed(found)


def test_another_seat_has_not_signed_it() -> None:
    made = short_of(ORDER)
    for seat in (1 - made.seat, 2, 900):
        try:
            found = back(write_short(replace(made, seat=seat), b""))
        except FullWanted:
            continue
        assert found is not None
        assert not is_signed(found)


def test_a_block_of_another_game_is_for_that_one_alone() -> None:
    with pytest.raises(FullWanted):
        back(block_of(ORDER), "hammer-braveheart")
    there = replace(short_of(ORDER), game=known("hammer-braveheart").game[:16])
    try:
        found = back(write_short(there, b""), "hammer-braveheart")
    except FullWanted:
        return
    assert found is not None
    assert not is_signed(found)


def test_a_dictionary_that_is_not_here_is_asked_about() -> None:
    with pytest.raises(FullWanted, match="dictionary 15"):
        back(write_short(replace(short_of(ORDER), dictionary=15), b""))


def test_a_later_version_is_asked_about_and_not_called_damaged() -> None:
    with pytest.raises(FullWanted, match="later pbem"):
        back(in_lines(summed(bytes([2 << 4]) + DATA[1:-4])))


def test_without_a_log_a_short_block_says_what_it_is() -> None:
    with pytest.raises(FullWanted, match="log"):
        read_block(block_of(ORDER))


# --- bombs --------------------------------------------------------------------------------------------------------------


def packed(said: bytes) -> bytes:
    made = zlib.compressobj(9, zlib.DEFLATED, -15)
    return made.compress(said) + made.flush()


def head_of(parts: int = 1) -> bytes:
    """A block up to its texts."""
    one = signed("hammer-begun", 3, "PASS")
    data = bytes_of(one)
    return data[: len(data) - 4 - len(short_of_data(data).packed)]


def short_of_data(data: bytes) -> Short:
    return form.read(data)


@pytest.mark.slow
def test_texts_that_grow_are_not_unpacked_beyond_what_is_allowed() -> None:
    """The host unpacks 64 KB of a block at most."""
    for size in (MOST + 1, 10 * MOST, 100_000_000):
        with pytest.raises(FormError):
            back(in_lines(summed(head_of() + packed(b"A" * size))))
    found = back(in_lines(summed(head_of() + packed(b"A" * MOST))))
    assert found is not None
    assert found.openings[0][6] == "A" * MOST


@pytest.mark.parametrize(
    "tail",
    [b"", b"\0", packed(b"PASS") + b"\0", packed(b"PASS")[:-1], packed(b"\xff"), packed(b"A\0B"), packed(b"PASS") * 2],
)
def test_texts_that_are_none_are_refused(tail: bytes) -> None:
    with pytest.raises(FormError):
        back(in_lines(summed(head_of() + tail)))


def test_a_block_holds_so_many_statements() -> None:
    envelope = signed("hammer-begun", 3, "PASS", "", 0, tuple((on, "", "") for on in range(1, PARTS)))
    assert back(block_of(envelope)) == envelope
    more = signed("hammer-begun", 3, "PASS", "", 0, tuple((on, "", "") for on in range(1, PARTS + 1)))
    assert shorten(more, known(), 0) is None
    made = short_of(envelope)
    with pytest.raises(FormError):
        form.read(form.write(replace(made, parts=(*made.parts, made.parts[-1])), b""))


@pytest.mark.slow
@settings(max_examples=300)
@given(st.binary(max_size=400))
def test_whatever_bytes_come_are_read_or_refused(data: bytes) -> None:
    for one in (data, summed(data), summed(DATA[:10] + data), summed(head_of() + data)):
        try:
            back(in_lines(one))
        except FormError:
            continue


# --- beside others in a mail --------------------------------------------------------------------------------------------


def test_a_short_block_that_cannot_be_expanded_keeps_out_no_signed_one() -> None:
    """A stranger puts such a short block beside a signed one."""
    wrong = write_short(replace(short_of(ORDER), game="0" * 16), b"")
    for text in (f"{wrong}\n\n{block_of(ORDER)}", f"{write_block(ORDER)}\n\n{wrong}"):
        assert read_block(text, is_signed, lambda said: rebuild(said, known())) == ORDER
        with pytest.raises(FullWanted):
            read_block(text, lambda _: False, lambda said: rebuild(said, known()))


def test_short_and_full_form_of_one_statement_are_one() -> None:
    assert back(f"{block_of(ORDER)}\n\n{write_block(ORDER)}") == ORDER


def test_a_damaged_short_block_is_not_passed_over() -> None:
    damaged = block_of(ORDER).replace("0", "1", 1)
    for text in (f"{damaged}\n\n{write_block(ORDER)}", f"{block_of(ORDER)}\n\n{damaged}"):
        with pytest.raises(FormError, match="damaged"):
            back(text)


def test_what_a_block_opens_is_known_before_its_entries_are() -> None:
    """A host that went back to a backup writes orders again by what their letters open."""
    beginning = KnownLog(known().log.cut(2), known().words)
    lines = list(openings_in(form.read(DATA), beginning))
    assert lines == [list(line) for one in (ORDER, *ORDER.ahead) for line in one.openings]
    with pytest.raises(FullWanted):
        rebuild(form.read(DATA), beginning)


# --- manglings ----------------------------------------------------------------------------------------------------------


@pytest.mark.variants
@pytest.mark.parametrize("how", block.MANGLED)
def test_it_comes_through_all_that_a_full_one_comes_through(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    mangled = block.mangled(f"CARD Herald\nEND\n\n{block_of(ORDER)}\n\n-- \nWilliam\n")
    incoming = read_message(mangled[how])
    assert incoming.problem == ""
    assert back(incoming.text) == ORDER


@pytest.mark.slow
def test_many_blocks_that_grow_make_no_large_work() -> None:
    """The host unpacks 256 KB of a mail at most."""
    texts = ["A" * (MOST - 8) + f"{no:08}" for no in range(6)]
    bombs = [in_lines(summed(head_of() + packed(text.encode()))) for text in texts]
    assert back("\n".join(bombs[:4])) is not None
    with pytest.raises(FormError):
        back("\n".join(bombs))
    many = [block_of(signed("hammer-begun", 3, f"CARD {no}", rev=no)) for no in range(60)]
    found = back("\n".join(many))
    assert found is not None
    assert found.say["rev"] == 59
