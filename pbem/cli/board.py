"""The command board: how a player's game stands; or a position from a file, shown, checked, or written in its other form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from pbem.errors import FormError, UsageError

from .common import chosen_game, echo_json, read_bytes
from .player import HOME, Home, show_copy

if TYPE_CHECKING:
    from pbem.games.positions import Placed


def board(
    file: Annotated[
        str | None,
        typer.Option("--from", metavar="FILE", help="A position in a file instead, or - for standard input."),
    ] = None,
    seat: Annotated[
        str | None, typer.Option(help="With --from: as this seat sees it; else everything that any seat sees.")
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
    home: Home = HOME,
) -> None:
    """Show the position, your hand, and what is asked of you, from your copy; or a position that a file holds."""
    if file is None:
        if seat is not None or form is not None:
            raise UsageError("Your own game is shown as you see it; --seat and --as go with --from FILE.")
        show_copy(game or "", home)
        return
    from pbem.games.positions import read

    if seat is not None and form is not None:
        raise UsageError("A position is written whole: give --as or --seat, not both.")
    try:
        text = read_bytes(file).decode("utf-8")
    except UnicodeDecodeError as error:
        raise FormError(f"{file} is no text in UTF-8.") from error
    placed = read(text, chosen_game(game))
    if form == "text":
        typer.echo(placed.text(), nl=False)
    elif form == "json":
        echo_json(placed.json())
    else:
        _show(placed, seat)


def _show(placed: Placed, seat: str | None) -> None:
    rules, look = placed.pack.rules, placed.pack.look
    seats = rules.seats(placed.options)
    if seat is not None and seat not in seats:
        raise UsageError(f"This game has no seat “{seat}”; its seats are {', '.join(seats)}.")
    shown = []
    for one in seats if seat is None else (seat,):
        view = rules.read_view(rules.view(placed.state, one))
        parts = [look.board(view), look.hand(view), look.question(view)]
        if seat is None:
            parts.insert(0, f"== Seen by {look.seat_name(one)} ==")
        shown += [part for part in parts if part]
    typer.echo("\n\n".join(shown))


def add_to(app: typer.Typer) -> None:
    """Add this command to the program."""
    app.command()(board)
