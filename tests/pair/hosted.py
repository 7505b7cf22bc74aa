"""The law of equality: what two play without a host is the hosted game of the same decisions, dice and deals."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import reduce
from typing import Any

import tiny_game

from pbem.games import GamePack, find
from pbem.kernel import Ask, End, Fact, Json, Order, Outcome, read_plans
from pbem.ledger import cj
from pbem.ledger.pair import PairCourse, check_signed, checked
from pbem.referee.pair.as_it_was import TrueSteps

from .playing import Couple

PLEDGES = (
    "BATTLE ANY: FIGHT; HITS ANY; REGROUP STAY",
    (
        "BATTLE ANY: RETREAT England, Annan, Selkirk, Lothian, Teviot, Fife, Mentieth, Angus IF ROUND 2 OR LOST 3; FIGHT; "
        "HITS ANY; REGROUP STAY"
    ),
    (
        "BATTLE ANY ATTACKING: FIGHT; HITS ANY\n"
        "BATTLE ANY DEFENDING: RETREAT Mentieth, Fife, Atholl, Lanark, Moray IF ODDS BELOW 1:2; FIGHT"
    ),
    "BATTLE ANY: Wallace RETREAT Selkirk, Lanark, Fife IF Wallace BELOW 3; FIGHT; REGROUP ALL > Lanark",
    "ASK WHEN IT MATTERS",
)
"""Plans for battles: who stands, who leaves early, who leaves where he is weak, who goes on afterwards, who wants to be asked what
matters."""
TINY = GamePack(tiny_game.GAME, "tiny_game")


class Recorded(TrueSteps):
    """The game as it was, and all that the rules were given in it: orders, dice, cards."""

    def __init__(self, *about: Any) -> None:
        self.givens: list[Mapping[str, Order] | Outcome] = []
        super().__init__(*about)

    def _known(self) -> Any:
        return (*super()._known(), len(self.givens))

    def _know_again(self, way: Any) -> None:
        *known, givens = way.known
        del self.givens[givens:]
        super()._know_again(replace(way, known=known))

    def _inputs(self) -> Mapping[str, Order] | Outcome | None:
        given = super()._inputs()
        if given is not None:
            self.givens.append(given)
        return given


def true_steps(couple: Couple) -> Recorded:
    """The whole game, known from both secrets."""
    assert couple.pack.knowing is not None
    course = reduce(checked, couple.entries[:3], PairCourse())
    vaults = {seat: play.vault for seat, play in couple.plays.items()}
    steps = Recorded(couple.pack.knowing, course, vaults)
    for entry in couple.entries[3:]:
        check_signed(steps.course, entry)
        steps.take_turn(entry)
    return steps


def what_stands(news: Iterable[tuple[int, Json]]) -> list[Json]:
    """The facts that were not taken back."""
    found: list[tuple[int, Json]] = []
    for n, fact in news:
        if fact["f"] == "takeback":
            held = [one for one in found if one[0] == fact["ask"]][: fact["stand"]]
            found = [one for one in found if one[0] < fact["ask"]] + held
        else:
            found.append((n, fact))
    return [fact for _n, fact in found]


class Watched(Couple):
    """A couple of which is kept what each saw whenever it was asked; built-in players answer, or chance."""

    def __init__(
        self,
        pack: GamePack,
        options: Json,
        seed: str,
        bots: Mapping[int, str] | None = None,
        rules_sha256: str = "0" * 64,
    ) -> None:
        super().__init__(pack, options, seed, rules_sha256)
        self.seen: dict[str, list[bytes]] = {seat: [] for seat in self.seats}
        self._rng = random.Random(f"answers {seed}")
        named = bots or {}
        self._bots = {seat: pack.bots[named.get(i, "random")]() for i, seat in enumerate(self.seats)}
        for seat, play in self.plays.items():
            play._pledge_spoke = self._watched(seat)  # type: ignore[assignment,method-assign]

    def pledge(self, i: int) -> None:
        """Let both pledge plans for battles."""
        for seat, n in zip(self.seats, (i, i + i // len(PLEDGES)), strict=True):
            self.plans[seat] = read_plans(self.pack.rules, PLEDGES[n % len(PLEDGES)])

    def _watched(self, seat: str) -> Callable[[Json], None]:
        """Keep what a seat saw when its pledge answered for it."""
        play = self.plays[seat]
        spoke = play._pledge_spoke

        def spoken(fact: Json) -> None:
            if fact["seat"] == seat:
                self.seen[seat].append(cj(play.peer.own))
            spoke(fact)

        return spoken

    def answer(self, _game: Any, view: Any) -> str:
        seat = next(iter(self.plays.values())).course.baton
        self.seen[seat].append(cj(self.plays[seat].peer.own))
        return str(self._bots[seat].answer(view, self._rng))


def equal_to_hosted(couple: Watched) -> int:
    """Hold a finished game against the hosted one of the same decisions, dice and deals; return how many steps that had."""
    steps, game = true_steps(couple), couple.pack.rules
    stop = game.start(couple.options)
    heard: dict[str, list[bytes]] = {seat: [] for seat in couple.seats}
    asked: dict[str, list[bytes]] = {seat: [] for seat in couple.seats}
    givens: list[Mapping[str, Order] | Outcome | None] = [*steps.givens, None]
    for given in givens:
        for seat in couple.seats:
            told = [event.heard_by(seat) for event in stop.events if isinstance(event, Fact)]
            heard[seat] += [cj(fact) for fact in told if fact is not None]
            if isinstance(stop.wants, Ask) and seat in stop.wants.seats:
                asked[seat].append(cj(game.view(stop.state, seat)))
        if given is not None:
            stop = game.step(stop.state, given)
    assert isinstance(stop.wants, End), "the hosted game goes on"
    for seat, play in couple.plays.items():
        assert cj(play.result) == cj(stop.state.result), seat
        assert cj(play.peer.own) == cj(game.view(stop.state, seat)), seat
        assert cj(play.peer.public) == cj(game.view(stop.state, None)), seat
        news = [
            fact for fact in what_stands(play.news) if fact["f"] not in ("plan", "pledge")
        ]  # of which no host tells
        assert list(map(cj, news)) == heard[seat], seat
        assert couple.seen[seat] == asked[seat], seat
    return len(steps.givens)


__all__ = ["PLEDGES", "TINY", "Recorded", "Watched", "equal_to_hosted", "find", "true_steps", "what_stands"]
