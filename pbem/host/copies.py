"""Kept seats of a game whose host was brought back from a backup: which are kept, and what becomes of their players' mail."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Protocol

from pbem.kernel import Json

from .essence import Case
from .hosted import HostedGame
from .kept_seats import keeper
from .store.rows import KEPT, OWN


class Copies(Protocol):
    """What becomes of the mail of kept seats whose game stands still, as its host was brought back from a backup."""

    def has_gone_back(self, game: int, seat: str, code: str, at: str) -> bool:
        """Has this host put a question with that code, and does not know of it any more? Then the game stands still."""

    def take(self, case: Case, seat: str, game: HostedGame) -> str:
        """Take the lines that a forwarded letter brings back; all else waits until the game goes on."""


def opened_in(log: bytes) -> list[list[Json]]:
    """Return the lines that open orders in the receipts that were forwarded: an order may stand in no copy yet.

    >>> opened_in(b'["got"]\\n{"openings":[["seal","0",1]],"say":{}}\\n{"openings":7}\\n')
    [['seal', '0', 1]]
    """
    found: list[list[Json]] = []
    for line in log.splitlines():
        with suppress(ValueError, TypeError, RecursionError):
            found += map(list, json.loads(line)["openings"]) if line.startswith(b'{"openings":') else ()
    return found


def now_kept(game: HostedGame, seat: str, key: str) -> str:
    """Return whether a seat is kept, by the key that the log has for it: it may have been taken, or taken over, meanwhile."""
    kept = game.seats[seat].kept
    if not kept or not key:
        return kept
    return KEPT if key == keeper(game).key(seat).key_line else OWN
