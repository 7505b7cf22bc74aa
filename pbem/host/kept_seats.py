"""The kept seats of a hosted game: what signs for them, by the words of their players, and what their joins have beside them.

Each function works inside the transaction of its caller.
"""

from __future__ import annotations

from collections.abc import Collection

from pbem.errors import UsageError
from pbem.i18n import _
from pbem.kernel import Json
from pbem.ledger.kept import KEPT as FIELD
from pbem.ledger.kept import join_field
from pbem.referee import Envelope

from . import evidence
from .hosted import HostedGame
from .kept import Keeper
from .store import Store
from .store.rows import KEPT, JoinRow

_SHARED = "same address "
"""So the notes begin that let two kept seats of a game have one address; its number follows."""
_WORDS = "kept words "
"""So the notes begin that hold the words of a kept seat's player until its join is entered; its game and its name follow."""


def check(terms: Json, kept: Collection[str]) -> None:
    """Raise UsageError where the keys of these seats may not be kept."""
    if kept and terms.get("rated"):
        raise UsageError(_("In a rated game each player signs with a key of his own; the host keeps none."))
    if both := sorted(set(kept) & set(terms.get("built_in", {}))):
        raise UsageError(_("A built-in player answers no mail: {seats}.", seats=", ".join(both)))


def note_shared(store: Store, game: int, *, same_address: bool) -> None:
    """Note whether two kept seats of a game may have one address."""
    if same_address:
        store.put_note(f"{_SHARED}{game}", "yes")


def may_share(game: HostedGame) -> bool:
    """May two kept seats of a game have one address?"""
    return bool(game.house.store.note(f"{_SHARED}{game.id}"))


def keeper(game: HostedGame) -> Keeper:
    """Return what signs for the kept seats of a game."""
    return Keeper(game.house.root, game.g, game.row.nonce)


def words(game: HostedGame, seat: str) -> str:
    """Return the words that the player of a kept seat wrote when he joined."""
    joins = [game.ledger.entry(n) for n in range(1, len(game.seats) + 1) if n <= game.ledger.n]
    found = (
        entry[FIELD]["words"] for entry in joins if entry["k"] == "join" and entry["by"] == seat and FIELD in entry
    )
    return str(next(found, game.house.store.note(f"{_WORDS}{game.id} {seat}")))


def note_words(game: HostedGame, seat: str, said: str) -> None:
    """Keep the words of a player whose join is not entered yet."""
    game.house.store.put_note(f"{_WORDS}{game.id} {seat}", said)


def join_beside(game: HostedGame, join: JoinRow) -> dict[str, Json]:
    """Return what a join has beside it: of a kept seat, its player's words and the digest of his mail."""
    if game.seats[join.seat].kept != KEPT:
        return {}
    return join_field(words(game, join.seat), evidence.mail_of(game.house.store, game.id, join.say))


def sign_join(game: HostedGame, seat: str, said: str, token: str, raw: bytes, at: str) -> Envelope:
    """Sign that a player who wrote these words takes a seat, and keep his mail as it came."""
    joined = keeper(game).joined(seat, said, token)
    note_words(game, seat, said)
    house, row = game.house, game.seats[seat]
    evidence.lay(house.store, house.root, (game.id, game.g), seat, joined.say, [("mail", raw)], at, row.language)
    return joined


def not_ready(game: HostedGame) -> list[str]:
    """Return the kept seats for which this host has yet to say that they are ready."""
    return [seat for seat in game.course.missing if game.seats[seat].kept == KEPT]


def sign_ready(game: HostedGame, seat: str) -> Envelope:
    """Say for a kept seat that it is ready: it has seen the head that stands now."""
    course, seen = game.course, (game.ledger.n, game.ledger.head)
    mark = course.call.mark if course.phase == "called" and course.call else 1
    if course.phase == "ready":
        seen = (course.roster, game.ledger.hash_of(course.roster) or "")
    return keeper(game).ready(seat, words(game, seat), seen, mark, course)
