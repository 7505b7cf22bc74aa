"""The page of the rules names every sentence that decides, files and tests that are there, and every rules test is on it."""

from __future__ import annotations

import re

import pytest

from pbem.games.lords.game import LordsOptions
from tests.project.source import ROOT

PAGE = ROOT / "docs" / "reference" / "rules-lords.md"
GAME = ROOT / "pbem" / "games" / "lords"
TESTS = ROOT / "tests" / "lords"

SENTENCES = [
    *(f"Cards {n}" for n in range(1, 4)),
    *(f"Setup {n}" for n in range(1, 7)),
    "Play 1", "Play 2", "Turn 1", "Recruit 1", "Recruit 2", "Recruit 3", "Muster 1", "Muster 2",
    *(f"Round {n}" for n in range(1, 8)),
    *(f"End {n}" for n in range(1, 4)),
    *(f"Powers {n}" for n in range(1, 7)),
    "Cockburn", "Ferguson", "Forsyth", "Makgill", "Scott", "Wemyss", "Bruce", "Cochrane", "MacDonnell",
    *(f"Clarification {n}" for n in range(1, 9)),
    "Four or five",
]  # fmt: skip


def text() -> str:
    return PAGE.read_text("utf-8")


def rows() -> list[list[str]]:
    """The rows of the rules' tables: sentence, what it decides, files, tests, ruling."""
    lines = [line for line in text().splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]
    return [row for row in cells if len(row) == 5 and row[0] != "¶"]


def quoted(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def rules_tests() -> set[str]:
    files = [TESTS / f"test_{name}.py" for name in ("turns", "powers", "rounds")]
    return {name for file in files for name in re.findall(r"def (test_\w+)\(", file.read_text("utf-8"))}


def test_every_sentence_has_its_row_in_the_books_order() -> None:
    assert [row[0] for row in rows()] == SENTENCES


@pytest.mark.parametrize("row", rows(), ids=lambda row: row[0])
def test_a_row_names_files_and_tests_that_are_there(row: list[str]) -> None:
    _, decides, files, proofs, _ = row
    assert decides
    assert quoted(files)
    assert all((GAME / name).is_file() for name in quoted(files)), files
    assert quoted(proofs)
    assert set(quoted(proofs)) <= rules_tests(), set(quoted(proofs)) - rules_tests()


def test_every_test_of_the_rules_is_on_the_page() -> None:
    assert rules_tests() <= set(re.findall(r"`(test_\w+)`", text()))


def test_every_option_is_on_the_page() -> None:
    listed = text().partition("## Options")[2]
    assert set(LordsOptions.model_fields) <= set(quoted(listed))
