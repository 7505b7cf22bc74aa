"""Commands for what a player says in a game: order, plan, say."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.errors import UsageError
from pbem.i18n import N_, _
from pbem.i18n.visible import in_a_line

from . import screen
from .common import HOME, Yes, now, read_text
from .desk import SENDS, Game, Home, desk_in, the_one_asked
from .pair import (
    letters_of,
    pair_meant,
    say_in_pair,
    send_ahead_in_pair,
    sign_pair,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.player import Desk, Notes
    from pbem.player.sayable import Saying

_NEEDS = {
    "agree": N_("Say which: “pbem say agree N”, where N is the entry of the offer."),
    "takeback": N_("Say which: “pbem say takeback N”, where N is the question."),
    "leave": N_("Say which: “pbem say leave N”, where N is the number of hours."),
}


def order(
    file: Annotated[
        str | None, typer.Argument(metavar="[FILE]", help="Your order as text, or -; else composed here.")
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
    from pbem.player.overview import overview

    from .games import heading

    desk = desk_in(home)
    if (pair := pair_meant(desk, game, asked=True)) is not None:
        text, planned = _lines(file, "order") if file else None, read_text(plans) if plans else ""
        if text is not None and send_ahead_in_pair(pair, text, planned):
            return
        if not sign_pair(pair, text, plans=planned):
            raise typer.Exit(1)
        if pair.state != "mine" and letters_of(pair):
            screen.echo(_(SENDS))
        return
    notes = desk.notes(game) if file else the_one_asked(desk, game)
    if not file and sum(1 for _one in desk.games()) > 1:
        screen.echo(heading(desk, overview(desk, notes)))
    if not sign(desk, notes, _lines(file, "order") if file else None, read_text(plans) if plans else "", anyway=anyway):
        raise typer.Exit(1)
    screen.echo(_(SENDS))


def _lines(file: str, command: str) -> str:
    """Return the text of a file, or of standard input. Raises UsageError where the lines themselves were typed in its place."""
    is_file = file == "-"
    with suppress(OSError):  # too long for a name
        is_file = is_file or Path(file).exists()
    if not is_file and len(file.split()) > 1:
        raise UsageError(
            _(
                '“{text}” is no file. Lines are read from a file that you name, or for “-” from standard input: echo "{text}" | '
                "pbem {command} -",
                text=in_a_line(file),
                command=command,
            )
        )
    return read_text(file)


def sign(desk: Desk, notes: Notes, text: str | None = None, planned: str = "", *, anyway: bool = False) -> bool:
    """Sign an order that was written, or is composed here, and say what was signed; False where its writer left it."""
    from pbem.kernel import read_lines, take_apart
    from pbem.player.copy import sense

    from .compose import compose, show_unsaid

    before, before_signing = None, None
    with sense():
        if text is None or read_lines(take_apart(text).order):
            to, view, pack = desk.question(notes)
            before = notes.revisions.get(str(to.ask))
            if text is None:
                text = compose(pack, view, notes.plans, desk.speaker(notes).next_marks())
            elif text.strip().lower() in screen.HELP:
                screen.echo("\n".join([pack.look.question(view), "", pack.look.template(view)]))
                text = None
            else:
                before_signing = pack, view
        if text is None:
            screen.echo(_("Nothing has been signed."))
            return False
        if before_signing is not None:
            show_unsaid(*before_signing, take_apart(text).order)
        said = desk.order(notes, text, planned, now(), anyway=anyway)
    screen.echo("\n".join([_("Signed:"), *(f"  {line}" for line in said.split("\n"))]))
    if before is not None:
        screen.echo(
            _(
                "You have answered this before: this is revision {rev}, and counts if the question is still open.",
                rev=before + 1,
            )
        )
    return True


def plan(
    file: Annotated[
        str | None, typer.Argument(metavar="[FILE]", help="Plans as text, or -; without it they are shown.")
    ] = None,
    none: Annotated[bool, typer.Option("--none", help="Have none any more.")] = False,
    shown: Annotated[
        bool | None,
        typer.Option(
            "--shown/--kept",
            help="In a game of two, whether they answer at once in battles where your friend's are shown, too, so that he sees "
            "what yours say of these.",
        ),
    ] = None,
    game: Game = "",
    home: Home = HOME,
) -> None:
    """Keep standing plans, which go with every order that brings none of its own; or show them."""
    if none and file:
        raise UsageError(_("Plans and --none do not go together."))
    desk, text = desk_in(home), _lines(file, "plan") if file else "" if none else None
    waits: list[str] = []
    if (pair := pair_meant(desk, game)) is not None:
        from pbem.player.pair.advance import told_shown, told_waiting
        from pbem.player.pair.saying import plan as plan_with_friend
        from pbem.player.pair.saying import show_plans

        kept = pair.notes
        said = kept.plans if text is None else plan_with_friend(pair, text, shows=shown)
        means = told_shown(pair.table, kept) if shown is None else show_plans(pair, shows=shown)
        waits = [*told_waiting(kept), *([means] if means else [])]
        if said and said != kept.along:
            waits.insert(0, _("They hold from your next order on that brings none of its own."))
        if none and kept.shows:
            waits.append(_("What your program has sealed for a battle already holds there."))
    elif shown is not None and desk.notes(game):
        raise UsageError(
            _(
                "This game has a host, who keeps plans sealed and lets them answer at once: none are to be shown. --shown and "
                "--kept are for games of two (“pbem with”)."
            )
        )
    else:
        speaker = desk.speaker(desk.notes(game))
        said = speaker.notes.plans if text is None else speaker.plan(text)
    lines = [f"  PLAN {line}" for line in said.splitlines()]
    head = _("Your standing plans in this game:") if lines else _("You have no standing plans in this game.")
    if not lines and not none:
        head += " " + _("“pbem plan FILE” keeps those that stand in a file, a line each.")
    screen.echo("\n".join([head, *lines, *waits]))


def say(
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="[WHAT]",
            help="resign, draw, agree, takeback, leave, claim or rules; in a game of two let, too, and "
            "of the invitation, or of what has not left, withdraw. Without it, what may be said now.",
        ),
    ] = None,
    number: Annotated[
        int | None,
        typer.Argument(metavar="[N]", help="The offer's entry (agree), the question's (takeback), hours (leave)."),
    ] = None,
    yes: Yes = False,
    anyway: Annotated[
        bool, typer.Option("--anyway", help="Claim, though you have acknowledged that what is late had come to you.")
    ] = False,
    game: Game = "",
    home: Home = HOME,
) -> None:
    """Say something besides an order: resign, offer or agree to something, take leave, claim a game whose time is over.

    What it means is told before, and in a terminal you are asked.
    """
    from pbem.player.meanings import meaning
    from pbem.player.sayable import check_no_draw

    desk = desk_in(home)
    if (pair := pair_meant(desk, game)) is not None:
        if what is None:
            from pbem.player.pair.sayable import sayings_of_two

            _tell_sayings(sayings_of_two(pair))
        else:
            say_in_pair(pair, what, yes=yes)
        return
    notes = desk.notes(game)
    if what is None:
        from pbem.player.sayable import sayings

        _tell_sayings(sayings(desk.seat(notes), now()))
        return
    if what == "rules":
        desk.speaker(notes).check_newer_rules()
        screen.sure(meaning(desk.seat(notes), what), yes=yes)
        screen.echo(_("Signed: agreed to go on by {rules}", rules=desk.speaker(notes).agree_to_rules(now())))
        screen.echo(_(SENDS))
        return
    if what not in ("resign", "draw", "agree", "takeback", "leave", "claim"):
        raise UsageError(
            _("“{what}” cannot be said; what can is resign, draw, agree, takeback, leave, claim and rules.", what=what)
        )
    if what == "draw":
        check_no_draw(desk.seat(notes))
    name = {"agree": "about", "takeback": "about", "leave": "hours"}.get(what)
    if name and number is None:
        number = _only_number(desk, notes, what)
    if number is not None and not name:
        raise UsageError(_("No number goes with “{what}”.", what=what))
    more = {name: number} if name else {}
    desk.speaker(notes).sayable(what, now(), anyway=anyway, **more)
    screen.sure(meaning(desk.seat(notes), what, number), yes=yes)
    screen.echo(_("Signed: {said}", said=desk.speaker(notes).say(what, now(), anyway=anyway, **more)))
    screen.echo(_("“pbem send” sends it; until then you may throw it away."))


def _tell_sayings(sayings: Sequence[Saying]) -> None:
    """Show what may be said now, and what follows from each; or why it cannot be said."""
    if not sayings:
        screen.echo(_("Nothing can be said besides orders now: the game has not begun, or is over."))
    for one in sayings:
        number = "" if one.number is None else f" {one.number}"
        screen.say(f"pbem say {one.what}{number}")
        screen.say(f"  {one.means}")
        if one.why_not:
            screen.say("  " + _("Not now: {why}", why=one.why_not))


def _only_number(desk: Desk, notes: Notes, what: str) -> int:
    """The number that is meant where none was typed: of the only offer, or of the last question that this seat answered."""
    found = []
    if what == "agree":
        found = [n for n, offer in desk.course(notes).offers.items() if offer.seat != notes.seat]
    elif what == "takeback":
        log = desk.copy(notes).log
        found = [entry.n for entry in log.entries if entry.k == "ask" and entry.fields["to"] == [notes.seat]][-1:]
    if len(found) == 1:
        return int(found[0])
    raise UsageError(_(_NEEDS[what]))
