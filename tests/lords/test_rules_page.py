"""The page of the rules names every sentence that decides, files and tests that are there, and every rules test is on it."""

from __future__ import annotations

from pbem.games.lords.game import LordsOptions
from tests.rules_page import RulesPage

PAGE = RulesPage("lords", "turns", "powers", "rounds")

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


def test_every_sentence_has_its_row_in_the_books_order() -> None:
    assert [row[0] for row in PAGE.rows] == SENTENCES


def test_a_row_names_files_and_tests_that_are_there() -> None:
    for row in PAGE.rows:
        PAGE.check_row(row)


def test_every_test_of_the_rules_is_on_the_page() -> None:
    assert not PAGE.unnamed()


def test_every_option_is_on_the_page() -> None:
    assert set(LordsOptions.model_fields) <= PAGE.options()
