"""The command event: the rounds and the table of an event, from its file and the logs of its games."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.i18n import _

from . import screen
from .common import OtherRules, echo_json, read_text, rules_lent, say_taken
from .language import for_programs
from .ratings import GivenRegisters, log_files, registers_of, results_of_files

if TYPE_CHECKING:
    from pbem.club.bidding import Opening
    from pbem.club.event import Event
    from pbem.club.event_course import EventCourse
    from pbem.club.pairing import Played

_HOURS = 72
"""The time for an answer that a command names for a rated game, which needs one."""


def event(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The event, as its organiser wrote it.")],
    logs: Annotated[
        list[Path] | None, typer.Argument(metavar="[LOG]…", help="Logs of its games, or folders with .pbem files.")
    ] = None,
    register: GivenRegisters = None,
    rules: OtherRules = None,
    json: Annotated[bool, typer.Option("--json", callback=for_programs, help="Print one JSON object.")] = False,
) -> None:
    """Pair an event's rounds and show its standings, from its file and the logs of its games: the same on any machine."""
    from pbem.club.event import Event
    from pbem.club.event_course import EventCourse
    from pbem.club.event_json import as_json
    from pbem.club.results import RatedGame

    told = Event.read(read_text(str(file)), str(file))
    with rules_lent(rules) as lent:
        found, file_of = results_of_files(
            list(log_files(logs or [])), lent, registers_of(register) if register else None
        )
    games = {game.id: game for game in found if isinstance(game, RatedGame)}
    course = EventCourse(told, list(games.values()))
    if json:
        echo_json(as_json(course))
        return
    say_taken(lent)
    screen.echo("\n".join(_in_words(course)))
    for one in found:
        if not isinstance(one, RatedGame):
            screen.echo(_("Left out:") + f" {file_of[one.id]}: {one.why}")
    for game in course.strangers:
        screen.echo(
            _("It has the event's name, but it is not one of the event's pairings: {file}", file=file_of[game.id])
        )


def _in_words(course: EventCourse) -> Iterator[str]:
    from pbem.club.standings import KINDS
    from pbem.games import find
    from pbem.look import PageTable
    from pbem.reports.text import set_out

    event = course.event
    yield _(
        "{name}: {game}, {kind}.", name=event.full_name, game=find(event.game).rules.title, kind=_(KINDS[event.kind])
    )
    heads, rows = _standing_at_tables(course) if event.tables else _standing(course)
    yield "\n" + set_out(PageTable(_("Table"), heads, rows))
    if event.teams:
        headed = ("", _("Team"), _("Points"), _("Buchholz"), _("Won"), _("Games"))
        cells = [
            (f"{place}", row.name, _parts(row.points, 2), _met(course, row.met), f"{row.won}", f"{row.played}")
            for place, row in enumerate(course.teams(), 1)
        ]
        yield "\n" + set_out(PageTable(_("Teams"), headed, tuple(cells)))
    for number, played in enumerate(course.rounds, 1):
        told = [_told(course, number, place, one) for place, one in enumerate(played, 1)]
        yield "\n" + set_out(PageTable(_("Round {n}", n=number), ("",) * len(told[0]), tuple(told)))
    if course.over:
        yield "\n" + _("The event is over.")
    elif missing := course.open:
        yield "\n" + _("These games are not decided. Where one is not open yet:")
        yield from (f"  {_command(event, len(course.rounds), course.opening(pair))}" for pair in missing)


_Cells = tuple[str, ...]


def _standing(course: EventCourse) -> tuple[_Cells, tuple[_Cells, ...]]:
    heads = ("", _("Player"), _("Points"), _("Buchholz"), _("Sonneborn-Berger"), _("Won"), _("Games"))
    return heads, tuple(
        (
            f"{place}",
            row.name,
            _parts(row.points, 2),
            _parts(row.met, 2),
            _parts(row.beaten, 4),
            f"{row.won}",
            f"{row.played}",
        )
        for place, row in enumerate(course.table(), 1)
    )


def _standing_at_tables(course: EventCourse) -> tuple[_Cells, tuple[_Cells, ...]]:
    heads = ("", _("Player"), _("Points"), _("Tables won"), _("Buchholz"), _("Games"))
    return heads, tuple(
        (f"{place}", row.name, _parts(row.points, 2), f"{row.won}", _met(course, row.met), f"{row.played}")
        for place, row in enumerate(course.table(), 1)
    )


def _met(course: EventCourse, met: int) -> str:
    """Return what those have whom one met; at tables what they have on average, in whole points and parts of one."""
    from pbem.club.event_course import MEAN

    return _parts(met, 2 * MEAN if course.event.tables else 2)


def _told(course: EventCourse, number: int, place: int, one: Played) -> _Cells:
    """Return a row of a round: a pairing or a table, its result, and its bids."""
    if course.event.tables:
        return _table_row(place, one)
    return (*_row(one), _bids(course, number, one)) if course.event.bids else _row(one)


def _table_row(place: int, one: Played) -> _Cells:
    if one.pair.rests:
        return "–", one.pair.first, _("rests")
    if one.points is None:
        return f"{place}", ", ".join(one.pair), _("not decided")
    told = ", ".join(f"{name} {_parts(points, 2)}" for name, points in one.each())
    return f"{place}", told, _("by the organiser") if one.ruled else ""


def _row(one: Played) -> tuple[str, str, str]:
    if not one.pair.second:
        return one.pair.first, "–", _("rests")
    if one.points is None:
        return one.pair.first, one.pair.second, _("not decided")
    told = " : ".join(_parts(points, 2) for points in one.points)
    return one.pair.first, one.pair.second, _("{result} (by the organiser)", result=told) if one.ruled else told


def _parts(parts: int, of: int) -> str:
    """Return `parts` of `of` in the form of the club's pages."""
    from pbem.club.standings import mixed

    return mixed(parts, of)


def _bids(course: EventCourse, number: int, one: Played) -> str:
    """Return what two bid: who plays which side, and the net bid."""
    from pbem.games import find

    bidden = course.bidden(number, one.pair)
    if bidden is None:
        return _("no bids yet") if one.points is None else ""
    look = find(course.event.game).look
    sides = ", ".join(f"{name}: {look.seat_name(seat)}" for seat, name in bidden.sides.items())
    net = bidden.bid or _("no bid in force")
    return f"{sides}; {net}"


def _command(event: Event, number: int, wanted: Opening) -> str:
    """Return the command that opens a game, but for the addresses, which the event does not know."""
    from pbem.games import find

    usual = find(wanted.game).complete({})
    given = {name: value for name, value in wanted.options.items() if value != usual.get(name) or name in event.options}
    options = "".join(f" --option {name}={quote(str(value))}" for name, value in given.items() if value != "")
    named = [(seat, _("ADDRESS-OF-{name}", name=name.replace(" ", "-"))) for seat, name in wanted.seats.items()]
    seats = " ".join(f"--seat {seat}={address}" for seat, address in named)
    return (
        f"pbem host new --game {wanted.game}{options} --rated --hours {_HOURS} --event {quote(event.full_name)} "
        f"--round {number} {seats}"
    )
