"""Plays a game over and over, and looks for faults (`make soak GAME=lords MINUTES=60`).

    python -m bench.soak [--game hammer] [--minutes 60] [--seed 1] [--games 0]

The options of each game are left to chance, and so is who plays it, random or sensible players. Every step of every game is looked
at by the game's invariants (`tests/<game>/invariants.py`, if it has any), now and then its position is written and read, and twins
are made up from what each seat sees; every third game is spied on all the way (`tests/conformance/spying.py`).
Every few games one is played with all keys and seals, some seats kept by the host, audited, and its files are damaged bit by bit:
each damage must be found.
A fault ends the run with the command that plays the same game again; the position is written beside, to be looked at. What is
printed last can be put into notes as it stands.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Collection
from pathlib import Path

from bench.games import play_at_a_table
from pbem.errors import UsageError
from pbem.games import GamePack, find, manifest
from pbem.kernel import Chance, End, Json, Order, Outcome, Stop
from pbem.ledger import Log, verify
from pbem.ledger.kept import look_at, words_of
from pbem.referee.audit import audit
from tests.conformance import answers, outcome
from tests.conformance.spying import Spy
from tests.conformance.watching import check_position, check_twins, watch_of

POSITIONS, TWINS = 11, 29
"""Every so many steps a position is dumped and loaded; guessed from each seat's view."""
LOGGED = 25
"""Every so many games one is played with keys and seals."""
FLIPS = 100
"""How many bits of a log are flipped, one at a time, of the full file and of each copy."""
SPIED = 3
"""Every so many games a spy looks at every step."""
STEPS = 20_000


def setting(pack: GamePack, even: Collection[str], rng: random.Random) -> Json:
    """Return options as chance has it: of those that are `even` every choice as often, of others another in one game of five."""
    while True:
        found: Json = {}
        for name, field in pack.rules.options_model.model_json_schema()["properties"].items():
            other = name in even or rng.randrange(5) == 0
            found[name] = rng.choice(_values(field)) if other else field["default"]
        try:
            pack.rules.start(found)
        except UsageError:  # not every bid goes with every scenario, not every lord plays
            continue
        return pack.ending(found)


def _values(field: Json) -> list[Json]:
    """Return the values that an option can have, or the usual one where there are too many."""
    if field.get("type") == "boolean":
        return [False, True]
    if field.get("type") == "integer" and {"minimum", "maximum"} <= field.keys():
        return list(range(field["minimum"], field["maximum"] + 1))
    if either := [value for kind in field.get("anyOf", ()) for value in kind.get("enum", ())]:
        return either
    return list(field.get("enum", [field["default"]]))


def unusual(options: Json, pack: GamePack) -> str:
    """Return the options that are not the defaults, in words."""
    default = pack.rules.options_model().model_dump(mode="json")
    chosen = {name: value for name, value in options.items() if value != default[name]}
    return ", ".join(name if value is True else f"{name} {value}" for name, value in chosen.items()) or "no options"


