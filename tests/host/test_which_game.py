"""Which game a mail is about: block, address, line, subject, thread; where two of them differ nothing is taken."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.ledger.terms import terms
from pbem.mail import read_message
from tests.stored import stored_rows

from .post import Club, a_club
from .requests import request


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    """A game that is played, and a second one that waits for its players."""
    with a_club(tmp_path) as club:
        club.begin()
        addresses = {"ann": "ann@example.org", "bob": "cat@example.org"}
        club.robot.new_game("tiny", {"players": 2, "turns": 1}, addresses, "Another", terms(0), "fresh 2", club.now())
        club.deliver()
        yield club


def ids(club: Club) -> dict[int, str]:
    return {row["id"]: row["g"] for row in stored_rows(club.office.store, "select id, g from games")}


def with_head(raw: bytes, *lines: str) -> bytes:
    kept = [line for line in raw.split(b"\r\n") if not line.startswith((b"Subject:", b"To:"))]
    return b"\r\n".join([line.encode() for line in lines] + kept)


def heads(club: Club, number: int) -> dict[str, str]:
    return {
        "address": f"To: host+g{number}@example.org",
        "subject": f"Subject: Re: [pbem {number}] your move",
        "thread": f"In-Reply-To: <{ids(club)[number][:16]}.invitation.ann@example.org>",
    }


@pytest.mark.slow
@pytest.mark.parametrize("where", ["address", "subject", "thread"])
def test_an_order_for_one_game_in_a_mail_for_another_is_refused(club: Club, where: str) -> None:
    """The host takes nothing of the mail, and its answer names both games."""
    order, before = club.order("ann"), club.log().dump()
    outcome, letters = club.answer_to(with_head(order, heads(club, 2)[where]))
    assert outcome.startswith("refused: BIND: This mail names two games: its signed block means game 1")
    told = " ".join(read_message(letters["ann"][0]).text.split())
    assert "means game 2. Nothing was taken from it. Send one mail for each game" in told
    assert (club.log().dump(), stored_rows(club.office.store, "select * from answers")) == (before, [])
    outcome, _ = club.answer_to(with_head(order, *heads(club, 1).values()))
    assert outcome == "order: ann"


def test_the_line_above_the_orders_names_the_game_too(club: Club) -> None:
    order = club.order("ann").replace(b"CARD ", f"GAME {ids(club)[2][:8]}\r\nCARD ".encode(), 1)
    assert club.take(order).startswith("refused: BIND: This mail names two games")
    fits = club.order("ann").replace(b"CARD ", f"GAME {ids(club)[1][:8]}\r\nCARD ".encode(), 1)
    assert club.take(fits) == "order: ann"


def test_places_that_contradict_each_other_without_a_block(club: Club) -> None:
    raw = with_head(request("BOARD"), heads(club, 1)["address"], heads(club, 2)["subject"])
    outcome, letters = club.answer_to(raw)
    assert "the address it was sent to means game 1, its subject means game 2" in outcome
    assert len(letters["ann"]) == 1


@pytest.mark.slow
@pytest.mark.parametrize("where", ["address", "subject", "thread"])
def test_each_place_says_which_board_is_meant(club: Club, where: str) -> None:
    for number, told in ((1, "YOUR CHOICE"), (2, "has not begun")):
        raw = with_head(request("BOARD", Message_ID=f"<{number}@x>"), heads(club, number)[where])
        outcome, letters = club.answer_to(raw)
        assert outcome == "answered: BOARD"
        assert told in read_message(letters["ann"][0]).text


@pytest.mark.slow
def test_a_game_that_is_not_here_is_named(club: Club) -> None:
    outcome, letters = club.answer_to(with_head(club.order("ann"), "To: host+g77@example.org"))
    assert "the address it was sent to this is for game 77, which is not here" in outcome
    assert len(letters["ann"]) == 1


@pytest.mark.slow
def test_tags_and_threads_of_another_host_say_nothing(club: Club) -> None:
    heads = ("Subject: Re: [pbem 4711] elsewhere", "In-Reply-To: <0123456789abcdef.report.9.x@example.net>")
    assert club.take(with_head(club.order("ann"), *heads)) == "order: ann"


@pytest.mark.slow
def test_an_id_cut_too_short_could_be_any(club: Club) -> None:
    club.office.store.change("games", 2, g=ids(club)[1][:10] + "f" * 54)
    outcome, _ = club.answer_to(request(f"GAME {ids(club)[1][:8]}\nBOARD"))
    assert "could be for any of the games 1 or 2. Name one." in outcome
