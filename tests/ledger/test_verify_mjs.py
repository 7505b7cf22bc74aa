"""`examples/verify.mjs`, a second implementation in plain Node, says the same of the samples and the bad files."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.attacks.forger import Forger, Piece
from tests.attacks.test_another_host import CODES as MISDEEDS_OF_A_MOVE
from tests.attacks.test_another_host import a_game as moved
from tests.attacks.test_another_host import ready_for_what_was_before
from tests.attacks.test_other_rules import a_game as other_rules
from tests.attacks.test_rekey import a_game as rekeyed
from tests.attacks.test_replace import a_game as replaced
from tests.attacks.test_takeback import a_game as taken_back
from tests.attacks.test_talk import a_talk, resignations
from tests.ledger.builder import long_game
from tests.ledger.files import SAMPLES, bad, bad_index, sample
from tests.ledger.test_verify import eventful_game

SCRIPT = Path(__file__).parents[2] / "examples" / "verify.mjs"


def node_is_new_enough() -> bool:
    if shutil.which("node") is None:
        return False
    version = subprocess.run(["node", "--version"], check=True, capture_output=True, text=True).stdout
    return int(version.removeprefix("v").partition(".")[0]) >= 20


pytestmark = pytest.mark.skipif(not node_is_new_enough(), reason="node (version 20 or later) is not installed")

# what the script says of itself that it does not look at: the order of entries and the fields of each kind
NOT_LOOKED_AT = ("ASK", "ORDERING", "SEEN", "REQ_roll", "FORM_at", "FORM_no_", "FORM_public", "FORM_secret")
FIELDS_NOT_LOOKED_AT = ("FORM_tell", "FORM_unknown")

FOUND = [case for case in bad_index("verify") if not case["file"].startswith(NOT_LOOKED_AT + FIELDS_NOT_LOOKED_AT)]


def run(tmp_path: Path, data: bytes) -> tuple[int, dict[str, Any]]:
    path = tmp_path / "game.pbem"
    path.write_bytes(data)
    done = subprocess.run(["node", SCRIPT, path], check=False, capture_output=True, text=True)
    return done.returncode, json.loads(done.stdout)


@pytest.mark.parametrize("name", SAMPLES)
def test_the_samples_are_in_order(tmp_path: Path, name: str) -> None:
    code, verdict = run(tmp_path, sample(name))
    assert (code, verdict["verdict"]) == (0, "unfinished" if name == "ann_mid" else "clean")


@pytest.mark.parametrize("case", FOUND, ids=lambda case: case["file"].removesuffix(".pbem"))
def test_bad_files_are_found(tmp_path: Path, case: dict[str, Any]) -> None:
    code, verdict = run(tmp_path, bad(case["file"]))
    assert (code, verdict["entry"], verdict["code"]) == (1, case["expect_entry"], case["code"])
    assert verdict["reason"]


def test_most_bad_files_are_within_its_reach() -> None:
    assert len(FOUND) == 49


OURS: dict[str, Callable[[], bytes]] = {
    "eventful": lambda: eventful_game().end().dump(),
    "long": lambda: long_game(5).dump(),
    "talk": lambda: a_talk().whole,
    "resignations": lambda: resignations().whole,
    "other rules": lambda: other_rules().whole,
    "replaced": lambda: replaced().whole,
    "replaced after a claim": lambda: replaced("claim").whole,
    "rekey": lambda: rekeyed().whole,
    "recovery": lambda: rekeyed("the recovery key").whole,
    "another host": lambda: moved().whole,
}


@pytest.mark.parametrize("name", OURS)
def test_our_own_games_are_in_order(tmp_path: Path, name: str) -> None:
    data = OURS[name]()
    assert run(tmp_path, data) == (0, {"verdict": "clean", "entry": None, "code": None, "reason": data_reason(data)})


def test_an_answer_taken_back_is_in_order(tmp_path: Path) -> None:
    data = taken_back().whole
    assert run(tmp_path, data)[1]["verdict"] == "unfinished"


def data_reason(data: bytes) -> str:
    return f"{sum(line.startswith(b'{') for line in data.splitlines())} entries"


def test_random_flips_are_found(tmp_path: Path) -> None:
    data, chance = bytearray(sample("full")), random.Random(1)
    for _ in range(25):
        at, bit = chance.randrange(len(data)), 1 << chance.randrange(8)
        data[at] ^= bit
        assert run(tmp_path, bytes(data))[0] == 1, f"byte {at}, bit {bit}"
        data[at] ^= bit


def test_a_file_that_is_not_there_is_no_verdict(tmp_path: Path) -> None:
    done = subprocess.run(["node", SCRIPT, tmp_path / "none"], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")


@pytest.mark.parametrize(
    ("code", "mount"),
    [
        (code, mount)
        for code, mounts in MISDEEDS_OF_A_MOVE.items()
        for mount in mounts
        if code != "ORDERING" and mount is not ready_for_what_was_before
    ],
    ids=lambda x: getattr(x, "__name__", x),
)
def test_misdeeds_of_a_move_are_found(tmp_path: Path, code: str, mount: Callable[[Forger], Piece]) -> None:
    f = Forger(moved())
    f.write()
    found = mount(f)
    f.cut(found)
    _, verdict = run(tmp_path, f.write().tidy().dump())
    assert (verdict["entry"], verdict["code"]) == (found.n, code)
