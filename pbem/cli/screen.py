"""A person at a terminal: whether there is one, and what is drawn there in colour.

Whatever is piped, or read where NO_COLOR is set, or in a window that is too narrow, stays the plain text that it is in a mail.
"""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

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
"""What somebody says who wants to know what may be said."""
_LETTERS = "╭╌║ö"
_WIDTH = 80
"""Short choices stand beside each other, in so many columns of letters."""
_FEW = 8


def in_colour(columns: int = 80) -> bool:
    """Is there a terminal that shows colours, lines between letters, and so many columns?"""
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
    """Print words that somebody else has written, each line behind a mark, so that none can be taken for the program's own."""
    echo("\n".join(f"| {part}" for line in text.strip("\n").split("\n") for part in _as_wide(line)))


def _as_wide(line: str) -> list[str]:
    """The parts of a line that are as wide as the terminal: it would fold a longer one, and show the rest without a mark."""
    if not sys.stdout.isatty():
        return [line]
    line, width = visible(line), max(shutil.get_terminal_size().columns - len("| "), 2)
    return textwrap.wrap(line, width if line.isascii() else width // 2) or [""]  # others may be twice as wide


def say(text: str) -> None:
    """Print sentences, a line each; folded between words where they are longer than a terminal is wide."""
    lines = text.split("\n")
    if in_colour():
        width = min(shutil.get_terminal_size().columns, _WIDEST)
        lines = [part for line in lines for part in textwrap.wrap(line, width, subsequent_indent="  ") or [""]]
    echo("\n".join(lines))


def laid_out(texts: Sequence[str]) -> list[str]:
    """Return numbered choices in lines: one below the other, or in columns where they are many and short."""
    items = [f"{number:3}  {text}" for number, text in enumerate(texts, 1)]
    wide = max(map(len, items), default=0) + 2
    columns = max(1, _WIDTH // wide) if len(items) > _FEW else 1
    rows = -(-len(items) // columns)
    return ["".join(f"{item:<{wide}}" for item in items[row::rows]).rstrip() for row in range(rows)]


def asked(prompt: str, completions: Callable[[str], Sequence[str]]) -> str:
    """Ask for a line; in a terminal Tab completes it, by what its beginning may become. An empty one is "?"."""
    with _completing(completions):
        return str(typer.prompt(prompt, default="?", show_default=False))


@contextmanager
def _completing(completions: Callable[[str], Sequence[str]]) -> Iterator[None]:
    """Let Tab complete as long as something is asked, where a person types and the system knows how."""
    try:
        import readline
    except ImportError:  # Windows
        readline = None  # type: ignore[assignment]
    if readline is None or not sys.stdin.isatty():
        yield
        return

    def complete(said: str, no: int) -> str | None:
        found = completions(said.lstrip())
        return found[no] if no < len(found) else None

    before, delims = readline.get_completer(), readline.get_completer_delims()
    readline.set_completer(complete)
    readline.set_completer_delims("")
    readline.parse_and_bind("bind ^I rl_complete" if "libedit" in (readline.__doc__ or "") else "tab: complete")
    try:
        yield
    finally:
        readline.set_completer(before)
        readline.set_completer_delims(delims)


def agreed(question: str, *, default: bool) -> bool:
    """Ask a question until it is answered by yes or no, in English or in the language that is spoken; typer.Abort leaves it."""
    yes, no = {"y", "yes", _("yes"), _("yes")[0]}, {"n", "no", _("no"), _("no")[0]}
    choices = _("[Y/n]") if default else _("[y/N]")
    while True:
        said = str(typer.prompt(f"{question} {choices}", default="", show_default=False)).strip().lower()
        if not said or said in yes | no:
            return said in yes if said else default
        echo(_("Say yes or no."))


def draw(lines: Iterable[Iterable[Span]], console: Console | None = None) -> None:
    """Print lines in their colours, never folded, on a console; else on standard output."""
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
