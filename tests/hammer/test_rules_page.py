"""The page of the rules names every paragraph of the rule book, files that are there, and tests that are there."""

from __future__ import annotations

import re

from tests.hammer.rules_page import EVENTS, GAME, PARAGRAPHS, SIDEBARS, known_tests
from tests.project.source import ROOT
from tests.rules_page import quoted

PAGE = ROOT / "docs" / "reference" / "rules-hammer.md"

HEADINGS = {"5.0", "6.0", "8.0"}
"""Paragraphs that are a heading and nothing else."""


def rows() -> list[list[str]]:
    """Return the rows of all tables: paragraph, what it decides, files, tests, ruling."""
    lines = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]
    return [row for row in cells if row[1:3] != ["decides", "file"]]


def test_every_paragraph_has_its_row_in_the_books_order() -> None:
    assert [row[0] for row in rows()] == [*PARAGRAPHS, *EVENTS, *SIDEBARS]
    assert {len(row) for row in rows()} == {5}


def test_a_row_names_files_and_tests_that_are_there() -> None:
    for row in rows():
        paragraph, decides, files, proofs, _ = row
        assert decides, paragraph
        assert set(quoted(proofs)) <= known_tests(), set(quoted(proofs)) - known_tests()
        assert quoted(files), paragraph
        assert all((GAME / name).is_file() for name in quoted(files)), files
        assert (paragraph in HEADINGS) == (not quoted(proofs)), paragraph


def test_every_rule_that_a_refusal_names_is_on_the_page() -> None:
    named = {
        rule
        for file in GAME.rglob("*.py")
        for rule in re.findall(r"(?<!=)\"(\d\.\d{1,2})\"", file.read_text("utf-8"))
    }  # fmt: skip
    assert "5.41" in named
    assert named - {"2.3"} <= set(PARAGRAPHS)  # 2.3 is an edition


def test_every_test_that_bears_a_rules_number_bears_one_that_there_is() -> None:
    numbers = {
        found[1] + "." + found[2] for name in known_tests() if (found := re.match(r"test_(\d)_(\d{1,2})_", name))
    }
    assert numbers <= set(PARAGRAPHS)
