"""The standing of the lords: the known total of each army, who is ahead, and why.

It counts the cards in a view; unknown cards are counted separately. No rule uses it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pbem.i18n import _, _n

from ..rules.cards import BRUCE, clan
from ..views import HIDDEN, LordsView
from .words import both, capital, cards, lord


class ArmyStands(NamedTuple):
    """The known part of an army: its total, whether that is doubled, its highest rank, the number of unknown cards."""

    total: int
    rank: int
    doubled: bool
    unknown: int

    @property
    def said(self) -> str:
        """The total in a few signs: "24", and "24+?" with unknown cards."""
        return f"{self.total}+?" if self.unknown else str(self.total)


def army(views: Sequence[LordsView], seat: str) -> ArmyStands:
    """Return what an army comes to by what these views know together.

    It is doubled where all of it is known and of one clan; an activated Bruce is of any.
    """
    terms = views[0].terms
    known, clans = [], set()
    for told in zip(*(view.armies[seat] for view in views), strict=True):
        if seen := [follower for follower in told if follower.card != HIDDEN]:
            known.append(seen[0].card)
            clans |= {clan(seen[0].card)} - ({clan(seen[0].card)} if seen[0].power == BRUCE else set())
    unknown = len(views[0].armies[seat]) - len(known)
    doubled = len(known) > 1 and len(clans) <= 1 and not unknown
    total = sum(map(terms.strength, known)) * (2 if doubled else 1)
    return ArmyStands(total, max(map(terms.rank, known), default=0), doubled, unknown)


def leaders(view: LordsView) -> list[str]:
    """Return the seats with the most points; [] while nobody has any."""
    most = max(map(view.points, view.seats))
    return [seat for seat in view.seats if view.points(seat) == most] if most else []


def strongest(views: Sequence[LordsView]) -> str:
    """Return the seat with the first army by what is known: the highest total, of equals the highest rank; "" without armies."""
    view = views[0]
    there = [seat for seat in view.seats if army(views, seat).rank]
    return max(there, key=lambda seat: army(views, seat)[:2], default="")


def said(view: LordsView) -> list[str]:
    """Return sentences that tell who is ahead and why: in points, and in the skirmish."""
    return [_in_points(view), *([_in_skirmish(view)] if view.turn and strongest([view]) else [])]


def _in_points(view: LordsView) -> str:
    first = leaders(view)
    if not first:
        return _("Nobody has points yet; {goal} claim the throne.", goal=view.terms.goal)
    what = {"n": view.points(first[0]), "goal": view.terms.goal}
    if len(first) > 1:
        return _("{lords} are ahead, level with {n} of {goal} points.", lords=both([*map(lord, first)]), **what)
    won = both(sorted(view.won[first[0]], key=view.terms.worth, reverse=True))
    if first[0] == view.seat:
        told = _("You are ahead with {n} of {goal} points: {cards}.", cards=won, **what)
    else:
        told = _("{lord} is ahead with {n} of {goal} points: {cards}.", lord=lord(first[0]), cards=won, **what)
    return f"{told}{_following(view, first[0])}"


def _following(view: LordsView, first: str) -> str:
    points = {seat: view.points(seat) for seat in view.seats if seat != first}
    next_best = [lord(seat) for seat in points if points[seat] == max(points.values())]
    return _n(
        " {lords} follows with {points}.", " {lords} follow with {points}.", len(next_best),
        lords=both(next_best), points=max(points.values()),
    )  # fmt: skip


def _in_skirmish(view: LordsView) -> str:
    best = strongest([view])
    stands = {seat: army([view], seat) for seat in view.seats}
    top = stands[best]
    told = _(
        "The strongest army so far is that of {lord}: {n}{doubled}{rank}.",
        lord=lord(best), n=top.total,
        doubled=_(", doubled, as all are of one clan") if top.doubled else "",
        rank=_(", by rank {rank}", rank=top.rank) if [one.total for one in stands.values()].count(top.total) > 1 else "",
    )  # fmt: skip
    unknown = sum(one.unknown for one in stands.values())
    if not unknown:
        return told
    return f"{told} " + capital(_n("{cards} lies face-down.", "{cards} lie face-down.", unknown, cards=cards(unknown)))
