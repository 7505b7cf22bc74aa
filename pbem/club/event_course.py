"""The course of an event: its pairings and standings, derived from its file and the logs of its games alone.

A round is paired when all earlier games are decided, so anyone can repeat the pairing.

At tables, more than two players sit together (`seating`). Points depend on places: a win counts the same at every table.

With bids, each pair of a round first bids for the better side in a game of its own (`bidding`). The game that follows is theirs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pbem.games import find
from pbem.kernel import Json
from pbem.records import dataclass

from .bidding import Bidden, Opening, bids_of, opening_of_bids
from .event import DRAW, LOSS, WIN, Event
from .pairing import Encounter, Played, knock_out, round_robin, swiss
from .results import RatedGame
from .seating import TABLE_WON, at_tables, shared_out

_RESTS = {"round robin": LOSS, "swiss": WIN, "knock-out": WIN, "tables": TABLE_WON // 2}
"""The result of resting, in half points. At tables it is the players' average."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of the table: points and tie-breaks in half points."""

    name: str
    points: int
    met: int
    """Buchholz: the points of all whom he met; at tables `MEAN` times what those at each of his had on average."""
    beaten: int
    """Sonneborn-Berger, times two: the points of whom he beat, and half of those with whom he drew."""
    won: int
    played: int


@dataclass(frozen=True, slots=True)
class TeamRow:
    """A row of the table of teams: what all its players have, added up."""

    name: str
    points: int
    met: int
    won: int
    played: int


MEAN = 12
"""Can be parted by the number of others at any table."""


class EventCourse:
    """How an event has gone so far: its rounds with the results that are there, and the table."""

    def __init__(self, event: Event, games: Sequence[RatedGame]) -> None:
        self.event = event
        self.rounds: list[list[Played]] = []
        self._bidden: dict[tuple[int, Encounter], Bidden] = {}
        self._left = sorted(
            (game for game in games if game.event == event.full_name), key=lambda game: (game.at, game.id)
        )
        while pairs := self._next():
            self.rounds.append([self._played(len(self.rounds) + 1, pair) for pair in pairs])
        if event.bids:  # what was bid stands beside the organiser's word, too
            for number, played in enumerate(self.rounds, 1):
                for one in played:
                    if one.ruled:
                        self._bid(number, one.pair)

    @property
    def over(self) -> bool:
        """Whether every game in it is decided."""
        return not self.open and not self._next()

    @property
    def open(self) -> list[Encounter]:
        """The games of the last round that are not decided."""
        return [one.pair for one in self.rounds[-1] if one.points is None] if self.rounds else []

    def bidden(self, number: int, pair: Encounter) -> Bidden | None:
        """Return what two bid for their game of a round; None as long as they have not, or where nobody bids."""
        return self._bidden.get((number, pair))

    def opening(self, pair: Encounter) -> Opening:
        """Return the game to open for an undecided pairing: the game itself, or first its bids."""
        if self.event.tables:
            seats = dict(zip(self.event.seats_of(len(pair)), pair, strict=True))
            return Opening(self.event.game, {**self.event.options, "players": len(pair)}, seats)
        if not self.event.bids:
            return Opening(self.event.game, self.event.options, dict(zip(self.event.seats, pair, strict=True)))
        if bidden := self.bidden(len(self.rounds), pair):
            return Opening(self.event.game, bidden.options, bidden.sides)
        return opening_of_bids(self.event.game, self.event.options, pair)

    @property
    def strangers(self) -> Sequence[RatedGame]:
        """Games with the event's name that are not among its pairings."""
        return tuple(self._left)

    def _next(self) -> list[Encounter]:
        """Return the pairings of the next round; none where a game is open, or the event is over."""
        number, event = len(self.rounds) + 1, self.event
        names = [player.name for player in event.players]
        if self.open:
            return []
        match event.kind:
            case "round robin":
                return round_robin(names, number, twice=event.twice, apart=event.mates)
            case "knock-out":
                return knock_out(names, self.rounds)
            case _:
                here = [row.name for row in self.table() if row.name in event.there(number)]
                if number > (event.rounds or 0) or len(here) < 2:
                    return []
                if event.tables:
                    return at_tables(here, self.rounds, *event.tables, event.mates)
                return swiss(here, self.rounds, event.mates)

    def _played(self, number: int, pair: Encounter) -> Played:
        if pair.rests:
            return Played(pair, (_RESTS[self.event.kind],))
        if decided := self.event.ruling(number, pair):
            return Played(pair, decided, ruled=True)
        if self.event.bids:
            return self._after_bids(number, pair)
        if self.event.tables:
            wanted = self.opening(pair)
            game = self._taken(number, pair, wanted.game, wanted.seats)
            return Played(pair, shared_out(_placed(game, tuple(wanted.seats))), game.id) if game else Played(pair, None)
        game = self._taken(number, pair, self.event.game, dict(zip(self.event.seats, pair, strict=True)))
        return Played(pair, _points(game, self.event.seats), game.id) if game else Played(pair, None)

    def _after_bids(self, number: int, pair: Encounter) -> Played:
        """The game of two who bid for their sides: that which follows from the first bids of theirs that are over, and no other."""
        bidden = self._bid(number, pair)
        game = self._taken(number, pair, self.event.game, bidden.sides, bidden.options) if bidden else None
        if bidden is None or game is None:
            return Played(pair, None)
        seat_of = {name: seat for seat, name in bidden.sides.items()}
        return Played(pair, _points(game, (seat_of[pair.first], seat_of[pair.second])), game.id)

    def _bid(self, number: int, pair: Encounter) -> Bidden | None:
        """Take the first bids of a pairing that are over."""
        wanted = opening_of_bids(self.event.game, self.event.options, pair)
        if bids := self._taken(number, pair, wanted.game, wanted.seats, wanted.options):
            self._bidden[number, pair] = bids_of(bids, wanted.seats)
        return self.bidden(number, pair)

    def _taken(
        self,
        number: int,
        pair: Encounter,
        game: str,
        seats: Mapping[str, str],
        options: Mapping[str, Json] | None = None,
    ) -> RatedGame | None:
        """Remove and return the first unassigned game that fits a pairing: its round, players, seats, and options if given."""
        keys = {player.name: player.key for player in self.event.players}
        for one in self._left:
            shown = {seat: known[0] for seat, known in one.keys.items()}
            if (
                one.game == game
                and self._can_be_of(one, number, pair)
                and shown == {seat: keys[name] for seat, name in seats.items()}
                and (options is None or find(game).complete(options) == one.options)
            ):
                self._left.remove(one)
                return one
        return None

    def _can_be_of(self, game: RatedGame, number: int, pair: Encounter) -> bool:
        """Can a game be of that round? One that names no round is of none in which a pairing that was ruled is there again: it may
        be left over from that one."""
        if game.round:
            return game.round == number
        return not any(one.ruled and one.pair == pair for played in self.rounds[: number - 1] for one in played)

    def table(self) -> list[TableRow]:
        """Return the table: by points, then who met the stronger, then whom he beat, then games won, then as they are listed.

        At tables by points, then tables won, then who met the stronger.
        """
        names = [player.name for player in self.event.players]
        points = dict.fromkeys(names, 0)
        decided = [one for played in self.rounds for one in played if one.points is not None]
        for one in decided:
            for name, had in one.each():
                points[name] += had
        games = [one for one in decided if not one.pair.rests]
        order = {name: place for place, name in enumerate(names)}
        if self.event.tables:
            rows = [_standing_at_tables(name, points, games) for name in names]
            return sorted(rows, key=lambda row: (-row.points, -row.won, -row.met, order[row.name]))
        rows = [_standing(name, points, games) for name in names]
        return sorted(rows, key=lambda row: (-row.points, -row.met, -row.beaten, -row.won, order[row.name]))

    def teams(self) -> list[TeamRow]:
        """Return the table of teams: by the points of all in it, then by whom they met, then games won, then as they are listed."""
        rows = {row.name: row for row in self.table()}
        found = []
        for team in self.event.teams:
            own = [rows[name] for name in team.players]
            found.append(
                TeamRow(
                    team.name, sum(row.points for row in own), sum(row.met for row in own), sum(row.won for row in own),
                    sum(row.played for row in own),
                )
            )  # fmt: skip
        return sorted(found, key=lambda row: (-row.points, -row.met, -row.won))