class Soak:
    """One run. `seed` counts the games."""

    def __init__(self, pack: GamePack, seed: int) -> None:
        self.pack, self.seed, self.first = pack, seed, seed
        self.watch = watch_of(pack.rules.id)
        self.sha256 = manifest(pack)[1]
        self.done: Counter[str] = Counter()
        self.stop: Stop | None = None
        self.at = ""
        self.options: Json = {}

    def game(self) -> None:
        """Play the next game: every other one is played sensibly, now and then one with all that belongs to a log."""
        rng = random.Random(f"soak {self.seed}")
        sensible = rng.randrange(2) == 0
        self.options = setting(self.pack, self.watch.even, rng)
        said = unusual(self.options, self.pack)
        self.at = f"seed {self.seed}, {said}, {'sensible' if sensible else 'random'}"
        self.done.update(f"games, {name} {self.options[name]}" for name in self.watch.even if name in self.options)
        self._watched(sensible, rng)
        if self.seed % LOGGED == 0:
            self._logged("sensible" if (self.seed // LOGGED) % 2 else "random")
        self.seed += 1

    def _watched(self, sensible: bool, rng: random.Random) -> None:
        game, watch = self.pack.rules, self.watch()
        seats = game.seats(self.options)
        chance = random.Random(f"spy {self.seed}")
        spy = Spy(self.pack, seats, chance, watch.revealing) if self.seed % SPIED == 0 else None
        bots = {seat: self.pack.bots["sensible"]() for seat in seats}
        stop = self.stop = game.start(self.options)
        watch.see(stop)
        while not isinstance(stop.wants, End):
            assert watch.steps < STEPS, "the game does not end"
            given: dict[str, Order] | Outcome
            if isinstance(stop.wants, Chance):
                given = outcome(stop.wants, rng)
            elif sensible:
                views = {seat: game.read_view(game.view(stop.state, seat)) for seat in stop.wants.seats}
                given = {seat: bots[seat].answer(view, rng) for seat, view in views.items()}
            else:
                given = dict(answers(game, stop, rng))
            before, stop = stop, game.step(stop.state, given)
            self.stop = stop
            watch.see(stop)
            self._laws(seats, stop, watch.steps, rng)
            if spy:
                spy.goes_on(before, given, stop)
                spy.see(stop)
        watch.finish()
        if spy:
            self.done.update({"games spied on": 1, "steps that twins heard alike": spy.same})
        strayed = sum(getattr(bot, "strayed", 0) for bot in bots.values())
        assert not strayed, f"the sensible player ordered {strayed} times what is not legal"
        kind = "sensible" if sensible else "random"
        winner = stop.wants.result["winner"] or "nobody"
        self.done.update({f"{kind} games": 1, "steps": watch.steps, f"{kind} won by {winner}": 1})

    def _laws(self, seats: tuple[str, ...], stop: Stop, step: int, rng: random.Random) -> None:
        if step % POSITIONS == self.seed % POSITIONS:
            check_position(self.pack.rules, stop)
            self.done["positions written and read"] += 1
        if step % TWINS == self.seed % TWINS:
            check_twins(self.pack.rules, seats, stop, rng, self.watch.check)
            self.done["twins looked at"] += len(seats)

    def _logged(self, bot: str) -> None:
        self.at, self.stop = f"seed {self.seed}, {unusual(self.options, self.pack)}, {bot}, with its log", None
        seats = self.pack.rules.seats(self.options)
        rng = random.Random(f"kept {self.seed}")
        kept = {
            seat: words_of(rng.choice(("", "seven goats", f"{rng.random()}"))) for seat in seats if rng.random() < 0.5
        }
        table = play_at_a_table(self.pack, self.options, self.seed, dict.fromkeys(seats, bot), kept)
        whole = table.whole()
        found = look_at(Log.parse(whole))
        if found is not None:
            assert (found.seed, found.odd, sorted(found.seats)) == ("fits", [], sorted(kept)), found
            assert all(one.chain == "fits" for one in found.seats.values()), found
        assert bool(kept) == (found is not None)
        self.done["kept seats that fit their words"] += len(kept)
        audited = audit(whole, lambda _: (self.pack.rules, self.sha256))
        assert audited.verdict.verdict == "clean", audited.verdict
        assert audited.decisions, "nothing was decided"
        self.done["logs audited"] += 1
        rng = random.Random(f"flips {self.seed}")
        for name, data in (("full", whole), *((seat, table.copy(seat)) for seat in table.seats)):
            assert verify(data).verdict == "clean", f"the file {name} is not clean"
            flipped = bytearray(data)
            for _ in range(FLIPS):
                byte, bit = rng.randrange(len(data)), rng.randrange(8)
                flipped[byte] ^= 1 << bit
                assert verify(bytes(flipped)).verdict == "fault", (
                    f"bit {bit} of byte {byte} of the file {name} is not found"
                )
                flipped[byte] ^= 1 << bit
            self.done["bits flipped, all found"] += FLIPS


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.soak", description="Play on and on, and look for faults.")
    parser.add_argument("--game", default="hammer")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--games", type=int, default=0, help="so many games at the most; 0: as many as there is time for"
    )
    args = parser.parse_args()
    soak = Soak(find(args.game), args.seed)
    last = args.seed + args.games - 1 if args.games else None
    until, shown = time.monotonic() + 60 * args.minutes, time.monotonic()
    print(f"Playing for {args.minutes:g} minutes, from seed {args.seed}.", flush=True)
    while time.monotonic() < until and (last is None or soak.seed <= last):
        try:
            soak.game()
        except Exception:  # noqa: BLE001 - whatever goes wrong is what we look for
            traceback.print_exc()
            _report_fault(soak)
            sys.exit(1)
        if time.monotonic() > shown + 60:
            shown = time.monotonic()
            print(f"  {_counts(soak)}", flush=True)
    took = (time.monotonic() - until) / 60 + args.minutes
    print(
        f"\nSoak of {soak.pack.rules.title} {soak.pack.rules.version}, rules {soak.sha256[:12]}, Python {sys.version.split()[0]}"
    )
    print(f"Seeds {soak.first} to {soak.seed - 1} in {took:.1f} minutes: no fault")
    for what, n in sorted(soak.done.items()):
        print(f"  {what:<36} {n:>12,}")


def _counts(soak: Soak) -> str:
    return ", ".join(f"{n:,} {what}" for what, n in sorted(soak.done.items()))


def _report_fault(soak: Soak) -> None:
    again = f"python -m bench.soak --game {soak.pack.rules.id} --games 1 --seed {soak.seed}"
    print(f"\nA fault: {soak.at}. Again with: {again}", file=sys.stderr)
    if soak.stop is not None:
        path = Path(f"soak-{soak.seed}.json")
        path.write_text(json.dumps(soak.pack.rules.dump(soak.stop.state), indent=1) + "\n", "utf-8")
        print(f"The position is in {path}; it wants {soak.stop.wants}", file=sys.stderr)
    print(f"Before that: {_counts(soak) or 'nothing'}", file=sys.stderr)


if __name__ == "__main__":
    main()
