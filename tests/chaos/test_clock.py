"""The installed host while its machine's clock jumps: forward, back, and right again (libfaketime)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem.host import Office, StoredLedger
from tests.a_postgres import of_a_file

from .crowd import PAUSE, SEATS, Crowd, played
from .installed import LONGEST, Host, said_first, why_not
from .told import told

LIBRARY = next(iter(sorted(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"))), None)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(why_not()), reason=why_not()),
    pytest.mark.skipif(LIBRARY is None, reason="faketime is not installed: no program can be shown a clock that jumps"),
    of_a_file("a clock is of a machine, whatever its host's store is"),
]

JUMPS = ("+3d", "-20h", "+40d", "-20h", "+3d")
"""By how much the clock is wrong, one after the other, and right between them. A player has a day for an answer: what is opened
while the clock is a day late waits for the hour in which a clock that has leapt is doubted."""


class Clock:
    """What a program takes for the time of day; the seconds that have gone by stay the true ones."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "clock"
        self.set("+0")
        self.env = {
            "LD_PRELOAD": str(LIBRARY), "FAKETIME_TIMESTAMP_FILE": str(self.file), "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1", "DONT_FAKE_MONOTONIC": "1", "NO_FAKE_STAT": "1",
        }  # fmt: skip

    def set(self, by: str) -> None:
        """Let the clock be wrong by so much."""
        part = self.file.with_name("part")
        part.write_text(f"{by}\n", "utf-8")
        part.replace(self.file)


def skipped(crowd: Crowd) -> list[str]:
    """The seats that have lost a turn by the clock."""
    office = Office(crowd.host)
    try:
        entries = [e for n in office.store.game_numbers() for e in StoredLedger(office.store, n, SEATS).entries()]
    finally:
        office.close()
    return [str(entry["to"]) for entry in entries if entry["k"] == "skip"]


def until(host: Host, is_so: Callable[[], object]) -> None:
    """Let the host work until something is so."""
    quiet = 0
    while not is_so():
        quiet += 1
        assert quiet < LONGEST / PAUSE, "".join(host.said[-40:])
        assert host.goes_on(PAUSE), "".join(host.said[-40:])


def test_the_clock_of_the_installed_host_jumps(tmp_path: Path, running: list[Host]) -> None:
    """Days forward, hours back, and right again, while mail comes and questions are open. What is past its time by a clock in doubt
    waits: nobody loses a turn, and no answer is too late. `status` names no trouble."""
    clock = Clock(tmp_path)
    crowd = Crowd(tmp_path, 2, datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"), turns=6, hours=24)
    running.append(host := Host(crowd.host, clock.env))
    host.start()
    host.hear("waiting for mail")
    for by in JUMPS:
        until(host, crowd.answer)
        crowd.bring(1)
        clock.set(by)
        crowd.bring()
        heard = len(host.said)
        until(host, lambda heard=heard: len(host.said) > heard)  # type: ignore[misc]
        print(by, "".join(host.said[heard:]), said_first(crowd.host))
        clock.set("+0")
    played(crowd, host)
    told(said_first(crowd.host), test_the_clock_of_the_installed_host_jumps)
    host.end()
    assert skipped(crowd) == []
    print(f"{len(JUMPS)} jumps: {crowd.has_all()}")
