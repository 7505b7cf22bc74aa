"""Real games, played at a table with every key, signature and seal, for the forger to work on: `a_log("tiny")`.

Each is played once in a session, by random players; one question is left unanswered by a seat, which is skipped.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import cache

import tiny_game

from pbem.games import GamePack, find
from pbem.kernel import Game, Json
from pbem.ledger import Log, PrivateKey
from pbem.referee.table import Table


@dataclass(frozen=True, slots=True)
class Script:
    """How a game is played for the record: its options, a seed, and the plans that go with a seat's orders."""

    pack: GamePack
    options: Json
    seed: str
    plans: Callable[[str, int], str] = lambda seat, no: ""
    orders: Callable[[str, int], str] = lambda seat, no: ""
    """What a seat says to a question, or "" where the random player answers."""
    lacks: frozenset[str] = frozenset()
    """What the game has not got: “draw”, a “later roll” after the first mark, a “one” that was rolled, a “deal”, its “release”
    before the end, answers that are secret “until end”."""
    skipped: int = 0
    """Which of the questions put to several seats one of them leaves unanswered; 0: none."""
    silent: int = -1
    """Which of all questions, from 0, whoever is asked last leaves unanswered; -1: none."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A finished game: the whole log, each seat's copy, and everybody's keys."""

    game: Game
    whole: bytes
    beginning: bytes
    """The host's log as far as everything that the game knows has come up once, to a signed head."""
    copies: Mapping[str, bytes]
    table: Table
    before: Mapping[str, PrivateKey] = field(default_factory=dict)
    """The keys that seats had before they changed them."""
    former: PrivateKey | None = None
    """The key of the host from whom another took over."""

    @property
    def host(self) -> PrivateKey:
        return self.table.host_key

    @property
    def keys(self) -> dict[str, PrivateKey]:
        """Every player's key."""
        return {seat: pen.key for seat, pen in self.table.pens.items()}


REGROUP = "BATTLE ANY: FIGHT; HITS ANY; REGROUP STAY"

SCRIPTS = {
    # seed and plans are chosen so that everything the game has comes up: both plans speak, a pile is dealt anew, there
    # are draws, a skip, and answers of all three secrecies
    "tiny": Script(
        GamePack(tiny_game.GAME, "tiny_game"), {}, "12", lambda seat, no: "ACT BANK" if no % 3 == 0 else "", skipped=3
    ),
    "hammer": Script(
        find("hammer"), {"scenario": "braveheart"}, "24", lambda seat, no: REGROUP if no % 4 == 0 else "", skipped=3
    ),
    # four seats; once one of them alone is asked what it claims, in the open, and a plan speaks
    "lords": Script(
        find("lords"),
        {"players": 4, "goal": 12},
        "103",
        lambda seat, no: "CLAIM STRONGEST" if no % 3 == 0 else "",
        lambda seat, no: "RECRUIT 1" if no < 20 and seat != "angus" else "",
        lacks=frozenset(("draw", "later roll", "one", "release")),
        silent=7,
    ),
    # four seats; commitments are sealed and opened together, plans speak for deployments and retreats
    "swords": Script(
        find("swords"),
        {"players": 4, "glory": "first"},
        "3",
        lambda seat, no: "RETREAT ANY\nGLORY NONE" if no % 3 == 0 else "",
        lacks=frozenset(("draw", "release", "deal", "until end")),
        skipped=3,
    ),
}


def _beginning(whole: Log) -> Log:
    seen, last = set(), 0
    final = [entry.n for entry in whole.entries if entry.k == "tell"][-1]
    for entry in whole.entries[:final]:
        f = entry.fields
        what = (entry.k, f.get("chain", "")[:4], f.get("secret"), len(f.get("to", ())), bool(f.get("links")))
        if what not in seen:
            seen.add(what)
            last = entry.n
    return whole.cut([a.fields[2] for a in whole.attachments if a.k == "head" and a.fields[2] > last][1])


def play(script: Script) -> Recorded:
    """Play a game by its script."""
    table = Table(script.pack.rules, script.options, script.seed, hours=24)
    chance, bot = random.Random(script.seed), script.pack.bots["random"]()
    no = together = 0
    while (due := table.open) is not None:
        together += len(due.to) > 1
        is_skipped = (len(due.to) > 1 and together == script.skipped) or no == script.silent
        silent = [due.to[-1]] if is_skipped else []
        orders = {
            seat: (
                script.orders(seat, no) or str(bot.answer(table.referee.view(seat), chance)),
                script.plans(seat, no),
            )
            for seat in due.to
            if seat not in silent
        }
        table.answer(orders, silent)
        no += 1
    whole = table.whole()
    beginning = _beginning(Log.parse(whole)).dump()
    return Recorded(script.pack.rules, whole, beginning, {seat: table.copy(seat) for seat in table.seats}, table)


def record(table: Table, before: Mapping[str, PrivateKey] | None = None) -> Recorded:
    """Return the record of what was played at a table so far; `before` are keys that seats had at first."""
    whole = table.whole()
    return Recorded(table.game, whole, whole, {seat: table.copy(seat) for seat in table.seats}, table, before or {})


def take_turn(table: Table, silent: Collection[str] = (), claim: int | None = None, at: str | None = None) -> None:
    """Let everybody who is asked give the first legal answer, but for those who stay silent or have sent theirs ahead."""
    assert table.open
    legal = {seat: table.game.options(table.referee.view(seat)) for seat in table.waiting if seat not in silent}
    table.answer({seat: (str(next(iter(options))), "") for seat, options in legal.items()}, silent, claim, at)


@cache
def a_log(name: str) -> Recorded:
    """Return the record of a game."""
    return play(SCRIPTS[name])
