"""The page of the rules names every sentence that decides, files and tests that are there, and every rules test is on it."""

from __future__ import annotations

from pbem.games.swords.game import SwordsOptions
from tests.rules_page import RulesPage

PAGE = RulesPage("swords", "set_up", "placing", "deploying", "battles", "rounds", "glory")

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


def test_every_sentence_has_its_row_in_the_books_order() -> None:
    assert [row[0] for row in PAGE.rows] == SENTENCES


def test_a_row_names_files_and_tests_that_are_there() -> None:
    for row in PAGE.rows:
        PAGE.check_row(row)


def test_every_test_of_the_rules_is_on_the_page() -> None:
    assert not PAGE.unnamed()


def test_every_option_is_on_the_page() -> None:
    assert set(SwordsOptions.model_fields) <= PAGE.options()
