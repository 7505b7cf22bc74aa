"""Composing an order step by step in the terminal: what is asked, what is legal, what will be signed."""

from __future__ import annotations

import sys

import typer

from pbem.errors import OrderError
from pbem.games import GamePack
from pbem.kernel import View

MANY = 40


def compose(pack: GamePack, view: View) -> str | None:
    """Ask for an order until one is legal and confirmed; return its canonical text, or None to leave it.

    Where the legal orders are few they are listed by number; else lines are typed and END closes them. `?` shows the
    question again, `board` the board, `quit` leaves.
    """
    look, rules = pack.look, pack.rules
    options = rules.options(view)
    count = options.count()
    listed = [str(order) for order in options] if count is not None and count <= MANY else []
    _ask(look.question(view), listed, look.template(view))
    while True:
        text = _read(bool(listed))
        match text.strip().lower():
            case "quit" | "q":
                return None
            case "?" | "":
                _ask(look.question(view), listed, look.template(view))
                continue
            case "board" | "b":
                typer.echo(f"\n{look.board(view)}\n\n{look.hand(view)}\n")
                continue
        if listed and text.strip().isdigit():
            number = int(text)
            if not 1 <= number <= len(listed):
                typer.echo(f"There is no number {number}; choose 1 to {len(listed)}.")
                continue
            text = listed[number - 1]
        try:
            order = rules.parse(view, text)
        except OrderError as error:
            typer.echo(str(error))
            continue
        if refusal := rules.why_not(view, order):
            typer.echo(
                f"Not possible: {refusal.why}{f' (rule {refusal.rule})' if refusal.rule else ''}. {refusal.legal}"
            )
            continue
        typer.echo("\nYour order:\n" + "\n".join(f"  {line}" for line in str(order).split("\n")))
        if typer.confirm("Is that right?", default=True):
            return str(order)


def _ask(question: str, listed: list[str], template: str) -> None:
    typer.echo(f"\n{question}\n")
    if listed:
        for number, text in enumerate(listed, 1):
            typer.echo(f"{number:3}  " + text.replace("\n", "; "))
    else:
        typer.echo(template)
    typer.echo("")


def _read(one_line: bool) -> str:
    if one_line:
        return str(typer.prompt("Number or order (? board quit)", default="?", show_default=False))
    typer.echo("Type your order, line by line, then END (or ? board quit):")
    lines: list[str] = []
    for line in sys.stdin:
        if line.strip().upper() == "END" or (
            not lines and line.strip().lower() in ("?", "", "board", "b", "quit", "q")
        ):
            return "".join([*lines, "" if lines else line])
        lines.append(line)
    return "".join(lines) or "quit"
