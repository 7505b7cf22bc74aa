"""What goes wrong around a host: full disks, clocks that jump, mail out of order, two hosts at once, a mail it stumbles over.

Each time: what happened, what the host says, and that nothing is lost and nothing is done twice.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.errors import WorldError
from pbem.host import Office, Robot, locks
from pbem.host.condition import figures
from pbem.host.deciding import Decider
from pbem.host.robot import DEATHS
from pbem.host.sending import SENDING
from pbem.ledger import Log, verify
from pbem.mail import Maildir
from pbem.referee import Referee
from tests.a_postgres import of_a_file
from tests.stored import stored_row, stored_rows

from .post import EPOCH, Club, a_club, moment


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    with a_club(tmp_path_factory.mktemp("club"), turns=2, hours=24) as club:
        yield club.begin()


@pytest.fixture
def club(begun: Club, tmp_path: Path) -> Iterator[Club]:
    twin = begun.copy_to(tmp_path)
    yield twin
    twin.office.close()


def letters(club: Club) -> list[dict[str, object]]:
    return stored_rows(club.office.store, "select message_id, address, raw from outbox order by message_id")


# --- a full disk ------------------------------------------------------------------------------------------------------


@pytest.mark.variants
@of_a_file("its pages are counted")
@pytest.mark.parametrize("pages", [0, 1, 2, 4, 8, 16])
def test_a_full_disk_takes_nothing_half_and_loses_nothing(begun: Club, tmp_path: Path, pages: int) -> None:
    """The answer is “Try again” with exit code 75 and the free space. A stored mail is decided once there is room, with
    its time of arrival."""
    calm, full = begun.copy_to(tmp_path / "calm"), begun.copy_to(tmp_path / "full")
    raws = [begun.copy_to(tmp_path / seat).order(seat) for seat in ("ann", "bob")]
    for minute, raw in enumerate(raws, 500):
        calm.robot.take(raw, moment(minute))
    full.robot.take(raws[0], moment(500))
    before = full.state()
    db = full.office.store.db
    (size,), (free,) = (db.execute(f"pragma {name}").fetchone() for name in ("page_count", "freelist_count"))
    db.execute(f"pragma max_page_count = {size - free + pages}").fetchall()
    with suppress(WorldError):
        full.robot.take(raws[1], moment(501))
    if stored_row(full.office.store, "select id from inbox where at = ? and outcome <> ''", moment(501)) is None:
        assert full.state() == before
    db.execute("pragma max_page_count = 1000000").fetchall()
    assert full.robot.take(raws[1], moment(502)) in ("order: bob", "duplicate")
    at = stored_row(full.office.store, "select at from inbox order by id desc")
    assert (full.log().dump() == calm.log().dump()) == (at == {"at": moment(501)}), "stored once, with the time it came"
    assert [row["message_id"] for row in letters(full)] == [row["message_id"] for row in letters(calm)]
    for club in (calm, full):
        club.office.close()


@of_a_file("its pages are counted")
def test_a_host_that_began_on_a_full_disk_loses_no_order_once_there_is_room(begun: Club, tmp_path: Path) -> None:
    """The disk is full when the host starts."""
    full = begun.copy_to(tmp_path / "full")
    raw = begun.copy_to(tmp_path / "ann").order("ann")
    db = full.office.store.db
    (size,) = db.execute("pragma page_count").fetchone()
    db.execute(f"pragma max_page_count = {size}").fetchall()
    with suppress(WorldError):
        full.robot.tick(moment(500))
    db.execute("pragma max_page_count = 1000000").fetchall()
    assert full.robot.take(raw, moment(501)) == "order: ann"
    assert "ann" not in full.asked()
    full.office.close()


@of_a_file("its pages are counted")
def test_a_full_disk_is_said_to_be_one(club: Club) -> None:
    (size,) = club.office.store.db.execute("pragma page_count").fetchone()
    club.office.store.db.execute(f"pragma max_page_count = {size}").fetchall()
    with pytest.raises(WorldError, match=r"disk is full.*Try again"):
        club.robot.take(b"From: ann@example.org\r\n\r\n" + b"much\r\n" * 9999, club.now())


# --- clocks -----------------------------------------------------------------------------------------------------------


def due(club: Club) -> str:
    found: str = club.log().entries[-1].fields["due"]
    return found


def test_a_clock_that_leaps_forward_takes_nobodys_turn_at_once(club: Club) -> None:
    """A leap of three days, or of ten minutes while the host runs. For an hour the host closes no question and signed
    mail waits; `status` shows it. A clock corrected within the hour leaves no trace."""
    assert club.robot.tick(moment(club.minute)) == 0
    assert club.robot.tick("2038-01-19T03:14:07Z") == 0
    assert figures(club.robot.store)["clock_leapt_at"] == "2038-01-19T03:14:07Z"
    assert club.robot.tick("2038-01-19T04:14:00Z") == 0
    assert club.robot.tick(moment(club.minute + 1)) == 0, "put right again"
    assert "clock_leapt_at" not in figures(club.robot.store)
    assert [entry.k for entry in club.log().entries].count("skip") == 0
    assert club.robot.tick(moment(24 * 60 + 30)) == 1, "a day later it is late indeed"


def test_after_a_standstill_questions_are_closed_an_hour_later(club: Club) -> None:
    """The host stood still for days, and reads the waiting mail before it calls anybody late."""
    assert club.robot.tick(moment(club.minute)) == 0
    assert club.robot.tick(moment(7 * 24 * 60)) == 0
    assert club.robot.tick(moment(7 * 24 * 60 + 59)) == 0
    assert club.robot.tick(moment(7 * 24 * 60 + 60)) == 1


def test_a_clock_put_back_shortens_no_time_to_answer(club: Club) -> None:
    """The host counts from the latest moment known in the game."""
    before = due(club)
    for seat in ("ann", "bob"):
        club.robot.take(club.order(seat), "2029-01-01T00:00:00Z")
    assert due(club) >= before
    assert verify(club.log().dump()).verdict == "unfinished"
    assert club.robot.tick("2029-01-01T00:01:00Z") == 0


@pytest.mark.slow
@settings(max_examples=4)
@given(st.lists(st.integers(-10_000, 10_000), min_size=20, max_size=20))
def test_whatever_the_clock_says_the_log_is_sound(
    begun: Club, tmp_path_factory: pytest.TempPathFactory, clock: list[int]
) -> None:
    """Dice and rules read no clock."""
    club = begun.copy_to(tmp_path_factory.mktemp("twin"))
    times = iter(moment(20_000 + minute) for minute in clock)
    while (asked := club.asked()) and (at := next(times, "")):
        club.robot.take(club.order(asked[0]), at)
        club.robot.tick(at)
        club.read_all()
    assert verify(club.log().dump()).verdict in ("unfinished", "clean")
    club.office.close()


# --- mail out of order, and doubled -----------------------------------------------------------------------------------


@pytest.mark.slow
@settings(max_examples=4)
@given(st.randoms(use_true_random=False))
def test_mail_that_comes_doubled_and_out_of_order_plays_the_same_game(
    begun: Club, tmp_path_factory: pytest.TempPathFactory, chance: random.Random
) -> None:
    """The mails come twice and by two ways. Each order is in the log once, and all copies are as usual."""
    club, old = begun.copy_to(tmp_path_factory.mktemp("twin")), [raw for _, raw in begun.sent]
    while asked := club.asked():
        new = [club.order(seat) for seat in asked]
        doubled = new + [b"Received: by another way\r\n" + raw for raw in new] + chance.sample(old, min(3, len(old)))
        chance.shuffle(doubled)
        for raw in doubled:
            club.take(raw)
        old += new
        for seat, raws in club.deliver().items():
            desk, waiting = club.desks[seat], raws + chance.sample(raws, len(raws) // 2)
            chance.shuffle(waiting)
            for raw in sorted(waiting, key=club._order_sent):
                desk.read(raw)
    log = club.log()
    assert verify(log.dump()).verdict == "clean"
    answered = [(e.fields["by"], e.fields["say"]["ask"]) for e in log.entries if e.k == "order"]
    assert len(answered) == len(set(answered))
    assert "skip" not in {e.k for e in log.entries}
    for seat, desk in club.desks.items():
        assert verify(desk.copy(desk.notes()).log.dump(), seat).verdict == "clean"
    club.office.close()


# --- two hosts --------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_two_hosts_on_one_store_do_nothing_twice(begun: Club, tmp_path: Path) -> None:
    """Started by mistake, or a pipe and a timer. Each locks the store before it reads, so the second finds every mail
    decided."""
    calm, both = begun.copy_to(tmp_path / "calm"), begun.copy_to(tmp_path / "both")
    orders = [begun.copy_to(tmp_path / f"{seat}{no}").order(seat) for seat in ("ann", "bob") for no in range(2)]
    noise = [b"From: bob@example.org\r\n\r\nnumber %d\r\n" % no for no in range(12)]
    mails = list(enumerate((*noise, *orders), 500))
    inbox = Maildir(both.folder / "host" / "mail" / "host")
    for minute, raw in mails:
        calm.robot.take(raw, moment(minute))
        inbox.deliver(raw, EPOCH + 60 * minute)
    calm.office.send(moment(530))

    def work(_: int) -> None:
        office = Office(both.folder / "host")
        office.work(moment(600))
        office.close()

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(work, range(2)))
    entries = [(e.k, e.fields.get("by")) for e in both.log().entries]
    assert entries == [(e.k, e.fields.get("by")) for e in calm.log().entries]
    assert verify(both.log().dump()).verdict == "unfinished"
    assert figures(both.robot.store)["mails_in"] == figures(calm.robot.store)["mails_in"]
    assert figures(both.robot.store)["mails_undecided"] == figures(both.robot.store)["mails_unsent"] == 0
    ids = "select message_id from outbox where kind <> 'refusal' order by message_id"
    assert stored_rows(both.office.store, ids) == stored_rows(calm.office.store, ids)
    assert not list(inbox.new())
    for club in (calm, both):
        club.office.close()


def test_a_draft_of_another_program_of_the_host_stays_whatever_the_clock_says(club: Club) -> None:
    """The clock jumps to 2030, so the draft looks years old. Only the sending program may remove drafts."""
    box = Maildir(club.folder / "host" / "mail" / "ann")
    draft = box.path / "tmp" / "1-2.letter.01234567.eml"
    draft.write_bytes(b"half a let")
    sending = locks.alone(club.folder / "host" / SENDING)
    assert sending is not None
    assert club.office.sweep(moment(600)) == 0
    assert draft.exists()
    sending.close()
    assert club.office.sweep(moment(600)) == 1
    assert not draft.exists()


# --- a mail over which the program stumbles ---------------------------------------------------------------------------


def test_a_mail_over_which_the_program_stumbles_stops_no_other(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """`status` shows the mail first. The host retries after 1, 5 and 15 minutes and 1, 4 and 12 hours, or at `pbem host
    retry`."""
    raw, other = club.order("ann"), club.order("bob")
    with monkeypatch.context() as patch:

        def stumble(*_: object) -> Referee:
            raise ZeroDivisionError("a fault of ours")

        patch.setattr("pbem.host.hosted.HostedGame.resume", stumble)
        before = club.log().dump()
        assert club.take(raw) == "failed: ZeroDivisionError: a fault of ours"
        assert club.log().dump() == before
        assert figures(club.robot.store)["mails_stuck"] == 1
    assert club.take(other) == "order: bob"
    assert club.robot.retry() == ["order: ann"], "once the fault is mended"
    assert figures(club.robot.store)["mails_stuck"] == 0
    assert len(club.log().entries) > len(Log.parse(before).entries)


def test_a_mail_that_breaks_a_rule_of_the_store_is_no_fault_of_the_disk(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would come again and again, and hold up all mail behind it."""
    raw = club.order("ann")

    def twice(robot: Robot, *_: object) -> str:
        for _no in range(2):
            robot.store.insert("meta", name="only once", value="")
        return ""

    with monkeypatch.context() as patch:
        patch.setattr(Decider, "_handle", twice)
        assert club.take(raw).startswith(("failed: IntegrityError", "failed: UniqueViolation"))
    assert stored_row(club.robot.store, "select * from meta where name = 'only once'") is None
    assert club.robot.retry() == ["order: ann"]


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="it takes a process of its own to die")
def test_a_mail_over_which_the_program_died_by_chance_is_decided_apart(club: Club) -> None:
    """Somebody killed the host several times during the same mail. The operator need do nothing."""
    raw, other = club.order("ann"), club.order("bob")
    for mail in (raw, other):
        assert club.robot.keep(mail, club.now()) is not None
    club.office.close()
    for _ in range(DEATHS):
        if not (child := os.fork()):
            Decider._handle = lambda *_: os._exit(9)  # type: ignore[method-assign]
            try:
                Office(club.folder / "host").robot.catch_up()
            finally:
                os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
    club.office = Office(club.folder / "host")
    assert club.robot.catch_up() == 2
    assert figures(club.robot.store)["mails_stuck"] == 0
    said = [
        row["outcome"] for row in stored_rows(club.robot.store, "select outcome from inbox order by id desc limit 2")
    ]
    assert said == ["order: bob", "order: ann"], "in the order in which they came"
    assert not stored_rows(club.robot.store, "select * from meta where name like 'dies%'")


