"""PROTOCOL 2: canonical JSON, written and refused."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.errors import FormError
from pbem.ledger import cj, read_line
from pbem.ledger.canon import MAX_DEPTH, MAX_INT, MAX_LINE, read_with_care, same

keys = st.from_regex(r"[a-z][a-z0-9_:.]{0,47}", fullmatch=True)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
leaves = st.none() | st.booleans() | st.integers(-MAX_INT, MAX_INT) | texts
values = st.recursive(leaves, lambda x: st.lists(x, max_size=4) | st.dictionaries(keys, x, max_size=4), max_leaves=20)


@pytest.mark.slow
@given(values)
def test_what_is_written_reads_back_and_writes_the_same(value: object) -> None:
    line = cj(value)
    assert read_line(line) == value
    assert cj(read_line(line)) == line


@pytest.mark.slow
@given(values)
def test_any_other_spelling_of_a_value_is_refused(value: object) -> None:
    canonical = cj(value).decode()
    for other in (
        json.dumps(value),
        json.dumps(value, indent=1),
        " " + canonical,
        canonical + " ",
        "\ufeff" + canonical,
    ):
        if other != canonical:
            with pytest.raises(FormError):
                read_line(other.encode())


@given(st.binary(max_size=40))
def test_no_bytes_do_worse_than_a_form_error(data: bytes) -> None:
    try:
        value = read_line(data)
    except FormError:
        return
    assert cj(value) == data


def test_true_is_no_1() -> None:
    assert cj([True, 1, False, 0]) == b"[true,1,false,0]"
    assert [type(x) for x in read_line(b"[true,1]")] == [bool, int]


@pytest.mark.parametrize(
    "value",
    [
        1.0,
        float("nan"),
        MAX_INT + 1,
        -MAX_INT - 1,
        {"A": 1},
        {"": 1},
        {"a" * 49: 1},
        {1: 1},
        "\ud800",
        ["x\udfff"],
        b"x",
        {1},
    ],
    ids=repr,
)
def test_what_has_no_canonical_form_is_refused(value: object) -> None:
    with pytest.raises(FormError):
        cj(value)


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"1.0",
        b"1e3",
        b"NaN",
        b"-0",
        b"01",
        b"9007199254740992",
        b"-9007199254740992",
        b"1" * 5000,
        b'{"a":1,"a":1}',
        b'{"b":1,"a":1}',
        b'{"A":1}',
        b'{"a-b":1}',
        b'{"a": 1}',
        b'"\\u0061"',
        b'"\\/"',
        b'"\\ud800"',
        b'"\xed\xa0\x80"',
        b'"\xff"',
        b'"\t"',
        b"[1]\r",
        b"[1][2]",
        b"[1",
        b"\xef\xbb\xbf[1]",
    ],
    ids=lambda line: repr(line[:24]),
)
def test_what_is_not_canonical_is_refused(line: bytes) -> None:
    with pytest.raises(FormError):
        read_line(line)


def test_the_greatest_integers_are_read() -> None:
    assert read_line(b"[9007199254740991,-9007199254740991]") == [MAX_INT, -MAX_INT]


def test_a_line_may_have_64_kib_and_no_byte_more() -> None:
    assert read_line(b'"' + b"x" * (MAX_LINE - 2) + b'"')
    with pytest.raises(FormError, match="65537 bytes"):
        read_line(b'"' + b"x" * (MAX_LINE - 1) + b'"')


def test_a_line_that_begins_with_a_number_is_no_json_however_many_brackets_follow() -> None:
    with pytest.raises(FormError):
        read_line(b"7 " + b"[" * 40)


def test_a_value_may_lie_16_deep_and_no_deeper() -> None:
    deepest = b"[" * MAX_DEPTH + b"1" + b"]" * MAX_DEPTH
    assert cj(read_line(deepest)) == deepest
    for line in (b"[" + deepest + b"]", b'{"a":' + deepest + b"}", b"[" * 60000):
        with pytest.raises(FormError):
            read_line(line)
    with pytest.raises(FormError, match="levels deep"):
        cj([read_line(deepest)])


@pytest.mark.parametrize(
    ("open_", "close"),
    [
        ('["]",', ',"["]'),
        ('["]",', ',"["]'.replace("[", "{", 1)),
        ('{"a":"}","b":', ',"c":"{"}'),
        ('["\\\\]",', ',"\\\\["]'),
        ('[["]]"],', ',["[["]]'),
    ],
)
def test_brackets_in_texts_hide_no_depth(open_: str, close: str) -> None:
    """FORM. Brackets in a text close nothing; one of the two checkers took such a line as flat."""
    for levels in (MAX_DEPTH + 1, 400):
        line = f"{open_ * levels}1{close * levels}".encode()
        assert json.dumps(json.loads(line), separators=(",", ":"), ensure_ascii=False).encode() == line
        with pytest.raises(FormError, match="levels deep"):
            read_line(line)


def test_many_brackets_side_by_side_are_not_deep() -> None:
    line = b"[" + b",".join([b"[{}]"] * 40) + b"]"
    assert cj(read_line(line)) == line


_BITS = (
    b"1.0", b"1e3", b"1E400", b"-0", b"-0.0", b"0", b"01", b"+1", b"-", b"9007199254740991", b"9007199254740992",
    b"-9007199254740992", b"123456789012345678901234567890", b"NaN", b"Infinity", b"null", b"true", b"\\ud800", b"\\u0041",
    b"\xff", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\x00", b"\x1f", b"\x7f", b"\\u001f", b"\\b", b"\\/", b"\xe2\x80\xa8",
    b'"a":1,"a":1', b'{"b":1,"a":2}', b'{"A":1}', b'{"":1}', b"[" * 20 + b"]" * 20, b" ", b'"', b"[", b"]", b"{", b"}", b",", b":",
)  # fmt: skip


def _said(read: Callable[[bytes], object], line: bytes) -> str:
    try:
        return repr(read(line))
    except FormError as why:
        return f"refused: {why}"


@pytest.mark.variants
@pytest.mark.parametrize("bit", _BITS)
def test_a_line_is_read_quickly_only_where_it_would_be_read_with_care(bit: bytes) -> None:
    chance = random.Random(bit)
    whole = cj({"a": [1, {"b": "x", "c": [True, None, -7]}], "k": "tell", "n": 12, "view": {"x": {"y": "é"}}})
    lines = [bit, b"[%s]" % bit, b'{"a":%s}' % bit, b'{"a":"%s"}' % bit, b"[]%s" % bit, b"%s{}" % bit]
    for _time in range(300):
        at, length = chance.randrange(len(whole)), chance.randrange(8)
        lines.append(whole[:at] + bit + whole[at + length :])
    for line in lines:
        assert _said(read_line, line) == _said(read_with_care, line), line


def test_two_values_are_the_same_if_they_are_written_so() -> None:
    shared = {"a": [1, 2]}
    assert same({"x": shared, "y": 1}, {"y": 1, "x": shared})
    for one, other in [
        ({"a": 1}, {"a": True}), ([1, {"a": [0]}], [1, {"a": [False]}]), ({"a": None}, {"b": None}), ({"a": None}, {}),
        ([1], [1, 1]), ({"a": "1"}, {"a": 1}), ({"a": {}}, {"a": []}), ([[], {}], [{}, []]), ("a", "b"), (1, 1.0),
    ]:  # fmt: skip
        assert not same(one, other)
        assert not same(other, one)
    assert same(Counter(a=1), {"a": 1})
    assert same({"a": (1, [2])}, {"a": [1, (2,)]}), "a tuple is written as a list is"
    assert not same((1, 2), [1, True])
