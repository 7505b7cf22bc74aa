"""The records of decisions are those that are listed, short, and every text that names one names one that exists."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.project.source import ROOT

HOME = ROOT / "docs/adr"
RECORDS = {int(path.name[:4]): path for path in sorted(HOME.glob("0*.md"))}
LISTED, _, REMOVED = (HOME / "README.md").read_text("utf-8").partition("## Decisions that no longer need a record")
PLACES = ("docs", "pbem", "tests", "bench", "templates", "examples", "shelf", "schemas", ".ci")
SUFFIXES = (".md", ".py", ".js", ".mjs", ".j2", ".toml", ".html", ".po", ".sh", "")
NAMED = re.compile(r"\bADRs?\s(?:\W\s)?\[?(\d+)|\badr/(\d{4})[\w.-]*")
"""A record by its number, also where a line breaks before it, or by its file."""


def texts() -> Iterator[tuple[str, str]]:
    """Go through every text of the project that may name a record: its path and what it says."""
    paths = [path for place in PLACES for path in sorted((ROOT / place).rglob("*"))]
    for path in [*ROOT.glob("*.md"), *ROOT.glob("*.toml"), ROOT / "Makefile", *paths]:
        if path.suffix in SUFFIXES and path.is_file() and "_data" not in path.parts and "__pycache__" not in path.parts:
            yield str(path.relative_to(ROOT)), path.read_text("utf-8", "replace")


def missing(text: str) -> list[str]:
    """Return how a text names records that do not exist."""
    return [found[0] for found in NAMED.finditer(text) if not exists(found)]


def exists(found: re.Match[str]) -> bool:
    record = RECORDS.get(int(found[1] or found[2]))
    return record is not None and (not found[2] or found[0] in (f"adr/{found[2]}", f"adr/{record.name}"))


def test_every_record_that_is_named_exists() -> None:
    assert {
        name: wrong for name, text in texts() if name != "tests/project/test_decisions.py" and (wrong := missing(text))
    } == {}


def test_a_record_that_does_not_exist_is_noticed() -> None:
    assert missing("see ADR 999; [ADR\n998](../adr/0998-gone.md); docs/adr/0042-another-name.md") == [
        "ADR 999", "ADR\n998", "adr/0998-gone.md", "adr/0042-another-name.md",
    ]  # fmt: skip
    assert missing(f"ADR 42 and [why](../adr/{RECORDS[42].name}), also docs/adr/0042") == []


def test_every_record_is_listed_by_its_title_once() -> None:
    rows = re.findall(r"^(\d+)\. \[(.+)\]\((.+)\)$", LISTED, re.MULTILINE)
    titles = {number: path.read_text("utf-8").partition("\n")[0] for number, path in RECORDS.items()}
    assert [(f"# {number}. {title}", name) for number, title, name in rows] == [
        (titles[number], path.name) for number, path in RECORDS.items()
    ]
    removed = [int(number) for number in re.findall(r"^- (\d+), ", REMOVED, re.MULTILINE)]
    assert sorted(removed) == removed
    assert not set(removed) & set(RECORDS)


def test_a_record_is_short_and_has_three_parts() -> None:
    for path in RECORDS.values():
        text = path.read_text("utf-8")
        assert len(text.split()) <= 300, path.name
        assert re.findall(r"^\*\*(\w+)\.\*\*", text, re.MULTILINE) == ["Context", "Decision", "Consequences"], path.name
