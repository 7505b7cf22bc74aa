"""What several tests need of page: known, club, again, page_of, carried, …."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Any

import pytest

from pbem.page.carrying import read_request
from pbem.page.service import Service
from pbem.player.asking import Unreached
from pbem.player.door import DoorLine
from tests.host.post import Club, a_club
from tests.page.calling import ok

from .commands import first_turn, here
from .doors import PATIENCE, DoorHost, at_work


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    """A club whose players know by the host's letters where his door is."""
    with a_club(tmp_path_factory.mktemp("club")) as club:
        club.begin()
        with at_work(club, here()) as host:
            first_turn(club, host)
        yield club


def again(club: Club) -> AbstractContextManager[DoorHost]:
    """The host of a club at work once more, at the same address."""
    return at_work(club, (club.folder / "host" / "host.toml").read_text("utf-8"))


def page_of(club: Club, seat: str, clock: list[str]) -> Service:
    """The page of a seat, over the folder of its desk, by a clock that stands."""
    return Service(club.folder / seat, lambda: clock[0])


def carried(asked: dict[str, Any]) -> dict[str, Any]:
    """What comes of a request, as a carrier hands it back."""
    request = read_request(json.dumps(asked).encode())
    assert request is not None
    try:
        reply = DoorLine(PATIENCE).carry(request)
    except Unreached as error:
        return {"status": 0, "why": str(error.__cause__)}
    return {"status": reply.status, "data": base64.b64encode(reply.data).decode()}


def visited(page: Service, game: str) -> dict[str, list[Any]]:
    """All that comes of a visit at a game's door."""
    all_of_it: dict[str, list[Any]] = {"brought": [], "came": [], "trouble": []}
    step = ok(page, "visit", game=game)
    while True:
        for name, found in all_of_it.items():
            found += step[name]
        if step["ask"] is None:
            return all_of_it
        step = ok(page, "carried", errand=step["errand"], **carried(step["ask"]))


def order(page: Service, game: str) -> list[dict[str, Any]]:
    """Sign the first order that is offered; return its letters."""
    position = ok(page, "position", game=game)
    touches = ok(page, "touches", game=game, ask=position["ask"])["touches"]
    text = "\n".join(next(one for one in touches if one["closes"])["draft"])
    letters: list[dict[str, Any]] = ok(page, "sign", game=game, ask=position["ask"], text=text)["letters"]
    return letters
