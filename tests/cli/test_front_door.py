"""What a stranger meets first: “pbem” alone, its help, the end of the demonstration, a position, an entry."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.cli.commands import FIRST, OTHERS, AllCommands

LOGS = Path("tests/golden/logs")


def said(*words: str, language: str = "en") -> str:
    """What the command prints for a terminal of 80 columns."""
    done = CliRunner(env={"COLUMNS": "80", "PBEM_LANGUAGE": language}).invoke(app, words)
    assert done.exit_code == 0, done.output
    return done.output


def test_pbem_alone_offers_what_people_want() -> None:
    """Play now, join or host a game, check a file: each with a command that there is."""
    offered = said()
    assert [line for line in offered.splitlines() if line and not line.startswith(" ")][:3] == [
        "Play now",
        "Join or host a game",
        "Check a file",
    ]
    typed = re.findall(r"^  pbem (\S+)", offered, re.MULTILINE)
    assert len(typed) == 8
    assert set(typed) <= set(AllCommands.table) | set(AllCommands.groups)


def test_twelve_commands_come_first_and_no_other_is_left_out() -> None:
    others = [name for names in OTHERS.values() for name in names.split()]
    listed = {*AllCommands.table, *AllCommands.groups} - {"help"}
    assert len(FIRST) == 12
    assert sorted([*FIRST, *others]) == sorted(listed)


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("group", [(), ("host",), ("page",)], ids=lambda group: " ".join(group) or "pbem")
def test_no_summary_is_cut_off(group: tuple[str, ...], language: str) -> None:
    shown = said(*group, "--help", language=language)
    assert "..." not in shown.replace("[ARGS]...", "")
    assert max(map(len, shown.splitlines())) <= 80
    if not group:
        for name in FIRST:
            (line,) = [line for line in shown.splitlines() if line.startswith(f"  {name} ")]
            assert line.rstrip().endswith(".") or language == "fr", line


def test_a_position_comes_without_the_story_before_it() -> None:
    """What led to it is told; the beginning of the game is not."""
    log = str(LOGS / "lords-2.pbem")
    whole, at = said("replay", log), said("replay", log, "--at", "30")
    first = next(line for line in whole.splitlines() if line.startswith("- "))
    assert first in whole
    assert first not in at
    assert "After entry 30" in at


def test_an_entry_is_told_in_sentences() -> None:
    """Its fields are for programs, which ask for JSON."""
    log = str(LOGS / "lords-2.pbem")
    told = said("show", log, "3")
    assert "{" not in told
    assert '"k"' in said("show", log, "3", "--json")


@pytest.mark.slow
def test_the_demonstration_ends_with_what_to_do_next(tmp_path: Path) -> None:
    """Each line is a command that there is, and each file is where it says."""
    told = said("demo", "--game", "lords", "--out", str(tmp_path / "demo"))
    _before, _head, after = told.partition("What to do next\n")
    typed = re.findall(r"pbem (\S+)", after)
    assert typed[0] == "web"
    assert set(typed) <= set(AllCommands.table)
    for path in re.findall(rf"{re.escape(str(tmp_path))}[^\s*]*", after):
        assert Path(path).exists(), path
    assert "mails to" not in told
