"""A rematch between the same players: AGAIN, in a reply to the last letter of a game, opens it.

It is the same game with the same options and terms. Each player moves on to the seat after his own; two players change sides. All
are invited as to any other game, so nobody has to play.

A game opens one rematch, for the first who asks. A game of an event or a tournament opens none: its organizer pairs the next
round.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable

from pbem.errors import UsageError
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
    """Open the rematch of a finished game, once: the same game, with each player in the seat after his own.

    The clocks, languages and addresses move with the players. Those who may answer by replies may do so again.

    Return what was done. If the rematch is open already, return the result of `told`, which takes the message and the outcome.
    """
    if number := game.house.store.note(f"again {game.id}"):
        first = _("Game {number} is open already, and you have been invited.", number=number)
        return told(first, "duplicate: that game is open")
    terms, seats = game.ledger.entry(0)["terms"], [*game.seats]
    before = dict(zip(seats, [*seats[1:], seats[0]], strict=True))
    try:
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
    except UsageError:  # somebody is banned now, and that is between him and the operator
        return told(_("This host opens no more games for the players of this one."), "refused: no game for one of them")
    return f"again: game {opened}"
