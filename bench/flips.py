"""How often a flip of Swords Over Scotland waits for people, without plans and with them (`make bench`).

A hand-over is a wait for somebody: a question that stands open, whether one seat is asked or all. With plans everybody sends with a
placing the deployment that he would make then, and standing lines for the rest; without them every question is put.
"""

from __future__ import annotations

import argparse
import random
from statistics import fmean, median

from pbem.games.bot import Bot
from pbem.games.swords.bots import BOTS
from pbem.games.swords.game import GAME
from pbem.games.swords.orders import Place
from pbem.games.swords.rules import shapes
from pbem.games.swords.rules.flip import Deploying
from pbem.games.swords.rules.placing_law import taken
from pbem.games.swords.rules.war import State
from pbem.games.swords.views import SwordsView
from pbem.kernel import Ask, Chance, End, Order
from tests.conformance import outcome

MOST = 2.5
"""So many hand-overs may a flip cost in the median, with plans."""

_STANDING = """KILL ANY
RETREAT ANY
GLORY 1 {card}
HEAL YES
SWORD NO
MERCHANT STAY
NEXT ANY
CARDINAL STAY
WALL STAY
TAPESTRY STAY"""


def _plans_of(view: SwordsView, order: Order, bot: Bot, rng: random.Random) -> str:
    """The plans that somebody sends with a placing: the deployment that he would make then, and standing ones."""
    standing = _STANDING.format(card=next(iter(view.table.glory)))
    if not isinstance(order, Place):
        return standing
    table = taken(view.table, view.seat, order.source, pict=order.pict).cover(view.seat, order.square, view.seat)
    group = shapes.group(table.boards[view.seat], order.square)
    if len(group) < shapes.FOUR:
        return standing
    then = State(table, (Deploying("ask", view.seat, order.square, group),))
    return f"{standing}\n{bot.answer(GAME.read_view(GAME.view(then, view.seat)), rng)}\nDEPLOY ANY TO ANY"


def hand_overs(players: int, seed: int, *, planning: bool) -> list[int]:
    """How often a flip waits for somebody, flip by flip, among sensible players."""
    rng, bot = random.Random(seed), BOTS["sensible"]()
    stop, plans, counted = GAME.start({"players": players}), dict.fromkeys(GAME.seats({"players": players}), ""), [0]
    while not isinstance(wants := stop.wants, End):
        if isinstance(wants, Chance):
            stop = GAME.step(stop.state, outcome(wants, rng))
            continue
        assert isinstance(wants, Ask)
        given, waits = {}, False
        for seat in wants.seats:
            view = GAME.read_view(GAME.view(stop.state, seat))
            assert isinstance(view, SwordsView)
            found = GAME.planned(view, plans[seat]) if not wants.mark else None
            given[seat] = found.order if found else bot.answer(view, rng)
            if not found:
                waits, plans[seat] = True, GAME.read_plans(_plans_of(view, given[seat], bot, rng)) if planning else ""
        if wants.mark:
            counted.append(0)
        counted[-1] += waits
        stop = GAME.step(stop.state, given)
    return counted[1:]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.flips", description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--games", type=int, default=6, help="of each number of players")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    print(f"Hand-overs a flip of Swords Over Scotland ({args.games} games of the sensible players each)")
    for players in (2, 3, 4):
        for planning in (False, True):
            games = [hand_overs(players, seed, planning=planning) for seed in range(args.seed, args.seed + args.games)]
            flips = [waits for game in games for waits in game]
            aim = f"at most {MOST}" + ("   kept" if median(flips) <= MOST else "   MISSED") if planning else ""
            said = f"{players} players, {'plans' if planning else 'no plans'}"
            print(f"  {said:<24} median {median(flips):>4.1f}, mean {fmean(flips):>4.2f}   {aim}".rstrip())


if __name__ == "__main__":
    main()
