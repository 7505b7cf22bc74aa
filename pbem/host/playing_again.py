"""Another game between the same players: AGAIN, in a reply to the last letter of a game, opens it.

It is the game that was played, with its options and its terms, and each player sits in the seat behind his own: of two, they
change sides. All are invited to it as to any other, so that nobody plays who does not want to.

One game opens one other, whoever asks first. A game of an event or a tournament opens none: its organizer pairs the next round.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable

from pbem.i18n import _
from pbem.ledger.kept import seats_of
from pbem.ledger.terms import goes_again

from .hosted import HostedGame
from .kept_seats import may_share
from .post import Post
from .roster import open_game


def is_offered(game: HostedGame) -> bool:
    """Does AGAIN open another game?

    Only when the game is over, and only in a game that its players alone have agreed on.
    """
    return game.stage == "ended" and goes_again(game.ledger.entry(0))


def play_again(post: Post, game: HostedGame, at: str, told: Callable[[str, str], str]) -> str:
    """Open the game that follows one that is over, once: the same, with each player in the seat behind his own.

    The clocks, languages and addresses go with the players; who may answer by replies there may do so again.

    Return what was done: what `told` returns where it is open already, which takes what the player is told, and the outcome.
    """
    if number := game.house.store.note(f"again {game.id}"):
        first = _("Game {number} is open already, and you have been invited.", number=number)
        return told(first, "duplicate: that game is open")
    terms, seats = game.ledger.entry(0)["terms"], [*game.seats]
    before = dict(zip(seats, [*seats[1:], seats[0]], strict=True))
    with game.house.store.decision():
        opened = open_game(
            post,
            game.row.game,
            game.row.opts,
            {seat: game.seats[other].address for seat, other in before.items()},
            game.title,
            {name: term for name, term in terms.items() if not name.startswith("x:")},
            secrets.token_hex(32),
            at,
            {seat: game.clock(other) for seat, other in before.items()},
            {seat: game.seats[other].language for seat, other in before.items()},
            seats_of(terms),
            may_share(game),
        )
        game.house.store.put_note(f"again {game.id}", str(opened))
    return f"again: game {opened}"
