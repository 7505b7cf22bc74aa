"""The blocks and areas for the words of plans and premoves: first the likely ones, then all others.

A plan may apply in a position that nobody knows yet. So everything possible is offered: each block that is the seat's or may come
over to it, and each area. It uses the seat's view alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pbem.i18n import N_
from pbem.look.grammar import Word

from ...plans.clauses import ANY
from ...rules import AREAS, BLOCKS, DEAD, NEIGHBOURS, OFF, POOL, ROSTER
from ...rules.said import _, named
from ...views import HammerView

_AWAY = {POOL: N_("pool"), OFF: N_("later"), DEAD: N_("dead")}


def able(view: HammerView, near: str = ANY) -> tuple[str, ...]:
    """Return the blocks that are the seat's or may become so: those in and beside an area first, then all on the map."""
    there = (near, *NEIGHBOURS[near]) if near != ANY else ()
    own = [name for area in (*there, *AREAS) for name in view.groups.get(area, ())]
    return tuple(dict.fromkeys([*own, *(name for name in ROSTER if BLOCKS[name].owner in ("", view.seat))]))


def where(view: HammerView, name: str) -> str:
    """Return a note on a block that is not on the map, or not the seat's; "" for others."""
    own = view.own(name)
    if own is None:
        return _("theirs")
    return _(_AWAY[own.at]) if own.at in _AWAY else ""


def own_areas(view: HammerView) -> tuple[str, ...]:
    """Return the areas with the seat's blocks, in the order of the board."""
    return tuple(area for area in AREAS if view.groups.get(area))


def ordered(first: Iterable[str]) -> tuple[str, ...]:
    """Return all areas, these first."""
    return tuple(dict.fromkeys([*first, *AREAS]))


def blocks(view: HammerView, names: Iterable[str], before: str, says: str, *, whole: bool = True) -> Iterator[Word]:
    """Go through the words for blocks, each behind `before`; the message `says` what touching one does: `{block}`."""
    for name in names:
        yield Word(before + name, f"block:{name}", says, {"block": named(name)}, whole, where(view, name))


def areas(names: Iterable[str], before: str, says: str, *, whole: bool = True) -> Iterator[Word]:
    """Go through the words for areas, each behind `before`; the message `says` what touching one does: `{area}`."""
    for name in names:
        yield Word(before + name, f"area:{name}", says, {"area": named(name)}, whole)
