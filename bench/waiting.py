"""The table of where people wait: each figure beside a floor of the same run, as processor time (`make bench ONLY=waiting`).

    python -m bench.waiting [--game hammer] [--option NAME=VALUE] [--times 3] [--questions 20] [--seed 1]

The floors are those that this repository has. Verifying and auditing are measured against the library's check of the same log's
signatures, the host against the audit of the game that it hosted, commands against Python importing pydantic, typer and jinja2. No
other program's rules are here: the rules stand beside the small objects of `bench.rules`, and reading and judging orders with all
views beside the rules of the same game. What somebody waits for at the page is the service's share, without a browser. Pictures
and the page are limits in milliseconds, and so compare with the machine that they were set on.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from datetime import datetime
from functools import partial
from pathlib import Path
from random import Random
from time import process_time
from typing import NamedTuple
from unittest.mock import patch

from bench.games import ByMail, chosen, key_of, play_at_a_table
from bench.of_two import _bare
from bench.page import Floor, processor
from bench.parts import Parts, check_bare, signatures
from bench.pictures import FIRST, MAPS, PNG
from bench.rules import floor as small_objects
from bench.rules import quickest, record, replay
from bench.start import PROGRAM, spent
from pbem.cli.demo import Demo
from pbem.games import GamePack, find, manifest
from pbem.host.robot import Robot
from pbem.host.store import Store, StoredLedger
from pbem.kernel import Json
from pbem.ledger import Log, verify, verify_checked
from pbem.ledger.makers import sodium
from pbem.ledger.pair import verify_pair
from pbem.referee.audit import audit
from tests.page.calling import ok
from tests.pair.playing import Couple, at_random, forgotten

FLOOR = "import pydantic, typer, jinja2"
HOST, FIRST_MAP, NEXT_MAPS, PAIR, COMMAND, TURN, TOUCH, NEXT = 8.0, 150.0, 100.0, 5.0, 1.6, 2.0, 50.0, 150.0
VERIFY, AUDIT = {True: 1.5, False: 2.0}, {True: 3.0, False: 3.5}
"""At most so many times the bare signatures: with libsodium, and without."""
NOWHERE = {"host": "127.0.0.1", "port": 9, "user": "bench", "password_env": "PATH"}
"""A mailbox that cannot be reached: `turn` goes on with what is on the disk."""


class Row(NamedTuple):
    """A figure, in milliseconds: what it took, what its floor took, if it has one, and the aim, as a ratio or in milliseconds."""

    what: str
    took: float
    floor: float | None = None
    aim: float | None = None

    def told(self) -> str:
        """The row as it is printed."""
        figure = self.took if self.floor is None else self.took / self.floor
        kept = "" if self.aim is None else "kept" if figure <= self.aim else "MISSED"
        floor = "" if self.floor is None else f"{self.floor:,.1f}"
        ratio = "" if self.floor is None else f"{figure:.2f}"
        aim = "" if self.aim is None else f"{self.aim:g}{' ms' if self.floor is None else ''}"
        return f"  {self.what:<46}{self.took:>10,.1f}{floor:>10}{ratio:>8}{aim:>8}  {kept}".rstrip()


def best(run: Callable[[], object], times: int) -> float:
    """Return the milliseconds of the quickest of a few runs, each beginning without what the last one has left."""
    took = []
    for _time in range(times):
        forgotten()
        gc.collect()
        took.append(1000 * quickest(run, 1))
    return min(took)


def pictures(pack: GamePack, data: bytes) -> list[Row]:
    """The first map that a process draws, and the next ones: where nothing is kept, and where another one has drawn others."""
    rows = []
    with tempfile.TemporaryDirectory() as name:
        (Path(name) / "game.pbem").write_bytes(data)
        env = {**os.environ, "XDG_CACHE_HOME": f"{name}/cache"}
        for since, kept, aims in (
            (0, "nothing kept", (None, None)),
            (MAPS // 2, "others kept", (FIRST_MAP, NEXT_MAPS)),
        ):
            run = [sys.executable, "-c", _DRAWS, pack.rules.id, f"{name}/game.pbem", str(since)]
            took = json.loads(subprocess.run(run, env=env, capture_output=True, check=True).stdout)  # noqa: S603 - our own
            shown = zip((FIRST, PNG), aims, strict=True)
            rows += [Row(f"{what}, {kept}", 1000 * took[what], None, aim) for what, aim in shown if took]
    return rows


_DRAWS = """
import json, sys
from pathlib import Path
from bench.pictures import drawn
from pbem.games import find
print(json.dumps(drawn(find(sys.argv[1]), Path(sys.argv[2]).read_bytes(), int(sys.argv[3]))))
"""


def hosted(pack: GamePack, options: Mapping[str, Json], seed: int, times: int) -> list[Row]:
    """What a host takes for a game by mail without pictures, against the audit of its log."""
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder) / "host.db", new=True)
        robot, took = Robot(store, key_of(seed, "host"), "host@example.org"), 0.0
        game = ByMail(pack, pack.ending(pack.complete(options)), seed)
        game.open(robot)
        while letters := game.write_answers():
            began = process_time()
            game.take(letters)
            took += process_time() - began
        data = StoredLedger(store, game.number, game.seats).whole().dump()
        store.db.close()
    return [Row("the host, a game by mail; its audit", 1000 * took, best(lambda: _audit(pack, data), times), HOST)]


def checked(pack: GamePack, data: bytes, times: int) -> list[Row]:
    """Verify and audit, each with the quick library for curves and without; the floor is measured between them."""
    rows, found = [], signatures(Log.parse(data))
    for quick in (True, False) if sodium.is_here() else (False,):
        said = "with libsodium" if quick else "without libsodium"
        with nullcontext() if quick else patch.object(sodium, "_library", lambda: None):
            bare = best(lambda: check_bare(found), 2 * times)
            rows.append(Row(f"verify, {said}; bare signatures", best(lambda: verify(data), times), bare, VERIFY[quick]))
            took = best(lambda: _audit(pack, data), times)
            rows.append(Row(f"audit, {said}; bare signatures", took, bare, AUDIT[quick]))
    return rows


def _audit(pack: GamePack, data: bytes) -> None:
    assert audit(data, lambda _: (pack.rules, manifest(pack)[1])).verdict.verdict == "clean"


def of_two(pack: GamePack, options: Mapping[str, Json], seed: int, times: int) -> list[Row]:
    """Verify the log of a game of two."""
    couple = Couple(pack, options, f"waiting {seed}", manifest(pack)[1])
    assert couple.play(at_random(seed))
    data = couple.dump()
    bare = best(lambda: _bare(data), 2 * times)
    return [Row("verify, a game of two; bare signatures", best(lambda: verify_pair(data), times), bare, PAIR)]


def ruled(pack: GamePack, options: Mapping[str, Json], data: bytes, seed: int, times: int) -> list[Row]:
    """The rules alone, a decision; and orders read and judged with all views, a game."""
    game = record(pack, pack.ending(pack.complete(options)), "sensible", seed)
    least = 1000 * quickest(small_objects, 2 * times)
    took = 1_000_000 * quickest(lambda: replay(pack.rules, game), times) / game.orders
    parts = Parts(pack.rules, verify_checked(data)[1])
    read = best(parts.orders, times) + best(parts.look, times)
    return [
        Row("the rules, 1000 decisions; 1000 small objects", took, least),
        Row("orders read and judged, with views; the rules", read, best(parts.rules, times)),
    ]


def commands(pack: GamePack, options: Mapping[str, Json], seed: int, times: int) -> list[Row]:
    """Commands on a finished game, each in a process of its own, by turns with the floor."""
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        demo = Demo(folder / "club", seed, pack, dict(options), {})
        demo.play(lambda _line: None)
        home, log = folder / "club" / "players" / demo.seats[-1], str(folder / "club" / "game.pbem")
        settings = json.loads((home / "settings.json").read_text("utf-8"))
        (home / "settings.json").write_text(json.dumps(settings | {"imap": NOWHERE, "smtp": NOWHERE}), "utf-8")
        desk, letters = ["--home", str(home)], sorted((folder / "club" / "mail" / demo.seats[-1] / "cur").iterdir())
        env = {**os.environ, "PYTHONPYCACHEPREFIX": f"{name}/compiled", "XDG_CACHE_HOME": f"{name}/cache"}
        env.pop("PYTHONDONTWRITEBYTECODE", None)
        for words, aim in (
            (["games", *desk], COMMAND), (["check", *desk], COMMAND), (["read", str(letters[-1]), *desk], COMMAND),
            (["show", log], COMMAND), (["verify", log], None), (["turn", *desk], TURN), (["board", *desk], TURN),
        ):  # fmt: skip
            line = [_LENIENT, *words]
            spent(line, env)  # compiled, and remembered what a command remembers
            pairs = [(spent([FLOOR], env), spent(line, env)) for _ in range(2 * times)]
            floor, took = (1000 * min(these) for these in zip(*pairs, strict=True))
            rows.append(Row(f"pbem {words[0]}, a finished game; the imports", took, floor, aim))
    return rows


_LENIENT = f"""
try:
    {PROGRAM}
