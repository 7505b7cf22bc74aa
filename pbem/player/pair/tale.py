"""What a log of two tells a reader: its entries, a sentence each, and, when the game is over, its story and positions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pbem.errors import Fault, UsageError
from pbem.games.without_host import knowing_by_version, play_alike
from pbem.i18n import _
from pbem.ledger import Entry, Log
from pbem.ledger.pair import PairCourse, read_pair
from pbem.player.tales import Shown, Tale
from pbem.referee.pair import missing_rules, other_rules, retold
from pbem.reports.replay import PUBLIC, Opened, page, together
from pbem.reports.told import Told

if TYPE_CHECKING:
    from pbem.story.notation import Notation


class PairTale(Tale):
    """What a log of two tells: the story only when the game is over and both have shown their secrets."""

    def __init__(self, data: bytes) -> None:
        self.course, entries = read_pair(data)
        super().__init__(Log(entries), is_over=self.course.is_over)

    def check_at(self, at: int) -> None:
        """Raise UsageError if nobody saw anything after entry `at`."""
        if not 2 <= at < len(self.entries):
            raise UsageError(_("The log has entries 0 to {last}, not {n}.", last=len(self.entries) - 1, n=at))

    def opened(self, last: int) -> Opened:
        """Return what both had and saw, up to entry `last`. Raises UsageError before the end."""
        if not self.is_over:
            raise UsageError(
                _(
                    "This game is not over: each player's view is hidden until the end, when both show their "
                    "secrets. “pbem board” shows your own game."
                )
            )
        return opened_at_the_end(self.course, self.entries, last)

    def notation(self) -> Notation:
        """Return the full notation of a game that is over. Raises UsageError where its rules are not here."""
        from .notation import hostless_notation

        return hostless_notation(self.course, self.entries)

    def shown(self, at: int | None, seat: str | None) -> Shown:
        """Return the story up to entry `at` as one seat saw it, or as both did together. Raises UsageError before the end."""
        last, seats, name = (
            self.entries[-1].n if at is None else at,
            (seat,) if seat else self.seats,
            self.pack.look.seat_name,
        )
        tale = self.opened(last)
        heard = [tale.told[one] for one in seats]
        facts = [
            (tell.n, heard[0][i].facts if seat else tuple(together(tell.facts, [told[i].facts for told in heard])))
            for i, tell in enumerate(tale.told[PUBLIC])
        ]
        views = {one: told[-1].view for one, told in zip(seats, heard, strict=True)}
        return Shown(
            facts if at is None else facts[-1:],
            tale.end and tale.end[1],
            {_("After entry {n}, seen by {seat}:", n=last, seat=name(one)): view for one, view in views.items()},
            lambda: (views, [fact for told in heard for tell in told for fact in tell.facts]),
            lambda judged, at: page(tale, self.pack, seat, judged=judged, at=at),
            is_public=True,
        )


def opened_at_the_end(course: PairCourse, entries: Sequence[Entry], last: int) -> Opened:
    """Play a game again that is over, up to entry `last`, as each seat and everybody saw it.

    Raises UsageError where its rules are not here, and Fault where they find one.
    """
    if (knowing := knowing_by_version(course.first["rules"])) is None:
        raise UsageError(missing_rules(course.first["rules"]))
    try:
        tells = list(retold(knowing, course, entries, last))
    except Fault as found:
        if play_alike(rules := course.first["rules"]):
            raise
        raise UsageError(other_rules(found.entry, rules)) from found
    told = {
        one: [Told(tell.n, tell.facts[one or None], tell.views[one or None]) for tell in tells]
        for one in (*course.names, PUBLIC)
    }
    return Opened(
        course.game,
        course.names,
        told,
        (last, next((act["result"] for act in entries[-1].fields["say"]["acts"] if act["do"] == "over"), None))
        if last == entries[-1].n
        else None,
        told[PUBLIC][-1].n,
    )
