"""Commands for a game of which somebody has vanished: replace and adopt for the host, welcome for the other players."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pbem.errors import UsageError
from pbem.i18n import _, _n

from . import screen
from .common import HOME, OtherRules, Yes, check_address, now, read_log, rules_lent, say_doubts, say_taken
from .desk import Home, desk_in, each_mail, nothing_new
from .host import HERE, Dir, Number, TheirLanguage, sending
from .opening import Language, Quiet, Weekends, Zone, languages_of, seats_said

if TYPE_CHECKING:
    from pbem.mail import Saved


def replace(
    game: Number,
    seat: Annotated[str, typer.Argument(help="The seat of the vanished player.")],
    address: Annotated[str, typer.Argument(help="The newcomer's address.")] = "",
    confirm: Annotated[
        str,
        typer.Option(metavar="KEY", help="The newcomer's key, which you have compared with him: ask the others now."),
    ] = "",
    language: TheirLanguage = "",
    yes: Yes = False,
    dir: Dir = HERE,  # noqa: A002
) -> None:
    """Invite somebody to the seat of a vanished player. The newcomer plays when all others have agreed.

    In a game of two you confirm his key yourself before the other one is asked.
    """
    from pbem.host.banned import check_not_banned
    from pbem.host.tongues import known

    if bool(address) == bool(confirm):
        raise UsageError(_("Give the address of the person you invite, or --confirm with the newcomer's key."))
    screen.sure(
        _(
            "Another player takes the seat {seat} of game {game} when all others have agreed. The "
            "previous player is then out of the game, though they may only be late.",
            seat=seat,
            game=game,
        ),
        yes=yes,
    )
    with sending(dir) as office:
        if confirm:
            office.robot.confirm(game, seat, confirm, now())
            said = _("The others are asked whether they agree to the newcomer in the seat {seat}.", seat=seat)
        else:
            check_address(address)
            check_not_banned(office.store, [address])
            office.robot.replace(game, seat, address, now(), known(language) if language else "")
            say_doubts(office, [address])
            said = _("{address} is invited to the seat {seat} of game {game}.", address=address, seat=seat, game=game)
        screen.echo(said)


def invite(
    game: Number,
    seat: Annotated[str, typer.Argument(help="The seat with the invitation to withdraw.")],
    address: Annotated[str, typer.Argument(help="Where the new one goes, if to another address.")] = "",
    yes: Yes = False,
    dir: Dir = HERE,  # noqa: A002
) -> None:
    """Withdraw the invitation to a seat of a game that has not begun, and send another."""
    from pbem.host.banned import check_not_banned

    if address:
        check_address(address)
    screen.sure(_("The earlier invitation no longer opens the seat {seat}, for anybody.", seat=seat), yes=yes)
    with sending(dir) as office:
        check_not_banned(office.store, [address])
        office.robot.invite(game, seat, now(), address)
        say_doubts(office, [address] if address else [])
        screen.echo(_("Another invitation to the seat {seat} of game {game} is on its way.", seat=seat, game=game))


def adopt(
    copies: Annotated[
        list[str],
        typer.Argument(metavar="COPY...", help="The players' copies of the game (.pbem), or one that is merged."),
    ],
    seat: Annotated[list[str], typer.Option("--seat", metavar="SEAT=ADDRESS", help="Who plays which seat.")],
    title: Annotated[str, typer.Option(help="What the mails call it.")] = "",
    zone: Zone = "UTC",
    quiet: Quiet = "off",
    weekends: Weekends = "on",
    language: Language = None,
    rules: OtherRules = None,
    yes: Yes = False,
    dir: Dir = HERE,  # noqa: A002
) -> None:
    """Take over the game of a vanished host from its players' copies. The game continues when all have agreed."""
    from functools import reduce

    from pbem.ledger import merge
    from pbem.mail.hours import Hours as Clock

    posts = seats_said(seat)
    clock, whole = Clock.read(zone, quiet, weekends), reduce(merge, map(read_log, copies))
    first = whole.entries[0].fields
    screen.sure(
        _(
            "You ask all players to let the game continue under you, in place of its host. If the host "
            "is only late, the game will have two hosts: ask him first."
        ),
        yes=yes,
    )
    with sending(dir, new=True) as office:
        spoken = languages_of(language or [], first["seats"])
        with rules_lent(rules) as lent:
            number = office.robot.adopt(whole, posts, title, now(), clock, spoken, lent)
        say_taken(lent)
        say_doubts(office, posts.values())
        game = office.robot.house.game(number)
        told = {"number": number, "entry": game.ledger.n, "seats": ", ".join(game.waiting())}
        screen.echo(_("Game {number} continues from entry {entry} when all have agreed: {seats}.", **told))
        if lost := whole.head[0] - game.ledger.n:
            screen.echo(_n("{n} entry of the copies counts no more.", "{n} entries of the copies count no more.", lost))


def welcome(
    mail: Annotated[str, typer.Argument(metavar="MAIL", help="The mail that asks you.")] = "",
    withdraw: Annotated[
        str,
        typer.Option(metavar="GAME", help="Take back that you agreed to another host of this game, before it is sent."),
    ] = "",
    another: Annotated[
        bool, typer.Option("--another", help="You have agreed to another host before, and that one has given up.")
    ] = False,
    yes: Yes = False,
    home: Home = HOME,
) -> None:
    """Agree to a replacement for a vanished player or host. Compare the newcomer's key by telephone, then send."""
    from pbem.player.meanings import means
    from pbem.player.newcomers import proposed

    desk = desk_in(home)
    if bool(mail) == bool(withdraw):
        raise UsageError(_("Name the mail that asks you, or with --withdraw the game in which you agreed."))
    if withdraw:
        screen.sure(means("stay"), yes=yes, by_script=True)
        screen.echo(desk.newcomers.stay(desk.notes(withdraw)))
        return

    def agree(saved: Saved) -> None:
        if what := proposed(saved.raw):
            screen.sure(means(f"welcome {what}"), yes=yes)
        screen.echo(
            "\n".join(
                [desk.newcomers.welcome(saved.raw, now(), another=another), _("“pbem send” sends your agreement.")]
            )
        )

    if not each_mail([mail], agree):
        raise UsageError(nothing_new([mail]))
