"""A match: two players, and pairs of games with sides changed and the same cards and dice.

A player that gives an illegal order, or no answer, loses that game; the match continues. The same seed gives the same match, if its
players are deterministic.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import replace
from hashlib import sha256

from pbem.errors import OrderError, UsageError
from pbem.games import GamePack
from pbem.games.touching import taken
from pbem.i18n import _
from pbem.kernel import Ask, End, Fact, Json, Order, Stop
from pbem.records import dataclass

from .contestants import Contestant, PutQuestion, contestant
from .luck import PairLuck
from .program import ProgramFailed, shown

A, B = "A", "B"
_TOLD, _LONGEST = 3, 1000
"""The maximum number of bad lines of an order to report, and of letters of that report."""
MOST = 20_000
"""A game of more decisions is broken off, and counts as drawn."""


@dataclass(frozen=True, slots=True)
class MatchGame:
    """A game of a match: who played which seat, who won ("": nobody), how it ended, and every step on the way.

    If the loser forfeited, `fault` describes how, and `why` is "illegal" or "failed". `why` is "endless" for a game that was broken
    off, otherwise it comes from the game.
    """

    number: int
    pair: int
    seats: Mapping[str, str]
    winner: str
    why: str
    result: Json
    fault: str = ""
    steps: tuple[Json, ...] = ()

    def json(self) -> dict[str, Json]:
        """Return the game as JSON; `steps` are what `step` of the engine takes, one after the other."""
        return {
            "number": self.number, "pair": self.pair, "seats": dict(self.seats), "winner": self.winner, "why": self.why,
            "result": self.result, "fault": self.fault, "steps": list(self.steps),
        }  # fmt: skip


class _Forfeit(Exception):
    """A player has lost by what it did."""

    def __init__(self, seat: str, why: str, fault: str) -> None:
        self.seat, self.why, self.fault = seat, why, fault
        super().__init__(fault)


class Match:
    """A match of two players in one game with one set of options."""

    def __init__(
        self, pack: GamePack, options: Mapping[str, Json], players: tuple[str, str], seed: str, patience: int
    ) -> None:
        """`players` are names of built-in players, or command lines; `options` as chosen, where nobody says for two.

        Raises UsageError for a game that two cannot play, and for players that are none.
        """
        self.pack, self.seed = pack, seed
        self.options = pack.ending(_for_two(pack, options))
        self.seats = tuple(pack.rules.seats(self.options))
        if len(self.seats) != len((A, B)):
            raise UsageError(
                _(
                    "A match is for two, and {game} has {n} seats with these options.",
                    game=pack.rules.title,
                    n=len(self.seats),
                )
            )
        first = contestant(pack, self.options, players[0], patience)
        try:
            second = contestant(pack, self.options, players[1], patience)
        except UsageError:
            first.leave()
            raise
        self.players: dict[str, Contestant] = {A: first, B: second}

    def play(self, games: int) -> Generator[MatchGame, None, None]:
        """Play this even number of games; in the first of each pair, A has the first seat."""
        try:
            for number in range(1, games + 1):
                order = (A, B) if number % 2 else (B, A)
                yield self._game(number, dict(zip(self.seats, order, strict=True)))
        finally:
            for player in self.players.values():
                player.leave()

    def _game(self, number: int, seats: dict[str, str]) -> MatchGame:
        pair = (number + 1) // 2
        for seat, player in seats.items():
            self.players[player].sit(f"{self.seed}\n{pair}\n{seat}")
        sitting = _MatchSitting(self, number, pair, seats)
        try:
            result = sitting.through()
        except _Forfeit as lost:
            winner = next(player for seat, player in seats.items() if seat != lost.seat)
            return MatchGame(number, pair, seats, winner, lost.why, None, lost.fault, tuple(sitting.steps))
        if result is None:
            return MatchGame(number, pair, seats, "", "endless", None, "", tuple(sitting.steps))
        winner = seats.get(result.get("winner", ""), "")
        return MatchGame(number, pair, seats, winner, str(result.get("why", "")), result, "", tuple(sitting.steps))


class _MatchSitting:
    """One game on its way."""

    def __init__(self, match: Match, number: int, pair: int, seats: Mapping[str, str]) -> None:
        self.match, self.number, self.pair, self.seats = match, number, pair, seats
        self.steps: list[Json] = []
        self._heard: dict[str, list[Json]] = {seat: [] for seat in seats}
        self._luck = PairLuck(match.seed, pair)
        self._asked = 0

    def through(self) -> Json:
        """Return how the game ends, None for one that does not. Raises _Forfeit."""
        rules = self.match.pack.rules
        stop = rules.start(self.match.options)
        while not isinstance(stop.wants, End):
            self._hear(stop)
            if isinstance(stop.wants, Ask):
                if self._asked > MOST:
                    return None
                orders = {seat: self._order(stop, seat) for seat in stop.wants.seats}
                self.steps.append({"orders": {seat: str(order) for seat, order in orders.items()}})
                stop = rules.step(stop.state, orders)
            else:
                given = self._luck.outcome(stop.wants)
                self.steps.append({"outcome": [list(part) for part in given]})
                stop = rules.step(stop.state, given)
        return stop.wants.result

    def _hear(self, stop: Stop) -> None:
        for event in stop.events:
            if isinstance(event, Fact):
                for seat, heard in self._heard.items():
                    if (fact := event.heard_by(seat)) is not None:
                        heard.append(fact)

    def _order(self, stop: Stop, seat: str) -> Order:
        rules, player = self.match.pack.rules, self.match.players[self.seats[seat]]
        self._asked += 1
        said = rules.view(stop.state, seat)
        view = rules.read_view(said)
        seed = sha256(
            f"{self.match.seed}\nprogram\n{self.pair}\n{seat}\n{self._asked}".encode()
        ).hexdigest()  # tells no luck
        put = PutQuestion(self.number, seat, stop.wants.what, said, view, self._heard[seat], seed)  # type: ignore[union-attr]
        try:
            text = player.answer(put)
            self._heard[seat] = []
            return taken(self.match.pack, view, text)
        except ProgramFailed as error:
            raise _Forfeit(seat, "failed", str(error)) from error
        except OrderError as error:
            raise _Forfeit(seat, "illegal", _said(text, error)) from error


def _said(text: str, error: OrderError) -> str:
    why = "; ".join(str(replace(problem, read=shown(problem.read))) for problem in error.problems[:_TOLD])
    return _("illegal is “{order}”: {why}", order=shown(text), why=shown(why, _LONGEST))


def _for_two(pack: GamePack, options: Mapping[str, Json]) -> Mapping[str, Json]:
    """Return options in which two play, where the game lets one choose how many and nobody has."""
    usual = pack.complete(options).get("players")
    return {"players": 2, **options} if isinstance(usual, int) else options
