"""The player's commands in games of two, which have no host. `with` makes such a game; the other commands come here for one."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.i18n import _

from . import screen
from .common import (
    HOME,
    Edition,
    GameId,
    Option,
    Scenario,
    check_address,
    chosen_game,
    game_options,
    now,
    write_bytes,
)
from .desk import SENDS, Home, desk_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.player import Desk
    from pbem.player.pair.speaking import FriendSpeaker
    from pbem.player.speaker import SeatQuestion

LONGEST = 24 * 366


def with_(
    friend: Annotated[str, typer.Argument(metavar="ADDRESS", help="Your friend's e-mail address.")],
    game: GameId = None,
    scenario: Scenario = None,
    edition: Edition = None,
    option: Option = None,
    side: Annotated[str, typer.Option(metavar="SEAT", help="Your seat (default: the game's first).")] = "",
    hours: Annotated[
        int,
        typer.Option(min=0, max=LONGEST, help="How long an answer should take, as a courtesy; 0: as long as it takes."),
    ] = 0,
    odds: Annotated[
        bool, typer.Option("--odds/--no-odds", help="Whether your programs show chances while the game is on.")
    ] = True,
    witness: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS",
            help="Somebody who keeps copies of your letters and their times, and can read nothing hidden.",
        ),
    ] = "",
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="Write the invitation for your mail program to open."),
    ] = None,
    home: Home = HOME,
) -> None:
    """Start a game with one friend, without a host. Writes the invitation.

    His answer begins the game: two mails. “pbem turn” does the rest, or “pbem read”, “pbem order” and “pbem send” by hand.
    Neither of you can see the other's hand.
    """
    for address in filter(None, (friend, witness)):
        check_address(address)
    desk = desk_in(home)
    pack = chosen_game(game)
    options = game_options(scenario, edition, option or [])
    terms = {"hours": hours} | ({} if odds else {"odds": False})
    screen.echo(
        desk.pair_joiner.begin(pack, options, side, friend, terms, secrets.token_hex(32), now(), witness=witness)
    )
    if out is None:
        screen.echo(_(SENDS))
        return
    from pbem.mail import as_draft

    path = max(desk.tray.unsent(), key=lambda one: one.stat().st_mtime_ns)
    write_bytes(out, as_draft(path.read_bytes()))
    desk.tray.sent(path)
    screen.echo(_("Open it with your mail program and send it."))


# -- what is shown -------------------------------------------------------------------------------------------------------


def is_laid_again(letter: Path) -> bool:
    """Is a letter, to go by its name, one of a game of two that “pbem resend” lays ready again?"""
    from pbem.player.pair.letters import NAME, TALK

    return letter.name.split(".")[1] in (NAME, TALK)


def show_pair(one: FriendSpeaker, *, always: bool = False, html: Path | None = None) -> SeatQuestion | None:
    """Show the report of a game: the news, the board, the open question; return that question, if any.

    `always`: even if nothing is new.
    """
    from pbem.player.copy import sense
    from pbem.reports.reckoned import render

    made, asked = one.news(now(), always=always)
    if made is None:
        return None
    with sense():
        screen.echo("\n" + render(made))
    if html is not None:
        from pbem.reports.html import page

        write_bytes(html, page(made).encode())
    for said in one.was_shown(now()):
        screen.say(f"\n{said}")
    return asked


def show_how_it_goes_on(desk: Desk, game: str, html: Path | None = None) -> None:
    """Let the program continue a game after a friend's letter was read, and show the game."""
    (one,) = desk.friends(game)
    if one.seat.table.waits:
        return
    before = desk.tray.stamps()
    asked = show_pair(one, always=True, html=html)
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
    if offer := one.offer():
        screen.say(offer)
    if asked is not None:
        screen.say(_("“pbem order” answers it."))


def without_notes(desk: Desk) -> Iterator[Path]:
    """Go through the logs of two without notes on the desk."""
    from pbem.ledger.pair import is_of_two

    for log in sorted((desk.home / "games").glob("*.pbem")):
        if not any(log.with_suffix(ending).is_file() for ending in (".two", ".json")) and is_of_two(log.read_bytes()):
            yield log
