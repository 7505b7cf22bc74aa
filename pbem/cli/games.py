"""The command games: the state of a desk's games, and the letters that have not arrived yet."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.errors import PbemError
from pbem.i18n import N_, _

from . import screen
from .common import HOME, echo_json, moment, now, write_bytes
from .desk import Home, desk_in
from .language import for_programs

if TYPE_CHECKING:
    from pathlib import Path

    from pbem.kernel import Json
    from pbem.player import Desk
    from pbem.player.overview import Overview
    from pbem.player.speaker import Speaker

_HOLDS = {
    "two": N_("your turn, with what your program has to say"),
    "talk": N_("your words"),
    "word": N_("your statement outside your turn"),
    "whole": N_("your whole log"),
}


def games(
    json: Annotated[bool, typer.Option("--json", callback=for_programs, help="Print JSON.")] = False,
    home: Home = HOME,
) -> None:
    """List your games and whose turn it is. Also lists letters that are not sent yet, and letters without a receipt."""
    desk = desk_in(home)
    desk.tray.settle()
    found = desk.speakers()
    if json:
        echo_json([_json(one) for one in found])
        return
    lost = desk.without_notes()
    if not found and not lost:
        screen.say(
            _(
                "There is no game on this desk. “pbem with ADDRESS” begins one with a friend, and “pbem join "
                "MAIL” accepts an invitation. “pbem turn” looks for invitations in your mailbox."
            )
        )
    for one in found:
        screen.say(told(one))
    for log in lost:
        screen.say(
            _(
                "The notes of the game of two in {log} are missing: “pbem read {log}” makes them again from "
                "key and log.",
                log=log,
            )
        )
    if any(map(_has_missed, found)):
        screen.say(_("“pbem send --again” hands out letters without a receipt again; sending twice does no harm."))


def _has_missed(one: Speaker) -> bool:
    with suppress(PbemError):  # it was said above
        return bool(one.seat.overview().missed)
    return False


def _json(one: Speaker) -> Json:
    try:
        return one.seat.overview().to_json()
    except PbemError as error:
        return {
            "game": one.notes.game,
            "title": one.notes.title,
            "seat": one.notes.seat,
            "state": "unreadable",
            "why": str(error),
            **one.notes.with_whom(),
        }


def told(speaker: Speaker) -> str:
    """Return the facts of a game: its name, its state, and its letters; or its fault."""
    try:
        one = speaker.seat.overview()
        lines = [_how(speaker, one), *speaker.besides(now()), *_letters(one)]
        return "\n".join([speaker.seat.heading, *(f"  {line}" for line in lines)])
    except PbemError as error:
        return trouble_of(speaker, error)


def trouble_of(speaker: Speaker, error: PbemError) -> str:
    """Return the message about a fault of one game, so that the others continue."""
    return f"{speaker.notes.title}, {speaker.notes.game[:8]}\n  " + _("WARNING: {warning}", warning=error)


def how_it_begins(speaker: Speaker) -> str:
    """Return the state of a game that has not begun, and what is missing; "" for any other game."""
    one = speaker.seat.overview()
    return _how(speaker, one) if one.state in ("joining", "ready") else ""


def _how(speaker: Speaker, one: Overview) -> str:
    """Return the state of a game in a sentence or two."""
    if one.state == "lost" and one.friend is None:
        return _("Its copy is not here: “pbem resend” asks the host for it, and “pbem read” takes what he sends.")
    if one.state == "lost":
        return _(
            "Its log is not here. Ask your friend for the whole log (“pbem copy” sends it), then read that letter."
        )
    if one.holds_up:
        return _("Your part is signed, but its letter is not sent yet: “pbem send” sends it.")
    name = speaker.seat.pack.look.seat_name
    others = ", ".join(name(seat) for seat in one.seats if seat != one.seat)
    named = {"seats": others, "since": moment(one.since, one.zone)}
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
            said = _("Not all seats are taken yet: waiting for {seats} since {since}.", **named)
        case "ready" if one.seat in one.seats:
            said = _(
                "It waits until you say that you are ready: “pbem turn” asks, or “pbem join MAIL” does it by the mail "
                "with the keys."
            )
        case "ready" if not others:
            said = _("According to your copy, all are ready; the host continues.")
        case "ready":
            said = _("You are ready. Waiting for {seats} to be so, too, since {since}.", **named)
        case "gone":
            said = _("You no longer play this game.")
        case _:
            said = _("It is over.")
    if one.due and one.state == "mine":
        said += " " + _("Answer before {due}.", due=moment(one.due, one.zone))
    return said


def _letters(one: Overview) -> list[str]:
    """Return the state of a game's letters, in sentences."""
    lines = [_("Waits to be sent: {name}", name=_name(path)) for path in one.waiting]
    for path in one.missed:
        if path.parent.name == "given":
            said = _("Given out, and no receipt yet: {name}. Did your mail program send it?", name=_name(path))
        else:
            said = _("Sent, and no receipt yet: {name}", name=_name(path))
        lines.append(said)
    return lines


def _name(path: Path) -> str:
    """Return the name of a letter; for a letter to a friend, with its content."""
    name = path.stem.partition(".")[2]
    if holds := _HOLDS.get(name.partition(".")[0]):
        holds = _(holds)
    return f"{holds} ({name})" if holds else name


def show_how_it_goes_on(desk: Desk, game: str, html: Path | None = None) -> None:
    """Let the program continue a game after a friend's letter was read, and show the game."""
    from pbem.player.copy import sense
    from pbem.reports.reckoned import render

    (one,) = desk.friends(game)
    if one.seat.table.waits:
        return
    before = desk.tray.stamps()
    made, asks, *_more = one.going_on(now())
    if offer := one.offer():  # before a long report
        screen.say(f"\n{offer}")
    if made is not None:
        with sense():
            screen.echo("\n" + render(made))
        if html is not None:
            from pbem.reports.html import page

            write_bytes(html, page(made).encode())
        for said in one.was_shown(now()):
            screen.say(f"\n{said}")
    if desk.tray.stamps(before):
        screen.say(
            _(
                "You have nothing to decide now. Your friend's program needs a letter from yours (its share "
                "in dice or cards, the result of a step, or your plans' answers). The letter is signed, and "
                "waits to be sent: “pbem send”."
            )
        )
    elif said := one.unsent():
        screen.say(f"\n{said}")
    if asks and not offer:
        screen.say(_("“pbem order” answers it."))
