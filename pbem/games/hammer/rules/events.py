"""The five events, Herald, Pillage, Sea Move, Truce and Victuals: what is legal, and their effects.

Rule 3.12 and the cards' texts. Legality is decided from the player's own view. Any event may be passed (ruling 3.1).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pbem.kernel import Ask, Chance, Json, Order, Outcome, Refusal, Roll, Run, changed

from .. import orders
from . import told
from .asked import Asked
from .battles import Battles
from .board import Board
from .defections import defect
from .frame import Procedure, answer
from .hits import forced_and_tied, take_hits
from .move_law import may_raid_in_truce
from .norse import norse_coast
from .printed import BLOCKS, COAST, ENGLAND, MORAY, NEIGHBOURS, NOBLES, NORSE, SLUG, enemy
from .said import _, _n
from .variants import NORSE_SEA_MOVE

HERALD_SUCCEEDS = 4
PILLAGE_HITS = 2
VICTUALS_STEPS = 3
SEA_MOVE_BLOCKS = 2


# Herald


def herald_refusal(view: Asked, noble: str) -> Refusal | None:
    """Return why the Herald cannot be sent to a noble."""
    if noble == MORAY:
        return Refusal(_("Moray never changes sides"), "5.7")
    if view.nobles.get(SLUG.get(noble, "")) != view.enemy:
        why = _("the Herald goes to a noble of the enemy, and {noble} is not one", noble=noble)
        return Refusal(why, "Herald")
    return None


def herald(run: Run[Board], side: str, noble: str) -> None:
    """Send the Herald."""
    run.tell(told.Herald(side, noble))
    run.stack.append(HeraldAnswer("roll", side, noble))


@dataclass(frozen=True, slots=True)
class HeraldAnswer(Procedure, at="herald"):
    """A noble's answer to the Herald: on 1-4 he comes over at his current strength, and fights at once if not alone."""

    side: str
    noble: str

    def want_roll(self, board: Board) -> Chance:
        return Chance("pub", (Roll(1),))

    def take_roll(self, run: Run[Board], outcome: Outcome) -> None:
        die = outcome[0][0]
        success = die <= HERALD_SUCCEEDS
        run.tell(told.HeraldAnswer(self.noble, die, success))
        run.done()
        if success:
            defect(run, (self.noble,), self.side, "herald")


# Pillage


def pillage_refusal(view: Asked, target: str, group: str) -> Refusal | None:
    """Return why one area cannot be pillaged from another."""
    if not view.count(group, view.seat):
        return Refusal(_("you have no blocks in {group} to pillage with", group=group), "Pillage")
    if group not in NEIGHBOURS[target]:
        why = _("there is no border between {here} and {there}", here=group, there=target)
        return Refusal(why, "Pillage")
    if not view.count(target, view.enemy):
        return Refusal(_("the enemy has no blocks in {target}", target=target), "Pillage")
    return None


def pillage(run: Run[Board], side: str, target: str, group: str) -> None:
    """Begin a pillage."""
    run.tell(told.Pillage(side, target, group))
    run.stack.append(Pillaging("begin", side, target, group))


@dataclass(frozen=True, slots=True)
class Pillaging(Procedure, at="pillage"):
    """A pillage: two hits on the enemy group as in combat, then their steps to the pillaging group, then a battle if need be.

    `lost` counts the steps really lost; `captives` are the nobles pillaged to nothing, who have changed sides.
    """

    side: str
    target: str
    group: str
    lost: int = 0
    captives: tuple[str, ...] = ()

    def do_begin(self, run: Run[Board]) -> None:
        victims = run.board.blocks_in(self.target, enemy(self.side))
        if len(victims) > 1:
            run.goto("losses")
            return
        # One block alone takes all: everybody can see that there is nothing to choose.
        self._lose(run, victims * min(PILLAGE_HITS, run.board[victims[0]].strength))

    def want_losses(self, board: Board) -> Ask:
        return Ask((enemy(self.side),), "pillage losses", "until end")

    def take_losses(self, run: Run[Board], given: Mapping[str, Order]) -> None:
        self._lose(run, answer(given, orders.Hits).blocks)

    def _lose(self, run: Run[Board], hits: Sequence[str]) -> None:
        victim, board = enemy(self.side), run.board
        losses, captives = {}, []
        for name in dict.fromkeys(hits):
            losses[name] = board[name].strength - hits.count(name)
            if losses[name]:
                board = board.put(board[name].left_with(losses[name]))
            elif name in NOBLES:
                # 5.7: pillaged to nothing he changes sides, at strength 1
                board = board.put(board[name]._replace(side=self.side, strength=1, known=1))
                captives.append(name)
            else:
                board = board.put(board[name].gone())  # 5.8: Moray and non-nobles, to the pool
        run.board = board
        gone = sum(1 for left in losses.values() if not left) - len(captives)
        reached = tuple(told.Reached(*loss) for loss in losses.items())
        run.tell(told.PillageLosses(victim, self.target, len(hits), gone, reached), victim)
        for name in captives:
            run.tell(told.Captured(self.target, name, self.side, "pillage"))
        run.goto("gains", lost=len(hits), captives=tuple(captives))

    def want_gains(self, board: Board) -> Ask:
        return Ask((self.side,), "pillage gains", "until end")

    def take_gains(self, run: Run[Board], given: Mapping[str, Order]) -> None:
        (order,) = given.values()
        steps = order.steps if isinstance(order, orders.Gains) else ()
        feed(run, self.side, self.group, steps, told.PillageGains)
        run.done()
        if run.board.contested():
            run.stack.append(Battles("begin", event=self.side))

    def particulars(self, board: Board, seat: str) -> dict[str, Json]:
        if self.step == "losses":
            return {"area": self.target, "hits": PILLAGE_HITS}
        return {"area": self.group, "steps": self.lost}


