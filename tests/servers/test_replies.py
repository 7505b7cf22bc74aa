"""A whole game by replies through Dovecot and Postfix: kept and own seats mixed, many mail programs, a take-over in mid-game."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.servers.games import NOW, a_host, begin, judged, pbem, running

from .people import Person
from .players import Player, play
from .real import Servers

pytestmark = pytest.mark.slow

PROGRAMS = {
    "bob": ("Gmail", "Outlook", "iPhone", "Thunderbird", "GMX", "Yahoo", "mutt", "Outlook on a telephone"),
    "cat": ("Outlook.com", "Gmail, HTML alone", "Apple Mail"),
    "dan": (
        "Proton",
        "Samsung",
        "Orange",
        "Notes",
        "K-9",
        "Gmail in French",
        "Thunderbird, above",
        "wraps what it quotes",
    ),
}


def test_a_game_by_replies_through_real_servers(tmp_path: Path, servers: Servers) -> None:
    """Ann has a key of her own, Bob and Dan reply to the end, Cat takes her seat over after two answers."""
    home = a_host(tmp_path, servers, "imap smtp")
    begin(
        home,
        "tiny",
        {seat: seat for seat in ("ann", "bob", "cat", "dan")},
        "--option",
        "players=4",
        "--option",
        "turns=4",
    )
    people = [
        Person(tmp_path, servers, seat, "tiny", programs, own_after=2 if seat == "cat" else 0)
        for seat, programs in PROGRAMS.items()
    ]
    with running(home):
        play([Player(tmp_path, servers, "ann", "tiny"), *people], NOW)
    judged(home)
    assert len({program for person in people for program in person.sent}) >= 12
    assert [person.seat for person in people if person.later] == ["cat"]
    log, mails = tmp_path / "game.pbem", tmp_path / "mails"
    pbem("host", "export", "1", "--out", str(log), "--dir", str(home))
    pbem("host", "mails", "1", str(mails), "--dir", str(home))
    without = json.loads(pbem("audit", str(log), "--json"))
    found = json.loads(pbem("audit", str(log), "--mails", str(mails), "--json"))
    assert without["verdict"] == found["verdict"] == "clean"
    assert {(one["digest"], one["read"]) for one in found["mails"]} == {("fits", "same")}
    kept = found["kept"]
    assert (kept["seed"], kept["all"], kept["odd"], sorted(kept["seats"])) == ("fits", False, [], ["bob", "cat", "dan"])
    assert {seat: bool(one["taken"]) for seat, one in kept["seats"].items()} == {
        "bob": False,
        "cat": True,
        "dan": False,
    }
    assert all(one["chain"] == "fits" and one["orders"] == one["mailed"] > 0 for one in kept["seats"].values())
