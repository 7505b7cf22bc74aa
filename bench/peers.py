"""Whole games without a host beside the same games with one: is each seat shown the same, and what does it take?

    python -m bench.peers hammer [--games 20] [--player sensible] [--seed 1] [--option scenario=bruce rally=true]

Games are played by the rules alone, by players at random or a built-in one; then one peer a seat, who has its own view and nothing
else (`pbem.referee.peer`), goes through them, and at every step facts and views of all are compared. It stops at the first that
differ. The floor is a replay of the same games that makes all views; what the peers take holds the comparing, too.
"""

from __future__ import annotations

import argparse
import random
from time import process_time
from typing import Any

from bench.games import chosen
from pbem.games import GamePack, find
from pbem.kernel import Ask, End, Json
from tests.conformance.peers import steps_together
from tests.conformance.playing import Given, Record, outcome, play


def _played(pack: GamePack, options: Json, seed: int, player: str) -> Record:
    """Play a game, all seats at random or all by one built-in player."""
    if player == "random":
        return play(pack.rules, options, seed)
    rules, chance, bot = pack.rules, random.Random(seed), pack.bots[player]()
    stops, givens = [rules.start(options)], list[Given]()
    while not isinstance(wanted := stops[-1].wants, End):
        if isinstance(wanted, Ask):
            views = {seat: rules.read_view(rules.view(stops[-1].state, seat)) for seat in wanted.seats}
            givens.append({seat: bot.answer(view, chance) for seat, view in views.items()})
        else:
            givens.append(outcome(wanted, chance))
        stops.append(rules.step(stops[-1].state, givens[-1]))
    return Record(rules, options, seed, rules.seats(options), tuple(stops), tuple(givens))


def _replay(record: Record) -> None:
    rules, stop = record.game, record.stops[0]
    for given in record.givens:
        stop = rules.step(stop.state, given)
        for seat in (None, *record.seats):
            rules.view(stop.state, seat)


def _spent(what: Any, *given: Any) -> tuple[Any, float]:
    began = process_time()
    return what(*given), process_time() - began


def main() -> None:
    """Play them, go through them, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--player", default="random")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    said = parser.parse_args()
    pack = find(said.game)
    if pack.knowing is None:
        parser.error(f"{pack.rules.title} is played with a host")
    options = pack.ending(chosen(said.option))
    steps, answers, peers, floor = 0, 0, 0.0, 0.0
    for seed in range(said.seed, said.seed + said.games):
        record = _played(pack, options, seed, said.player)
        made, spent = _spent(steps_together, pack.knowing, record)
        _nothing, least = _spent(_replay, record)
        steps, answers, peers, floor = steps + made, answers + len(record.givens), peers + spent, floor + least
    print(
        f"{pack.rules.title}, {said.games} games, {said.player}: all seats were shown at each of {steps} steps what a host shows"
    )
    print(
        f"{1000 * peers / steps:.1f} ms a step for all peers, {peers / floor:.1f} times a replay with all views, {answers} answers"
    )


if __name__ == "__main__":
    main()
