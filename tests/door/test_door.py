"""The door of a host, as its players' programs find it: letters go in and come out as by mail."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.errors import WorldError
from pbem.host import Office, Running
from pbem.host.checking import check as check_host
from pbem.host.store import Store
from pbem.ledger import verify
from pbem.mail import read_message
from pbem.mail.door import Answered
from pbem.player.door import NotHeard
from tests.door.door import health
from tests.host.post import Club, a_club, moment
from tests.host.running import hand_over, running
from tests.mail.scripted import SmtpServer, listening
from tests.servers.real import free_ports
from tests.stored import stored_rows

from .doors import PATIENCE, DoorHost, at_work, settings


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path) as club:
        yield club


def said(raw: bytes) -> bytes:
    """A mail as every way writes its line ends."""
    return raw.replace(b"\r\n", b"\n")


@pytest.mark.slow
def test_an_order_is_brought_and_its_receipt_is_the_answer(club: Club) -> None:
    """If the answer is lost, the program delivers again, and the host recognises the order."""
    club.begin()
    (seat, *_others) = club.asked()
    letter = club.order(seat)
    with at_work(club) as host:
        answer = host.door(club, seat).bring(letter)
        assert answer.became == "taken"
        receipt = answer.letters[-1].mail
        assert club.desks[seat].read(receipt).game == club.log().game
        assert host.door(club, seat).bring(letter).became == "duplicate"
        assert host.door(club, seat).letters(answer.upto).letters == ()
    assert seat not in club.asked()
    mailed = stored_rows(club.office.store, "select raw from outbox where kind = 'receipt'")
    assert said(receipt) in [said(bytes(row["raw"])) for row in mailed], (
        "what lies at the door are the very bytes of the mail"
    )


@pytest.mark.slow
def test_a_block_alone_is_taken_and_what_is_refused_is_told(club: Club) -> None:
    club.begin()
    (seat, *_others) = club.asked()
    letter = club.order(seat)
    text = read_message(letter).text
    block = text[text.index("BEGIN PBEM ORDERS") :].encode()
    with at_work(club) as host:
        door = host.door(club, seat)
        refused = door.bring(block.replace(b"END", b"").replace(b"0", b"1"))
        assert refused.became in ("refused", "unreadable")
        assert door.bring(block).became == "taken"
        answer = door.bring(block.replace(b" ", b"  "), refused.upto)
        assert (answer.became, len(answer.letters)) == ("duplicate", 1), "the receipt once more lies there, from before"


@pytest.mark.slow
@pytest.mark.parametrize("by_door", ["all", "every other", "none"])
def test_the_same_letters_at_the_same_times_give_the_same_log(tmp_path: Path, by_door: str) -> None:
    """By the door, by mail, or by both in turn: byte for byte, from the first join to the end."""
    with a_club(tmp_path / "mail", hours=24) as mailed:
        mailed.begin().play()
        whole = mailed.log().dump()
        sent = [(minute, raw, str(mailed.signed(raw).say["seat"])) for minute, raw in mailed.sent]
    assert verify(whole).verdict == "clean"
    (port,) = free_ports(1)
    with a_club(tmp_path / "door", hours=24) as club:
        with at_work(club, settings() + f"[in.lmtp]\nport = {port}\n", minute=1) as host:
            for no, (minute, raw, seat) in enumerate(sent):
                host.clock[0] = moment(minute)
                if by_door == "all" or (by_door == "every other" and no % 2):
                    assert host.door(club, seat).bring(raw).became == "taken"
                else:
                    assert hand_over(port, "host@example.org", raw)[0] == 250
        assert club.log().dump() == whole


@pytest.mark.slow
def test_a_game_is_played_by_the_door_alone(tmp_path: Path) -> None:
    """Each reads what lies there for him and answers; his copy is verified, and nobody fetches a mail."""
    with a_club(tmp_path, turns=1) as club:
        club.begin()
        with at_work(club) as host:
            seen = dict.fromkeys(club.desks, 0)
            while club.asked():
                for seat in club.asked():
                    assert host.door(club, seat).bring(club.order(seat)).became == "taken"
                for seat, desk in club.desks.items():
                    for no, raw in host.door(club, seat).all_letters(seen[seat]):
                        desk.read(raw)
                        seen[seat] = no
        for desk in club.desks.values():
            assert desk.copy(desk.notes()).log.finished
            assert verify(desk.copy(desk.notes()).log.dump(), desk.notes().seat).verdict == "clean"


@pytest.mark.slow
def test_who_listens_hears_a_number_when_something_lies_there(club: Club) -> None:
    club.begin()
    first, *others = club.asked()
    with at_work(club) as host, host.door(club, first).numbers() as numbers, ExitStack() as stack:
        assert [next(numbers), host.door(club, first).bring(club.order(first)).upto, next(numbers)] == [0, 1, 1]
        streams = {seat: stack.enter_context(host.door(club, seat).numbers()) for seat in others}
        for other in others:
            assert next(streams[other]) == 0
            assert host.door(club, other).bring(club.order(other)).upto == next(streams[other]) > 0


@pytest.mark.slow
def test_a_listener_gets_letters_that_another_program_of_the_host_stores(club: Club) -> None:
    """`pbem host take` stores a letter while the host rests. The listening program gets it within a second."""
    club.begin()
    seat, other = club.asked()
    letter = club.order(seat)
    with at_work(club) as host, host.door(club, seat).numbers() as numbers, host.door(club, other).numbers() as others:
        assert [next(numbers), next(others)] == [0, 0]
        taken = CliRunner().invoke(app, ["host", "take", "--dir", str(club.folder / "host")], input=letter)
        assert taken.exit_code == 0, taken.output
        assert next(numbers) == 1
        assert host.door(club, other).bring(club.order(other)).upto == next(others) > 0, "nothing rang for him before"


@pytest.mark.slow
def test_a_store_that_cannot_be_read_for_a_while_is_told_of_once(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """Listeners continue when the host can read it again, and the host says that once, too."""
    club.begin()
    seat = club.asked()[0]
    real, tried = Store.door_news, threading.Semaphore(0)

    def unreadable(_store: Store, _since: int) -> Any:
        tried.release()
        raise sqlite3.OperationalError("disk I/O error")

    with at_work(club) as host, host.door(club, seat).numbers() as numbers:
        assert next(numbers) == 0
        with monkeypatch.context() as patch:
            patch.setattr(Store, "door_news", unreadable)
            for _ in range(3):
                assert tried.acquire(timeout=PATIENCE)
            host.hear("door: OperationalError: disk I/O error")
        assert Store.door_news is real
        assert "again" in host.said.get(timeout=PATIENCE), "it was said once"
        assert host.door(club, seat).bring(club.order(seat)).upto == next(numbers) == 1


@pytest.mark.slow
def test_the_latest_listeners_of_a_seat_stay_connected(club: Club) -> None:
    """The last four programs continue."""
    club.begin()
    seat = club.asked()[0]
    with at_work(club) as host, ExitStack() as stack:
        first, *streams = [stack.enter_context(host.door(club, seat).numbers()) for _ in range(5)]
        assert [next(stream) for stream in streams] == [0] * 4
        assert set(first) <= {0}, "it was ended"
        host.door(club, seat).bring(club.order(seat))
        assert [next(stream) for stream in streams] == [1] * 4


@pytest.mark.slow
def test_closing_the_web_address_ends_its_streams(club: Club) -> None:
    """The host stops while a program listens."""
    club.begin()
    with at_work(club) as host, host.door(club, club.asked()[0]).numbers() as numbers:
        next(numbers)
        assert host.running is not None
        host.running.stop()
        assert list(numbers) == []


@pytest.mark.slow
def test_a_restarted_host_continues_where_it_was(club: Club) -> None:
    """Letters keep their numbers, and the host knows earlier deliveries. Programs sign requests again by themselves."""
    club.begin()
    seat, other = club.asked()
    letter = club.order(seat)
    with at_work(club) as host:
        door = host.door(club, seat)
        before = door.bring(letter)
        port = host.port
    with at_work(club, settings(port=port)) as host:
        assert door.letters(0) == before.model_copy(update={"became": ""}), (
            "the same program, which knows nothing of it"
        )
        assert door.bring(letter).became == "duplicate"
        assert host.door(club, other).bring(club.order(other)).upto > 0


@pytest.mark.slow
def test_two_players_deliver_at_once(club: Club) -> None:
    """The host decides both letters, one after the other."""
    club.begin()
    letters = {seat: club.order(seat) for seat in club.asked()}
    answers: dict[str, Answered] = {}
    with at_work(club) as host:
        doors = {seat: host.door(club, seat) for seat in letters}
        start = threading.Barrier(len(doors))

        def bring(seat: str) -> None:
            start.wait()
            answers[seat] = doors[seat].bring(letters[seat])

        threads = [threading.Thread(target=bring, args=[seat]) for seat in doors]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert {answer.became for answer in answers.values()} == {"taken"}
    assert verify(club.log().dump()).verdict == "unfinished"


@pytest.mark.slow
@pytest.mark.parametrize("path", ["", "desk/", "club/desk/"])
def test_a_door_may_stand_below_a_path(club: Club, path: str) -> None:
    """Signed is what stands behind it, whether the proxy hands the path on or takes it off."""
    club.begin()
    (port,) = free_ports(1)
    address = f"http://127.0.0.1:{port}/{path}"
    with at_work(club, settings(address, port=port)) as host:
        assert host.door(club, "ann", address=address).bring(club.order("ann")).became == "taken"
        assert host.door(club, "ann").letters().upto > 0
        assert host.ask("GET", f"/{path}door/greeting", Origin=f"http://127.0.0.1:{port}")[0] == 200


@pytest.mark.slow
def test_who_waits_when_the_host_is_stopped_is_told_that_nothing_was_taken(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One letter is being decided on, and is answered; the next waits, and is not stored."""
    club.begin()
    first, second = club.asked()
    letters = {seat: club.order(seat) for seat in (first, second)}
    begun, go_on = threading.Event(), threading.Event()
    answers: dict[str, object] = {}
    with at_work(club) as host:
        assert host.running is not None
        running, take = host.running, host.running.office.robot.take

        def slowly(*mail: Any) -> str:
            begun.set()
            go_on.wait(10 * PATIENCE)  # until the other waits, however busy the machine is
            return take(*mail)

        monkeypatch.setattr(running.office.robot, "take", slowly)
        doors = {seat: host.door(club, seat) for seat in letters}

        def bring(seat: str) -> None:
            try:
                answers[seat] = doors[seat].bring(letters[seat]).became
            except NotHeard as error:
                answers[seat] = error.error

        threads = [threading.Thread(target=bring, args=[seat]) for seat in letters]
        threads[0].start()
        assert begun.wait(PATIENCE)
        threads[1].start()
        while running._queue.empty():
            host.ask("GET", "/door/greeting")
        running.stop()
        go_on.set()
        for thread in threads:
            thread.join(PATIENCE)
    assert answers == {first: "taken", second: "closed"}
    assert club.asked() == [second]


