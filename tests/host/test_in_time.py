"""What came in time counts: no deadline passes before all has been read that may have come by then, and none waits for ever.

A game of two: both were asked on the first of the month, and have 24 hours. The clock is the test's.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.cli.host import _told
from pbem.errors import NotTaken, UsageError, WorldError
from pbem.host import Office, Robot, Running
from pbem.host.deciding import HELD
from pbem.host.outbox import later
from pbem.host.run import WayNews
from pbem.host.stuck import games
from pbem.ledger import GOT, verify, verify_sig
from pbem.ledger.complaint import complaint
from pbem.mail import read_message
from tests.mail.scripted import ImapServer, Line, _Cut, listening

from .post import Club, a_club, key_of, moment
from .test_faults import settle
from .test_running import hand_over, running, with_a_door

pytestmark = pytest.mark.usefixtures("letters_kept")
CLAIMS = {"late": "claim", "leave": 48}


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path, turns=3, hours=24, terms={"leave": 48}) as club:
        yield club.begin()


@pytest.fixture
def claims(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path, turns=3, hours=24, terms=CLAIMS) as club:
        yield club.begin()


def due(club: Club) -> str:
    """Until when the open question can be answered."""
    (row,) = club.office.store.rows("select due from games")
    return str(row["due"])


def kinds(club: Club) -> list[str]:
    return [entry.k for entry in club.log().entries]


def skipped(club: Club) -> list[str]:
    return [entry.fields["to"] for entry in club.log().entries if entry.k == "skip"]


def ordered(club: Club) -> list[tuple[str, str]]:
    return [(e.fields["by"], e.fields["at"]) for e in club.log().entries if e.k == "order"]


def said(club: Club, kind: str) -> list[str]:
    """The texts of the letters of a kind, in order."""
    rows = club.office.store.rows("select raw from outbox where message_id like ? order by id", f"%.{kind}.%")
    return [" ".join(read_message(row["raw"], 10**7).text.split()) for row in rows]


def held(club: Club) -> list[dict[str, Any]]:
    return [trouble for trouble in club.office.status()["troubles"] if "held" in trouble]


@pytest.fixture
def box(club: Club) -> Iterator[ImapServer]:
    """The host's only way in is a mailbox."""
    with listening(ImapServer()) as server:
        assert isinstance(server, ImapServer)
        settle(club, imap=server)
        club.office.work(moment(club.minute))
        yield server


# -- a mailbox ------------------------------------------------------------------------------------------------------------


def test_a_mailbox_that_cannot_be_read_holds_the_deadlines(club: Club, box: ImapServer) -> None:
    """Both answered a day early, the server is away when the time is over, and back a day later."""
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


def test_a_host_that_starts_looks_into_its_mailbox_before_it_closes(club: Club, box: ImapServer) -> None:
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


def test_the_limit_closes_all_the_same_and_who_was_in_time_gets_it_signed(club: Club, box: ImapServer) -> None:
    over, early = due(club), later(due(club), hours=-3)
    raw = club.order("ann")
    box.arrive(raw, early)
    box.answers = {"LOGIN": "NO not now"}
    first = later(over, minutes=30)
    for hours in (0, 11, 12, 13, 60, 120, 7 * 24 - 1):
        club.office.work(later(first, hours=hours))
        assert skipped(club) == []
        assert len(said(club, "held")) == (2 if hours >= 12 else 0), "each is told once"
    assert "What has come in time counts." in said(club, "held")[0]
    assert "waits for 7 days" in said(club, "held")[0]
    club.office.work(later(first, hours=7 * 24))
    assert skipped(club) == ["ann", "bob"]
    box.heal()
    outcomes, _ = club.office.work(later(first, hours=7 * 24 + 1))
    assert outcomes == ["late: ann, read when its question was closed"]
    club.read_all()
    letter = next(raw for raw in reversed(club.received["ann"]) if b"read too late" in raw)
    assert "That is no fault of yours" in " ".join(read_message(letter).text.split())
    got = json.loads(read_message(letter).log.split(b"\n")[0])
    assert got[3] == early
    assert verify_sig(key_of("host").key_line, GOT, json.dumps(got[:4], separators=(",", ":")).encode(), got[4])
    envelope = club.signed(raw)
    shown = complaint({"say": envelope.say, "sig": envelope.sig}, got, club.log().dump())
    assert shown.code == "DROPPED", "anybody can see that it came in time"
    for text in said(club, "refusal"):
        assert "closed" not in text


