"""The page of a game's rules, and what it must name: files and tests that are there."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from tests.project.source import ROOT


def quoted(cell: str) -> list[str]:
    """What stands in a cell between backticks."""
    return re.findall(r"`([^`]+)`", cell)


def proofs_in(files: Iterable[Path]) -> set[str]:
    """The names of the tests in some files."""
    return {name for file in files for name in re.findall(r"def (test_\w+)\(", file.read_text("utf-8"))}


class RulesPage:
    """The page of one game, whose rules' tests are in files of these names."""

    def __init__(self, game: str, *proofs: str) -> None:
        self.text = (ROOT / "docs" / "reference" / f"rules-{game}.md").read_text("utf-8")
        self.source = ROOT / "pbem" / "games" / game
        self.tests = proofs_in(ROOT / "tests" / game / f"test_{name}.py" for name in proofs)

    @property
    def rows(self) -> list[list[str]]:
        """The rows of the rules' tables: sentence, what it decides, files, tests, ruling."""
        lines = [line for line in self.text.splitlines() if line.startswith("| ")]
        cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]
        return [row for row in cells if len(row) == 5 and row[0] != "¶"]

    def check_row(self, row: list[str]) -> None:
        """Raise AssertionError where a row names what is not there, or nothing."""
        sentence, decides, files, proofs, _ = row
        assert decides, sentence
        assert quoted(files), sentence
        assert all((self.source / name).is_file() for name in quoted(files)), files
        assert quoted(proofs), sentence
        assert set(quoted(proofs)) <= self.tests, set(quoted(proofs)) - self.tests

    def unnamed(self) -> set[str]:
        """Return the rules' tests that are not on the page."""
        return self.tests - set(quoted(self.text))

    def options(self) -> set[str]:
        """Return the options that the page lists."""
        return set(quoted(self.text.partition("## Options")[2]))
