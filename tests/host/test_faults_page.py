"""The tables of the page of mail name a test in each row, and each test that they name is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
PAGES = HERE.parents[1] / "docs" / "reference"
HEADS = ("| habit", "| way ")


@pytest.mark.parametrize(("page", "least"), [("mail.md", 50)])
def test_each_row_names_tests_that_are_there(page: str, least: int) -> None:
    there = set(
        re.findall(
            r"^def (test_\w+)",
            "".join(path.read_text("utf-8") for path in HERE.parent.glob("*/test_*.py")),
            re.MULTILINE,
        )
    )
    rows, told = [], False
    for line in (PAGES / page).read_text("utf-8").splitlines():
        if line.startswith("| "):
            told = told or line.startswith(HEADS)
            rows += [line] * (told and not line.startswith(HEADS))
        elif not line.startswith("|"):
            told = False
    assert len(rows) >= least
    for row in rows:
        named = re.findall(r"`(test_\w+)`", row)
        assert named, row
        assert there.issuperset(named)
