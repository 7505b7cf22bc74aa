"""What a game of two without a host takes: mails, waits for people, time to answer, the audit.

    python -m bench.of_two [--games 8] [--game hammer] [--option NAME=VALUE]
    python -m bench.of_two --audit    only the audit, of recorded games, in a minute, with and without libsodium

The built-in planning players sit at desks of their own, and write to each other: plans and orders ahead are those of the desks,
and answer there. A wait is a turn in which a person was asked at least once. What is timed knows nothing of what was reckoned
before, as a program that has just been started. The floors of the same run: bare signatures, and the audit of a hosted game of
the same players.

Letters are counted for a game turn, from the one that seals its first card to the one that seals the next turn's: without a battle,
with battles, and in the winter, from the end of one year to the beginning of the next; and those that pass before anybody is asked
for his first card, the invitation and the answers to it not counted. Beside the modes stands the same before a host: what players
and host send each other, a receipt that goes with a report not counted.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any
from unittest.mock import patch

from pbem.games import GamePack, find, manifest
from pbem.host.robot import Robot
from pbem.host.store import Store, StoredLedger
from pbem.ledger import SAY, cj, verify_sig
from pbem.ledger.makers import sodium
from pbem.ledger.pair import verify_pair
from pbem.player.modes import mode_in
from pbem.referee import AnswersDue
from pbem.referee.audit import audit
from pbem.referee.pair import PairPlay, audit_pair
from tests.pair.planners import MODES, Planner, seated
from tests.pair.playing import Couple, at_random, forgotten

from .games import Players, chosen, key_of, play_at_a_table
from .letters import WithPlans

GOLDEN = Path(__file__).resolve().parents[1] / "tests" / "golden"


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
    letters: Letters | None = None


@dataclass
class Letters:
    """How many letters pass: before the first card, in turns without a battle and with some, and in winters."""

    first: int = 0
    quiet: list[int] = field(default_factory=list)
    fought: list[int] = field(default_factory=list)
    winters: list[int] = field(default_factory=list)

    @classmethod
    def of(cls, cards: Sequence[int], facts: Sequence[tuple[int, str]]) -> Letters:
        """Count between the letters in which a turn's first card is asked for; `facts` are told with a letter each."""
        found = cls(cards[0] if cards else 0)
        for since, until in pairwise(cards):
            told = {fact for at, fact in facts if since < at <= until}
            if "year ends" not in told:
                (found.fought if "battle" in told else found.quiet).append(until - since)
        ends, begun = ([at for at, fact in facts if fact == name] for name in ("year ends", "year"))
        found.winters = [min(later) - at for at in ends if (later := [one for one in begun if one > at])]
        return found

    def told(self) -> str:
        """The three figures of a line."""
        means = (f"{statistics.mean(these):.1f}" if these else "-" for these in (self.quiet, self.fought, self.winters))
        return "".join(f"{one:>10}" for one in (self.first, *means))

    @classmethod
    def together(cls, all_of: Sequence[Letters]) -> Letters:
        """Those of several games."""
        added = ([n for one in all_of for n in getattr(one, name)] for name in ("quiet", "fought", "winters"))
        return cls(round(statistics.median(one.first for one in all_of)), *added)


class _Timed:
    """A player whose thinking is not counted; `seconds` is how long he thought, `turns` how often he was asked for a card."""

    def __init__(self, answer: Planner, cards: list[int], found: Cost) -> None:
        self.answer, self.seconds, self.turns, self.cards, self.found = answer, 0.0, 0, cards, found

    def __call__(self, view: Any, what: str) -> str:
        began = process_time()
        said = self.answer(view, what)
        self.seconds += process_time() - began
        self.turns += what == "card"
        if what == "card" and self.turns > len(self.cards):
            self.cards.append(self.found.mails)
        return said


def play(pack: GamePack, mode: str, seed: int, options: Mapping[str, str], *, shows: bool) -> Cost:
    """Play one game; if each `shows` his plans they are pledged in battles."""
    with TemporaryDirectory() as folder:
        found, cards, at = Cost(), list[int](), list[int]()
        people = [_Timed(Planner(pack.rules.id, mode, f"{seed} {seat}"), cards, found) for seat in (0, 1)]
        one, other = seated(
            Path(folder), pack.rules.id, str(seed), (people[0], people[1]), shows=shows, options=options
        )
        at += [0] * len(one.entries)
        while True:
            asked, thought, since = one.asked, sum(person.seconds for person in people), len(one.entries)
            forgotten()
            began = process_time()
            one.answers()
            found.answering.append(process_time() - began - sum(person.seconds for person in people) + thought)
            at += [found.mails] * (len(one.entries) - len(at))
            if not one.desk.tray.unsent():
                break
            letter = one.sends()
            forgotten()
            began = process_time()
            other.reads(letter)
            found.reading.append(process_time() - began)
            found.mails += 1
            found.waits += one.asked > asked
            found.without_decision += not one.typed(since)
            one, other = other, one
        found.turns, found.data, entries = people[0].turns, one.log, one.entries
        forgotten()
        began = process_time()
        gone_through = PairPlay.of(pack.knowing, entries[:-2], one.desk.key)  # type: ignore[arg-type]
        found.last = process_time() - began
        found.letters = Letters.of(cards, [(at[n], str(fact["f"])) for n, fact in gone_through.news if n < len(at)])
    return found


