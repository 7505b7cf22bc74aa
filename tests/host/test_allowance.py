"""How many mails of one seat a host reads in a day, and that nobody uses up another's."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pbem.host import allowance

from .mailboxes import Mailboxes
from .post import Club, a_club, letter_of, moment

MOST = 3


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(allowance, "MOST", MOST)


def revisions(club: Club, seat: str, n: int) -> list[str]:
    """What the host decides on so many revisions of an order, sent on one day."""
    return [club.take(club.order(seat)) for _ in range(n)]


def test_a_seat_that_sends_without_end_is_read_no_more_that_day(tmp_path: Path) -> None:
    """The last order before stands. The player is told once, `status` names the address, and the other seat plays on."""
    with a_club(tmp_path) as club:
        club.begin()
        club.robot.decider.allowance.used.clear()
        seat, other = club.asked()[0], next(one for one in club.desks if one != club.asked()[0])
        done = revisions(club, seat, MOST + 2)
        assert all(one.startswith("order") for one in done[:MOST])
        assert done[MOST].startswith("refused: ASK: You have sent 3 mails in this game today")
        assert done[MOST + 1] == allowance.UNREAD
        told = [raw for raw in club.deliver()[seat] if b"the host reads no more" in raw]
        assert len(told) == 1
        address = club.robot.house.game(1).seats[seat].address
        (row,) = [one for one in club.office.status(moment(club.minute))["troubles"] if "budget" in one]
        assert row["budget"] == f"mails {address}"
        assert row["why"] == "Letters not written, or mails not read: 2. Somebody may be making the host work."
        if other in club.asked():
            assert club.take(club.order(other)).startswith("order")
        order = club.robot.house.game(1).order_here(seat)
        assert order is None or order.envelope.say["rev"] == MOST


def test_the_next_day_a_seat_is_read_again(tmp_path: Path) -> None:
    with a_club(tmp_path) as club:
        club.begin()
        club.robot.decider.allowance.used.clear()
        seat = club.asked()[0]
        assert revisions(club, seat, MOST + 1)[-1].startswith("refused: ASK")
        club.minute = 24 * 60 + 1
        assert revisions(club, seat, 1)[0].startswith("order")


def test_nobody_uses_up_the_allowance_of_another(tmp_path: Path) -> None:
    """Her signed mails sent again by others, and blocks with a signature that is not hers, are not counted."""
    with a_club(tmp_path) as club:
        club.begin()
        club.robot.decider.allowance.used.clear()
        seat = club.asked()[0]
        letter = club.order(seat)
        assert club.take(letter).startswith("order")
        for no in range(MOST + 2):
            club.take(letter.replace(b"Subject: ", b"Subject: %d " % no, 1))
        right = club.signed(letter)
        for no in range(MOST + 2):
            wrong = replace(right, sig=f"{right.sig[:40]}{no:04}{right.sig[44:]}")
            assert club.take(letter_of(seat, wrong)).startswith("refused: SIG")
        assert club.robot.decider.allowance.used == {(1, seat): {right.sig}}


def test_replies_of_a_kept_seat_are_counted_by_their_code(tmp_path: Path) -> None:
    with Mailboxes(tmp_path) as boxes:
        boxes.begin()
        boxes.robot.decider.allowance.used.clear()
        seat = boxes.seats[0]
        said = [boxes.say(seat, f"nothing {no}") for no in range(MOST + 2)]
        assert said[MOST:] == [allowance.UNREAD] * 2
        assert "too many" not in " ".join(said[:MOST])
