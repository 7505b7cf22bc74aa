"""Flipped bits, lost lines and lines that come twice, in the files of whole games and in copies of games still going on.

Every single bit of a short log is flipped in `tests/ledger/test_flips.py`. Here they fall at random, with a seed that is
printed; PBEM_FLIPS says how many.
"""

from __future__ import annotations

import os
import random
import re
from functools import lru_cache

import pytest

from pbem.ledger import Log, redact, sha256_hex, verify, verify_sig

from .recorded import a_log

A_PLACE = re.compile(rb'\["seal","[0-9a-f]{64}","host",[0-9]+,"p[0-9]+"')
FLIPS = int(os.environ.get("PBEM_FLIPS", "2000"))


@pytest.fixture
def remembered_signatures(monkeypatch: pytest.MonkeyPatch) -> None:
    """A signature that was checked once with the same bytes is not calculated again: the answer cannot differ."""
    check = lru_cache(maxsize=None)(verify_sig)
    for name in ("verify_sig_read", "lines.verify_sig"):
        monkeypatch.setattr(f"pbem.ledger.verifier.{name}", check)


def file_of(game: str, which: str) -> tuple[bytes, str]:
    """A file of a recorded game, and whose it is."""
    recorded = a_log(game)
    seat = recorded.table.seats[0]
    if which == "whole":
        return recorded.whole, "host"
    return redact(Log.parse(recorded.beginning), seat).dump(), seat


@pytest.mark.slow
@pytest.mark.usefixtures("remembered_signatures")
@pytest.mark.parametrize("which", ["whole", "mid-game copy"])
@pytest.mark.parametrize(("game", "share"), [("tiny", 47), ("hammer", 3)])
def test_random_flips_are_found(game: str, share: int, which: str) -> None:
    """A stranger flips any bit or line of a file."""
    data, seat = file_of(game, which)
    flipped, chance = bytearray(data), random.Random(f"{game} {which} {FLIPS}")
    for _ in range(FLIPS * share // 100):
        at, bit = chance.randrange(len(data)), 1 << chance.randrange(8)
        flipped[at] ^= bit
        assert verify(bytes(flipped), seat).verdict == "fault", f"byte {at}, bit {bit}"
        flipped[at] ^= bit


def harmless(lines: list[bytes], at: int) -> bool:
    """Without a head before the last, or a receipt, a log is as good."""
    is_last_head = not any(line.startswith(b'["head"') for line in lines[at + 1 :])
    return lines[at].startswith(b'["got"') or (lines[at].startswith(b'["head"') and not is_last_head)


@pytest.mark.slow
@pytest.mark.usefixtures("remembered_signatures")
def test_every_lost_line_and_every_line_that_comes_twice_is_found() -> None:
    data, _ = file_of("tiny", "whole")
    lines = data.split(b"\n")[:-1]
    for at, line in enumerate(lines):
        lost = verify(b"\n".join([*lines[:at], *lines[at + 1 :], b""]))
        if harmless(lines, at):
            assert lost.verdict == "clean", line[:80]
        else:
            assert (lost.verdict, lost.party) == ("fault", "supplier"), line[:80]
        twice = verify(b"\n".join([*lines[:at], line, *lines[at:], b""]))
        assert (twice.verdict, twice.party) == ("fault", "supplier"), line[:80]


@pytest.mark.slow
@pytest.mark.usefixtures("remembered_signatures")
def test_every_line_that_a_copy_in_mid_game_loses_is_found_unless_only_the_rules_know_it() -> None:
    """Whether a dealt card in hand is due to a seat only the rules can tell."""
    data, seat = file_of("tiny", "mid-game copy")
    lines = data.split(b"\n")[:-1]
    for at, line in enumerate(lines):
        lost = verify(b"\n".join([*lines[:at], *lines[at + 1 :], b""]), seat)
        named_by_a_tell = any(x.startswith(b'{"k":"tell"') and sha256_hex(line).encode() in x for x in lines)
        of_a_deal = A_PLACE.match(line) and not named_by_a_tell
        if harmless(lines, at) or of_a_deal:
            assert lost.verdict == "unfinished", line[:80]
        else:
            assert (lost.verdict, lost.party) == ("fault", "supplier"), line[:80]