def _points(game: RatedGame, seats: tuple[str, str]) -> tuple[int, int]:
    won = [seat in game.winners for seat in seats]
    if won[0] == won[1]:
        return DRAW, DRAW
    return (WIN, LOSS) if won[0] else (LOSS, WIN)


def _placed(game: RatedGame, seats: Sequence[str]) -> list[tuple[int, ...]]:
    """Return a sort key for each seat of a game, higher is better: whether it won, then its points by the rules."""
    points: Any = game.result.get("points") or {}
    return [(int(seat in game.winners), int(points.get(seat, 0))) for seat in seats]


def _standing(name: str, points: Mapping[str, int], decided: Sequence[Played]) -> TableRow:
    own = [(had, other) for one in decided for had, other in _of(one, name)]
    return TableRow(
        name,
        points[name],
        sum(points[other] for _had, other in own),
        sum(had * points[other] for had, other in own),
        sum(had == WIN for had, _other in own),
        len(own),
    )


def _standing_at_tables(name: str, points: Mapping[str, int], decided: Sequence[Played]) -> TableRow:
    own = [dict(one.each()) for one in decided if name in one.pair]
    met = sum(MEAN * sum(points[other] for other in had if other != name) // (len(had) - 1) for had in own)
    return TableRow(name, points[name], met, 0, sum(had[name] == TABLE_WON for had in own), len(own))


def _of(one: Played, name: str) -> Iterator[tuple[int, str]]:
    """Go through what somebody had of a game, and against whom."""
    (first, had), (second, other_had) = one.each()
    if name == first:
        yield had, second
    elif name == second:
        yield other_had, first
