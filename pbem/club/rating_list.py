"""The rating list that follows from logs: the players of each game, and the logs that do not count, with reasons.

The list depends on the logs alone, not on their order, on duplicates or on the machine. Rated games are taken in the order in
which they ended, then by id. Of two copies of one game, the same one is always read. If two copies have different ends, neither
counts, and the list says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import field

from pbem.i18n import _
from pbem.kernel import Json
from pbem.records import dataclass

from .people import People
from .results import LeftOut, RatedGame
from .strength import Strength, after_game

SURE = 150
"""A rating with a larger deviation is marked as a first guess."""


@dataclass(frozen=True, slots=True)
class RatedPlayer:
    """A row of the list: a player by his first key, all his keys, his games and wins, and his resulting strength."""

    key: str
    keys: tuple[str, ...]
    games: int
    won: int
    shared: int
    """Games that he won together with others, or that nobody won."""
    strength: Strength

    @property
    def sure(self) -> bool:
        """Has he played enough for the rating to say something?"""
        return self.strength.deviation <= SURE


@dataclass
class _Rows:
    strengths: dict[str, Strength] = field(default_factory=dict)
    games: Counter[str] = field(default_factory=Counter)
    won: Counter[str] = field(default_factory=Counter)
    shared: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class RatingList:
    """The lists of all games, by the id of the game; `counted` in the order in which they count."""

    games: Mapping[str, tuple[RatedPlayer, ...]]
    counted: tuple[RatedGame, ...]
    left_out: tuple[LeftOut, ...]

    @classmethod
    def of(
        cls, results: Iterable[RatedGame | LeftOut], event: str | None = None, hosts: Collection[str] = ()
    ) -> RatingList:
        """Return what follows from the results of logs.

        With `event` from its games alone; with `hosts`, fingerprints, from games alone that had no other host.
        """
        one_each = [_wanted(result, event, hosts) for result in _unlike(results)]
        rated = sorted((one for one in one_each if isinstance(one, RatedGame)), key=lambda game: (game.at, game.id))
        people = People(keys for game in rated for keys in game.keys.values())
        alone = [LeftOut(game.id, _("One player has two of its seats.")) for game in rated if _alone(people, game)]
        counted = tuple(game for game in rated if not _alone(people, game))
        left_out = [*alone, *(one for one in one_each if isinstance(one, LeftOut))]
        by_game: dict[str, _Rows] = {}
        for game in counted:
            _count(by_game.setdefault(game.game, _Rows()), people, game)
        rows = {name: _sorted(people, by_game[name]) for name in sorted(by_game)}
        return cls(rows, counted, tuple(sorted(left_out, key=lambda one: (one.id, one.why))))

    def to_json(self) -> dict[str, Json]:
        """Return the list as JSON: whole numbers; mean and spread in ten-thousandths."""
        return {
            "games": {
                name: [
                    {
                        "key": row.key, "keys": list(row.keys), "games": row.games, "won": row.won, "shared": row.shared,
                        "rating": row.strength.rating, "deviation": row.strength.deviation,
                        "mean": row.strength.mean, "spread": row.strength.spread,
                    }
                    for row in rows
                ]
                for name, rows in self.games.items()
            },
            "counted": [
                {"id": game.id, "head": game.head, "at": game.at, "game": game.game, "event": game.event}
                for game in self.counted
            ],
            "left_out": [{"id": one.id, "why": one.why} for one in self.left_out],
        }  # fmt: skip


def _unlike(results: Iterable[RatedGame | LeftOut]) -> Iterator[RatedGame | LeftOut]:
    """Go through results so that one game gives one: of a copy that counts and one that does not, the one that counts."""
    by_id: dict[str, list[RatedGame | LeftOut]] = {}
    for result in results:
        by_id.setdefault(result.id, []).append(result)
    for played, copies in by_id.items():
        rated = [copy for copy in copies if isinstance(copy, RatedGame)]
        if len({copy.head for copy in rated}) > 1:
            yield LeftOut(played, _("Copies of this game have different ends."))
        else:
            yield rated[0] if rated else min(copies, key=lambda copy: copy.why if isinstance(copy, LeftOut) else "")


def _wanted(result: RatedGame | LeftOut, event: str | None, hosts: Collection[str]) -> RatedGame | LeftOut:
    if isinstance(result, RatedGame):
        if event is not None and result.event != event:
            return LeftOut(result.id, _("It is not a game of {event}.", event=event))
        if result.is_before_others:
            return LeftOut(result.id, _("It settles which games follow, and nobody wins it."))
        if hosts and (other := [host for host in result.hosts if host not in hosts]):
            return LeftOut(result.id, _("Its host is another: {key}.", key=other[0]))
    return result


def _alone(people: People, game: RatedGame) -> bool:
    return len({people.player(keys[0]) for keys in game.keys.values()}) < len(game.keys)


def _count(rows: _Rows, people: People, game: RatedGame) -> None:
    seats = {seat: people.player(keys[0]) for seat, keys in game.keys.items()}
    places = {seats[seat]: place for seat, place in game.places().items()}
    before = {player: rows.strengths.get(player, Strength()) for player in places}
    rows.strengths |= after_game(before, places)
    alone = len(game.winners) == 1
    for player, place in places.items():
        rows.games[player] += 1
        rows.won[player] += alone and place == 1
        rows.shared[player] += not alone and (place == 1 or not game.winners)


def _sorted(people: People, rows: _Rows) -> tuple[RatedPlayer, ...]:
    found = [
        RatedPlayer(player, people.keys(player), rows.games[player], rows.won[player], rows.shared[player], strength)
        for player, strength in rows.strengths.items()
    ]
    return tuple(sorted(found, key=lambda row: (-row.strength.rating, row.key)))
