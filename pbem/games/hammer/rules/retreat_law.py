"""Where blocks may retreat or regroup to, and in which order: border control, border limits, England, the Norse.

Decided from public knowledge: blocks as counts, the borders used and controlled. So the rules and the seat that is asked come
to the same. Rules 5.5 with its sidebars, 5.6, 4.7 (Norse), rulings 5.5.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from pbem.i18n import N_
from pbem.kernel import Refusal

from ..orders import Place
from .asked import Asked
from .board import Board, Occupancy, closed_ways
from .norse import norse_coast, regroup_coast
from .printed import BORDER, ENGLAND, ENGLISH, NEIGHBOURS, NORSE, enemy
from .said import _

Pair = tuple[str, str]

_NO_BORDER = N_("{name} cannot go to {to}: there is no border between them"), ""
_ENEMIES = N_("{name} cannot go to {to}: enemy blocks are there"), ""
_LEAVES_ENGLAND = N_("{name} cannot go to {to}: English blocks do not leave England so"), ""
_ENTERS_ENGLAND = N_("{name} cannot go to {to}: Scottish blocks do not enter England so"), ""
_CONTROLLED = N_("{name} cannot go to {to}: the enemy controls that border"), ""
_FULL = N_("{name} cannot go to {to}: that border lets no more blocks through"), "4.3"


class Exits(NamedTuple):
    """Where blocks may go from an area: the number to each neighbour, and, for the Norse, friendly coasts.

    `shut` says why the other neighbours are no exits: a message, and its rule if that is not the order's. `shore` are the coasts
    that open to the Norse once friends are there.
    """

    room: Mapping[str, int]
    coasts: tuple[str, ...]
    shut: Mapping[str, tuple[str, str]]
    shore: tuple[str, ...]

    @property
    def total(self) -> int:
        return sum(self.room.values())

    def opened_by(self, area: str) -> bool:
        """Would a block that goes there first open that coast to the Norse?"""
        return area in self.shore and area not in self.coasts

    def ways(self, name: str) -> tuple[str, ...]:
        """Return where a block may go."""
        return self.coasts if name == NORSE else tuple(area for area, n in self.room.items() if n)

    def refusal(self, name: str, to: str, rule: str) -> Refusal | None:
        """Return why a block may not go to a place."""
        if name == NORSE:
            if to in self.coasts:
                return None
            why = _("{to} is no friendly coast where your blocks stand", to=to)
            return Refusal(why, "4.7")
        if to not in self.room:
            why, number = self.shut.get(to, _NO_BORDER)
            return Refusal(_(why, name=name, to=to), number or rule)
        if not self.room[to]:
            why = _("the border to {to} lets no more blocks through", to=to)
            return Refusal(why, "4.3")
        return None

    def after(self, name: str, to: str) -> Exits:
        """Return the exits that are left after a block has gone there."""
        room = self.room if name == NORSE else {**self.room, to: self.room[to] - 1}
        return self._replace(
            room=room, coasts=(*self.coasts, to) if name != NORSE and self.opened_by(to) else self.coasts
        )


def exits(board: Board, area: str, side: str, regroup: bool = False) -> Exits:
    """Return where a side's blocks in an area may retreat, or regroup, to."""
    closed = closed_ways(board.variants, board.marks)
    used = {pair: n for a, b, who, n in board.retreated if who == side for pair in ((a, b), (b, a))}
    return _exits(board.occupancy(), closed, used, area, side, regroup, board.variants)


def exits_seen(view: Asked, area: str, regroup: bool = False) -> Exits:
    """Return where the seat's blocks in an area may go; those that have named their places and wait are counted as gone."""
    used = {pair: c.blocks for c in view.retreats if c.side == view.seat for pair in (c.between, c.between[::-1])}
    found = _exits(view.occupancy, view.controlled, used, area, view.seat, regroup, view.variants)
    for name, to in view.battle.places if view.battle else ():
        found = found.after(name, to)
    return found


