"""The touches of a Move card: who moves where and by which way, line by line. Rules 4.0-4.7, 5.32, the option of rallying.

A line begins with a block, with all blocks of an area, or with the choice of some of them. An area touched next is reached by the
shortest way. To take another way, touch the areas on it: blocks may stop wherever they may pass. Each way of rallying blocks is a
touch of its own, because there may be no Group Move for stopping short of the leader.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from pbem.look.touches import Touch

from ... import orders
from ...rules import (
    AREAS,
    BORDER,
    ENGLAND,
    NORSE,
    RALLY,
    Mover,
    Tally,
    attack_group,
    marches,
    mover,
    origin,
    sailings,
)
from ...rules.said import _, _n
from ...views import HammerView
from ..words import listed
from . import reading

_SOMEWHERE = f" > {ENGLAND}"


class _Written(NamedTuple):
    """A move in progress: the complete lines, and the march that has no route yet, if there is one."""

    whole: tuple[orders.March, ...]
    begun: orders.March | None


class _Move:
    """The whole lines of a move, and what they have used up."""

    def __init__(self, who: Mover, marches: Iterable[orders.March] = ()) -> None:
        self.who, self.tally = who, Tally(who)
        self.marches: list[orders.March] = []
        for march in marches:
            self.add(march)

    def add(self, march: orders.March) -> None:
        """Add a legal line."""
        self.tally.add(march)
        self.marches.append(march)

    def goes_on(self, march: orders.March) -> bool:
        """Add a line, if it is legal; is it?"""
        legal = self.tally.refusal(march) is None
        if legal:
            self.add(march)
        return legal

    def then(self, line: str) -> tuple[str, ...]:
        """Return the draft with a line appended."""
        return (*map(str, self.marches), line)

    def leads_elsewhere(self, march: orders.March) -> bool:
        """Does another group come first where this line ends? Without a word that would be the main attack."""
        there = [
            attack_group(self.who.variants, *origin(one, one.start or self.who.places[NORSE]), one.route[-1])
            for one in (*self.marches, march)
            if one.route[-1] == march.route[-1]
        ]
        return there[0] != there[-1]

    def left(self, march: orders.March) -> int:
        """Return how many Group Moves are left after another line."""
        return self.who.group_moves - _Move(self.who, (*self.marches, march)).tally.cost


def moves(view: HammerView, draft: Sequence[str]) -> Iterator[Touch]:
    """Go through what may come next in a move."""
    written = _read(view, draft)
    if written is None:
        return
    so_far = _Move(mover(view))
    if not all(map(so_far.goes_on, written.whole)):
        return
    if written.begun:
        yield from _further(so_far, view, written.begun)
        return
    if written.whole:
        yield from _onward(_Move(so_far.who, written.whole[:-1]), written.whole[-1])
    else:
        yield reading.passing(_("Pass: nobody moves"))
    yield from _starts(so_far, view)


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


def _starts(so_far: _Move, view: HammerView) -> Iterator[Touch]:
    """Go through the blocks that may begin another line, and the areas of which several may."""
    for area in AREAS:
        able = [name for name in _waiting(so_far, view, area) if _can_go(so_far, area, (name,))]
        if len(able) > 1:
            yield _all(so_far, area, tuple(able))
        yield from (_start(so_far, area, name) for name in able)
    if next(sailings(so_far.tally), None):
        label = _("The Norse in {area}, by sea", area=so_far.who.places[NORSE])
        yield Touch(f"block:{NORSE}", label, so_far.then(f"MOVE {NORSE}"))


def _waiting(so_far: _Move, view: HammerView, area: str) -> list[str]:
    return [name for name in view.groups.get(area, ()) if name != NORSE and name not in so_far.tally.moved]


def _can_go(so_far: _Move, area: str, names: tuple[str, ...]) -> bool:
    """Is there a legal line for these blocks of an area?"""
    return next(_lines(so_far, area, names), None) is not None


def _lines(so_far: _Move, area: str, names: tuple[str, ...]) -> Iterator[orders.March]:
    """Go through all legal lines for these blocks but main attacks, those who rally last."""
    most = min(map(so_far.who.rating, names))
    yield from marches(so_far.tally, area, names, most)
    if RALLY in so_far.who.variants:
        yield from marches(so_far.tally, area, names, most, rally=True)


def _all(so_far: _Move, area: str, able: tuple[str, ...]) -> Touch:
    """Return the touch of an area: all who may move there, or, where they cannot go together, some of them."""
    if _can_go(so_far, area, able):
        return _begun(
            so_far,
            f"area:{area}",
            _("All who may move in {area}: {blocks}", area=area, blocks=listed(able)),
            area,
            able,
        )
    return _begun(
        so_far, f"area:{area}", _("Some of those in {area}: {blocks}", area=area, blocks=listed(able)), area, ()
    )


def _start(so_far: _Move, area: str, name: str) -> Touch:
    label = _("{block} in {area} (up to {n} areas)", block=name, area=area, n=so_far.who.rating(name))
    return _begun(so_far, f"block:{name}", label, area, (name,))


def _begun(so_far: _Move, at: str, label: str, area: str, names: Sequence[str]) -> Touch:
    """Return the touch that begins a line, or continues with its blocks; it notes how many the enemy lets go (4.6)."""
    note = ""
    if so_far.who.is_contested(area):
        note = _("{n} may leave", n=so_far.who.free(area) - so_far.tally.left.get(area, 0))
    return Touch(at, label, so_far.then(f"MOVE {area}: {', '.join(names)}".rstrip()), note)


def _further(so_far: _Move, view: HammerView, march: orders.March) -> Iterator[Touch]:
    """Go through who may go along in the line begun, and where its blocks may go."""
    if march.start == "":
        yield from (_gone(so_far, sailing, 0) for sailing in sailings(so_far.tally))
        return
    start, names, waiting = march.start, march.blocks, _waiting(so_far, view, march.start)
    if start not in AREAS or not set(names) <= set(waiting) or len(set(names)) < len(names):
        return  # a block of the pool stands nowhere
    for name in waiting:
        if name not in names and _can_go(so_far, start, (*names, name)):
            label = _("with {block} (up to {n} areas)", block=name, n=so_far.who.rating(name))
            with_him = _begun(so_far, f"block:{name}", label, start, (*names, name))
            yield with_him if names else _start(so_far, start, name)
    if names:
        yield from _ends(so_far, march)


# Where to


def _ends(so_far: _Move, march: orders.March) -> Iterator[Touch]:
    """Go through the areas that blocks can reach on their way, nearest first, and then all ways to rally."""
    known = len(march.route)
    every = list(_lines(so_far, march.start, march.blocks))
    on = [
        found for found in every if not found.rally and found.route[:known] == march.route and len(found.route) > known
    ]
    shortest: dict[str, orders.March] = {}
    for found in sorted(on, key=lambda found: len(found.route)):
        shortest.setdefault(found.route[-1], found)
    near = sorted((shortest[area] for area in AREAS if area in shortest), key=lambda found: len(found.route))
    yield from (_gone(so_far, found, known) for found in near)
    yield from (_gone(so_far, found, 0) for found in every if found.rally and not known)


def _onward(before: _Move, march: orders.March) -> Iterator[Touch]:
    """Yield the further forms of the last line: a longer way, a main attack."""
    if march.main or march.rally:
        return
    if march.start:
        yield from _ends(before, march)
    main = march.model_copy(update={"main": True})
    if before.leads_elsewhere(march) and before.tally.refusal(main) is None:
        label = _("This is the main attack on {area} (5.32)", area=march.route[-1])
        yield Touch("choice:MAIN", label, before.then(str(main)), closes=True)


def _gone(so_far: _Move, march: orders.March, known: int) -> Touch:
    """Return the touch of the area where a line ends; `known` of its areas are written already."""
    end, label = march.route[-1], _label(march, known)
    if so_far.who.is_attack(end):
        label = _("{where}: an attack", where=label)
    return Touch(f"area:{end}", label, so_far.then(str(march)), _note(so_far, march, known), closes=True)


def _label(march: orders.March, known: int) -> str:
    *by, end = march.route[known:]
    ways = listed(by)
    if march.rally:
        return _("to {area} by {ways}, to rally", area=end, ways=ways) if by else _("to {area}, to rally", area=end)
    if known:
        return _("on to {area} by {ways}", area=end, ways=ways) if by else _("on to {area}", area=end)
    return _("to {area} by {ways}", area=end, ways=ways) if by else _("to {area}", area=end)


def _note(so_far: _Move, march: orders.March, known: int) -> str:
    """Return a short note: an attack, the border that lets the fewest through, a compulsory stop, the remaining moves."""
    told = ["!"] if so_far.who.is_attack(march.route[-1]) else []
    if march.start:
        way = list(pairwise((march.start, *march.route)))
        told.append(_narrowest(so_far.tally.crossed, way))
        if BORDER[way[-1]].red or march.route[-1] == ENGLAND:
            told.append(_("must stop"))
    return ", ".join([*told, *([] if known else [_left(so_far.left(march))])])


def _left(n: int) -> str:
    return _n("{n} Group Move left", "{n} Group Moves left", n) if n else _("no Group Move left")


def _narrowest(crossed: Mapping[tuple[str, str], int], way: Sequence[tuple[str, str]]) -> str:
    borders = [BORDER[pair] for pair in way]
    room = {border: border.limit - crossed.get((border.a, border.b), 0) for border in borders}
    least = min(borders, key=lambda border: room[border])
    return _("{n} of {limit} may cross", n=room[least], limit=least.limit)
