"""What a seat may place on its player board, and whence its cubes come ("1 Place Cubes"; "Long Sword" takes cubes as well).

It uses only the public part of the table. It changes nothing; `taken` returns the table without a cube.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pbem.i18n import N_, _
from pbem.kernel import Order, Refusal

from ..orders import Nothing, Place
from .board import Board
from .names import GLORY, PICTS, TAPESTRY

PLACE_CUBES = N_("1 Place Cubes")
"""The heading of the rule book, which has no numbers."""


class CubeSource(NamedTuple):
    """Whence a cube comes: a region, a castle, a glory card, "" the supply; and whether it is one of the Picts."""

    place: str
    pict: bool


def sources(board: Board, seat: str) -> Iterator[CubeSource]:
    """Go through the places whence a seat's next cube may come: the supply, and when that is empty all but the player board."""
    spare = board.spare(seat)
    if spare.total:
        yield from _either("", spare.own, spare.picts)
        return
    for region in board.presence(seat):
        troops = board.troops(seat, region)
        yield from _either(region, troops.own, troops.picts)
    for castle in board.parts.strongholds:
        if (colour := board.castles.get(castle)) in board.colours(seat):
            yield CubeSource(castle, colour == PICTS)
    yield from (CubeSource(card, pict=False) for card in GLORY if board.glory.get(card, {}).get(seat))


def _either(place: str, own: int, picts: int) -> Iterator[CubeSource]:
    if own:
        yield CubeSource(place, pict=False)
    if picts:
        yield CubeSource(place, pict=True)


def taken(board: Board, seat: str, source: str, *, pict: bool) -> Board:
    """Return the table without the cube that a seat takes from there."""
    colour = PICTS if pict else seat
    if not source:
        return board.store(colour, -1)
    if source in board.glory:
        return board.bid(source, seat, -1)
    if source in board.parts.strongholds:
        return board.occupy(source, "")
    return board.change(source, colour, -1)


def squares(board: Board, seat: str) -> tuple[str, ...]:
    """Return the free squares on which a seat may place: those with the icon, and any where that is wild for it."""
    icons = board.parts.squares
    wild = board.has(seat, TAPESTRY) and board.wild == board.icon
    return tuple(square for square in board.free_squares(seat) if wild or icons[square] == board.icon)


def placings(board: Board, seat: str) -> list[Order]:
    """Return all that a seat may do when cubes are placed."""
    whence = list(sources(board, seat))
    found: list[Order] = [
        Place(square=square, source=source.place, pict=source.pict)
        for square in squares(board, seat)
        for source in whence
    ]
    return found or [Nothing()]


def why_not_place(board: Board, seat: str, order: Order) -> Refusal | None:
    """Return why a cube cannot be placed so, or None."""
    legal = placings(board, seat)
    if order in legal:
        return None
    rule, first = _(PLACE_CUBES), str(legal[0])
    if isinstance(order, Nothing):
        return Refusal(_("you must place a cube on a square with {icon}", icon=board.icon), rule, first)
    if not isinstance(order, Place):
        return Refusal(_("“{order}” places no cube", order=order), rule, first)
    if isinstance(legal[0], Nothing):
        return Refusal(_why_nothing(board, seat), rule, first)
    open_squares = squares(board, seat)
    if order.square not in open_squares:
        return Refusal(_why_not_there(board, seat, order.square), rule, ", ".join(open_squares))
    return why_not_from(board, seat, order.source, pict=order.pict)


def _why_nothing(board: Board, seat: str) -> str:
    if not squares(board, seat):
        return _("you have no free square with {icon}", icon=board.icon)
    return _("all your cubes are on your player board")


def _why_not_there(board: Board, seat: str, square: str) -> str:
    icon = board.parts.squares.get(square)
    if icon is None:
        return _("there is no square {square} on the player board", square=square)
    if square in board.boards[seat]:
        return _("{square} is covered", square=square)
    return _("{square} shows {other}, and {icon} was flipped", square=square, other=icon, icon=board.icon)


def why_not_from(board: Board, seat: str, place: str, *, pict: bool) -> Refusal | None:
    """Return why a cube cannot come from there, or None."""
    legal = list(sources(board, seat))
    if CubeSource(place, pict) in legal:
        return None
    rule = _(PLACE_CUBES)
    if not legal[0].place:
        if place:
            return Refusal(_("your supply is not empty: the cube comes from there"), rule)
        why = _("you control no Pict in your supply") if pict else _("only Picts are left in your supply")
        return Refusal(why, rule)
    said = ", ".join(f"FROM {source.place}{' WITH PICT' if source.pict else ''}" for source in legal)
    if not place:
        return Refusal(_("your supply is empty: take a cube from the board, a castle or a glory card"), rule, said)
    return Refusal(_("you have no such cube on {place}", place=place), rule, said)
