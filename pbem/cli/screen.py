"""A person at a terminal: whether there is one, and how to draw in colour.

If output is piped, NO_COLOR is set, or the window is too narrow, everything stays plain text, as in a mail.
"""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from contextlib import contextmanager
from itertools import groupby
from typing import TYPE_CHECKING

import typer

from pbem.errors import UsageError
from pbem.i18n import _
from pbem.i18n.visible import in_a_line, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from rich.console import Console

    from pbem.kernel import View
    from pbem.look import Look, Span

_COLOURS = {"red": "bright_red", "blue": "bright_blue"}
"""What a terminal calls a colour, where its own name is another: its plain red and blue are hard to read on black."""
_WIDEST = 100
"""Longer lines are hard to read."""
HELP = ("?", "help", "aide")
"""The words that ask for a list of possible words."""
_LETTERS = "╭╌║ö"
_WIDTH = 80
"""The width, in characters, that the columns of short choices fill."""
_EUROPE, _SIGNS = "\u024f", "\u2010\u2011\u2012\u2013\u2014\u2018\u2019\u201c\u201d\u2026\u202f"
"""The last letter of European alphabets; and the dashes, quotation marks and spaces used with them."""
_FEW = 8
_BESIDE = 4
"""The minimum number of short choices between long ones that is worth a second column."""


def in_colour(columns: int = 80) -> bool:
    """Return whether there is a terminal with colours, box-drawing characters and this many columns."""
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    try:
        _LETTERS.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return shutil.get_terminal_size().columns >= columns


def echo(text: str = "", *, err: bool = False, nl: bool = True) -> None:
    """Print a text: the one way by which commands do, so that no control character of a file reaches the terminal."""
    typer.echo(visible(text), err=err, nl=nl)


def quote(text: str) -> None:
    """Print somebody's words, each line after a mark, so that they cannot be mistaken for the program's own."""
    echo("\n".join(f"| {part}" for line in text.strip("\n").split("\n") for part in _as_wide(line)))


