"""Making a plan step by step in the terminal: the game puts the steps, here they are shown, answered and taken back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from pbem.errors import OrderError
from pbem.i18n import N_, _, _n
from pbem.kernel import Line, Names

from . import screen

if TYPE_CHECKING:
    from pbem.kernel import View
    from pbem.look import Choice, Look, Step


def make_plan(look: Look, view: View) -> str | None:
    """Ask for a plan until one is made and kept; return its text, or None to leave it."""
    said: list[Sequence[str]] = []
    answer: Sequence[str] | str
    while True:
        step = look.plan_form(view, said)
        if isinstance(step, str):
            answer = _kept(step)
            if answer == "yes":
                return step
        else:
            screen.echo("\n" + "\n".join([step.asks, *screen.laid_out([choice.text for choice in step.choices])]))
            answer = _answered(step)
        if answer == "quit" or (answer == "back" and not said):
            return None
        if answer == "back":
            said.pop()
        elif not isinstance(answer, str):
            said.append(answer)


def _kept(plan: str) -> str:
    """Show a plan that is made; return yes, back or quit."""
    screen.echo("")
    screen.say(f"  PLAN {plan}")
    while True:
        said = _prompt(_("Keep it? (yes back quit)"), "yes")
        for word in ("yes", "back", "quit"):
            if word.startswith(said):
                return word


def _answered(step: Step) -> Sequence[str] | str:
    """Return the words chosen at a step; or back, or quit."""
    while True:
        said = _prompt(_how(step), "")
        if said in ("back", "quit"):
            return said
        if (words := _chosen(step, said)) is not None:
            return words


def _prompt(asks: str, default: str) -> str:
    return str(typer.prompt(asks, default=default, show_default=False)).strip().lower()


def _how(step: Step) -> str:
    if not step.several:
        return _("Number (back quit)")
    if step.least:
        return _("Numbers, first choice first (back quit)")
    return _("Numbers, first choice first, or nothing (back quit)")


def _chosen(step: Step, answer: str) -> list[str] | None:
    """Return the words that were chosen, by number or by name; None where the answer does not fit, after saying why."""
    parts = answer.replace(",", " ").split()
    if not all(part.isdigit() for part in parts):
        parts = [part.strip() for part in answer.split(",") if part.strip()]
    found: list[str] = []
    for part in parts:
        choice = _choice(step.choices, part)
        if choice is None:
            return None
        if choice.word not in found:
            found.append(choice.word)
    most = len(step.choices) if step.several else 1
    if (step.least if step.several else 1) <= len(found) <= most:
        return found
    screen.echo(_("Choose one.") if most == 1 else _n("Choose one or more.", "Choose {n} or more.", step.least))
    return None


def _choice(choices: Sequence[Choice], part: str) -> Choice | None:
    if part.isdigit():
        if 1 <= int(part) <= len(choices):
            return choices[int(part) - 1]
        screen.echo(_("There is no number {number}; choose 1 to {count}.", number=part, count=len(choices)))
        return None
    try:
        name = Names([choice.text for choice in choices], N_("choice")).find(part, Line(0, part))
    except OrderError as error:
        screen.say(str(error))
        return None
    return next(choice for choice in choices if choice.text == name)