except SystemExit as stop:
    assert stop.code in (0, 1, None), stop.code
"""
"""`turn` ends with 1, as it says that its mailbox cannot be reached."""


def at_the_page(pack: GamePack, questions: int) -> list[Row]:
    """What the service takes for a touch, and from an order to the next question."""
    with tempfile.TemporaryDirectory() as name:
        floor, chance = Floor(Path(name)), Random(pack.rules.id)
        service, touches, nexts = floor.service, list[float](), list[float]()
        game, more = ok(service, "begin", game=pack.rules.id, seed="floor").values()
        while more:
            more = ok(service, "go_on", game=game)["more"]
        for _question in range(questions):
            if ok(service, "position", game=game)["over"]:
                break
            order = floor.order(game, chance, touches)
            nexts.append(processor(lambda order=order: _to_the_next(floor, game, order)))  # type: ignore[misc]
    shown = (("a touch", touches, TOUCH), ("from order to next question", nexts, NEXT))
    return [Row(f"the page, {what}", statistics.median(took), None, aim) for what, took, aim in shown]


def _to_the_next(floor: Floor, game: str, order: str) -> None:
    more = ok(floor.service, "sign", game=game, text=order)["more"]
    while more:
        more = ok(floor.service, "go_on", game=game)["more"]
    ok(floor.service, "position", game=game)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.waiting", description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--game", default="hammer")
    parser.add_argument("--option", nargs="+", default=[], metavar="NAME=VALUE")
    parser.add_argument("--times", type=int, default=3, help="so often is each measured; the quickest counts")
    parser.add_argument("--questions", type=int, default=20, help="so many orders are given at the page")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    pack, times, seed = find(args.game), args.times, args.seed
    whole = {name for name, field in pack.rules.options_model.model_fields.items() if field.annotation is int}
    options = {name: int(value) if name in whole else value for name, value in chosen(args.option).items()}
    data = play_at_a_table(pack, pack.complete(options), seed).whole()
    day = datetime.now().astimezone().strftime("%Y-%m-%d")
    print(
        f"{pack.rules.title}, {day}, Python {sys.version.split()[0]}, load {os.getloadavg()[0]:.1f}: ms of the processor"
    )
    print(f"  {'figure; its floor':<46}{'took':>10}{'floor':>10}{'ratio':>8}{'aim':>8}")
    for rows in (
        partial(pictures, pack, data),
        partial(hosted, pack, options, seed, times),
        partial(checked, pack, data, times),
        partial(of_two, pack, options, seed, times),
        partial(ruled, pack, options, data, seed, times),
        partial(commands, pack, options, seed, times),
        partial(at_the_page, pack, args.questions),
    ):
        for row in rows():
            print(row.told(), flush=True)


if __name__ == "__main__":
    main()
