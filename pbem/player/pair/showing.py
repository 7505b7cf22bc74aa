"""What a player is shown of a game of two: the reports that hosted games have, made from what his own program knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.errors import UsageError
from pbem.i18n import _
from pbem.reports.text import Report

if TYPE_CHECKING:
    from pbem.games import GamePack
    from pbem.referee.pair import PairPlay

    from .notes import PairNotes
    from .pairs import Pairs


def standing_play(pairs: Pairs, notes: PairNotes, at: str) -> PairPlay:
    """Return the play as it stands: with the question that is asked, where one is. Raises UsageError before the game has begun."""
    table = pairs.table(notes)
    if table.waits:
        raise UsageError(_("The game has not begun: your friend has not joined yet."))
    return pairs.go_on(notes, at) or pairs.play(table)


def pair_material(pairs: Pairs, notes: PairNotes, play: PairPlay, since: int) -> tuple[Report, GamePack]:
    """Return what a report is made of, and the game; `since`: so many facts were told before."""
    table = pairs.table(notes)
    facts = [fact for _n, fact in play.news]
    asked: tuple[str, ...] = ()
    if play.question is not None:
        asked = (notes.seat,)
    elif not play.course.is_over:
        asked = (play.course.baton,)
    n, head = table.head
    made = Report(
        game_id=notes.game,
        seat=notes.seat,
        view=play.shown,
        told=(tuple(facts[since:]),),
        asked=asked,
        entry=n,
        head=head,
        result=play.result,
        earlier=tuple(facts[:since]),
        complete=True,
        of_two=True,
        own=table.entries[-1].fields["by"] == notes.seat,
    )
    return made, table.pack


def was_told(pairs: Pairs, notes: PairNotes, play: PairPlay) -> None:
    """Remember that the player has been shown all that he has heard."""
    if notes.told != len(play.news):
        notes.told = len(play.news)
        pairs.keep(notes)
