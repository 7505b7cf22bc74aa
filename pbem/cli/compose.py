"""Composing an order step by step in the terminal: the question, the possible next steps, and the order to sign."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import typer

from pbem.errors import OrderError
from pbem.games import GamePack
from pbem.games.touching import taken, unsaid
from pbem.i18n import _
from pbem.kernel import View
from pbem.kernel.digits import whole
from pbem.look.touches import END, parts, writes
from pbem.reports.listed import ASIDE

from . import screen
from .drafting import OrderDraft
from .planning import make_plan, may_plan


class GoBack(Exception):
    """The person takes back the answer before."""


def compose(
    pack: GamePack,
    view: View,
    plans: str = "",
    marks: Mapping[str, int] | None = None,
    *,
    signs: bool = True,
    aside: str = "",
    back: bool = False,
) -> str | None:
    """Ask for an order until one is legal and confirmed; return its canonical text, or None if the player leaves.

    The numbered list of answers comes first, as in a letter; its lines are whole orders, with their plans. Other possible touches
    have numbers, too, and Tab completes their text. The player can also type lines: each is read at once, and a bad one is refused
    with its reason. In a game without touches, orders are chosen by number if there are few, otherwise typed line by line.

    Lines that begin with PLAN are plans, and are returned after the order. They replace the standing `plans`. `plan` asks for a
    plan word by word if the game has touches for plans. `plans` shows the plans, with the note `aside`. `unplan` takes back the
    last one. Lines that begin with AHEAD are premoves for the questions that will have these `marks`.

    `undo` takes back a touch or line. Without any lines, it raises GoBack if the previous answer can be taken `back`. `?` says
    what each touch writes. Enter (or END) closes the order; an order closes by itself when nothing can be added. In a terminal, an
    order that turns out to be wrong can be corrected. Ctrl-C and the end of input leave it, as `quit` does. If an order is not
    going to be signed, it needs confirmation only if it was not read as a whole before it was closed.
    """
    try:
        return _composed(_Sheet(OrderDraft(pack, view, plans, marks or {}), signs=signs, aside=aside, back=back))
    except typer.Abort:
        screen.echo()
        return None


def show_unsaid(pack: GamePack, view: View, text: str) -> None:
    """Say what an order that was read from a file means beyond its lines, before it is signed."""
    for sentence in unsaid(pack, view, text):
        screen.say(f"# {sentence}")


def _composed(sheet: _Sheet) -> str | None:
    sheet.ask()
    while True:
        text = sheet.answer()
        if text is None:
            return None
        try:
            along = [*sheet.draft.planned(), *sheet.draft.sent_ahead()]
            order = taken(sheet.draft.pack, sheet.draft.view, text)
        except OrderError as error:
            screen.say(str(error))
            continue
        said = [*str(order).split("\n"), *along]
        told = unsaid(sheet.draft.pack, sheet.draft.view, sheet.draft.order)
        if sheet.is_right(said, told, filled=told != unsaid(sheet.draft.pack, sheet.draft.view, str(order))):
            return "\n".join(said)
        sheet.again()


_AROUND = 4
"""The lines of a window around question and list: the prompt, and empty lines."""


class _Sheet:
    """The draft of an order in dialogue with a person, who continues it by numbers, by their words, or by typed lines."""

    def __init__(self, draft: OrderDraft, *, signs: bool, aside: str = "", back: bool = False) -> None:
        self.draft, self.signs, self.aside, self.back = draft, signs, aside, back
        self._lively = screen.in_colour()
        self._ended = False
        """Whether the player closed the order, with the whole order before him."""

    def is_right(self, said: Sequence[str], unsaid: Sequence[str] = (), *, filled: bool = False) -> bool:
        """Show an order that is closed, and what it means beyond its lines; is it what its writer wants?

        Something may have been `filled` in that he has not seen before.
        """
        lines = [
            *(f"  {line}" for line in said),
            *(line for sentence in unsaid for line in screen.folded(f"  # {sentence}")),
        ]
        if not self.signs and not filled and (self._ended or self.draft.steps <= 1):
            screen.echo("\n".join(lines))
            return True
        head = _("Your order, as it will be signed:") if self.signs and self._lively else _("Your order:")
        screen.echo("\n".join(["", head, *lines]))
        return screen.agreed(_("Is that right?"), default=True)

    def ask(self, *, whole: bool = False) -> None:
        """Show the question, and the possible touches. Unless `whole` is set, shorten it to the height of the window."""
        look, view = self.draft.pack.look, self.draft.view
        listed = self._listed()
        asks = look.question(view).split("\n\n")
        room, most = screen.lines_left(len(listed) + _AROUND), len(asks)
        while len(asks) > 1 and listed and not whole and "\n\n".join(asks).count("\n") >= room:
            asks.pop()
        screen.echo("\n" + "\n\n".join(asks))
        if len(asks) < most:
            screen.echo(_("(“help” shows more.)"))
        if not self.draft.touches() and not self.draft.lines:
            screen.echo("\n" + look.template(view))
        self._list()
        if whole and (does := self._what_cards_do()):
            screen.echo("\n".join([_("What the cards do:"), *does, ""]))

    def _what_cards_do(self) -> list[str]:
        """Return the effects of the cards that can be touched now, if the game describes them."""
        touched = {touch.at for touch in self.draft.touches()}
        rows = self.draft.pack.look.cards(self.draft.view)
        does = {card.name: card.says for row in rows for card in row.cards if card.says and card.at in touched}
        return [line for name, says in does.items() for line in screen.folded(f"  {name}: {says}")]

    def _legend(self) -> None:
        """List the words that may be typed in addition to the list."""
        screen.echo(_("Type a number, or the order in words; Tab completes both. You can also type one of these:"))
        said = {
            _("Enter"): _("the choice marked “(Enter)”; otherwise the list again"),
            _("undo"): _("takes the last line or number back; before you write any, your last answer")
            if self.back
            else _("takes the last line or number back"),
            _("board"): _("draws the board"),
            _("help"): _("shows the whole question, and what cards do"),
            "plan": _("says now what you want in questions to come; “plans”, “unplan”"),
            _("quit"): _("leaves it for now"),
        }
        screen.echo("\n".join(f"  {word:<8}{what}" for word, what in said.items()) + "\n")

    def answer(self) -> str | None:
        """Return the lines of the order when they are closed, or when nothing is left to be added; None to leave it."""
        self._ended = False
        while True:
            match (said := self._asked()).strip().lower():
                case "quit" | "q" | "quitter":
                    return None
                case "end" | "fin":
                    self._ended = True
                    return self.draft.order
                case "" if touch := self.draft.at_enter():
                    if touch.at != END:
                        self.draft.take(touch)
                    self._ended = True
                    return self.draft.order
                case number if whole(number) is not None:
                    if self._touch(int(number)):
                        return self.draft.order
                    continue
                case numbers if (
                    all(whole(number) is not None for number in numbers.replace(",", " ").split()) and numbers
                ):
                    if self._touch_all([int(number) for number in numbers.replace(",", " ").split()]):
                        return self.draft.order
                    continue
                case command if self._command(command):
                    continue
            self._type(said)
            if self.draft.is_done():
                return self.draft.order

    def _asked(self) -> str:
        asks = _("Line {number} (END undo ? board plan quit)", number=len(self.draft.lines) + 1)
        if self.draft.offered().numbered:
            asks = _("Number or order (? board plan quit)")
            if self.draft.lines or self.back:
                asks = _("Number or order (undo ? board plan quit)")
        return screen.asked(asks, self.draft.completions)

    def _touch(self, number: int) -> bool:
        """Do the touch with a number; return whether it closed the order."""
        touches = self.draft.offered().numbered
        if not 1 <= number <= len(touches):
            screen.echo(_("There is no number {number}; choose 1 to {count}.", number=number, count=len(touches)))
            return False
        touch = touches[number - 1]
        if touch.at == ASIDE[0] and self._may_plan():
            self._make_plan()
            return False
        if touch.at == END:
            return True
        self.draft.take(touch)
        if self.draft.is_done():
            return True
        self._go_on()
        return False

    def _touch_all(self, numbers: Sequence[int]) -> bool:
        """Do several touches of the list in turn, all or nothing. Return whether they closed the order."""
        shown = self.draft.offered().numbered
        for before, number in enumerate(numbers):
            wanted = shown[number - 1] if 1 <= number <= len(shown) else None
            touch = next(
                (
                    one
                    for one in self.draft.offered().numbered
                    if wanted and (one.at, one.label) == (wanted.at, wanted.label)
                ),
                None,
            )
            if touch is None or touch.at in (END, *ASIDE):
                for _once in range(before):
                    self.draft.undo()
                screen.say(_("“{part}” cannot come behind the others.", part=number))
                return False
            self.draft.take(touch)
        if self.draft.is_done():
            return True
        self._go_on()
        return False

    def _may_plan(self) -> bool:
        return may_plan(self.draft.pack, self.draft.view, parts(self.draft.lines).plans)

    def _make_plan(self) -> None:
        """Make plans word by word, one after the other, until there are enough."""
        while plan := make_plan(self.draft.pack, self.draft.view, parts(self.draft.lines).plans):
            self.draft.type(plan)
            screen.say(self.draft.planned()[-1])
            if not self._may_plan() or not screen.agreed(_("Another plan?"), default=False):
                break
        self._list()

    def _type(self, said: str) -> None:
        if problems := self.draft.type(said):
            screen.say("\n".join(map(str, problems)))
        elif not self.draft.is_done():
            self._go_on()

    def _go_on(self) -> None:
        """Show the current lines, and the possible next touches."""
        screen.say("\n".join(f"  {line}" for line in self.draft.lines) or _("Nothing is written yet."))
        self._list()

    def _list(self, *, typed: bool = False) -> None:
        """Show what may be touched, by numbers; or what each of them writes, so that it can be `typed`."""
        lines = self._listed(typed=typed)
        screen.echo("\n".join(["", *lines, ""]) if lines else "")

    def _listed(self, *, typed: bool = False) -> list[str]:
        touches, enter = self.draft.offered().numbered, self.draft.at_enter()
        texts = [f"{touch.label} ({touch.note})" if touch.note else touch.label for touch in touches]
        if typed:
            wide = max(map(len, texts), default=0)
            lines = [
                "END" if touch.at == END else writes(self.draft.lines, touch).replace("\n", "; ") for touch in touches
            ]
            both = [f"{text:<{wide}}  {line}" for text, line in zip(texts, lines, strict=True)]
            return screen.laid_out(
                both if screen.fit(both) else [line or text for line, text in zip(lines, texts, strict=True)]
            )
        texts = [
            _("{touch} (Enter)", touch=text) if touch == enter else text
            for text, touch in zip(texts, touches, strict=True)
        ]
        first = len(self.draft.offered().answers)
        lines = screen.laid_out(texts[first:], first + 1)
        return [*screen.laid_out(texts[:first]), *([""] if first and lines else []), *lines]

    def _command(self, said: str) -> bool:
        """Do what a command says; is it one?"""
        match said:
            case "" if self.draft.offered().numbered:
                self._list()
            case "?" if self.draft.offered().numbered:
                self._list(typed=True)
                self._legend()
            case word if word == "" or word in screen.HELP:
                self.ask(whole=True)
                self._legend()
            case "board" | "b" | "plateau" | "carte":
                screen.echo("")
                screen.show_position(self.draft.pack.look, self.draft.view)
                screen.echo("")
            case "undo" | "annuler":
                if self.back and not self.draft.lines:
                    raise GoBack
                gone = self.draft.undo()
                screen.echo(_("Taken back: {line}", line=gone) if gone else _("Nothing is written yet."))
                self._list()
            case "plan" if self._may_plan():
                self._make_plan()
            case "plan" | "plans":
                lines = self.draft.planned() or [_("There are no plans; type lines that begin with PLAN.")]
                screen.say("\n".join(filter(None, [*lines, self.aside])))
            case "unplan":
                gone = self.draft.unplan()
                screen.echo(_("Taken back: {line}", line=gone) if gone else _("No plan is written here."))
                self._list()
            case _:
                return False
        return True

    def again(self) -> None:
        """Go back to the lines after an order that is not right; a person at a terminal mends them."""
        if not self._lively:
            self.draft.clear()
        elif self.draft.lines:
            lines = [f"  {line}" for line in self.draft.lines]
            screen.echo("\n".join([_("Your lines are kept; undo removes the last one:"), *lines]))
        self._list()
