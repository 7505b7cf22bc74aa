"""The command puzzle: positions in which an order wins or is best; who is sent there finds it, and hears what refutes another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pbem.errors import UsageError
from pbem.i18n import _, _n

from . import screen
from .common import Html, Pictures, Png, Svg

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from fractions import Fraction

    from pbem.games import GamePack
    from pbem.games.proving import Line
    from pbem.games.puzzles import Proves, Puzzle
    from pbem.games.reckoning import Reckoner
    from pbem.kernel import Order, View


def puzzle(
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="Whose puzzles; else those of all games are listed.")
    ] = None,
    number: Annotated[
        int | None, typer.Argument(metavar="[N]", help="Which; else those of the game are listed.")
    ] = None,
    order: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[ORDER]…", help="Your answer, to be judged; else the position is shown. Lines in quotes."
        ),
    ] = None,
    answer: Annotated[bool, typer.Option("--answer", help="Show what wins.")] = False,
    svg: Svg = None,
    png: Png = None,
    html: Html = None,
) -> None:
    """Solve a puzzle: find the order that wins for certain, whatever you cannot see, or has the best chance; it is proved anew."""
    from pbem.games import find, known
    from pbem.games import puzzles as found

    from .board import draw

    pictures = Pictures(svg, png, html)
    if game is None or number is None:
        if answer or pictures:
            raise UsageError(_("Say which puzzle: pbem puzzle GAME N. “pbem puzzle” lists them."))
        packs = [find(game)] if game else [find(name) for name in known()]
        screen.say("\n".join(_list(packs)))
        return
    chosen = found.puzzle(find(game), number)
    prover = chosen.prover()
    if pictures:
        draw(chosen.pack, {chosen.seat: prover.view}, pictures)
    if answer:
        screen.echo("\n".join(_solution(chosen)))
    elif order:
        _judge(chosen, prover, prover.view, order)
    elif not pictures:
        _show(chosen, prover.view)


def _list(packs: Sequence[GamePack]) -> Iterator[str]:
    from pbem.games.puzzles import kept

    none = True
    for pack in packs:
        for one in kept(pack):
            none = False
            yield f"{pack.rules.id} {one.number:>3}  {_task(one)}"
    yield _("There are no puzzles of this game.") if none else _("“pbem puzzle GAME N” shows one.")


def _task(one: Puzzle) -> str:
    seat = one.pack.look.seat_name(one.seat)
    return _("{seat} to move. {task}", seat=seat[:1].upper() + seat[1:], task=one.task)


def _show(one: Puzzle, view: View) -> None:
    screen.echo(_("Puzzle {n} of {game}.", n=one.number, game=one.pack.rules.title) + "\n")
    screen.show_position(one.pack.look, view)
    screen.echo(f"\n{one.pack.look.question(view)}\n")
    screen.say("\n".join(_about(one)))


def _about(one: Puzzle) -> Iterator[str]:
    yield _task(one)
    if one.chance is None or one.chance == 1:
        yield _n(
            "Of {orders} legal orders {n} wins.", "Of {orders} legal orders {n} win.", len(one.wins), orders=one.orders
        )
    else:
        yield _n(
            "Of {orders} legal orders {n} has the best chance.",
            "Of {orders} legal orders {n} have the best chance.",
            len(one.wins),
            orders=one.orders,
        )
    if one.chance is None:
        yield _n(
            "What you cannot see can lie in {n} way, as far as it matters.",
            "What you cannot see can lie in {n} ways, as far as it matters.",
            one.arrangements,
        )
    else:
        yield _(
            "Nothing that you cannot see matters here. It is reckoned that others answer as well as they can, and you go on so."
        )
    yield _(
        "“pbem puzzle {game} {n} ORDER” says whether an order wins, and --answer what does.",
        game=one.pack.rules.id,
        n=one.number,
    )


def _judge(one: Puzzle, prover: Proves, view: View, words: Sequence[str]) -> None:
    """Say whether an order wins; the program ends with code 1 where it does not."""
    from pbem.games.reckoning import Reckoner
    from pbem.games.touching import judged

    # without quotes the shell parts words, and a line has several
    typed = "\n".join(words) if any(" " in word for word in words) else " ".join(words)
    order = judged(one.pack.rules, view, typed.replace("; ", "\n"))
    line = prover.against(order)
    reckoned = _reckoned(prover, order) if isinstance(prover, Reckoner) else ""
    if line is None:
        screen.say(
            reckoned
            or _(
                "{order} wins, whatever you cannot see. This was proved in {n} steps.",
                order=_in_a_line(order),
                n=prover.steps,
            )
        )
        return
    screen.say(reckoned or _("{order} does not win for certain. This may come of it:", order=_in_a_line(order)))
    screen.echo("\n".join(_told(one.pack, line)))
    raise typer.Exit(1)


def _reckoned(prover: Reckoner, order: Order) -> str:
    """Say how good an order is where chances were reckoned."""
    said, chance, best = _in_a_line(order), prover.chance(order), prover.best()
    if chance == best == 1:
        return _("{order} does it for certain. This was proved in {n} steps.", order=said, n=prover.steps)
    if chance == best:
        return _(
            "{order} has the best chance: {chance}. This was reckoned in {n} steps.",
            order=said,
            chance=_chance(chance),
            n=prover.steps,
        )
    if best == 1:
        return _(
            "{order} does it with a chance of {chance}, another order for certain. This may come of it:",
            order=said,
            chance=_chance(chance),
        )
    return _(
        "{order} does it with a chance of {chance}, the best order with {best}. It is likeliest to fail so:",
        order=said,
        chance=_chance(chance),
        best=_chance(best),
    )


def _chance(chance: Fraction) -> str:
    """Return a chance exactly, and rounded to percent where it is a fraction.

    >>> from fractions import Fraction
    >>> _chance(Fraction(2, 3)), _chance(Fraction(0))
    ('2/3 (67 %)', '0')
    """
    if chance.denominator == 1:
        return str(chance)
    return _(
        "{fraction} ({n} %)",
        fraction=chance,
        n=(200 * chance.numerator + chance.denominator) // (2 * chance.denominator),
    )


def _in_a_line(order: Order | str) -> str:
    return str(order).replace("\n", "; ")


def _told(pack: GamePack, line: Line) -> Iterator[str]:
    """Go through orders and what everybody hears of each."""
    from pbem.reports.text import fact_text, items

    for move in line:
        said = _("{seat}: {order}", seat=pack.look.seat_name(move.seat), order=_in_a_line(move.order))
        yield f"  {said}"
        yield from (f"    {item.text}" for item in items(fact_text(fact, None, pack) for fact in move.facts))


def _solution(one: Puzzle) -> Iterator[str]:
    if one.chance is None or one.chance == 1:
        yield _n("This wins:", "Each of these wins:", len(one.wins))
    else:
        chance = _chance(one.chance)
        yield _n(
            "This has the best chance, {chance}:",
            "Each of these has the best chance, {chance}:",
            len(one.wins),
            chance=chance,
        )
    yield from (f"  {_in_a_line(order)}" for order in one.wins)
    yield _("Found in a game of built-in players: {found}.", found=one.found)
