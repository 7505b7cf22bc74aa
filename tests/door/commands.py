"""What several tests need of commands: club, here, first_turn."""

from __future__ import annotations

from tests.host.post import Club
from tests.servers.real import free_ports

from .doors import DoorHost, settings


def here() -> str:
    """Settings of a host whose door is where it says."""
    (port,) = free_ports(1)
    return settings(f"http://127.0.0.1:{port}/", port=port)


def first_turn(club: Club, host: DoorHost) -> None:
    """Everybody answers the first question at the door, and learns by the receipt where it is."""
    for seat in club.asked():
        for letter in host.door(club, seat).bring(club.order(seat)).letters:
            club.desks[seat].read(letter.mail)