def test_a_game_over_which_the_program_stumbles_stops_no_other(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error occurs at a passed deadline. `status` shows it, and the host tries again."""
    late = moment(24 * 60 + 30)
    with monkeypatch.context() as patch:

        def stumble(*_: object) -> Referee:
            raise ZeroDivisionError("a fault of ours")

        patch.setattr("pbem.host.hosted.HostedGame.resume", stumble)
        assert club.robot.tick(late) == 0
        (trouble,) = club.office.troubles()
        assert (trouble["way"], trouble["why"]) == ("game 1", "ZeroDivisionError: a fault of ours")
    assert club.robot.tick(late) == 1, "once the fault is mended"
    assert club.office.troubles() == []


def test_a_reminder_over_which_the_program_stumbles_is_tried_again(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other games continue; `status` shows the error."""
    half = moment(club.minute + 13 * 60)
    waiting = stored_rows(club.robot.store, "select * from reminders where at <= ?", half)
    assert waiting
    with monkeypatch.context() as patch:

        def stumble(*_: object) -> bool:
            raise ZeroDivisionError("a fault of ours")

        patch.setattr("pbem.host.deadlines.Deadlines._remind", stumble)
        assert club.robot.tick(half) == 0
        assert [found["way"] for found in club.office.troubles()] == ["reminding in game 1"]
        assert stored_rows(club.robot.store, "select * from reminders where at <= ?", half) == waiting
    assert club.robot.tick(half) == 0
    assert club.office.troubles() == []
    assert stored_rows(club.robot.store, "select * from reminders where at <= ?", half) == []


def test_the_end_of_the_program_is_no_fault_of_a_mail(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    raw = club.order("ann")
    with monkeypatch.context() as patch:
        patch.setattr(Decider, "_handle", stop)
        with pytest.raises(KeyboardInterrupt):
            club.take(raw)
    assert figures(club.robot.store)["mails_undecided"] == 1
    assert club.robot.catch_up() == 1
    assert figures(club.robot.store)["mails_undecided"] == 0
