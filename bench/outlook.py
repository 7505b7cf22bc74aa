"""What was to be seen before each turn of whole games, and who won: what the weights of Hammer's outlook are found from.

    python -m bench.outlook --games 200 --bots sensible normal --seed x > rows.jsonl

Whole games by the rules alone; each side is played by one of the players named, by lot. A line of JSON for each game turn: the
game's number, the features (as `foresight.features` names them), the turns and years still to come, and 1 where the English won
that game. `bench.weights` fits weights from such rows.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Mapping

from bench.games import chosen
from pbem.engine.luck import PairLuck
from pbem.games import find
from pbem.games.hammer.bots.foresight.features import NAMES, features
from pbem.games.hammer.bots.foresight.guessing import whole
from pbem.games.hammer.rules import ENGLISH, SIDES
from pbem.games.hammer.views import HammerView
from pbem.kernel import Ask, End, Json


def rows(options: Mapping[str, str], bots: list[str], seed: str) -> Iterator[Json]:
    """Play a game; go through its rows when it is over."""
    pack, chance = find("hammer"), random.Random(seed)
    players = {side: pack.bots[chance.choice(bots)]() for side in SIDES}
    luck, stop = PairLuck(seed, 1), pack.rules.start(pack.ending(pack.complete(options)))
    found = list[Json]()
    while not isinstance(stop.wants, End):
        if not isinstance(stop.wants, Ask):
            stop = pack.rules.step(stop.state, luck.outcome(stop.wants))
            continue
        views = {side: pack.rules.read_view(pack.rules.view(stop.state, side)) for side in stop.wants.seats}
        if stop.wants.what == "card" and len(views) == len(SIDES):
            found.append(_seen([view for side in SIDES if isinstance(view := views[side], HammerView)]))
        stop = pack.rules.step(stop.state, {side: players[side].answer(view, chance) for side, view in views.items()})
    won = int(stop.wants.result["winner"] == ENGLISH)
    yield from ({**row, "won": won} for row in found)


def _seen(views: list[HammerView]) -> dict[str, Json]:
    model = whole(views)
    seen = dict(zip(NAMES, map(float, features(model)), strict=True))
    return {"features": seen, "turns": model.left, "years": model.last - model.year}


def main() -> None:
    """Play them, and print the rows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--bots", nargs="+", default=["sensible"])
    parser.add_argument("--seed", default="x")
    said = parser.parse_args()
    for number in range(said.games):
        for row in rows(chosen(said.option), said.bots, f"{said.seed} {number}"):
            print(json.dumps({"game": number, **row}))


if __name__ == "__main__":
    main()
