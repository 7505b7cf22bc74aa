"""Which moves are legal, and why not: group moves, border limits, the Anglo-Scottish border, pinning, the Norse.

Decided from the mover's own view alone: his blocks, and the enemy's as counts. Rules 4.0-4.7, 5.32 (main attack), 5.9, Truce.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from pbem.kernel import Refusal

from ..orders import March
from .asked import Asked
from .groups import attack_group, origin
from .norse import norse_coast
from .printed import (
    AREAS,
    BLOCKS,
    BORDER,
    EDWARD,
    ENGLAND,
    ENGLISH,
    KING,
    MORAY,
    NEIGHBOURS,
    NORSE,
    NORSE_COAST,
    SCOTTISH,
    WALLACE,
    card_value,
)
from .said import _
from .variants import ARCHERS_MOVE_2, RAID_IN_TRUCE, RALLY


class Mover(NamedTuple):
    """All that decides a side's moves: where its blocks are, the enemy's counts, and what Player 1 has left behind."""

    side: str
    foe: str
    group_moves: int
    truce: bool
    places: Mapping[str, str]
    own: Mapping[str, int]
    foes: Mapping[str, int]
    marks: Mapping[tuple[str, str], str]
    variants: tuple[str, ...] = ()

    def is_contested(self, area: str) -> bool:
        return bool(self.own.get(area) and self.foes.get(area))

    def free(self, area: str) -> int:
        """Return how many blocks may leave an area: each attacking block pins one (4.6)."""
        return max(0, self.own.get(area, 0) - self.foes.get(area, 0))

    def is_attack(self, area: str) -> bool:
        """Would entering this area be an attack, not a reinforcement?"""
        return bool(self.foes.get(area)) and not self.own.get(area)

    def rating(self, name: str) -> int:
        """Return how many areas a block moves at most (2.13); the table of 2.3 gives the Scottish archers 2, not 3."""
        most = BLOCKS[name].move
        if ARCHERS_MOVE_2 in self.variants and (BLOCKS[name].owner, BLOCKS[name].type) == (SCOTTISH, "archers"):
            return min(most, 2)
        return most


def mover(view: Asked) -> Mover:
    """Return the mover's situation as his view shows it."""
    side, foe, ask = view.seat, view.enemy, view.ask
    occupancy = view.occupancy
    return Mover(
        side,
        foe,
        card_value(ask["card"]) if ask else 0,
        view.truce == side,
        {name: place for place, names in view.groups.items() if place in AREAS for name in names},
        {area: counts[side] for area, counts in occupancy.items()},
        {area: counts[foe] for area, counts in occupancy.items()},
        view.controlled,
        view.variants,
    )


def route_refusal(who: Mover, start: str, route: Sequence[str]) -> Refusal | None:
    """Return why blocks of `start` may not take this route on foot, whatever their Move Rating."""
    here, last = start, len(route) - 1
    for i, there in enumerate(route):
        refusal = _entry_refusal(who, start, route[:i], there)
        if refusal is None and i < last:
            refusal = _passage_refusal(who, here, there)
        if refusal is not None:
            return refusal
        here = there
    return _end_refusal(who, route[-1])


def _entry_refusal(who: Mover, start: str, before: Sequence[str], there: str) -> Refusal | None:
    """Return why blocks of `start` may not enter this area after those `before` it."""
    here = before[-1] if before else start
    if (here, there) not in BORDER:
        why = _("there is no border between {here} and {there}", here=here, there=there)
        return Refusal(why, "1.1")
    if there == start or there in before:
        return Refusal(_("a route does not enter {there} twice", there=there), "4.0")  # ruling 4.0/4.2
    if who.marks.get((here, there)) == who.foe and who.is_contested(start):
        return Refusal(_("the enemy controls the border between {here} and {there}", here=here, there=there), "4.6")
    return None


def _passage_refusal(who: Mover, here: str, there: str) -> Refusal | None:
    """Return why blocks that come from one area into another must stop there."""
    if BORDER[here, there].red:
        why = _("blocks must stop when they cross the red border from {here} to {there}", here=here, there=there)
        return Refusal(why, "4.3")
    if there == ENGLAND:
        return Refusal(_("blocks that enter England must stop"), "4.4")
    if who.foes.get(there):
        return Refusal(_("blocks must stop where they meet the enemy, in {there}", there=there), "4.0")
    return None


def _end_refusal(who: Mover, end: str) -> Refusal | None:
    if who.truce and who.foes.get(end):
        return Refusal(_("during the Truce you may not attack {end}", end=end), "Truce")
    if who.truce and end == ENGLAND and not may_raid_in_truce(who.side, who.variants):
        return Refusal(_("during the Truce the Scots may not enter England"), "5.9")  # sidebar Raids and Truces
    return None


def may_raid_in_truce(side: str, variants: Container[str]) -> bool:
    """Return whether a side that must not attack may enter England without enemies: not the Scots (5.9); in 2.3 they may (5.9)."""
    return side != SCOTTISH or RAID_IN_TRUCE in variants


