"""The file of an event: its players, its game, the kind of its rounds, and later additions by its organiser.

The first part of the file (`Event.settled`) is agreed on. Its hash is part of the event's name, which is in entry 0 of each game;
each player signs it by joining. Later additions (withdrawals and rulings) are shown as the organiser's word wherever they count.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from itertools import combinations
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from pbem.errors import FormError, UsageError
from pbem.games import find
from pbem.i18n import _
from pbem.i18n.alike import odd_letters, seen
from pbem.i18n.misfits import misfit, place
from pbem.kernel import Json
from pbem.ledger import cj, sha256_hex
from pbem.ledger.entries import MAX_EVENT

from .bidding import opening_of_bids
from .pairing import Encounter
from .seating import MOST_AT_TABLE, shared_out

SHORT = 8
"""The number of digits of its hash in an event's name."""
WIN, DRAW, LOSS = 2, 1, 0
"""In half points."""
TWO = 2
"""The number of players in a game of an event without tables."""
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
    """A game that the organiser decided: the round, its players as they were paired, and how it counts; at a table by places."""

    round: int = Field(ge=1)
    players: Annotated[tuple[str, ...], Field(min_length=2)]
    result: Literal["1-0", "0-1", "1/2", "0-0"] | None = None
    places: tuple[Annotated[int, Field(ge=1, le=MOST_AT_TABLE)], ...] = ()

    @property
    def points(self) -> tuple[int, ...]:
        """How it counts for its players, in half points."""
        return _RESULTS[self.result] if self.result else shared_out([(-place,) for place in self.places])


AtTable = Annotated[int, Field(ge=2, le=MOST_AT_TABLE)]


def _check_looks(names: Sequence[str]) -> None:
    """Raise ValueError for a name that can be confused with another, or contains a look-alike of another letter."""
    looks: dict[str, str] = {}
    for name in names:
        if odd := odd_letters(name):
            raise ValueError(
                _(
                    "“{name}” contains characters that look like another letter, or like none: {odd}",
                    name=name,
                    odd=", ".join(odd),
                )
            )
        if (other := looks.setdefault(seen(name), name)) != name:
            raise ValueError(_("“{name}” looks like “{other}”", name=name, other=other))


