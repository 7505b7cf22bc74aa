"""The door behind a real nginx and a real Caddy with TLS, by the very blocks that its page shows."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.errors import WorldError
from pbem.player.door import HostsDoor, NotHeard, Unreached
from tests.host.post import Club, a_club, key_of
from tests.servers.real import free_ports

from .doors import at_work, settings
from .proxies import PROXIES, program, proxy

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with a_club(tmp_path) as club:
        yield club.begin()


@pytest.mark.parametrize("name", PROXIES)
def test_the_block_of_the_page_lets_letters_and_numbers_through(club: Club, name: str) -> None:
    if program(name) is None:
        pytest.skip(f"{name} is not installed")
    port, inner = free_ports(2)
    address, folder = f"https://localhost:{port}/", club.folder / name
    with at_work(club, settings(address, port=inner)) as host, proxy(name, folder, port, inner):
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
