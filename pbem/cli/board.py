"""The command board: the state of a player's game; or a position from a file, shown, checked, or converted to its other form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from pbem.errors import FormError, UsageError
from pbem.i18n import _

from . import screen
from .common import HOME, Html, Pictures, Png, Svg, chosen_game, echo_json, now, read_bytes
from .desk import Home, desk_in

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pbem.games import GamePack
    from pbem.games.positions import Placed
    from pbem.kernel import Json, View
    from pbem.reports.report import Report


def board(
    file: Annotated[
        str | None,
        typer.Option("--from", metavar="FILE", help="A position in a file instead, or - for standard input."),
    ] = None,
    seat: Annotated[
        str | None, typer.Option(help="With --from: the view of this seat (default: all seats together).")
    ] = None,
    form: Annotated[
        Literal["text", "json"] | None,
        typer.Option(
            "--as", metavar="FORM", help="With --from: write the position instead, as text (in words) or json."
        ),
    ] = None,
    game: Annotated[
        str | None,
        typer.Option(
            "--game", help="The first letters of the game's id, when you play several; with --from: which game."
        ),
    ] = None,
    svg: Svg = None,
    png: Png = None,
    html: Html = None,
    home: Home = HOME,
) -> None:
    """Show the position, your hand and your question from your copy, or the position in a file."""
    if file is None:
        if seat is not None or form is not None:
            raise UsageError(_("Your own game is shown as you see it; --seat and --as go with --from FILE."))
        _show_copy(game or "", home, Pictures(svg, png, html))
        return
    from pbem.games.positions import read, standing

    pictures = Pictures(svg, png, html)
    if form is not None and (seat is not None or pictures):
        if seat is not None:
            raise UsageError(_("A position is written whole: give --as or --seat, not both."))
        raise UsageError(_("A position is written whole: give --as or a picture, not both."))
    try:
        text = read_bytes(file).decode("utf-8")
    except UnicodeDecodeError as error:
        raise FormError(_("{file} is not UTF-8 text.", file=file)) from error
    placed = read(text, chosen_game(game))
    if form == "text":
        screen.echo(placed.text(), nl=False)
    elif form == "json":
        echo_json(placed.json())
    else:
        views = _views(placed, seat)
        with standing():
            if pictures:
                draw(placed.pack, views, pictures)
            else:
                _show(placed, seat, views)


def _show_copy(game: str, home: Path, pictures: Pictures) -> None:
    """Show the position, the hand and the open question from the player's copy of a game: in words, or drawn into files."""
    from pbem.player.copy import sense
    from pbem.reports.html import page
    from pbem.reports.reckoned import render

    speaker = desk_in(home).meant(game)
    with sense():
        made = speaker.standing(now())
        if pictures:
            pictures.write(lambda: made.picture, lambda: page(made))
            return
        if screen.in_colour():
            _show_at_a_glance(made.report, made.pack)
        else:
            screen.echo(render(made))
    for said in speaker.not_said(now()):
        screen.say(f"\n{said}")


def _show_at_a_glance(report: Report, pack: GamePack) -> None:
    """Show the open question and the position in a terminal; the report tells what happened."""
    from pbem.reports.text import result_text

    look, view = pack.look, report.typed(pack)
    screen.echo(
        _(
            "{title}, game {game}. You play {seat}.",
            title=pack.rules.title,
            game=report.game_id[:8],
            seat=look.seat_name(report.seat),
        )
    )
    screen.show_position(look, view)
    if report.result is not None:
        screen.echo(f"\n{result_text(report.result, pack)}")
        return
    mine = report.seat in report.asked
    if mine:
        screen.echo(f"\n{look.question(view)}")
    if others := ", ".join(look.seat_name(seat) for seat in report.asked if seat != report.seat):
        said = _("Asked at the same time: {seats}.", seats=others) if mine else _("Waiting for {seats}.", seats=others)
        screen.echo(f"\n{said}")
    if report.due:
        said = _("Answer by {due}.", due=report.until) if mine else _("They answer by {due}.", due=report.until)
        screen.echo(f"\n{said}")
    if mine:
        screen.echo("\n" + _("“pbem order” composes your answer step by step."))


def draw(pack: GamePack, views: dict[str, View], pictures: Pictures, facts: Sequence[Json] = ()) -> None:
    """Draw a position as all these views show it together, with the moves that the facts tell of."""

    def page() -> str:
        from pbem.reports.html import position

        return position(pack, views, facts)

    pictures.write(lambda: pack.look.picture(list(views.values()), facts), page)


def _views(placed: Placed, seat: str | None) -> dict[str, View]:
    """Return how a seat sees a position, or how each does. Raises UsageError."""
    from pbem.player.named import seat_named

    rules = placed.pack.rules
    seats = rules.seats(placed.options)
    seat = seat_named(seats, seat, placed.pack)
    return {one: rules.read_view(rules.view(placed.state, one)) for one in (seats if seat is None else (seat,))}


def _show(placed: Placed, seat: str | None, views: dict[str, View]) -> None:
    look = placed.pack.look
    if screen.in_colour():
        for one, view in views.items():
            if seat is None:
                screen.echo(_("== Seen by {seat} ==", seat=look.seat_name(one)) + "\n")
            screen.show_position(look, view)
            screen.echo(f"\n{question}\n" if (question := look.question(view)) else "")
        return
    shown = []
    for one, view in views.items():
        parts = [look.board(view), look.hand(view), look.question(view)]
        if seat is None:
            parts.insert(0, _("== Seen by {seat} ==", seat=look.seat_name(one)))
        shown += [part for part in parts if part]
    screen.echo("\n\n".join(shown))
