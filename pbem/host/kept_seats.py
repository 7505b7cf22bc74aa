"""The kept seats of a hosted game: who may hold one and who does, what signs for them, and the evidence with their joins.

A player's words are in the log or, before that, in a note in the store.

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
from .kept import HowKept, Keeper
from .store import Store
from .store.rows import KEPT, JoinRow

_SHARED = "same address "
"""So the notes begin that let two kept seats of a game have one address; its number follows."""
_WORDS = "kept words "
"""So the notes begin that hold the words of a kept seat's player until its join is entered; its game and its name follow."""


def check(terms: Json, kept: Collection[str]) -> None:
    """Raise UsageError if the keys of the given seats may not be kept."""
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


def shared(game: HostedGame, seat: str, sender: str) -> str:
    """Why a player cannot take a seat from an address, as another seat has it; "" where he can."""
    others = [row for name, row in game.seats.items() if name != seat and row.key]
    if may_share(game) or sender.lower() not in [row.address.lower() for row in others]:
        return ""
    return _("Another seat of this game has your address. Ask who runs the host to allow that (--same-address).")


def held(game: HostedGame, seat: str) -> HowKept:
    """Return by whom a kept seat is held: the words that he wrote when he joined, or when he came in another's place."""
    if game.stage == "playing" and len(game.course.seats[seat].anchors) > 1:
        amends = [entry for entry in game.ledger.entries() if entry["k"] == "amend" and FIELD in entry]
        if came := [one[FIELD]["words"] for one in amends if one["what"]["player"]["say"]["seat"] == seat]:
            return HowKept(str(came[-1]), later=True)
    joins = [game.ledger.entry(n) for n in range(1, len(game.seats) + 1) if n <= game.ledger.n]
    said = (entry[FIELD]["words"] for entry in joins if entry["k"] == "join" and entry["by"] == seat and FIELD in entry)
    return HowKept(str(next(said, game.house.store.note(f"{_WORDS}{game.id} {seat}"))))


def note_words(game: HostedGame, seat: str, said: str) -> None:
    """Keep the words of a player before his join is entered."""
    game.house.store.put_note(f"{_WORDS}{game.id} {seat}", said)


def keeper(game: HostedGame) -> Keeper:
    """Return what signs for the kept seats of a game."""
    return Keeper(game.house.root, game.g, game.row.nonce)


def join_beside(game: HostedGame, join: JoinRow) -> dict[str, Json]:
    """Return what a join has beside it: of a kept seat, its player's words and the digest of his mail."""
    if game.seats[join.seat].kept != KEPT:
        return {}
    return join_field(held(game, join.seat).words, evidence.mail_of(game.house.store, game.id, join.say))


def sign_join(game: HostedGame, seat: str, said: HowKept, token: str, raw: bytes, at: str) -> Envelope:
    """Sign that a player who wrote these words takes a seat, and keep his mail as it came."""
    joined = keeper(game).joined(seat, said, token)
    if not said.later:
        note_words(game, seat, said.words)
    house, row = game.house, game.seats[seat]
    evidence.lay(house.store, house.root, (game.id, game.g), seat, joined.say, [("mail", raw)], at, row.language)
    return joined


def not_ready(game: HostedGame) -> list[str]:
    """Return the kept seats for which this host has yet to say that they are ready."""
    return [seat for seat in game.course.missing if game.seats[seat].kept == KEPT]


def waits_for(game: HostedGame) -> list[str]:
    """Return the waiting seats whose players have something to do: the host says for kept seats that they are ready."""
    kept = not_ready(game) if game.stage == "readying" else []
    return [seat for seat in game.waiting() if seat not in kept]


def sign_ready(game: HostedGame, seat: str) -> Envelope:
    """Sign for a kept seat that it is ready: it has seen the current head."""
    course, seen = game.course, (game.ledger.n, game.ledger.head)
    mark = course.call.mark if course.phase == "called" and course.call else 1
    if course.phase == "ready":
        seen = (course.roster, game.ledger.hash_of(course.roster) or "")
    return keeper(game).ready(seat, held(game, seat), seen, mark, course)
