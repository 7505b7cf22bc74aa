"""The use of a Move card: whole moves are tried, and the best of them is changed as long as that improves it."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.kernel import Order

from ... import orders
from ...rules import ROSTER, card_value
from ...views import HammerView
from ..adding import added
from ..foresight.combat import power
from ..foresight.marches import Idea, Party, Planner, choose, march
from ..foresight.model import SmallGame
from ..foresight.numbers import AREA, AREA_NAMES, BLOCK, EDWARD, ENGLAND, ENGLISH, SCOTS, Dice, way_of
from ..foresight.rest import Act
from ..foresight.worth import CERTAIN
from .trials import Trials

Moves = tuple[Party, ...]
LOOKS = 8
"""The number of guesses in which ideas are sought."""
WHIMS = (0.0, 0.2, 0.4, 0.7, 1.0)
"""How much of a whole move is left to chance, in turn."""
FEWEST, MOST, A_MOVE = 12, 30, 12
"""The minimum and maximum number of whole moves; the trials that pay for another. More moves would leave fewer trials for each."""
REPLIES = 4
"""How many replies of the enemy are tried on the last turn of a year, when nobody moves after him: the best of them counts."""
ROUNDS, CHANGES, LOOKS_FOR_A_CHANGE = 3, 12, 30
"""How often the best move is changed, in how many ways, and the number of attempts to find them."""

COMPANIONS = 2
"""The fewest blocks beside Edward wherever he goes in Scotland."""
SHARE = 0.7
"""The greatest power of those he attacks, as a share of that of his group."""


class Moving:
    """What may be done with the Move card that is asked about: whole moves that come to mind, and how one is tried."""

    def __init__(self, trials: Trials) -> None:
        self.trials, view, ask = trials, trials.view, trials.view.ask or {}
        self.first = ask["player"] == 1
        self.theirs = view.cards[view.enemy].played[-1]
        self.moves = card_value(ask["card"])
        self.dice = trials.dice(-1)
        self.looks = [trials.world(n) for n in range(LOOKS)]
        self.ideas = [Planner(world, trials.side, self.moves, not self.first).ideas() for world in self.looks]

    def thought_of(self, usual: Order, most: int) -> list[Moves]:
        """Return the sensible player's move, no move, and the legal ones of `most` ideas, each once."""
        found: dict[Moves, None] = dict.fromkeys(plan for plan in (parties(usual), ()) if not self.rash(plan))
        for n in range(most):
            look, whim = n % LOOKS, WHIMS[n % len(WHIMS)]
            plan = tuple(choose(self.looks[look], self.trials.side, self.moves, self.ideas[look], self.dice, whim))
            if plan not in found and not self.rash(plan) and self.trials.legal(order(plan, self.trials.view)):
                found[plan] = None
        return list(found)

    def rash(self, plan: Moves) -> bool:
        return rash(self.looks, self.trials.side, plan)

    def changes(self, best: Moves) -> list[Moves]:
        """Return a move, and some that differ from it in an idea more, one less, or one for another."""
        found = {best: None}
        for _ in range(LOOKS_FOR_A_CHANGE):
            if len(found) > CHANGES:
                break
            plan = _changed(best, self.ideas[drawn(self.dice, len(self.ideas))], self.dice)
            if plan not in found and not self.rash(plan) and self.trials.legal(order(plan, self.trials.view)):
                found[plan] = None
        return list(found)

    def play(self, model: SmallGame, plan: Moves, _dice: Dice) -> Sequence[Act]:
        """Make a move on the game in small, and let the enemy answer if he moves after it."""
        march(model, self.trials.side, plan, self.first)
        tries = 1 if model.left else REPLIES
        return [Act(1 - self.trials.side, self.theirs, first=False, tries=tries)] if self.first else ()


