"""The normal and the hard player of Swords Over Scotland: they try orders, and look how the game may continue.

The rules play a tried order until the flip is over; all others answer as the easy player does. From there on a rough table
(`rough`) is played for some flips, and judged. Only the others' simultaneous answers are hidden, so a guess of the position is the
view itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, cast

from pbem.games.bot import Bot
from pbem.games.searching import Urn, halving
from pbem.kernel import Ask, Chooser, Order, View

from .. import law
from ..game import GAME
from ..orders import Deploy, Retreat, RetreatTo
from ..rules import deploy_law, shapes
from ..rules.battles import Battle
from ..rules.flip import Deploying
from ..rules.names import PICTS
from ..rules.troops import Troops
from ..rules.war import State
from ..views import SwordsView, innermost
from .deploying import _ways
from .easy import SensibleBot
from .gathering import Promise
from .rough import Rough
from .situation import Outlook

FEW = 24
"""The number of candidate orders that are tried."""
KINDS = 4
"""The number of endings of the flip that are examined for each order."""
_SETTINGS = ("cardinal", "wall", "tapestry", "druid")
"""The questions answered as the easy player does, because little depends on them."""


class Glance:
    """What a seat sees of a tried state: what the easy player looks at of a `SwordsView`, without the way through JSON."""

    def __init__(self, state: State, wanted: Ask, seat: str) -> None:
        self.seat, self.table, self.stack = seat, state.board, state.stack
        self.question = wanted.what

    @property
    def frame(self) -> Any:
        """The innermost procedure."""
        return self.stack[-1]

    @property
    def battle(self) -> Battle | None:
        """The battle that is fought, if one is."""
        return innermost(self.stack, Battle)

    @property
    def deploying(self) -> Deploying | None:
        """The deployment under way, if one is."""
        return innermost(self.stack, Deploying)


class Trials:
    """What an order may lead to."""

    def __init__(self, view: SwordsView, seed: int, flips: int) -> None:
        self._seed, self._flips = seed, flips
        self._state: State = GAME.determinise(view, Urn(seed))
        self._easy = SensibleBot()
        self._seat, self._number = view.seat, view.table.seats.index(view.seat)
        self._ends: dict[tuple[int, int], Rough] = {}
        self._others = sorted(seat for seat in view.waiting if seat != view.seat)  # whoever wrote the view down
        self._wanted = cast(Ask, GAME.wants(self._state))

    def worth(self, number: int, order: Order, place: int) -> int:
        """Return what an order was worth in the trial of a number."""
        key = place, number % KINDS
        if key not in self._ends:
            self._ends[key] = self._end(order, Urn(self._seed + number % KINDS))
        table, urn = self._ends[key].copy(), Urn(self._seed + KINDS + number)
        for _flip in range(self._flips):
            if table.over:
                break
            table.flip(urn)
        return table.value(self._number)

    def _end(self, order: Order, urn: Urn) -> Rough:
        """Return the table after the flip, played by the rules."""
        given = {self._seat: order}
        for seat in self._others:
            given[seat] = self._answer(self._state, self._wanted, seat, urn)
        stop = GAME.step(self._state, given)
        while isinstance(stop.wants, Ask) and stop.wants.what != "place":
            answers = {seat: self._answer(stop.state, stop.wants, seat, urn) for seat in stop.wants.seats}
            stop = GAME.step(stop.state, answers)
        return Rough(stop.state.board, flipped=isinstance(stop.wants, Ask))

    def _answer(self, state: State, wanted: Ask, seat: str, urn: Urn) -> Order:
        return self._easy.answer(cast(View, Glance(state, wanted, seat)), urn)


class TryingOut(Bot):
    """Tries orders with that total number of trials, each over that number of flips."""

    def __init__(self, trials: int, flips: int, few: int = FEW) -> None:
        self.playouts, self._flips, self._few = trials, flips, few
        self._easy = SensibleBot()

    def answer(self, view: View, chooser: Chooser) -> Order:
        seen, urn = cast(SwordsView, view), Urn.of(chooser)
        easy = self._easy.answer(view, urn)
        if seen.question in _SETTINGS:
            return easy
        orders = candidates(seen, easy, self._few, urn)
        if len(orders) == 1:
            return easy
        trials = Trials(seen, urn.randrange(1 << 30), self._flips)
        best = halving(
            range(len(orders)), lambda number, place: trials.worth(number, orders[place], place), self.playouts
        )
        return orders[best]


def candidates(view: SwordsView, easy: Order, few: int, urn: Urn) -> Sequence[Order]:
    """Return the orders that are tried: the easy player's first, then others that are legal."""
    found = dict.fromkeys([easy])
    if view.question == "deploy":
        more: Iterator[Order] = iter(_deployments(view, few))
    elif view.question == "retreat":
        more = _retreats(view, cast(Retreat, easy), few, urn)
    else:
        options = GAME.options(view)
        count = options.count()
        more = iter(options) if count is not None and count <= few else (options.sample(urn) for _no in range(few))
    for order in more:
        if len(found) < few:
            found[order] = None
    return list(found)


def _deployments(view: SwordsView, few: int) -> list[Order]:
    """Return the deployments that seem best, a few of each region and special action."""
    now, at = Outlook(view), law.formation(view)
    promise, table, covered = Promise(now), now.table, now.table.boards[now.seat]
    rests: dict[tuple[str, int, int], tuple[int, shapes.Squares, shapes.Squares]] = {}
    for four in deploy_law.fours(table, at):
        kind = shapes.shape(four)
        there = deploy_law.left(table, at.seat, four)
        for pulled in combinations(there, deploy_law.must_pull(table, at.seat, four)):
            picts = sum(covered[square] == PICTS for square in pulled)
            rest = promise.of([square for square in covered if square not in pulled])
            key = kind, len(pulled), picts
            if key not in rests or rest > rests[key][0]:
                rests[key] = rest, four, pulled
    ranked: list[tuple[int, int, Order]] = []
    for (kind, cubes, picts), (rest, four, pulled) in rests.items():
        for region in deploy_law.goals(table, now.seat):
            for way in _ways(now, kind, region, cubes, picts):
                order = Deploy(squares=four, pulled=pulled, region=region, special=way.special)
                ranked.append((rest + way.gain, len(ranked), order))
    ranked.sort(key=lambda one: (-one[0], one[1]))
    return [order for _gain, _no, order in ranked[:few]]


def _retreats(view: SwordsView, easy: Retreat, few: int, urn: Urn) -> Iterator[Order]:
    """Go through retreats: all to one region with the easy player's bids or with none, and some by chance."""
    table, region = view.table, law.fight(view).region
    going = sum((way.troops for way in easy.ways), Troops())
    if going.total:
        for goal in table.ways(view.seat, region):
            ways = (RetreatTo(troops=going, region=goal),)
            yield easy.model_copy(update={"ways": ways})
            yield easy.model_copy(update={"ways": ways, "glory": ()})
    if easy.glory:
        yield easy.model_copy(update={"glory": ()})
    options = GAME.options(view)
    yield from (options.sample(urn) for _no in range(few // 2))
