"""What came in time counts: no deadline passes before all has been read that may have come by then, and none waits for ever.

A game of two: both were asked on the first of the month, and have 24 hours. The clock is the test's.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pbem.errors import UsageError, WorldError
from pbem.host import Office
from pbem.host.deciding import HELD
from pbem.host.moments import later
from pbem.host.run import WayNews
from pbem.ledger import GOT, verify, verify_sig
from pbem.ledger.complaint import complaint
from pbem.mail import read_message
from tests.mail.scripted import ImapServer, listening
from tests.stored import stored_rows

from .faults import settle
from .in_time import box, claims, club, due, held, kinds, ordered, piped, said, skipped
from .post import Club, key_of, moment
from .running import hand_over, running, with_a_door

__all__ = ["box", "claims", "club"]

pytestmark = pytest.mark.usefixtures("letters_kept")

# -- a mailbox ------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_mailbox_that_cannot_be_read_holds_the_deadlines(club: Club, box: ImapServer) -> None:
    """Both players answered a day early, and the server is away from the deadline until a day later. `status` shows the
    held deadline."""
    over, early = due(club), later(due(club), hours=-20)
    for seat in ("ann", "bob"):
        box.arrive(club.order(seat), early)
    box.answers = {"LOGIN": "NO not now"}
    for hours in (1, 5):
        club.office.work(later(over, hours=hours))
        assert skipped(club) == []
        assert [(one["held"], one["due"], one["since"], one["why"]) for one in held(club)] == [
            (1, over, later(over, hours=1), "imap")
        ]
    box.heal()
    club.office.work(later(over, hours=24))
    assert ordered(club) == [("ann", early), ("bob", early)]
    assert skipped(club) == []
    assert held(club) == []
    assert verify(club.log().dump()).verdict == "unfinished"


@pytest.mark.slow
def test_a_host_that_starts_looks_into_its_mailbox_before_it_closes(club: Club, box: ImapServer) -> None:
    """The deadline passed while the host was down."""
    over, early = due(club), later(due(club), hours=-20)
    for seat in ("ann", "bob"):
        box.arrive(club.order(seat), early)
    club.office.close()
    with running(club.folder / "host", [later(over, hours=10)]) as host:
        host.hear("order: ann")
        host.hear("order: bob")
    club.office = Office(club.folder / "host")
    assert skipped(club) == []
    assert ordered(club) == [("ann", early), ("bob", early)]


def test_a_silent_mailbox_that_is_read_closes_in_time(club: Club, box: ImapServer) -> None:
    """The mailbox waits for mail (IDLE), nothing comes, and the time is over: it is looked into once more, and then it is."""
    over = due(club)
    clock = [later(over, minutes=-5)]
    club.office.close()
    with running(club.folder / "host", clock) as host:
        host.hear("waiting for mail")
        assert host.running is not None
        assert host.running._bell is not None
        clock[0] = later(over, minutes=5)
        box.arrive(b"Subject: hm\r\n\r\nanything\r\n", clock[0])  # wakes it
        host.hear("refused")
    club.office = Office(club.folder / "host")
    club.office.work(later(over, minutes=6))
    assert skipped(club) == ["ann", "bob"]


@pytest.mark.slow
def test_the_limit_closes_the_question_and_players_in_time_get_a_signed_letter(club: Club, box: ImapServer) -> None:
    """The host tells the players once, after twelve hours. After `hold_days` it closes the question and signs a letter
    to each player who answered in time."""
    over, early = due(club), later(due(club), hours=-3)
    raw = club.order("ann")
    box.arrive(raw, early)
    box.answers = {"LOGIN": "NO not now"}
    first = later(over, minutes=30)
    for hours in (0, 11, 12, 13, 60, 120, 7 * 24 - 1):
        club.office.work(later(first, hours=hours))
        assert skipped(club) == []
        assert len(said(club, "held")) == (2 if hours >= 12 else 0), "each is told once"
    assert "Every answer that came in time counts." in said(club, "held")[0]
    assert "waits for 7 days" in said(club, "held")[0]
    club.office.work(later(first, hours=7 * 24))
    assert skipped(club) == ["ann", "bob"]
    box.heal()
    outcomes, _ = club.office.work(later(first, hours=7 * 24 + 1))
    assert outcomes == ["late: ann, read when its question was closed"]
    club.read_all()
    letter = next(raw for raw in reversed(club.received["ann"]) if b"read too late" in raw)
    assert "That is not your fault" in " ".join(read_message(letter).text.split())
    got = json.loads(read_message(letter).log.split(b"\n")[0])
    assert got[3] == early
    assert verify_sig(key_of("host").key_line, GOT, json.dumps(got[:4], separators=(",", ":")).encode(), got[4])
    envelope = club.signed(raw)
    shown = complaint({"say": envelope.say, "sig": envelope.sig}, got, club.log().dump())
    assert shown.code == "DROPPED", "anybody can see that it came in time"
    for text in said(club, "refusal"):
        assert "closed" not in text


@pytest.mark.slow
def test_a_mail_that_the_server_does_not_hand_out_is_unread(club: Club, box: ImapServer) -> None:
    """The host holds the deadline while the server lists the mail without handing it out."""
    over = due(club)
    box.arrive(club.order("ann"), later(over, hours=-1))
    box.answers = {"UID FETCH": "OK done"}
    _, (trouble,) = club.office.work(later(over, hours=1))
    assert trouble == "imap: The server does not deliver mail that is in the mailbox: mail 1."
    assert skipped(club) == []
    box.heal()
    club.office.work(later(over, hours=2))
    assert [by for by, _ in ordered(club)] == ["ann"]


@pytest.mark.slow
@pytest.mark.parametrize("date", ["31-Dec-9999 23:59:59 -1400", "99-Jan-2030 00:00:00 +0000"])
def test_a_mail_with_an_impossible_time_of_arrival_holds_up_no_other(club: Club, box: ImapServer, date: str) -> None:
    """The mailbox gives an impossible time of arrival. The host treats that mail as not handed out and takes the others."""
    over = due(club)
    box.arrive(b"Subject: hello\r\n\r\nhm\r\n")
    box.dates[1] = date
    box.arrive(club.order("ann"), later(over, hours=-1))
    _, (trouble,) = club.office.work(later(over, hours=-1))
    assert trouble == "imap: The server does not deliver mail that is in the mailbox: mail 1."
    assert club.asked() == ["bob"]


@pytest.mark.slow
def test_a_club_may_hold_for_ever_or_not_at_all(club: Club, box: ImapServer) -> None:
    over, settings = due(club), club.folder / "host" / "host.toml"
    box.answers = {"LOGIN": "NO not now"}
    text = settings.read_text("utf-8")
    for days, closed in (('"never"', 0), ("0", 2)):
        club.office.close()
        settings.write_text(f"hold_days = {days}\n{text}", "utf-8")
        club.office = Office(club.folder / "host")
        for days_on in range(0, 30, 3) if not closed else [30]:
            club.office.work(later(over, hours=2 + 24 * days_on))
        assert len(skipped(club)) == closed


@pytest.mark.slow
def test_a_time_of_arrival_that_is_still_to_come_counts_as_now(club: Club, box: ImapServer) -> None:
    """The mailbox gives a time in the future."""
    now = later(due(club), hours=-2)
    box.arrive(club.order("ann"), later(due(club), hours=90))
    club.office.work(now)
    (row,) = stored_rows(club.office.store, "select at from answers")
    assert row["at"] == now


@pytest.mark.slow
def test_a_mail_that_came_late_is_late_though_others_are_unread(club: Club, box: ImapServer) -> None:
    """By a second way, while the mailbox is away: it waits until that is read, and counts after what is there."""
    over = due(club)
    ann, bob = club.order("ann"), club.order("bob")
    box.arrive(ann, later(over, hours=-1))
    assert club.robot.take(bob, later(over, hours=2), "other") == HELD
    assert skipped(club) == []
    club.office.work(later(over, hours=3))
    assert skipped(club) == ["bob"]
    assert ordered(club) == [("ann", later(over, hours=-1))]
    (row,) = stored_rows(club.office.store, "select outcome from inbox where door = 'other'")
    assert row["outcome"].startswith("refused: ASK")


@pytest.mark.slow
def test_a_claim_counts_after_what_came_in_time(claims: Club) -> None:
    """The host reads the claim first, but decides it only after all earlier mail."""
    over = due(claims)
    with listening(ImapServer()) as box:
        assert isinstance(box, ImapServer)
        settle(claims, imap=box)
        claims.office.work(moment(claims.minute))
        claims.take(claims.order("ann"))
        claims.read_all()
        box.arrive(claims.order("bob"), later(over, hours=-1))
        desk = claims.desks["ann"]
        desk.speaker(desk.notes()).say("claim", later(over, hours=1))
        (letter,) = claims.letters(desk)
        box.answers = {"LOGIN": "NO not now"}
        assert claims.robot.take(letter, later(over, hours=1), "lmtp") == HELD
        claims.office.work(later(over, hours=14))
        assert said(claims, "reminder") == [] or all("may claim" not in text for text in said(claims, "reminder"))
        with pytest.raises(UsageError, match="nobody is late yet"):
            claims.robot.replace(1, "bob", "dora@example.org", later(over, hours=14))
        box.heal()
        claims.office.work(later(over, hours=15))
        assert [by for by, _ in ordered(claims)] == ["ann", "bob"]
        (row,) = stored_rows(claims.office.store, "select outcome from inbox where door = 'lmtp'")
        assert row["outcome"].startswith("refused")
        assert kinds(claims)[-1] == "ask", "nobody has lost"


@pytest.mark.slow
def test_a_claim_is_taken_once_all_is_read(claims: Club) -> None:
    over = due(claims)
    with listening(ImapServer()) as box:
        assert isinstance(box, ImapServer)
        settle(claims, imap=box)
        claims.office.work(moment(claims.minute))
        claims.take(claims.order("ann"))
        claims.read_all()
        desk = claims.desks["ann"]
        desk.speaker(desk.notes()).say("claim", later(over, hours=1))
        (letter,) = claims.letters(desk)
        box.arrive(letter, later(over, hours=1))
        claims.office.work(later(over, hours=2))
        (row,) = stored_rows(claims.office.store, "select outcome from inbox where outcome like 'claim%'")
        assert row == {"outcome": "claim: ann"}


@pytest.mark.slow
def test_leave_that_came_in_time_counts_after_what_others_said_later(club: Club, box: ImapServer) -> None:
    """An entry with a later time would exclude the leave, so later statements wait."""
    over = due(club)
    said: tuple[tuple[str, str, dict[str, Any]], ...] = (("bob", "leave", {"hours": 24}), ("ann", "draw", {}))
    for seat, act, more in said:
        desk = club.desks[seat]
        desk.speaker(desk.notes()).say(act, later(over, hours=-1), **more)
    (leave,), (draw,) = (club.letters(club.desks[seat]) for seat in ("bob", "ann"))
    box.arrive(leave, later(over, hours=-1))
    assert club.robot.take(draw, later(over, hours=1), "other") == HELD
    club.office.work(later(over, hours=2))
    assert due(club) == later(over, hours=24)
    acts = [entry.fields["say"]["act"] for entry in club.log().entries if entry.k == "say"]
    assert acts == ["leave", "draw"]
    assert skipped(club) == []


@pytest.mark.slow
def test_a_folder_is_read_before_a_deadline_though_one_mail_in_it_is_unreadable(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    over = due(club)
    club.office.work(moment(club.minute))
    assert club.office.inbox is not None
    place = club.office.inbox.deliver(club.order("ann"), 1893456000 + 3600)
    opens = Path.open

    def refuse(path: Path, *how: Any) -> Any:
        if path == place:
            raise PermissionError(13, "Permission denied")
        return opens(path, *how)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", refuse)
        club.office.work(later(over, hours=1))
        assert skipped(club) == []
        assert held(club)[0]["why"] == "maildir"
    club.office.work(later(over, hours=2))
    assert skipped(club) == ["bob"]
    assert ordered(club) == [("ann", "2030-01-01T01:00:00Z")]


@pytest.mark.slow
def test_mail_that_a_server_kept_while_the_host_stood_still_is_in_time(club: Club) -> None:
    """Mail servers keep mail for LMTP or a pipe. For `queue_minutes` after a start the host closes no question with a
    deadline in the standstill."""
    over, ann, bob = due(club), club.order("ann"), club.order("bob")
    office = piped(club)
    office.work(later(over, hours=-1))
    back = later(over, hours=8)
    office.work(back)
    assert skipped(club) == []
    assert held(club)[0]["why"] == "what a mail server kept while the host stood still"
    assert office.robot.take(ann, later(back, minutes=20), "pipe") == "order: ann"
    office.work(later(back, minutes=89))
    assert skipped(club) == []
    office.work(later(back, minutes=91))
    assert skipped(club) == ["bob"]
    assert office.robot.take(bob, later(back, minutes=92), "pipe").startswith("refused: ASK")
    assert verify(club.log().dump()).verdict == "unfinished"


@pytest.mark.slow
def test_a_claim_by_a_pipe_waits_for_what_a_mail_server_kept(claims: Club) -> None:
    over = due(claims)
    claims.take(claims.order("ann"))
    claims.read_all()
    bob, desk = claims.order("bob"), claims.desks["ann"]
    desk.speaker(desk.notes()).say("claim", later(over, hours=1))
    (letter,) = claims.letters(desk)
    office = piped(claims)
    back = later(over, hours=8)
    assert office.robot.take(letter, back, "pipe") == HELD, "no other program has noted that the host is back"
    assert office.robot.take(bob, later(back, minutes=5), "pipe") == "order: bob"
    office.robot.tick(later(back, minutes=91))
    assert kinds(claims)[-1] == "ask"


@pytest.mark.slow
def test_an_order_by_a_pipe_is_late_where_nothing_stood_still(club: Club) -> None:
    over = due(club)
    office, raw = piped(club), club.order("ann")
    for minutes in range(-23 * 60, 0, 30):
        office.work(later(over, minutes=minutes))
    office.robot.tick(over)
    assert office.robot.take(raw, later(over, minutes=5), "pipe").startswith("refused: ASK")
    assert skipped(club) == ["ann", "bob"]


@pytest.mark.slow
def test_a_start_of_the_door_waits_for_what_a_mail_server_kept(club: Club) -> None:
    """However short the standstill was, if a time was over in it."""
    over, raw = due(club), club.order("ann")
    port = with_a_door(club)
    home = club.folder / "host"
    with running(home, [later(over, minutes=-1)]) as host:
        host.hear("waiting for mail")
    with running(home, [later(over, minutes=4)]) as host:
        host.hear("waiting for mail")
        assert hand_over(port, "host@example.org", raw)[0] == 250
        host.hear("order: ann")
    club.office = Office(home)
    assert skipped(club) == []


def test_a_mail_that_was_told_to_come_again_is_in_time_when_it_does(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For `queue_minutes` the host holds the deadline."""
    over, raw = due(club), club.order("ann")
    port = with_a_door(club)
    clock = [later(over, minutes=-1)]
    with running(club.folder / "host", clock) as host:
        host.hear("waiting for mail")
        assert host.running is not None

        def busy(*_: object) -> str:
            raise WorldError("it is locked")

        with monkeypatch.context() as patch:
            patch.setattr(host.running.office.robot, "take", busy)
            assert hand_over(port, "host@example.org", raw)[0] == 451
        clock[0] = later(over, minutes=5)
        host.running._queue.put(WayNews("test", "a deadline is looked at", ""))
        host.hear("a deadline is looked at")
        assert hand_over(port, "host@example.org", raw)[0] == 250
        host.hear("order: ann")
    club.office = Office(club.folder / "host")
    assert skipped(club) == []


