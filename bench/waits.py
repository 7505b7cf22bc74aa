"""How often a game waits for people, without plans, asked when it matters, with plans everywhere, and with acts sent ahead as well.

A hand-over is a wait for a person on the critical path: a question that stands open, whether one seat is asked or all. A mail is an
order to the host or a report or receipt to a player. The dice are the same in every mode as long as the players are.

Two hundred games in each mode, as `make bench` plays them, take a quarter of an hour on two processors; `--games 12` a minute.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

from bench.games import chosen
from pbem.errors import OrderError
from pbem.games import find
from pbem.kernel import Draw, Outcome, next_marks, read_ahead
from pbem.ledger import REACH
from pbem.referee import Answer, AnswersDue, AskDue, EndDue, RandDue, Referee, TellDue

MODES = ("no plans", "when it matters", "  acts ahead", "plans everywhere", "  and acts ahead")
"""Acts ahead: as in the line above, and what Player 1 does with his card is sent ahead with the card."""
AHEAD = (MODES[2], MODES[4])
MEDIAN = {"when it matters": 5.0, "plans everywhere": 3.5}
NINETIETH = {"plans everywhere": 6.0}


@dataclass(slots=True)
class Waits:
    """What one game cost: hand-overs of each game turn (its winter with it), mails, battles, winters."""

    turns: list[int] = field(default_factory=list)
    mails: int = 0
    battles: int = 0
    in_battle: int = 0
    winters: int = 0
    in_winter: int = 0


def count(game: str, options: Mapping[str, str], mode: str, seed: int) -> Waits:
    """Play one game of the planning players in one mode."""
    pack = find(game)
    referee = Referee.start(pack.rules, pack.complete(options))
    bots = {seat: pack.bots["planning"]() for seat in referee.seats}
    whims = {seat: random.Random(f"{seed} {seat}") for seat in referee.seats}
    kept: dict[str, str] = {}
    found, n = Waits(), 0
    while not isinstance(due := referee.due(), EndDue):
        n += 1
        match due:
            case RandDue(chance, index):
                dice = random.Random(f"{seed} {chance.label} {index}")
                referee.rolled(_outcome(chance.requests, dice), n)
            case TellDue(facts):
                found.battles += sum(fact["f"] == "battle" for fact in facts[""])
                found.winters += sum(fact["f"] == "year ends" for fact in facts[""])
                referee.told()
            case AskDue(_, what):
                found.turns += [0] if what == "card" else []
                referee.asked(n)
            case AnswersDue(_, to):
                given = _sent_ahead(referee, to, kept)
                if asked := [seat for seat in to if seat not in given]:
                    found.turns[-1] += 1
                    found.mails += 3 * len(asked) - 1  # a report and an order each; all but the last get a receipt
                    found.in_battle += what in ("battle action", "hits", "retreats", "regroup")
                    found.in_winter += what in ("home", "disband", "build")
                for seat in asked:
                    view = referee.view(seat)
                    said = "" if mode == MODES[0] else bots[seat].plans(view)
                    asking = "ASK WHEN IT MATTERS\n" if mode in MODES[1:3] else ""
                    order = bots[seat].answer(view, whims[seat])
                    given[seat] = referee.read(seat, str(order), asking + said)
                    if mode in AHEAD and (lines := bots[seat].ahead(view, order)):
                        marks = next_marks(pack.rules, referee.marks[seat], what, REACH)
                        (kept[seat],) = read_ahead(pack.rules, view, marks, lines).values()
                        found.mails += 1  # the host's receipt for it
                referee.answered(given)
    return found


def _sent_ahead(referee: Referee, to: Sequence[str], kept: dict[str, str]) -> dict[str, Answer]:
    """What the seats have sent ahead, where it answers the open question; it is used up when it could have been used."""
    found = {}
    for seat in to:
        if referee.open_mark is not None and (text := kept.pop(seat, "")):
            with suppress(OrderError):
                found[seat] = referee.ahead(seat, text, referee.plans[seat])
    return found


def _outcome(requests: Sequence[object], dice: random.Random) -> Outcome:
    return tuple(
        tuple(dice.sample(r.of, r.n)) if isinstance(r, Draw) else tuple(dice.randrange(r.sides) + 1 for _ in range(r.n))  # type: ignore[attr-defined]
        for r in requests
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.waits", description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--game", default="hammer")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    args = parser.parse_args()
    print(f"Waits of {args.games} games of the planning players, in {len(MODES)} modes")
    print(f"  {'':<18}{'mails':>25}{'hand-overs a game turn':>36}{'hand-overs':>12}")
    mails = f"{'a game':>8}{'a turn':>8}{'a battle':>9}"
    print(f"  {'':<18}{mails}{'median':>10}{'aim':>6}{'90th':>8}{'aim':>6}{'a battle':>9}{'a winter':>9}")
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for mode in MODES:
            games = list(
                pool.map(partial(count, args.game, chosen(args.option), mode), range(1, args.games + 1), chunksize=4)
            )
            turns = sorted(n for game in games for n in game.turns)
            battles = sum(game.battles for game in games) or 1
            winters = sum(game.winters for game in games) or 1
            aims = [f"{aim[mode]:.1f}" if mode in aim else "" for aim in (MEDIAN, NINETIETH)]
            print(
                f"  {mode:<18}{statistics.median(game.mails for game in games):>8.0f}"
                f"{sum(game.mails for game in games) / len(turns):>8.1f}"
                f"{2 * sum(game.in_battle for game in games) / battles:>9.1f}"
                f"{statistics.median(turns):>10.1f}{aims[0]:>6}{turns[int(0.9 * len(turns))]:>8}{aims[1]:>6}"
                f"{sum(game.in_battle for game in games) / battles:>9.2f}"
                f"{sum(game.in_winter for game in games) / winters:>9.2f}"
            )


if __name__ == "__main__":
    main()
