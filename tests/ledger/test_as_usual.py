"""A line beside the chain is read by one look only where reading it with care, and asking for its form, says the same."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from pbem.errors import FormError
from pbem.ledger.canon import MAX_DEPTH, MAX_LINE, read_with_care
from pbem.ledger.forms import is_line, read_as_usual
from tests.ledger.files import SAMPLES, sample

GOLDEN = Path(__file__).parents[1] / "golden" / "logs"
BITS = (
    b"", b"-0", b"0", b"-1", b"00", b"01", b"1000000", b"1000001", b"-1000001", b"999999", b"1.0", b"1e3", b"true", b"null", b" ",
    b"\n", b'"', b'""', b"\\", b"\\n", b"\\u0041", b"\x1f", b"\x7f", b"\xff", b"\xed\xa0\x80", b"\xe2\x80\xa8", b"\xc3\xa9",
    b"g", b"A", b"=", b"==", b"AAAA", b"_", b"[", b"]", b"{}", b'{"b":1,"a":2}', b'{"a":1,"a":1}', b'{"A":1}', b'{"a":1.5}',
    b"[9007199254740992]", b"[-0]", b",", b",1", b"2030-02-30T00:00:00Z", b"0000-01-01T00:00:00Z", b"2030-01-31T25:00:00Z",
)  # fmt: skip


def _beside(data: bytes) -> list[bytes]:
    return [line for line in data.split(b"\n") if line.startswith(b"[")]


def _one_of_each() -> list[bytes]:
    """The shortest and the longest line of each kind in the samples, and the seals that hold text and facts."""
    lines = sorted({line for name in SAMPLES for line in _beside(sample(name))}, key=len)
    kinds = {line[:6]: [other for other in lines if other[:6] == line[:6]] for line in lines}
    return [
        line
        for of_kind in kinds.values()
        for line in dict.fromkeys((of_kind[0], of_kind[len(of_kind) // 2], of_kind[-1]))
    ]


def _with_care(line: bytes) -> list[object] | None:
    try:
        value = read_with_care(line)
    except FormError:
        return None
    return value if isinstance(value, list) and is_line(value) else None


def _check(line: bytes) -> bool:
    usual = read_as_usual(line)
    assert usual is None or repr(usual) == repr(_with_care(line)), line
    return usual is not None


def test_nearly_all_lines_of_golden_logs_are_as_usual() -> None:
    for path in sorted(GOLDEN.glob("*.pbem"))[::6]:
        lines = _beside(path.read_bytes())
        assert sum(map(_check, lines)) > 0.95 * len(lines), path.name


@pytest.mark.parametrize("line", _one_of_each(), ids=lambda line: f"{line[2:6].decode()} {len(line)}")
def test_a_line_with_a_bit_in_it_is_what_it_is_with_care(line: bytes) -> None:
    assert _check(line)
    chance = random.Random(line)
    commas = [at for at, letter in enumerate(line) if letter == ord(",")]
    for bit in BITS:
        for _time in range(40):
            at, length = chance.randrange(len(line)), chance.randrange(5)
            _check(line[:at] + bit + line[at + length :])
        for start, end in zip(commas, [*commas[1:], len(line) - 1], strict=True):
            _check(line[: start + 1] + bit + line[end:])
            _check(line[: start + 1] + b'"' + bit + b'"' + line[end:])
            _check(line[:start] + line[end:])
        _check(line + bit)


def test_what_is_sealed_lies_no_deeper_and_is_no_longer_than_a_line_may_hold() -> None:
    start = b'["seal","%s","host",6,"p0","%s",' % (b"0" * 64, b"0" * 32)
    read = [_check(start + b"[" * n + b"1" + b"]" * n + b"]") for n in range(1, MAX_DEPTH + 3)]
    assert read == [n < MAX_DEPTH for n in range(1, MAX_DEPTH + 3)]
    assert [_check(start + b'{"a":' * n + b"{}" + b"}" * n + b"]") for n in (MAX_DEPTH - 1, MAX_DEPTH)] == [True, False]
    room = MAX_LINE - len(start) - 3
    assert [_check(start + b'"' + b"x" * n + b'"]') for n in (room, room + 1)] == [True, False]
