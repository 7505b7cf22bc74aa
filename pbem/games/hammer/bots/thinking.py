"""The players who look ahead: for moves and in battles they try what comes to mind on the game in small, many times.

Each trial guesses what is hidden, makes the move, lets the enemy answer, fights the battles and goes through a winter, as if the
year ended there; candidates meet the same guesses and the same dice. Where they do not look ahead they answer as the sensible
player does. They see a view and nothing else, and what they leave to chance comes from their chooser.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import TypeVar

from pbem.games.bot import Bot
from pbem.games.searching import halving
from pbem.kernel import Chooser, Order, View

from .. import orders
from ..game import GAME
from ..rules import BLOCKS, ROSTER, SIDES, CombatTurn, card_value, combat_turn
from ..views import HammerView
from .fighting import places
from .foresight.combat import BattleMoment, fight_on
from .foresight.guessing import small
from .foresight.marches import Party, Planner, choose, march
from .foresight.model import SmallGame
from .foresight.numbers import AREA, AREA_NAMES, BLOCK, ENGLISH, way_of
from .foresight.turns import act, to_the_end
from .foresight.worth import CERTAIN, english_hope

C = TypeVar("C")
WORLDS = 24
"""So many guesses of what is hidden are made for one answer."""
WHIMS = (0.0, 0.3, 0.6, 0.9)
"""How much of a candidate is left to chance, in turn."""
FEWEST = 12
"""So many plans are looked for at least; one of eight trials pays for another."""


class ThinkingBot(Bot):
    """Looks ahead before moves and in battles; `moves` and `battles` are how often it tries for one answer."""

    def __init__(self, otherwise: Bot, moves: int, battles: int) -> None:
        self.otherwise, self.moves, self.battles = otherwise, moves, battles
        self.playouts = moves

    def answer(self, view: View, chooser: Chooser) -> Order:
        assert isinstance(view, HammerView)  # noqa: S101 - the view model of this game
        ask = view.ask or {}
        usual = self.otherwise.answer(view, chooser)
        if ask["what"] == "act" and card_value(ask["card"]):
            return _Thought(view, chooser).move(usual, self.moves)
        if ask["what"] == "battle action":
            return _Thought(view, chooser).battle(usual, self.battles)
        return usual


class _Thought:
    """What goes through a player's head before one answer."""

    def __init__(self, view: HammerView, chooser: Chooser) -> None:
        self.view, self.side = view, SIDES.index(view.seat)
        self.seed = chooser.randrange(1 << 30)
        self.worlds: list[SmallGame] = []

    def move(self, usual: Order, budget: int) -> Order:
        """Return the best move that comes to mind."""
        view, side, ask = self.view, self.side, self.view.ask or {}
        first = ask["player"] == 1
        theirs = view.cards[view.enemy].played[-1]

        def play(model: SmallGame, plan: tuple[Party, ...], dice: Random) -> None:
            march(model, side, plan, first)
            if first:
                act(model, 1 - side, theirs, first=False, dice=dice)

        self._guess()
        found = self._plans(usual, card_value(ask["card"]), first, max(FEWEST, budget // 8))
        return _order(self._best(found, play, budget))

    def _plans(self, usual: Order, moves: int, first: bool, most: int) -> list[tuple[Party, ...]]:
        """Return plans for so many Group Moves: the usual one, none, and what comes to mind, each a bit different."""
        dice = Random(self.seed + 1)  # noqa: S311 - a player's own thoughts
        found = dict.fromkeys((_parties(usual), ()))
        for n in range(most):
            world = self.worlds[n % len(self.worlds)]
            ideas = Planner(world, self.side, moves, not first).ideas()
            plan = tuple(choose(world, self.side, moves, ideas, dice, WHIMS[n % len(WHIMS)]))
            if plan not in found and GAME.why_not(self.view, _order(plan)) is None:
                found[plan] = None
        return list(found)

    def battle(self, usual: Order, budget: int) -> Order:
        """Return who fires and who goes, where there is a choice."""
        view, turn = self.view, combat_turn(self.view)
        if not turn.fire or not any(turn.exits.ways(name) for name in turn.blocks):
            return usual
        fight, area = view.fight, AREA[turn.area]
        at = BattleMoment(fight.round, fight.turn, frozenset(BLOCK[name] for name in fight.acted))

        def play(model: SmallGame, order: orders.BattleActions, dice: Random) -> None:
            for one in order.acts:
                if one.action == "RETREAT":
                    model.go(BLOCK[one.block], AREA[one.to])
            fight_on(model, area, dice, at)

        assert isinstance(usual, orders.BattleActions)  # noqa: S101 - the question takes no other
        found = {str(usual): usual}
        for order in _stands(view, turn):
            if str(order) not in found and GAME.why_not(view, order) is None:
                found[str(order)] = order
        if len(found) == 1:
            return usual
        self._guess()
        return self._best(list(found.values()), play, budget)

    def _guess(self) -> None:
        dice = Random(self.seed)  # noqa: S311 - a player's own thoughts
        self.worlds = [small(self.view, dice) for _ in range(WORLDS)]

    def _best(self, candidates: Sequence[C], play: Callable[[SmallGame, C, Random], None], budget: int) -> C:
        """Return the candidate after which the year ends best, for about so many trials."""

        def trial(number: int, candidate: C) -> int:
            model = self.worlds[number % len(self.worlds)].copy()
            dice = Random(self.seed * 1_000_003 + number)  # noqa: S311 - a player's own thoughts
            play(model, candidate, dice)
            if model.winner < 0:
                to_the_end(model, dice)
            hope = english_hope(model)
            return hope if self.side == ENGLISH else CERTAIN - hope

        return halving(candidates, trial, budget)


def _stands(view: HammerView, turn: CombatTurn) -> Iterator[orders.BattleActions]:
    """Go through who might go: nobody, all but who defends his home, all, each alone."""
    to = {place.block: place.to for place in places(view, turn.area, turn.exits, turn.blocks)}
    others = [name for name in turn.blocks if turn.area not in BLOCKS[name].homes]
    for going in ([], others, turn.blocks, *([name] for name in turn.blocks)):
        leaving = [name for name in turn.blocks if name in going and name in to]
        staying = [orders.Act(block=name, action="FIRE") for name in turn.blocks if name not in leaving]
        acts = [*staying, *(orders.Act(block=name, action="RETREAT", to=to[name]) for name in leaving)]
        yield orders.BattleActions(area=turn.area, acts=tuple(acts))


def _order(plan: tuple[Party, ...]) -> Order:
    """Return a plan as an order."""
    return orders.Move(marches=tuple(map(_march, plan))) if plan else orders.Pass()


def _march(party: Party) -> orders.March:
    blocks = tuple(sorted((ROSTER[b] for b in party.blocks), key=ROSTER.index))
    if party.way is None:
        return orders.March(start="", blocks=blocks, route=(AREA_NAMES[party.end],))
    route = tuple(AREA_NAMES[area] for area in party.way.route)
    return orders.March(start=AREA_NAMES[party.start], blocks=blocks, route=route)


def _parties(order: Order) -> tuple[Party, ...]:
    """Return an order as a plan; a rally, of which the game in small knows nothing, is no plan."""
    if not isinstance(order, orders.Move) or any(one.rally for one in order.marches):
        return ()
    return tuple(map(_party, order.marches))


def _party(one: orders.March) -> Party:
    blocks, route = tuple(BLOCK[name] for name in one.blocks), tuple(AREA[name] for name in one.route)
    if not one.start:
        return Party(blocks, -1, route[-1], None)
    return Party(blocks, AREA[one.start], route[-1], way_of(AREA[one.start], route))