def losses_refusal(view: Asked, area: str, blocks: Sequence[str]) -> Refusal | None:
    """Return why the hits of a pillage do not fall on these blocks, one after the other (5.41)."""
    strength = view.strengths(area)
    hits = min(PILLAGE_HITS, sum(strength.values()))
    if len(blocks) != hits:
        return Refusal(_("name the block that takes each of the {hits} hits", hits=hits), "Pillage")
    for name in blocks:
        if name not in strength:
            why = _("{block} is not one of your blocks in {area}", block=name, area=area)
            return Refusal(why, "Pillage")
        forced, tied, _left = forced_and_tied(strength, 1)
        strongest = forced or tied
        if name not in strongest:
            why = _("each hit falls on the strongest block, and {name} is not that", name=name)
            return Refusal(why, "5.41")
        strength = take_hits(strength, (name,))
    return None


# Sea Move


def sea_move_refusal(view: Asked, order: orders.SeaMove) -> Refusal | None:
    """Return why a Sea Move is not legal."""
    if not 1 <= len(order.blocks) <= SEA_MOVE_BLOCKS or len(set(order.blocks)) < len(order.blocks):
        return Refusal(_("a Sea Move takes one or two blocks"), "Sea Move")
    for area in (order.start, order.to):
        if area not in COAST:
            return Refusal(_("{area} is not a coastal area", area=area), "Sea Move")
    for name in order.blocks:
        if name == NORSE and NORSE_SEA_MOVE not in view.variants:
            return Refusal(_("the Norse never use the Sea Move"), "4.7")
        if name == NORSE and order.to == ENGLAND:
            # 2.3, 4.7: nothing else forbids them the Sea Move
            return Refusal(_("the Norse never enter England"), "4.7")
        if name == NORSE and order.to not in norse_coast(view.variants):
            return Refusal(_("Angus Og keeps to the Irish Sea, and {area} is not on it", area=order.to), "4.7")
        if name not in view.groups.get(order.start, ()):
            return Refusal(_("{block} is not one of your blocks in {area}", block=name, area=order.start), "Sea Move")
    if order.to == order.start or not view.count(order.to, view.seat) or view.count(order.to, view.enemy):
        why = _("{area} is not another area where you already stand, without enemies", area=order.to)
        return Refusal(why, "Sea Move")
    if view.truce == view.seat and order.to == ENGLAND and not may_raid_in_truce(view.seat, view.variants):
        return Refusal(_("during the Truce the Scots may not enter England"), "5.9")
    return None


def sea_move(run: Run[Board], side: str, order: orders.SeaMove) -> None:
    """Carry blocks over the sea: no Group Move, no borders."""
    run.board = run.board.put(*(run.board[name].upright(order.to) for name in order.blocks))
    run.tell(told.SeaMove(side, order.start, order.to, len(order.blocks), order.blocks), side)


# Truce


def truce(run: Run[Board], side: str) -> None:
    """Forbid the opponent to attack this turn."""
    run.board = changed(run.board, truce=enemy(side))
    run.tell(told.Truce(side))


# Victuals


def feed_refusal(view: Asked, area: str, steps: Sequence[orders.Step], most: int, rule: str) -> Refusal | None:
    """Return why these steps cannot be added to blocks in an area; `most` steps together."""
    there = view.strengths(area)
    if not steps or len({step.block for step in steps}) < len(steps):
        return Refusal(_("name each block that gains steps once"), rule)
    for step in steps:
        if step.block not in there:
            why = _("{block} is not one of your blocks in {area}", block=step.block, area=area)
            return Refusal(why, rule)
        if step.steps < 1 or there[step.block] + step.steps > BLOCKS[step.block].max:
            room = BLOCKS[step.block].max - there[step.block]
            if not room:
                return Refusal(_("{block} can gain no steps", block=step.block), rule)
            return Refusal(_n("{block} can gain {n} step", "{block} can gain {n} steps", room, block=step.block), rule)
    total = sum(step.steps for step in steps)
    if total > most:
        return Refusal(_("these are {total} steps, and there are {most}", total=total, most=most), rule)
    return None


def victuals(run: Run[Board], side: str, area: str, steps: Sequence[orders.Step]) -> None:
    """Add steps to blocks of one group."""
    feed(run, side, area, steps, told.Victuals)


def feed(run: Run[Board], side: str, area: str, steps: Sequence[orders.Step], gained: type[told.Gained]) -> None:
    """Add the steps ordered, and tell how many they were."""
    board = run.board
    run.board = board.put(*(board[s.block].left_with(board[s.block].strength + s.steps) for s in steps))
    gains = tuple(told.Reached(s.block, run.board[s.block].strength) for s in steps)
    run.tell(gained(side, area, sum(s.steps for s in steps), gains), side)


def hand_out(room: Mapping[str, int], steps: int, pick: Callable[[Mapping[str, int]], str]) -> tuple[orders.Step, ...]:
    """Return the steps that each block gains, distributed one after the other to the block that `pick` names.

    `room` is the number of steps that each block can gain. `pick` sees what is left of it, and stops with "".
    """
    gains: dict[str, int] = {}
    while sum(gains.values()) < steps:
        left = {name: most - gains.get(name, 0) for name, most in room.items() if most > gains.get(name, 0)}
        name = pick(left) if left else ""
        if not name:
            break
        gains[name] = gains.get(name, 0) + 1
    return tuple(orders.Step(block=name, steps=n) for name, n in gains.items())
