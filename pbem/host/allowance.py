"""How many mails of one seat a host reads in a day.

Budgets limit the letters that a seat gets; the ways in limit the size of a mail. The work remains: a
statement costs some twenty milliseconds of a processor, and all other games wait for it. So the host
reads at most `MOST` mails of one seat in one game within a day of UTC. No player reaches that; a
program that runs wild does. The host stores the other mails and refuses them unread. It tells the
player once a day, and shows them in `status`.

The host counts different signed statements, and replies with the code of a letter to a kept seat.
These certainly come from the player. Mails that somebody sends again do not count.

The count is in memory. A host that starts again begins at zero, and each worker counts on its own.
The limit protects the processor. No verdict follows from it.

A mail beyond the limit still costs its storing, its reading as a mail and the check of its signature.
Only the first one brings a letter, which shows the open question; the others cost no rules.
"""

from __future__ import annotations

from dataclasses import field

from pbem.i18n import _
from pbem.records import dataclass

from .budgets import hold_back
from .essence import Case
from .hosted import HostedGame

UNREAD = "ignored: too many mails of this seat today"
MOST = 1_000
"""The mails of one seat that are carried out in a day. Two programs that play a whole game of Hammer by mail send some 220 each."""


@dataclass(slots=True)
class Allowance:
    """The mails of each seat on the day of the latest one."""

    day: str = ""
    used: dict[tuple[int, str], set[str]] = field(default_factory=dict)
    """By game and seat: the signatures, or the digests of replies."""
    told: set[tuple[int, str]] = field(default_factory=set)
    """The games and seats that were told of the limit."""

    def why_unread(self, case: Case, game: HostedGame, seat: str, what: str) -> str | None:
        """Count a mail of a seat; return None if the host reads it, why it does not, or "" if the seat was told today.

        `what` is the mail's signature, or its digest. A mail beyond the limit is noted for `status`.
        """
        if case.at[:10] > self.day:
            self.day, self.used, self.told = case.at[:10], {}, set()
        used = self.used.setdefault((game.id, seat), set())
        if what in used:  # sent again by somebody, or decided once more
            return None
        if len(used) >= MOST:
            hold_back(game.house.store, "mails", game.seats[seat].address, case.at, None, "")
            if (game.id, seat) in self.told:
                return ""
            self.told.add((game.id, seat))
            return _(
                "You have sent {n} mails in this game today, and the host reads no more. Your last order before "
                "that counts. Send this one again tomorrow (UTC). If your program sends mails by itself, stop it.",
                n=MOST,
            )
        used.add(what)
        return None
