"""The table of what can go wrong names a test in each row, and each test that it names is there."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "reference" / "faults.md"


def test_each_row_names_a_test_that_is_there() -> None:
    there = set(
        re.findall(
            r"^def (test_\w+)",
            "".join(path.read_text("utf-8") for path in HERE.parent.glob("*/test_*.py")),
            re.MULTILINE,
        )
    )
    rows = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| ") and "what fails" not in line]
    assert len(rows) >= 20
    for row in rows:
        (named,) = re.findall(r"`(test_\w+)`", row)
        assert named in there
