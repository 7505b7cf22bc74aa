"""Looking after a host from the shell: games, tidy, backup, restore, retry; and a player's new address."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.host.post import Club, a_club

from .test_odd_uses import Program, pbem, the_example_game_is_found

__all__ = ["pbem", "the_example_game_is_found"]


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path / "club", hours=24) as club:
        yield club.begin()


def test_games_are_listed_all_or_some(club: Club, pbem: Program) -> None:
    host = club.folder / "host"
    code, said = pbem("host", "games", "--dir", host)
    assert code == 0
    assert said.startswith("   1  ")
    assert "playing    A test: entry" in said
    assert "waiting for ann, bob until 2030-01-02T" in said
    assert pbem("host", "games", "--stage", "ended", "--dir", host) == (0, "")
    assert pbem("host", "games", "--idle", 10_000, "--dir", host) == (0, "")
    code, said = pbem("host", "games", "--waiting", "ann@example.org", "--json", "--dir", host)
    (row,) = json.loads(said)
    assert {"number", "id", "game", "title", "stage", "entry", "waiting", "due", "last"} == set(row)
    assert pbem("host", "games", "--stage", "won", "--dir", host)[0] == 2


def test_a_store_is_saved_and_brought_back(club: Club, pbem: Program) -> None:
    host, saved = club.folder / "host", club.folder / "saved"
    assert pbem("host", "backup", saved, "--dir", host)[0] == 0
    log = club.log()
    club.turn()
    club.office.close()
    code, said = pbem("host", "restore", saved, "--dir", host)
    assert code == 2
    assert "--replace" in said
    code, said = pbem("host", "restore", saved, "--replace", "--dir", host)
    assert code == 0
    assert f"A test: entry {log.head[0]}, head {log.head[1][:4]} " in said
    pbem("host", "export", 1, "--out", club.folder / "log", "--dir", host)
    assert (club.folder / "log").read_bytes() == log.dump()


def test_what_was_tidied_is_counted(club: Club, pbem: Program) -> None:
    host = club.folder / "host"
    club.play()
    code, said = pbem("host", "tidy", "--days", 0, "--dir", host)
    assert code == 0
    assert said.startswith("0 mails (0 bytes)"), "the game ended in 2030"
    code, said = pbem("host", "tidy", "--json", "--dir", host)
    assert json.loads(said)["letters"] == 0


def test_status_and_retry(club: Club, pbem: Program) -> None:
    host = club.folder / "host"
    code, said = pbem("host", "status", "--dir", host)
    assert code == 0
    assert "addresses marked" in said
    assert pbem("host", "retry", "--dir", host) == (0, "0 letters were tried again.\n")


def test_an_address_is_changed_by_a_letter_to_each_host(club: Club, pbem: Program) -> None:
    home = club.folder / "ann"
    code, said = pbem("address", "ann@example.net", "--home", home)
    assert code == 0
    assert "your letters shall go to ann@example.net (change 1)" in said
    (letter,) = club.letters(club.desks["ann"])
    assert club.take(letter) == "address: ann"
    assert pbem("address", "nowhere", "--home", home)[0] == 2
