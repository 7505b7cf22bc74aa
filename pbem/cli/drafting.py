"""The draft of an order, which grows by touches and typed lines. `compose` decides how it is shown.

It knows no rules: the possible next steps are the touches of the game's look, and the game reads and judges typed text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pbem.errors import OrderError, Problem
from pbem.games import GamePack
from pbem.games.touching import among, few, judged, mended, unsaid
from pbem.i18n import in_english
from pbem.kernel import View, read_ahead, read_lines, read_orders, read_plans, typed
from pbem.look.touches import AHEAD, END, PLAN, Touch, first_word, parts, writes
from pbem.reports.choices import choices
from pbem.reports.listed import ASIDE, Lines, Offered, offered


class OrderDraft:
    """The lines so far, and those before each touch or line: undo goes back to them.

    `standing` are the plans that go along where the draft has none; `marks` are those for which orders may be sent ahead, by the
    name of the question. Before anything is touched the numbered list of answers is offered, as a letter has it.
    """

    def __init__(self, pack: GamePack, view: View, standing: str, marks: Mapping[str, int]) -> None:
        self.pack, self.view, self.standing, self.marks = pack, view, standing, marks
        self._drafts: list[Lines] = [()]
        self._listed = few(pack, view)
        self._has_touches = bool(self._listed or pack.look.touches(view, ()))
        self._choices = choices(pack, view)
        # the lines of a numbered answer, once it is taken: nothing is asked after it
        self._answered: Lines | None = None

    @property
    def lines(self) -> Lines:
        """All current lines, including plans and premoves."""
        return self._drafts[-1]

    @property
    def order(self) -> str:
        """The lines of the order itself."""
        return "\n".join(parts(self.lines).order)

    def touches(self, after: Lines | None = None) -> list[Touch]:
        """Return the possible next touches, after the draft or after other lines. Without a mark, there are none for premoves."""
        lines = self.lines if after is None else after
        touches: Sequence[Touch] = self.pack.look.touches(self.view, lines)
        if self._listed:
            touches = among(self.pack, self.view, self._listed, lines)
        return [touch for touch in touches if touch.at != ASIDE[1] or self.marks]

    def offered(self) -> Offered:
        """Return the numbered answers if no order is begun, and the touches that make other orders."""
        return offered(self.pack, self.view, self._choices, self.lines, self.touches)

    def at_enter(self) -> Touch | None:
        """Return the touch for Enter alone: the one that closes the order, otherwise the answer that the game offers, if any."""
        order = "" if self.lines else self.pack.look.offered(self.view)
        return next(
            (one for one in self.offered().numbered if one.at == END or (order and self._makes(one, order))), None
        )

    def _makes(self, touch: Touch, order: str) -> bool:
        return touch.closes and touch.at != END and self._read("\n".join(touch.draft)) == order

    def _read(self, text: str) -> str:
        try:
            return str(self.pack.rules.parse(self.view, text))
        except OrderError:
            return ""

    @property
    def steps(self) -> int:
        """How many touches and lines made it."""
        return len(self._drafts) - 1

    def is_done(self) -> bool:
        """Is the order whole, and was it the last thing written, with nothing more to add than what goes along?"""
        begun = self._has_touches and bool(self.lines) and first_word(self.lines[-1]) not in (PLAN, AHEAD)
        return self.lines == self._answered or (
            begun and all(touch.at in (END, *ASIDE) for touch in self.touches()) and self._is_legal()
        )

    def _is_legal(self) -> bool:
        try:
            judged(self.pack.rules, self.view, self.order)
        except OrderError:
            return False
        return True

    def take(self, touch: Touch) -> None:
        """Continue with the draft that a touch makes; an answer of the list is complete."""
        self._answered = touch.draft if touch in self.offered().answers else None
        self._drafts.append(touch.draft)

    def undo(self) -> str:
        """Go back by a touch or a line; return the line that was written by it last, or "" where nothing is written."""
        if len(self._drafts) == 1:
            return ""
        gone = self._drafts.pop()
        return next((line for line in reversed(gone) if line not in self.lines), gone[-1] if gone else "")

    def unplan(self) -> str:
        """Take the last plan out; return its line, or "" where none is written here."""
        plans = parts(self.lines).plans
        if not plans:
            return ""
        at = len(self.lines) - 1 - self.lines[::-1].index(plans[-1])
        self._drafts.append((*self.lines[:at], *self.lines[at + 1 :]))
        return plans[-1]

    def clear(self) -> None:
        """Start over; plans and premoves stay."""
        said = parts(self.lines)
        self._drafts = [(), (*said.plans, *said.ahead)] if said.plans or said.ahead else [()]

    # typed

    def type(self, said: str) -> Sequence[Problem]:
        """Add typed text: a touch by its words or label, the rest of a begun line, or a line. Otherwise return the problems."""
        if touch := self._meant(said, whole=True):
            self.take(touch)
            return ()
        if not read_lines(said):
            return ()
        problems: Sequence[Problem] = ()
        for lines in self._with(in_english(" ".join(said.split()), self.pack.look.order_words)):
            if not (problems := self._problems(lines)):
                self._drafts.append(self._known(lines))
                return ()
        if touch := self._meant(said, whole=False):
            self.take(touch)
            return ()
        if first_word(said) in (PLAN, AHEAD):
            return problems
        order = "\n".join((*parts(self.lines).order, said))
        return mended(self.pack, self.view, order, OrderError(*problems)).problems

    def completions(self, said: str) -> list[str]:
        """Return the possible completions of typed words: the text of touches and of those after them, on one line.

        If nothing begins with these words, return the texts that contain them, if all these begin alike: a name without what
        precedes it.
        """
        fold = said.casefold()
        if found := list(dict.fromkeys(self._become(fold, self.lines))):
            return found
        has = [words for _touch, words in self._written(self.lines) if f" {fold}" in words.casefold()]
        head = has[0][: has[0].casefold().index(fold) + len(fold)] if has else ""
        return has if all(words.startswith(head) for words in has) else []

    def _become(self, said: str, after: Lines) -> Iterator[str]:
        most = len(self.lines) + 1
        """Of one line alone the rest is told."""
        for touch, words in self._written(after):
            if after != self.lines and len(touch.draft) > most:
                continue
            fold = words.casefold()
            further: list[str] = []
            if said.startswith(fold) and len(touch.draft) <= most:
                further = list(self._become(said, touch.draft))
            if further or fold.startswith(said):
                yield from further or [words]

    def _written(self, after: Lines) -> Iterator[tuple[Touch, str]]:
        """Go through what may be touched after some lines, with what the draft gets by it."""
        for touch in self.touches(after):
            if touch.at != END and touch.draft != after:
                yield touch, writes(self.lines, touch).replace("\n", "; ")

    def _meant(self, said: str, *, whole: bool) -> Touch | None:
        """Return the touch with these words or label, or, unless `whole`, with this beginning; None unless there is exactly one."""
        fold = said.strip().casefold()
        fits = []
        for touch in self.touches():
            names = {touch.label.casefold(), writes(self.lines, touch).casefold()}
            if fold in names if whole else any(name.startswith(fold) for name in names):
                fits.append(touch)
        fits = [one for one in self.offered().answers if whole and one.label.casefold() == fold] or fits
        return fits[0] if len(fits) == 1 else None

    def _with(self, said: str) -> list[Lines]:
        """Return the drafts that typed words may mean: a new line, a replacement of an unfinished line, or its completion."""
        if self.lines and self._problems(self.lines):
            return [(*self.lines[:-1], said), (*self.lines[:-1], f"{self.lines[-1]} {said}")]
        return [(*self.lines, said)]

    def _problems(self, lines: Lines) -> Sequence[Problem]:
        """Return the problems of the last line alone. Missing parts of the order are reported when it is closed."""
        said, kind = parts(lines), first_word(lines[-1])
        try:
            if kind == PLAN:
                read_plans(self.pack.rules, "\n".join(said.plans))
            elif kind == AHEAD:
                read_ahead(self.pack.rules, self.view, self.marks, "\n".join(said.ahead))
            else:
                self.pack.rules.parse(self.view, "\n".join(said.order))
        except OrderError as error:
            return [p for p in error.problems if kind in (PLAN, AHEAD) or p.line == len(said.order)]
        return ()

    def _known(self, lines: Lines) -> Lines:
        """Return the lines in the form that touches write, if they can be read by themselves."""
        said, kind = parts(lines), first_word(lines[-1])
        if kind == AHEAD:
            return lines
        try:
            if kind == PLAN:
                plans = read_plans(self.pack.rules, "\n".join(said.plans)).splitlines()
                return (*said.order, *said.ahead, *(f"{PLAN} {line}" for line in plans))
            text = "\n".join(said.order)
            order = str(self.pack.rules.parse(self.view, text))
        except OrderError:
            return lines
        if unsaid(self.pack, self.view, text) != unsaid(
            self.pack, self.view, order
        ):  # what was filled in is still asked
            order = "\n".join(line.text for line in read_orders(text))
        return (*said.plans, *said.ahead, *order.split("\n"))

    # what goes along

    def planned(self) -> list[str]:
        """Return the plans that go with the order, a line each: those written here, otherwise the standing plans."""
        written = "\n".join(parts(self.lines).plans)
        said = read_plans(self.pack.rules, written) if written else self.standing
        return [f"{PLAN} {line}" for line in said.splitlines()]

    def sent_ahead(self) -> list[str]:
        """Return the lines that are sent ahead with the order."""
        found = read_ahead(self.pack.rules, self.view, self.marks, "\n".join(parts(self.lines).ahead))
        return [line for mark, text in found.items() for line in typed(mark, text)]
