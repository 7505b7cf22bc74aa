"""The permitted writes of decisions made side by side: each in one game, and to the addresses of that game.

Everything that games share is decided by one program at a time, with the whole store: club members, tables, the register, the list
of games, the address of a seat. A decision that turns out to need more than its game raises `WantsAll`. It is rolled back, and
repeated with the whole store. So nobody has to know beforehand what a mail will lead to.
"""

from __future__ import annotations

from collections.abc import Mapping

from pbem.errors import WorldError
from pbem.records import dataclass

OF_A_GAME = frozenset((
    "seats", "chains", "entries", "attachments", "held", "answers", "ahead", "kept_says", "joins", "copies", "moves", "paces",
    "reminders", "press", "observers", "courses", "doorstep", "put_letters", "evidence", "evidence_parts", "doubts",
    "more_addresses", "vouched",
))  # fmt: skip
"""Tables with rows that belong to the game named first in the row."""
OF_AN_ADDRESS = frozenset(("bounces", "marks"))
FREE = frozenset(("inbox", "meta"))
"""Tables with one writer at a time for each row: a mail has one who decides on it, a note its way, mail or game."""


class WantsAll(BaseException):
    """No fault: a decision that was to be made in one game needs the whole store."""


class InTheWay(WorldError):
    """Two decisions were in each other's way; nothing of this one has been written, and it can be made again at once."""


@dataclass(frozen=True, slots=True)
class OwnRows:
    """What one decision may write.

    That is the rows of a game (None: of no game), and letters to its addresses.
    """

    game: int | None
    addresses: frozenset[str] = frozenset()

    def check(self, table: str, columns: Mapping[str, object], pk: int | tuple[object, ...] | None = None) -> None:
        """Raise WantsAll where a row is not this decision's to write; `pk`: it is there already."""
        if table in FREE:
            return
        if table == "outbox":
            is_own = pk is not None or (columns.get("game") == self.game and self.is_own(columns.get("address")))
        elif table in OF_AN_ADDRESS:
            is_own = self.is_own(columns.get("address"))
        elif table in OF_A_GAME:
            game = columns.get("game") if pk is None else pk[0] if isinstance(pk, tuple) else pk
            is_own = self.game is not None and game == self.game and not (table == "seats" and "address" in columns)
        else:
            is_own = table == "games" and self.game is not None and pk == self.game
        if not is_own:
            raise WantsAll

    def is_own(self, address: object) -> bool:
        """Is it an address of its game?"""
        return str(address).lower() in self.addresses
