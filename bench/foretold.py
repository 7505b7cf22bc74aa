"""What trials of Hammer's players who look ahead foretell of a turn, and what came: where guesses and the game in small are wrong.

    python -m bench.foretold [--games 4] [--bots hard sensible] [--side english] [--seed x] [--trials 40]

Games between two players, the first of them on the side named. Each of his moves is tried so many times as he gave it, and what
the position is then thought to be is held against what it is when the turn is over. A line for each thing that is seen of a
position (`foresight.features`), and for the hope of the English in hundredths of a game: as it is and as it is guessed before the
move, as it is foretold and as it came, on average over all moves; a star where that differs by more than a tenth. Moves of the
last year, which the count may end, are left out.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from statistics import fmean

from pbem.engine.luck import PairLuck
from pbem.games import find
from pbem.games.bot import Bot
from pbem.games.hammer.bots.foresight.features import NAMES, features
from pbem.games.hammer.bots.foresight.guessing import whole
from pbem.games.hammer.bots.foresight.model import SmallGame
from pbem.games.hammer.bots.foresight.outlook import hope
from pbem.games.hammer.bots.foresight.rest import DOING, end_turn
from pbem.games.hammer.bots.foresight.turns import act
from pbem.games.hammer.bots.foresight.worth import CERTAIN
from pbem.games.hammer.bots.tried.moves import Moving, parties
from pbem.games.hammer.bots.tried.trials import Trials
from pbem.games.hammer.rules import SIDES, card_value
from pbem.games.hammer.views import HammerView
from pbem.kernel import Ask, End, Order

MUCH = 0.1

Seen = list[float]


def seen(model: SmallGame) -> Seen:
    """Return the hope of the English and all that is seen of a position."""
    return [100 * hope(model) / CERTAIN, *map(float, features(model))]


def foretold(view: HammerView, order: Order, times: int) -> tuple[Seen, Seen]:
    """Return what a position is guessed to be, and what it is thought to become by a move, on average."""
    trials = Trials(view, random.Random(0))
    moving, plan = Moving(trials), parties(order)
    before, after = list[Seen](), list[Seen]()
    for number in range(times):
        model, dice = trials.world(number).copy(), partial(trials.dice, number)
        before.append(seen(model))
        doing = dice(DOING)
        for one in moving.play(model, plan, doing):
            act(model, one.side, one.card, one.first, doing, one.whim)
        end_turn(model, dice)
        if model.winner < 0:
            after.append(seen(model))
    return mean(before), mean(after or before)


def mean(rows: Sequence[Seen]) -> Seen:
    """Return the average of rows, column by column."""
    return [fmean(column) for column in zip(*rows, strict=True)]


def moves(players: Mapping[str, Bot], side: str, seed: str, times: int) -> Iterator[tuple[Seen, Seen, Seen, Seen]]:
    """Play a game; go through the moves of a side: the position, as it was guessed, as it was foretold, and as it came."""
    pack, chance = find("hammer"), random.Random(seed)
    luck, stop = PairLuck(seed, 1), pack.rules.start(pack.ending(pack.complete({})))
    now, waiting, last = Seen(), list[tuple[Seen, Seen, Seen]](), False
    while not isinstance(stop.wants, End):
        if not isinstance(stop.wants, Ask):
            stop = pack.rules.step(stop.state, luck.outcome(stop.wants))
            continue
        views = {seat: pack.rules.read_view(pack.rules.view(stop.state, seat)) for seat in stop.wants.seats}
        given = {seat: players[seat].answer(view, chance) for seat, view in views.items()}
        if stop.wants.what == "card" and len(views) == len(SIDES):
            model = whole([view for one in SIDES if isinstance(view := views[one], HammerView)])
            now = seen(model)
            yield from ((*before, now) for before in waiting)
            waiting.clear()
            last = model.year == model.last
        mine = views.get(side)
        if isinstance(mine, HammerView) and not last and (card := (mine.ask or {}).get("card")) and card_value(card):
            waiting.append((now, *foretold(mine, given[side], times)))
        stop = pack.rules.step(stop.state, given)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument("--bots", nargs=2, default=["hard", "sensible"])
    parser.add_argument("--side", choices=SIDES, default=SIDES[0])
    parser.add_argument("--seed", default="x")
    parser.add_argument("--trials", type=int, default=40)
    said = parser.parse_args()
    other = next(one for one in SIDES if one != said.side)
    players = {seat: find("hammer").bots[bot]() for seat, bot in zip((said.side, other), said.bots, strict=True)}
    found = [
        row for number in range(said.games) for row in moves(players, said.side, f"{said.seed} {number}", said.trials)
    ]
    print(
        f"{len(found)} moves of {said.bots[0]} as the {said.side} against {said.bots[1]}, {said.games} games, seed {said.seed}"
    )
    print(f"{'':24}{'is':>8}{'guessed':>9}{'foretold':>9}{'came':>8}")
    for name, *four in zip(("hope", *NAMES), *(mean(column) for column in zip(*found, strict=True)), strict=True):
        true, guessed, thought, came = four
        wrong = any(abs(a - b) > MUCH * max(abs(b), MUCH) for a, b in ((guessed, true), (thought, came)))
        print(f"{name:24}{true:8.2f}{guessed:9.2f}{thought:9.2f}{came:8.2f}{'  *' if wrong else ''}".rstrip())


if __name__ == "__main__":
    main()
