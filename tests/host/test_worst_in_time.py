"""Clocks that leap, and what an operator's worst days bring: what came in time counts all the same."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.errors import WorldError
from pbem.host import Office, Robot, Running
from pbem.host.checking import check as check_host
from pbem.host.condition import figures
from pbem.host.deciding import HELD
from pbem.host.moments import later
from pbem.host.store.keeping import Wanted, overview
from tests.mail.scripted import ImapServer, Line, _Cut, listening
from tests.stored import stored_rows

from .faults import settle
from .in_time import box, club, due, held, ordered, piped, skipped
from .post import Club, moment
from .running import running, with_a_door

__all__ = ["box", "club"]

pytestmark = pytest.mark.usefixtures("letters_kept")

# -- the clock --------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_clock_that_leaps_again_takes_nobodys_turn(club: Club) -> None:
    """Each further leap starts the hour again."""
    club.robot.tick(moment(club.minute))
    for minutes in (20_000, 20_030, 40_000, 40_050, 90_000, 90_059):
        assert club.robot.tick(moment(minutes)) == 0
    assert figures(club.robot.store)["clock_leapt_at"] == moment(90_000)
    assert club.robot.tick(moment(club.minute + 1)) == 0
    assert "clock_leapt_at" not in figures(club.robot.store)
    assert club.robot.tick(moment(50_000)) == 0, "and forward once more"
    assert skipped(club) == []
    assert club.robot.tick(moment(50_061)) == 1, "an hour later it is believed"


@pytest.mark.slow
def test_a_mail_closes_nothing_by_a_clock_that_has_leapt(club: Club) -> None:
    """The mail waits, whether the host looks by itself or gets a delivery first."""
    office, raw = piped(club), club.order("ann")
    over = due(club)
    assert office.robot.take(raw, moment(20_000), "pipe") == HELD
    assert skipped(club) == []
    right = moment(club.minute + 5)
    office.work(right)
    office.work(moment(club.minute + 6))
    assert ordered(club) == []
    (row,) = stored_rows(office.store, "select at, outcome from inbox order by id desc limit 1")
    assert row == {"at": right, "outcome": "order: ann"}, "put right, it came now at the latest"
    assert due(club) == over


@pytest.mark.slow
def test_mail_read_by_a_wrong_clock_does_not_count_as_read_by_then(club: Club, box: ImapServer) -> None:
    """The clock goes two days ahead, too little to notice, before the deadline. After the correction, that mail counts
    as read at the latest by then."""
    over, raw = due(club), club.order("ann")
    club.office.work(later(over, hours=-1))
    before = later(over, hours=-10)
    club.office.work(before)
    club.office.robot.arrivals.read("imap", later(over, hours=40))
    club.office.work(later(before, hours=1))
    box.arrive(raw, later(over, hours=-2))
    box.answers = {"LOGIN": "NO not now"}
    club.office.work(later(over, hours=2))
    assert skipped(club) == []


@pytest.mark.slow
@pytest.mark.parametrize("hours", [1, 30])
def test_a_clock_that_leaps_while_the_host_runs_is_noticed_by_another_that_nobody_sets(club: Club, hours: int) -> None:
    """The second clock is the machine's monotonic one."""
    over = due(club)
    club.office.work(later(over, minutes=-5))
    running = Running(club.office, lambda: clock[0], lambda _: None, lambda: pulse[0])
    clock, pulse = [later(over, minutes=-5)], [0.0]
    running._look_around()
    clock[0], pulse[0] = later(over, hours=hours), 60.0
    running._look_around()
    assert figures(club.robot.store)["clock_leapt_at"] == clock[0]
    clock[0], pulse[0] = later(over, minutes=-3), 120.0
    running._look_around()
    clock[0], pulse[0] = later(over, minutes=7), 720.0
    running._look_around()
    assert skipped(club) == ["ann", "bob"], "an hour did not have to pass: the clock was put right"


# -- what an operator's worst days bring --------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("days", [0, 7])
def test_no_time_is_given_up_before_the_mailbox_was_tried(club: Club, box: ImapServer, days: int) -> None:
    """The club's limit (`hold_days`) has passed when the host starts. The answers are in a mailbox that works again."""
    over, early = due(club), later(due(club), hours=-20)
    for seat in ("ann", "bob"):
        box.arrive(club.order(seat), early)
    if days:
        box.answers = {"LOGIN": "NO not now"}
        for day in range(6):
            club.office.work(later(over, hours=1 + 24 * day))
        box.heal()
    club.office.close()
    settings = club.folder / "host" / "host.toml"
    settings.write_text(f"hold_days = {days}\n{settings.read_text('utf-8')}", "utf-8")
    with running(club.folder / "host", [later(over, hours=24 * 7 + 2 if days else 10)]) as host:
        host.hear("order: ann")
        host.hear("order: bob")
    club.office = Office(club.folder / "host")
    assert skipped(club) == []
    assert ordered(club) == [("ann", early), ("bob", early)]


