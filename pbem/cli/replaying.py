"""The command replay: a game as its story, its positions, a page, or its notation; of a log, or of a game that nobody signed."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from pbem.errors import RecordError, UsageError
from pbem.i18n import _

from . import screen
from .common import Pictures, Png, Svg, read_bytes, read_repaired, rules_lent, write_bytes
from .sharing import ALL, Sharing, folder, head_of
from .show import File, tale_in

if TYPE_CHECKING:
    from pbem.games import GamePack
    from pbem.player.tales import Shown, Tale

From = Annotated[
    bool,
    typer.Option(
        "--from",
        help="FILE is an unsigned game: full notation, or JSON Lines of decisions and dice.",
    ),
]
Form = Literal["short", "full", "json"]


def replay(
    file: File,
    at: Annotated[
        str | None,
        typer.Option(
            "--at",
            metavar="N",
            help="Only the position after entry N, and what led to it. N is a number, or the beginning of a turn's or "
            "battle's name, as “1306, Game Turn 2”.",
        ),
    ] = None,
    seat: Annotated[
        str | None,
        typer.Option(
            help="The view of this seat; for what is shared also “all”, once the game is over. Default: the public's, with a "
            "drawing of all that the copy opens."
        ),
    ] = None,
    svg: Svg = None,
    png: Png = None,
    html: Annotated[
        Path | None,
        typer.Option(
            "--html",
            metavar="OUT",
            help="Write the whole game as a page that steps through it; with --at, it opens there.",
        ),
    ] = None,
    opinion: Annotated[
        bool, typer.Option("--opinion", help="With --html, of a game that is over: who stood better at each turn.")
    ] = False,
    notation: Annotated[
        Form | None,
        typer.Option(
            "--notation",
            help="Print the notation of a game that is over: short (a line per turn and side), full (every decision, die and "
            "card), or json (the same as JSON Lines).",
        ),
    ] = None,
    form: Annotated[
        Literal["markdown", "bbcode", "html", "text"] | None,
        typer.Option(
            "--as", metavar="FORM", help="Print the whole game for people to read: markdown, bbcode, html or text."
        ),
    ] = None,
    maps: Annotated[
        Path | None,
        typer.Option("--pictures", metavar="DIR", help="Write a map for each turn; with --as, the text shows them."),
    ] = None,
    gif: Annotated[
        Path | None, typer.Option("--gif", metavar="OUT", help="Write an animation as GIF, a map for each turn.")
    ] = None,
    webp: Annotated[Path | None, typer.Option("--webp", metavar="OUT", help="The same as WebP.")] = None,
    span: Annotated[
        str,
        typer.Option(
            "--span",
            metavar="TURN",
            help="With --gif or --webp: only turns with names that begin so, as 1306 or “Round 2”; a single turn step by step.",
        ),
    ] = "",
    card: Annotated[
        Path | None,
        typer.Option(
            "--card", metavar="OUT", help="Write a card for a forum: the last map, the result, and how to check it."
        ),
    ] = None,
    unsigned: From = False,
) -> None:
    """Tell the story of a game, or show one of its positions. Reads only the copy, without replaying the rules."""
    from pbem.player.named import moment, seat_named

    with ExitStack() as stack:
        tale = source(file, stack, unsigned=unsigned)
        share = Sharing(form, maps, gif, webp, card, span)
        seat = seat_named([*tale.seats, ALL] if share else tale.seats, seat, tale.pack_or_none)
        if share:
            share.write(tale, seat)
            return
        if notation is not None:
            screen.echo(noted(file, tale, notation, unsigned=unsigned), nl=False)
            return
        if (n := moment(tale, at)) is not None:
            tale.check_at(n)
        if opinion:
            _check_opinion(tale, fits=html is not None and not seat)
        if unsigned:
            say_unsigned()
        _show(tale, n, seat, Pictures(svg, png), html, opinion)


def story(
    file: File,
    out: Annotated[Path, typer.Option(help="The folder for the two pages and their pictures.")] = Path("story"),
    pictures: Annotated[
        bool, typer.Option("--pictures/--no-pictures", help="Whether to draw the last map and the best battle.")
    ] = True,
    unsigned: From = False,
) -> None:
    """Write the story of a finished game: two pages with a chronicle, turning points, luck, the best battle and awards."""
    from pbem.player.unsigned import opened_of
    from pbem.story.session import report

    with ExitStack() as stack:
        tale = source(file, stack, unsigned=unsigned)
        if not tale.is_over:
            raise UsageError(_("This game is not over. Its story can be told when it is."))
        made = report(opened_of(tale), tale.pack, head_of(tale), drawn=pictures)
    folder(out)
    for name, data in {"story.html": made.html.encode(), "story.md": made.markdown.encode(), **made.pictures}.items():
        write_bytes(out / name, data, for_all=True)


def source(file: str, stack: ExitStack, *, unsigned: bool) -> Tale:
    """Return what a log tells, or a game in full notation. Raises RecordError or UsageError, which name the file."""
    if not unsigned:
        data = read_repaired(file)
        try:
            return tale_in(file, data)
        except RecordError:
            from pbem.player.unsigned import no_log_but_notation

            no_log_but_notation(file, data)
            raise
    from pbem.player.unsigned import UnsignedTale, notation_in

    return UnsignedTale(file, notation_in(file, read_bytes(file)), stack.enter_context(rules_lent(None)))


def say_unsigned() -> None:
    """Say that nobody has signed a game."""
    from pbem.story.notation import unsigned

    screen.echo(unsigned() + "\n")


def noted(file: str, tale: Tale, form: Form, *, unsigned: bool) -> str:
    """Return the notation of a game that is over. Raises UsageError for one that is not: its orders are still sealed."""
    from pbem.player.tales import LogTale
    from pbem.player.unsigned import UnsignedTale, opened_of
    from pbem.story.from_log import notation_of
    from pbem.story.notation import as_json_lines, written
    from pbem.story.short import short

    if not tale.is_over and not unsigned:
        raise UsageError(
            _(
                "This game is not over: here it ends with entry {n}. Its notation would show what is hidden.",
                n=tale.entries[-1].n,
            )
        )
    if isinstance(tale, UnsignedTale):
        game = tale.game
    elif isinstance(tale, LogTale):
        game = notation_of(tale.log)
    else:
        game = tale.notation()  # type: ignore[attr-defined] # the third kind, without a host
    if form == "short":
        return short(game, opened_of(tale), tale.pack)
    return written(game) if form == "full" else as_json_lines(game)


def _show(tale: Tale, at: int | None, seat: str | None, pictures: Pictures, whole: Path | None, opinion: bool) -> None:
    from pbem.reports.told import sense

    from .board import draw

    pack, shown = tale.pack, tale.shown(None if whole else at, seat)
    with sense(
        _(
            "These rules do not recognise a report of {game} in this copy: it comes from other rules, or "
            "somebody made it up.",
            game=pack.rules.title,
        )
    ):
        if whole:
            write_bytes(whole, shown.page(opinion, at).encode(), for_all=shown.is_public)
        if pictures:
            views, facts = tale.shown(at, seat).drawn()
            draw(pack, {one: pack.rules.read_view(view) for one, view in views.items()}, pictures, facts)
        if whole or pictures:
            return
        screen.echo(_history(pack, shown, seat))
        for after, view in shown.positions.items():
            screen.echo(f"\n{after}\n")
            screen.show_position(pack.look, pack.rules.read_view(view))


def _check_opinion(tale: Tale, *, fits: bool) -> None:
    """Refuse --opinion with anything but the page of a game that is over, and where nobody judges the game."""
    if not fits:
        raise UsageError(_("--opinion goes with --html, for the whole page of a game that is over, without --seat."))
    if not tale.is_over:
        last = tale.entries[-1].n
        raise UsageError(
            _("This game is not over: here it ends with entry {n}. --opinion wants one that is over.", n=last)
        )
    if tale.pack.opinion is None:
        raise UsageError(_("{game} has no built-in player that judges a position.", game=tale.pack.rules.title))


def _history(pack: GamePack, shown: Shown, seat: str | None) -> str:
    """Return the facts of each entry as text, and finally the result if there is one."""
    from pbem.reports.text import readable, result_text, unknown, wrap

    lines = []
    for n, facts in shown.facts:
        told = [(fact, readable(fact, seat, pack)) for fact in facts]
        said = [unknown(fact) if text is None else text for fact, text in told if text != ""]
        lines += [f"[{n}]", *(wrap(text, "  ", "- ") for text in said)] if said else []
    if shown.result is not None:
        lines.append(result_text(shown.result, pack))
    return "\n".join(lines)
