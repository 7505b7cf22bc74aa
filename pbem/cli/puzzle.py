"""The command puzzle: positions in which an order wins or is best; you look for it, and see what refutes another order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pbem.errors import UsageError
from pbem.i18n import _

from . import screen
from .common import Html, Pictures, Png, Svg

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pbem.games import GamePack
    from pbem.games.proving import Proves
    from pbem.games.puzzles import Puzzle
    from pbem.kernel import View


def puzzle(
    game: Annotated[
        str | None,
        typer.Argument(metavar="[GAME]", help="The game of the puzzles. Without it, list the puzzles of all games."),
    ] = None,
    number: Annotated[
        int | None, typer.Argument(metavar="[N]", help="The number of the puzzle. Without it, list the game's puzzles.")
    ] = None,
    order: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[ORDER]…", help="Your answer, for a verdict. Without it, show the position. Lines in quotes."
        ),
    ] = None,
    answer: Annotated[bool, typer.Option("--answer", help="Show what wins.")] = False,
    svg: Svg = None,
    png: Png = None,
    html: Html = None,
) -> None:
    """Solve a puzzle: find the order that certainly wins, or that has the best chance. pbem proves your answer again."""
    from pbem.games import find, known
    from pbem.games import puzzles as found
    from pbem.reports.solving import solution

    from .board import draw

    pictures = Pictures(svg, png, html, for_all=True)
    if game is None or number is None:
        if answer or pictures:
            raise UsageError(_("Say which puzzle: pbem puzzle GAME N. “pbem puzzle” lists them."))
        packs = [find(game)] if game else [find(name) for name in known()]
        screen.say("\n".join(_list(packs)))
        return
    if answer and order:
        raise UsageError(_("--answer shows what wins, and judges no order: leave one of them out."))
    chosen = found.puzzle(find(game), number)
    prover = chosen.prover()
    if pictures:
        draw(chosen.pack, {chosen.seat: prover.view}, pictures)
    if answer:
        screen.echo("\n".join(_set_in(solution(chosen))))
    elif order:
        _judge(chosen, prover, order)
    elif not pictures:
        _show(chosen, prover.view)


def _list(packs: Sequence[GamePack]) -> Iterator[str]:
    from pbem.games.puzzles import kept
    from pbem.reports.solving import task

    none = True
    for pack in packs:
        for one in kept(pack):
            none = False
            yield f"{pack.rules.id} {one.number:>3}  {task(one)}"
    yield _("There are no puzzles for this game.") if none else _("“pbem puzzle GAME N” shows one.")


def _show(one: Puzzle, view: View) -> None:
    from pbem.reports.solving import about, task

    screen.echo(_("Puzzle {n} of {game}.", n=one.number, game=one.pack.rules.title) + "\n")
    screen.show_position(one.pack.look, view)
    screen.echo(f"\n{one.pack.look.question(view)}\n")
    goes_on = _(
        "“pbem puzzle {game} {n} ORDER” says whether an order wins, and --answer what does.",
        game=one.pack.rules.id,
        n=one.number,
    )
    screen.say("\n".join([task(one), *about(one), goes_on]))


def _judge(one: Puzzle, prover: Proves, words: Sequence[str]) -> None:
    """Say whether an order wins; the program ends with code 1 where it does not."""
    from pbem.reports.solving import verdict

    # without quotes the shell parts words, and a line has several
    typed = "\n".join(words) if any(" " in word for word in words) else " ".join(words)
    found = verdict(one, prover, typed.replace("; ", "\n"))
    screen.say(found.said)
    if not found.solves:
        screen.echo("\n".join(_set_in((depth + 1, text) for depth, text in found.line)))
        raise typer.Exit(1)


def _set_in(lines: Iterable[tuple[int, str]]) -> Iterator[str]:
    return (f"{'  ' * depth}{text}" for depth, text in lines)
