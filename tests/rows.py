"""The rows of the pages that list what the tests prove: `tests/rows.toml` names the tests, and their docstrings are the text."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

TESTS = Path(__file__).parent
_POSSESSIVE = re.compile(r"\b(\w+(?= s\b)|another(?=s\b)|nobody(?=s\b)|(?:one|host|friend)(?=s own\b)) ?s\b")
"""What a name of a test has without an apostrophe."""
_TEST = re.compile(r'^(?: {4})?def (test_\w+)\(.*?\) -> None:[^\n]*\n(?: +"""(.*?)""")?', re.MULTILINE | re.DOTALL)
"""A test, in a module or a class, with its docstring."""


@dataclass(frozen=True)
class Proof:
    """A test that a row names: its file below `tests`, its name, and the first paragraph of its docstring, or ""."""

    file: str
    name: str
    text: str

    @property
    def in_words(self) -> str:
        """The test's name as a sentence. A rule's number before it keeps its point."""
        words = _POSSESSIVE.sub(r"\1's", self.name.removeprefix("test_").replace("_", " "))
        words = re.sub(r"^(\d+) (\d+) (\w)", lambda rule: f"{rule[1]}.{rule[2]}: {rule[3].upper()}", words)
        return words[0].upper() + words[1:]


Row = tuple[Proof, ...]
"""The tests that prove a row. The first one gives its text."""


@cache
def tables() -> dict[str, dict[str, list[Row]]]:
    """Return the rows of each page, by section. Raises ValueError for a test that is missing, or exists twice."""
    listed = tomllib.loads((TESTS / "rows.toml").read_text("utf-8"))
    return {
        page: {name: [tuple(map(_proof, row.split())) for row in rows] for name, rows in sections.items()}
        for page, sections in listed.items()
    }


def _proof(said: str) -> Proof:
    file, _, name = said.rpartition("::")
    found = [proof for proof in _proofs().get(name, ()) if file in ("", proof.file)]
    if len(found) != 1:
        raise ValueError(f"tests/rows.toml: {said}: {len(found)} tests have this name")
    return found[0]


@cache
def _proofs() -> dict[str, list[Proof]]:
    """Return all tests by name. Reads the text alone: to parse every file takes seconds."""
    found: dict[str, list[Proof]] = {}
    for path in sorted(TESTS.rglob("*.py")):
        file = path.relative_to(TESTS).as_posix()
        for name, said in _TEST.findall(path.read_text("utf-8")):
            text = " ".join(said.partition("\n\n")[0].split())
            found.setdefault(name, []).append(Proof(file, name, text))
    return found
