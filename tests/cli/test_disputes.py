"""The five disputes of docs/how-to/five-disputes.md: each command on the page does what the page says, with each of its files."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.ledger import Log, verify
from pbem.reports.scenes import scene
from tests import disputes
from tests.attacks.forger import Forger
from tests.attacks.misdeeds.book import AT_ONCE, Misdeed
from tests.attacks.recorded import a_log
from tests.golden_logs import FOLDER
from tests.story.comparing import said

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "how-to" / "five-disputes.md").read_text("utf-8")
COMMANDS = {
    place.removesuffix("-a"): lines.strip().splitlines()
    for place, lines in re.findall(r"```sh\ncd examples/disputes/(\S+)\n([^`]+)```", PAGE)
}
ANSWERS = {
    cells[0]: cells[1:]
    for cells in (
        re.split(r" ?\| ?", line.strip("| ")) for line in PAGE.splitlines() if re.match(r"\| \w+-[ab] ", line)
    )
}


NAMES = {
    "order-b": "in time",
    "die-a": "The dice gave 2, but the log says 3.",
    "card-b": "in another order",
    "deadline-a": "at 2030-01-01T23:00:00Z, before the time to answer was over (2030-01-02T00:00:00Z)",
    "seen-b": 'blocks › wallace is {"at": "Fife"',
}
"""What the verdict of each guilty folder names, so that nobody has to look for it."""


def test_the_page_names_every_folder() -> None:
    assert set(ANSWERS) == set(disputes.DISPUTES) == {path.name for path in disputes.FOLDER.iterdir()}
    assert {name.partition("-")[0] for name in ANSWERS} == set(COMMANDS)
    assert set(NAMES) == {folder for folder, (verdict, *_rest) in ANSWERS.items() if verdict == "fault"}
    assert all(len(lines) <= 3 for lines in COMMANDS.values())


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("folder", ANSWERS)
def test_a_dispute_is_settled_by_the_commands_of_the_page(folder: str, language: str) -> None:
    """The first command prints the verdict; a fault is first told in the game's words; the others succeed."""
    verdict, *fault = ANSWERS[folder]
    for no, line in enumerate(COMMANDS[folder.partition("-")[0]]):
        found = subprocess.run(
            [sys.executable, "-m", "pbem", *line.split()[1:]], cwd=disputes.FOLDER / folder, capture_output=True, text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PBEM_LANGUAGE": language}, check=False,
        )  # fmt: skip
        said = found.stdout + found.stderr
        if no:
            assert found.returncode == 0, said
            continue
        assert found.returncode == int(verdict == "fault"), said
        if language == "en":
            assert said.startswith(verdict), said
            assert NAMES.get(folder, "") in said, said
        if verdict == "fault":
            code, entry, party = fault
            named = party if language == "en" else "l’hôte"
            assert re.search(rf"\b{entry}, {code}, .*: {named}$", said, re.MULTILINE), said
            assert ("In the game: " if language == "en" else "Dans la partie") in said.splitlines()[1]


@pytest.mark.slow
@pytest.mark.parametrize("folder", ANSWERS)
def test_the_files_can_be_made_again(folder: str) -> None:
    made = disputes.DISPUTES[folder]()
    there = {path.name: path.read_bytes() for path in (disputes.FOLDER / folder).iterdir()}
    assert made.keys() == there.keys()
    found, kept = (verify(files["game.pbem"]) for files in (made, there))
    assert (found.verdict, found.code) == (kept.verdict, kept.code)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["lords", "swords", "hammer"])
def test_every_fault_is_told_in_the_games_words(game: str) -> None:
    """Every misdeed that a copy shows has a scene, with what its entry says."""
    recorded = a_log(game)
    for misdeed in AT_ONCE:
        if _may_be_tried(misdeed, game):
            forger = Forger(recorded)
            misdeed.mount(forger)
            data = forger.write().tidy().dump()
            verdict = verify(data)
            if verdict.verdict == "fault":
                assert scene(data, verdict).startswith("In the game: "), misdeed


def _may_be_tried(misdeed: Misdeed, game: str) -> bool:
    from tests.attacks.recorded import SCRIPTS

    return misdeed.needs not in SCRIPTS[game].lacks


def test_a_scene_believes_nothing_and_needs_little() -> None:
    """Lines that are no lines, facts that are none, a game that is not here: the verdict stands alone, and nothing breaks."""
    data = (disputes.FOLDER / "die-a" / "game.pbem").read_bytes()
    verdict = verify(data)
    told = scene(data, verdict)
    assert "This entry says: The dice: 3." in told
    lines = data.split(b"\n")
    odd = [b"{", b"[", b'["seal"]', b"{}", b"\xff", *lines]
    assert scene(b"\n".join(odd), verdict) == "" or "In the game" in scene(b"\n".join(odd), verdict)
    assert scene(data.replace(b'"id":"hammer"', b'"id":"chess"'), verdict) == ""
    assert scene(data.replace(b'"facts"', b'"fatcs"'), verdict).startswith("In the game: before the first turn.")
    assert scene(b"", verdict) == ""
    assert "\x1b" not in scene(data.replace(b'"res":[[3]]', b'"res":[["\\u001b[2J"]]'), verdict)


def test_an_audit_of_a_copy_with_seals_says_how_far_it_judged() -> None:
    code, text = said("audit", disputes.FOLDER / "die-b" / "game.pbem")
    text = " ".join(text.split())
    assert code == 0
    assert "By the rules everything is in order up to entry 4." in text
    assert "So far everything is in order" not in text


# A die, worked out by hand

BY_HAND = (ROOT / "docs" / "how-to" / "check-a-die.md").read_text("utf-8")
(DIE,) = re.findall(r"```python\n(.*?)```", BY_HAND, re.DOTALL)


def worked_out(place: Path, n: int) -> list[str]:
    """Run the page's program as a reader does, without pbem; return the lines that it prints."""
    done = subprocess.run(
        [sys.executable, "-I", "-c", DIE, place, str(n)], capture_output=True, text=True, check=True, cwd=ROOT
    )
    return done.stdout.splitlines()


def test_a_reader_works_out_a_die_with_the_page_alone() -> None:
    (line, said), *_more = re.findall(r"```console\n\$ python die.py (.*?)\n(.*?)```", BY_HAND, re.DOTALL)
    place, n = line.split()
    assert worked_out(ROOT / place, int(n)) == said.splitlines()
    false = worked_out(disputes.FOLDER / "die-a" / "game.pbem", int(n))
    assert false[-1] == "worked out: [[2]] the log says: [[3]]"
    assert all(one.endswith(": True") for one in false[:-1])


@pytest.mark.parametrize("name", ["hammer-bruce", "lords-3", "swords-4"])
def test_the_program_of_the_page_works_out_the_dice_of_each_game(name: str) -> None:
    place = FOLDER / f"{name}.pbem"
    dice = [e for e in Log.parse(place.read_bytes()).entries if e.k == "rand" and e.fields["chain"] == "pub"]
    for entry in (dice[0], dice[-1]):
        *links, last = worked_out(place, entry.n)
        assert all(line.endswith(": True") for line in links)
        assert last == f"worked out: {entry.fields['res']} the log says: {entry.fields['res']}"
