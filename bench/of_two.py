"""What a game of two without a host takes: mails, waits for people, time to answer, the audit.

    python -m bench.of_two [--games 8] [--game hammer]

The built-in planning players play whole games through both programs, by nothing but signed turns. Plans and orders ahead are each
player's own affair here, as no program makes them yet: he is not asked where they answer; the other hears of it by mail all the
same. A wait is a turn in which a person was asked at least once. What is timed knows nothing of what was reckoned before, as a
program that has just been started. The floors of the same run: bare signatures, and the audit of a hosted game of the same players.
"""

from __future__ import annotations

import argparse
import random
import statistics
from contextlib import suppress
from dataclasses import dataclass, field
from time import process_time
from typing import Any

from pbem.errors import OrderError
from pbem.games import GamePack, find
from pbem.kernel import Fit, choose, next_marks, read_ahead, read_plans
from pbem.ledger import SAY, cj, verify_sig
from pbem.ledger.pair import verify_pair
from pbem.referee.audit import audit
from pbem.referee.pair import PairPlay, audit_pair
from tests.pair.playing import Couple, forgotten

from .games import play_at_a_table

MODES = ("no plans", "when it matters", "plans everywhere", "  and acts ahead")


@dataclass
class Cost:
    """What one game cost."""

    mails: int = 0
    without_decision: int = 0
    waits: int = 0
    turns: int = 0
    answering: list[float] = field(default_factory=list)
    reading: list[float] = field(default_factory=list)
    data: bytes = b""
    last: float = 0.0


class _Person:
    """One player with his plans; `asked` counts how often he had to think."""

    def __init__(self, pack: GamePack, mode: str, seed: str) -> None:
        self.pack, self.mode, self.bot, self.chance = pack, mode, pack.bots["planning"](), random.Random(seed)
        self.plans = self.ahead = ""
        self.asked = 0

    def answer(self, view: Any, what: str) -> str:
        rules: Any = self.pack.rules
        if self.ahead and what == "act":
            fit, self.ahead = choose(rules, view, self.ahead), ""
            if isinstance(fit, Fit):
                return str(fit.order)
        if self.plans and (planned := rules.planned(view, self.plans)):
            return str(planned.order)
        self.asked += 1
        order = self.bot.answer(view, self.chance)
        if self.mode != MODES[0]:
            asking = "ASK WHEN IT MATTERS\n" if self.mode == MODES[1] else ""
            self.plans = read_plans(rules, asking + self.bot.plans(view))
        if self.mode == MODES[3] and (lines := self.bot.ahead(view, order)):
            with suppress(OrderError):
                (self.ahead,) = read_ahead(rules, view, next_marks(rules, 1, what, 2), lines).values()
        return str(order)


def play(pack: GamePack, mode: str, seed: int) -> Cost:
    """Play one game."""
    couple = Couple(pack, {}, seed=str(seed))
    people = {seat: _Person(pack, mode, f"{seed} {seat}") for seat in couple.seats}
    found = Cost()
    while not (course := couple.plays[couple.seats[0]].course).is_over:
        seat = course.baton
        person, mine = people[seat], couple.plays[seat]
        forgotten()
        before, began = person.asked, process_time()
        made = mine.turn(couple.keys[seat])
        while not made:
            assert mine.question is not None
            found.turns += mine.question.what == "card" and seat == couple.seats[0]
            thinking = process_time()
            text = person.answer(mine.view, mine.question.what)
            began += process_time() - thinking
            made = mine.turn(couple.keys[seat], text)
        found.answering.append(process_time() - began)
        forgotten()
        began = process_time()
        couple.give(seat, made)
        found.reading.append(process_time() - began)
        found.mails += 1
        found.waits += person.asked > before
        found.without_decision += not any(
            act["do"] in ("seal", "order") for entry in made for act in entry.fields["say"]["acts"]
        )
    found.data = couple.dump()
    forgotten()
    began = process_time()
    PairPlay.of(couple.pack.knowing, couple.entries[:-2], couple.keys[couple.seats[0]])  # type: ignore[arg-type]
    found.last = process_time() - began
    return found


def _took(what: Any, *given: Any) -> float:
    forgotten()
    began = process_time()
    what(*given)
    return process_time() - began


def _bare(data: bytes) -> None:
    import json

    lines = [json.loads(line) for line in data.splitlines()[1:]]
    keys = {line["by"]: line["say"]["key"] for line in lines if line["k"] == "join"}
    for line in lines:
        assert verify_sig(keys[line["by"]], SAY, cj(line["say"]), line["sig"])


def main() -> None:
    """Play them, and print the figures."""
    parser = argparse.ArgumentParser(prog="python -m bench.of_two", description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--games", type=int, default=8)
    parser.add_argument("--game", default="hammer")
    args = parser.parse_args()
    pack = find(args.game)
    print(f"{pack.rules.title} by two, {args.games} games of the planning players in {len(MODES)} modes (medians)")
    print(
        f"  {'':<18}{'mails':>7}{'without a decision':>20}{'waits':>7}{'mails a turn':>14}{'waits a turn':>14}{'bytes':>11}"
    )
    games: list[Cost] = []
    for mode in MODES:
        games = [play(pack, mode, seed) for seed in range(1, args.games + 1)]
        turns = sum(game.turns for game in games) or 1
        middle = [
            statistics.median(getattr(game, name) for game in games) for name in ("mails", "without_decision", "waits")
        ]
        print(
            f"  {mode:<18}{middle[0]:>7.0f}{middle[1]:>20.0f}{middle[2]:>7.0f}"
            f"{sum(game.mails for game in games) / turns:>14.1f}{sum(game.waits for game in games) / turns:>14.1f}"
            f"{statistics.median(len(game.data) for game in games):>11,.0f}",
            flush=True,
        )
    for what, took in (("make", "answering"), ("read", "reading")):
        seconds = sorted(1000 * one for game in games for one in getattr(game, took))
        print(f"  to {what} one turn, median {statistics.median(seconds):.0f} ms, most {seconds[-1]:.0f} ms")
    print(f"  to go through a whole log anew, median {statistics.median(game.last for game in games):.1f} s")
    data = games[0].data
    hosted = play_at_a_table(pack, {}, 1).whole()
    bare, checked = _took(_bare, data), _took(verify_pair, data)
    whole = _took(audit_pair, data, lambda _rules: pack.knowing)
    floor = _took(audit, hosted, lambda _id: (pack.rules, "0" * 64))
    print(f"  verify to bare signatures {checked / bare:.1f}; audit to verify {whole / checked:.2f}")
    print(f"  audit of a game of two to that of a hosted game {whole / floor:.2f} (aim at most 2)")


if __name__ == "__main__":
    main()
