"""Where cubes are placed on the player board: side by side, so that the next icon, whichever it is, makes a formation."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cache, lru_cache
from itertools import combinations

from pbem.kernel import Order

from ..orders import Carry, Nothing, Place
from ..rules import deploy_law, placing_law, shapes
from ..rules.board import Board
from ..views import SwordsView
from .situation import Outlook

READY = (0, 0, 3, 10, 30)
"""The worth of a possible place for the next cube, by the size of the group; four make a formation."""
SPECIALS: Mapping[str, int] = {shapes.L: 0, shapes.S: 14, shapes.BOX: 16, shapes.T: 14, shapes.LINE: 22}
"""What the special action of a shape is worth, before one knows what will be done with it."""


def place(view: SwordsView) -> Order:
    """Return where the next cube is placed, and whence it comes if the supply is empty."""
    now = Outlook(view)
    orders = placing_law.placings(now.table, now.seat)
    if isinstance(orders[0], Nothing):
        return orders[0]
    promise = Promise(now)
    found = [order for order in orders if isinstance(order, Place)]
    squares = {order.square: promise.with_cube(order.square) for order in found}
    sources = {(o.source, o.pict): _lost(now, o.source) for o in found}
    return max(found, key=lambda o: squares[o.square] + o.pict - sources[o.source, o.pict])


def _lost(now: Outlook, source: str) -> int:
    """Return the loss from taking a cube from the board."""
    table = now.table
    if not source:
        return 0
    if source in table.parts.strongholds:
        return now.cube + 10 * len(table.parts.border_of(source))
    if source in table.glory:
        return 15 * table.has(now.seat, source)
    return now.cube - now.gain({source: -1})


def carry(view: SwordsView) -> Order:
    """Return which cube of the player board goes to another square."""
    now = Outlook(view)
    promise = Promise(now)
    covered = tuple(now.table.boards[now.seat])

    def found(order: Order) -> int:
        if not isinstance(order, Carry) or order.start is None or order.goal is None:
            return promise.of(covered)
        return promise.with_cube(order.goal, tuple(square for square in covered if square != order.start))

    return max(deploy_law.carryings(now.table, now.seat), key=found)


class Promise:
    """What covered squares promise for the flips that are left."""

    def __init__(self, now: Outlook) -> None:
        self.now, self.table = now, now.table
        self._odds = _odds(self.table)
        self._icons = self.table.parts.squares

    def of(self, covered: Collection[str]) -> int:
        """Return the worth of covering these squares."""
        ready = dict.fromkeys(self._odds, 0)
        for square, size in sizes(frozenset(covered), tuple(self._icons)):
            icon = self._icons[square]
            ready[icon] = max(ready[icon], READY[min(size, shapes.FOUR)])
        total = sum(self._odds.values())
        return sum(self._odds[icon] * n for icon, n in ready.items()) * min(self.now.flips, 4) // (2 * total)

    def with_cube(self, square: str, before: Collection[str] | None = None) -> int:
        """Return what a cube on a free square is worth: the best formation it makes, or what it promises."""
        covered = (*(self.table.boards[self.now.seat] if before is None else before), square)
        members = shapes.group(covered, square)
        if len(members) < shapes.FOUR:
            return self.of(covered)
        number = min(self.table.number, shapes.FOUR)
        return max(
            SPECIALS[shapes.shape(four)] + number * self.now.cube + rest
            for four in shapes.formations(members, square)
            for rest in self.after(covered, four, number)
        )

    def after(self, covered: Collection[str], four: Collection[str], number: int) -> Iterator[int]:
        """Yield the remaining promise after each way to pull that number of cubes of a formation."""
        for pulled in combinations(four, number):
            yield self.of([square for square in covered if square not in pulled])


def _odds(table: Board) -> dict[str, int]:
    """Return how likely each icon comes next: of the cards with the number that is seen on top more so."""
    odds = dict.fromkeys(table.parts.icons, 0)
    for card in table.deck:
        odds[card.icon] += 3 if card.number == table.top else 1
    return odds if table.deck else dict.fromkeys(odds, 1)


_beside = cache(shapes.neighbours)


@lru_cache(maxsize=1 << 13)
def sizes(covered: frozenset[str], squares: shapes.Squares) -> tuple[tuple[str, int], ...]:
    """Return how large a group would be with a cube on each of the free squares."""
    groups = _groups(covered)
    found = []
    for square in squares:
        if square not in covered:
            joined = {groups[other] for other in _beside(square) if other in covered}
            found.append((square, 1 + sum(map(len, joined))))
    return tuple(found)


def _groups(covered: frozenset[str]) -> dict[str, frozenset[str]]:
    """Return for every covered square the group of connected ones that it is in."""
    found: dict[str, frozenset[str]] = {}
    for square in covered:
        if square not in found:
            members, todo = {square}, [square]
            while todo:
                fresh = [other for other in _beside(todo.pop()) if other in covered and other not in members]
                members.update(fresh)
                todo += fresh
            found.update(dict.fromkeys(members, frozenset(members)))
    return found
