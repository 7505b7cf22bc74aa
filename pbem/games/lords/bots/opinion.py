"""Who is ahead in Lords of Scotland, for viewers of a finished game: estimated from what all seats see together.

From that point the search's fast player plays the game to its end, again and again. Only the pile and the face-down recruits are
laid out differently each time, because nobody has seen them. If supporters are being claimed, the round is counted again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from pbem.games.searching import WORTH, Urn, hopes
from pbem.kernel import Chooser, View

from ..views import LordsView
from .fray import Fray
from .guessing import Guesses
from .habit import habit

TRIALS = 96
LONGEST = 60
"""The maximum number of rounds played to the end of a game; then the seat with the most points has won."""


def opinion(views: Sequence[View], chooser: Chooser) -> Mapping[str, int]:
    """Return how likely each seat is to win, in thousandths, from the views of all seats, in their order."""
    seen = [cast(LordsView, view) for view in views]
    first, seats = seen[0], range(len(seen))
    if first.result is not None:
        return {seat: WORTH * (seat == first.result["winner"]) for seat in first.seats}
    wins = [0 for _seat in seats]
    if first.round:
        guesses = Guesses(*seen)
        for _trial in range(TRIALS):
            winner = _winner(_now(guesses, first, urn := Urn.of(chooser), seen), urn)
            for seat in seats if winner < 0 else (winner,):
                wins[seat] += WORTH // len(wins) if winner < 0 else WORTH
    return dict(zip(first.seats, hopes(wins, TRIALS if first.round else 0), strict=True))


def _now(guesses: Guesses, view: LordsView, urn: Urn, views: Sequence[LordsView]) -> Fray:
    """Return a table as it may be now, at the turn of the asked seat; between two turns, after all pending chance."""
    table = guesses.lay(urn)
    step = view.stack["skirmish"]["step"]
    if step in ("supporters", "look"):  # what lies there so far goes back: all of it is laid out anew
        table.pile += [*table.supporters, *(card for card, _up in table.row)]
        table.round -= 1
        table.begin(urn)
    elif step == "turn":
        asked = [no for no, seen in enumerate(views) if seen.question == "turn"]
        table.asked = asked[0] if asked else view.seats.index(str(view.stack["turn"]["seat"]))
        if not asked:  # it waits for a card that it draws
            table.skip()
    else:
        table.count()
    return table


def _winner(table: Fray, urn: Urn) -> int:
    """Play a table to its end; return who wins, -1 for nobody."""
    for _round in range(LONGEST):
        while table.turn:
            if (move := habit(table, urn)) is None:
                table.skip()
            else:
                table.do(move, urn)
        if table.over:
            break
        table.begin(urn)
    return table.winner
