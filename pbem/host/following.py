"""Games that follow from a finished game: its result may name them, each with its options and its players by seat.

A result names them as ``{"games": [{"game": ID, "options": {…}, "seats": {SEAT: SEAT OF THE GAME THAT ENDED}}, …]}``, as a
tournament's bids do. If the options of a following game have a field `after`, it is the last head of the earlier log. So everybody
can check in that log why a player has this side at that price.
"""

from __future__ import annotations

from collections.abc import Callable

from pbem.errors import UsageError
from pbem.i18n import _
from pbem.kernel import Json

from .robot import Robot
from .store.keeping import STAGE
from .store.rows import GameRow

AFTER = "after"


def follow(
    robot: Robot,
    number: int,
    terms: Json,
    fresh: Callable[[], str],
    at: str,
) -> list[int]:
    """Open the games that game `number` named in its result; return their numbers.

    Their options are exactly those of the result, which were settled before. `fresh` returns new randomness for each game. `terms`
    are the terms for the players' agreement, as for any new game. Each player keeps his clock from the finished game.

    Raises UsageError if no games follow or they are open already; then no game is opened.
    """
    ended = robot.house.game(number)
    named = (ended.row.result or {}).get("games", []) if ended.stage == "ended" else []
    if not named:
        if ended.stage == "ended":
            raise UsageError(_("No games follow from game {number}: its result names none.", number=number))
        raise UsageError(
            _("No games follow from game {number}: it is {stage}.", number=number, stage=_(STAGE[ended.stage]))
        )
    head = ended.ledger.head
    if found := [row.id for row in robot.store.find(GameRow) if row.opts.get(AFTER) == head]:
        raise UsageError(
            _(
                "The games that follow from game {number} are open already; the first is game {id}.",
                number=number,
                id=found[0],
            )
        )
    opened = []
    with robot.store.decision():
        for entry in named:
            pack = robot.house.pack(entry["game"])
            given = {**entry["options"], **({AFTER: head} if AFTER in pack.rules.options_model.model_fields else {})}
            complete = pack.complete(given)
            players = {seat: ended.seats[before].address for seat, before in entry["seats"].items()}
            title = f"{ended.title}: {' – '.join(ended.name(before) for before in entry['seats'].values())}"
            clocks = {seat: ended.clock(before) for seat, before in entry["seats"].items()}
            opened.append(robot.new_game(entry["game"], complete, players, title, terms, fresh(), at, clocks))
    return opened
