"""A game that follows from a tournament is the one that the bids made, with that scenario, those options and that side: or the desk
does not join."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.errors import RecordError
from pbem.host.following import follow
from pbem.kernel import Json
from pbem.ledger.terms import terms
from pbem.player import Desk
from tests.host.post import Club, a_club


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    """Four have bid, and the result names two games."""
    with a_club(tmp_path_factory.mktemp("bids"), game="tournament") as club:
        club.begin().play()
        assert club.log().finished
        yield club


@pytest.fixture
def club(played: Club, tmp_path: Path) -> Iterator[Club]:
    twin = played.copy_to(tmp_path / "club")
    yield twin
    twin.office.close()


def named(club: Club, seat: str = "ann") -> tuple[Json, str]:
    """The game that the result names for a player, and the side that he has in it."""
    games = club.log().entries[-1].fields["result"]["games"]
    return next((game, side) for game in games for side, before in game["seats"].items() if before == seat)


def opened(club: Club, change: Callable[[dict[str, Any]], None] = lambda game: None) -> bytes:
    """Ann's invitation to the game that follows, as a host opens it who changes something in what was settled."""
    game = named(club)[0]
    game = {**game, "options": {**game["options"], "after": club.log().entries[-1].hash}, "seats": {**game["seats"]}}
    change(game)
    players = {side: f"{before}@example.org" for side, before in game["seats"].items()}
    agreed = terms(0, 0)
    club.robot.new_game(game["game"], game["options"], players, "It follows", agreed, "others", club.now())
    return club.deliver()["ann"][-1]


@pytest.mark.slow
def test_a_game_that_the_bids_made_is_joined(club: Club) -> None:
    """The honest twin: `host follow` opened it, and the desk says so."""
    follow(club.robot, club.number, terms(0, 0), iter("abcd").__next__, club.now())
    for seat, raws in club.deliver().items():
        said = club.desks[seat].join(raws[-1], club.now())
        assert "It follows from Tournament" in said, seat
        assert len(club.desks[seat].tray.unsent()) == 1


def test_the_same_game_opened_by_hand_is_joined(club: Club) -> None:
    assert "It follows from" in club.desks["ann"].join(opened(club), club.now())


def other_bid(game: dict[str, Any]) -> None:
    game["options"]["bid"] = "S2" if game["options"]["bid"] != "S2" else "E2"


def another_scenario(game: dict[str, Any]) -> None:
    game["options"]["scenario"] = "bruce"


def another_option(game: dict[str, Any]) -> None:
    game["options"]["schiltroms"] = True


def sides_changed(game: dict[str, Any]) -> None:
    (one, two), (ann, bob) = game["seats"], game["seats"].values()
    game["seats"] = {one: bob, two: ann}


CHANGES = [other_bid, another_scenario, another_option, sides_changed]


@pytest.mark.variants
@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_side_or_price_that_the_bids_did_not_give_is_refused(
    club: Club, change: Callable[[dict[str, Any]], None]
) -> None:
    """A host offers one side a better price, board or side than the bids gave. Your program does not join."""
    raw = opened(club, change)
    desk = club.desks["ann"]
    for one in (desk, Desk(desk.home)):
        with pytest.raises(
            RecordError, match=r"not one of the games that follow from Tournament Play, .* its side, bid"
        ):
            one.join(raw, club.now())
        assert one.tray.unsent() == []


def test_who_has_not_got_the_tournament_is_told_that_nobody_here_can_tell(club: Club) -> None:
    raw = opened(club, other_bid)
    shutil.rmtree(club.folder / "ann" / "games")
    (club.folder / "ann" / "games").mkdir()
    assert "is not on this desk" in Desk(club.folder / "ann").join(raw, club.now())
