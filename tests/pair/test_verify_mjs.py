"""`examples/verify.mjs` judges every log of two as `pbem verify` does: verdict, entry, code, party and head.

`PBEM_MUTANTS` says how many mutants there are; `make fuzz` takes 10,000.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
from pathlib import Path
from typing import Any

import pytest

from pbem.ledger.pair import append, signed_turn, verify_pair
from tests.ledger.verify_mjs import AT_A_TIME, SCRIPT, node_is_new_enough, of_node
from tests.pair.golden import FOLDER
from tests.pair.mutants import bases, mutants
from tests.pair.playing import offering
from tests.pair.verify_mjs import differences, judged

MUTANTS = int(os.environ.get("PBEM_MUTANTS", "100"))

pytestmark = pytest.mark.skipif(not node_is_new_enough(), reason="node (version 20 or later) is not installed")


@pytest.mark.slow
def test_good_logs_are_good_and_are_written_out_as_they_were(tmp_path: Path) -> None:
    """Else a mutant would show how it is written and not its change."""
    for base in {id(base): base for _name, base in bases()}.values():
        author, entries = base.meant()
        author.written_out(entries)
        assert author.signed(entries) == base.data
    files = {name: base.data for name, base in bases()}
    files |= {path.stem: path.read_bytes() for path in FOLDER.glob("*.pbem")}
    assert differences(tmp_path, files) == {}
    assert {one["verdict"] for one in of_node(tmp_path, list(files.values()))} == {"in order", "unfinished"}


@pytest.mark.slow
def test_mutants_are_judged_alike(tmp_path: Path) -> None:
    found: dict[str, Any] = {}
    codes: set[str] = set()
    batch: dict[str, bytes] = {}
    for no, mutant in enumerate(mutants(MUTANTS), 1):
        batch[mutant.name] = mutant.data
        if no % AT_A_TIME == 0 or no == MUTANTS:
            both = judged(tmp_path, batch)
            found |= {name: of for name, of in both.items() if of[0] != of[1]}
            codes |= {ours[2] for ours, _theirs in both.values()}
            batch = {}
    assert found == {}
    assert len(codes) > 7, "they come to the checks behind the signatures"


def test_flipped_bits_and_cut_files_are_judged_alike(tmp_path: Path) -> None:
    data, chance, files = (FOLDER / "tournament.pbem").read_bytes(), random.Random(1), {}
    for _ in range(60):
        at, bit = chance.randrange(len(data)), 1 << chance.randrange(8)
        files[f"byte {at}, bit {bit}"] = data[:at] + bytes([data[at] ^ bit]) + data[at + 1 :]
        files[f"cut at {at}"] = data[:at]
    assert differences(tmp_path, files) == {}


@pytest.mark.slow
def test_every_honest_beginning_is_unfinished(tmp_path: Path) -> None:
    data = (FOLDER / "tiny-talk.pbem").read_bytes()
    lines = data.splitlines(keepends=True)
    files = {f"{n} lines": b"".join(lines[:n]) for n in range(1, len(lines))}
    assert differences(tmp_path, files) == {}
    assert {verify_pair(one).verdict for one in files.values()} == {"unfinished"}


@pytest.mark.slow
def test_who_owes_the_opening_of_plans_is_named_alike(tmp_path: Path) -> None:
    lines = (FOLDER / "hammer-pledged.pbem").read_bytes().splitlines(keepends=True)
    beginnings = [b"".join(lines[:n]) for n in range(1, len(lines))]
    owed = ["still sealed" in verify_pair(one).reason for one in beginnings]
    assert (sum(owed), owed) == (1, ["sealed still" in one["reason"] for one in of_node(tmp_path, beginnings)])


@pytest.mark.slow
def test_when_an_offer_is_over_is_judged_alike(tmp_path: Path) -> None:
    """Turns follow an offer, and then somebody agrees to it: with an answer in between that is too late."""
    couple, seat = offering()
    course, other = couple.plays[seat].course, couple.plays[seat].other
    order: Any = {"do": "order", "text": "PASS"}
    pledge: Any = {"do": "pledge", "d": "1" * 64, "c": "AAAA"}
    meet, declines = {"do": "meet", "text": "BATTLE ANY: FIGHT"}, {"do": "meet", "text": ""}
    agree, draw = {"do": "say", "what": "agree"}, {"do": "say", "what": "draw"}
    given = {
        "a turn of each without an answer": ([[], [agree]], ""),
        "to one's own": ([[agree]], "BIND"),
        "behind the author's answer": ([[order], [agree]], "BIND"),
        "behind one's own": ([[], [order, agree]], "BIND"),
        "behind that of the same turn": ([[order, draw], [agree]], ""),
        "behind that of the same turn, said before": ([[draw, order], [agree]], ""),
        "behind the answer of the turn after that": ([[draw, order], [order], [], [agree]], "BIND"),
        "behind a pledge": ([[pledge], [agree]], "BIND"),
        "behind a pledge of the other": ([[], [pledge, agree]], "BIND"),
        "behind what meets one": ([[], [meet, agree]], "BIND"),
        "behind what declines one": ([[], [declines, agree]], "BIND"),
        "before a pledge": ([[], [agree, pledge]], ""),
        "of the same turn as a pledge": ([[draw, pledge], [agree]], ""),
        "of the same turn, behind what meets its pledge": ([[draw, pledge], [meet, agree]], "BIND"),
        "behind the same pledge again": ([[pledge], [pledge]], "SEALBIND"),
        "behind a pledge whose digest is sealed": ([[pledge], [{**pledge, "do": "seal"}]], "SEALBIND"),
    }
    files = {}
    for name, (turns, _code) in given.items():
        head, who = course.head, seat
        numbers, made = {one: course.seats[one].turns for one in (seat, other)}, []
        for acts in turns:
            numbers[who] += 1
            made.append(append(head, signed_turn(couple.keys[who], couple.plays[who].vault, numbers[who], head, acts)))
            head, who = (made[-1].n, made[-1].hash), course.other(who)
        files[name] = couple.dump() + b"".join(entry.line + b"\n" for entry in made)
    assert differences(tmp_path, files) == {}
    codes = {name: verify_pair(data).code or "" for name, data in files.items()}
    assert codes == {name: code for name, (_turns, code) in given.items()}


def test_from_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "game.pbem"
    path.write_bytes((FOLDER / "tiny.pbem").read_bytes())
    done = subprocess.run(["node", SCRIPT, path], check=True, capture_output=True, text=True)
    assert json.loads(done.stdout)["verdict"] == "in order"
