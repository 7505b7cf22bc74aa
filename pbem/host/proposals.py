"""What this host proposes to the players of a game that it would take over: kept in the store's `meta` until all have agreed."""

from __future__ import annotations

import json

from pbem.kernel import Json
from pbem.ledger import cj, sha256_hex

from .store import Store, StoredLedger


def propose(store: Store, game: int, what: Json) -> None:
    """Store the proposal for a game."""
    store.put_note(_name(game), what)


def proposed(store: Store, game: int) -> Json:
    """Return what the players of a game are asked to agree to, {} where nothing is."""
    return json.loads(store.note(_name(game)) or "{}")


def settled(store: Store, game: int) -> None:
    """Delete the proposal for a game."""
    store.forget(_name(game))


def still_to_agree(store: Store, game: int) -> list[str]:
    """Return the seats that have not agreed yet."""
    course = StoredLedger(store, game, ()).course
    there = course.pledges.get(sha256_hex(cj(proposed(store, game))), {})
    return [seat for seat in course.order if seat not in there and seat not in course.gone]


def _name(game: int) -> str:
    return f"host of {game}"