class _Planning(Players):
    """The planning players, with or without plans."""

    def __init__(self, pack: GamePack, seats: tuple[str, ...], seed: int, *, plans: bool) -> None:
        super().__init__(pack, seats, seed, dict.fromkeys(seats, "planning"))
        self.plans = plans

    def plan(self, seat: str, view: Any) -> str:
        """Return the plans that go with an order."""
        return super().plan(seat, view) if self.plans else ""


def before_a_host(pack: GamePack, seed: int, options: Mapping[str, str], *, plans: bool) -> Letters:
    """Play the same before a host; return its letters."""
    by_mail = WithPlans(pack, pack.ending(pack.complete(options)), seed)
    by_mail.players = _Planning(pack, by_mail.seats, seed, plans=plans)
    cards, facts, sent, asked = list[int](), list[tuple[int, str]](), 0, -1
    with TemporaryDirectory() as folder:
        store = Store(Path(folder) / "host.db", new=True)
        try:
            by_mail.open(Robot(store, key_of(seed, "host"), "host@example.org"), by_mail.players)
            begun, before = (
                _laid(store),
                store.db.execute("select count(*) from outbox where kind in ('keys', 'roster')").fetchone()[0],
            )
            while True:
                ledger = StoredLedger(store, by_mail.number, by_mail.seats)
                due, passed = by_mail.robot.house.game(by_mail.number).resume().due(), sent + _laid(store) - begun
                told = [fact["f"] for some in ledger.told("", 0) for fact in some]
                facts += [(passed, str(fact)) for fact in told[len(facts) :]]
                if not isinstance(due, AnswersDue):
                    return replace(Letters.of(cards, facts), first=before + len(by_mail.seats))  # that all are ready
                if due.ask != asked and ledger.entry(due.ask)["what"] == "card":
                    cards.append(passed)
                asked = due.ask
                letters = by_mail.write_answers()
                by_mail.take(letters)
                sent += len(letters)
        finally:
            store.db.close()


def _laid(store: Store) -> int:
    """How many letters the host has written; a receipt goes with the report that comes at once."""
    rows = list(store.db.query("select kind, not_before from outbox where game is not null"))
    return sum(row["kind"] != "receipt" or not row["not_before"] for row in rows)


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


def _audited(pack: GamePack, data: bytes, seed: int, options: Mapping[str, str]) -> tuple[float, ...]:
    """Return the seconds of the bare signatures of a log of two, of verify, of the audit, and of the audit of a hosted game."""
    hosted = play_at_a_table(pack, options, seed).whole()
    return (
        _took(_bare, data),
        _took(verify_pair, data),
        _took(audit_pair, data, lambda _rules: pack.knowing),
        _took(audit, hosted, lambda _id: (pack.rules, "0" * 64)),
    )


RECORDED = ("hammer-homes", "swords-book")
"""Games that are recorded with a host and without one, if not by the same moves, and by the rules of now."""


def audits(rounds: int = 3, seeds: int = 4) -> None:
    """Audit games of both modes by turns; print the seconds, for all logs, a signature and a decision.

    The games are recorded ones, and some that are played here at random by the same options. Of several rounds the shortest
    counts: another program can only make one longer. Links, seals and shuffles are not counted. A question with one answer is a
    decision before a host alone.
    """
    played = [_at_random(find("hammer"), {"scenario": "bruce"}, seed) for seed in range(1, seeds + 1)]
    games = {f"hammer, {seeds} at random": played}
    for name in RECORDED:
        two, hosted = ((GOLDEN / kind / f"{name}.pbem").read_bytes() for kind in ("logs-of-two", "logs"))
        games[name] = [(two, hosted)]
    for fast in (True, False):
        with nullcontext() if fast else patch.object(sodium, "_library", lambda: None):
            print(f"  {'with' if sodium.is_here() else 'without'} libsodium: a game of two to a hosted one")
            for name, logs in games.items():
                sums, kinds = [0.0, 0.0], list(zip(*logs, strict=True))
                for pair in logs:
                    took = [[_took(_audit, data) for data in pair] for _round in range(rounds)]
                    sums = [one + min(those) for one, those in zip(sums, zip(*took, strict=True), strict=True)]
                print(f"  {name:<20}{sums[0]:>7.2f} s to {sums[1]:.2f} s: {sums[0] / sums[1]:.2f}", end="")
                for what, count in (("a signature", _signatures), ("a decision", _decisions)):
                    one, other = (1000 * took / sum(map(count, kind)) for took, kind in zip(sums, kinds, strict=True))
                    print(f"; {what} {one:.2f} to {other:.2f} ms: {one / other:.2f}", end="")
                print(flush=True)


