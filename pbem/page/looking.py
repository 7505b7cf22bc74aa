"""Views without a game: the list of installed rules, and a typed position. The calls, and their answers.

A position is shown as `pbem board --from` shows it: to all seats at once, or to one seat. It belongs to no game, so nothing in it
is secret, and nothing is saved.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from pbem.errors import UsageError
from pbem.games import find, known, manifest
from pbem.games.releases import named, said_of
from pbem.i18n import _
from pbem.reports.text import groups

from . import playing
from .calls import DeskCall, InOut, Reply, SeatName, Text, Word
from .chair import picture, seen_by


class AskRules(DeskCall):
    """By which rules games are played here."""

    call: Literal["rules"] = "rules"


class RulesOfGame(Reply):
    game: str
    title: str
    version: int
    sha256: str = Field(description="of their manifest, in groups, to be compared")
    says: str = Field(description="which release plays by them")


class RulesHere(Reply):
    rules: tuple[RulesOfGame, ...]


class ShowPlaced(DeskCall):
    """A position in words, or as JSON, to be shown."""

    call: Literal["place"] = "place"
    text: Text
    game: Word = Field(default="", description="which it is of, where it does not say so")
    seat: Word = Field(default="", description="as this seat sees it; else as all do")


class PlacedShown(Reply):
    title: str
    seats: tuple[SeatName, ...] = Field(description="all of the game's")
    drawing: playing.SvgDrawing | None = Field(description="of all that is seen by those who are shown")
    seen: tuple[playing.SeenBy, ...]


LOOKING: dict[str, InOut] = {
    "rules": InOut(AskRules, RulesHere),
    "place": InOut(ShowPlaced, PlacedShown),
}
"""By the name of the call: what goes in, and what comes out."""


def rules_here() -> RulesHere:
    """Return the rules of all games that are here."""
    return RulesHere(rules=tuple(map(_rules_of, known())))


def _rules_of(game: str) -> RulesOfGame:
    rules, sha256 = find(game).rules, manifest(game)[1]
    listed = named(sha256)
    release = listed.release if listed and (listed.game, listed.version) == (rules.id, rules.version) else None
    return RulesOfGame(
        game=game, title=rules.title, version=rules.version, sha256=groups(sha256), says=said_of(release)
    )


def placed(asked: ShowPlaced) -> PlacedShown:
    """Return the views of a position. Raises OrderError, FormError or UsageError if it is invalid or has no such seat."""
    from pbem.games.positions import read, standing  # it comes later than the rest of a page

    found = read(asked.text, find(asked.game or known()[0]))
    rules, look = found.pack.rules, found.pack.look
    seats = rules.seats(found.options)
    if asked.seat and asked.seat not in seats:
        raise UsageError(
            _("There is no seat “{seat}”; the seats are {seats}.", seat=asked.seat, seats=", ".join(seats))
        )
    with standing():
        views = {one: rules.read_view(rules.view(found.state, one)) for one in seats if asked.seat in ("", one)}
        return PlacedShown(
            title=rules.title,
            seats=tuple(SeatName(seat=one, name=look.seat_name(one)) for one in seats),
            drawing=picture(found.pack, views),
            seen=tuple(seen_by(found.pack, one, view) for one, view in views.items()),
        )
