"""Rules that never return: the host breaks them off, says so first, and goes on with all other games; and a host under systemd."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from pbem.errors import StoreAway
from pbem.host import endless
from pbem.host.play import GamesInPlay
from pbem.host.supervised import Supervisor, only_one

from .post import moment
from .several import OneOfSeveral, several

of_signals = pytest.mark.skipif(os.name != "posix", reason="a signal breaks it off")


@pytest.fixture
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[OneOfSeveral]]:
    """Two games with an open question; what a decision may take is little."""
    monkeypatch.setattr(endless, "MOST", 0.2)
    found = several(tmp_path, 2, hours=1)
    for game in found:
        game.begin()
    yield found
    found[0].office.close()


class NeverReturns:
    """Rules of one game that swallow whatever may be caught, and loop."""

    def __init__(self, patch: pytest.MonkeyPatch, name: str, number: int) -> None:
        self.loops, right = 0, getattr(GamesInPlay, name)

        def wrong(play: GamesInPlay, game: Any, *rest: Any, **named: Any) -> Any:
            if game.id != number:
                return right(play, game, *rest, **named)
            self.loops += 1
            while True:
                with suppress(Exception):  # as somebody's rules may do
                    sum(range(100))

        patch.setattr(GamesInPlay, name, wrong)


@pytest.mark.slow
@of_signals
def test_an_order_over_which_the_rules_never_return_stops_no_other_game(
    games: list[OneOfSeveral], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The mail is kept and tried again after 1, 5, 15 and 60 minutes; `status` names it first. Nothing is half written."""
    one, other = games
    office, before = one.office, one.asked()
    wrong = NeverReturns(monkeypatch, "order", one.number)
    office.note("imap", "no", one.now())
    assert one.take(one.order(one.asked()[0])).startswith("failed: The rules came to no end")
    assert one.asked() == before
    assert other.take(other.order(other.asked()[0])).startswith("order")
    first, second = office.status()["troubles"]
    assert (first["games"], first["died"]) == ([one.number], True)
    assert second["way"] == "imap"
    monkeypatch.undo()
    assert wrong.loops == 1
    office.robot.arrivals.look(moment(200))
    office.robot.retry()
    assert one.asked() == before[1:]
    assert not any("died" in trouble for trouble in office.status()["troubles"])


@pytest.mark.slow
@of_signals
def test_a_deadline_over_which_the_rules_never_return_stops_no_other_game(
    games: list[OneOfSeveral], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It rests for growing times: else every look would take as long again."""
    one, other = games
    office = one.office
    wrong = NeverReturns(monkeypatch, "expire", one.number)
    for minute in (200, 201, 202, 203, 230):
        office.expect(moment(minute))
        office.robot.arrivals.read("maildir", moment(minute))
        office.robot.tick(moment(minute))
    assert wrong.loops == 3, "at first, after a minute, after five"
    assert office.status()["troubles"][0]["endless"] == f"game {one.number}"
    assert not any(entry.k == "skip" for entry in one.log().entries)
    assert any(entry.k == "skip" for entry in other.log().entries)
    monkeypatch.undo()
    for minute in (260, 261):
        office.robot.arrivals.read("maildir", moment(minute))
        office.robot.tick(moment(minute))
    assert any(entry.k == "skip" for entry in one.log().entries)
    assert not any("endless" in trouble for trouble in office.status()["troubles"])


@pytest.fixture
def systemd(tmp_path: Path) -> Iterator[socket.socket]:
    """The socket of a supervisor."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as at:
        at.bind(str(tmp_path / "notify"))
        at.settimeout(0)
        yield at


def heard(at: socket.socket) -> list[str]:
    found = []
    while True:
        try:
            found.append(at.recv(1000).decode())
        except BlockingIOError:
            return found


@of_signals
def test_systemd_is_told_that_the_host_is_alive_by_the_thread_that_decides_alone(systemd: socket.socket) -> None:
    """It says so at most four times in the time that it may be silent, and looks around often enough for that."""
    pulse, place = [0.0], str(systemd.getsockname())
    told = {"NOTIFY_SOCKET": place, "WATCHDOG_USEC": "40000000", "WATCHDOG_PID": str(os.getpid())}
    one = Supervisor(lambda: pulse[0], told)
    one.ready("at work")
    for second in range(25):
        pulse[0] = float(second)
        one.alive()
    other = threading.Thread(target=one.alive)
    pulse[0] = 100.0
    other.start()
    other.join()
    one.ends()
    assert heard(systemd) == ["READY=1\nSTATUS=at work", "WATCHDOG=1", "WATCHDOG=1", "WATCHDOG=1", "STOPPING=1"]
    assert one.patience == 40
    for _ in range(1000):
        one.ready()  # nobody reads it, and nobody waits
    assert heard(systemd)
    for silent in ({"NOTIFY_SOCKET": place}, told | {"WATCHDOG_PID": "1"}, {"WATCHDOG_USEC": "1"}):
        one = Supervisor(lambda: pulse[0], silent)
        one.alive()
        assert (one.patience, heard(systemd)) == (0, [])
    Supervisor(lambda: 0.0, told | {"NOTIFY_SOCKET": place + " that is gone"}).ready()


@of_signals
def test_a_host_with_a_slow_pace_looks_around_as_often_as_systemd_wants(games: list[OneOfSeveral]) -> None:
    office = games[0].office
    Supervisor(lambda: 0.0, {"NOTIFY_SOCKET": "/nowhere", "WATCHDOG_USEC": "40000000"}).hurry(office)
    assert office.settings.every == 10
    Supervisor(lambda: 0.0, {}).hurry(office)
    assert office.settings.every == 10


def test_a_second_host_in_one_folder_is_told_so(tmp_path: Path) -> None:
    with only_one(tmp_path), pytest.raises(StoreAway, match="Another “pbem host run” is at work"), only_one(tmp_path):
        pass
    with only_one(tmp_path):
        pass
