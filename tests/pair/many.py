"""Many whole games of two, each held against the hosted one: `PYTHONPATH=examples python -m tests.pair.many --games 200`.

Scenarios, editions and options of Hammer by turns, Swords, Tiny and the bids between them; by random and built-in players. In every
second game of Hammer both pledge plans for battles. Prints
a line for each, and ends with 1 if one is not what it should be.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from itertools import cycle, islice

from pbem.games import GamePack
from pbem.games.hammer.rules.variants import OPTIONS
from pbem.kernel import Json
from pbem.ledger import Verdict
from pbem.referee.pair import audit_pair

from .hosted import TINY, Watched, equal_to_hosted, find

_ALL: dict[str, Json] = dict.fromkeys(OPTIONS, True)
HAMMER: tuple[dict[str, Json], ...] = (
    {}, {"scenario": "bruce"}, {"edition": "2.3"}, {"scenario": "campaign", "years": 6}, _ALL,
    {"scenario": "bruce", "edition": "2.3"}, {"scenario": "bruce", **_ALL},
    *({name: True} for name in OPTIONS),
)  # fmt: skip
PLAYERS: tuple[dict[int, str], ...] = ({}, {0: "sensible", 1: "sensible"}, {0: "sensible"}, {1: "sensible"})


def games() -> Iterator[tuple[GamePack, dict[str, Json]]]:
    """Go through games and options for ever: of every five three are Hammer."""
    hammer, swords, bids = (
        cycle(HAMMER),
        (find("swords"), {"players": 2}),
        (find("tournament"), {"players": ["ann", "bob"]}),
    )
    others: Iterator[tuple[GamePack, dict[str, Json]]] = cycle(
        [swords, (TINY, {"players": 2, "turns": 4}), bids, (TINY, {"players": 2, "turns": 8}), swords]
    )
    while True:
        yield find("hammer"), next(hammer)
        yield next(others)
        yield find("hammer"), next(hammer)
        yield find("hammer"), next(hammer)
        yield next(others)


def judged(couple: Watched) -> Verdict:
    return audit_pair(couple.dump(), lambda _rules: couple.pack.knowing)


def main() -> int:
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("--games", type=int, default=200)
    ask.add_argument("--first", type=int, default=0, help="begin with this one")
    ask.add_argument("--audit-every", type=int, default=5)
    ask.add_argument(
        "--only", default="", help="the ids of the games that are played, parted by commas; all if it is empty"
    )
    said = ask.parse_args()
    bad = steps = played = 0
    chosen = list(islice(games(), said.first, said.first + said.games))
    for i, (pack, options) in enumerate(chosen, said.first):
        if said.only and pack.rules.id not in said.only.split(","):
            continue
        began, played = time.process_time(), played + 1
        try:
            couple = Watched(pack, options, f"many {i}", PLAYERS[(i // 5) % len(PLAYERS)])
            if pack.rules.id == "hammer" and i % 2:
                couple.pledge(i // 2)
            assert couple.play(couple.answer), "it does not end"
            taken = equal_to_hosted(couple)
            steps += taken
            if i % said.audit_every == 0:
                verdict = judged(couple)
                assert verdict.verdict == "clean", verdict
            told = f"{taken} steps, {couple.decisions} decisions, {couple.mails} mails"
        except Exception as why:  # noqa: BLE001 - all are counted
            bad += 1
            told = f"NOT EQUAL: {type(why).__name__}: {why}"[:300]
        print(f"{i} {pack.rules.id} {options}: {told}, {time.process_time() - began:.1f} s", flush=True)
    print(f"{played} games, {steps} steps, {bad} not equal")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