def test_a_mail_that_the_server_does_not_hand_out_is_unread(club: Club, box: ImapServer) -> None:
    over = due(club)
    box.arrive(club.order("ann"), later(over, hours=-1))
    box.answers = {"UID FETCH": "OK done"}
    _, (trouble,) = club.office.work(later(over, hours=1))
    assert trouble == "imap: The server does not hand out what is in the mailbox: mail 1."
    assert skipped(club) == []
    box.heal()
    club.office.work(later(over, hours=2))
    assert [by for by, _ in ordered(club)] == ["ann"]


@pytest.mark.parametrize("date", ["31-Dec-9999 23:59:59 -1400", "99-Jan-2030 00:00:00 +0000"])
def test_a_mail_that_came_at_no_moment_there_is_holds_up_no_other(club: Club, box: ImapServer, date: str) -> None:
    """A server that says so of a mail keeps it; the others are taken."""
    over = due(club)
    box.arrive(b"Subject: hello\r\n\r\nhm\r\n")
    box.dates[1] = date
    box.arrive(club.order("ann"), later(over, hours=-1))
    _, (trouble,) = club.office.work(later(over, hours=-1))
    assert trouble == "imap: The server does not hand out what is in the mailbox: mail 1."
    assert club.asked() == ["bob"]


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


def test_a_time_of_arrival_that_is_still_to_come_counts_as_now(club: Club, box: ImapServer) -> None:
    now = later(due(club), hours=-2)
    box.arrive(club.order("ann"), later(due(club), hours=90))
    club.office.work(now)
    (row,) = club.office.store.rows("select at from answers")
    assert row["at"] == now


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
    (row,) = club.office.store.rows("select outcome from inbox where door = 'other'")
    assert row["outcome"].startswith("refused: ASK")


def test_a_claim_counts_after_what_came_in_time(claims: Club) -> None:
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
        (row,) = claims.office.store.rows("select outcome from inbox where door = 'lmtp'")
        assert row["outcome"].startswith("refused")
        assert kinds(claims)[-1] == "ask", "nobody has lost"


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
        (row,) = claims.office.store.rows("select outcome from inbox where outcome like 'claim%'")
        assert row == {"outcome": "claim: ann"}


def test_leave_that_came_in_time_counts_after_what_others_said_later(club: Club, box: ImapServer) -> None:
    """An entry that bears a later moment would shut it out: so what came later waits."""
    over = due(club)
    for seat, act, more in (("bob", "leave", {"hours": 24}), ("ann", "draw", {})):
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


