"""What the page keeps in a browser that closes its storage, throws it away, or does not answer: `files.mjs`, by Node."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.project.source import ROOT

WHOLE = {"key": "a key", "games/one": "first"}
BEFORE = {"key": "a key"}


@pytest.fixture(scope="module")
def seen() -> dict[str, Any]:
    """What was seen, by scenario."""
    if shutil.which("node") is None:
        pytest.skip("Node is not installed")
    command = ["node", str(Path(__file__).parent / "by_node/files.mjs"), str(ROOT / "pbem/page/carrier/files.mjs")]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("how", ["closed", "closed_unsaid", "lost", "lost_behind_it"])
def test_a_base_that_the_browser_has_closed_is_opened_again_and_what_was_being_written_is_written(
    seen: dict[str, Any], how: str
) -> None:
    """Safari closes databases of pages in the background. If the second write fails too, the call changes nothing."""
    found = seen[how]
    assert (found["told"], found["keeps"]) == (True, "all")
    assert found["kept"] == found["memory"] == WHOLE


def test_a_failed_write_is_repeated_once_and_not_for_ever(seen: dict[str, Any]) -> None:
    first, then = seen["lost_twice"]["first"], seen["lost_twice"]["then"]
    assert (first["told"], first["transactions"]) == ("failed", 2)
    assert first["kept"] == first["memory"] == BEFORE, "as if there had been no call"
    assert then["told"] is True, "the next call begins anew"
    assert then["kept"] == WHOLE | {"games/one": "again"}


@pytest.mark.parametrize(("how", "why"), [("aborted", "failed"), ("full", "full")])
def test_what_failed_for_another_reason_is_not_tried_again(seen: dict[str, Any], how: str, why: str) -> None:
    found = seen[how]
    assert (found["told"], found["transactions"]) == (why, 1)
    assert found["kept"] == found["memory"] == BEFORE


def test_what_was_thrown_away_is_not_begun_anew_in_its_place(seen: dict[str, Any]) -> None:
    """The database is empty or another one. The page says that its data is gone and can save its memory."""
    found = seen["thrown_away"]
    assert found["heard"] == 1, "at once, before anything is asked"
    assert (found["told"], found["keeps"], found["kept"]) == ("gone", "nowhere", None)
    assert found["memory"] == BEFORE, "what was kept can be saved as long as the tab is open"


def test_nothing_is_written_into_what_is_another_desk_by_now(seen: dict[str, Any]) -> None:
    found = seen["another"]
    assert (found["told"], found["keeps"], found["kept"]) == ("gone", "nowhere", {"else": ""})


def test_what_is_read_is_read_again_as_well(seen: dict[str, Any]) -> None:
    assert seen["read_again"]["other"] is False
    assert seen["read_again"]["memory"] == BEFORE


def test_a_browser_that_does_not_answer_is_spoken_of_until_it_does(seen: dict[str, Any]) -> None:
    """After five seconds the page says what helps. It continues when the browser answers."""
    found = seen["silent"]
    assert (found["quick"], found["late"], found["said"]) == ([], ["silent"], ["silent", ""])
    assert found["keeps"] == "all"
