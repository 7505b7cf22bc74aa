"""The installed host is killed, suspended, started twice, and loses its database: nothing is lost, and nothing doubled.

`PBEM_CHAOS_KILLS=200 PBEM_CHAOS_RESTARTS=20` do so at length (`make chaos`).
"""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.a_postgres import Postgres, a_postgres, of_a_file, schema_for
from tests.a_postgres import why_not as no_server

from .crowd import AT, Crowd, played
from .installed import Host, said_first, typed, why_not
from .told import told

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(why_not()), reason=why_not()),
    of_a_file("it goes from there to a server of these tests' own, in any run"),
]

KILLS = int(os.environ.get("PBEM_CHAOS_KILLS", "10"))
RESTARTS = int(os.environ.get("PBEM_CHAOS_RESTARTS", "3"))
"""So often the host is killed, and its database restarted."""
A_GAME = 12
"""At least so many mails a game takes."""


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    if no_server():
        pytest.skip(no_server())
    with a_postgres() as server:
        yield server


def killed(crowd: Crowd, host: Host, kills: int, chance: random.Random) -> int:
    """Let the host work, and kill it at random moments, so often or until all games are over; how often it was."""
    count = 0
    while count < kills and (crowd.answer() or crowd.on_its_way or crowd.open_games()):
        host.start()
        if chance.random() < 0.8:
            host.hear("waiting for mail")
        crowd.bring(chance.randint(1, 4))
        if host.goes_on(chance.uniform(0, 0.6)):
            host.kill()
            count += 1
    return count


def test_the_installed_host_is_killed_and_started_again(tmp_path: Path, running: list[Host]) -> None:
    """Killed (SIGKILL) at random moments while mail comes and letters go. Each order is one entry, each letter comes.
    `status` names no trouble."""
    crowd = Crowd(tmp_path, max(2, 4 * KILLS // A_GAME), AT)
    running.append(host := Host(crowd.host))
    count = killed(crowd, host, KILLS, random.Random("kills"))
    assert count == KILLS
    told(said_first(crowd.host), test_the_installed_host_is_killed_and_started_again)
    host.start()
    played(crowd, host)
    host.end()
    print(f"{count} kills: {crowd.has_all()}")


def test_the_installed_host_is_killed_and_its_database_restarted(
    tmp_path: Path, running: list[Host], postgres: Postgres
) -> None:
    """A PostgreSQL server is stopped at once or in order, and stays away for a while; the host is killed, too. Commands that meet
    it end with 75. `status` says first: `pbem: The host's store`, while it is away."""
    crowd = Crowd(tmp_path, max(2, 4 * KILLS // A_GAME), AT)
    crowd.in_database(schema_for(postgres.address, tmp_path))
    running.append(host := Host(crowd.host))
    chance, restarts = random.Random("restarts"), 0
    kills = 0
    while restarts < RESTARTS:
        kills += killed(crowd, host, KILLS // RESTARTS, chance)
        host.start()
        host.hear("waiting for mail")
        crowd.answer()
        crowd.bring(chance.randint(1, 6))
        host.goes_on(chance.uniform(0, 0.4))
        postgres.stop(chance.choice(("immediate", "fast")))
        if not restarts:
            code, said = typed(crowd.host, "status")
            assert code == 75
            told(said, test_the_installed_host_is_killed_and_its_database_restarted)
        crowd.bring(2)
        host.hear("store: The host's store")
        postgres.start()
        restarts += 1
        host.hear("store: it works again")
        assert host.goes_on(0)
        host.end()
    host.start()
    played(crowd, host)
    host.end()
    print(f"{kills} kills, {restarts} restarts: {crowd.has_all()}")


def test_the_installed_host_starts_while_its_database_is_away(
    tmp_path: Path, running: list[Host], postgres: Postgres
) -> None:
    """It waits, says for what, and goes on by itself. `status` says first: `pbem: The host's store`."""
    crowd = Crowd(tmp_path, 1, AT)
    crowd.in_database(schema_for(postgres.address, tmp_path))
    running.append(host := Host(crowd.host))
    postgres.stop()
    host.start()
    host.hear("The host cannot start yet, and tries again: The host's store")
    told(typed(crowd.host, "status")[1], test_the_installed_host_starts_while_its_database_is_away)
    postgres.start()
    host.hear("waiting for mail")
    played(crowd, host)
    host.end()
    crowd.has_all()


def test_the_installed_host_is_suspended_and_resumed(tmp_path: Path, running: list[Host]) -> None:
    """Suspended (SIGSTOP) at random moments while mail comes; it goes on where it was (SIGCONT). `status` names no
    trouble."""
    crowd = Crowd(tmp_path, 2, AT)
    running.append(host := Host(crowd.host))
    chance = random.Random("suspended")
    host.start()
    host.hear("waiting for mail")
    for _ in range(KILLS):
        crowd.answer()
        crowd.bring(1)
        host.goes_on(chance.uniform(0, 0.3))
        host.tell(signal.SIGSTOP)
        crowd.answer()
        crowd.bring(chance.randint(0, 2))
        assert host.goes_on(chance.uniform(0, 0.3))
        host.tell(signal.SIGCONT)
    told(said_first(crowd.host), test_the_installed_host_is_suspended_and_resumed)
    played(crowd, host)
    host.end()
    crowd.has_all()


def test_a_second_installed_host_in_one_folder_waits_and_takes_over(tmp_path: Path, running: list[Host]) -> None:
    """The second says that another one is at work there. Once the first is killed, the second goes on. `status` names no
    trouble."""
    crowd = Crowd(tmp_path, 1, AT)
    running += [first := Host(crowd.host), second := Host(crowd.host)]
    first.start()
    first.hear("waiting for mail")
    second.start()
    second.hear("Another “pbem host run” is at work in")
    told(said_first(crowd.host), test_a_second_installed_host_in_one_folder_waits_and_takes_over)
    first.kill()
    second.hear("waiting for mail")
    played(crowd, second)
    second.end()
    crowd.has_all()


def test_an_installed_host_with_another_key_takes_no_store(tmp_path: Path, running: list[Host]) -> None:
    """Two hosts name one store. The second says that it belongs to another key, takes no mail and ends with 75. `status` names no
    trouble."""
    crowd, key = Crowd(tmp_path / "one", 1, AT), tmp_path / "two" / "key"
    assert typed(tmp_path / "two", "init", str(tmp_path / "two"), "--address", "host@example.org")[0] == 0
    (tmp_path / "two" / "pbem.sqlite").unlink()
    (tmp_path / "two" / "pbem.sqlite").symlink_to(crowd.host / "pbem.sqlite")
    assert key.read_bytes() != (crowd.host / "key").read_bytes()
    running.append(second := Host(tmp_path / "two"))
    second.start()
    second.hear("belongs to a host with another key")
    assert second.wait() == 75
    told(said_first(crowd.host), test_an_installed_host_with_another_key_takes_no_store)
    running.append(first := Host(crowd.host))
    first.start()
    played(crowd, first)
    first.end()
    crowd.has_all()
