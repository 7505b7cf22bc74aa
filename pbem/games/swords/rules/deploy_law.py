"""What a seat may deploy from a formation, and the special actions of its shape ("2 Deploy"; "Merchant's Outpost").

The formation includes the cube just placed. `group` are the squares that were connected with it then; `used` the formations that
it made already. The number of cubes to pull is that of the card, or the rest of the formation.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from pbem.i18n import N_, _
from pbem.kernel import Order, Refusal

from ..orders import Add, Carry, Deploy, Move, Special, Take
from . import shapes
from .board import Board
from .names import MERCHANT, PICTS
from .shapes import Squares
from .troops import Troops

DEPLOY = N_("2 Deploy")


class FormationAt(NamedTuple):
    """Where a seat has to deploy: the square of the cube placed, its group by then, the formations used already."""

    seat: str
    square: str
    group: Squares
    used: tuple[Squares, ...] = ()


def fours(board: Board, at: FormationAt) -> list[Squares]:
    """Return the formations that may be chosen: those of which at least one cube is still there."""
    return [four for four in shapes.formations(at.group, at.square, at.used) if left(board, at.seat, four)]


def left(board: Board, seat: str, four: Squares) -> Squares:
    """Return the squares of a formation that still have a cube."""
    return tuple(square for square in four if square in board.boards[seat])


def must_pull(board: Board, seat: str, four: Squares) -> int:
    """Return how many cubes of a formation are pulled."""
    return min(board.number, len(left(board, seat, four)))


def goals(board: Board, seat: str) -> tuple[str, ...]:
    """Return the regions to which a seat may deploy: where it has a cube; any, where it has none."""
    return board.presence(seat) or board.parts.names


def pulled_to(board: Board, seat: str, pulled: Squares, region: str) -> Board:
    """Return the table with the pulled cubes in a region."""
    for square in pulled:
        board = board.change(region, board.boards[seat][square], 1).cover(seat, square, "")
    return board


def specials(board: Board, seat: str, region: str, shape: str) -> Iterator[Special]:
    """Go through the special actions of a shape, on the table after its cubes came to a region."""
    if shape in (shapes.S, shapes.LINE):
        yield from _moves(board, seat, region)
    if shape in (shapes.BOX, shapes.LINE):
        yield from _additions(board, seat)
    if shape in (shapes.T, shapes.LINE):
        yield from _takings(board, seat, region)


def _moves(board: Board, seat: str, region: str) -> Iterator[Move]:
    for other in board.ways(seat, region):
        for start, goal in ((region, other), (other, region)):
            there = board.troops(seat, start)
            for own in range(there.own + 1):
                for picts in range(there.picts + 1):
                    if own + picts:
                        yield Move(troops=Troops(own, picts), start=start, goal=goal)


def _additions(board: Board, seat: str) -> Iterator[Add]:
    spare = board.spare(seat)
    for pict, n in ((False, spare.own), (True, spare.picts)):
        if n:
            yield from (Add(region=region, pict=pict) for region in board.parts.names)


def castles_open(board: Board, seat: str, region: str) -> tuple[str, ...]:
    """Return the castles on a region's border that a seat may take: the empty ones; without any, those of others."""
    border = board.parts.castles_of(region)
    if empty := tuple(castle for castle in border if castle not in board.castles):
        return empty
    return tuple(castle for castle in border if board.castles[castle] not in board.colours(seat))


def _takings(board: Board, seat: str, region: str) -> Iterator[Take]:
    troops = board.troops(seat, region)
    for pict, n in ((False, troops.own), (True, troops.picts)):
        if n:
            yield from (Take(castle=castle, pict=pict) for castle in castles_open(board, seat, region))


def deployments(board: Board, at: FormationAt) -> Iterator[Deploy]:
    """Go through all that may be deployed."""
    for four in fours(board, at):
        kind = shapes.shape(four)
        there = left(board, at.seat, four)
        for pulled in combinations(there, must_pull(board, at.seat, four)):
            for region in goals(board, at.seat):
                after = pulled_to(board, at.seat, pulled, region)
                for special in (None, *specials(after, at.seat, region, kind)):
                    yield Deploy(squares=four, pulled=pulled, region=region, special=special)


def sole(board: Board, at: FormationAt) -> Deploy | None:
    """Return the one deployment there is, or None where there are several."""
    found = deployments(board, at)
    first = next(found)
    return first if next(found, None) is None else None