def _at_random(pack: GamePack, options: Mapping[str, str], seed: int) -> tuple[bytes, bytes]:
    """Play a game without a host and one with; return the logs."""
    couple = Couple(pack, options, f"audit {seed}", manifest(pack)[1])
    assert couple.play(at_random(seed))
    bots = dict.fromkeys(couple.seats, "random")
    return couple.dump(), play_at_a_table(pack, pack.complete(options), seed, bots).whole()


def _audit(data: bytes) -> None:
    assert mode_in(data).audited(data, {}, None, 1, str).verdict == "clean"


def _signatures(data: bytes) -> int:
    return sum(data.count(part) for part in (b'"sig":"', b'\n["head"', b'\n["got"'))


def _decisions(data: bytes) -> int:
    """Count the answers: in a log of two by its acts, those by pledged plans apart."""
    return sum(data.count(part) for part in (b'"k":"order"', b'"do":"order"', b'"do":"open"'))


def _middle(these: list[float], those: list[float]) -> float:
    return statistics.median(a / b for a, b in zip(these, those, strict=True))


def main() -> None:
    """Play them, and print the figures."""
    parser = argparse.ArgumentParser(prog="python -m bench.of_two", description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--games", type=int, default=8)
    parser.add_argument("--game", default="hammer")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--modes", type=int, nargs="+", default=range(len(MODES)), choices=range(len(MODES)))
    parser.add_argument("--audit", action="store_true", help="only the audit, of recorded games")
    args = parser.parse_args()
    if args.audit:
        audits()
        return
    pack, options = find(args.game), chosen(args.option)
    print(f"{pack.rules.title} by two, {args.games} games of the planning players (medians)")
    print(
        f"  {'':<18}{'mails':>7}{'without a decision':>20}{'waits':>7}{'mails a turn':>14}{'waits a turn':>14}{'bytes':>11}"
        f"   letters:{'1st card':>10}{'no battle':>10}{'battle':>10}{'winter':>10}"
    )
    games, shown, modes = list[Cost](), False, [MODES[n] for n in args.modes]
    for mode, shows in (*((mode, False) for mode in modes), *((mode, True) for mode in modes if mode != MODES[0])):
        if shows and not shown:
            print("  plans shown in battles")
        shown = shows
        games = [play(pack, mode, seed, options, shows=shows) for seed in range(1, args.games + 1)]
        turns = sum(game.turns for game in games) or 1
        middle = [
            statistics.median(getattr(game, name) for game in games) for name in ("mails", "without_decision", "waits")
        ]
        print(
            f"  {mode:<18}{middle[0]:>7.0f}{middle[1]:>20.0f}{middle[2]:>7.0f}"
            f"{sum(game.mails for game in games) / turns:>14.1f}{sum(game.waits for game in games) / turns:>14.1f}"
            f"{statistics.median(len(game.data) for game in games):>11,.0f}"
            f"           {Letters.together([game.letters for game in games if game.letters]).told()}",
            flush=True,
        )
    for plans in (False, True) if "card" in getattr(pack.rules, "marked", ()) else ():
        hosted = [before_a_host(pack, seed, options, plans=plans) for seed in range(1, args.games + 1)]
        name = "  by a host, plans" if plans else "  by a host"
        print(f"{name:<104}{Letters.together(hosted).told()}", flush=True)
    for what, took in (("make", "answering"), ("read", "reading")):
        seconds = sorted(1000 * one for game in games for one in getattr(game, took))
        print(f"  to {what} one turn, median {statistics.median(seconds):.0f} ms, most {seconds[-1]:.0f} ms")
    print(f"  to go through a whole log anew, median {statistics.median(game.last for game in games):.1f} s")
    found = [_audited(pack, game.data, seed, options) for seed, game in enumerate(games, 1)]
    bare, checked, whole, floor = ([took[i] for took in found] for i in range(4))
    print(
        f"  to audit a whole log, median {statistics.median(whole):.2f} s; that of a hosted game {statistics.median(floor):.2f} s"
    )
    print(f"  verify to bare signatures {_middle(checked, bare):.1f}; audit to verify {_middle(whole, checked):.2f}")
    print(f"  audit of a game of two to that of a hosted game {_middle(whole, floor):.2f} (aim at most 2)")


if __name__ == "__main__":
    main()
