"""Commands for what a player says in a game: order, plan, say."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.errors import UsageError
from pbem.i18n import _
from pbem.i18n.visible import in_a_line

from . import screen
from .common import HOME, Yes, now, read_text
from .desk import Game, Home, desk_in, say_sends

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.player.sayable import Saying
    from pbem.player.speaker import SeatQuestion, Speaker


def order(
    file: Annotated[
        str | None,
        typer.Argument(metavar="[FILE]", help="Your order as text, or -. Without it, you compose the order here."),
    ] = None,
    plans: Annotated[str, typer.Option(help="A file with plans for what may be asked next.")] = "",
    anyway: Annotated[
        bool, typer.Option("--anyway", help="Sign it though the time that the question gives is in doubt.")
    ] = False,
    game: Game = "",
    home: Home = HOME,
) -> None:
    """Give the order that a letter asks for. pbem reads, checks and signs it, and puts the letter in the tray.

    Lines that begin with PLAN or AHEAD go with it; AHEAD lines may be sent alone, also when nothing is asked.
    """
    desk = desk_in(home)
    speaker = desk.meant(game, asked=not file)
    if not file and len(desk.speakers()) > 1:
        screen.echo(speaker.seat.heading)
    before = desk.tray.stamps()
    if not sign(speaker, _lines(file, "order") if file else None, read_text(plans) if plans else "", anyway=anyway):
        raise typer.Exit(1)
    say_sends(desk, before)


def _lines(file: str, command: str) -> str:
    """Return the text of a file, or of standard input. Raises UsageError where the lines themselves were typed in its place."""
    is_file = file == "-"
    with suppress(OSError):  # too long for a name
        is_file = is_file or Path(file).exists()
    if not is_file and len(file.split()) > 1:
        raise UsageError(
            _(
                "“{text}” is not a file. Name a file to read lines from, or use “-” for standard input: echo "
                '"{text}" | pbem {command} -',
                text=in_a_line(file),
                command=command,
            )
        )
    return read_text(file)


def sign(
    speaker: Speaker,
    text: str | None = None,
    planned: str = "",
    *,
    anyway: bool = False,
    asked: SeatQuestion | None = None,
) -> bool:
    """Sign a text, or an order composed here, until there are no further questions; False if the player leaves.

    `asked` is the question that was already shown, if any.
    """
    from pbem.kernel import read_lines, take_apart
    from pbem.player.copy import sense

    from .compose import compose, show_unsaid

    said = text
    with sense():
        if asked is None and (text is None or read_lines(take_apart(text).order)):
            asked = speaker.asked(now())
    while True:
        with sense():
            if asked is not None and said is None:
                said = compose(asked.pack, asked.view, speaker.notes.plans, asked.marks, aside=asked.aside)
            elif asked is not None and said is not None and said.strip().lower() in screen.HELP:
                _show(asked)
                said = None
            elif asked is not None and said is not None:
                show_unsaid(asked.pack, asked.view, take_apart(said).order)
            if said is None:
                screen.echo(_("Nothing has been signed."))
                return False
            answered = speaker.answer(said, planned, now(), asked, anyway=anyway)
        screen.echo(answered.told)
        if answered.more is None:
            return True
        screen.echo("\n" + _("Your turn asks more before it is signed:"))
        if text is not None:
            _show(answered.more)
            return True
        asked, said, planned = answered.more, None, ""


def _show(asked: SeatQuestion) -> None:
    look, view = asked.pack.look, asked.view
    screen.echo("\n".join([look.question(view), "", look.template(view)]))


def plan(
    file: Annotated[
        str | None, typer.Argument(metavar="[FILE]", help="Plans as text, or -; without it they are shown.")
    ] = None,
    none: Annotated[bool, typer.Option("--none", help="Have none any more.")] = False,
    shown: Annotated[
        bool | None,
        typer.Option(
            "--shown/--kept",
            help="In a game of two: whether plans answer at once in battles where your friend's plans are "
            "shown too. Your friend then sees what yours say about these battles.",
        ),
    ] = None,
    game: Game = "",
    home: Home = HOME,
) -> None:
    """Keep or show standing plans. They go with every order that has no plans of its own."""
    if none and file:
        raise UsageError(_("Plans and --none do not go together."))
    text = _lines(file, "plan") if file else "" if none else None
    said, told = desk_in(home).meant(game).plan(text, shows=shown)
    lines = [f"  PLAN {line}" for line in said.splitlines()]
    head = _("Your standing plans in this game:") if lines else _("You have no standing plans in this game.")
    if not lines and not none:
        head += " " + _("“pbem plan FILE” keeps the plans in a file, one per line.")
    screen.echo("\n".join([head, *lines, *told]))


def say(
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="[WHAT]",
            help="What you say, as resign, draw or agree. Without it, all that may be said now, and what each means.",
        ),
    ] = None,
    number: Annotated[
        int | None,
        typer.Argument(metavar="[N]", help="The offer's entry (agree), the question's (takeback), hours (leave)."),
    ] = None,
    yes: Yes = False,
    anyway: Annotated[
        bool, typer.Option("--anyway", help="Claim even though you have acknowledged that the late order reached you.")
    ] = False,
    game: Game = "",
    home: Home = HOME,
) -> None:
    """Make a statement that is not an order: resign, make or accept an offer, take leave, claim a game when the time is over.

    pbem first says what it means, and asks you. A script adds --yes.
    """
    desk = desk_in(home)
    speaker, before = desk.meant(game), desk.tray.stamps()
    if what is None:
        _tell_sayings(speaker.sayings(now()))
        return
    if means := speaker.means(what, number, now(), anyway=anyway):
        screen.sure(means, yes=yes, by_script=what == "withdraw")
    screen.say(speaker.declare(what, number, now(), anyway=anyway))
    say_sends(desk, before)


def _tell_sayings(sayings: Sequence[Saying]) -> None:
    """Show what may be said now, and what follows from each; or why it cannot be said."""
    if not sayings:
        screen.echo(_("You can make no statements now: the game has not begun, or is over."))
    for one in sayings:
        number = "" if one.number is None else f" {one.number}"
        screen.say(f"pbem say {one.what}{number}")
        screen.say(f"  {one.means}")
        if one.why_not:
            screen.say("  " + _("Not now: {why}", why=one.why_not))
