"""Where blocks may retreat to, and their retreating, all blocks of one side and letter together.

Rules 5.5 with its sidebars, 4.7 (Norse), 5.8 (who cannot retreat is eliminated), rulings 5.5.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from pbem.kernel import Ask, Json, Order, Refusal, Run

from .. import orders
from .eliminations import eliminate
from .facts import BORDER, ENGLAND, ENGLISH, NEIGHBOURS, NORSE, NORSE_COAST, enemy
from .frame import Procedure, answer

if TYPE_CHECKING:
    from ..orders import Place
    from .board import Board


class Exits(NamedTuple):
    """Where blocks may go from an area: how many to each neighbour, and, for the Norse, friendly coasts."""

    room: Mapping[str, int]
    coasts: tuple[str, ...]

    @property
    def total(self) -> int:
        return sum(self.room.values())

    def json(self) -> dict[str, Json]:
        return {"exits": [{"to": area, "room": n} for area, n in self.room.items()], "coasts": list(self.coasts)}

    @staticmethod
    def of(ask: Mapping[str, Json]) -> Exits:
        """Return the exits named in the particulars of a question."""
        return Exits({entry["to"]: entry["room"] for entry in ask["exits"]}, tuple(ask["coasts"]))

    def opened_by(self, area: str) -> bool:
        """Would a block that goes there first open that coast to the Norse?"""
        return area in NORSE_COAST and area not in self.coasts


def exits(board: Board, area: str, side: str, regroup: bool = False) -> Exits:
    """Return where a side's blocks in an area may retreat, or regroup, to."""
    occupied = board.occupancy()
    foe = enemy(side)
    marks = {pair: who for a, b, who in board.marks for pair in ((a, b), (b, a))}
    used = {pair: n for a, b, who, n in board.retreated if who == side for pair in ((a, b), (b, a))}
    room = {}
    for there in NEIGHBOURS[area]:
        if occupied.get(there, {}).get(foe):
            continue  # 5.5: friendly or neutral areas only
        if _is_barred(area, there, side):
            continue
        if not regroup and marks.get((area, there)) == foe:
            continue  # 5.5: border control; 5.6: not for regroups
        left = BORDER[area, there].limit - used.get((area, there), 0)
        if left:
            room[there] = left
    coasts = tuple(
        # 4.7: any friendly, not vacant, coastal area
        c
        for c in NORSE_COAST
        if c != area and occupied.get(c, {}).get(side) and not occupied[c][foe]
    )
    return Exits(room, coasts)


def _is_barred(area: str, there: str, side: str) -> bool:
    if side == ENGLISH:
        return area == ENGLAND  # 5.5: English blocks in England cannot leave it so
    return there == ENGLAND  # 5.5: Scottish blocks may not retreat into England


def can_retreat(board: Board, area: str, side: str, blocks: Sequence[str]) -> bool:
    """May all these blocks, of one letter, retreat together?"""
    open_to = exits(board, area, side)
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
    room = dict(open_to.room)
    coasts = list(open_to.coasts)
    places = []
    for name in sorted(blocks, key=lambda n: n == NORSE):
        if name == NORSE:
            if coasts:
                places.append(orders.Place(block=name, to=coasts[0]))
        elif room:
            # towards a coast first where the Norse need one
            needs = NORSE in blocks and not coasts
            to = next((a for a in room if needs and open_to.opened_by(a)), next(iter(room)))
            places.append(orders.Place(block=name, to=to))
            room[to] -= 1
            if not room[to]:
                del room[to]
            if open_to.opened_by(to):
                coasts.append(to)
    return tuple(places)


