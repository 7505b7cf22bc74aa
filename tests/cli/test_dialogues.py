"""First games at a terminal, told as dialogues: each file is played by what is typed in it, and comes out as it stands."""

from __future__ import annotations

import itertools
import os
from pathlib import Path

import pytest

from tests.project.source import ROOT

from .terminal import AtTerminal, replay

DIALOGUES = ROOT / "tests" / "golden" / "dialogues"
PLAYED = 1893456000
"""When every game was played last: 1 January 2030."""


@pytest.fixture
def person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AtTerminal:
    """Somebody who has never played, in a folder of his own; the seeds of games are counted."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PBEM_HOME", "desk")
    monkeypatch.setenv("PBEM_GAMES", str(ROOT / "examples"))
    seeds = itertools.count(4)
    monkeypatch.setattr("pbem.page.alone.secrets.token_hex", lambda _size: f"{next(seeds):08x}")
    return AtTerminal(monkeypatch)


def _days_pass(_note: str) -> None:
    for path in Path("desk/alone").iterdir():
        os.utime(path, (PLAYED, PLAYED))


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_first_game_alone(person: AtTerminal, monkeypatch: pytest.MonkeyPatch, language: str) -> None:
    monkeypatch.setenv("PBEM_LANGUAGE", language)
    replay(DIALOGUES / f"alone-{language}.txt", person, _days_pass)
