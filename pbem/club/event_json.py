"""How an event goes, as JSON: for programs, and for the page of players (`GET door/standings`)."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from pbem.games import find
from pbem.kernel import Json

if TYPE_CHECKING:
    from .event_course import EventCourse
    from .pairing import Played


def as_json(course: EventCourse, missing: Collection[str] = ()) -> dict[str, Json]:
    """Return how an event goes: points in half points, the rest as the table has it; games by the ids of their logs. Of a game that
    is not decided it says whose address is `missing`: so it is not open."""
    keys = {player.name: player.key for player in course.event.players}
    return {
        "event": course.event.full_name, "name": course.event.name,
        "game": find(course.event.game).rules.title, "kind": course.event.kind,
        "over": course.over,
        "table": [
            {
                "name": row.name, "key": keys[row.name], "half_points": row.points, "buchholz": row.met,
                "sonneborn_berger": row.beaten, "won": row.won, "games": row.played,
            }
            for row in course.table()
        ],
        "teams": [
            {"name": row.name, "half_points": row.points, "buchholz": row.met, "won": row.won, "games": row.played}
            for row in course.teams()
        ],
        "rounds": [
            [_pairing(one) | _bids(course, number, one) | _missing(one, missing) for one in played]
            for number, played in enumerate(course.rounds, 1)
        ],
        "strangers": [game.id for game in course.strangers],
    }  # fmt: skip


def _pairing(one: Played) -> dict[str, Json]:
    points = list(one.points) if one.points is not None else None
    told: dict[str, Json] = {"half_points": points, "game": one.game, "ruled": one.ruled}
    return {"first": one.pair.first, "second": one.pair.second, "players": list(one.pair)} | told


def _bids(course: EventCourse, number: int, one: Played) -> dict[str, Json]:
    bidden = course.bidden(number, one.pair)
    return {"bids": {"game": bidden.game, "bid": bidden.bid, "seats": dict(bidden.sides)}} if bidden else {}


def _missing(one: Played, missing: Collection[str]) -> dict[str, Json]:
    lost = [name for name in one.pair if name in missing] if one.points is None else []
    return {"missing": lost} if lost else {}
