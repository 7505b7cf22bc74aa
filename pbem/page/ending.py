"""The end of a game on a page: who won by how much, the last position of all seats, and what can be played next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.games import GamePack
from pbem.i18n import _
from pbem.kernel import Json, View
from pbem.ledger import cj, read_line
from pbem.reports.replay import Opened

from . import playing
from .alone import Solo, best
from .covers import covered, seat_words

LEVELS = ("random", "sensible", "normal", "hard")
"""The built-in players by their strength, the weakest first."""


def last_views(pack: GamePack, whole: Opened) -> dict[str, View]:
    """Return how all seats saw the end; empty if the game is not fully open."""
    if not all(map(whole.told.get, whole.seats)):
        return {}
    return {seat: pack.rules.read_view(read_line(cj(whole.told[seat][-1].view))) for seat in whole.seats}


def outcome(pack: GamePack, seat: str, result: Json, views: Sequence[View]) -> str:
    """Return how a game ended for a seat: “You lost, 7 to 6”. Without the views of all seats nothing is counted."""
    cover = covered(pack)
    winners = cover.winners(result)
    counted = _counted(cover.score(result, views) if views else {}, winners, seat)
    score = {"more": counted[0], "less": counted[1]} if counted else {}
    if winners and seat not in winners:
        return _("You lost, {more} to {less}", **score) if score else _("You lost")
    if not winners:
        return _("Nobody won, {more} to {less}", **score) if score else _("Nobody won")
    if len(winners) > 1:
        return _("You share the victory, {more} to {less}", **score) if score else _("You share the victory")
    return _("You won, {more} to {less}", **score) if score else _("You won")


def _counted(score: Mapping[str, int], winners: Sequence[str], seat: str) -> tuple[int, int] | None:
    """Return two figures: for a loser, the winner's and the seat's own; otherwise the seat's own and the runner-up's."""
    if seat not in score:
        return None
    if winners and seat not in winners:
        return score.get(winners[0], 0), score[seat]
    others = [n for one, n in score.items() if one != seat and (one not in winners or len(score) == len(winners))]
    return (score[seat], max(others)) if others else None


def rematches(solo: Solo) -> tuple[playing.Rematch, ...]:
    """Return what can be played after a game alone: the same again, another side, against a stronger player."""
    begun, seats = solo.begun, solo.table.seats
    side = seats[(seats.index(solo.seat) + 1) % len(seats)]
    levels = [name for name in LEVELS if name in best(solo.pack)]
    stronger = levels[levels.index(begun.against) + 1 :][:1] if begun.against in levels else []
    found = [
        ("again", "", solo.seat, begun.against),
        ("side", seat_words(solo.pack, side), side, begun.against),
        *(("stronger", name, solo.seat, name) for name in stronger),
    ]
    return tuple(
        playing.Rematch.model_validate({
            "what": what, "name": name, "game": begun.game, "options": begun.options, "seat": seat, "against": against,
        })
        for what, name, seat, against in found
    )  # fmt: skip
