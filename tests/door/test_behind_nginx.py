"""The door behind a real nginx with TLS, by the very block that its page shows."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pbem.errors import WorldError
from pbem.player.door import HostsDoor, NotHeard, Unreached
from tests.host.post import Club, a_club, key_of
from tests.project.source import ROOT
from tests.servers.real import certificate, free_ports

from .doors import PATIENCE, at_work, settings

NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
pytestmark = [
    pytest.mark.skipif(NGINX is None, reason="nginx is not installed"),
    pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed"),
]


def block(folder: Path, port: int, door: int) -> str:
    """What the page shows, at other ports and with a certificate of our own."""
    page = (ROOT / "docs" / "how-to" / "open-a-door.md").read_text("utf-8")
    (shown,) = re.findall(r"```nginx\n(.*?)```", page, re.DOTALL)
    changed = str(shown)
    for old, new in (
        ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
        ("desk.club.example;", "localhost;"),
        ("/etc/letsencrypt/live/desk.club.example/fullchain.pem", str(folder / "cert.pem")),
        ("/etc/letsencrypt/live/desk.club.example/privkey.pem", str(folder / "key.pem")),
        ("127.0.0.1:8025", f"127.0.0.1:{door}"),
    ):
        assert old in changed
        changed = changed.replace(old, new)
    return changed


@contextmanager
def nginx(folder: Path, port: int, door: int) -> Iterator[None]:
    """A real nginx, with that block and nothing else."""
    folder.mkdir()
    certificate(folder, "localhost", "127.0.0.1")
    places = "\n".join(
        f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"daemon off; master_process off; pid {folder}/pid; error_log {folder}/error.log;\n"
        f"events {{}}\nhttp {{\naccess_log off;\n{places}\n{block(folder, port, door)}}}\n",
        "utf-8",
    )
    command = [str(NGINX), "-p", str(folder), "-e", str(folder / "error.log"), "-c", str(folder / "nginx.conf")]
    program = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        _listens(port, program)
        yield
    finally:
        program.terminate()
        program.communicate(timeout=PATIENCE)


def _listens(port: int, program: subprocess.Popen[bytes]) -> None:
    for _ in range(600):
        with socket.socket() as line:
            if line.connect_ex(("127.0.0.1", port)) == 0:
                return
        assert program.poll() is None, program.communicate()[1].decode()
        threading.Event().wait(0.05)
    raise AssertionError("nginx does not listen")


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path) as club:
        yield club.begin()


def test_the_block_of_the_page_lets_letters_and_numbers_through(club: Club) -> None:
    port, inner = free_ports(2)
    address, folder = f"https://localhost:{port}/", club.folder / "nginx"
    with at_work(club, settings(address, port=inner)) as host, nginx(folder, port, inner):
        door = host.door(club, "ann", address=address)
        with pytest.raises(Unreached, match="certificate"):
            door.letters()
        door.line.ca_file = str(folder / "cert.pem")
        with door.numbers() as numbers:
            assert next(numbers) == 0
            letter = club.order("ann")
            answer = door.bring(letter)
            assert answer.became == "taken"
            assert next(numbers) == answer.upto, "at once, and not when a buffer is full"
        with pytest.raises(NotHeard):
            host.door(club, "bob", address=host.address, key=key_of("mallory")).letters()
        with pytest.raises(WorldError):
            door.bring(b"x" * 1_100_000)
        assert isinstance(door, HostsDoor)
        assert door.bring(letter).became == "duplicate"
