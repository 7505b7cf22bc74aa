"""What several tests need of service: begun, club, in_base64, first_order, next_letters."""

from __future__ import annotations

import base64

from pbem.mail import read_message
from pbem.page.service import Service
from tests.host.post import Club
from tests.page.calling import ok


def in_base64(raw: bytes) -> str:
    return base64.b64encode(raw).decode()


def first_order(service: Service, game: str) -> str:
    found = ok(service, "touches", game=game)["touches"]
    return "\n".join(next(one for one in found if one["closes"])["draft"])


def next_letters(club: Club) -> list[bytes]:
    """The others play on until Ann is sent what happened."""
    for _time in range(9):
        for seat in club.asked():
            club.take(club.order(seat))
        letters = club.deliver()
        for raw in letters["bob"]:
            club.desks["bob"].read(raw)
        if found := [raw for raw in letters["ann"] if read_message(raw).log.startswith(b"{")]:
            return found
    raise LookupError("Ann is never told")
