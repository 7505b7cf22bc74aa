"""The installed host on a machine that fails it: rules that never return, a disk that is full or read-only; and systemd."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.a_postgres import of_a_file

from .conftest import EXAMPLES
from .crowd import AT, Crowd, begun, played
from .installed import Host, said_first, typed, why_not
from .told import told

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(why_not()), reason=why_not()),
    of_a_file("it fills the disk of a file"),
]

ROOM = 80 * 1024 * 1024


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of its own, in memory."""
    place = tmp_path / "disk"
    place.mkdir()
    if (
        os.geteuid()
        or subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={ROOM}", "tmpfs", place], check=False).returncode
    ):
        pytest.skip("no disk can be mounted here")
    yield place
    subprocess.run(["umount", "-l", place], check=True)


def test_the_rules_of_one_game_never_return_at_the_installed_host(tmp_path: Path, running: list[Host]) -> None:
    """They loop at an order. The host breaks them off, keeps the mail, and plays the other game to its end; once the rules are put
    right it plays this one, too. `status` says first: `The program stumbles over mail`."""
    shutil.copytree(EXAMPLES / "tiny_game", tmp_path / "games" / "tiny_game")
    rules, flag = tmp_path / "games" / "tiny_game" / "rules" / "turn.py", tmp_path / "loops"
    text = rules.read_text("utf-8")
    head = "        hidden_before = run.board.unseen()\n"
    assert head in text
    loop = "        from pathlib import Path\n"
    loop += f"        while run.board.turns == 3 and Path({str(flag)!r}).exists():\n            pass\n"
    rules.write_text(text.replace(head, loop + head), "utf-8")
    env = {"PBEM_GAMES": str(tmp_path / "games")}
    crowd = Crowd(tmp_path / "one", 1, AT, turns=3)
    crowd.more(1, turns=2)
    running.append(host := Host(crowd.host, env))
    flag.touch()
    host.start()
    played(crowd, host, left=1, env=env)
    host.hear("failed: The rules came to no end")
    told(said_first(crowd.host, env), test_the_rules_of_one_game_never_return_at_the_installed_host)
    flag.unlink()
    host.end()
    assert typed(crowd.host, "retry", env=env)[0] == 0
    host.start()
    played(crowd, host, env=env)
    host.end()
    crowd.has_all(env)


def test_the_disk_of_the_installed_host_is_full(disk: Path, running: list[Host]) -> None:
    """Mail stays in its folder, and nothing is half written; the host continues by itself once there is room. `status` says first:
    `The disk is nearly full`."""
    crowd = Crowd(disk, 1, AT)
    running.append(host := Host(crowd.host))
    begun(crowd, host)
    with (disk / "filler").open("wb") as filler:
        try:
            while True:
                filler.write(bytes(65536))
                filler.flush()
        except OSError:
            pass
    assert host.goes_on(3)
    told(said_first(crowd.host), test_the_disk_of_the_installed_host_is_full)
    (disk / "filler").unlink()
    played(crowd, host)
    host.end()
    crowd.has_all()


def test_the_installed_host_starts_on_a_disk_that_cannot_be_written_to(disk: Path, running: list[Host]) -> None:
    """It waits, and says so; `games`, `backup` and `audit` work meanwhile. Once the disk can be written to, it continues by itself.
    `status` names no trouble."""
    crowd = Crowd(disk, 1, AT)
    subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
    running.append(host := Host(crowd.host))
    host.start()
    host.hear("The host cannot start yet, and tries again")
    for command in ("games", "audit"):
        assert typed(crowd.host, command, *["--all"] * (command == "audit"))[0] == 0
    assert typed(crowd.host, "backup", str(disk.parent / "saved.sqlite"))[0] == 0
    subprocess.run(["mount", "-o", f"remount,rw,size={ROOM + 67_108_864}", disk], check=True)
    host.hear("waiting for mail")
    told(said_first(crowd.host), test_the_installed_host_starts_on_a_disk_that_cannot_be_written_to)
    played(crowd, host)
    host.end()
    crowd.has_all()


def test_systemd_hears_of_the_installed_host(tmp_path: Path, running: list[Host]) -> None:
    """Ready once it works, alive four times in the time that it may be silent, and that it ends. `status` names no trouble."""
    crowd = Crowd(tmp_path, 1, AT)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        systemd.settimeout(60)
        env = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "4000000"}
        running.append(host := Host(crowd.host, env))
        host.start()
        assert systemd.recv(1000) == b"READY=1\nSTATUS=at work"
        assert [systemd.recv(1000) for _ in range(3)] == [b"WATCHDOG=1"] * 3
        told(said_first(crowd.host), test_systemd_hears_of_the_installed_host)
        host.tell(signal.SIGTERM)
        last = b""
        while last != b"STOPPING=1":
            last = systemd.recv(1000)
        assert host.wait() == 0
