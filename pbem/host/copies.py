"""Kept seats of a game whose host was brought back from a backup: which are kept, what becomes of their players' mail, and the
letters that ask for copies and answer them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from typing import Protocol

from pbem.i18n import _
from pbem.kernel import Json
from pbem.ledger.kept import seats_of

from .essence import Case
from .hosted import HostedGame
from .kept_seats import held, keeper
from .outbox import Draft, Outbox, letter
from .store.rows import KEPT, OWN, SeatRow


class Copies(Protocol):
    """What becomes of the mail of kept seats whose game stands still, as its host was brought back from a backup."""

    def wanted(self, case: Case, seats: Sequence[SeatRow]) -> SeatRow | None:
        """Return the seat, of those of the sender of a mail, whose game stands still, or must from now on."""

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
    if not key or seat not in seats_of(game.ledger.entry(0)["terms"]):
        return game.seats[seat].kept
    return KEPT if key == keeper(game).key(seat, held(game, seat)).key_line else OWN


class CopyLetters(Outbox):
    """Letters that ask for a copy, and answer it."""

    @letter
    def about_a_copy(self, game: HostedGame, seat: str, at: str, first: str, digest: str) -> Draft:
        """Answer a letter that was forwarded, because the host was brought back from a backup."""
        return Draft(f"reply.{digest[:16]}.{seat}", _("your copy"), f"{first}\n")

    def forwarding_wanted(self, game: HostedGame) -> str:
        """Ask for the last letter to a kept seat."""
        return _(
            "{title} stands still. Its host had to go back to a backup, which ends with entry {n}, and would not go on "
            "from there while anybody has seen more. So that nothing is lost, please forward the last letter of this game "
            "that you have had before this one to {address}, with the file that is attached to it. The host says whether it "
            "needs the letter before it, too.\n\n"
            "When the copies of all players are here the game goes on where it stood, with the full time to answer. "
            "Until then no time runs.",
            title=game.title, n=game.ledger.n, address=self.address,
        )  # fmt: skip
