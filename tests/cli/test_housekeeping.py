"""Looking after a host from the shell: games, tidy, backup, restore, retry; and a player's new address."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.host.store.keeping import STAGES
from tests.host.post import Club, a_club

from .odd_uses import pbem, the_example_game_is_found
from .program import Program

__all__ = ["pbem", "the_example_game_is_found"]


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path / "club", hours=24) as club:
        yield club.begin()


@pytest.mark.slow
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
    assert {"number", "id", "game", "title", "stage", "entry", "waiting", "due", "late", "last"} == set(row)
    assert pbem("host", "games", "--stage", "won", "--dir", host)[0] == 2


@pytest.mark.slow
def test_a_store_is_saved_and_brought_back(club: Club, pbem: Program) -> None:
    host, saved = club.folder / "host", club.folder / "saved"
    assert pbem("host", "backup", saved, "--dir", host)[0] == 0
    log = club.log()
    club.turn()
    before = (host / "pbem.sqlite").read_bytes()
    code, said = pbem("host", "restore", saved, "--yes", "--replace", "--dir", host)
    assert code == 2
    assert "A host is at work in" in said
    assert (host / "pbem.sqlite").read_bytes() == before
    club.office.close()
    code, said = pbem("host", "restore", saved, "--yes", "--dir", host)
    assert code == 2
    assert "--replace" in said
    code, said = pbem("host", "restore", saved, "--yes", "--replace", "--dir", host)
    assert code == 0
    assert f"A test: entry {log.head[0]}, head {log.head[1][:4]} " in said
    assert "The games are paused" in said
    pbem("host", "export", 1, "--out", club.folder / "log", "--dir", host)
    assert (club.folder / "log").read_bytes() == log.dump()
    code, said = pbem("host", "status", "--dir", host)
    assert "brought back from a backup" in said
    copies = [path for seat in club.desks for path in (club.folder / seat).rglob("*.pbem")]
    code, said = pbem("host", "catch-up", *copies, "--dir", host)
    assert code == 0
    assert "Game 1, A test: entry" in said
    code, said = pbem("host", "go-on", 1, "--yes", "--dir", host)
    assert code == 2
    assert "would make a second history" in said
    assert pbem("host", "restore", saved, "--yes", "--replace", "--dir", host)[0] == 0
    assert pbem("host", "go-on", 1, "--yes", "--dir", host) == (0, "Game 1 continues.\n")
    code, said = pbem("host", "go-on", 1, "--yes", "--dir", host)
    assert code == 2
    assert "is not paused" in said
    code, said = pbem("copy", "--since", 3, "--home", club.folder / "ann")
    assert code == 0
    assert "Your copy of Tiny goes to the host." in said


@pytest.mark.slow
def test_what_was_tidied_is_counted(club: Club, pbem: Program) -> None:
    host = club.folder / "host"
    club.play()
    code, said = pbem("host", "tidy", "--days", 0, "--dir", host)
    assert code == 0
    assert said.startswith("0 mails (0 bytes)"), "the game ended in 2030"
    code, said = pbem("host", "tidy", "--json", "--dir", host)
    assert json.loads(said)["letters"] == 0


@pytest.mark.slow
def test_status_and_retry(club: Club, pbem: Program) -> None:
    host = club.folder / "host"
    code, said = pbem("host", "status", "--dir", host)
    assert code == 0
    assert "addresses marked" in said
    assert pbem("host", "retry", "--dir", host) == (0, "0 letters were tried again.\n")


@pytest.mark.slow
def test_games_of_every_stage_are_counted(club: Club, pbem: Program) -> None:
    for stage in STAGES:
        club.robot.house.store.change("games", 1, stage=stage)
        code, said = pbem("host", "status", "--dir", club.folder / "host")
        assert code == 0, stage
        assert re.search(r"^games .* 1$", said, re.MULTILINE), (stage, said)


def test_an_address_is_changed_by_a_letter_to_each_host(club: Club, pbem: Program) -> None:
    home = club.folder / "ann"
    code, said = pbem("address", "ann@example.net", "--home", home)
    assert code == 0
    assert "your letters shall go to ann@example.net (change 1)" in said
    (letter,) = club.letters(club.desks["ann"])
    assert club.take(letter) == "address: ann, to be confirmed"
    assert pbem("address", "nowhere", "--home", home)[0] == 2


def test_a_player_says_when_time_counts_for_him(club: Club, pbem: Program) -> None:
    home = club.folder / "ann"
    code, said = pbem("time", "--zone", "Europe/Paris", "--quiet", "22-8", "--weekends", "off", "--home", home)
    assert code == 0
    assert "your clock is now Europe/Paris, quiet 22:00-08:00, without sat,sun (number 1)" in said
    (letter,) = club.letters(club.desks["ann"])
    assert club.take(letter) == "time: ann"
    code, said = pbem("time", "--zone", "Paris", "--home", home)
    assert code == 2
    assert "one looks like Europe/Paris" in said


def test_more_time_is_given_from_the_shell(club: Club, pbem: Program) -> None:
    host = club.folder / "host"
    code, said = pbem("host", "extend", 1, 48, "--yes", "--why", "a holiday", "--dir", host)
    assert code == 0
    assert "answers are taken until 2030-01-04T" in said
    last = club.log().entries[-1]
    assert (last.k, last.fields["why"]) == ("extend", "a holiday")


def test_press_is_written_and_somebody_looks_on(club: Club, pbem: Program) -> None:
    home, host = club.folder / "ann", club.folder / "host"
    assert pbem("press", "A truce?", "--to", "bob", "--home", home)[0] == 0
    (letter,) = club.letters(club.desks["ann"])
    assert club.take(letter) == "press: ann to bob"
    assert pbem("press", "--home", home)[0] == 2, "nothing to say"
    assert pbem("host", "observe", 1, "eve@elsewhere.org", "--dir", host) == (
        0,
        "eve@elsewhere.org looks on at game 1.\n",
    )
    assert pbem("host", "observe", 1, "eve@elsewhere.org", "--dir", host)[0] == 2
    assert pbem("host", "observe", 1, "eve@elsewhere.org", "--remove", "--dir", host)[0] == 0
    assert pbem("host", "observe", 1, "ann@example.org", "--dir", host)[0] == 2


@pytest.mark.slow
def test_a_game_is_opened_with_the_time_that_its_players_have(club: Club, pbem: Program) -> None:
    seats = ["--seat", "ann=a@example.org", "--seat", "bob=b@example.org", "--game", "tiny", "--option", "players=2"]
    host = ["--dir", club.folder / "host"]
    given = ["--hours", 48, "--grace", 6, "--zone", "Asia/Kolkata", "--quiet", "22-08", "--weekends", "off"]
    assert pbem("host", "new", *seats, *given, *host)[0] == 0
    (letter,) = club.box("a")
    words = " ".join(letter.decode().split())
    assert "Time: 48 hours for an answer, and 6 hours of grace" in words
    assert "counted by this clock: Asia/Kolkata, quiet 22:00-08:00, without sat,sun" in words
    assert pbem("host", "new", *seats, "--grace", 6, *host)[0] == 2, "grace for what has no limit"
    code, said = pbem("host", "new", *seats, "--hours", 48, "--quiet", "0-24", *host)
    assert code == 2
    assert "“0-24” are a whole day" in said
    assert pbem("host", "new", *seats, "--hours", 5, "--zone", "Mars", *host)[0] == 2


@pytest.mark.slow
def test_a_seat_whose_address_nobody_may_read_is_told(club: Club, pbem: Program) -> None:
    """The seat has the host's own address or a no-reply address. The program warns the person who opens the game."""
    seats = [
        "--seat",
        "ann=Host+ann@example.org",
        "--seat",
        "bob=no-reply@example.org",
        "--game",
        "tiny",
        "--option",
        "players=2",
    ]
    code, said = pbem("host", "new", *seats, "--dir", club.folder / "host")
    assert code == 0
    assert "Warning: Host+ann@example.org is the host's own address." in said
    assert "Warning: no-reply@example.org looks like an address that nobody reads" in said
    code, said = pbem("host", "invite", 2, "bob", "noreply@example.org", "--yes", "--dir", club.folder / "host")
    assert "Warning: noreply@example.org looks like" in said
    code, said = pbem("host", "invite", 2, "bob", "bob@example.org", "--yes", "--dir", club.folder / "host")
    assert (code, "Warning" in said) == (0, False)
