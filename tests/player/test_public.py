"""A host that tells one seat what all can see to be false is found out when the mail is read, and nothing is signed over it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.errors import RecordError
from pbem.games import find, shipped
from pbem.kernel import Json
from pbem.ledger import Log, cj, sha256_hex
from pbem.mail import read_message
from pbem.player import Desk
from pbem.player.public import same_board, unheard
from pbem.reports.told import Told
from tests.conformance.playing import play
from tests.host.post import Club, a_club

from .desk import copy_of, next_report, retold

Report = dict[str, Any]


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path, turns=3) as club:
        yield club.begin()


def told_falsely(club: Club, honest: bytes, change: Callable[[Report], None]) -> bytes:
    """A report to ann with which all lines agree: another one is sealed for her alone, and the host has signed that."""
    whole = Log.parse(copy_of(club, "ann") + read_message(honest).log)
    last = [entry for entry in whole.entries if entry.k == "tell"][-1].fields["seals"]["ann"]
    own = next(line for line in whole.attachments if line.digest == last).fields
    report: Report = json.loads(json.dumps(own[6]))
    change(report)
    assert report != own[6]
    lie = [*own[:6], report]

    def tell(fields: dict[str, Any]) -> None:
        if fields["k"] == "tell" and fields["seals"]["ann"] == last:
            fields["seals"]["ann"] = sha256_hex(cj(lie))

    return retold(club, honest, tell, lambda fields: lie if fields == own else fields)


def keep_back(report: Report) -> None:
    report["facts"].remove(next(fact for fact in report["facts"] if type(fact) is int))


def tell_otherwise(report: Report) -> None:
    report["facts"] = [{"f": "turn", "turn": 77} if type(fact) is int else fact for fact in report["facts"]]


def show_otherwise(report: Report) -> None:
    report["view"] = {**(report["view"] or {}), "turn": 77}


@pytest.mark.slow
@pytest.mark.parametrize("lie", [keep_back, tell_otherwise, show_otherwise], ids=lambda lie: lie.__name__)
def test_a_lie_to_one_seat_about_what_all_see_is_found_at_once(club: Club, lie: Callable[[Report], None]) -> None:
    """The player's program finds the lie when it reads the mail, and signs nothing more."""
    honest = next_report(club)
    with pytest.raises(RecordError, match="DO NOT GO ON: the host's report to you differs") as found:
        club.desks["ann"].read(told_falsely(club, honest, lie))
    assert copy_of(club, "ann"), "the evidence is kept"
    assert ".pbem" in str(found.value)
    desk = Desk(club.folder / "ann")
    _, view, pack = desk.question(desk.notes())
    with pytest.raises(RecordError, match="differs from its report to everybody"):
        desk.order(desk.notes(), str(next(iter(pack.rules.options(view)))), "", club.now())
    assert desk.tray.unsent() == []


@pytest.mark.slow
def test_the_honest_report_of_the_same_moment_is_read_and_answered(club: Club) -> None:
    honest = next_report(club)
    again = retold(club, honest)
    assert read_message(again).log == read_message(honest).log
    assert club.desks["ann"].read(again).since is not None
    if "ann" in club.asked():
        assert club.take(club.order("ann")).startswith("order")


def told(*facts: Json) -> list[Told]:
    return [Told(7, facts, {})]


HAND = {
    "f": "retreat",
    "side": "english",
    "to": {"fife": 2},
    "areas": [{"area": "Fife", "steps": 1}],
    "n": 5,
    "hits": [1, 6],
}


@pytest.mark.parametrize(
    ("own", "well"),
    [
        (HAND, True),
        (HAND | {"blocks": ["Wallace"]}, True),
        (HAND | {"to": {"fife": ["Wallace", "Fraser"]}}, True),
        (HAND | {"areas": [{"area": "Fife", "steps": 1, "gains": ["Wallace"]}]}, True),
        ({name: value for name, value in HAND.items() if name != "n"}, True),
        (HAND | {"to": {"fife": ["Wallace"]}}, False),
        (HAND | {"to": {}}, False),
        (HAND | {"hits": [1, 5]}, False),
        (HAND | {"hits": [1, 6, 6]}, False),
        (HAND | {"areas": [{"area": "Moray", "steps": 1}]}, False),
        (HAND | {"areas": []}, False),
        (HAND | {"side": "scottish"}, False),
        (HAND | {"n": True}, False),
        ({name: value for name, value in HAND.items() if name != "side"}, False),
        ({name: value for name, value in HAND.items() if name != "hits"}, False),
        (HAND | {"f": "regroup"}, False),
        ("retreat", False),
    ],
)
def test_a_fact_of_a_seat_says_what_all_hear_or_more(own: Json, well: bool) -> None:
    public = told({"f": "year"}, HAND, {"f": "end"})
    found = unheard(told({"f": "year"}, own, {"f": "mine"}, {"f": "end"}), public)
    assert found == (None if well else (7, HAND))
    assert unheard(told({"f": "end"}, own, {"f": "year"}), public) is not None, "in the order in which it happened"


@pytest.mark.variants
@pytest.mark.parametrize("game", [*shipped(), "tiny"])
def test_every_view_of_an_honest_game_shows_what_all_see(game: str) -> None:
    rules, record = find(game).rules, play(find(game).rules, {}, 3, 900)
    for stop in record.stops[::17]:
        for seat in record.seats:
            assert same_board(rules, rules.view(stop.state, seat), rules.view(stop.state, None))
