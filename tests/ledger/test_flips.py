"""PROTOCOL 2 and 7: every flipped bit, every dropped and every repeated line of a log is found."""

from __future__ import annotations

import random
from functools import lru_cache

import pytest

from pbem.ledger import sha256_hex, verify, verify_sig
from tests.ledger.builder import short_game
from tests.ledger.files import SAMPLES, sample


@pytest.fixture
def remembered_signatures(monkeypatch: pytest.MonkeyPatch) -> None:
    """A signature that was checked once with the same bytes is not calculated again: the answer cannot differ."""
    check = lru_cache(maxsize=None)(verify_sig)
    for name in ("verify_sig_read", "lines.verify_sig"):
        monkeypatch.setattr(f"pbem.ledger.verifier.{name}", check)


@pytest.mark.slow
@pytest.mark.usefixtures("remembered_signatures")
@pytest.mark.parametrize("bit", range(8))
def test_every_flipped_bit_of_a_short_log_is_found(bit: int) -> None:
    data = bytearray(short_game().dump())
    assert len(data) < 8000
    assert verify(bytes(data)).verdict == "clean"
    for at in range(len(data)):
        data[at] ^= 1 << bit
        verdict = verify(bytes(data))
        assert (verdict.verdict, verdict.party) == ("fault", "supplier"), f"byte {at}"
        data[at] ^= 1 << bit


@pytest.mark.slow
@pytest.mark.usefixtures("remembered_signatures")
@pytest.mark.parametrize("name", SAMPLES)
def test_random_flips_of_every_sample_are_found(name: str) -> None:
    data, chance = bytearray(sample(name)), random.Random(name)
    for _ in range(400):
        at, bit = chance.randrange(len(data)), 1 << chance.randrange(8)
        data[at] ^= bit
        assert verify(bytes(data)).verdict == "fault", f"byte {at}, bit {bit}"
        data[at] ^= bit


def harmless(whole: list[bytes], at: int) -> bool:
    """Without a head before the last, or a receipt, a log is as good; no file needs them."""
    is_last_head = not any(line.startswith(b'["head"') for line in whole[at + 1 :])
    return whole[at].startswith(b'["got"') or (whole[at].startswith(b'["head"') and not is_last_head)


def of_a_deal_in_hand(line: bytes) -> bool:
    """A place of a deal that a seat has been shown in mid-game: only the rules know that it is due."""
    return b'"host",7,"p' in line or b'"host",19,"p' in line


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLES)
def test_every_dropped_line_is_found(name: str) -> None:
    whole = sample(name).split(b"\n")[:-1]
    expected = verify(sample(name)).verdict
    for at, line in enumerate(whole):
        verdict = verify(b"\n".join([*whole[:at], *whole[at + 1 :], b""]))
        if harmless(whole, at) or (
            name == "trio_ann_mid" and of_a_deal_in_hand(line) and not opened_by_a_tell(whole, line)
        ):
            assert verdict.verdict == expected, line[:80]
        else:
            assert (verdict.verdict, verdict.party) == ("fault", "supplier"), line[:80]


def opened_by_a_tell(whole: list[bytes], line: bytes) -> bool:
    return any(other.startswith(b'{"k":"tell"') and sha256_hex(line).encode() in other for other in whole)


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLES)
def test_every_repeated_line_is_found(name: str) -> None:
    whole = sample(name).split(b"\n")[:-1]
    for at, line in enumerate(whole):
        for there in {at, len(whole)}:
            verdict = verify(b"\n".join([*whole[:there], line, *whole[there:], b""]))
            assert (verdict.verdict, verdict.party) == ("fault", "supplier"), line[:80]


def test_a_cut_at_a_signed_head_is_an_honest_shorter_copy_and_any_other_cut_is_found() -> None:
    whole = sample("trio").split(b"\n")[:-1]
    for cut in range(1, len(whole)):
        verdict = verify(b"\n".join([*whole[:cut], b""]))
        honest = whole[cut - 1].startswith(b'["head"')
        assert verdict.verdict == ("unfinished" if honest else "fault"), whole[cut - 1][:80]


def test_a_file_without_its_last_line_feed_is_found() -> None:
    assert verify(sample("trio")[:-1]).code == "FORM"
    assert verify(b"").code == "FORM"
    assert verify(sample("trio") + b"\n").code == "FORM"
