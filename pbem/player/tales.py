"""What a log tells a reader: its entries in sentences, its story, and its positions.

A `Tale` has two implementations: `LogTale` for logs of hosted games, which are told without rules, and `PairTale`
(`pbem.player.pair.tale`) for logs of two without a host, which are told at their end.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from pbem.errors import UsageError
from pbem.games import find
from pbem.i18n import _
from pbem.reports.replay import page
from pbem.reports.text import readable
from pbem.reports.told import Told, told

if TYPE_CHECKING:
    from pbem.games import GamePack
    from pbem.kernel import Json
    from pbem.ledger import Log


class Shown(NamedTuple):
    """The story up to an entry, as a seat or everybody has it. Views are as the log has them."""

    facts: Sequence[tuple[int, Sequence[Json]]]
    """Each entry with its facts."""
    result: Json | None
    """How the game ended, if the story goes so far."""
    positions: Mapping[str, Json]
    """The views at the end of the story, by the headings above them."""
    drawn: Callable[[], tuple[Mapping[str, Json], Sequence[Json]]]
    """Return the views to draw together, by seat, and the facts to draw with them."""
    page: Callable[[bool, int | None], str]
    """Return the page that steps through the story, with or without who stood better; it opens at an entry, or at the beginning."""
    is_public: bool
    """May everybody read that page?"""


class Tale(ABC):
    """What a log tells."""

    def __init__(self, log: Log, *, is_over: bool) -> None:
        self.log, self.entries, self.is_over = log, log.entries, is_over
        self.seats: Sequence[str] = log.entries[0].fields["seats"]

    @cached_property
    def pack(self) -> GamePack:
        """The game. Raises UsageError if it is not here."""
        return find(self.entries[0].fields["rules"]["id"])

    @property
    def pack_or_none(self) -> GamePack | None:
        """The game; None if it is not here."""
        try:
            return self.pack
        except UsageError:
            return None

    @abstractmethod
    def check_at(self, at: int) -> None:
        """Raise UsageError if entry `at` is not here."""

    @abstractmethod
    def shown(self, at: int | None, seat: str | None) -> Shown:
        """Return the story up to entry `at` as a seat (None: everybody) has it. Raises UsageError if all of that is sealed.

        With `at`, the facts are those of the last entry that tells something.
        """


class LogTale(Tale):
    """What the copy of a hosted game tells."""

    def __init__(self, log: Log) -> None:
        super().__init__(log, is_over=log.entries[-1].k == "end")

    def check_at(self, at: int) -> None:
        """Raise UsageError if entry `at` is not here."""
        if at > self.log.head[0]:
            raise UsageError(_("This copy ends with entry {n}; it has no entry {at}.", n=self.log.head[0], at=at))

    def shown(self, at: int | None, seat: str | None) -> Shown:
        """Return the story up to entry `at`, if the copy opens that to the seat or (None) to the public."""
        heard, end = told(self.log, seat), self.entries[-1]
        tells = [tell for tell in heard if at is None or tell.n <= at]
        if not tells:
            said = (
                _("Up to there nothing has been told to {seat} that this copy opens.", seat=seat)
                if seat
                else _("Up to there nothing has been told to the public that this copy opens.")
            )
            if heard:
                said += " " + _("The first tell that it opens is entry {n}.", n=heard[0].n)
            raise UsageError(said)
        last, n = tells[-1].n, self.log.head[0] if at is None else at
        after = (
            _("After entry {n}:", n=n)
            if last == n
            else _("After entry {n}, as the report in entry {last} left it:", n=n, last=last)
        )
        return Shown(
            [(tell.n, tell.facts) for tell in (tells if at is None else tells[-1:])],
            end.fields["result"] if self.is_over and last == end.n - 1 else None,
            {after: tells[-1].view},
            lambda: self._drawn(tells, seat),
            lambda judged, at: page(self.log, self.pack, seat, judged=judged, at=at),
            is_public=seat is None,
        )

    def _drawn(self, tells: Sequence[Told], seat: str | None) -> tuple[Mapping[str, Json], Sequence[Json]]:
        """Return the views of the seat, or of each, if the copy opens them after the last tell; otherwise the public's."""
        last, seats = tells[-1], (seat,) if seat else self.seats
        views = {one: tell.view for one in seats for tell in told(self.log, one) if tell.n == last.n}
        return views or {"": last.view}, [
            fact for tell in tells for fact in tell.facts if readable(fact, None, self.pack) is not None
        ]
