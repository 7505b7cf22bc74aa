"""The example of the format page is a log that verifies, the one that the tests' table makes."""

from __future__ import annotations

from pathlib import Path

from docs import make
from pbem.ledger import verify
from pbem.ledger.entries import MAX_SEATS
from pbem.ledger.keys import SAY
from pbem.ledger.verifier import CODES
from tests.ledger.builder import short_game

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "log-format.md").read_text()


def test_the_example_is_a_complete_game_in_order() -> None:
    example = PAGE.partition("```json\n")[2].partition("```")[0].encode()
    assert example == short_game().dump()
    assert verify(example).verdict == "clean"


def test_the_page_names_every_code_that_verify_can_find() -> None:
    of_papers, docs = {"WITNESSED", "DENIED"}, Path(__file__).parents[2] / "docs" / "reference"
    for code in CODES.keys() - {"PLAN", "RULES", *of_papers}:
        assert code in PAGE
    assert not [code for code in of_papers if code not in (docs / "in-time.md").read_text("utf-8")]
    assert SAY in PAGE


def test_the_table_of_bounds_is_as_the_program_has_it() -> None:
    assert make.format_page() == PAGE
    rows = [row for row in make.bounds() if isinstance(row[1], int)]
    assert ("seats of a game, of a question", MAX_SEATS, "FORM") in rows
