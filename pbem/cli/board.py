"""The command board: a position from a file, shown, checked, or written in its other form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from pbem.errors import FormError, UsageError

from .common import GameId, chosen_game, echo_json, read_bytes

if TYPE_CHECKING:
    from pbem.games.positions import Placed


def board(
    file: Annotated[str, typer.Option("--from", metavar="FILE", help="The position, or - for standard input.")],
    seat: Annotated[str | None, typer.Option(help="As this seat sees it; else everything that any seat sees.")] = None,
    form: Annotated[
        Literal["text", "json"] | None,
        typer.Option("--as", metavar="FORM", help="Write the position instead: text (in words) or json."),
    ] = None,
    game: GameId = None,
) -> None:
    """Show the position that a file holds, in words or as JSON; for tests, bug reports and puzzles."""
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
