"""What a player is shown of a game of two: the reports that hosted games have, made from what his own program knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.errors import Fault, UsageError
from pbem.reports.report import Report

from .advance import heard_with, why_silent
from .turns import go_on

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.games import GamePack
    from pbem.ledger import Entry
    from pbem.ledger.pair import PairCourse
    from pbem.referee.pair import PairPlay
    from pbem.reports.replay import Opened

    from .shelf import PairSeat


def standing_play(seat: PairSeat, at: str) -> PairPlay:
    """Return the play as it stands: with the question that is asked, where one is. Raises UsageError before the game has begun."""
    seat.must_have_begun()
    return go_on(seat, at) or seat.play()


def pair_material(seat: PairSeat, play: PairPlay, *, news: bool = True) -> tuple[Report, GamePack]:
    """Return what a report is made of, with the `news` that he was not told yet or without, and the game."""
    table = seat.table
    since, spoken = (seat.notes.told, seat.notes.told_spoken) if news else (len(play.news), len(seat.notes.spoken))
    told = tuple(fact for _n, fact in heard_with(seat.notes, play, since, spoken))
    before = [*heard_with(seat.notes, play)]
    asked: tuple[str, ...] = ()
    if play.question is not None:
        asked = (seat.notes.seat,)
    elif not play.course.is_over:
        asked = (play.course.baton,)
    n, head = table.head
    made = Report(
        game_id=seat.notes.game,
        seat=seat.notes.seat,
        view=play.shown,
        told=(told,),
        asked=asked,
        entry=n,
        head=head,
        result=play.result,
        earlier=tuple(fact for _n, fact in before[: len(before) - len(told)]),
        complete=True,
        unused=why_silent(seat.notes, play),
        by_plan=play.question is not None and not play.question.mark,
        of_two=True,
    )
    return made, table.pack


def was_told(seat: PairSeat, play: PairPlay) -> None:
    """Remember that the player has been shown all that he has heard, and what was answered for him."""
    told = (len(play.news), len(seat.notes.spoken))
    if (seat.notes.told, seat.notes.told_spoken) != told:
        seat.notes.told, seat.notes.told_spoken = told
        seat.keep()


def is_new(seat: PairSeat, play: PairPlay) -> bool:
    """Is there anything that he was not told yet?"""
    return len(play.news) > seat.notes.told or len(seat.notes.spoken) > seat.notes.told_spoken


def opened_at_the_end(course: PairCourse, entries: Sequence[Entry], last: int) -> Opened:
    """Play a game again that is over, up to entry `last`, as each seat and everybody saw it.

    Raises UsageError where its rules are not here, and Fault where they find one.
    """
    from pbem.games.without_host import knowing_by_version, play_alike
    from pbem.referee.pair import missing_rules, other_rules, retold
    from pbem.reports.replay import PUBLIC, Opened
    from pbem.reports.told import Told

    knowing = knowing_by_version(course.first["rules"])
    if knowing is None:
        raise UsageError(missing_rules(course.first["rules"]))
    told: dict[str, list[Told]] = {one: [] for one in (*course.names, PUBLIC)}
    try:
        for tell in retold(knowing, course, entries, last):
            for one, tells in told.items():
                tells.append(Told(tell.n, tell.facts[one or None], tell.views[one or None]))
    except Fault as found:
        if play_alike(rules := course.first["rules"]):
            raise
        raise UsageError(other_rules(found.entry, rules)) from found
    result = next((act["result"] for act in entries[-1].fields["say"]["acts"] if act["do"] == "over"), None)
    return Opened(
        course.game, course.names, told, (last, result) if last == entries[-1].n else None, told[PUBLIC][-1].n
    )
