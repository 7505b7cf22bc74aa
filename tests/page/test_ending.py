"""The end of a game: who won by how much, nothing hidden any more, and what can be played next."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any, cast

import pytest

from pbem.games import find
from pbem.ledger import Log
from pbem.page.ending import outcome
from pbem.page.service import Service
from tests.page.alone import begun
from tests.page.calling import ok


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return Service(tmp_path)


def over(service: Service, game: str) -> None:
    """Let the built-in player's suggestions be played until the game is over."""
    solo = service.alone.get(game)
    while solo.result is None:
        if solo.seat in solo.asked:
            order = solo.pack.rules.default(solo.view)
            solo.answer(str(order))
        solo.go_on()


def said(game: str, seat: str, result: dict[str, Any]) -> str:
    """Return how an end is told to a seat."""
    return outcome(find(game), seat, result, [cast("Any", None)])


THRONE = {"why": "throne", "winner": "angus", "points": {"angus": 41, "buchan": 30, "carrick": 12}}
SHARED = {"why": "points", "winner": "", "shared": ["pink", "black"], "points": {"pink": 9, "black": 9, "white": 4}}


@pytest.mark.parametrize(
    ("game", "seat", "result", "expected"),
    [
        ("lords", "angus", THRONE, "You won, 41 to 30"),
        ("lords", "carrick", THRONE, "You lost, 41 to 12"),
        ("lords", "angus", {"why": "throne", "winner": "", "points": {"angus": 41, "buchan": 41}}, "Nobody won, 41 to 41"),
        ("swords", "pink", SHARED, "You share the victory, 9 to 4"),
        ("swords", "white", SHARED, "You lost, 9 to 4"),
        ("hammer", "english", {"why": "king killed", "winner": "english"}, "You won"),
        ("hammer", "scottish", {"why": "king killed", "winner": "english"}, "You lost"),
        ("hammer", "scottish", {"why": "resigned", "winner": "english", "seats": ["scottish"]}, "You lost"),
        ("hammer", "scottish", {"why": "draw", "winner": "", "seats": []}, "Nobody won"),
    ],
)  # fmt: skip
def test_an_end_is_told_with_the_game_s_own_score(game: str, seat: str, result: dict[str, Any], expected: str) -> None:
    assert said(game, seat, result) == expected


def test_a_war_ends_with_all_blocks_turned_over_and_its_nobles_counted(service: Service) -> None:
    game = begun(service, "hammer", options={"years": 1}, seat="scottish", against="random")
    over(service, game)
    position, end = (ok(service, call, game=game) for call in ("position", "closing"))
    hidden, shown = (one["svg"].count('class="face') for one in (position["drawing"], end["laid_open"]))
    assert shown > hidden
    won, lost = ("English", "Scots") if position["over"].startswith("The English") else ("Scots", "English")
    nobles = next(
        table for table in end["tables"] if table["heads"][1:] == ["English", "Scots"] and "Nobles" in table["title"]
    )
    last = dict(zip(nobles["heads"], nobles["rows"][-1], strict=True))
    verb = "won" if won == "Scots" else "lost"
    counted = f"You {verb}, {last[won]} to {last[lost]}"
    assert end["outcome"] == counted
    assert [table["title"] for table in end["tables"]][-1].startswith("The dice")  # luck


def test_after_a_game_alone_it_is_played_again_from_the_other_side_or_against_a_stronger_player(
    service: Service,
) -> None:
    game = begun(service, "lords", options={"players": 2, "rounds": 1}, seat="buchan", against="sensible")
    over(service, game)
    again, side, stronger = ok(service, "closing", game=game)["rematches"]
    assert (again["what"], again["seat"], again["against"]) == ("again", "buchan", "sensible")
    assert (side["what"], side["seat"], side["name"]) == ("side", "angus", "Angus")
    assert (stronger["what"], stronger["against"]) == ("stronger", "normal")
    for one in (again, side, stronger):
        given = {name: one[name] for name in ("game", "options", "seat", "against")}
        position = ok(service, "position", game=ok(service, "begin", **given)["game"])
        assert (position["seat"], position["over"]) == (one["seat"], "")


def test_against_the_strongest_there_is_no_stronger_one(service: Service) -> None:
    game = begun(service, "tiny", options={"players": 2, "turns": 1})
    over(service, game)
    assert [one["what"] for one in ok(service, "closing", game=game)["rematches"]] == ["again", "side"]


def test_a_log_that_is_looked_at_is_laid_open_and_nobody_is_told_that_he_won(service: Service) -> None:
    game = begun(service, "lords", options={"players": 2, "rounds": 1})
    over(service, game)
    data = ok(service, "log", game=game)["data"]
    for seat in Log.parse(base64.b64decode(data)).entries[0].fields["seats"]:
        watched = ok(service, "watch", data=data, seat=seat)["game"]
        end = ok(service, "closing", game=watched)
        assert (end["outcome"], end["rematches"]) == ("", [])
        assert end["laid_open"]


def test_a_game_that_goes_on_keeps_what_is_hidden(service: Service) -> None:
    game = begun(service, "hammer")
    end = ok(service, "closing", game=game)
    assert (end["outcome"], end["laid_open"], end["rematches"], end["tables"]) == ("", None, [], [])