def _as_wide(line: str) -> list[str]:
    """The parts of a line that are as wide as the terminal: it would fold a longer one, and show the rest without a mark."""
    if not sys.stdout.isatty():
        return [line]
    line, width = visible(line), max(shutil.get_terminal_size().columns - len("| "), 2)
    return textwrap.wrap(line, width // 2 if any(map(_may_be_wide, line)) else width) or [""]


def _may_be_wide(letter: str) -> bool:
    """May a terminal give it two columns? Not so the letters of Europe, with their accents."""
    return letter > _EUROPE and letter not in _SIGNS


def say(text: str, *, err: bool = False) -> None:
    """Print sentences, a line each; folded between words where they are longer than a terminal is wide."""
    lines = text.split("\n")
    if in_colour():
        width = min(shutil.get_terminal_size().columns, _WIDEST)
        lines = [part for line in lines for part in textwrap.wrap(line, width, subsequent_indent="  ") or [""]]
    echo("\n".join(lines), err=err)


def laid_out(texts: Sequence[str], first: int = 1) -> list[str]:
    """Return choices in lines, numbered from `first`: one below the other, or the short ones in columns where they are many."""
    items = [f"{number:3}  {text}" for number, text in enumerate(texts, first)]
    if len(items) <= _FEW:
        return [line for item in items for line in folded(item)]
    lines = list[str]()
    for is_short, run in groupby(items, key=lambda item: len(item) + 2 <= _WIDTH // 2):
        alike = list(run)
        lines += (
            _columns(alike) if is_short and len(alike) >= _BESIDE else [line for item in alike for line in folded(item)]
        )
    return lines


def fit(texts: Sequence[str]) -> bool:
    """Has each of numbered choices room in one line?"""
    return max(map(len, texts), default=0) + 5 < _WIDTH


def _columns(items: Sequence[str]) -> list[str]:
    wide = max(map(len, items)) + 2
    columns = max(1, _WIDTH // wide)
    rows = -(-len(items) // columns)
    return ["".join(f"{item:<{wide}}" for item in items[row::rows]).rstrip() for row in range(rows)]


def folded(item: str) -> list[str]:
    """Return a line in parts that fit a terminal."""
    return (
        textwrap.wrap(item, _WIDTH - 1, subsequent_indent=" " * 7, break_on_hyphens=False)
        if len(item) >= _WIDTH
        else [item]
    )


def lines_left(lines: int) -> int:
    """Return how many lines a window has left after `lines` of them."""
    return shutil.get_terminal_size().lines - lines


def typed(prompt: str) -> str:
    """Ask for a line, and return it; "" for Enter alone. Raises typer.Abort at the end of input, and where somebody breaks off."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        unseen = sys.stdin.isatty()  # what is printed goes elsewhere, and somebody waits here
        return str(typer.prompt(prompt, default="", show_default=False, err=unseen))
    try:
        return input(visible(f"{prompt}: "))  # the line editor has to know the prompt, to draw the line anew behind it
    except (EOFError, KeyboardInterrupt) as error:
        raise typer.Abort from error


def asked(prompt: str, completions: Callable[[str], Sequence[str]]) -> str:
    """Ask for a line; in a terminal Tab completes it, by what its beginning may become, and arrows bring back the lines before."""
    with editing(completions) as keep:
        said = typed(prompt)
        keep(said)
    return said


@contextmanager
def editing(completions: Callable[[str], Sequence[str]]) -> Iterator[Callable[[str], None]]:
    """Let Tab complete as long as something is asked, where a person types and the system knows how; give what keeps a line.

    Where there is no readline, as under Windows, the terminal's own editing is left as it is, and `?` lists what Tab would.
    """
    try:
        import readline
    except ImportError:
        readline = None  # type: ignore[assignment]
    if readline is None or not sys.stdin.isatty():
        yield lambda _said: None
        return

    found = list[str]()

    def complete(said: str, no: int) -> str | None:
        if no == 0:
            found[:] = completions(said.lstrip())
        return found[no] if no < len(found) else None

    def keep(said: str) -> None:
        last = readline.get_current_history_length()
        if said.strip() and (not last or readline.get_history_item(last) != said):
            readline.add_history(said)

    before, delims = readline.get_completer(), readline.get_completer_delims()
    readline.set_auto_history(False)  # yes and no are nothing to come back to
    readline.set_completer(complete)
    readline.set_completer_delims("")
    readline.parse_and_bind("bind ^I rl_complete" if "libedit" in (readline.__doc__ or "") else "tab: complete")
    try:
        yield keep
    finally:
        readline.set_completer(before)
        readline.set_completer_delims(delims)


def agreed(question: str, *, default: bool) -> bool:
    """Ask a question until it is answered by yes or no, in English or in the language that is spoken; typer.Abort leaves it."""
    yes, no = {"y", "yes", _("yes"), _("yes")[0]}, {"n", "no", _("no"), _("no")[0]}
    choices = _("[Y/n]") if default else _("[y/N]")
    while True:
        said = typed(f"{question} {choices}").strip().lower()
        if not said or said in yes | no:
            return said in yes if said else default
        echo(_("Say yes or no."))


def sure(means: str, *, yes: bool, by_script: bool = False) -> None:
    """Tell a person at a terminal what an act means that cannot be undone; raise typer.Exit unless he wants it.

    `yes`: he has said so before. Where no terminal is, nobody can be asked, so raise UsageError. `by_script`: the act can be made
    good, and the command's own words are enough there.
    """
    if yes or (by_script and not sys.stdin.isatty()):
        return
    if not sys.stdin.isatty():
        raise UsageError(
            f"{means}\n"
            + _(
                "Nobody can be asked here, because the input is no terminal, so nothing has been done. If you want it, add --yes."
            )
        )
    say(means, err=not sys.stdout.isatty())
    try:
        wants = agreed(_("Do you want that?"), default=False)
    except typer.Abort:  # the end of input agrees to nothing
        echo()
        wants = False
    if not wants:
        echo(_("Nothing has been done."))
        raise typer.Exit(1)


def draw(lines: Iterable[Iterable[Span]], console: Console | None = None) -> None:
    """Print lines in colour, without wrapping, on a console (default: standard output)."""
    from rich.console import Console
    from rich.text import Text

    console = console or Console(highlight=False)
    for line in lines:
        text = Text()
        for span in line:
            text.append(in_a_line(span.text), " ".join(_COLOURS.get(word, word) for word in span.style.split()))
        console.print(text, soft_wrap=True)


def show_position(look: Look, view: View) -> None:
    """Print the board, and below it what this seat alone has before it."""
    drawn = look.terminal(view) if in_colour() else ()
    if drawn and in_colour(max(sum(len(span.text) for span in line) for line in drawn)):
        draw(drawn)
    else:
        echo(look.board(view))
    if hand := look.hand(view):
        echo(f"\n{hand}")
