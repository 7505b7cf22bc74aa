"""Whole games by replies through Dovecot and Postfix: kept and own seats mixed, many mail programs, a take-over in mid-game."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pbem.games import find
from pbem.host.rereading import Again
from pbem.i18n import speaking
from pbem.ledger import Log
from pbem.ledger.kept import MAIL
from pbem.reports.choices import choices
from tests.ledger.verify_mjs import SCRIPT, node_is_new_enough
from tests.servers.games import NOW, a_host, begin, judged, pbem, running

from .people import Person
from .players import Player, Plays, play
from .real import Servers

pytestmark = pytest.mark.slow

PROGRAMS: Mapping[str, Sequence[str]] = {
    "english": ("Gmail", "Outlook", "iPhone", "Thunderbird", "GMX", "Yahoo", "mutt", "Outlook on a telephone"),
    "scottish": ("Outlook.com", "Gmail, HTML alone", "Apple Mail", "Samsung", "Proton", "K-9", "Notes", "Orange"),
    "French": (
        "Gmail in French", "Outlook in French", "iPhone in French", "Thunderbird in French", "Apple Mail in French", "GMX",
        "Outlook on a telephone in French", "Proton",
    ),
    "others": (
        "Thunderbird, above", "wraps what it quotes", "Outlook, HTML alone", "Gmail, text alone", "Yahoo, text alone",
        "Outlook of long ago", "Outlook, text alone", "wraps what it quotes, below",
    ),
}  # fmt: skip


class Cast(NamedTuple):
    """Who plays a game: the seats with a key of their own from the first, in which programs the others write, who writes French,
    and who takes his seat over, after how many answers; each at which mailbox.
    """

    options: Sequence[str]
    own: Sequence[str]
    programs: Mapping[str, str]
    later: Mapping[str, int]
    french: Sequence[str] = ()
    at: Mapping[str, str] = {}


CASTS = {
    "tiny": Cast(
        ("players=4", "turns=4"), ["ann"], {"bob": "english", "cat": "scottish", "dan": "others"}, {"cat": 2}
    ),
    "hammer": Cast(("years=1",), [], {"english": "english", "scottish": "scottish"}, {"scottish": 8}),
    "lords": Cast(
        ("players=3", "rounds=1"), ["angus"], {"buchan": "others", "carrick": "French"}, {"buchan": 3}, ["carrick"],
        {"angus": "ann", "buchan": "bob", "carrick": "cat"},
    ),
    "swords": Cast(
        ("players=3", "first=pink"), ["pink"], {"yellow": "english", "black": "French"}, {"yellow": 6}, ["black"],
        {"pink": "ann", "yellow": "bob", "black": "cat"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("game", CASTS)
def test_a_game_by_replies_through_real_servers(tmp_path: Path, servers: Servers, game: str) -> None:
    cast, home = CASTS[game], a_host(tmp_path, servers, "imap smtp")
    seats = [*cast.own, *cast.programs]
    options = [word for option in cast.options for word in ("--option", option)]
    options += [word for seat in cast.french for word in ("--language", f"{seat}=fr")]
    begin(home, game, {seat: cast.at.get(seat, seat) for seat in seats}, *options)
    people = [
        Person(
            tmp_path, servers, seat, game, PROGRAMS[programs], cast.later.get(seat, 0), cast.at.get(seat, ""),
            "fr" if seat in cast.french else "en",
        )
        for seat, programs in cast.programs.items()
    ]  # fmt: skip
    owners: list[Plays] = [Player(tmp_path, servers, seat, game, at=cast.at.get(seat, "")) for seat in cast.own]
    with running(home):
        play([*owners, *people], NOW)
    judged(home)
    assert len({program for person in people for program in person.sent}) >= 8
    assert {person.seat for person in people if person.later} == set(cast.later)
    log, mails = tmp_path / "game.pbem", tmp_path / "mails"
    pbem("host", "export", "1", "--out", str(log), "--dir", str(home))
    pbem("host", "mails", "1", str(mails), "--dir", str(home))
    found = _checked(log, mails)
    kept = found["kept"]
    assert (kept["seed"], kept["all"], kept["odd"]) == ("fits", not cast.own, [])
    assert {seat: bool(one["taken"]) for seat, one in kept["seats"].items()} == {
        seat: seat in cast.later for seat in cast.programs
    }
    assert all(one["chain"] == "fits" and one["orders"] == one["mailed"] > 0 for one in kept["seats"].values())
    _as_meant(log, people)


def _checked(log: Path, mails: Path) -> Any:
    """What an audit with the mails says, after all others have called the log clean."""
    assert json.loads(pbem("verify", str(log), "--json"))["verdict"] == "clean"
    without = json.loads(pbem("audit", str(log), "--json"))
    found = json.loads(pbem("audit", str(log), "--mails", str(mails), "--json"))
    assert without["verdict"] == found["verdict"] == "clean"
    assert {(one["digest"], one["read"]) for one in found["mails"]} == {("fits", "same")}
    if node_is_new_enough():
        done = subprocess.run(["node", SCRIPT, log], check=False, capture_output=True, text=True)
        said = json.loads(done.stdout)
        assert (done.returncode, said["verdict"]) == (0, "in order")
        assert said["kept"] == found["kept"]
    return found


def _as_meant(log: Path, people: Sequence[Person]) -> None:
    """Each order is the one that its writer meant; hardly anybody had to write twice."""
    whole = Log.parse(log.read_bytes())
    again = Again(whole, find)
    for person in people:
        for ask, number in person.meant.values():
            if (person.seat, ask, "order") not in again.opened:  # it was put anew, as somebody took his seat over
                continue
            view = again.view(person.seat, ask)
            with speaking(person.language):
                one = choices(again.pack, view)[number - 1]
            opened = [again.opened[person.seat, ask, name] for name in ("order", "plans")]
            assert opened == [one.order, one.plans], (person.seat, ask, number)
        orders = [entry.fields for entry in whole.entries if entry.k == "order" and entry.fields["by"] == person.seat]
        mailed = {fields["say"]["ask"] for fields in orders if MAIL in fields}
        assert mailed <= {ask for ask, _number in person.meant.values()}
    wrote = sum(len(person.meant) for person in people)
    assert sum(len(person.again) for person in people) <= 1 + wrote // 20
