"""A host's data for writing out a short block, and its answer if that is impossible.

It reads entries and openings from the store, and believes a block only if its signature fits. If the seat's key has not signed the
statement that was written out here, it counts as impossible to write out. Its sender is asked for the full form. Nobody is accused
of forgery: the sender may have another entry, other plans or another key.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.errors import FormError, FullWanted
from pbem.games.words import words
from pbem.i18n import _
from pbem.kernel import Json
from pbem.ledger import SAY, cj, verify_sig
from pbem.mail import Short, rebuild, wanted
from pbem.referee import Envelope

from .hosted import HostedGame, House


class HeldBlock:
    """The store's data for one game, as `pbem.mail.Knowledge` asks for it."""

    def __init__(self, game: HostedGame) -> None:
        self._game, self.game, self.seats = game, game.g, _seats(game)

    def entry(self, n: int) -> Mapping[str, Json]:
        return self._game.ledger.entry(n)

    def hash_of(self, n: int) -> str | None:
        return self._game.ledger.hash_of(n)

    def last_plans(self, seat: str, n: int) -> str | None:
        digest = self._game.ledger.last_plans(seat, n)
        return "" if digest is None else self._game.ledger.opened_plans(seat, digest)

    def words(self, number: int) -> bytes | None:
        return words(self._game.pack, number)


def write_out(house: House, said: Short) -> Envelope:
    """Return what a short block says, signed by the seat that it names. Raises FullWanted; FormError for no game of this host."""
    game = named(house, said)
    if game is None:
        raise FormError(_("It is signed for a game that this host does not know."))
    envelope = rebuild(said, HeldBlock(game))
    key = game.seats[str(envelope.say["seat"])].key
    if not key or not all(verify_sig(key, SAY, cj(one.say), one.sig) for one in (envelope, *envelope.ahead)):
        why = _(
            "What it says cannot be written out here as you have signed it: an entry, a key or plans are others here."
        )
        raise wanted(said, why)
    return envelope


def named(house: House, said: Short | FullWanted) -> HostedGame | None:
    """Return the game that a short block names, or None where it is not here, or two begin so."""
    found = house.store.games_beginning(said.game) if said.game else []
    return house.game(found[0]) if len(found) == 1 else None


def seat_named(game: HostedGame, error: FullWanted) -> str:
    """Return the seat of a short block that could not be written out, or "" if the game has no seat in that place."""
    seats = _seats(game)
    return seats[error.seat] if error.seat < len(seats) else ""


def left_behind(game: HostedGame, n: int) -> bool:
    """May a player have seen another entry n, as the game went on under another host from one before it?"""
    return any(entry["k"] == "host" and entry["seen"][0] < n for entry in game.ledger.entries())


def _seats(game: HostedGame) -> Sequence[str]:
    """The seats as entry 0 has them."""
    seats: Sequence[str] = game.ledger.entry(0)["seats"]
    return seats
