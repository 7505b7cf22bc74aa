"""What the pages show is what the program does: tutorial, first screen and the move of a game are run as they stand."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from tests.host.post import a_club
from tests.project.console import Call, Session, calls
from tests.project.source import ROOT

pytestmark = pytest.mark.slow

NOT_RUN = ("make", ".", "less", "pbem play", "pbem web")
"""What stands on the README's first screen and needs a terminal, or an environment of its own."""


@pytest.fixture
def session(tmp_path: Path) -> Session:
    """A session in which `pbem` is the one under test."""
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "pbem"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -c "from pbem.cli import main; main()" "$@"\n', "utf-8")
    program.chmod(0o755)
    (tmp_path / "desk").mkdir()
    env = {"PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    return Session(tmp_path / "desk", env | {"PBEM_GAMES": str(ROOT / "examples")})


@pytest.mark.parametrize("page", sorted((ROOT / "docs" / "tutorial").glob("*.md")), ids=lambda page: page.stem)
def test_the_tutorial_is_what_happens(session: Session, page: Path) -> None:
    for call in calls(page):
        code, printed = session.run(call.command, call.typed)
        assert code == (1 if "forged" in call.command and call.command.startswith("pbem") else 0), printed
        assert call.fits(printed), f"$ {call.command}\n{printed}"


def test_a_game_is_moved_as_its_page_says(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_GAMES", str(ROOT / "examples"))
    with a_club(session.folder, turns=1) as club:
        club.begin()
    for seat in ("ann", "bob"):
        settings = session.folder / seat / "settings.json"
        settings.write_text(json.dumps({**json.loads(settings.read_text("utf-8")), "post": "club/mail/host"}), "utf-8")
    for call in calls(ROOT / "docs" / "how-to" / "move-a-game.md"):
        code, printed = session.run(call.command, call.typed)
        assert code == 0, f"$ {call.command}\n{printed}"
        assert call.fits(printed), f"$ {call.command}\n{printed}"


def test_the_first_screen_of_the_readme_works(session: Session) -> None:
    code, printed = session.run("pbem demo --out demo --seed 1")
    assert code == 0, printed[-2000:]
    for call in calls(ROOT / "README.md"):
        command = call.command.partition("#")[0].strip()
        if command.startswith(("less ", "xdg-open ")):
            assert (session.folder / command.partition(" ")[2]).is_file()
        elif not command.startswith(NOT_RUN):
            code, printed = session.run(command)
            assert code == 0, f"$ {command}\n{printed[-2000:]}"


def test_a_page_that_shows_something_else_is_noticed() -> None:
    assert Call("x", ["a …c", "…", "Is that right? [Y/n]: y", "end"]).fits("a bc\n\nmore\nIs that right? [Y/n]: end\n")
    assert not Call("x", ["a …c", "end"]).fits("a b\nend\n")
    assert not Call("x", ["end"]).fits("more\nend\n")
