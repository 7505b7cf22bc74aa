"""What a commitment is, said early: nobody else has it before all are in, by mail, page or door, as player or as onlooker.

The same game is played twice, and differs in nothing but what one player has sealed. Whatever others can see is the same to the
letter, but for hashes.
"""

from __future__ import annotations

import asyncio
import base64
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.host.door.shown import Shown
from pbem.mail import read_message
from pbem.page.service import Service
from tests.host.post import Club, a_club
from tests.page.calling import ok

from .by_mail import copies, seen, to_the_first_battle

_HASHES = re.compile(r"\b[0-9a-f]{4}(?: [0-9a-f]{4}){3,}|\b[0-9a-f]{8,64}\b|log-\w+-\w+|[0-9A-Z]{5}(?: [0-9A-Z]{1,5})+")
FAR = {"A1": "Galloway", "H6": "Caithness"}
CALLS = ("position", "story", "template", "odds", "touches", "closing", "entries")


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    """Two who stand before their first battle, looked at by everybody."""
    with a_club(tmp_path_factory.mktemp("club"), game="swords") as club:
        with club.office.store.decision():
            club.office.store.put_note(f"everybody may look at {club.number}", "all")
        yield to_the_first_battle(club)


def plain(said: object) -> str:
    """What is said, without the hashes and the short blocks in it."""
    return _HASHES.sub("#", json.dumps(said, ensure_ascii=False, sort_keys=True))


def log_for_all(club: Club) -> bytes:
    """What the host's door hands to everybody."""
    return asyncio.run(Shown(club.office.store.path, "all", lambda: 0.0).log(club.log().game))


def seen_of(service: Service, game: str) -> dict[str, Any]:
    """All that a page tells of a game."""
    return {call: ok(service, call, game=game) for call in CALLS}


def seen_by_others(club: Club, seat: str) -> dict[str, Any]:
    """All that reaches anybody but a seat: at their pages, in their letters, from the door as one who looks on."""
    found: dict[str, Any] = {}
    for other in club.desks:
        if other != seat:
            service = Service(club.folder / other, lambda: "2030-01-02T00:00:00Z")
            found[other] = seen_of(service, club.log().game)
            found[f"mail to {other}"] = [read_message(raw).text for raw in club.received[other]]
    looks = Service(club.folder / "nobody")
    opened = ok(looks, "watch", data=base64.b64encode(log_for_all(club)).decode())
    assert [one["seat"] for one in opened["seats"]] == [""]
    return found | {"everybody": seen_of(looks, opened["game"])}


def most(club: Club, seat: str) -> int:
    """All that a seat can commit in the battle that is fought."""
    view = seen(club, seat)
    assert view.battle
    return view.table.count(view.battle.region, seat)


def two(begun: Club, folder: Path) -> Iterator[Club]:
    """The same club twice, which do not know of each other."""
    for name in ("one", "other"):
        yield begun.copy_to(folder / name)


@pytest.mark.slow
def test_a_commitment_reaches_nobody_before_all_are_in(begun: Club, tmp_path: Path) -> None:
    """A player or onlooker tries to read a sealed number early, by mail or on the page. Nothing that others see depends
    on it."""
    found, then = [], []
    for club, n in zip(two(begun, tmp_path), (0, 3), strict=True):
        first, *others = club.asked()
        before = log_for_all(club)
        assert club.take(club.order(first, f"COMMIT {n}", "COMMIT ANY: ALL")).startswith("order")
        club.read_all()
        assert log_for_all(club) == before
        found.append(seen_by_others(club, first))
        for seat in others:
            club.take(club.order(seat, "COMMIT 1"))
        club.read_all()
        then.append(seen_by_others(club, first))
        club.office.close()
    assert plain(found[0]) == plain(found[1])
    assert plain(then[0]["everybody"]) != plain(then[1]["everybody"]), "then everybody knows"


@pytest.mark.slow
def test_what_a_plan_would_commit_reaches_nobody(begun: Club, tmp_path: Path) -> None:
    """A plan goes with an order that stands in the log for all to see; what it says stays sealed beside it."""
    found = []
    for club, n in zip(two(begun, tmp_path), ("NONE", "ALL"), strict=True):
        seat = club.asked()[0]
        plans = f"COMMIT Moray: {n}\nCOMMIT Isles: {n}\nSWORD {'NO' if n == 'NONE' else 'NOW'}"
        while seen(club, club.asked()[0]).question in ("commit", "retreat", "deploy"):
            for one in club.asked():
                text = "COMMIT 1" if seen(club, one).question == "commit" else ""
                club.take(club.order(one, text, plans if one == seat else ""))
            club.read_all()
        for other in club.desks:
            assert (b"COMMIT Isles" in copies(club, other)) is (other == seat)
        for what in (b"COMMIT Isles", b"SWORD NO"):
            assert what in club.log().dump()
            assert what not in log_for_all(club)
        found.append(seen_by_others(club, seat))
        club.office.close()
    assert plain(found[0]) == plain(found[1])


@pytest.mark.slow
def test_what_was_sent_ahead_and_planned_stays_sealed_when_the_game_goes_back(begun: Club, tmp_path: Path) -> None:
    """The winner has sent his next placing ahead; then all agree that a loser retreats anew, and nothing of it counts any more."""
    found = []
    for club, square in zip(two(begun, tmp_path), ("A1", "H6"), strict=True):
        (first, *others), before = club.asked(), log_for_all(club)
        club.take(club.order(first, f"COMMIT 3\nAHEAD PLACE: PLACE {square}", f"DEPLOY ANY TO {FAR[square]}"))
        for seat in others:
            club.take(club.order(seat, "COMMIT 1"))
        club.read_all()
        (loser,), retreat = club.asked(), club.log().head[0]
        club.turn()
        assert club.say(loser, "takeback", about=retreat) == f"takeback: {loser}"
        offer = club.log().head[0]
        for seat in club.desks:
            if seat != loser:
                assert club.say(seat, "agree", about=offer) == f"agree: {seat}"
        assert club.asked() == [loser]
        for _time in range(30):
            if (question := seen(club, club.asked()[0]).question) == "place":
                break
            for seat in club.asked():  # whoever commits nothing only walks about
                club.take(club.order(seat, f"COMMIT {most(club, seat)}" if question == "commit" else ""))
            club.read_all()
        assert question == "place"
        assert first in club.asked(), "what was sent ahead does not answer"
        found.append(seen_by_others(club, first))
        for what in (f"PLACE {square}".encode(), f"TO {FAR[square]}".encode()):
            assert log_for_all(club).count(what) == before.count(what), "of others, at the flip before"
        club.office.close()
    assert plain(found[0]) == plain(found[1])