def norse_refusal(who: Mover, to: str) -> Refusal | None:
    """Return why the Norse may not sail to an area (4.7)."""
    coast = norse_coast(who.variants)
    if to not in coast:
        if to not in NORSE_COAST:
            return Refusal(_("the Norse sail to a coastal area, never to {to}", to=to), "4.7")
        # the option Angus Og
        return Refusal(_("the Norse sail on the Irish Sea, never to {to}", to=to), "4.7")
    if who.places[NORSE] == to:
        return Refusal(_("the Norse are in {to} already", to=to), "4.7")
    return _end_refusal(who, to)


def routes(who: Mover, start: str, rating: int) -> Iterator[tuple[str, ...]]:
    """Go through all legal routes of at most `rating` areas."""

    def further(route: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        here = route[-1] if route else start
        for there in NEIGHBOURS[here]:
            if _entry_refusal(who, start, route, there) is None:
                longer = (*route, there)
                if _end_refusal(who, there) is None:
                    yield longer
                if len(longer) < rating and _passage_refusal(who, here, there) is None:
                    yield from further(longer)

    return further(())


def crosses_to_or_from_england(start: str, route: Sequence[str]) -> bool:
    """Does this route cross the Anglo-Scottish border (4.4)?"""
    return start == ENGLAND or ENGLAND in route


class Tally:
    """What the lines of one move order use up together: group moves, borders, unpinned blocks, main attacks."""

    def __init__(self, who: Mover) -> None:
        self.who = who
        self.groups: set[str] = set()
        self.rallies: set[str] = set()
        self.single = 0
        self.moved: dict[str, str] = {}
        self.crossed: dict[tuple[str, str], int] = {}
        self.left: dict[str, int] = {}
        self.main: dict[str, tuple[str, str]] = {}

    @property
    def cost(self) -> int:
        """The Group Moves used."""
        return len(self.groups) + len(self.rallies) + self.single

    def refusal(self, march: March) -> Refusal | None:
        """Return why this line is not legal after those added, or None."""
        who, blocks = self.who, march.blocks
        if not blocks or not march.route:
            return Refusal(_("a move names blocks and where they go"), "4.2")
        if len(set(blocks)) < len(blocks):
            return Refusal(_("a block is named twice"), "4.0")
        for name in blocks:
            if name not in who.places:
                return Refusal(_("{name} is not one of your blocks on the map", name=name), "4.2")
            if name in self.moved:
                return Refusal(_("{name} moves only once in a Game Turn", name=name), "4.0")
        norse = march.start == ""
        start = who.places[NORSE] if norse else march.start
        found = self._norse_refusal(march) if norse else self._group_refusal(march)
        if march.rally and not found:
            crosses = crosses_to_or_from_england(start, march.route)
            found = rally_refusal(who, {**who.places, **self.moved}, march, crosses)
        if found:
            return found
        if self.left.get(start, 0) + len(blocks) > who.free(start) and who.is_contested(start):
            pinned = min(who.own[start], who.foes[start])
            own = who.own[start]
            why = _("{pinned} of your {own} blocks in {start} are pinned", pinned=pinned, own=own, start=start)
            return Refusal(why, "4.6")
        if not norse:
            for pair in _pairs(start, march.route):
                border = BORDER[pair]
                if self.crossed.get((border.a, border.b), 0) + len(blocks) > border.limit:
                    a, b, limit = border.a, border.b, border.limit
                    why = _("only {limit} blocks may cross the border between {a} and {b}", limit=limit, a=a, b=b)
                    return Refusal(why, "4.3")
        cost = self._cost(march)
        if self.cost + cost > who.group_moves:
            rule = "4.4" if not norse and crosses_to_or_from_england(start, march.route) else "4.2"
            total, card = self.cost + cost, who.group_moves
            why = _("this would be {total} Group Moves, and the card gives {card}", total=total, card=card)
            return Refusal(why, rule)
        return self._main_refusal(march, start)

    def _norse_refusal(self, march: March) -> Refusal | None:
        if march.blocks != (NORSE,):
            return Refusal(_("the Norse move by themselves; other blocks need the area where they start"), "4.7")
        if len(march.route) != 1:
            return Refusal(_("the Norse sail straight to one coastal area"), "4.7")
        return norse_refusal(self.who, march.route[0])

    def _group_refusal(self, march: March) -> Refusal | None:
        for name in march.blocks:
            if name == NORSE:
                return Refusal(_("the Norse move by sea, by themselves"), "4.7")
            if self.who.places[name] != march.start:
                at = self.who.places[name]
                return Refusal(_("{name} stands in {at}, not in {area}", name=name, at=at, area=march.start), "4.2")
            if self.who.rating(name) < len(march.route):
                return Refusal(_("{name} moves at most {n} areas", name=name, n=self.who.rating(name)), "2.13")
        return route_refusal(self.who, march.start, march.route)

    def _main_refusal(self, march: March, start: str) -> Refusal | None:
        if not march.main:
            return None
        end = march.route[-1]
        if not self.who.is_attack(end):
            why = _("a main attack goes where the enemy stands alone, and {end} is no such area", end=end)
            return Refusal(why, "5.32")
        group = attack_group(self.who.variants, *origin(march, start), end)
        if self.main.get(end, group) != group:
            return Refusal(_("{end} has a main attack already, from elsewhere", end=end), "5.32")
        return None

    def _cost(self, march: March) -> int:
        if march.start == "":
            return 1  # 4.7: a Group Move all by itself
        if crosses_to_or_from_england(march.start, march.route):
            return len(march.blocks)  # 4.4: one block a Group Move
        if march.rally:
            return int(march.route[-1] not in self.rallies)  # all that rally at one place are one Group
        return int(march.start not in self.groups)

    def add(self, march: March) -> None:
        """Add a legal line."""
        start = march.start or self.who.places[NORSE]
        if march.start == "" or crosses_to_or_from_england(start, march.route):
            self.single += len(march.blocks)
        elif march.rally:
            self.rallies.add(march.route[-1])
        else:
            self.groups.add(start)
        self.moved.update(dict.fromkeys(march.blocks, march.route[-1]))
        self.left[start] = self.left.get(start, 0) + len(march.blocks)
        if march.start:
            for pair in _pairs(start, march.route):
                border = BORDER[pair]
                key = (border.a, border.b)
                self.crossed[key] = self.crossed.get(key, 0) + len(march.blocks)
        if march.main:
            end = march.route[-1]
            self.main[end] = attack_group(self.who.variants, *origin(march, start), end)


def marches(tally: Tally, start: str, blocks: tuple[str, ...], most: int, rally: bool = False) -> Iterator[March]:
    """Yield the legal marches of the given blocks over at most `most` areas, beside the tallied lines."""
    found = (March(start=start, blocks=blocks, route=route, rally=rally) for route in routes(tally.who, start, most))
    return (march for march in found if tally.refusal(march) is None)


def sailings(tally: Tally) -> Iterator[March]:
    """Go through the legal moves of the Norse, if they are on the map (4.7)."""
    coast = norse_coast(tally.who.variants) if NORSE in tally.who.places else ()
    found = (March(start="", blocks=(NORSE,), route=(to,)) for to in coast)
    return (march for march in found if tally.refusal(march) is None)


def _pairs(start: str, route: Sequence[str]) -> Iterator[tuple[str, str]]:
    return zip((start, *route[:-1]), route, strict=True)


def move_refusals(who: Mover, marches: Sequence[March]) -> dict[int, Refusal]:
    """Return the fault of each line of a move, by its index; legal lines are left out."""
    tally, found = Tally(who), {}
    for i, march in enumerate(marches):
        if refusal := tally.refusal(march):
            found[i] = refusal
        else:
            tally.add(march)
    return found


# Rallying to a leader (option): blocks from anywhere that can reach him go there together, for one Group Move. The leader is the
# own king; while he is not on the map, a knight of the English, Wallace or Moray of the Scots. He may move as well, before or
# after, as part of a group. Nobody rallies where a battle will be, nor across the Anglo-Scottish border (4.4).

_KNIGHTS = tuple(name for name, block in BLOCKS.items() if (block.owner, block.type) == (ENGLISH, "knights"))
_KING_AND_OTHERS = {ENGLISH: (EDWARD, _KNIGHTS), SCOTTISH: (KING, (WALLACE, MORAY))}


def leaders(side: str, on_map: Iterable[str]) -> tuple[str, ...]:
    """Return to whom a side may rally, of its blocks on the map.

    >>> leaders("scottish", ["Moray", "Wallace", "Douglas"]), leaders("scottish", ["King", "Wallace"])
    (('Wallace', 'Moray'), ('King',))
    """
    king, others = _KING_AND_OTHERS[side]
    there = tuple(on_map)
    return (king,) if king in there else tuple(name for name in others if name in there)


def rally_refusal(who: Mover, places: Mapping[str, str], march: March, crosses: bool) -> Refusal | None:
    """Return why blocks may not rally by this line; `places` are the present places of the mover's blocks."""
    end = march.route[-1]
    if RALLY not in who.variants:
        return Refusal(_("rallying is an option that is not played here"), "4.2")
    if march.start == "":
        return Refusal(_("the Norse move by themselves, and do not rally"), "4.7")
    if march.main or who.foes.get(end):
        return Refusal(_("nobody rallies where a battle will be, as in {end}", end=end), _("Rally"))
    if crosses:
        return Refusal(
            _("a block that crosses the Anglo-Scottish border is a group by itself, and does not rally"), "4.4"
        )
    if end not in [places[name] for name in leaders(who.side, places) if name not in march.blocks]:
        return Refusal(_("no leader to rally to stands in {end}", end=end), _("Rally"))
    return None