def _exits(
    occupied: Occupancy,
    closed: Mapping[Pair, str],
    used: Mapping[Pair, int],
    area: str,
    side: str,
    regroup: bool,
    variants: tuple[str, ...],
) -> Exits:
    foe = enemy(side)
    room, shut = {}, {}
    for there in NEIGHBOURS[area]:
        left = BORDER[area, there].limit - used.get((area, there), 0)
        if occupied.get(there, {}).get(foe):
            shut[there] = _ENEMIES  # 5.5: friendly or neutral areas only
        elif side == ENGLISH and area == ENGLAND:
            shut[there] = _LEAVES_ENGLAND
        elif side != ENGLISH and there == ENGLAND:
            shut[there] = _ENTERS_ENGLAND
        elif not regroup and closed.get((area, there)) == foe:
            shut[there] = _CONTROLLED  # 5.5: border control; 5.6: not for regroups
        elif not left:
            shut[there] = _FULL
        else:
            room[there] = left
    shore = regroup_coast(area, variants) if regroup else norse_coast(variants)
    # 4.7: any friendly, not vacant, coastal area
    friendly = [there for there in shore if there in occupied and occupied[there][side] and not occupied[there][foe]]
    coasts = tuple([there for there in friendly if there != area])
    return Exits(room, coasts, shut, shore)


def can_retreat(open_to: Exits, blocks: Sequence[str]) -> bool:
    """Could all these blocks, of one letter, retreat together, for all that everybody knows?"""
    on_foot = sum(1 for name in blocks if name != NORSE)
    if on_foot > open_to.total:
        return False
    if NORSE not in blocks or open_to.coasts:
        return True
    return on_foot > 0 and any(open_to.opened_by(there) for there in open_to.room)


def only_answer(open_to: Exits, blocks: Sequence[str]) -> bool:
    """Can everybody see that there is but one way to retreat?"""
    on_foot = [name for name in blocks if name != NORSE]
    one_way = not on_foot or not open_to.room or (len(open_to.room) == 1 and open_to.total >= len(on_foot))
    if NORSE not in blocks:
        return one_way
    opened = on_foot and any(open_to.opened_by(there) for there in open_to.room)
    return one_way and not opened and len(open_to.coasts) <= 1


def default_places(open_to: Exits, blocks: Sequence[str]) -> tuple[Place, ...]:
    """Return some legal retreat, the Norse last; the only one where `only_answer` says so."""
    places = []
    for name in sorted(blocks, key=lambda n: n == NORSE):
        if ways := open_to.ways(name):
            # towards a coast first where the Norse need one
            needs = name != NORSE and NORSE in blocks and not open_to.coasts
            to = next((area for area in ways if needs and open_to.opened_by(area)), ways[0])
            places.append(Place(block=name, to=to))
            open_to = open_to.after(name, to)
    return tuple(places)


def places_refusal(
    open_to: Exits, blocks: Sequence[str], places: Iterable[Place], must: Iterable[str], rule: str
) -> Refusal | None:
    """Return why blocks may not go to these places in this order.

    `must` names those that have to go if they can: all after round 3, who are lost when they find no exit (ruling 5.5), or
    nobody (a regroup).
    """
    gone: set[str] = set()
    coasts = open_to.coasts
    for place in places:
        if place.block not in blocks:
            return Refusal(_("{block} is not among the blocks that go", block=place.block), rule)
        if place.block in gone:
            return Refusal(_("{block} is named twice", block=place.block), rule)
        gone.add(place.block)
        if refusal := open_to.refusal(place.block, place.to, rule):
            return refusal
        open_to = open_to.after(place.block, place.to)
    for name in must:
        if name == NORSE and name not in gone and coasts:
            return Refusal(_("the Norse must retreat to a friendly coast"), "5.5")
        if name != NORSE and name not in gone and open_to.ways(name):
            why = _("{name} must retreat while there is an exit", name=name)
            return Refusal(why, "5.5")
    return None
