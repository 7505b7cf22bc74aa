"""Who looks on: an address that gets each public report of a game, and has no seat, no say and no part of the log.

An observer sees what the public sees. He is on the list because whoever runs the host put him there; his mail is no order.
"""

from __future__ import annotations

from pbem.errors import UsageError
from pbem.i18n import _
from pbem.referee import Referee

from .hosted import HostedGame
from .post import Post
from .store.rows import Observer


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
    """Let an address look on no more. Raises UsageError where it does not."""
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