def places_refusal(
    open_to: Exits, blocks: Sequence[str], places: Iterable[Place], must: Iterable[str] | None, rule: str
) -> Refusal | None:
    """Return why blocks may not go to these places in this order.

    `must` names the blocks that have to go if they can: None for all of them, whatever it takes (a retreat chosen);
    else those after round 3 who are lost when they find no exit (ruling 5.5), or nobody (a regroup).
    """
    room = dict(open_to.room)
    coasts = set(open_to.coasts)
    gone: set[str] = set()
    for place in places:
        if place.block not in blocks:
            return Refusal(f"{place.block} is not among the blocks that go", rule, ", ".join(blocks))
        if place.block in gone:
            return Refusal(f"{place.block} is named twice", rule)
        gone.add(place.block)
        if place.block == NORSE:
            if place.to not in coasts:
                return Refusal(
                    f"{place.to} is no friendly coast where your blocks stand", "4.7", ", ".join(sorted(coasts))
                )
            continue
        if place.to not in room:
            legal = ", ".join(room)
            return Refusal(f"{place.block} cannot go to {place.to}", rule, legal)
        if not room[place.to]:
            return Refusal(f"the border to {place.to} lets no more than {open_to.room[place.to]} blocks through", "4.3")
        room[place.to] -= 1
        if place.to in NORSE_COAST:
            coasts.add(place.to)
    return _left_out(open_to, [n for n in (blocks if must is None else must) if n not in gone], must is None, room)


def _left_out(open_to: Exits, left_out: Sequence[str], chosen: bool, room: Mapping[str, int]) -> Refusal | None:
    for name in left_out:
        if chosen:
            return Refusal(f"{name} has chosen to retreat and needs a place", "5.5", ", ".join(open_to.room))
        if name == NORSE and open_to.coasts:
            return Refusal("the Norse must retreat to a friendly coast", "5.5", ", ".join(open_to.coasts))
        if name != NORSE and any(room.values()):
            legal = ", ".join(area for area, n in room.items() if n)
            return Refusal(f"{name} must retreat while there is an exit", "5.5", legal)
    return None


@dataclass(frozen=True, slots=True)
class Retreating(Procedure):
    """The blocks of one side and letter that retreat get their places; `must`: after round 3, who finds no exit is lost."""

    at: ClassVar[str] = "retreat"

    area: str
    side: str
    letter: str
    blocks: tuple[str, ...]
    must: bool = False

    def do_begin(self, run: Run[Board]) -> None:
        open_to = exits(run.board, self.area, self.side)
        if only_answer(open_to, self.blocks):
            self._go(run, default_places(open_to, self.blocks))
        else:
            run.goto("places")

    def want_places(self, board: Board) -> Ask:
        return Ask((self.side,), "retreats", "until end")

    def take_places(self, run: Run[Board], given: Mapping[str, Order]) -> None:
        self._go(run, answer(given, orders.Retreat).places)

    def particulars(self, board: Board, seat: str) -> dict[str, Json]:
        open_to = exits(board, self.area, self.side)
        return {"area": self.area, "blocks": list(self.blocks), "must": self.must, **open_to.json()}

    def _go(self, run: Run[Board], places: Sequence[Place]) -> None:
        went = {place.block for place in places}
        lost = [name for name in self.blocks if name not in went]
        run.board = go(run.board, self.area, self.side, places)
        fact = {"f": "retreat", "area": self.area, "side": self.side, "letter": self.letter, "lost": lost}
        tell_places(run, fact, self.side, places)
        run.done()
        for name in lost:
            eliminate(run, name, "no retreat")  # 5.5, 5.8
            if run.result is not None:
                return


def go(board: Board, area: str, side: str, places: Sequence[Place]) -> Board:
    """Return the board with blocks gone to their places, standing upright, and the borders they crossed counted."""
    used = {(a, b): n for a, b, who, n in board.retreated if who == side}
    for place in places:
        if place.block != NORSE:
            border = BORDER[area, place.to]
            used[border.a, border.b] = used.get((border.a, border.b), 0) + 1
    others = [entry for entry in board.retreated if entry[2] != side]
    moved = (board[p.block]._replace(at=p.to, start="", via="", known=0) for p in places)
    retreated = tuple(sorted([*others, *((a, b, side, n) for (a, b), n in used.items())]))
    return replace(board.put(*moved), retreated=retreated)


def tell_places(run: Run[Board], fact: dict[str, Json], side: str, places: Sequence[Place]) -> None:
    """Tell by numbers and places who went where, to their owner by names."""
    to: dict[str, list[str]] = {}
    for place in places:
        to.setdefault(place.to, []).append(place.block)
    # in the board's order, since the order given would tell something
    sizes = [{"area": area, "n": len(names)} for area, names in sorted(to.items())]
    named = [{"area": area, "n": len(names), "blocks": names} for area, names in sorted(to.items())]
    run.tell({**fact, "to": sizes}, **{side: {**fact, "to": named}})