def test_a_door_over_which_the_program_stumbles_says_so_to_its_host_alone(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    club.begin()
    with at_work(club) as host:
        monkeypatch.setattr("pbem.host.door.calls.Calls.fetch", lambda *_what: 1 // 0)
        with pytest.raises(NotHeard, match="cannot take anything now") as caught:
            host.door(club, "ann").letters()
        assert "Zero" not in str(caught.value)
        host.hear("door: ZeroDivisionError")


def test_check_tries_the_door_and_sees_one_that_is_open(club: Club) -> None:
    (port,) = free_ports(1)
    text = settings(f"http://127.0.0.1:{port}/", port=port)
    with at_work(club, text):
        found = list(check_host(club.office, moment(60)))
        assert (True, "The door is open: this host is at work.") in found
        assert (True, f"Players come to it by http://127.0.0.1:{port}/.") in found
    assert (True, f"Players' programs can come to 127.0.0.1:{port}.") in list(check_host(club.office, moment(60)))
    with listening(SmtpServer()) as other:
        club.office.close()
        (club.folder / "host" / "host.toml").write_text(settings(port=other.port), "utf-8")
        club.office = Office(club.folder / "host")
        assert any("the port taken" in said for well, said in check_host(club.office, moment(60)) if not well)


@pytest.mark.slow
def test_a_monitor_is_told_whether_the_host_looks_around_and_nothing_else(club: Club) -> None:
    club.begin()
    with at_work(club) as host:
        assert health(host) == (200, {"well": True})
        host.clock[0] = moment(60 + 20)  # the thread that decides sleeps
        assert health(host) == (503, {"well": False})


@pytest.mark.slow
def test_a_monitor_is_told_of_a_full_disk_at_once(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the rule of `status`; a host that cannot note anything looks as if it went on for a while."""
    club.begin()
    with at_work(club) as host:
        assert health(host) == (200, {"well": True})
        with monkeypatch.context() as patch:
            patch.setattr("shutil.disk_usage", lambda _path: SimpleNamespace(free=5_000_000))
            assert health(host) == (503, {"well": False})
        assert health(host) == (200, {"well": True})


@pytest.mark.slow
@pytest.mark.parametrize("way", ["imap", "maildir"])
def test_a_monitor_is_told_of_a_mailbox_that_cannot_be_read_for_long(club: Club, way: str) -> None:
    """A connection that breaks and is made again is no trouble."""
    club.begin()
    club.office.note(way, "no", moment(50))
    club.office.note("door", "no", moment(1))
    with at_work(club) as host:
        assert health(host) == (200, {"well": True})
    club.office.note(way, "", moment(60))
    club.office.note(way, "no", moment(40))
    with at_work(club) as host:
        assert health(host) == (503, {"well": False})


@pytest.mark.slow
def test_a_door_that_cannot_be_opened_stops_no_mail_and_opens_when_its_port_is_free(club: Club) -> None:
    """`status` says what to do about the port, which may also be that of the club's pages. If this same host already
    uses the port, the second one says so and ends."""
    club.begin()
    order = club.order("ann")
    with listening(SmtpServer()) as other:
        text = settings(port=other.port).replace("[out]", '[in]\nmaildir = "mail/host"\n[out]').replace("3600", "1")
        club.office.close()
        (club.folder / "host" / "host.toml").write_text(text, "utf-8")
        club.office = Office(club.folder / "host")
        host = DoorHost(club.folder / "host", [moment(60)])
        at_its_work = ExitStack()
        at_its_work.enter_context(running(club.folder / "host", host=host))
        host.hear("door: Nothing can listen at")
        host.hear("waiting for mail")
        (club.folder / "host" / "mail" / "host" / "new" / "1").write_bytes(order)
        host.hear("order: ann")
        (trouble,) = club.office.status()["troubles"]
        assert trouble["way"] == "door"
        assert "the port taken" in trouble["why"]
    with at_its_work:
        host.hear("is open, at")
        assert club.office.status()["troubles"] == []


def test_who_starts_a_host_that_is_at_work_already_is_told(club: Club) -> None:
    (port,) = free_ports(1)
    with at_work(club, settings(port=port)):
        another = Running(club.office, lambda: moment(60), lambda _said: None)
        with pytest.raises(WorldError, match="run already"):
            another.run()
        assert club.office.status()["troubles"] == []
