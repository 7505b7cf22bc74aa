"""What several tests need of tables: text, event, game."""

from __future__ import annotations

from pbem.club.event import Event
from pbem.club.pairing import Encounter
from pbem.club.results import RatedGame

from .games import known

PEOPLE = ("rose", "iain", "moira", "ann", "bob", "cat", "dan")
FILE = """
name = "Glen Cup"
game = "{game}"
kind = "tables"
rounds = 3
tables = [2, 3]
[options]
{options}
{players}
"""


def text(people: tuple[str, ...] = PEOPLE, later: str = "", game: str = "tiny", options: str = "turns = 1") -> str:
    players = "\n".join(f'[[players]]\nname = "{name.title()}"\nkey = "{known(name)}"' for name in people)
    return FILE.format(game=game, options=options, players=players) + later


def event(later: str = "") -> Event:
    return Event.read(text(later=later), "cup.toml")


def game(event: Event, seated: Encounter, *points: int, won: str = "", at: str = "2030-01-01T00:00:00Z") -> RatedGame:
    """A game of theirs that came out so, and that one of them has won, or who has the most."""
    seats = event.seats_of(len(seated))
    keys = {seat: (known(name.lower()),) for seat, name in zip(seats, seated, strict=True)}
    best = won or seated[points.index(max(points))]
    result = {"winner": seats[seated.index(best)], "points": dict(zip(seats, points, strict=True))}
    named = f"{'-'.join(seated)} {at}"
    return RatedGame(
        named, "", at, event.game, event.full_name, (), keys, (seats[seated.index(best)],), {}, result
    )  # fmt: skip
