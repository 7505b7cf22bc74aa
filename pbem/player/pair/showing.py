"""The reports to a player in a game of two: those of hosted games, made from his own program's data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.reports.report import Report

from .advance import heard_with, why_silent
from .turns import go_on

if TYPE_CHECKING:
    from pbem.games import GamePack
    from pbem.referee.pair import PairPlay

    from .shelf import PairSeat


def standing_play(seat: PairSeat, at: str) -> PairPlay:
    """Return the current play, with the open question if there is one. Raises UsageError before the game has begun."""
    seat.must_have_begun()
    return go_on(seat, at) or seat.play()


def pair_material(seat: PairSeat, play: PairPlay, *, news: bool = True) -> tuple[Report, GamePack]:
    """Return the data of a report, with or without the `news` that he was not told yet, and the game."""
    table = seat.table
    since, spoken = (seat.notes.told, seat.notes.told_spoken) if news else (len(play.news), len(seat.notes.spoken))
    told = tuple(fact for _n, fact in heard_with(seat.notes, play, since, spoken))
    before = [*heard_with(seat.notes, play)]
    n, head = table.head
    made = Report(
        game_id=seat.notes.game,
        seat=seat.notes.seat,
        view=play.shown,
        told=(told,),
        asked=play.asked,
        entry=n,
        head=head,
        result=play.result,
        earlier=tuple(fact for _n, fact in before[: len(before) - len(told)]),
        complete=True,
        unused=why_silent(seat.notes, play),
        by_plan=play.question is not None and not play.question.mark,
        ends_untold=True,
    )
    return made, table.pack


def was_told(seat: PairSeat, play: PairPlay) -> None:
    """Remember that the player has been shown everything heard so far, and the answers given for the player."""
    told = (len(play.news), len(seat.notes.spoken))
    if (seat.notes.told, seat.notes.told_spoken) != told:
        seat.notes.told, seat.notes.told_spoken = told
        seat.keep()


def is_new(seat: PairSeat, play: PairPlay) -> bool:
    """Is there anything that he was not told yet?"""
    return len(play.news) > seat.notes.told or len(seat.notes.spoken) > seat.notes.told_spoken
