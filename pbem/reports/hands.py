"""The hands of a seat, from its private reports that a copy opens."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pbem.errors import UsageError
from pbem.i18n import _

from .told import sense, told

if TYPE_CHECKING:
    from pbem.games import GamePack
    from pbem.kernel import Json
    from pbem.ledger import Log


class OpenedHand(NamedTuple):
    """A seat's hand with the tell at an entry: in a year or round (0: the game counts none), in the words of its look."""

    n: int
    year: int
    says: str


def hands(log: Log, pack: GamePack, seat: str, year: int | None = None) -> list[OpenedHand]:
    """Return the fullest hand of a seat in each year or round, or in one of them; the first of several that are as full.

    Raises UsageError where this copy does not open it, or the game has no such year.
    """
    name = pack.look.seat_name(seat)
    with sense(_("These rules do not recognise a report of {game} in this copy.", game=pack.rules.title)):
        views = [(one.n, _year(one.view), one.view) for one in told(log, seat)]
        if not views:
            raise UsageError(_("This copy does not open what {seat} was told: it is sealed until the end.", seat=name))
        fullest: dict[int, tuple[int, Json]] = {}
        for n, when, view in views:
            if when not in fullest or _cards(view) > _cards(fullest[when][1]):
                fullest[when] = n, view
        if year is not None and year not in fullest:
            there = ", ".join(map(str, sorted(fullest.keys() - {0}))) or _("no year")
            raise UsageError(
                _("This copy tells nothing of {seat} in {year}; the years or rounds that it tells of: {there}.",
                  seat=name, year=year, there=there)
            )  # fmt: skip
        wanted = fullest if year is None else {year: fullest[year]}
        return [OpenedHand(n, when, pack.look.hand(pack.rules.read_view(view))) for when, (n, view) in wanted.items()]


def _year(view: Json) -> int:
    """The year that a view is of, or the round; 0 where a game counts neither."""
    for part in (view, view.get("board")):
        for name in ("year", "round"):
            if isinstance(part, dict) and type(part.get(name)) is int:
                return int(part[name])
    return 0


def _cards(view: Json) -> int:
    hand = view.get("hand")
    return len(hand) if isinstance(hand, list) else 0
