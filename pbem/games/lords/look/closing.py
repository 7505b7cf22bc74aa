"""The course of a game, for its end: everybody's points after each round, skirmishes, claims."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pbem.i18n import _
from pbem.kernel import Json
from pbem.look import PageTable

from ..views import LordsView
from .words import lord


def closing(course: Sequence[tuple[LordsView, Sequence[Json]]]) -> Sequence[PageTable]:
    """Return the points through the rounds, and what the skirmishes brought, as tables."""
    if not course:
        return ()
    seats = course[-1][0].seats
    facts = [fact for _view, heard in course for fact in heard]
    heads = ("", *map(lord, seats))
    return [
        PageTable(_("Points"), heads, tuple(_points(seats, facts))),
        PageTable(_("Skirmishes"), heads, tuple(_skirmishes(seats, facts))),
    ]


def _points(seats: Sequence[str], facts: Sequence[Json]) -> list[tuple[str, ...]]:
    """Return everybody's points after each round, from the claims in it."""
    now, after = dict.fromkeys(seats, 0), dict[int, dict[str, int]]()
    no = 0
    for fact in facts:
        if fact["f"] == "round":
            no = fact["round"]
        elif fact["f"] == "claim":
            now[fact["seat"]] = fact["points"]
        after[no] = dict(now)
    return [
        (_("After round {round}", round=no), *(str(points[seat]) for seat in seats))
        for no, points in after.items()
        if no
    ]


def _skirmishes(seats: Sequence[str], facts: Sequence[Json]) -> list[tuple[str, ...]]:
    won, best, claimed, powers = (Counter[str]() for _kind in range(4))
    for fact in facts:
        match fact["f"]:
            case "armies":
                won.update(army["seat"] for army in fact["armies"][:1])
                best |= Counter({army["seat"]: army["total"] for army in fact["armies"]})
            case "claim":
                claimed[fact["seat"]] += len(fact["cards"])
            case "power":
                powers[fact["seat"]] += 1
    told = {
        _("Skirmishes won"): won, _("Strongest army"): best, _("Supporters claimed"): claimed, _("Powers used"): powers,
    }  # fmt: skip
    return [(what, *(str(counted[seat]) for seat in seats)) for what, counted in told.items()]
