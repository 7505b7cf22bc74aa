"""A receipt for what a program has signed waits ten minutes for a report, which has its lines; other letters go before it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from pbem.host.outbox import WAITS_FOR
from pbem.mail import read_message
from tests.stored import stored_row

from .post import Club, a_club


def answered_for_another(club: Club) -> str:
    """Answer until a seat has closed a question, and the next is put to another seat; return the one that has answered."""
    for _question in range(20):
        for seat in club.asked():
            club.take(club.order(seat))
        if seat not in club.asked():
            return seat
        club.read_all()
    raise AssertionError("whoever answers last is asked again, each time")


def receipts(letters: list[bytes]) -> list[bytes]:
    return [raw for raw in letters if ".receipt." in read_message(raw).message_id]


def test_it_goes_by_itself_where_no_report_comes(tmp_path: Path) -> None:
    with a_club(tmp_path, game="hammer") as club:
        seat = answered_for_another(club.begin())
        assert not receipts(club.deliver()[seat]), "it waits"
        assert club.office.status()["mails_unsent"] == 0, "what waits for its report is not late"
        club.minute += WAITS_FOR
        (receipt,) = receipts(club.deliver()[seat])
        assert b'["got"' in read_message(receipt).log
        assert club.desks[seat].read(receipt).warnings == ()


def test_a_report_within_ten_minutes_brings_it_among_its_lines(tmp_path: Path) -> None:
    with a_club(tmp_path, game="hammer") as club:
        seat = answered_for_another(club.begin())
        signed = stored_row(
            club.office.store, "select message_id from outbox where kind = 'receipt' order by id desc limit 1"
        )
        while seat not in club.asked():
            club.read_all()
            for other in club.asked():
                club.take(club.order(other))
        club.minute += WAITS_FOR
        letters = club.deliver()[seat]
        assert signed is not None
        digest = str(signed["message_id"]).partition("@")[0].rpartition(".")[2]
        assert not [raw for raw in receipts(letters) if digest in read_message(raw).message_id]
        (line,) = {
            line for raw in letters for line in read_message(raw).log.split(b"\n") if f'"{digest}'.encode() in line
        }
        assert line.startswith(b'["got"'), "the report has the host's signed line"
        for raw in letters:
            assert club.desks[seat].read(raw).warnings == ()


def test_an_order_that_waits_for_others_has_its_receipt_though_there_was_other_news(tmp_path: Path) -> None:
    """A report that comes before the question is closed has not its lines, so it does not stand in for it."""
    with a_club(tmp_path, game="hammer") as club:
        first, *_others = club.begin().asked()
        club.take(club.order(first))
        robot = club.office.robot
        game = robot.house.game(1)
        tell = partial(robot.post.report, game, first, club.now(), game.resume(), "", "a player is out")
        club.office.store.in_part(game.id, tell)
        assert not receipts(club.deliver()[first]), "it waits"
        club.minute += WAITS_FOR
        (receipt,) = receipts(club.deliver()[first])
        assert b'["got"' in read_message(receipt).log


def test_a_report_that_closes_the_question_brings_the_receipt_of_whoever_answered_first(tmp_path: Path) -> None:
    with a_club(tmp_path, game="hammer") as club:
        first, *others = club.begin().asked()
        club.take(club.order(first))
        for other in others:
            club.take(club.order(other))
        while first not in club.asked():
            club.read_all()
            for other in club.asked():
                club.take(club.order(other))
        club.minute += WAITS_FOR
        letters = club.deliver()[first]
        assert not receipts(letters)
        assert any(b'["got"' in read_message(raw).log for raw in letters)
