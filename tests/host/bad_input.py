"""A game in its second turn, and what anybody may send to its host: what the tests of bad input are told in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from pbem.ledger import SAY, cj, sha256_hex
from pbem.mail import Letter, write_block
from pbem.referee import AskSeen, Envelope, Pen

from .post import HOST, Club, a_club, key_of


def a_club_under(patch: pytest.MonkeyPatch, folder: Path) -> AbstractContextManager[Club]:
    for place in ("pbem.host.roster", "pbem.player.seat"):
        patch.setattr(f"{place}.manifest", lambda game: (game, "0" * 64))
    return a_club(folder, players=3)


@pytest.fixture(scope="module")
def second_turn(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    """Three players in the second turn: ann has answered once, bob and cat have not.

    The rules' digest is a fixed one: it enters the game's id, and the answers on file show cards.
    """
    with (
        pytest.MonkeyPatch.context() as patch,
        a_club_under(patch, tmp_path_factory.mktemp("club")) as club,
    ):
        club.begin()
        while club.log().entries[-1].fields.get("mark") != 3:
            club.turn()
        club.take(club.order("ann"))
        club.deliver()
        yield club


@pytest.fixture
def club(second_turn: Club, tmp_path: Path) -> Iterator[Club]:
    twin = second_turn.copy_to(tmp_path)
    yield twin
    twin.office.close()


def letter(text: str, sender: str = "bob@example.org", **headers: str) -> bytes:
    """A mail to the host, as anybody may write one."""
    date = datetime.fromisoformat("2030-01-01T12:00:00Z")
    return Letter(sender, HOST, "my move", text, f"{sha256_hex(text.encode())[:16]}@x", date, headers=headers).raw()


def pen(club: Club, seat: str, key: str = "") -> Pen:
    log = club.log()
    return Pen(key_of(key or seat), log.game, seat)


def question(club: Club) -> AskSeen:
    ask = club.log().entries[-1]
    return AskSeen.of(ask.n, ask.fields, ask.hash)


def hand(club: Club, seat: str) -> list[str]:
    _, view, pack = club.desks[seat].question(club.notes(seat))
    return list(map(str, pack.rules.options(view)))


def order(club: Club, text: str = "", plans: str = "", **changed: Any) -> bytes:
    """Bob's order, made without his program, which would not sign what is not legal; then something is changed in it."""
    made = pen(club, "bob").order(question(club), text or hand(club, "bob")[0], plans, changed.pop("rev", 0))
    say = {**made.say, **changed}
    return letter(write_block(Envelope(say, key_of("bob").sign(SAY, cj(say)), made.openings)))