# -- what is decided late ---------------------------------------------------------------------------------------------------


def test_a_question_put_late_has_its_whole_time(club: Club, box: ImapServer) -> None:
    """The answers were unread for two days. The next question is dated now, not when they came."""
    over = due(club)
    for seat in ("ann", "bob"):
        box.arrive(club.order(seat), later(over, hours=-20))
    box.answers = {"LOGIN": "NO not now"}
    back = later(over, hours=48)
    club.office.work(later(over, hours=20))
    box.heal()
    club.office.work(back)
    assert due(club) == later(back, hours=24)
    assert kinds(club)[-1] == "ask"
    assert skipped(club) == []
    assert kinds(club).count("ask") == 2


@pytest.mark.slow
def test_after_days_of_standstill_the_next_question_has_its_whole_time(club: Club, box: ImapServer) -> None:
    """The clock may be wrong by as much, so nothing is decided for an hour; then all is, by the clock that is right."""
    over = due(club)
    for seat in ("ann", "bob"):
        box.arrive(club.order(seat), later(over, hours=-20))
    back = later(over, hours=200)
    assert club.office.work(back)[0] == [HELD, HELD]
    club.office.work(later(back, minutes=30))
    assert kinds(club)[-1] == "ask"
    assert ordered(club) == []
    club.office.work(later(back, minutes=61))
    assert ordered(club) == [(seat, later(over, hours=-20)) for seat in ("ann", "bob")]
    assert skipped(club) == []
    assert due(club) >= later(back, hours=24)
