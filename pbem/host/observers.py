"""Observers: addresses that get each public report of a game, without a seat, a say or a part in the log.

An observer sees what the public sees. The operator puts him on the list; his mail is never an order.

If a host's web address allows it (`WATCH`), everybody may observe a game if its players were told so in their invitation. That
promise is noted with the game. Later settings may show less of the game, but never more.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice

from pbem.errors import UsageError
from pbem.i18n import _
from pbem.ledger import Log, redact
from pbem.referee import Referee

from .hosted import HostedGame
from .post import WATCHED, Post
from .settings import WATCH
from .store import Store, StoredLedger
from .store.rows import GameRow, Observer

STANDING = "standing of event "
"""The beginning of a note on the public standings of an event; the event's full name follows."""
_STAGES = {"nothing": (), "finished": ("ended",), "all": ("ended", "playing")}


def hide_standings(store: Store, but: Collection[str] = ()) -> None:
    """Stop showing the standings of events, except those with these full names."""
    store.forget(*(f"{STANDING}{name}" for name in store.notes(STANDING) if name not in but))


def observe(game: HostedGame, address: str, post: Post, at: str, language: str = "") -> None:
    """Let an address look on from now on, and tell it so. Raises UsageError."""
    if any(seat.address.lower() == address.lower() for seat in game.seats.values()):
        raise UsageError(
            _(
                "{address} plays in game {number}, and is told more than somebody who looks on.",
                address=address,
                number=game.id,
            )
        )
    if post.is_own(address):
        raise UsageError(_("{address} is the host's own address.", address=address))
    if address.lower() in (known.lower() for known in addresses(game)):
        raise UsageError(_("{address} looks on at game {number} already.", address=address, number=game.id))
    store = game.house.store
    store.insert("observers", game=game.id, address=address, at=at, sent_n=game.ledger.n, language=language)
    post.welcome_observer(game, "", at, address, language=post.at_hand(language))


def look_away(game: HostedGame, address: str) -> None:
    """Remove an observer. Raises UsageError if the address is not one."""
    for known in addresses(game):
        if known.lower() == address.lower():
            game.house.store.delete("observers", game=game.id, address=known)
            return
    looking = ", ".join(addresses(game)) or _("nobody")
    raise UsageError(
        _(
            "{address} does not look on at game {number}; those who do: {addresses}.",
            address=address, number=game.id, addresses=looking,
        )
    )  # fmt: skip


def addresses(game: HostedGame) -> list[str]:
    """Return who looks on."""
    return [one.address for one in game.house.store.find(Observer, game=game.id)]


def report(game: HostedGame, referee: Referee, post: Post, at: str, until: str) -> None:
    """Send everybody who looks on what the public has been told since his last report."""
    looking = game.house.store.find(Observer, game=game.id)
    for since, language in sorted({(one.sent_n, one.language) for one in looking}):
        to = [one.address for one in looking if (one.sent_n, one.language) == (since, language)]
        if game.ledger.told("", since):
            post.public_report(game, referee, to, since, at, until, language)
            for address in to:
                game.house.store.change("observers", (game.id, address), sent_n=game.ledger.n)


def let_everybody(store: Store, number: int, watch: str) -> None:
    """Note what the players of a game are told, as they are invited, of who may look on."""
    if watch != WATCH[0]:
        store.put_note(f"{WATCHED}{number}", watch)


def shown(store: Store, watch: str, most: int | None = None) -> list[GameRow]:
    """Return the games, at most `most`, that everybody may observe, the latest first; `watch`: by the settings."""
    found = (row for row in store.last_games(_STAGES[watch]) if _shows(store, row, watch))
    return list(islice(found, most))


def shown_log(ledger: StoredLedger) -> Log:
    """Return the public log of such a game: for a running game what all know, for a finished one everything."""
    return redact(ledger.whole(), "")


def is_shown(store: Store, number: int, watch: str) -> bool:
    """May everybody look at that game?"""
    row = store.get(GameRow, id=number)
    return row is not None and _shows(store, row, watch)


def _shows(store: Store, row: GameRow, watch: str) -> bool:
    told = store.note(f"{WATCHED}{row.id}")
    return told in WATCH and row.stage in _STAGES[min(told, watch, key=WATCH.index)]