def test_while_nobody_is_at_work_a_held_time_is_not_given_up(club: Club, box: ImapServer) -> None:
    """The host held the deadline for six days, two of them switched off. The network returns a minute after the start."""
    over = due(club)
    box.answers = {"LOGIN": "NO not now"}
    for day in range(6):
        club.office.work(later(over, hours=1 + 24 * day))
    club.office.close()
    with running(club.folder / "host", [later(over, hours=24 * 7 + 2)]) as host:
        host.hear("imap: ")
    club.office = Office(club.folder / "host")
    for day, late in ((7, []), (8, []), (9, ["ann", "bob"])):
        club.office.work(later(over, hours=24 * day + 4))
        assert skipped(club) == late


@pytest.mark.slow
def test_a_full_folder_for_finished_mail_stops_no_order(club: Club, box: ImapServer) -> None:
    """The finished mail stays in the inbox; `status` shows why."""
    over, early = due(club), later(due(club), hours=-20)
    box.arrive(b"Subject: hm\r\n\r\nanything\r\n", later(early, hours=-1))
    for seat in ("ann", "bob"):
        box.arrive(club.order(seat), early)
    box.answers = {"UID MOVE": "NO [OVERQUOTA] full"}
    club.office.work(later(over, hours=1))
    assert ordered(club) == [("ann", early), ("bob", early)]
    assert held(club) == [], "all was read"
    assert "[OVERQUOTA] full" in club.office.status()["troubles"][0]["why"]
    mailbox = club.office.mailbox()
    assert mailbox is not None
    for _ in range(2):
        for number, _raw, _at in mailbox.new():
            mailbox.done(number)
    assert sum("FETCH" in command for command in box.commands) == 3 + 3, "it is not fetched again on the same line"
    box.heal()
    assert list(mailbox.new()) == []
    assert box.folders["INBOX"] == {}
    mailbox.close()


class Damaged(ImapServer):
    """Cannot read one of its mails: takes leave over it, as Dovecot does, or says that it is nothing."""

    bad: int = 2
    said: str = ""

    def _fetch(self, line: Line, number: int) -> None:
        if number != self.bad:
            super()._fetch(line, number)
        elif self.said:
            line.say(self.said)
        else:
            raise _Cut


@pytest.mark.slow
@pytest.mark.parametrize("said", ["", '* 2 FETCH (UID 2 INTERNALDATE "01-Jan-2030 01:02:00 +0000" BODY[]<0> NIL)'])
def test_a_mail_that_the_server_cannot_read_holds_up_no_other(club: Club, said: str) -> None:
    """The server cuts the line at one mail or returns nothing for it. The host neither moves that mail nor takes it as
    empty, and holds the deadline."""
    over, early = due(club), later(due(club), hours=-20)
    with listening(Damaged()) as server:
        assert isinstance(server, Damaged)
        settle(club, imap=server)
        server.said = said
        for raw in (b"Subject: hm\r\n\r\nanything\r\n", club.order("ann"), club.order("bob")):
            server.arrive(raw, early)
        _, (trouble,) = club.office.work(later(over, hours=1))
        assert trouble == "imap: The server does not deliver mail that is in the mailbox: mail 2."
        assert skipped(club) == []
        assert list(server.folders["INBOX"]) == [2], "it is neither taken for an empty mail nor moved"
        server.bad = 0
        club.office.work(later(over, hours=2))
    assert sorted(ordered(club)) == [("ann", early), ("bob", early)]


def test_numbers_of_another_mailbox_move_no_mail(club: Club, box: ImapServer) -> None:
    """The line is cut, and on the next connection UIDVALIDITY differs. The host looks through the mailbox again."""
    box.arrive(b"Subject: one\r\n\r\nanything\r\n")
    mailbox = club.office.mailbox()
    assert mailbox is not None
    ((number, _raw, _at),) = mailbox.new()
    mailbox._drop()
    box.validity, box.folders["INBOX"] = 2, {int(number): b"Subject: another\r\n\r\nhello\r\n"}
    with pytest.raises(WorldError):
        mailbox.done(number)
    assert list(box.folders["INBOX"]) == [int(number)]
    mailbox.close()


