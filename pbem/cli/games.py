"""The command games: how the games of a desk stand, and which letters did not arrive yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pbem.i18n import _

from . import screen
from .common import HOME, echo_json, moment
from .desk import Home, desk_in
from .language import for_programs

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from pbem.player import Desk, Notes
    from pbem.player.overview import Overview


def games(
    json: Annotated[bool, typer.Option("--json", callback=for_programs, help="Print JSON.")] = False,
    home: Home = HOME,
) -> None:
    """List your games and whose turn it is. Also lists letters that wait to be sent, and letters without a receipt."""
    from pbem.player.overview import overview

    from .pair import pair_json, pair_told, pairs_named, trouble_json, trouble_of, without_notes

    desk = desk_in(home)
    desk.tray.settle()
    from pbem.errors import PbemError

    found = [overview(desk, notes) for notes in desk.games()]
    pairs = pairs_named(desk)
    if json:
        told_pairs = []
        for seat in pairs:
            try:
                told_pairs.append(pair_json(seat))
            except PbemError as error:
                told_pairs.append(trouble_json(seat, error))
        echo_json([*(one.to_json() for one in found), *told_pairs])
        return
    lost = list(without_notes(desk))
    if not found and not pairs and not lost:
        screen.say(
            _(
                "There is no game on this desk. “pbem with ADDRESS” begins one with a friend, “pbem join MAIL” takes up an "
                "invitation; “pbem turn” looks for invitations in your mailbox."
            )
        )
    for one in found:
        screen.say(told(desk, one))
    for seat in pairs:
        try:
            screen.say(pair_told(seat))
        except PbemError as error:
            screen.say(trouble_of(seat, error))
    for log in lost:
        screen.say(
            _(
                "The notes of the game of two in {log} are not here: “pbem read {log}” makes them anew, from key and log.",
                log=log,
            )
        )
    if any(one.missed for one in found):
        screen.say(_("“pbem send --again” hands out once more what has no receipt; sending twice does no harm."))


def told(desk: Desk, one: Overview) -> str:
    """Return what there is to say of a game: which it is, how it stands, and what of its letters."""
    return "\n".join([heading(desk, one), *(f"  {line}" for line in [_how(desk, one), *_letters(one)])])


def how_it_begins(desk: Desk, notes: Notes) -> str:
    """Return how a game stands that has not begun, and by what it does; "" of any other."""
    from pbem.player.overview import overview

    one = overview(desk, notes)
    return _how(desk, one) if one.state in ("joining", "ready") else ""


def heading(desk: Desk, one: Overview) -> str:
    """Return which game it is."""
    return _(
        "{title}, game {game}. You play {seat}.",
        title=one.title,
        game=one.game[:8],
        seat=seat_names(desk, desk.notes(one.game), [one.seat]),
    )


def seat_names(desk: Desk, notes: Notes, seats: Iterable[str]) -> str:
    """Return the names of seats, as the game has them."""
    return ", ".join(map(desk.seat(notes).pack.look.seat_name, seats))


def _how(desk: Desk, one: Overview) -> str:
    """Return how a game stands, in a sentence or two."""
    notes = desk.notes(one.game)
    others = seat_names(desk, notes, [seat for seat in one.seats if seat != one.seat])
    named = {"seats": others, "since": moment(one.since, notes.zone)}
    match one.state:
        case "mine":
            said = _("It is your turn, since {since}.", **named)
        case "answered" if others:
            said = _("You have answered. Waiting for {seats} since {since}.", **named)
        case "answered":
            said = _("You have answered; the host has not gone on yet. The question was put at {since}.", **named)
        case "others" if others:
            said = _("Waiting for {seats} since {since}.", **named)
        case "others":
            said = _("Waiting for the host since {since}.", **named)
        case "joining" if not one.seats:
            said = _("You have taken your seat; the host has not said more yet.")
        case "joining" if one.seat in one.seats:
            said = _("You are invited. “pbem join MAIL”, with the mail that invites you, takes the seat.")
        case "joining":
            said = _("Not all seats are taken yet: {seats}.", seats=seat_names(desk, notes, one.seats))
        case "ready" if one.seat in one.seats:
            said = _(
                "It waits until you say that you are ready: “pbem turn” asks, or “pbem join MAIL” does it by the mail "
                "with the keys."
            )
        case "ready" if not others:
            said = _("All are ready, as far as is known here; the host goes on.")
        case "ready":
            said = _("You are ready. Waiting for {seats} to be so, too, since {since}.", **named)
        case "gone":
            said = _("You play it no more.")
        case _:
            said = _("It is over.")
    if one.due and one.state == "mine":
        said += " " + _("Answer before {due}.", due=moment(one.due, notes.zone))
    return said


def _letters(one: Overview) -> list[str]:
    """Return what there is to say of the letters of a game."""
    lines = [_("Waits to be sent: {name}", name=_name(path)) for path in one.waiting]
    for path in one.missed:
        if path.parent.name == "given":
            said = _("Given out, and no receipt yet: {name}. Did your mail program send it?", name=_name(path))
        else:
            said = _("Sent, and no receipt yet: {name}", name=_name(path))
        lines.append(said)
    return lines


def _name(path: Path) -> str:
    return path.stem.partition(".")[2]