def test_what_a_folder_holds_comes_before_a_deadline_though_one_mail_in_it_cannot_be_read(
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


# -- mail that is handed over -----------------------------------------------------------------------------------------------


def piped(club: Club) -> Office:
    """Let the host have no way in but the pipe; it is at work."""
    club.office.close()
    (club.folder / "host" / "host.toml").write_text(
        'address = "host@example.org"\n[out]\nmaildir = "mail/{local}"\n', "utf-8"
    )
    club.office = Office(club.folder / "host")
    club.office.work(moment(club.minute))
    return club.office


def test_what_a_mail_server_kept_while_the_host_stood_still_is_in_time(club: Club) -> None:
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


def test_an_order_by_a_pipe_is_late_where_nothing_stood_still(club: Club) -> None:
    over = due(club)
    office, raw = piped(club), club.order("ann")
    for minutes in range(-23 * 60, 0, 30):
        office.work(later(over, minutes=minutes))
    office.robot.tick(over)
    assert office.robot.take(raw, later(over, minutes=5), "pipe").startswith("refused: ASK")
    assert skipped(club) == ["ann", "bob"]


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
    """The answers lay unread for two days: the next question is put now, and not when they came."""
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


# -- the clock --------------------------------------------------------------------------------------------------------------


def test_a_clock_that_leaps_again_takes_nobodys_turn(club: Club) -> None:
    """Days forward, and while that is in doubt, days forward again: and so on."""
    club.robot.tick(moment(club.minute))
    for minutes in (20_000, 20_030, 40_000, 40_050, 90_000, 90_059):
        assert club.robot.tick(moment(minutes)) == 0
    assert club.robot.status()["clock_leapt_at"] == moment(90_000)
    assert club.robot.tick(moment(club.minute + 1)) == 0
    assert "clock_leapt_at" not in club.robot.status()
    assert club.robot.tick(moment(50_000)) == 0, "and forward once more"
    assert skipped(club) == []
    assert club.robot.tick(moment(50_061)) == 1, "an hour later it is believed"


def test_a_mail_closes_nothing_by_a_clock_that_has_leapt(club: Club) -> None:
    """Whatever comes first, a look or a mail that is handed over."""
    office, raw = piped(club), club.order("ann")
    over = due(club)
    assert office.robot.take(raw, moment(20_000), "pipe") == HELD
    assert skipped(club) == []
    right = moment(club.minute + 5)
    office.work(right)
    office.work(moment(club.minute + 6))
    assert ordered(club) == []
    (row,) = office.store.rows("select at, outcome from inbox order by id desc limit 1")
    assert row == {"at": right, "outcome": "order: ann"}, "put right, it came now at the latest"
    assert due(club) == over


def test_what_was_read_by_a_wrong_clock_was_not_read_so_far(club: Club, box: ImapServer) -> None:
    """The clock goes ahead by two days, too few to be noticed, before the time is over; then it is put right."""
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


@pytest.mark.parametrize("hours", [1, 30])
def test_a_clock_that_leaps_while_the_host_runs_is_noticed_by_another_that_nobody_sets(club: Club, hours: int) -> None:
    over = due(club)
    club.office.work(later(over, minutes=-5))
    running = Running(club.office, lambda: clock[0], lambda _: None, lambda: pulse[0])
    clock, pulse = [later(over, minutes=-5)], [0.0]
    running._look_around()
    clock[0], pulse[0] = later(over, hours=hours), 60.0
    running._look_around()
    assert club.robot.status()["clock_leapt_at"] == clock[0]
    clock[0], pulse[0] = later(over, minutes=-3), 120.0
    running._look_around()
    clock[0], pulse[0] = later(over, minutes=7), 720.0
    running._look_around()
    assert skipped(club) == ["ann", "bob"], "an hour did not have to pass: the clock was put right"


# -- mails over which the program stumbles, or dies ---------------------------------------------------------------------------


def stuck(club: Club) -> list[dict[str, Any]]:
    return [trouble for trouble in club.office.status()["troubles"] if "mail" in trouble]


@pytest.fixture
def deadly(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """While the file that is returned is there, every process that begins dies over each mail that is signed."""
    folder = tmp_path_factory.mktemp("deadly")
    sign = folder / "sign"
    sign.touch()
    (folder / "sitecustomize.py").write_text(
        "import os, pathlib\n"
        f"if pathlib.Path({str(sign)!r}).exists():\n"
        "    from pbem.host.deciding import Decider\n"
        "    Decider._handle = lambda *_: os._exit(9)\n",
        "utf-8",
    )
    monkeypatch.syspath_prepend(str(folder))
    return sign


def test_a_mail_over_which_the_program_dies_is_decided_apart_and_holds_its_game(club: Club, deadly: Path) -> None:
    over, at = due(club), later(due(club), hours=-2)
    raw = club.order("ann")
    club.office.work(at)
    number = club.robot.keep(raw, at, "imap")
    club.office.store.put("meta", name=f"dies over {number}", value="3")  # so often it was begun and not ended
    club.robot.catch_up()  # this process lives
    (one,) = stuck(club)
    assert (one["mail"], one["games"], one["tries"], one["since"]) == (number, [1], 1, at)
    assert one["next"] == later(at, minutes=1)
    assert club.office.status()["troubles"][0] == one, "it stands first"
    assert club.robot.status()["mails_stuck"] == 1
    _, troubles = club.office.work(later(at, minutes=2))
    assert troubles == [f"mail {number} is not decided: the program died over it, time and again"]
    assert (stuck(club)[0]["tries"], stuck(club)[0]["next"]) == (2, later(at, minutes=7))
    club.office.work(later(over, hours=2))
    assert skipped(club) == [], "it may be an order that came in time"
    assert held(club)[0]["why"] == f"mail {number}"
    first, second = (_told(trouble) for trouble in club.office.status()["troubles"])
    assert first.startswith(f"The program stumbles over mail {number} (games 1), since {at}; after 3 tries")
    assert second.startswith(f"The deadline of game 1 was over at {over}, and is held since")
    deadly.unlink()
    club.office.work(later(over, hours=5))
    assert ordered(club) == [("ann", at)]
    assert skipped(club) == ["bob"]
    assert stuck(club) == []
    assert held(club) == []


def test_a_mail_over_which_the_program_stumbles_holds_its_game_and_is_tried_again(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    over, at = due(club), later(due(club), hours=-2)
    raw = club.order("ann")
    club.office.work(at)
    with monkeypatch.context() as patch:

        def stumble(*_: object) -> str:
            raise ZeroDivisionError("a fault of ours")

        patch.setattr("pbem.host.play.GamesInPlay.order", stumble)
        assert club.robot.take(raw, at, "imap").startswith("failed: ZeroDivisionError")
        club.office.work(later(over, hours=1))
        assert skipped(club) == []
        assert stuck(club)[0]["why"] == "ZeroDivisionError: a fault of ours"
        assert stuck(club)[0]["tries"] == 2
    club.office.work(later(over, hours=8))
    assert ordered(club) == [("ann", at)]
    assert skipped(club) == ["bob"]


def test_a_mail_over_which_the_program_stumbles_holds_nothing_for_ever(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    over, raw = due(club), club.order("ann")
    monkeypatch.setattr("pbem.host.deciding.read_block", lambda _: 1 // 0)
    club.office.work(later(over, hours=-3))
    club.robot.take(raw, later(over, hours=-2), "imap")
    for days in (0, 2, 4, 6):
        club.office.work(later(over, hours=1 + 24 * days))
        assert skipped(club) == []
    club.office.work(later(over, hours=24 * 8))
    assert skipped(club) == ["ann", "bob"]


@pytest.mark.parametrize(
    ("raw", "recipient", "held"),
    [
        (b"From: x@example.net\r\n\r\n", "host+g1@example.org", (1,)),
        (b"From: x@example.net\r\nSubject: Re: [pbem 1] your move\r\n\r\n", "", (1,)),
        (b"From: x@example.net\r\n\r\nGAME 1\r\nhm", "", (1,)),
        (b"From: Ann <ANN@example.org>\r\n\r\nhm", "", (1,)),
        (b"From: Ann <ann@example.org>\r\nSubject: [pbem 77]\r\n\r\nhm", "", (1,)),
        (b"From: x@example.net\r\nSubject: [pbem 77]\r\n\r\nhm", "", ()),
        (b"", "", ()),
        (b"From: " + b"@" * 60_000, "", ()),
    ],
)
def test_which_games_a_mail_holds_is_told_without_taking_it_apart(
    club: Club, raw: bytes, recipient: str, held: tuple[int, ...]
) -> None:
    assert games(club.office.store, raw, recipient) == held


# -- what is sent late ------------------------------------------------------------------------------------------------------


class NoWay:
    """A mail server that takes nothing, or nothing for one address."""

    def __init__(self, office: Office, address: str = "") -> None:
        self.true, self.address = office.way_out(), address

    def carry(self, sender: str, address: str, raw: bytes) -> None:
        if not self.address:
            raise WorldError("the mail server is down")
        if address == self.address:
            raise NotTaken("the mailbox is full", for_good=False)
        self.true.carry(sender, address, raw)

    def check(self, sender: str) -> str:
        return self.true.check(sender)

    def objection(self, sender: str, address: str) -> str:
        return self.true.objection(sender, address)

    def close(self) -> None:
        """Nothing is open."""


@pytest.fixture
def next_question(club: Club) -> Club:
    """Both have answered, and no letter with the next question, of one of them, has been sent."""
    for seat in ("ann", "bob"):
        club.take(club.order(seat))
    return club


def test_who_was_not_sent_the_question_is_not_late(next_question: Club) -> None:
    club, over = next_question, due(next_question)
    (asked,) = club.asked()
    club.office._carrier = NoWay(club.office)
    club.office.work(moment(club.minute))
    club.office.work(later(over, hours=30))
    assert skipped(club) == []
    (trouble,) = held(club)
    assert f"not been sent to {asked}" in _told(trouble)
    assert said(club, "held") == [], "nobody is to be told of what he has not got"
    club.office._carrier = None
    club.office.send_again()
    back = later(over, hours=31)
    club.office.work(back)
    assert skipped(club) == []
    assert due(club) == later(back, hours=24)
    assert kinds(club).count("extend") == 1, "once for all letters"
    club.read_all()
    club.office.work(later(back, hours=25))
    assert skipped(club) == [asked]
    assert verify(club.office.robot.export(1)).verdict == "unfinished"


def test_a_question_that_was_sent_late_has_its_whole_time(next_question: Club) -> None:
    """The server was down for five hours; who got the question before has the same time."""
    club, put = next_question, due(next_question)
    club.office._carrier = NoWay(club.office, f"{club.asked()[0]}@example.org")
    club.office.work(moment(club.minute))
    club.office._carrier = None
    late = later(moment(club.minute), hours=5)
    club.office.send_again()
    club.office.work(late)
    assert due(club) == later(late, hours=24) > put


def test_a_letter_that_only_a_doubtful_clock_calls_late_waits(next_question: Club) -> None:
    """What it would write, more time from then on, would bear a false moment; and if the clock is right, time is given after."""
    club, put = next_question, due(next_question)
    club.robot.arrivals.look(moment(club.minute))
    club.office.work(later(moment(club.minute), hours=500))
    assert "extend" not in kinds(club)
    club.office.work(moment(club.minute))
    club.read_all()
    assert due(club) == put
    assert "extend" not in kinds(club)


def test_a_letter_that_is_late_by_a_clock_that_leapt_and_is_right_gives_time(next_question: Club) -> None:
    club = next_question
    club.robot.arrivals.look(moment(club.minute))
    late = later(moment(club.minute), hours=100)
    club.office.work(late)
    assert "extend" not in kinds(club)
    club.office.work(right := later(late, hours=2))
    assert due(club) == later(right, hours=24)
    assert skipped(club) == []


def test_who_dies_after_a_late_letter_gives_its_time_all_the_same(
    next_question: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The letter goes again, as nobody knows of it; with it goes the time."""
    club, late = next_question, later(moment(next_question.minute), hours=5)

    def die(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(club.robot, "handed_over", die)
        with pytest.raises(KeyboardInterrupt):
            club.office.work(late)
    club.office.work(late)
    assert due(club) == later(late, hours=24)


def test_a_letter_that_comes_soon_changes_nothing(next_question: Club) -> None:
    club, put = next_question, due(next_question)
    club.office.work(later(moment(club.minute), minutes=50))
    assert due(club) == put
    assert "extend" not in kinds(club)


def test_who_takes_no_mail_is_waited_for_as_long_as_the_club_says(next_question: Club) -> None:
    club, over = next_question, due(next_question)
    club.office._carrier = NoWay(club.office, f"{club.asked()[0]}@example.org")
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
    """It leaps by three weeks, then it is four days ahead: what comes meanwhile bears no moment of either."""
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
    assert club.robot.overview()[0]["waiting"] == ["bob"]
    assert max(entry.fields.get("at", "") for entry in club.log().entries) <= later(now, hours=1)


def test_a_call_that_was_not_sent_is_not_claimed_from(claims: Club) -> None:
    """Ann has another key and all are called to be ready; the letter that calls bob cannot go."""
    over, desk = due(claims), claims.desks["ann"]
    desk.keys.rekey(key_of("ann again"), claims.now())
    assert [claims.take(raw) for raw in claims.letters(desk)] == ["rekey: ann"]
    claims.office._carrier = NoWay(claims.office, "bob@example.org")
    claims.office.work(moment(claims.minute))
    assert claims.robot.arrivals.holding(1, later(over, hours=1)) == ["maildir", "letter bob"]
    claims.office._carrier = None
    claims.office.send_again()
    late = later(moment(claims.minute), hours=5)
    claims.office.work(late)
    assert due(claims) == later(late, hours=24), "and once it is sent, there is the whole time"


# -- what an operator's worst days bring --------------------------------------------------------------------------------------


@pytest.mark.parametrize("days", [0, 7])
def test_no_time_is_given_up_before_the_mailbox_was_tried(club: Club, box: ImapServer, days: int) -> None:
    """The club's limit is over when the host starts, and what came in time lies in a mailbox that works again."""
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
    """Six days it was held, two nobody was at work; the network comes a minute after the start."""
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


def test_a_full_folder_for_what_is_done_keeps_no_order_from_being_read(club: Club, box: ImapServer) -> None:
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


@pytest.mark.parametrize("said", ["", '* 2 FETCH (UID 2 INTERNALDATE "01-Jan-2030 01:02:00 +0000" BODY[]<0> NIL)'])
def test_a_mail_that_the_server_cannot_read_holds_up_no_other(club: Club, said: str) -> None:
    over, early = due(club), later(due(club), hours=-20)
    with listening(Damaged()) as server:
        assert isinstance(server, Damaged)
        settle(club, imap=server)
        server.said = said
        for raw in (b"Subject: hm\r\n\r\nanything\r\n", club.order("ann"), club.order("bob")):
            server.arrive(raw, early)
        _, (trouble,) = club.office.work(later(over, hours=1))
        assert trouble == "imap: The server does not hand out what is in the mailbox: mail 2."
        assert skipped(club) == []
        assert list(server.folders["INBOX"]) == [2], "it is neither taken for an empty mail nor moved"
        server.bad = 0
        club.office.work(later(over, hours=2))
    assert sorted(ordered(club)) == [("ann", early), ("bob", early)]


def test_numbers_of_another_mailbox_move_no_mail(club: Club, box: ImapServer) -> None:
    """The line is cut over a mail, and when it is opened again the mailbox is another, with other numbers."""
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


def test_a_mail_folder_that_was_read_is_not_made_anew(club: Club) -> None:
    """Its disk is not mounted when the host starts, or goes away while it works."""
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
        (wrong,) = [sentence for well, sentence in club.office.check(later(over, hours=hours)) if not well]
        assert "is missing" in wrong
        club.office.close()
        club.office = Office(club.folder / "host")
    away.rename(inbox.path)
    club.office.work(later(over, hours=3))
    assert skipped(club) == []
    assert [by for by, _ in ordered(club)] == ["ann", "bob"]


def test_a_mail_that_is_the_first_after_a_small_leap_closes_nothing(club: Club) -> None:
    """The clock leaps by an hour between two looks, and then a mail server hands something over."""
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
    assert club.robot.overview()[0]["waiting"] == ["bob"], "put right, it was in time"


def test_a_mail_that_is_stored_and_undecided_holds_its_game(club: Club) -> None:
    """The process that is to decide on it could not use the store."""
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


def test_a_mail_that_a_pipe_told_to_come_again_is_in_time_when_it_does(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store is busy or broken for a quarter of an hour, too short for a standstill, and the time is over in it."""
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