class Event(_InFile):
    """What the file of an event says."""

    name: str = Field(min_length=1, max_length=MAX_EVENT - SHORT - 1)
    game: str
    kind: Literal["round robin", "swiss", "knock-out", "tables"]
    rounds: Annotated[int, Field(ge=1, le=30)] | None = None
    twice: bool = False
    """In a round robin: everybody meets everybody once on each side."""
    tables: tuple[AtTable, AtTable] | None = None
    """The minimum and maximum number of players at a table."""
    bids: bool = False
    """Who plays which side each pair settles by bids, in a game of its own before."""
    options: dict[str, Json] = {}
    players: Annotated[tuple[Entrant, ...], Field(min_length=2, max_length=128)]
    teams: tuple[EventTeam, ...] = ()
    withdrawals: tuple[Withdrawal, ...] = ()
    rulings: tuple[Ruling, ...] = ()

    @classmethod
    def read(cls, text: str, where: str) -> Self:
        """Read the event file (TOML). Raises UsageError that names the fault."""
        try:
            told = tomllib.loads(text)
        except ValueError as error:  # TOMLDecodeError, and a number that is too long for Python
            raise UsageError(_("{path} cannot be read as TOML: {why}.", path=where, why=error)) from error
        try:
            return cls.model_validate_json(cj(told))
        except FormError as error:
            raise UsageError(
                _("{path} is not an event: {place}: {why}.", path=where, place=_("the whole"), why=error)
            ) from error
        except ValidationError as error:
            first, schema = error.errors()[0], cls.model_json_schema()
            at = place(first, schema) or _("the whole")
            raise UsageError(
                _("{path} is not an event: {place}: {why}.", path=where, place=at, why=misfit(first, schema))
            ) from error

    @model_validator(mode="after")
    def _fits(self) -> Self:
        names = [player.name for player in self.players]
        for what in (names, [player.key for player in self.players]):
            if twice := next((one for one in what if what.count(one) > 1), None):
                raise ValueError(_("{one} is there twice", one=twice))
        _check_looks(names)
        _check_looks([team.name for team in self.teams])
        said = [*(one.player for one in self.withdrawals), *(name for one in self.rulings for name in one.players)]
        if unknown := next((name for name in said if name not in names), None):
            raise ValueError(_("{name} is not one of its players", name=unknown))
        if self.teams:
            self._check_teams(names)
        if (self.kind in ("swiss", "tables")) != (self.rounds is not None):
            raise ValueError(_("“rounds” is only for Swiss rounds and tables: the other kinds end by themselves"))
        self._check_tables()
        if self.bids:
            self._check_bids()
        return self

    def _check_bids(self) -> None:
        """Raise ValueError if bids are not possible for such games."""
        try:
            opening_of_bids(self.game, self.options, Encounter("A", "B"))
        except UsageError as error:
            raise ValueError(str(error)) from error

    def _check_tables(self) -> None:
        """Check table sizes and rulings.

        Raises ValueError if `tables` is missing or out of place, if its sizes cannot be played, or if a ruling has the wrong form.
        """
        if (self.kind == "tables") != (self.tables is not None) or (self.tables and self.tables[0] > self.tables[1]):
            raise ValueError(_("“tables” is only for tables: it says how many sit at each, as [3, 4]"))
        if self.tables and "players" in self.options:
            raise ValueError(_("“players” is not an option at tables: “tables” says how many sit at each"))
        if self.tables and len(self.players) < self.tables[0]:
            raise ValueError(_("{n} players fill no table of {least}", n=len(self.players), least=self.tables[0]))
        for one in self.rulings:
            as_two = one.result is not None and not one.places and len(one.players) == TWO
            as_table = one.result is None and len(one.places) == len(one.players)
            if not (as_table if self.tables else as_two):
                raise ValueError(
                    _("a ruling has a “result” where two play, and at tables “places”, one for each of its players")
                )
        try:
            for size in range(self.tables[0], self.tables[1] + 1) if self.tables else ():
                self.seats_of(size)
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
        """The part of the event that was agreed on before the first round."""
        teams = {"teams": [[team.name, *team.players] for team in self.teams]} if self.teams else {}
        more: dict[str, Json] = {"bids": True} if self.bids else {}
        if self.tables:
            more["tables"] = list(self.tables)
        return {
            "name": self.name, "game": self.game, "kind": self.kind, "rounds": self.rounds, "twice": self.twice,
            "options": self.options, "players": [[one.name, one.key] for one in self.players], **teams, **more,
        }  # fmt: skip

    @property
    def mates(self) -> set[frozenset[str]]:
        """Return all pairs of players who are in one team: they do not meet as long as there is a way."""
        return {frozenset(pair) for team in self.teams for pair in combinations(team.players, 2)}

    @property
    def full_name(self) -> str:
        """The event's name as its games have it (`pbem host new --event`): with the first digits of the hash of `settled`."""
        return f"{self.name} {sha256_hex(cj(self.settled))[:SHORT]}"

    @property
    def seats(self) -> tuple[str, str]:
        """The two seats of its game; the first of a pair takes the first seat. Raises UsageError if the game has more seats."""
        rules = find(self.game).rules
        seats = tuple(rules.seats(find(self.game).complete(self.options)))
        if len(seats) != TWO:
            raise UsageError(
                _(
                    "Two meet in an event, and {game} has {n} seats here. For more there is kind = \"tables\".",
                    game=rules.title, n=len(seats),
                )
            )  # fmt: skip
        return seats[0], seats[1]

    def seats_of(self, size: int) -> tuple[str, ...]:
        """Return the seats of a table of that size. Raises UsageError if the game cannot be played by that number."""
        rules = find(self.game).rules
        seats = tuple(rules.seats(find(self.game).complete({**self.options, "players": size})))
        if len(seats) != size:
            raise UsageError(_("{game} cannot be played by {n} here.", game=rules.title, n=size))
        return seats

    def there(self, number: int) -> list[str]:
        """Return who plays in a round, by what the organiser said of withdrawals."""
        gone = {one.player for one in self.withdrawals if one.after < number}
        return [player.name for player in self.players if player.name not in gone]

    def ruling(self, number: int, pair: Encounter) -> tuple[int, ...] | None:
        """Return what the organiser decided of a pairing, in half points; who withdrew has lost what he does not play."""
        for one in self.rulings:
            if one.round == number and one.players == tuple(pair):
                return one.points
        here = self.there(number)
        if not pair.rests and (pair.first not in here or pair.second not in here):
            return (WIN if pair.first in here else LOSS), (WIN if pair.second in here else LOSS)
        return None
