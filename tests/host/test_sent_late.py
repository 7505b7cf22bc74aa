"""What is sent late: who was not sent a question in time has his whole time for it."""

from __future__ import annotations

import pytest

from pbem.cli.host import _told
from pbem.host.deciding import HELD
from pbem.host.moments import later
from pbem.host.store.keeping import Wanted, overview
from pbem.ledger import verify

from .in_time import NoWay, claims, club, due, held, kinds, ordered, said, skipped
from .post import Club, key_of, moment

__all__ = ["claims", "club"]

pytestmark = pytest.mark.usefixtures("letters_kept")


@pytest.fixture
def next_question(club: Club) -> Club:
    """Both have answered, and no letter with the next question, of one of them, has been sent."""
    for seat in ("ann", "bob"):
        club.take(club.order(seat))
    return club


@pytest.mark.slow
def test_a_player_who_was_not_sent_the_question_is_not_late(next_question: Club) -> None:
    """The host closes nothing until the letter is sent, for up to `hold_days`. `status` says which letter waits."""
    club, over = next_question, due(next_question)
    (asked,) = club.asked()
    club.office.sending._carrier = NoWay(club.office)
    club.office.work(moment(club.minute))
    club.office.work(later(over, hours=30))
    assert skipped(club) == []
    (trouble,) = held(club)
    assert f"not been sent to {asked}" in _told(trouble)
    assert said(club, "held") == [], "nobody is to be told of what he has not got"
    club.office.sending._carrier = None
    club.office.sending.send_again()
    back = later(over, hours=31)
    club.office.work(back)
    assert skipped(club) == []
    assert due(club) == later(back, hours=24)
    assert kinds(club).count("extend") == 1, "once for all letters"
    club.read_all()
    club.office.work(later(back, hours=25))
    assert skipped(club) == [asked]
    assert verify(club.office.robot.house.game(1).exported().dump()).verdict == "unfinished"


@pytest.mark.slow
def test_a_question_that_was_sent_late_has_its_whole_time(next_question: Club) -> None:
    """The server was down for five hours. The host logs an extension for everybody, also for players who got the
    question in time."""
    club, put = next_question, due(next_question)
    club.office.sending._carrier = NoWay(club.office, f"{club.asked()[0]}@example.org")
    club.office.work(moment(club.minute))
    club.office.sending._carrier = None
    late = later(moment(club.minute), hours=5)
    club.office.sending.send_again()
    club.office.work(late)
    assert due(club) == later(late, hours=24) > put


@pytest.mark.slow
def test_a_letter_that_only_a_doubtful_clock_calls_late_waits(next_question: Club) -> None:
    """Its extension would put a false time into the log. The letter goes once the host trusts the clock."""
    club, put = next_question, due(next_question)
    club.robot.arrivals.look(moment(club.minute))
    club.office.work(later(moment(club.minute), hours=500))
    assert "extend" not in kinds(club)
    club.office.work(moment(club.minute))
    club.read_all()
    assert due(club) == put
    assert "extend" not in kinds(club)


@pytest.mark.slow
def test_a_letter_that_is_late_by_a_clock_that_leapt_and_is_right_gives_time(next_question: Club) -> None:
    club = next_question
    club.robot.arrivals.look(moment(club.minute))
    late = later(moment(club.minute), hours=100)
    club.office.work(late)
    assert "extend" not in kinds(club)
    club.office.work(right := later(late, hours=2))
    assert due(club) == later(right, hours=24)
    assert skipped(club) == []


@pytest.mark.slow
def test_a_host_killed_after_a_late_letter_still_gives_its_time(
    next_question: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The host dies before it notes the letter as sent, so it sends the letter again and gives the time with it."""
    club, late = next_question, later(moment(next_question.minute), hours=5)

    def die(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(club.robot, "handed_over", die)
        with pytest.raises(KeyboardInterrupt):
            club.office.work(late)
    club.office.work(late)
    assert due(club) == later(late, hours=24)


@pytest.mark.slow
def test_a_letter_that_comes_soon_changes_nothing(next_question: Club) -> None:
    club, put = next_question, due(next_question)
    club.office.work(later(moment(club.minute), minutes=50))
    assert due(club) == put
    assert "extend" not in kinds(club)


@pytest.mark.slow
def test_who_takes_no_mail_is_waited_for_as_long_as_the_club_says(next_question: Club) -> None:
    club, over = next_question, due(next_question)
    club.office.sending._carrier = NoWay(club.office, f"{club.asked()[0]}@example.org")
    club.office.work(moment(club.minute))
    club.office.work(later(over, hours=1))
    assert skipped(club) == []
    club.office.work(later(over, hours=24 * 3))
    club.office.work(later(over, hours=24 * 3 + 2))
    club.office.work(later(over, hours=24 * 6))
    waiting = club.asked()
    assert waiting
    club.office.work(later(over, hours=24 * 7 + 2))
    assert skipped(club) == waiting


def test_a_clock_that_is_put_back_and_still_wrong_is_not_believed(club: Club) -> None:
    """It leaps by three weeks, then is four days ahead. Mail that comes meanwhile gets neither time."""
    now = moment(club.minute)
    club.office.work(now)
    club.office.work(later(now, hours=500))
    ahead = later(now, hours=100)
    club.office.work(ahead)
    assert club.robot.arrivals.in_doubt()
    assert club.robot.take(club.order("ann"), ahead) == HELD
    assert skipped(club) == []
    club.office.work(later(now, hours=1))
    assert not club.robot.arrivals.in_doubt()
    assert ordered(club) == []
    assert overview(club.robot.store, Wanted())[0].waiting == ["bob"]
    assert max(entry.fields.get("at", "") for entry in club.log().entries) <= later(now, hours=1)


def test_nobody_claims_in_a_ready_round_if_its_letter_was_not_sent(claims: Club) -> None:
    """Ann changes her key, and the letter that calls Bob to be ready cannot go. Nobody claims against Bob, and he has
    his whole time."""
    over, desk = due(claims), claims.desks["ann"]
    desk.keys.rekey(key_of("ann again"), claims.now())
    assert [claims.take(raw) for raw in claims.letters(desk)] == ["rekey: ann"]
    claims.office.sending._carrier = NoWay(claims.office, "bob@example.org")
    claims.office.work(moment(claims.minute))
    assert claims.robot.arrivals.holding(1, later(over, hours=1)) == ["maildir", "letter bob"]
    claims.office.sending._carrier = None
    claims.office.sending.send_again()
    late = later(moment(claims.minute), hours=5)
    claims.office.work(late)
    assert due(claims) == later(late, hours=24), "and once it is sent, there is the whole time"
