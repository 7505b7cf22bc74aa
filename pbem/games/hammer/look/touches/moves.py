"""The touches of a Move card: who goes, where to, by which way, line after line. Rules 4.0-4.7, 5.32, the option of rallying.

A line begins with a block, with all blocks of an area, or with the choice of some of them. An area that is touched then is reached
by the shortest way; another way is made by touching the areas on it, for where one may pass one may stop. Of those who rally every
way is a touch of its own: there may be no Group Move for stopping short of the leader.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from pbem.i18n import _, _n
from pbem.look.touches import Touch

from ... import orders
from ...rules import (
    AREAS,
    BORDER,
    ENGLAND,
    NORSE,
    RALLY,
    Tally,
    crosses_to_or_from_england,
    marches,
    mover,
    sailings,
)
from ...views import HammerView
from ..words import listed
from . import reading

_SOMEWHERE = f" > {ENGLAND}"


class _Written(NamedTuple):
    """A move as far as it is written: the whole lines, and the march that has no route yet, if there is one."""

    whole: tuple[orders.March, ...]
    begun: orders.March | None

    @property
    def lines(self) -> tuple[str, ...]:
        return tuple(map(str, self.whole))


def moves(view: HammerView, draft: Sequence[str]) -> Iterator[Touch]:
    """Go through what may come next in a move."""
    written = _read(view, draft)
    if written is None:
        return
    tally, before = Tally(mover(view)), Tally(mover(view))
    for i, march in enumerate(written.whole, 1):
        if tally.refusal(march):
            return
        tally.add(march)
        if i < len(written.whole):
            before.add(march)
    if written.begun:
        yield from _further(tally, view, written.lines, written.begun)
    elif not written.whole:
        yield reading.passing(_("Pass: nobody moves"))
        yield from _starts(tally, view, ())
    else:
        *lines, _last = written.lines
        yield from _onward(before, lines, written.whole[-1])
        yield from _starts(tally, view, written.lines)


def _read(view: HammerView, draft: Sequence[str]) -> _Written | None:
    if not draft:
        return _Written((), None)
    order = reading.read(view, draft)
    if isinstance(order, orders.Move):
        return _Written(order.marches, None)
    order = None if order else reading.read(view, (*draft[:-1], draft[-1].rstrip(" >")), _SOMEWHERE)
    if not isinstance(order, orders.Move):
        return None
    return _Written(order.marches[:-1], order.marches[-1].model_copy(update={"route": ()}))


# Who goes


def _starts(tally: Tally, view: HammerView, lines: Sequence[str]) -> Iterator[Touch]:
    """Go through the blocks that may begin another line, and the areas of which several may."""
    for area in AREAS:
        able = [name for name in _waiting(tally, view, area) if _can_go(tally, area, (name,))]
        if len(able) > 1:
            yield _all(tally, area, lines, tuple(able))
        for name in able:
            label = _("{block} in {area} (rating {n})", block=name, area=area, n=tally.who.rating(name))
            yield _begun(f"block:{name}", label, lines, area, (name,), _pinned(tally, area))
    if next(sailings(tally), None):
        label = _("The Norse in {area}, by sea", area=tally.who.places[NORSE])
        yield Touch(f"block:{NORSE}", label, (*lines, f"MOVE {NORSE}"))


def _waiting(tally: Tally, view: HammerView, area: str) -> list[str]:
    return [name for name in view.groups.get(area, ()) if name != NORSE and name not in tally.moved]


def _can_go(tally: Tally, area: str, names: tuple[str, ...]) -> bool:
    """Is there a legal line for these blocks of an area?"""
    return next(_lines(tally, area, names), None) is not None


def _lines(tally: Tally, area: str, names: tuple[str, ...]) -> Iterator[orders.March]:
    """Go through all legal lines for these blocks but main attacks, those who rally last."""
    most = min(map(tally.who.rating, names))
    yield from marches(tally, area, names, most)
    if RALLY in tally.who.variants:
        yield from marches(tally, area, names, most, rally=True)


def _all(tally: Tally, area: str, lines: Sequence[str], able: tuple[str, ...]) -> Touch:
    """Return the touch of an area: all who may move there, or, where they cannot go together, some of them."""
    if _can_go(tally, area, able):
        label = _("All who may move in {area}: {blocks}", area=area, blocks=listed(able))
        return _begun(f"area:{area}", label, lines, area, able, _pinned(tally, area))
    label = _("Some of those in {area}: {blocks}", area=area, blocks=listed(able))
    return _begun(f"area:{area}", label, lines, area, (), _pinned(tally, area))


def _begun(at: str, label: str, lines: Sequence[str], area: str, names: Sequence[str], note: str = "") -> Touch:
    return Touch(at, label, (*lines, f"MOVE {area}: {', '.join(names)}".rstrip()), note)


def _pinned(tally: Tally, area: str) -> str:
    """Say how many blocks may still leave an area where the enemy stands (4.6)."""
    if not tally.who.is_contested(area):
        return ""
    return _("{n} may leave", n=tally.who.free(area) - tally.left.get(area, 0))


def _further(tally: Tally, view: HammerView, lines: Sequence[str], march: orders.March) -> Iterator[Touch]:
    """Go through who may go along in the line begun, and where its blocks may go."""
    if march.start == "":
        yield from (_gone(tally, lines, sailing, 0) for sailing in sailings(tally))
        return
    names, waiting = march.blocks, _waiting(tally, view, march.start)
    if not set(names) <= set(waiting) or len(set(names)) < len(names):
        return
    for name in waiting:
        if name not in names and _can_go(tally, march.start, (*names, name)):
            label = _("with {block} (rating {n})", block=name, n=tally.who.rating(name))
            yield _begun(f"block:{name}", label if names else name, lines, march.start, (*names, name))
    if names:
        yield from _ends(tally, lines, march)


# Where to


def _ends(tally: Tally, lines: Sequence[str], march: orders.March) -> Iterator[Touch]:
    """Go through the areas that blocks can reach on their way, nearest first, and then all ways to rally."""
    known = len(march.route)
    shortest: dict[str, orders.March] = {}
    rallies = []
    for found in _lines(tally, march.start, march.blocks):
        if found.rally:
            rallies.append(found)
        elif len(found.route) > known and found.route[:known] == march.route:
            end = found.route[-1]
            if end not in shortest or len(found.route) < len(shortest[end].route):
                shortest[end] = found
    there = [shortest[area] for area in AREAS if area in shortest]
    for found in sorted(there, key=lambda found: len(found.route)):
        yield _gone(tally, lines, found, known)
    yield from (_gone(tally, lines, found, 0) for found in rallies if not known)


def _onward(tally: Tally, lines: Sequence[str], march: orders.March) -> Iterator[Touch]:
    """Go through what else the last line may be: a way that goes on, a main attack."""
    if march.main or march.rally:
        return
    if march.start:
        yield from _ends(tally, lines, march)
    main = march.model_copy(update={"main": True})
    if tally.refusal(main) is None:
        label = _("The main attack on {area} (5.32)", area=march.route[-1])
        yield Touch("choice:MAIN", label, (*lines, str(main)), closes=True)


def _gone(tally: Tally, lines: Sequence[str], march: orders.March, known: int) -> Touch:
    """Return the touch of the area where a line ends, of which `known` areas stand there already."""
    end = march.route[-1]
    label = _label(march, known)
    if tally.who.is_attack(end):
        label = _("{where}: an attack", where=label)
    return Touch(f"area:{end}", label, (*lines, str(march)), _note(tally, march), closes=True)


def _label(march: orders.March, known: int) -> str:
    *by, end = march.route[known:]
    ways = listed(by)
    if march.rally:
        return _("to {area} by {ways}, to rally", area=end, ways=ways) if by else _("to {area}, to rally", area=end)
    if known:
        return _("on to {area} by {ways}", area=end, ways=ways) if by else _("on to {area}", area=end)
    return _("to {area} by {ways}", area=end, ways=ways) if by else _("to {area}", area=end)


def _note(tally: Tally, march: orders.March) -> str:
    """Say in short what is to be known of a way: an attack, the border that lets the fewest through, what it costs."""
    told = ["!"] if tally.who.is_attack(march.route[-1]) else []
    if march.start:
        told.append(_narrowest(tally.crossed, (march.start, *march.route)))
        if crosses_to_or_from_england(march.start, march.route):
            told.append(_n("{n} Group Move", "{n} Group Moves", len(march.blocks)))
    return ", ".join(told)


def _narrowest(crossed: Mapping[tuple[str, str], int], areas: Sequence[str]) -> str:
    borders = [BORDER[pair] for pair in pairwise(areas)]
    room = {border: border.limit - crossed.get((border.a, border.b), 0) for border in borders}
    least = min(borders, key=lambda border: room[border])
    return _("{n} of {limit} may cross", n=room[least], limit=least.limit)
