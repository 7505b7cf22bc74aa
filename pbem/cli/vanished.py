"""Commands for a game of which somebody has vanished: replace and adopt for the host, welcome for the other players."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.errors import UsageError
from pbem.words import _, _n

from .common import OtherRules, check_address, now, read_log, rules_lent
from .desk import HOME, Home, desk_in, each_mail, nothing_new
from .host import HERE, Dir, Number, TheirLanguage, end, host_in
from .opening import Grace, Hours, Language, Quiet, Weekends, Zone, languages_of, seat_and_address, terms_of


def replace(
    game: Number,
    seat: Annotated[str, typer.Argument(help="The seat whose player has vanished.")],
    address: Annotated[str, typer.Argument(help="Who is invited to it.")],
    language: TheirLanguage = "",
    dir: Dir = HERE,  # noqa: A002
) -> None:
    """Invite somebody to the seat of a player who has vanished; he plays when all others have agreed."""
    from pbem.host.tongues import known

    check_address(address)
    with host_in(dir) as office:
        office.robot.replace(game, seat, address, now(), known(language) if language else "")
        troubles = office.send(now())
    typer.echo(_("{address} is invited to the seat {seat} of game {game}.", address=address, seat=seat, game=game))
    end(troubles)


def adopt(
    copies: Annotated[
        list[str],
        typer.Argument(metavar="COPY...", help="The players' copies of the game (.pbem), or one that is merged."),
    ],
    seat: Annotated[list[str], typer.Option("--seat", metavar="SEAT=ADDRESS", help="Who plays which seat.")],
    title: Annotated[str, typer.Option(help="What the mails call it.")] = "",
    hours: Hours = 0,
    grace: Grace = 0,
    zone: Zone = "UTC",
    quiet: Quiet = "off",
    weekends: Weekends = "on",
    language: Language = None,
    rules: OtherRules = None,
    dir: Dir = HERE,  # noqa: A002
) -> None:
    """Take over a game whose host has vanished, from its players' copies; it goes on when all have agreed."""
    from contextlib import ExitStack
    from functools import reduce

    from pbem.host.hours import ALWAYS
    from pbem.host.hours import Hours as Clock
    from pbem.ledger import merge

    posts = dict(seat_and_address(text) for text in seat)
    clock, whole = Clock.read(zone, quiet, weekends), reduce(merge, map(read_log, copies))
    first = whole.entries[0].fields
    terms = first.get("terms", {"late": "default", "leave": 0})
    terms_of(hours, terms["late"], terms["leave"], more=bool(grace or clock != ALWAYS))
    with host_in(dir) as office:
        spoken = languages_of(language or [], first["seats"])
        with ExitStack() as lent:
            shelf = rules_lent(whole, rules or [], lent)
            number = office.robot.adopt(whole, posts, title, hours, now(), grace, clock, spoken, shelf)
        game = office.robot.house.game(number)
        kept, waiting = game.ledger.n, game.waiting()
        troubles = office.send(now())
    seats = ", ".join(waiting)
    typer.echo(
        _(
            "Game {number} goes on from entry {entry} when all have agreed: {seats}.",
            number=number,
            entry=kept,
            seats=seats,
        )
    )
    if lost := whole.head[0] - kept:
        typer.echo(_n("{n} entry of the copies counts no more.", "{n} entries of the copies count no more.", lost))
    end(troubles)


def welcome(
    mail: Annotated[str, typer.Argument(metavar="MAIL", help="The mail that asks you.")],
    another: Annotated[
        bool, typer.Option("--another", help="You have agreed to another host before, and that one has given up.")
    ] = False,
    home: Home = HOME,
) -> None:
    """Agree to who comes in place of one who has vanished, a player or the host; compare his key by telephone, then send."""
    desk = desk_in(home)

    def agree(raw: bytes) -> None:
        typer.echo("\n".join([desk.welcome(raw, now(), another=another), _("“pbem send” sends your agreement.")]))

    if not each_mail(mail, agree):
        raise UsageError(nothing_new(mail))
