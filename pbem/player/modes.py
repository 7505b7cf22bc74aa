"""What the two modes of games have of their own, for a player and for readers of logs with the rules at hand: a class for each.

`pbem.ledger.modes` says what can be done with a log without rules. Each function imports what it needs: most commands need few
of them, and most players have no game of two.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pbem.ledger import Log, Progress, Verdict
from pbem.ledger.modes import OF_TWO, WITH_HOST, mode_of

if TYPE_CHECKING:
    from pbem.ledger.pair.complaint import Complained
    from pbem.referee.replaying import Shelf

    from .tales import Tale

Called = Callable[[str], str]
"""Returns the name of a seat."""


class _WithHost:
    """Games with a host."""

    def tale(self, data: bytes) -> Tale:
        from .tales import LogTale

        return LogTale(Log.parse(data))

    def audited(self, data: bytes, lent: Shelf, told: Progress | None, jobs: int, _called: Called) -> Verdict:
        from pbem.games import installed
        from pbem.referee.audit import audit

        return audit(data, installed, lent, told, jobs).verdict


class _OfTwo:
    """Games of two players without one."""

    def tale(self, data: bytes) -> Tale:
        from .pair.tale import PairTale

        return PairTale(data)

    def audited(self, data: bytes, _lent: Shelf, _told: Progress | None, _jobs: int, called: Called) -> Verdict:
        from .pair.proving import audited

        return audited(data, called)


_MODES: dict[str, _WithHost | _OfTwo] = {WITH_HOST.name: _WithHost(), OF_TWO.name: _OfTwo()}


def mode_in(data: bytes) -> _WithHost | _OfTwo:
    """Return the mode of a log."""
    return _MODES[mode_of(data).name]


def beside(log: bytes, letter: bytes, called: Called) -> Complained:
    """Judge what a friend has signed beside a log of two: the lines of his letter, or a file kept next to the log."""
    from pbem.ledger.pair import complaint_of_two

    from .pair.proving import audited
    from .reading import opened

    return complaint_of_two(log, opened(letter)[0].log, lambda data, papers: audited(data, called, papers))
