"""The vectors of the short block are read as they say, by this program and by one that has nothing of it; the page shows one."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from docs import make
from pbem.errors import FormError, FullWanted
from pbem.games import find, shipped
from pbem.games.words import newest, words
from pbem.ledger import SAY, cj, verify_sig
from pbem.mail import read_block, rebuild
from pbem.mail import short as form
from pbem.mail.block import _lines
from pbem.mail.short import DICTIONARIES, MOST
from tests.mail.short_vectors import TOLD

from .short_vectors import FILE, key, known, vectors

ROOT = Path(__file__).parents[2]
PAGE = make.BLOCK.read_text("utf-8")
RELEASED = {
    "hammer 1": "8a4cefe9b17bff50b00117f627b0c19803c88391a6bc987828f3a8526220eb1b",
    "lords 1": "4f052f5420955f8de98a285350df850471ba1fc6b2313f06081053527f90e4c9",
    "swords 1": "a27057eea7fbf4c021b8f165fec7e9d1c56732bd3ef65e261c7d43b794541b12",
    "tournament 1": "4319c59b31c271791af3663857db51bce2347f0ffa524bdc73833f4c0b4a4dd7",
}
"""The SHA-256 of each dictionary. A line is added with each new one, and none is ever changed: blocks under way need it."""


def outcome(block: list[str]) -> Any:
    try:
        found = read_block("\n".join(block), None, lambda said: rebuild(said, known()))
    except FullWanted:
        return "full wanted"
    except FormError as error:
        return "damaged" if "damaged" in str(error) else "none"
    assert found is not None
    statements = (found, *found.ahead)
    if not all(verify_sig(key().key_line, SAY, cj(one.say), one.sig) for one in statements):
        return "not signed"
    return [{"say": one.say, "sig": one.sig, "openings": list(one.openings)} for one in statements]


@pytest.mark.parametrize("what", TOLD["good"])
def test_good_ones_are_read_as_they_say(what: str) -> None:
    told = TOLD["good"][what]
    assert cj(outcome(told["block"])) == cj(told["signed"])
    assert _lines(bytes.fromhex(told["payload"])).split("\n") == told["block"]


@pytest.mark.parametrize("what", TOLD["bad"])
def test_bad_ones_are_found(what: str) -> None:
    assert outcome(TOLD["bad"][what]["block"]) == TOLD["bad"][what]["is"]


def test_the_file_is_made_by_the_program_but_for_what_deflate_may_choose() -> None:
    def plain(made: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
        of_both = [*made["good"].items(), *made["bad"].items()]
        return [(what, {n: v for n, v in one.items() if n not in ("payload", "block")}) for what, one in of_both]

    assert plain(json.loads(json.dumps(vectors()))) == plain(TOLD)


def test_a_program_with_nothing_of_ours_reads_them_alike() -> None:
    node = shutil.which("node") or pytest.skip("Node is not here")
    done = subprocess.run([node, ROOT / "examples" / "short.mjs", FILE], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.splitlines()[-1:]) == (0, ["5 good and 19 bad: 0 read otherwise"]), done.stdout


def test_the_page_shows_the_first_and_names_the_bounds() -> None:
    first = next(iter(TOLD["good"].values()))
    assert "\n".join(first["block"]) in PAGE
    assert cj(first["signed"][0]["say"]).decode() in PAGE
    assert f"{MOST:,}" in PAGE
    assert f"{DICTIONARIES} dictionaries, numbered from 1" in PAGE
    assert make.block_page() == PAGE


def test_the_pages_table_of_bytes_is_the_payload() -> None:
    rows = [line.removeprefix("- ").partition("`: ")[0] for line in PAGE.splitlines() if line.startswith("- `")]
    rows = rows[rows.index("`10") :][:11]
    payload = next(iter(TOLD["good"].values()))["payload"]
    for row in rows:
        for piece in row.replace("`", " ").split():
            begin, _, end = piece.partition("…")
            assert payload.startswith(begin)
            payload = payload[payload.index(end, len(begin)) + len(end) :] if end else payload[len(begin) :]
    assert payload == ""


def test_a_dictionary_that_was_released_never_changes() -> None:
    here = {
        f"{game} {number}": hashlib.sha256(words(find(game), number) or b"").hexdigest()
        for game in shipped()
        for number in range(1, newest(find(game)) + 1)
    }
    assert here == RELEASED


def test_every_game_has_the_empty_one_and_none_beyond_its_newest() -> None:
    for game in shipped():
        pack = find(game)
        assert words(pack, 0) == b""
        assert newest(pack) <= DICTIONARIES
        assert words(pack, newest(pack) + 1) is None
        assert words(pack, -1) is None


def test_a_block_is_told_apart_by_its_first_byte() -> None:
    assert form.is_short(bytes.fromhex(next(iter(TOLD["good"].values()))["payload"]))
    assert not form.is_short(b"")
    assert not form.is_short(b"\0\0\1\0")
