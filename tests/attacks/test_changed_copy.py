"""A copy that was found in order is not verified again. One changed byte, wherever it is, is found as before.

The honest twin is the unchanged copy: another program that opens it checks no signature and finds it in order.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from pbem import cached
from pbem.ledger import Verdict
from pbem.player.copy import Copy
from tests.counted import calls
from tests.host.post import a_club

SEAT = "ann"
SIGNATURES = "ledger/keys.py:verify_sig_read"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The copy that the first seat has of a finished game."""
    with a_club(tmp_path_factory.mktemp("club"), turns=2) as club:
        desk = club.begin().play().desks[SEAT]
        return desk.copy(desk.notes()).log.dump()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder in which nothing is kept yet."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


def _opened(path: Path) -> tuple[Copy, Verdict | None, int]:
    """Open a copy as the next command does; return it, its verdict where it can be read, and how many signatures were checked."""
    found: list[Verdict] = []
    copy = Copy(path, SEAT)
    checked = calls(lambda: found.append(copy.verdict()), SIGNATURES) if copy.log.entries else 0
    return copy, found[0] if found else None, checked


def test_an_unchanged_copy_is_verified_once(home: Path, whole: bytes) -> None:
    (home / "copy.pbem").write_bytes(whole)
    first, again = (_opened(home / "copy.pbem") for _time in range(2))
    assert first[1] == again[1]
    assert again[1] is not None
    assert again[1].verdict == "clean"
    assert first[2] > 10
    assert again[2] == 0
    assert again[0].log == first[0].log
    assert [line.fields for line in again[0].log.lines] == [line.fields for line in first[0].log.lines]
    assert calls(lambda: Copy(home / "copy.pbem", SEAT), "ledger/forms.py:entry_fault") == 0


def test_a_changed_byte_is_found_in_a_copy_that_was_in_order(home: Path, whole: bytes) -> None:
    """Somebody changes a byte of a copy that the player's program has verified. It is known by the digest of all bytes."""
    path, chance = home / "copy.pbem", random.Random(50)
    path.write_bytes(whole)
    assert _opened(path)[2] > 10
    for at in chance.sample(range(len(whole) - 1), 150):
        other = chance.choice([byte for byte in b"0aZ{\n" if byte != whole[at]])
        changed = whole[:at] + bytes([other]) + whole[at + 1 :]
        path.write_bytes(changed)
        copy, verdict, _checked = _opened(path)
        assert copy.damage or verdict is None or verdict.verdict != "clean", (at, whole[at - 20 : at + 20])
    path.write_bytes(whole)
    assert _opened(path)[2] == 0, "and the honest copy is still known"


def test_what_was_found_of_one_seat_or_by_other_code_says_nothing_here(
    home: Path, whole: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "copy.pbem").write_bytes(whole)
    assert _opened(home / "copy.pbem")[2] > 10
    monkeypatch.setattr(cached, "code_of", lambda _package: "another state of the code")
    assert _opened(home / "copy.pbem")[2] > 10


def test_a_fault_is_not_remembered_as_order(home: Path, whole: bytes) -> None:
    cut = whole.replace(b'["got"', b'["gat"', 1)
    (home / "copy.pbem").write_bytes(cut)
    for _time in range(2):
        assert _opened(home / "copy.pbem")[0].damage