def why_not_deploy(board: Board, at: FormationAt, order: Order) -> Refusal | None:
    """Return why cubes cannot be deployed so, or None."""
    rule = _(DEPLOY)
    if not isinstance(order, Deploy):
        return Refusal(_("“{order}” deploys nothing", order=order), rule, str(next(deployments(board, at))))
    possible = fours(board, at)
    four = next((four for four in possible if set(four) == set(order.squares)), None)
    if four is None or len(order.squares) != shapes.FOUR:
        legal = " · ".join(" ".join(four) for four in possible[:6])
        why = _("a formation are four connected cubes, and {square} one of them", square=at.square)
        return Refusal(why, rule, legal)
    there, n = left(board, at.seat, four), must_pull(board, at.seat, four)
    if len(set(order.pulled)) != len(order.pulled) or not set(order.pulled) <= set(there) or len(order.pulled) != n:
        return Refusal(_("{n} of these cubes are pulled", n=n), rule, ", ".join(there))
    if order.region not in goals(board, at.seat):
        why = _("you have no cube in {region}", region=order.region)
        return Refusal(why, rule, ", ".join(goals(board, at.seat)))
    after = pulled_to(board, at.seat, order.pulled, order.region)
    return why_not_special(after, at.seat, order.region, shapes.shape(four), order.special)


def why_not_special(board: Board, seat: str, region: str, shape: str, special: Special | None) -> Refusal | None:
    """Return why a special action cannot be taken after cubes came to a region, or None."""
    if special is None:
        return None
    legal = list(specials(board, seat, region, shape))
    if special in legal:
        return None
    kinds = {shapes.S: "MOVE", shapes.BOX: "ADD", shapes.T: "TAKE", shapes.LINE: special.verb}
    if kinds.get(shape) != special.verb:
        return Refusal(_OTHER[shape](), _(DEPLOY))
    examples = ", ".join(dict.fromkeys(str(one) for one in legal if one.verb == special.verb))
    return Refusal(
        _why_no_special(board, seat, region, special), _(DEPLOY), examples[:200].rpartition(",")[0] or examples
    )


_OTHER = {
    shapes.L: lambda: _("an L-shape has no special action"),
    shapes.S: lambda: _("the action of an S-shape is MOVE"),
    shapes.BOX: lambda: _("the action of a box-shape is ADD"),
    shapes.T: lambda: _("the action of a T-shape is TAKE"),
}


def _why_no_special(board: Board, seat: str, region: str, special: Special) -> str:
    match special:
        case Move(start=start, goal=goal):
            if region not in (start, goal):
                return _("one end of the move is {region}, where you deployed", region=region)
            other = goal if start == region else start
            if other not in board.parts.neighbours(region):
                return _("{other} is not adjacent to {region}", other=other, region=region)
            if other not in board.ways(seat, region):
                return _("Hadrian's Wall stands between {region} and {other}", region=region, other=other)
            return _("you have not so many cubes in {region}", region=start)
        case Add(region=goal):
            if goal not in board.parts.names:
                return _("there is no region {region}", region=goal)
            return _("there is no such cube in your supply")
        case Take(castle=castle):
            if castle not in board.parts.castles_of(region):
                return _("{castle} is not on the border of {region}", castle=castle, region=region)
            if castle not in castles_open(board, seat, region):
                return _(
                    "{castle} is not empty, and only if no castle there is may one throw another out", castle=castle
                )
            return _("you have no such cube in {region}", region=region)


# Merchant's Outpost


def carryings(board: Board, seat: str) -> list[Order]:
    """Return the moves on a player board that the Merchant's Outpost allows; to stay is one."""
    covered = [square for square in board.parts.squares if square in board.boards[seat]]
    free = board.free_squares(seat)
    return [Carry(), *(Carry(start=start, goal=goal) for start in covered for goal in free)]


def why_not_carry(board: Board, seat: str, order: Order) -> Refusal | None:
    """Return why a cube cannot be moved on the player board so, or None."""
    if order in carryings(board, seat):
        return None
    if not isinstance(order, Carry) or order.start is None or order.goal is None:
        return Refusal(_("“{order}” moves no cube of your player board", order=order), _(MERCHANT), "MERCHANT STAY")
    if order.start not in board.boards[seat]:
        return Refusal(_("no cube lies on {square}", square=order.start), _(MERCHANT))
    free = ", ".join(board.free_squares(seat))
    return Refusal(_("{square} is no free square", square=order.goal), _(MERCHANT), free)


def thrown_out(board: Board, castle: str) -> tuple[Board, str]:
    """Return the table with a castle empty, the cube back in its owner's supply, and its colour ("": it was empty)."""
    colour = board.castles.get(castle, "")
    return (board.occupy(castle, "").store(colour, 1), colour) if colour else (board, "")


def acted(board: Board, seat: str, region: str, special: Special) -> Board:
    """Return the table after a special action."""
    match special:
        case Move(troops=troops, start=start, goal=goal):
            return board.march(seat, troops, start, goal)
        case Add(region=goal, pict=pict):
            colour = PICTS if pict else seat
            return board.store(colour, -1).change(goal, colour, 1)
        case Take(castle=castle, pict=pict):
            colour = PICTS if pict else seat
            return thrown_out(board, castle)[0].change(region, colour, -1).occupy(castle, colour)
