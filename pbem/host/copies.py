"""Kept seats of a game on a host that was restored from a backup. It decides which are kept, what happens to their players' mail,
and which letters ask for copies and answer them.
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
    """The handling of mail from kept seats in a game that is paused after a restore from a backup."""

    def wanted(self, case: Case, seats: Sequence[SeatRow]) -> SeatRow | None:
        """Return the seat of the mail's sender with a game that is paused, or must be from now on."""

    def take(self, case: Case, seat: str, game: HostedGame) -> str:
        """Take the lines that a forwarded letter restores; the rest waits until the game continues."""


def opened_in(log: bytes) -> list[list[Json]]:
    """Return the lines that open orders in the forwarded receipts: an order may not be in any copy yet.

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
            "{title} is paused. Its host had to restore a backup, which ends with entry {n}, and will "
"not continue from there while anybody has seen more. So that nothing is lost, please "
"forward the last letter of this game that you received before this one. Send it to "
"{address}, with its attached file. The host tells you if it needs the letter before it, "
"too.\n\nWhen the copies of all players are here, the game continues where it was, with the "
"full time to answer. Until then no time runs.",
            title=game.title, n=game.ledger.n, address=self.address,
        )  # fmt: skip
