"""First games at a terminal, told as dialogues: each file is played by what is typed in it, and comes out as it stands."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.host.outbox import WAITS_FOR
from tests.host.post import Club, key_of
from tests.project.source import ROOT

from .terminal import AtTerminal, replay

OTHER = "scottish"
DIALOGUES = ROOT / "tests" / "golden" / "dialogues"
PLAYED = 1893456000
"""When every game was played last: 1 January 2030."""


@pytest.fixture
def person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AtTerminal:
    """Somebody who has never played, in a folder of his own; the seeds of games are counted."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PBEM_HOME", "desk")
    monkeypatch.delenv("PBEM_PASSPHRASE", raising=False)
    monkeypatch.setenv("PBEM_GAMES", str(ROOT / "examples"))
    seeds = itertools.count(4)
    monkeypatch.setattr("pbem.page.alone.secrets.token_hex", lambda _size: f"{next(seeds):08x}")
    return AtTerminal(monkeypatch)


def _days_pass(_note: str) -> None:
    for path in Path("desk/alone").iterdir():
        os.utime(path, (PLAYED, PLAYED))


@pytest.mark.parametrize("language", ["en", pytest.param("fr", marks=pytest.mark.slow)])
def test_a_first_game_alone(person: AtTerminal, monkeypatch: pytest.MonkeyPatch, language: str) -> None:
    """A prompt fits on 24 lines where possible; `help` shows the rest and the cards."""
    monkeypatch.setenv("PBEM_LANGUAGE", language)
    replay(DIALOGUES / f"alone-{language}.txt", person, _days_pass)


class Host:
    """The host of a game between people, who answers every letter of the person at once, and whose letters become files."""

    def __init__(self, club: Club) -> None:
        self.club = club

    def writes(self, note: str) -> None:
        """Take the letters that are named before a semicolon; let the other player answer; write what comes to a named file."""
        took, _, wrote = note.rpartition("; ")
        for name in took.split():
            if name.endswith(".eml"):
                self.club.take(Path(name).read_bytes())
        self.club.minute += WAITS_FOR
        letters = self.club.deliver()
        if wrote.split()[-1].endswith(".eml"):
            Path(wrote.split()[-1]).write_bytes(letters["english"][-1])
        for raw in letters[OTHER]:
            self._other(raw)

    def _other(self, raw: bytes) -> None:
        """The other one joins, is ready, and does nothing else."""
        desk = self.club.desks[OTHER]
        if self.club.log().entries[-1].k in ("game", "join"):
            desk.join(raw, self.club.now())
            for letter in self.club.letters(desk):
                self.club.take(letter)


@pytest.fixture
def host(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Host]:
    language = request.node.callspec.params["language"]
    with Club(tmp_path / "club", game="hammer", hours=72, languages={"english": language}) as club:
        yield Host(club)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_first_turn_by_mail(person: AtTerminal, host: Host, monkeypatch: pytest.MonkeyPatch, language: str) -> None:
    monkeypatch.setenv("PBEM_LANGUAGE", language)
    monkeypatch.setattr("pbem.cli.keys.fresh_key", lambda: key_of("english"))
    for module in ("letters", "orders", "common"):
        monkeypatch.setattr(f"pbem.cli.{module}.now", host.club.now)
    replay(DIALOGUES / f"mail-{language}.txt", person, host.writes)
