"""The page of the rules names every sentence that decides, files and tests that are there, and every rules test is on it."""

from __future__ import annotations

import re

import pytest

from pbem.games.swords.game import SwordsOptions
from tests.project.source import ROOT

PAGE = ROOT / "docs" / "reference" / "rules-swords.md"
GAME = ROOT / "pbem" / "games" / "swords"
TESTS = ROOT / "tests" / "swords"

SENTENCES = [
    "Set-Up 1", "Set-Up 2", "Set-Up 3", "Set-Up 4", "Set-Up 5", "Set-Up 6", "Set-Up 7", "Set-Up 8", "Set-Up 9",
    "Play 1", "Place 1", "Place 2", "Place 3", "Deploy 1", "Deploy 2", "Deploy 3", "Deploy 4", "L-shape", "S-shape 1",
    "S-shape 2", "Box-shape", "T-shape 1", "T-shape 2", "Line-shape", "Deploy 5", "Battle 1", "Battle 2", "Castles 1",
    "Castles 2", "Castles 3", "Commit 1", "Commit 2", "Winner 1", "Winner 2", "Losers 1", "Losers 2", "Losers 3",
    "Losers 4", "Ties 1", "Ties 2", "Battle 3", "Round 1", "Round 2", "Round 3", "Round 4", "End 1", "End 2", "Glory 1",
    "Glory 2", "Glory 3", "Bagpipes", "Banner 1", "Banner 2", "Cardinal 1", "Cardinal 2", "Crown", "Druid", "Drums",
    "Edinburgh", "Wall 1", "Wall 2", "Wall 3", "Sword 1", "Sword 2", "Merchant", "Tapestry 1", "Tapestry 2", "Quaich",
    "Together",
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
    files = [TESTS / f"test_{name}.py" for name in ("set_up", "placing", "deploying", "battles", "rounds", "glory")]
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
    assert rules_tests() <= set(re.findall(r"`(test_\w+)`", text())), rules_tests() - set(
        re.findall(r"`(test_\w+)`", text())
    )


def test_every_option_is_on_the_page() -> None:
    listed = text().partition("## Options")[2]
    assert set(SwordsOptions.model_fields) <= set(quoted(listed))
