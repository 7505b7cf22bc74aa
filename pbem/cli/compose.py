"""Composing an order step by step in the terminal: what is asked, what may be touched next, what will be signed."""

from __future__ import annotations

from collections.abc import Mapping

import typer

from pbem.errors import OrderError, Problem
from pbem.games import GamePack
from pbem.i18n import _
from pbem.kernel import View, read_ahead, read_plans, typed
from pbem.look.touches import END, writes

from . import screen
from .drafting import ASIDE, Draft
from .planning import make_plan

MANY = 40


def compose(pack: GamePack, view: View, plans: str = "", marks: Mapping[str, int] | None = None) -> str | None:
    """Ask for an order until one is legal and confirmed; return its canonical text, or None to leave it.

    Lines that begin with PLAN are plans, and come back behind the order; `plans` are the standing ones, which they replace.
    `plan` asks for one step by step, where the game has a form for them; `plans` shows them, `unplan` takes back the last one.
    Lines that begin with AHEAD are for the questions that will bear `marks`.
    What may be touched next has a number, and Tab completes what it writes; lines may be typed as well: each is read at once, and
    a bad one is refused with its reason. `undo` takes back a touch or line, `?` says what each touch writes, END closes the order;
    where nothing can be added it closes by itself. A game without touches has its orders chosen by number where they are few, else
    typed line by line. In a terminal an order that is not right after all stands to be mended. Ctrl-C and the end of input leave
    it as `quit` does.
    """
    try:
        return _composed(pack, view, plans, marks or {})
    except typer.Abort:
        screen.echo()
        return None


def _composed(pack: GamePack, view: View, plans: str, marks: Mapping[str, int]) -> str | None:
    sheet = (
        _Touched(Draft(pack, view, plans, marks)) if pack.look.touches(view, ()) else _listed(pack, view, plans, marks)
    )
    sheet.ask()
    while True:
        text = sheet.answer()
        if text is None:
            return None
        try:
            order = pack.rules.parse(view, text)
            along = [*sheet.planned(), *sheet.sent_ahead()]
        except OrderError as error:
            screen.say(str(error))
            continue
        if refusal := pack.rules.why_not(view, order):
            screen.say(str(Problem(0, "", refusal.why, refusal.rule, refusal.legal)))
            continue
        said = [*str(order).split("\n"), *along]
        head = _("Your order, as it will be signed:") if sheet.lively else _("Your order:")
        screen.echo("\n".join(["", head, *(f"  {line}" for line in said)]))
        if screen.agreed(_("Is that right?"), default=True):
            return "\n".join(said)
        sheet.again()


