"""A whole game of Braveheart as each seat heard of it: recorded once, so that no better player and no new format rewrites it.

``tests/golden/hammer/recorded/<seat>.jsonl`` has a line for each report: the facts told since the last one, what the view has
changed by, who is asked, and the head. ``python -m tests.hammer.recorded`` plays and writes another game.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from bench.games import Players
from pbem.games import find, manifest
from pbem.games.pack import GamePack
from pbem.kernel import Json
from pbem.ledger import Log
from pbem.ledger.patch import diff, fold
from pbem.referee.table import Table
from pbem.reports.report import Report
from pbem.reports.told import told

from .golden import FOLDER

SEATS = ("english", "scottish")
_SEED = 27
_PLACE = FOLDER / "hammer" / "recorded"


def reports(seat: str) -> Iterator[Report]:
    """Go through all reports that a seat got in the recorded game, the last one at its end."""
    view: Json = {}
    earlier: tuple[Json, ...] = ()
    for line in (_PLACE / f"{seat}.jsonl").read_text("utf-8").splitlines():
        kept = json.loads(line)
        view = fold(view, kept["view"])
        facts = tuple(tuple(facts) for facts in kept["facts"])
        yield Report(
            "3f29" * 16, seat, view, facts, tuple(kept["asked"]), kept["n"], kept["head"],
            result=kept["result"], earlier=earlier, complete=True,
        )  # fmt: skip
        earlier += tuple(fact for told_then in facts for fact in told_then)


def _played(pack: GamePack) -> Log:
    table = Table(pack.rules, pack.complete({}), f"recorded {_SEED}", manifest(pack)[1])
    players = Players(pack, table.seats, _SEED, dict.fromkeys(table.seats, "planning"))
    while (due := table.open) is not None:
        views = {seat: table.referee.view(seat) for seat in due.to}
        table.answer({seat: (players.say(seat, view), players.plan(seat, view)) for seat, view in views.items()})
    return table.ledger.log


def _recorded(log: Log, seat: str) -> Iterator[Json]:
    asks = {entry.n: entry for entry in log.entries if entry.k in ("ask", "end")}
    waiting: list[list[Json]] = []
    view: Json = {}
    for tell in told(log, seat):
        waiting.append(list(tell.facts))
        asked = asks.get(tell.n + 1)
        if asked is None or (asked.k == "ask" and seat not in asked.fields["to"]):
            continue
        ended = asked.k == "end"
        yield {
            "n": asked.n, "head": asked.hash, "asked": [] if ended else asked.fields["to"], "facts": waiting,
            "result": asked.fields["result"] if ended else None, "view": diff(view, tell.view),
        }  # fmt: skip
        waiting, view = [], tell.view


def record() -> None:
    """Play a game between two built-in players who plan, and keep what each seat is told."""
    log = _played(find("hammer"))
    _PLACE.mkdir(parents=True, exist_ok=True)
    for seat in SEATS:
        lines = [json.dumps(line, sort_keys=True, separators=(",", ":")) + "\n" for line in _recorded(log, seat)]
        (_PLACE / f"{seat}.jsonl").write_text("".join(lines), "utf-8")


if __name__ == "__main__":
    record()
