"""The page of what a turn owes its player names in each row a test or a picture, and each of them is there."""

from __future__ import annotations

import re

from tests.project.source import ROOT
from tests.rules_page import proofs_in, quoted

PAGE = ROOT / "docs" / "reference" / "points-of-a-turn.md"
HEADS = ("a player may expect", "---", "players")


def rows() -> list[list[str]]:
    """Return the rows of the page's tables of qualities: what may be expected, what shows it."""
    lines = (line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("|"))
    cells = ([cell.strip() for cell in line.split("|")[1:-1]] for line in lines)
    return [row for row in cells if len(row) == 2 and row[0] not in HEADS]


def test_the_page_has_its_rows() -> None:
    assert len(rows()) >= 40


def test_a_row_names_tests_and_pictures_that_are_there() -> None:
    there = proofs_in((ROOT / "tests").rglob("*.py"))
    for row in rows():
        shows = row[1]
        tests = {name for name in quoted(shows) if name.startswith("test_")}
        pictures = re.findall(r"!\[[^]]+\]\(([^)]+)\)", shows)
        assert tests or pictures, row[0]
        assert tests <= there, row[0]
        assert all((PAGE.parent / name).is_file() for name in pictures), row[0]
