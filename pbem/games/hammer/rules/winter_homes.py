"""The nobles go home, and may change sides; Moray and the Scottish King go where they like. Rules 7.1, 7.12, 7.2.

The English half comes first. If the enemy holds a noble's home, the noble changes sides, and does not move again in the Scottish
half. His place is public; those of Moray and the King are not. If their two homes leave Bruce and Comyn a choice, they are in the
first of them until it is made. By the option Andrew de Moray he gains steps at home, which is told.

Legality is decided from the view of the side that chooses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

from pbem.kernel import Ask, Json, Order, Refusal, Run

from .. import orders
from . import told
from .asked import Asked
from .board import Board
from .frame import Procedure, answer
from .printed import AREAS, BLOCKS, CATHEDRALS, DEAD, ENGLAND, ENGLISH, KING, MORAY, NOBLES, OFF, SCOTTISH, SIDES, enemy
from .said import _
from .variants import ANDREW_DE_MORAY
from .winter_limits import castle_limit, disband, must_stay, tell_winter_move

ANDREW_GAINS = 2

# What is legal


def home_choices(view: Asked) -> dict[str, tuple[str, ...]]:
    """Return where each block with a choice may go: areas, STAY, DISBAND; what keeps most comes first."""
    asked = view.ask or {}
    found = {noble: _best_first(view, BLOCKS[noble].homes, noble) for noble in asked.get("nobles", ())}  # 7.12
    if asked.get("court"):
        moray, king = _place(view, MORAY), _place(view, KING)
        if moray:
            found[MORAY] = _moray_choices(view, moray)
        if king:
            found[KING] = _king_choices(view, king)
    return found


def _place(view: Asked, name: str) -> str:
    own = view.own(name)
    return own.at if own is not None and own.at in AREAS else ""


def _moray_choices(view: Asked, at: str) -> tuple[str, ...]:
    # 7.1, ruling 7.1 Moray: home, but never into an enemy-occupied one; stay, but not in England; disband
    (home,) = BLOCKS[MORAY].homes
    goes = [home] if at != home and not view.count(home, view.enemy) else []
    stays = [orders.STAY] if at != ENGLAND else []
    return (*goes, *stays, orders.DISBAND)


def _king_choices(view: Asked, at: str) -> tuple[str, ...]:
    # 7.2: a friendly or neutral cathedral, where he is, or the pool
    cathedrals = [area for area in CATHEDRALS if area != at and not view.count(area, view.enemy)]
    stays = [at] if at != ENGLAND else []
    ordered = _best_first(view, [*stays, *cathedrals], KING)
    return (*(orders.STAY if area == at else area for area in ordered), orders.DISBAND)


def _best_first(view: Asked, areas: Sequence[str], moving: str) -> tuple[str, ...]:
    """Return areas, those with most room for one more block first."""

    def left(area: str) -> int:
        return castle_limit(area, view.seat) - sum(1 for name in view.groups.get(area, ()) if name != moving)

    return tuple(sorted(areas, key=lambda area: -left(area)))


def stays_at(view: Asked, block: str) -> str:
    """Return the present area of a block with a choice, if it may stay there; otherwise "". A noble's is one of his homes."""
    at, choices = _place(view, block), home_choices(view).get(block, ())
    return at if at in choices or orders.STAY in choices else ""


def home_refusals(view: Asked, order: orders.GoHome) -> Iterator[tuple[str, Refusal]]:
    """Go through all that is wrong with these choices: the block, and why."""
    choices = home_choices(view)
    named: set[str] = set()
    for block, to in ((going.block, going.to) for going in order.goings):
        if block not in choices:
            yield block, Refusal(_("{block} has no choice to make now", block=block), "7.1")
        elif block in named:
            yield block, Refusal(_("{block} is named twice", block=block), "7.1")
        elif to not in choices[block]:
            yield block, _cannot_go(view, block, to)
        named.add(block)
    for block in choices:
        if block not in named:
            yield block, Refusal(_("{block} needs a place", block=block), _rule(block))


def _rule(block: str) -> str:
    return {MORAY: "7.1", KING: "7.2"}.get(block, "7.12")


def _cannot_go(view: Asked, block: str, to: str) -> Refusal:
    rule = _rule(block)
    if to == orders.DISBAND:
        return Refusal(_("{block} cannot disband: only Moray among the nobles can", block=block), "7.1")
    if to == orders.STAY:
        return Refusal(_no_stay(block, _place(view, block)), rule)
    if to not in (BLOCKS[block].homes or CATHEDRALS):
        why = _("{to} is not a cathedral", to=to) if block == KING else _("{to} is not his home", to=to)
        return Refusal(why, rule)
    if view.count(to, view.enemy):
        return Refusal(_("{to} is occupied by the enemy", to=to), rule)
    return Refusal(_("{block} is in {to} already: he stays", block=block, to=to), rule)


def _no_stay(block: str, at: str) -> str:
    homes = BLOCKS[block].homes
    if len(homes) > 1:
        return _(
            "{block} stands in {area}, which is not a home of his: he goes to {one} or {other}",
            block=block,
            area=at,
            one=homes[0],
            other=homes[1],
        )
    return _("{block} cannot stay in {area} for the winter", block=block, area=at)