class _Touched:
    """An order that is made by touches, each with a number, or typed; for a game whose look says what may be touched."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.lively = screen.in_colour()

    def ask(self) -> None:
        """Show the question, and what may be touched."""
        screen.echo(f"\n{self.draft.pack.look.question(self.draft.view)}")
        self._list()

    def answer(self) -> str | None:
        """Return the lines of the order when they are closed, or when nothing is left to be added; None to leave it."""
        while True:
            match (said := self._asked()).strip().lower():
                case "quit" | "q":
                    return None
                case "end":
                    return self.draft.order
                case number if number.isdecimal():
                    if self._touch(int(number)):
                        return self.draft.order
                    continue
                case command if self._command(command):
                    continue
            self._type(said)
            if self.draft.is_done():
                return self.draft.order

    def _asked(self) -> str:
        asks = (
            _("Number or order (END undo ? board plan quit)")
            if self.draft.lines
            else _("Number or order (? board plan quit)")
        )
        return screen.asked(asks, self.draft.completions)

    def _touch(self, number: int) -> bool:
        """Do what has a number; is the order closed by it?"""
        touches = self.draft.touches()
        if not 1 <= number <= len(touches):
            screen.echo(_("There is no number {number}; choose 1 to {count}.", number=number, count=len(touches)))
            return False
        touch = touches[number - 1]
        self.draft.take(touch)
        if touch.at == END or self.draft.is_done():
            return True
        self._go_on()
        return False

    def _type(self, said: str) -> None:
        if problems := self.draft.type(said):
            screen.say("\n".join(map(str, problems)))
        elif not self.draft.is_done():
            self._go_on()

    def _go_on(self) -> None:
        """Show the last line as it stands, and what may be touched next."""
        screen.say(f"  {self.draft.lines[-1]}" if self.draft.lines else _("Nothing is written yet."))
        self._list()

    def _list(self, *, typed: bool = False) -> None:
        """Show what may be touched, by numbers; and what each of them writes, so that it can be `typed`."""
        touches = self.draft.touches()
        texts = [f"{touch.label} ({touch.note})" if touch.note else touch.label for touch in touches]
        if typed:
            wide = max(map(len, texts), default=0)
            lines = [writes(self.draft.lines, touch).replace("\n", "; ") for touch in touches]
            texts = [f"{text:<{wide}}  {line}" for text, line in zip(texts, lines, strict=True)]
        screen.echo("\n".join(["", *screen.laid_out(texts), ""]) if texts else "")

    def _command(self, said: str) -> bool:
        """Do what a command says; is it one?"""
        match said:
            case "?" | "":
                self._list(typed=True)
            case "help":
                self.ask()
            case "board" | "b":
                screen.echo("")
                screen.show_position(self.draft.pack.look, self.draft.view)
                screen.echo("")
            case "undo":
                gone = self.draft.undo()
                screen.echo(_("Taken back: {line}", line=gone) if gone else _("Nothing is written yet."))
                self._list()
            case "plan" if plan := next((touch for touch in self.draft.touches() if touch.at == ASIDE[0]), None):
                self.draft.take(plan)
                self._list()
            case "plan" if self.draft.pack.look.plan_form(self.draft.view, ()):
                while plan := make_plan(self.draft.pack.look, self.draft.view):
                    self._type(f"PLAN {plan}")
                    if not screen.agreed(_("Another plan?"), default=False):
                        break
            case "plan" | "plans":
                screen.say("\n".join(self.planned()) or _("There are no plans; type lines that begin with PLAN."))
            case "unplan":
                gone = self.draft.unplan()
                screen.echo(_("Taken back: {line}", line=gone) if gone else _("No plan is written here."))
                self._list()
            case _:
                return False
        return True

    def again(self) -> None:
        """Go back to the lines after an order that is not right; a person at a terminal mends them."""
        if not self.lively:
            self.draft.clear()
        elif self.draft.lines:
            lines = [f"  {line}" for line in self.draft.lines]
            screen.echo("\n".join([_("Your lines stand, undo takes back the last:"), *lines]))
        self._list()

    def planned(self) -> list[str]:
        """Return the plans that go with the order. Raises OrderError where one is not finished."""
        return self.draft.planned()

    def sent_ahead(self) -> list[str]:
        """Return the lines that are sent ahead with the order. Raises OrderError where one is not finished."""
        return self.draft.sent_ahead()


def _listed(pack: GamePack, view: View, plans: str, marks: Mapping[str, int]) -> _Sheet:
    """Return the sheet of a game without touches, with the legal orders where they are few."""
    options = pack.rules.options(view)
    count = options.count()
    listed = [str(order) for order in options] if count is not None and count <= MANY else []
    return _Sheet(pack, view, listed, plans, marks)


class _Sheet:
    """The order as far as it is written, for the question of one view."""

    def __init__(self, pack: GamePack, view: View, listed: list[str], standing: str, marks: Mapping[str, int]) -> None:
        self.pack, self.view, self.listed, self.standing, self.marks = pack, view, listed, standing, marks
        self.lines: list[str] = []
        self.plans: list[str] = []
        self.ahead: list[str] = []
        self.lively = screen.in_colour()

    def ask(self) -> None:
        """Show the question, and what may be answered."""
        look = self.pack.look
        screen.echo(f"\n{look.question(self.view)}\n")
        for number, text in enumerate(self.listed, 1):
            screen.echo(f"{number:3}  " + text.replace("\n", "; "))
        if not self.listed:
            screen.echo(look.template(self.view))
            if self._hints():
                screen.echo("\n" + _("? says what may be written, help says this again."))
        screen.echo("")

    def _command(self, said: str) -> bool:
        """Do what a command says; is it one?"""
        match said.strip().lower():
            case "?" | "" if hints := self._hints():
                screen.echo(f"\n{hints}\n")
            case "?" | "help" | "":
                self.ask()
            case "board" | "b":
                screen.echo("")
                screen.show_position(self.pack.look, self.view)
                screen.echo("")
            case "plan" if self.pack.look.plan_form(self.view, ()):
                self._make_plan()
            case "plan" | "plans":
                screen.say("\n".join(self.planned()) or _("There are no plans; type lines that begin with PLAN."))
            case "unplan":
                screen.echo(
                    _("Taken back: {line}", line=self.plans.pop()) if self.plans else _("No plan is written here.")
                )
            case _:
                return self._plan(said) or self._ahead(said)
        return True

    def _hints(self) -> str:
        """Return what may still be added, for a person at a terminal; "" where nothing is to be said."""
        return self.pack.look.hints(self.view, self.lines) if self.lively and not self.listed else ""

    def _tell_left(self) -> None:
        """Say in a line how much is left."""
        if hints := self._hints():
            screen.echo(hints.partition("\n")[0])

    def again(self) -> None:
        """Go back to the lines after an order that is not right; a person at a terminal mends them."""
        if self.lively and self.lines:
            screen.echo(
                "\n".join([_("Your lines stand, undo takes back the last:"), *(f"  {line}" for line in self.lines)])
            )
        else:
            self.lines.clear()

    def planned(self) -> list[str]:
        """The plans that go with the order: those written here, else the standing ones."""
        said = read_plans(self.pack.rules, "\n".join(self.plans)) if self.plans else self.standing
        return [f"PLAN {line}" for line in said.splitlines()]

    def _make_plan(self) -> None:
        """Make plans step by step, one after the other, until there are enough."""
        while plan := make_plan(self.pack.look, self.view):
            self._plan(f"PLAN {plan}")
            if not screen.agreed(_("Another plan?"), default=False):
                break

    def _plan(self, said: str) -> bool:
        """Keep a line that begins with PLAN, or say what is wrong with it; is it one?"""
        if said.strip().partition(" ")[0].upper() != "PLAN":
            return False
        try:
            read_plans(self.pack.rules, "\n".join([*self.plans, said]))
        except OrderError as error:
            screen.say(str(error))
        else:
            self.plans.append(said)
            screen.say(self.planned()[-1])
        return True

    def sent_ahead(self) -> list[str]:
        """The lines that are sent ahead with the order."""
        found = read_ahead(self.pack.rules, self.view, self.marks, "\n".join(self.ahead))
        return [line for mark, text in found.items() for line in typed(mark, text)]

    def _ahead(self, said: str) -> bool:
        """Keep a line that begins with AHEAD, or say what is wrong with it; is it one?"""
        if said.strip().partition(" ")[0].upper() != "AHEAD":
            return False
        self.ahead.append(said)
        try:
            screen.echo(self.sent_ahead()[-1])
        except OrderError as error:
            self.ahead.pop()
            screen.say(str(error))
        return True

    def answer(self) -> str | None:
        """Return the order chosen or written; None to leave it."""
        return self.choose() if self.listed else self.write()

    def choose(self) -> str | None:
        """Return the order chosen by its number, or typed; None to leave."""
        while True:
            said = str(typer.prompt(_("Number or order (? board plan quit)"), default="?", show_default=False))
            if said.strip().lower() in ("quit", "q"):
                return None
            if self._command(said):
                continue
            if not said.strip().isdigit():
                return said
            if 1 <= int(said) <= len(self.listed):
                return self.listed[int(said) - 1]
            screen.echo(
                _("There is no number {number}; choose 1 to {count}.", number=said.strip(), count=len(self.listed))
            )

    def write(self) -> str | None:
        """Return the order written line by line; None to leave."""
        while True:
            said = str(
                typer.prompt(
                    _("Line {number} (END undo ? board plan quit)", number=len(self.lines) + 1),
                    default="?",
                    show_default=False,
                )
            )
            match said.strip().lower():
                case "quit" | "q":
                    return None
                case "end":
                    return "\n".join(self.lines)
                case "undo":
                    screen.echo(
                        _("Taken back: {line}", line=self.lines.pop()) if self.lines else _("Nothing is written yet.")
                    )
                    self._tell_left()
                    continue
            if not self._command(said) and not self._refused(said):
                self.lines.append(said)
                self._tell_left()

    def _refused(self, line: str) -> bool:
        """Say what is wrong with a line by itself; what the whole order lacks is said when it is closed."""
        try:
            self.pack.rules.parse(self.view, "\n".join([*self.lines, line]))
        except OrderError as error:
            wrong = [problem for problem in error.problems if problem.line == len(self.lines) + 1]
            for problem in wrong:
                screen.say(str(problem))
            return bool(wrong)
        return False
