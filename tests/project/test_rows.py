"""The rows of the generated tables: each test exists, each section has its place on the page, and the page has all of them."""

from __future__ import annotations

import re

import pytest

from tests.project.source import ROOT
from tests.rows import tables

LEAST = {"faults": 330, "attacks": 300, "points-of-a-turn": 45, "mail": 85}
"""So many rows each page has, or more."""


def test_each_page_has_its_rows() -> None:
    assert {page: sum(map(len, sections.values())) >= LEAST[page] for page, sections in tables().items()} == (
        dict.fromkeys(LEAST, True)
    )


@pytest.mark.parametrize("page", LEAST)
def test_each_section_has_its_place_and_each_row_names_tests_that_are_there(page: str) -> None:
    text = (ROOT / "docs" / "reference" / f"{page}.md").read_text("utf-8")
    sections = tables()[page]
    assert [head for head in re.findall(r"^##+ (.*)", text, re.MULTILINE) if head in sections] == list(sections)
    for name, rows in sections.items():
        _, _, below = text.partition(f"## {name}\n")
        _, _, made = below.partition("\n##")[0].partition(f"<!-- made by docs/make.py: {name} -->")
        for row in rows:
            assert row
            assert all(f"[{proof.in_words}](../../tests/{proof.file})" in made for proof in row), "make docs"


@pytest.mark.parametrize("page", LEAST)
def test_no_test_begins_two_rows_of_a_page(page: str) -> None:
    firsts = [row[0] for rows in tables()[page].values() for row in rows]
    assert len(firsts) == len(set(firsts))
