"""An event: who plays in it, how its rounds are paired, and how it stands, all of it from one file and the logs of its games.

The file's first part (`Event.settled`) is agreed on: its hash stands in the event's name, which each game has in its entry 0 and
each player signs by joining. What the organiser adds later, who withdrew and which game he decided, is told as his word wherever it
counts. A round is paired when all games before it are decided, by nothing but the file and results: anybody can pair it again.

With bids, each pair of a round bids for the better side in a game of its own (`bidding`); the game that follows from it is theirs.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from pbem.errors import UsageError
from pbem.games import find
from pbem.i18n import _
from pbem.i18n.misfits import misfit, place
from pbem.kernel import Json
from pbem.ledger import cj, sha256_hex
from pbem.ledger.entries import MAX_EVENT

from .bidding import Bidden, Opening, bids_of, opening_of_bids
from .pairing import Encounter, Played, knock_out, round_robin, swiss
from .results import RatedGame

SHORT = 8
"""So many digits of its hash stand in an event's name."""
WIN, DRAW, LOSS = 2, 1, 0
"""In half points."""
_RESULTS = {"1-0": (WIN, LOSS), "0-1": (LOSS, WIN), "1/2": (DRAW, DRAW), "0-0": (LOSS, LOSS)}


class _InFile(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Entrant(_InFile):
    """Somebody who plays: his name in this event, and the fingerprint of the key with which he joins its games."""

    name: str = Field(min_length=1, max_length=40)
    key: str = Field(pattern=r"^SHA256:[A-Za-z0-9+/]{43}$")


class EventTeam(_InFile):
    """Some who play together: they do not meet each other, and their points are added up."""

    name: str = Field(min_length=1, max_length=40)
    players: Annotated[tuple[str, ...], Field(min_length=1)]


class Withdrawal(_InFile):
    """Somebody who plays no round after that one."""

    player: str
    after: int = Field(ge=0)


class Ruling(_InFile):
    """A game that the organiser decided: the round, both players as they were paired, and how it counts."""

    round: int = Field(ge=1)
    players: tuple[str, str]
    result: Literal["1-0", "0-1", "1/2", "0-0"]


class Event(_InFile):
    """What the file of an event says."""

    name: str = Field(min_length=1, max_length=MAX_EVENT - SHORT - 1)
    game: str
    kind: Literal["round robin", "swiss", "knock-out"]
    rounds: Annotated[int, Field(ge=1, le=30)] | None = None
    twice: bool = False
    """In a round robin: everybody meets everybody once on each side."""
    bids: bool = False
    """Who plays which side each pair settles by bids, in a game of its own before."""
    options: dict[str, Json] = {}
    players: Annotated[tuple[Entrant, ...], Field(min_length=2, max_length=128)]
    teams: tuple[EventTeam, ...] = ()
    withdrawals: tuple[Withdrawal, ...] = ()
    rulings: tuple[Ruling, ...] = ()

    @classmethod
    def read(cls, text: str, where: str) -> Self:
        """Read the file (TOML). Raises UsageError that says what is wrong in it."""
        try:
            return cls.model_validate_json(_json(text))
        except tomllib.TOMLDecodeError as error:
            raise UsageError(_("{path} cannot be read as TOML: {why}.", path=where, why=error)) from error
        except ValidationError as error:
            first, schema = error.errors()[0], cls.model_json_schema()
            at = place(first, schema) or _("the whole")
            raise UsageError(
                _("{path} is no event: {place}: {why}.", path=where, place=at, why=misfit(first, schema))
            ) from error

    @model_validator(mode="after")
    def _fits(self) -> Self:
        names = [player.name for player in self.players]
        for what in (names, [player.key for player in self.players]):
            if twice := next((one for one in what if what.count(one) > 1), None):
                raise ValueError(_("{one} is there twice", one=twice))
        said = [*(one.player for one in self.withdrawals), *(name for one in self.rulings for name in one.players)]
        if unknown := next((name for name in said if name not in names), None):
            raise ValueError(_("{name} is none of its players", name=unknown))
        if self.teams:
            self._check_teams(names)
        if (self.kind == "swiss") != (self.rounds is not None):
            raise ValueError(_("“rounds” belongs to a Swiss event, and to no other: the others end by themselves"))
        if self.bids:
            self._check_bids()
        return self

    def _check_bids(self) -> None:
        """Raise ValueError where there are no bids for such games."""
        try:
            opening_of_bids(self.game, self.options, Encounter("A", "B"))
        except UsageError as error:
            raise ValueError(str(error)) from error

    def _check_teams(self, names: Sequence[str]) -> None:
        """Raise ValueError where not everybody is in one team, or not all teams are of one size."""
        inside = [player for team in self.teams for player in team.players]
        for name in (*names, *inside):
            if name not in names or inside.count(name) != 1:
                raise ValueError(_("each player is in one team; “{name}” is not", name=name))
        if len({len(team.players) for team in self.teams}) > 1:
            raise ValueError(_("teams have all as many players"))
        called = [team.name for team in self.teams]
        if twice := next((one for one in called if called.count(one) > 1), None):
            raise ValueError(_("{one} is there twice", one=twice))

    @property
    def settled(self) -> dict[str, Json]:
        """What was agreed on before the first round."""
        teams = {"teams": [[team.name, *team.players] for team in self.teams]} if self.teams else {}
        bids = {"bids": True} if self.bids else {}
        return {
            "name": self.name, "game": self.game, "kind": self.kind, "rounds": self.rounds, "twice": self.twice,
            "options": self.options, "players": [[one.name, one.key] for one in self.players], **teams, **bids,
        }  # fmt: skip

    @property
    def mates(self) -> set[frozenset[str]]:
        """Return all pairs of players who are in one team: they do not meet as long as there is a way."""
        return {frozenset(pair) for team in self.teams for pair in combinations(team.players, 2)}

    @property
    def full_name(self) -> str:
        """The name that its games bear (`pbem host new --event`): with the beginning of the hash of what was agreed on."""
        return f"{self.name} {sha256_hex(cj(self.settled))[:SHORT]}"

    @property
    def seats(self) -> tuple[str, str]:
        """The two seats of its game: who is paired first has the first. Raises UsageError for a game of more."""
        rules = find(self.game).rules
        seats = tuple(rules.seats(find(self.game).complete(self.options)))
        if len(seats) != 2:
            raise UsageError(
                _("An event pairs players, and {game} has {n} seats here.", game=rules.title, n=len(seats))
            )
        return seats[0], seats[1]

    def there(self, number: int) -> list[str]:
        """Return who plays in a round, by what the organiser said of withdrawals."""
        gone = {one.player for one in self.withdrawals if one.after < number}
        return [player.name for player in self.players if player.name not in gone]

    def ruling(self, number: int, pair: Encounter) -> tuple[int, int] | None:
        """Return what the organiser decided of a pairing, in half points; who withdrew has lost what he does not play."""
        for one in self.rulings:
            if one.round == number and one.players == (pair.first, pair.second):
                return _RESULTS[one.result]
        here = self.there(number)
        if pair.second and (pair.first not in here or pair.second not in here):
            return (WIN if pair.first in here else LOSS), (WIN if pair.second in here else LOSS)
        return None


def _json(text: str) -> bytes:
    return cj(tomllib.loads(text))


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of the table: points and tie-breaks in half points."""

    name: str
    points: int
    met: int
    """Buchholz: the points of all whom he met."""
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

    @property
    def over(self) -> bool:
        """Is every game of it decided?"""
        return not self.open and not self._next()

    @property
    def open(self) -> list[Encounter]:
        """The games of the last round that are not decided."""
        return [one.pair for one in self.rounds[-1] if one.points is None] if self.rounds else []

    def bidden(self, number: int, pair: Encounter) -> Bidden | None:
        """Return what two bid for their game of a round; None as long as they have not, or where nobody bids."""
        return self._bidden.get((number, pair))

    def opening(self, pair: Encounter) -> Opening:
        """Return what is to be opened for a pairing that is not decided: its game, or first the bids for it."""
        if not self.event.bids:
            return Opening(self.event.game, self.event.options, dict(zip(self.event.seats, pair, strict=True)))
        if bidden := self.bidden(len(self.rounds), pair):
            return Opening(self.event.game, bidden.options, bidden.sides)
        return opening_of_bids(self.event.game, self.event.options, pair)

    @property
    def strangers(self) -> Sequence[RatedGame]:
        """Games that bear its name and are none of its pairings."""
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
                return swiss(here, self.rounds, event.mates) if number <= (event.rounds or 0) and len(here) > 1 else []

    def _played(self, number: int, pair: Encounter) -> Played:
        if not pair.second:
            return Played(pair, (WIN if self.event.kind != "round robin" else LOSS, LOSS))
        if decided := self.event.ruling(number, pair):
            return Played(pair, decided, ruled=True)
        if self.event.bids:
            return self._after_bids(number, pair)
        game = self._taken(self.event.game, dict(zip(self.event.seats, pair, strict=True)))
        return Played(pair, _points(game, self.event.seats), game.id) if game else Played(pair, None)

    def _after_bids(self, number: int, pair: Encounter) -> Played:
        """The game of two who bid for their sides: that which follows from the first bids of theirs that are over, and no other."""
        wanted = opening_of_bids(self.event.game, self.event.options, pair)
        bids = self._taken(wanted.game, wanted.seats, wanted.options)
        if bids is None:
            return Played(pair, None)
        bidden = self._bidden[number, pair] = bids_of(bids, wanted.seats)
        game = self._taken(self.event.game, bidden.sides, bidden.options)
        if game is None:
            return Played(pair, None)
        seat_of = {name: seat for seat, name in bidden.sides.items()}
        return Played(pair, _points(game, (seat_of[pair.first], seat_of[pair.second])), game.id)

    def _taken(
        self, game: str, seats: Mapping[str, str], options: Mapping[str, Json] | None = None
    ) -> RatedGame | None:
        """Return the first game of those that are left which was played by these, by name, on these seats, with these options where
        they matter; it is left no more."""
        keys = {player.name: player.key for player in self.event.players}
        for one in self._left:
            shown = {seat: known[0] for seat, known in one.keys.items()}
            if (
                one.game == game
                and shown == {seat: keys[name] for seat, name in seats.items()}
                and (options is None or find(game).complete(options) == one.options)
            ):
                self._left.remove(one)
                return one
        return None

    def table(self) -> list[TableRow]:
        """Return the table: by points, then who met the stronger, then whom he beat, then games won, then as they are listed."""
        names = [player.name for player in self.event.players]
        points = dict.fromkeys(names, 0)
        decided = [one for played in self.rounds for one in played if one.points is not None]
        for one in decided:
            for name, had in one.each():
                points[name] += had
        rows = [_standing(name, points, [one for one in decided if one.pair.second]) for name in names]
        order = {name: place for place, name in enumerate(names)}
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


def _of(one: Played, name: str) -> Iterator[tuple[int, str]]:
    """Go through what somebody had of a game, and against whom."""
    (first, had), (second, other_had) = one.each()
    if name == first:
        yield had, second
    elif name == second:
        yield other_had, first
