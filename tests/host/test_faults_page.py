"""The tables of what can go wrong, of habits and of attacks name a test in each row, and each test that they name is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
PAGES = HERE.parents[1] / "docs" / "reference"
HEADS = ("| what fails", "| habit", "| way ", "| attack ")


@pytest.mark.parametrize(("page", "least"), [("faults.md", 35), ("mail-robot.md", 50), ("attacks.md", 50)])
def test_each_row_names_a_test_that_is_there(page: str, least: int) -> None:
    there = set(
        re.findall(
            r"^def (test_\w+)",
            "".join(path.read_text("utf-8") for path in HERE.parent.glob("*/test_*.py")),
            re.MULTILINE,
        )
    )
    lines = (PAGES / page).read_text("utf-8").splitlines()
    rows = [line for line in lines if line.startswith("| ") and not line.startswith(HEADS)]
    assert len(rows) >= least
    for row in rows:
        (named,) = re.findall(r"`(test_\w+)`", row)
        assert named in there
