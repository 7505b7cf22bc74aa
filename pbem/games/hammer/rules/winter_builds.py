"""Replacement points, used for steps and, by the Scots, for draws from their pool. Rules 7.6-7.63.

Both sides build at the same time (ADR 27): the first question goes to both, and the questions after a draw to the Scots alone. By
an option the English are asked when the Scots have finished. The Scots' draws are made one at a time, each seen before the next
choice, unless they order several at once. The points used are public, as are the places of drawn blocks. Which blocks are drawn or
gain steps is not. Legality is decided from the builder's own view. By an option, Norse and French that are drawn inland land on a
coast. Until the next Game Turn a landed block records its origin.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from pbem.kernel import Ask, Chance, Draw, Json, Order, Outcome, Refusal, Run

from .. import orders
from . import told
from .asked import Asked, OwnPiece
from .board import Board, Occupancy, by_roster
from .events import hand_out
from .frame import Procedure, answer
from .norse import norse_coast
from .printed import AREAS, BLOCKS, ENGLISH, FRENCH, NEIGHBOURS, NORSE, NORSE_COAST, OFF, POOL, SCOTTISH
from .said import _
from .variants import ANGUS_OG, BUILDS_IN_ORDER, INLAND_LANDING
from .winter_limits import castle_limit, wants_no_room, yields

Points = tuple[tuple[str, int], ...]
"""Areas and the replacement points used there."""

FRENCH_NOBLES = 8
NOT_INLAND = (NORSE, FRENCH)


# What is legal


def points_left(view: Asked) -> dict[str, int]:
    """Return the replacement points that the asked side may still use, by area."""
    return {entry["area"]: entry["points"] for entry in (view.ask or {}).get("points", ())}


def buildable(view: Asked, area: str) -> dict[str, int]:
    """Return the blocks of an area that can gain steps, and how many (7.62, 7.63); landed blocks by the area they came from."""
    found = {}
    for name in (*view.groups.get(area, ()), *NOT_INLAND):
        own = view.own(name)
        if (
            own
            and _supplied_from(own) == area
            and own.strength < BLOCKS[name].max
            and _may_be_strengthened(view.seat, name)
        ):
            found[name] = BLOCKS[name].max - own.strength
    return found


def _may_be_strengthened(side: str, name: str) -> bool:
    return side == SCOTTISH or BLOCKS[name].type in ("infantry", "noble")  # 7.63


def _supplied_from(own: OwnPiece) -> str:
    """Return the area with the points that strengthen a block: its present one, or the one of its draw before it landed."""
    return own.way[0] or own.at


def drawable(pool: Sequence[str], area: str, occupied: Occupancy, variants: tuple[str, ...]) -> tuple[str, ...]:
    """Return who of a pool may come to an area.

    7.62 puts the Norse and the French back when they are drawn for an inland area, and draws another: that is a draw without
    them. By the option Angus Og the Norse come to the Irish Sea only.
    """
    lands = bool(landing_places(area, occupied, variants))
    without = () if AREAS[area].coastal or lands else NOT_INLAND
    if ANGUS_OG in variants and area not in norse_coast(variants):
        without = (*without, NORSE)
    return tuple(name for name in pool if name not in without)


def landing_places(area: str, occupied: Occupancy, variants: tuple[str, ...]) -> tuple[str, ...]:
    """Return where Norse or French may land that are drawn for an inland area: on its friendly coastal neighbours (option)."""
    if INLAND_LANDING not in variants or AREAS[area].coastal:
        return ()
    friendly = (there for there in NEIGHBOURS[area] if occupied.get(there, {}).get(SCOTTISH) and there in NORSE_COAST)
    return tuple(there for there in friendly if not occupied[there][ENGLISH])


def _counted(view: Asked, area: str) -> int:
    """Return how many blocks in an area its Castle Limit counts: not those that have landed, nor Angus Og."""
    names = view.groups.get(area, ())
    landed = sum(1 for name in names if (own := view.own(name)) and own.way[0])
    return len(names) - landed - sum(1 for name in names if wants_no_room(name, area, view.variants))


def draw_refusal(view: Asked, area: str, before: Sequence[str], points: int) -> Refusal | None:
    """Return why a block cannot be drawn for an area after the draws `before`, with that number of points left there."""
    if view.seat != SCOTTISH:
        return Refusal(_("the English cannot use replacement points to draw blocks"), "7.63")
    if area not in points_left(view):
        return _no_points(area)
    if points < 1:
        return Refusal(_("no replacement points are left in {area}", area=area), "7.62")
    limit = castle_limit(area, SCOTTISH)
    if _counted(view, area) + list(before).count(area) >= limit:
        why = _("{area} holds as many blocks as its Castle Limit of {limit} allows", area=area, limit=limit)
        return Refusal(why, "7.62")
    able = drawable(view.groups.get(POOL, ()), area, view.occupancy, view.variants)
    if not able:
        return Refusal(_("there is no block in the pool to draw for {area}", area=area), "7.62")
    if len(able) <= len(before):
        return Refusal(_("the draws before may leave no block for {area}", area=area), "7.62")
    return None


def _no_points(area: str) -> Refusal:
    return Refusal(_("{area} gives you no replacement points", area=area), "7.6")


def build_refusals(view: Asked, order: orders.Build) -> Iterator[tuple[str, Refusal]]:
    """Go through all that is wrong: the block or area, and why."""
    left = points_left(view)
    rule = "7.62" if view.seat == SCOTTISH else "7.63"
    gains: dict[str, int] = {}
    for build in order.builds:
        area = build.area
        if area not in left:
            yield area, _no_points(area)
            continue
        for step in build.steps:
            gains[step.block] = gains.get(step.block, 0) + step.steps
            left[area] -= step.steps
            refusal = _step_refusal(view, area, step.block, step.steps, gains[step.block], rule)
            if refusal:
                yield step.block, refusal
    given = points_left(view)
    for area, n in left.items():
        if n < 0:
            steps, points = given[area] - n, given[area]
            why = _("these are {n} steps, and {area} has {points} points left", n=steps, area=area, points=points)
            yield area, Refusal(why, "7.6")
    for i, area in enumerate(order.draws):
        refusal = draw_refusal(view, area, order.draws[:i], left.get(area, 0))
        left[area] = left.get(area, 0) - 1
        if refusal:
            yield area, refusal
    yield from _landing_refusals(view, order)
    if not order.draws and not order.done:
        yield "", Refusal(_("without a draw nothing comes after"), "7.62")


def _landing_refusals(view: Asked, order: orders.Build) -> Iterator[tuple[str, Refusal]]:
    said: set[str] = set()
    for landing in order.landings:
        area = landing.area
        places = landing_places(area, view.occupancy, view.variants)
        if area not in order.draws:
            yield landing.to, Refusal(_("no block is drawn for {area}", area=area), "7.62")
        elif area in said:
            why = _("where those land that are drawn for {area} is said already", area=area)
            yield landing.to, Refusal(why, "7.62")
        elif landing.to not in places:
            why = _(
                "who is drawn for {area} does not land in {to}: it is no friendly coast beside it",
                area=area,
                to=landing.to,
            )
            yield landing.to, Refusal(why, "7.62")
        said.add(area)


def _step_refusal(view: Asked, area: str, block: str, steps: int, gained: int, rule: str) -> Refusal | None:
    own = view.own(block)
    here = buildable(view, area)
    if own is not None and own.at in AREAS and own.way[0] not in ("", area):
        why = _("{block} has landed, and gains steps from the points of {area} only", block=block, area=own.way[0])
        return Refusal(why, rule)
    if own is None or area not in (own.at, own.way[0]):
        return Refusal(_("{block} is not one of your blocks in {area}", block=block, area=area), rule)
    if not _may_be_strengthened(view.seat, block):
        return Refusal(_("only infantry and nobles are strengthened, and {block} is neither", block=block), rule)
    if steps < 1:
        return Refusal(_("a build adds at least one step"), rule)
    if gained > here.get(block, 0):
        most = BLOCKS[block].max
        why = _("{block} has strength {strength} of {most}", block=block, strength=own.strength, most=most)
        return Refusal(why, rule)
    return None


def spend_sensibly(view: Asked) -> orders.Build:
    """Return the answer of silence: draw where there is room, give the other points to the weakest blocks."""
    # the most room, the weakest block
    return spend(view, lambda _room, left: max(left, key=lambda name: left[name]))


def spend(view: Asked, pick: Callable[[Mapping[str, int], Mapping[str, int]], str]) -> orders.Build:
    """Return an answer: draw where there is room, then give each point to the block that `pick` names.

    It sees how many steps the blocks of an area could gain at first, and how many each can still."""
    left = points_left(view)
    draws: list[str] = []
    builds = []
    for area in left:
        while not draw_refusal(view, area, draws, left[area]):
            draws.append(area)
            left[area] -= 1
    for area, points in left.items():
        room = buildable(view, area)
        if steps := hand_out(room, points, partial(pick, room)):
            builds.append(orders.Steps(area=area, steps=steps))
    return orders.Build(builds=tuple(builds), draws=tuple(draws), done=not draws)


# What happens


@dataclass(frozen=True, slots=True)
class Builds(Procedure, at="builds"):
    """The builds of both sides; `english` as long as the English are still to build.

    Of the Scots, who go on after each draw: `used` points by area; `drawing` the areas for which draws are ordered; `closed`
    when all is said; `landing`, while they draw, for some inland areas the coast where Norse and French land.
    """

    used: Points = ()
    drawing: tuple[str, ...] = ()
    closed: bool = False
    english: bool = False
    landing: tuple[tuple[str, str], ...] = ()

    def points(self, board: Board, side: str) -> dict[str, int]:
        """Return the points left in each friendly area of a side."""
        used = dict(self.used) if side == SCOTTISH else {}
        found = {area: n - used.get(area, 0) for area, n in yields(board.occupancy(), side).items()}
        return {area: n for area, n in found.items() if n}

    def builders(self, board: Board) -> tuple[str, ...]:
        """Return the sides that are asked for their builds: those with points."""
        english = (ENGLISH,) if self.english and self.points(board, ENGLISH) else ()
        scots = () if self.closed or not self.points(board, SCOTTISH) else (SCOTTISH,)
        return scots or english if BUILDS_IN_ORDER in board.variants else english + scots

    def do_begin(self, run: Run[Board]) -> None:
        # 7.61, with ruling: looked at when all have disbanded, Moray on the map counting
        board = run.board
        if board[FRENCH].at == OFF and len(board.nobles(SCOTTISH)) >= FRENCH_NOBLES:
            run.board = board.put(board[FRENCH]._replace(at=POOL))
            run.tell(told.French())
        run.goto("next")

    def do_next(self, run: Run[Board]) -> None:
        if self.drawing:
            run.goto("draw")
        elif not self.builders(run.board):
            run.done()
        else:
            run.goto("choose", landing=())  # what was ordered and did not come to pass stays hidden

    def want_choose(self, board: Board) -> Ask:
        return Ask(self.builders(board), "build", "until end")

    def particulars(self, board: Board, seat: str) -> dict[str, Json]:
        return {"points": [{"area": area, "points": n} for area, n in self.points(board, seat).items()]}

    def take_choose(self, run: Run[Board], given: Mapping[str, Order]) -> None:
        used, drawing, closed, landing = dict(self.used), self.drawing, self.closed, self.landing
        builders = self.builders(run.board)
        for side in builders:
            order = answer({side: given[side]}, orders.Build)
            built: dict[str, dict[str, int]] = {}
            for build in order.builds:
                gains = built.setdefault(build.area, {})
                for step in build.steps:
                    gains[step.block] = gains.get(step.block, 0) + step.steps
            if built:
                self._build(run, side, built)
            if side == SCOTTISH:
                for area, gains in built.items():
                    used[area] = used.get(area, 0) + sum(gains.values())
                drawing, closed = order.draws, order.done
                landing = tuple((landed.area, landed.to) for landed in order.landings)
        english = self.english and BUILDS_IN_ORDER in run.board.variants and ENGLISH not in builders
        run.goto("next", used=_sorted(used), drawing=drawing, closed=closed, landing=landing, english=english)

    @staticmethod
    def _build(run: Run[Board], side: str, built: Mapping[str, Mapping[str, int]]) -> None:
        board = run.board
        areas = []
        for area in (area for area in AREAS if area in built):
            gains = built[area]
            board = board.put(*(board[name].left_with(board[name].strength + n) for name, n in gains.items()))
            reached = tuple(told.Reached(name, board[name].strength) for name in by_roster(gains))
            areas.append(told.Built(area, sum(gains.values()), reached))
        run.tell(told.Build(side, tuple(areas)), side)
        run.board = board

    def want_draw(self, board: Board) -> Chance:
        pool = board.blocks_in(POOL, SCOTTISH)
        # A pool guessed by the other side may hold none but Norse and French; the real one never does.
        able = drawable(pool, self.drawing[0], board.occupancy(), board.variants)
        return Chance(f"priv:{SCOTTISH}", (Draw(1, able or pool),))

    def take_draw(self, run: Run[Board], outcome: Outcome) -> None:
        area, name = self.drawing[0], outcome[0][0]
        board, to = run.board, None
        if places := landing_places(area, board.occupancy(), board.variants) if name in NOT_INLAND else ():
            to = dict(self.landing).get(area, places[0])
            run.board = board.put(board[name]._replace(at=to, strength=1, start=area, via=area))
        else:
            run.board = board.put(board[name]._replace(at=area, strength=1))
        run.tell(told.Draw(SCOTTISH, area, to, name), SCOTTISH)
        used = dict(self.used)
        used[area] = used.get(area, 0) + 1
        run.goto("next", used=_sorted(used), drawing=self.drawing[1:])


def _sorted(used: Mapping[str, int]) -> Points:
    return tuple((area, used[area]) for area in AREAS if area in used)
