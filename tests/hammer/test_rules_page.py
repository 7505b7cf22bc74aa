"""The page of the rules names every paragraph of the rule book, files that are there, and tests that are there."""

from __future__ import annotations

import re

from tests.project.source import ROOT
from tests.rules_page import proofs_in, quoted

PAGE = ROOT / "docs" / "reference" / "rules-hammer.md"
GAME = ROOT / "pbem" / "games" / "hammer"

PARAGRAPHS = re.findall(
    r"\d\.\d+",
    """
    1.0 1.1 1.2 1.3 1.4
    2.0 2.1 2.11 2.12 2.13 2.2 2.21 2.22 2.23 2.24 2.25 2.26
    3.0 3.1 3.11 3.12
    4.0 4.1 4.2 4.3 4.4 4.5 4.6 4.7
    5.0 5.1 5.2 5.3 5.31 5.32 5.33 5.4 5.41 5.5 5.6 5.7 5.8 5.9
    6.0 6.1 6.2 6.21 6.22
    7.0 7.1 7.12 7.2 7.3 7.31 7.32 7.4 7.5 7.6 7.61 7.62 7.63 7.7 7.8
    8.0 8.1 8.2 8.3
    9.0 9.1
    """,
)
EVENTS = ["Herald", "Pillage", "Sea Move", "Truce", "Victuals"]
SIDEBARS = [
    "Fog-of-War", "Border Movement Example", "Card Play", "Norse in Battle", "Attacker or Defender", "Combat Reserves",
    "Closing Borders", "Black Cross Blocks", "Defection Battles", "Coronation & English Event Card", "Raids and Truces",
    "Replacements", "Disbanding", "Noble Home Areas", "Schiltroms", "Tournament Play",
]  # fmt: skip
HEADINGS = {"5.0", "6.0", "8.0"}
"""Paragraphs that are a heading and nothing else."""


def rows() -> list[list[str]]:
    """Return the rows of all tables: paragraph, what it decides, files, tests, ruling."""
    lines = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]
    return [row for row in cells if row[1:3] != ["decides", "file"]]


def known_tests() -> set[str]:
    """Return the names of all tests of this game, those of the suite for every game included."""
    files = [*(ROOT / "tests" / "hammer").glob("test_*.py"), *(ROOT / "tests" / "conformance").glob("*.py")]
    return proofs_in(files)


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