@pytest.mark.slow
def test_a_mail_folder_that_disappears_is_not_created_again(club: Club) -> None:
    """Its disk is not mounted when the host starts, or goes away later. The host says so and holds the deadlines."""
    over = due(club)
    club.office.work(moment(club.minute))
    inbox = club.office.inbox
    assert inbox is not None
    for seat in ("ann", "bob"):
        inbox.deliver(club.order(seat), 1893456000 + 3600)
    away = inbox.path.rename(club.folder / "away")
    for hours in (1, 2):
        _, (trouble, *_) = club.office.work(later(over, hours=hours))
        assert trouble.startswith(f"maildir: The mail folder {inbox.path} is missing. Is its disk mounted")
        assert not inbox.path.exists()
        assert skipped(club) == []
        assert [one["why"] for one in held(club)] == ["maildir"]
        (wrong,) = [sentence for well, sentence in check_host(club.office, later(over, hours=hours)) if not well]
        assert "is missing" in wrong
        club.office.close()
        club.office = Office(club.folder / "host")
    away.rename(inbox.path)
    club.office.work(later(over, hours=3))
    assert skipped(club) == []
    assert [by for by, _ in ordered(club)] == ["ann", "bob"]


@pytest.mark.slow
def test_a_mail_that_is_the_first_after_a_small_leap_closes_nothing(club: Club) -> None:
    """The clock leaps by an hour between two looks of `pbem host run`, and then a mail server delivers a mail."""
    over, raw = due(club), club.order("ann")
    club.office.close()
    with_a_door(club)
    club.office = Office(club.folder / "host")
    clock, pulse = [later(over, minutes=-30)], [0.0]
    host = Running(club.office, lambda: clock[0], lambda _: None, lambda: pulse[0])
    club.office.expect(clock[0])
    host._look_around()
    clock[0], pulse[0] = later(over, minutes=30), 1.0
    host._hand_in(raw, None, None)
    host._meet(host._queue.get())
    assert club.robot.arrivals.in_doubt()
    assert skipped(club) == []
    clock[0], pulse[0] = later(over, minutes=-29), 60.0
    host._look_around()
    assert overview(club.robot.store, Wanted())[0].waiting == ["bob"], "put right, it was in time"


@pytest.mark.slow
def test_a_mail_that_is_stored_and_undecided_holds_its_game(club: Club) -> None:
    """The deciding process could not use the store."""
    over, raw = due(club), club.order("ann")
    club.office.work(later(over, hours=-2))
    number = club.robot.keep(raw, later(over, hours=-1))
    club.office.store.put("meta", name=f"dies over {number}", value="3")
    club.robot.elsewhere = lambda _: True
    club.office.work(later(over, hours=1))
    assert skipped(club) == []
    assert held(club)[0]["why"] == f"mail {number}"
    club.robot.elsewhere = club.robot._decided_here
    club.office.store.put("meta", name=f"dies over {number}", value="3")
    club.office.work(later(over, hours=2))
    assert [by for by, _ in ordered(club)] == ["ann"]


@pytest.mark.slow
def test_a_mail_that_a_pipe_told_to_come_again_is_in_time_when_it_does(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store is unusable for fifteen minutes, too short for a standstill. The pipe answers 75 and leaves an empty
    file `turned-away` beside the store."""
    over, ann = due(club), club.order("ann")
    office, home = piped(club), club.folder / "host"
    for minutes in range(-23 * 60, 0, 30):
        office.work(later(over, minutes=minutes))

    def broken(*_: object) -> str:
        raise RuntimeError("nobody has thought of this")

    with monkeypatch.context() as patch:
        patch.setattr(Robot, "take", broken)
        patch.setattr("pbem.cli.host.now", lambda: later(over, minutes=-5))
        told = CliRunner().invoke(app, ["host", "take", "--dir", str(home)], input=ann)
    assert told.exit_code == 75, "any other code is taken for a refusal"
    assert "nobody has thought of this" in told.output
    office.work(later(over, minutes=15))
    assert skipped(club) == []
    assert office.robot.take(ann, later(over, minutes=16), "pipe") == "order: ann"
    office.work(later(over, minutes=15 + 91))
    assert skipped(club) == ["bob"]
    assert not (home / "turned-away").exists()
