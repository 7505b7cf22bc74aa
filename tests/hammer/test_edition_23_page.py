"""The page that compares edition 2.3 with 4.0: all paragraphs stand on it, and it agrees with the code and the tests."""

from __future__ import annotations

import re
from pathlib import Path

from pbem.games.hammer.rules.variants import EDITIONS
from tests.hammer.rules_page import EVENTS, PARAGRAPHS, SIDEBARS, known_tests
from tests.rules_page import quoted

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "edition-2.3.md"
TEXT = PAGE.read_text("utf-8")
KNOWN = {*PARAGRAPHS, *EVENTS, *SIDEBARS}


def part(heading: str) -> list[list[str]]:
    """Return the rows of the table under a heading, without its head."""
    text = TEXT.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines[1:]]


CHANGES = part("What changes play")
READINGS = part("Readings that change nothing")
SAME = " ".join(TEXT.partition("**The same in both:**")[2].partition("\n\n")[0].split()).split(", ")


def test_every_paragraph_sidebar_and_card_stands_on_the_page() -> None:
    differ = {paragraph for row in (*CHANGES, *READINGS) for paragraph in row[0].split(", ")}
    assert differ | set(SAME) == KNOWN
    assert not differ & set(SAME)


def test_every_name_of_the_edition_stands_on_the_page_and_no_other() -> None:
    names = {name for row in CHANGES for name in quoted(row[3])}
    assert names == set(EDITIONS["2.3"])


def test_a_row_names_tests_that_are_there() -> None:
    for row in CHANGES + READINGS:
        assert all(row), row[0]
        assert quoted(row[-1]), row[0]
        assert set(quoted(row[-1])) <= known_tests(), set(quoted(row[-1])) - known_tests()


def test_every_test_of_the_edition_stands_on_the_page() -> None:
    assert {name for name in known_tests() if re.search(r"_of_2_3_", name)} <= set(quoted(TEXT))