def best_move(trials: Trials, usual: Order, budget: int) -> Order:
    """Return the best move found, half of the trials spent on the first ones, half on changes."""
    moving = Moving(trials)
    first_ones = moving.thought_of(usual, max(FEWEST, min(MOST, budget // A_MOVE)))
    best = trials.best(first_ones, moving.play, budget // 2, idle)
    for _round in range(ROUNDS):
        best = trials.best(moving.changes(best), moving.play, budget // 2 // ROUNDS, idle)
    return order(best, trials.view)


def rash(looks: Sequence[SmallGame], side: int, plan: Sequence[Party]) -> bool:
    """Return whether a plan is rash with Edward; `looks` are guesses of what is hidden.

    He is safe in England. In Scotland he goes nowhere without `COMPANIONS`, and they don't leave him. With one or more of them he
    attacks those who are weaker than `SHARE` of his group. Edward II attacks nobody, as his death loses the game (9.1).
    """
    model, goes = looks[0], {b: party.end for party in plan for b in party.blocks}
    to = goes.get(EDWARD, at := model.at[EDWARD])
    left = any(goes.get(b, to) != to for b in model.men[ENGLISH][at])
    if side != ENGLISH or to <= ENGLAND or (EDWARD not in goes and not left):
        return False
    group = [b for men in model.men[ENGLISH] for b in men if goes.get(b, model.at[b]) == to]
    theirs = added(power(look, look.men[SCOTS][to], to) for look in looks) / len(looks)
    fights = EDWARD in goes and theirs > 0.0
    return len(group) <= COMPANIONS - fights or (fights and (model.edward > 1 or theirs > SHARE * power(model, group)))


def drawn(dice: Dice, stop: int) -> int:
    """Return a whole number below `stop`."""
    return int(dice.random() * stop)


def idle(plan: Moves) -> int:
    """Return what a plan has to gain at least: of two that come to the same, the one with fewer moves is better."""
    return -CERTAIN // 1000 * len(plan)


def _changed(plan: Moves, ideas: Sequence[Idea], dice: Dice) -> Moves:
    left = list(plan)
    if left and dice.random() < 0.6:
        left.pop(drawn(dice, len(left)))
    if not ideas or dice.random() < 0.2:
        return tuple(left)
    idea = ideas[drawn(dice, len(ideas))]
    moving = {b for party in idea.parties for b in party.blocks}
    return (*(party for party in left if not moving & set(party.blocks)), *idea.parties)


def order(plan: Moves, view: HammerView) -> Order:
    """Return a plan as an order. Of several parties that attack one area, the first is declared the main attack, as in trials."""
    alone = {AREA[area] for area, counts in view.occupancy.items() if counts[view.enemy] and not counts[view.seat]}
    main = {party.end: party for party in reversed(plan) if party.end in alone}
    shared = {p.end for p in plan if p.end in main and (p.start, p.via) != (main[p.end].start, main[p.end].via)}
    marches = tuple(_march(p, p.end in shared and main[p.end] is p) for p in plan)
    return orders.Move(marches=marches) if plan else orders.Pass()


def _march(party: Party, main: bool) -> orders.March:
    blocks = tuple(sorted((ROSTER[b] for b in party.blocks), key=ROSTER.index))
    areas = (party.start, *party.way.route) if party.way else (-1, party.end)
    start, *route = (AREA_NAMES[area] if area >= 0 else "" for area in areas)
    return orders.March(start=start, blocks=blocks, route=tuple(route), main=main)


def parties(order: Order) -> Moves:
    """Return an order as a plan, main attacks first. A rally is left out: the small model does not know it."""
    if not isinstance(order, orders.Move) or any(one.rally for one in order.marches):
        return ()
    return tuple(_party(one) for one in sorted(order.marches, key=lambda one: not one.main))


def _party(one: orders.March) -> Party:
    blocks, route = tuple(BLOCK[name] for name in one.blocks), tuple(AREA[name] for name in one.route)
    start = AREA[one.start] if one.start else -1
    return Party(blocks, start, route[-1], way_of(start, route) if one.start else None)
