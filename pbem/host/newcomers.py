"""The person invited to replace a player who has vanished, as the store has it: his signed statements, and who keeps his key.

The invitation may let him reply JOIN. Then this host keeps his key, and his statement includes the evidence for that.
"""

from __future__ import annotations

import json

from pbem.i18n import _
from pbem.kernel import Json
from pbem.ledger.kept import KEPT as FIELD
from pbem.ledger.kept import seats_of
from pbem.referee import Envelope

from .hosted import HostedGame
from .kept_seats import keeper


def waiting_in(game: HostedGame, seat: str) -> dict[str, Json] | None:
    """Return the data about the person invited to replace a seat's player; None if nobody is."""
    waiting = game.house.store.note(_name(game, seat))
    return dict(json.loads(waiting)) if waiting else None


def _name(game: HostedGame, seat: str) -> str:
    return f"newcomer {game.id} {seat}"


def keep(game: HostedGame, seat: str, waiting: Json) -> None:
    """Store the data about the person invited to replace a seat's player."""
    game.house.store.put_note(_name(game, seat), waiting)


def forget(game: HostedGame, seat: str) -> None:
    """Delete the invitation of a player who now has the seat, with his predecessor's open confirmations and other addresses."""
    game.house.store.forget(_name(game, seat))
    for table in ("doubts", "more_addresses"):
        game.house.store.delete(table, game=game.id, seat=seat)


def is_invited(game: HostedGame, seat: str) -> bool:
    """Return whether somebody is invited to replace a seat's player."""
    return game.stage == "playing" and waiting_in(game, seat) is not None


def has_answered(game: HostedGame, seat: str) -> bool:
    """Return whether the host has already signed for the person invited to replace a seat's player."""
    return bool((waiting_in(game, seat) or {}).get("beside"))


def proposed(game: HostedGame) -> dict[str, Json]:
    """Return what an amendment would hold for every newcomer who waits, by his seat."""
    found = {seat: waiting_in(game, seat) for seat in game.seats}
    return {
        seat: {"player": {"say": one["say"], "sig": one["sig"]}} for seat, one in found.items() if one and one["asked"]
    }


def newcomer(game: HostedGame, seat: str) -> Envelope:
    """Return what the newcomer in a seat has signed, with what its entry has beside it."""
    waiting = waiting_in(game, seat) or {}
    return Envelope(waiting["say"], waiting["sig"], beside=waiting.get("beside", {}))


def may_come(game: HostedGame, seat: str) -> bool:
    """May this host keep the key of a newcomer in a seat: does entry 0 name it, by this host's seed?"""
    terms = game.ledger.entry(0)["terms"]
    return seat in seats_of(terms) and terms[FIELD]["of"] == keeper(game).opened


def told_of(newcomer: Envelope) -> str:
    """Return the text about a newcomer with a key that this host keeps; "" for one who has his own."""
    said = _(
        "He answers by replying to the mails: this host keeps that key and signs for him. His words are “{words}”: ask him for "
        "them.",
        words=newcomer.beside.get(FIELD, {}).get("words", ""),
    )
    return said if newcomer.beside else ""