# What happens


@dataclass(frozen=True, slots=True)
class NoblesGoHome(Procedure, at="nobles_go_home"):
    """7.1 and 7.2. `waiting` has (side that chooses, noble) in the order of choosing; `turned` the nobles who changed sides.

    A noble with a choice stays where he is until it is made; one who has changed sides is in the first of his homes, with his new
    side. The English half ends before the Scottish one begins: `second` says that the Scottish half has begun.
    """

    waiting: tuple[tuple[str, str], ...] = ()
    turned: tuple[str, ...] = ()
    second: bool = False

    def do_english(self, run: Run[Board]) -> None:
        self._half(run, ENGLISH)

    def do_scottish(self, run: Run[Board]) -> None:
        self._half(run, SCOTTISH)

    def _half(self, run: Run[Board], side: str) -> None:
        """Send one side's nobles home, at once in effect: no noble's going changes another's home."""
        board, foe = run.board, enemy(side)
        occupied = board.occupancy()
        moved, chosen, turned = [], {side: list[str](), foe: list[str]()}, list(self.turned)
        homes, over = [], []
        for name in NOBLES:
            piece = board[name]
            if piece.side != side or name in self.turned:
                continue
            every = BLOCKS[name].homes
            free = [home for home in every if not occupied.get(home, {}).get(foe)]
            home = (free or every)[0]
            if not free:  # 7.1, 7.12: he comes over at current strength
                piece = piece._replace(side=foe)
                turned.append(name)
                over.append((name, home if len(every) == 1 else None))
            if len(free or every) > 1:
                chosen[piece.side].append(name)  # ruling 7.1: both homes taken: his new owner chooses
                if free:
                    continue
            elif free:
                homes.append(told.AtHome(name, home))
            moved.append(piece.upright(home).shown(1))
        if homes:
            run.tell(told.Homes(side, tuple(homes)))
        for name, area in over:
            run.tell(told.Turned(name, foe, area, board[name].strength), *SIDES)
        run.board = board.put(*moved)
        waiting = [(who, name) for who in (ENGLISH, SCOTTISH) for name in chosen[who]]
        run.goto("next", waiting=tuple(waiting), turned=tuple(turned), second=side == SCOTTISH)

    # The choices: all of one side are one question; the last of the Scots are asked with 7.2

    def do_next(self, run: Run[Board]) -> None:
        if any(not self.second or who == ENGLISH for who, _block in self.waiting):
            run.goto("choose")
        elif not self.second:
            run.goto("scottish")
        elif self.waiting or _has_court(run.board):
            run.goto("court")
        else:
            run.done()

    def _chooser(self) -> str:
        return self.waiting[0][0]

    def _nobles(self) -> tuple[str, ...]:
        return tuple(name for _who, name in takewhile(lambda entry: entry[0] == self._chooser(), self.waiting))

    def want_choose(self, board: Board) -> Ask:
        return Ask((self._chooser(),), "home", "no")

    def take_choose(self, run: Run[Board], given: Mapping[str, Order]) -> None:
        run.goto("next", waiting=self.waiting[len(self._nobles()) :])
        _go(run, self._chooser(), answer(given, orders.GoHome).goings)

    def want_court(self, board: Board) -> Ask:
        # asked whether or not Moray and the King are on the map: that nothing is asked would tell it
        return Ask((SCOTTISH,), "home", "until end" if _has_court(board) else "no")

    def take_court(self, run: Run[Board], given: Mapping[str, Order]) -> None:
        run.done()
        _go(run, SCOTTISH, answer(given, orders.GoHome).goings)

    def particulars(self, board: Board, seat: str) -> dict[str, Json]:
        nobles = list(self._nobles()) if self.waiting else []
        return {"nobles": nobles, "court": self.step == "court" and _has_court(board)}


def _has_court(board: Board) -> bool:
    """May Moray or the King be on the map, for all that everybody knows?"""
    return board[MORAY].at != DEAD or board[KING].at not in (OFF, DEAD)


def _go(run: Run[Board], side: str, goings: Sequence[orders.Going]) -> None:
    if homes := [told.AtHome(going.block, going.to) for going in goings if must_stay(going.block)]:
        run.tell(told.Homes(side, tuple(homes)))
    for going in goings:
        if must_stay(going.block):
            run.board = run.board.put(run.board[going.block].upright(going.to).shown(1))
        elif going.to == orders.DISBAND:
            disband(run, side, [going.block])
        elif going.block == MORAY and ANDREW_DE_MORAY in run.board.variants:
            _andrew(run, going.to)
        elif going.to != orders.STAY:
            tell_winter_move(run, going.block, going.to)
            run.board = run.board.put(run.board[going.block]._replace(at=going.to))


def _andrew(run: Run[Board], to: str) -> None:
    """Let Andrew de Moray stay or go home; at home, as Wallace in Selkirk (7.5), he gains up to two steps (option)."""
    piece = run.board[MORAY]
    at = piece.at if to == orders.STAY else to
    if at in BLOCKS[MORAY].homes:
        strength = min(BLOCKS[MORAY].max, piece.strength + ANDREW_GAINS)
        tell_winter_move(run, MORAY, at, strength)
        run.board = run.board.put(piece._replace(at=at, strength=strength))
