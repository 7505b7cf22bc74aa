"""The page of the options: each of them, in their order, with its source, our reading, files and tests that are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.games.hammer.rules.variants import EDITIONS, OPTIONS
from tests.hammer.rules_page import GAME, known_tests

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "variants-hammer.md"
TEXT = PAGE.read_text("utf-8")
SECTIONS = dict(re.findall(r"^## `(\w+)`\n(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL))


def test_every_option_has_its_section_in_their_order() -> None:
    assert list(SECTIONS) == list(OPTIONS)


@pytest.mark.parametrize("option", OPTIONS)
def test_a_section_names_source_reading_files_and_tests(option: str) -> None:
    parts = dict(re.findall(r"^- \*\*([\w ]+):\*\*(.*?)(?=^- \*\*|\Z)", SECTIONS[option], re.MULTILINE | re.DOTALL))
    assert list(parts) == ["Says", "Source", "We read", "Where", "Tests"]
    files = re.findall(r"`(\w+\.py)`", parts["Where"])
    assert files
    assert all((GAME / "rules" / name).is_file() for name in files), files
    tests = set(re.findall(r"`(test_\w+)`", parts["Tests"]))
    assert tests
    assert tests <= known_tests(), tests - known_tests()
    assert (option in EDITIONS["2.3"]) == ("A rule of edition 2.3." in parts["Source"])


def test_every_test_of_an_option_stands_on_the_page() -> None:
    files = sorted((Path(__file__).parent).glob("test_options_*.py"))
    written = {name for file in files for name in re.findall(r"def (test_\w+)\(", file.read_text("utf-8"))}
    assert written <= set(re.findall(r"`(test_\w+)`", TEXT)), written - set(re.findall(r"`(test_\w+)`", TEXT))
