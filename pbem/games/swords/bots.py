"""Built-in players of Swords Over Scotland. They see a view, as a player does, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import cast

from pbem.games.bot import Bot, RandomBot
from pbem.kernel import Chooser, Order, View

from . import law
from .game import GAME
from .orders import Bid, Commit, Cube, Deploy, Place, Retreat
from .rules import deploy_law, shapes
from .rules.board import Board
from .views import SwordsView

LOOKED_AT = 600
"""So many deployments are compared."""


class SensibleBot(Bot):
    """Gathers cubes side by side, deploys where a region is won by it, commits about what its rivals can, bids for glory."""

    def answer(self, view: View, chooser: Chooser) -> Order:
        seen = cast(SwordsView, view)
        match seen.question:
            case "setup":
                return max(GAME.options(seen), key=lambda order: _standing(_with(seen, order), seen.seat))
            case "place":
                return max(GAME.options(seen), key=lambda order: _gathered(seen, order))
            case "deploy":
                return max(
                    islice(deploy_law.deployments(seen.table, law.formation(seen)), LOOKED_AT),
                    key=lambda o: _gain(seen, o),
                )
            case "commit":
                return _commit(seen, chooser)
            case "retreat":
                return _retreat(seen)
            case "druid":
                return GAME.default(seen)
        return GAME.options(seen).sample(chooser)


def _with(view: SwordsView, order: Order) -> Board:
    return view.table.change(cast(Cube, order).region, view.seat, 1)


def _standing(table: Board, seat: str) -> int:
    """Return what the regions would score now for a seat, less a half of what they would for the best of the others."""
    points = dict.fromkeys(table.seats, 0)
    for region in table.parts.names:
        strength = table.strength(region)
        if winner := table.most(strength).seat:
            points[winner] += 2 * table.tokens[region] + (table.most(strength).how == "most")
    others = max(n for other, n in points.items() if other != seat)
    return 2 * points[seat] - others + len(table.presence(seat))


def _gathered(view: SwordsView, order: Order) -> int:
    """Return how large the group is that a placing makes; from the supply rather than from the board."""
    if not isinstance(order, Place):
        return 0
    covered = {**view.table.boards[view.seat], order.square: view.seat}
    lost = 0
    if order.source in view.table.parts.names:
        after = view.table.change(order.source, "picts" if order.pict else view.seat, -1)
        lost = _standing(view.table, view.seat) - _standing(after, view.seat)
    return 10 * len(shapes.group(covered, order.square)) - lost


def _gain(view: SwordsView, order: Deploy) -> int:
    table = deploy_law.pulled_to(view.table, view.seat, order.pulled, order.region)
    if order.special:
        table = deploy_law.acted(table, view.seat, order.region, order.special)
    castles = sum(colour == view.seat for colour in table.castles.values())
    return 3 * _standing(table, view.seat) + 5 * castles + sum(table.count(n, view.seat) for n in table.parts.names)


def _commit(view: SwordsView, chooser: Chooser) -> Order:
    """Commit one more than the strongest rival is likely to, where that can be; a little by chance, so that it is not known."""
    fight, table = law.fight(view), view.table
    legal = [cast(Commit, order) for order in GAME.options(view)]
    shown = [troops.total for seat, troops in fight.fallen.items() if seat != view.seat]
    rivals = [table.troops(seat, fight.region).total for seat in fight.present(table) if seat != view.seat]
    wanted = max(shown) + 1 if shown else (max(rivals) + 1) // 2 + chooser.randrange(3)
    enough = [order for order in legal if order.troops.total >= wanted]
    return min(enough, key=lambda order: order.troops.total) if enough else legal[0]


def _retreat(view: SwordsView) -> Order:
    """Retreat as the silent do, and bid for a glory card that this wins."""
    order = cast(Retreat, GAME.default(view))
    cubes = law.fallen(view).own - int(order.heal == "YES")
    for card, bids in view.table.glory.items():
        needed = max((n for seat, n in bids.items() if seat != view.seat), default=0) + 1 - bids.get(view.seat, 0)
        if 0 < needed <= cubes:
            return order.model_copy(update={"glory": (Bid(cubes=needed, card=card),)})
    return order


BOTS: dict[str, Callable[[], Bot]] = {"random": lambda: RandomBot(GAME), "sensible": SensibleBot}
