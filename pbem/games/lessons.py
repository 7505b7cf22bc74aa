"""The steps of a first lesson as positions: what a seat sees, which orders are wanted, and the result of an order.

A step has a position, as a puzzle does. The game's own rules play it on, with the other seats' answers and the chance results that
the step sets (`taught`). Nothing here knows any game by name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.errors import UsageError
from pbem.i18n import _
from pbem.kernel import Ask, Chance, End, Fact, Game, Json, Order, Outcome, Roll

from .pack import find
from .positions import read
from .touching import judged

if TYPE_CHECKING:
    from .pack import GamePack
    from .taught import Lesson, Step

_WORD = re.compile(r"\w+")


class LessonCame(NamedTuple):
    """What came of an order: the state, and what the seat heard."""

    state: Any
    facts: tuple[Json, ...]


class LessonStanding(NamedTuple):
    """A step of a game's lesson at its position; `number` is counted from 1."""

    pack: GamePack
    number: int
    step: Step
    state: Any
    seat: str

    def view(self, state: Any = None) -> Json:
        """Return what the seat sees, here or at another state."""
        return self.pack.rules.view(self.state if state is None else state, self.seat)

    def order(self, text: str) -> Order:
        """Return the legal order that a text means. Raises OrderError."""
        return judged(self.pack.rules, self.pack.rules.read_view(self.view()), text)

    def is_wanted(self, order: Order) -> bool:
        """Is it one of the orders that the step wants? The order of names in a line does not matter."""
        said = _lines(str(order))
        return any(
            len(said) == len(lines) and _within(said, lines, whole=True, in_order=self.step.in_order)
            for lines in map(_lines, self.step.wants)
        )

    def leads_on(self, draft: Sequence[str]) -> bool:
        """Can a draft still become an order that is wanted?"""
        said = _lines("\n".join(draft))
        return any(_within(said, lines, in_order=self.step.in_order) for lines in map(_lines, self.step.wants))

    def trap(self, text: str) -> str:
        """Return why an order, or its beginning, is not wanted here; "" if there is nothing to say about it."""
        return next((_(why) for words, why in self.step.traps.items() if _words(words) <= _words(text)), "")

    def after(self, order: Order) -> LessonCame:
        """Play the order, and on until the seat is asked again or the game is over."""
        own = self.step.others.get(self.seat, ())
        answers = {**self.step.others, self.seat: (str(order), *own)}
        return _played(self.pack.rules, self.state, self.seat, answers, self.step.chance)


def lesson_of(pack: GamePack) -> Lesson:
    """Return what a game has to learn from. Raises UsageError where it has nothing."""
    if pack.lesson is None:
        raise UsageError(_("There is no lesson for {game} yet.", game=pack.rules.title))
    return pack.lesson


def standing(game: str, number: int) -> LessonStanding:
    """Return a step at its position. Raises UsageError if there is no such step."""
    pack = find(game)
    steps = lesson_of(pack).steps
    if not 1 <= number <= len(steps):
        raise UsageError(
            _("The lesson of {game} has the steps 1 to {n}.", game=pack.rules.title, n=len(steps)),
        )
    return _standing(game, number)


@lru_cache(64)
def _standing(game: str, number: int) -> LessonStanding:
    pack = find(game)
    step = lesson_of(pack).steps[number - 1]
    if step.position:
        state = read(step.position, pack).state
        if step.first:
            state = _played(pack.rules, state, step.seat, step.first, ()).state
        return LessonStanding(pack, number, step, state, step.seat)
    before = _standing(game, number - 1)
    came = before.after(before.order(before.step.wants[0]))
    return LessonStanding(pack, number, step, came.state, step.seat or before.seat)


def _played(
    rules: Game, state: Any, seat: str, answers: Mapping[str, Sequence[str]], chance: Sequence[int | str]
) -> LessonCame:
    """Play on until a seat is asked that has no answer left, or the game is over; others then give their default."""
    left, luck, facts = {name: list(said) for name, said in answers.items()}, list(chance), list[Json]()
    while True:
        wanted = rules.wants(state)
        if isinstance(wanted, End) or (isinstance(wanted, Ask) and seat in wanted.seats and not left.get(seat)):
            return LessonCame(state, tuple(facts))
        stop = rules.step(
            state, _thrown(wanted, luck) if isinstance(wanted, Chance) else _given(rules, state, wanted, left)
        )
        heard = (event.heard_by(seat) for event in stop.events if isinstance(event, Fact))
        facts += [fact for fact in heard if fact is not None]
        state = stop.state


def _given(rules: Game, state: Any, wanted: Ask, left: Mapping[str, list[str]]) -> dict[str, Order]:
    """Return the answers of all asked seats: the next of their given answers, or the default."""
    views = {seat: rules.read_view(rules.view(state, seat)) for seat in wanted.seats}
    return {
        seat: judged(rules, view, left[seat].pop(0)) if left.get(seat) else rules.default(view)
        for seat, view in views.items()
    }


def _thrown(wanted: Chance, luck: list[int | str]) -> Outcome:
    """Return the outcome of chance: the results that the step sets; after those, ones and the first names listed."""
    return tuple(
        tuple(_next(luck, 1) for _n in range(one.n)) if isinstance(one, Roll) else _drawn(one.of, one.n, luck)
        for one in wanted.requests
    )


def _next(luck: list[int | str], otherwise: int) -> int | str:
    return luck.pop(0) if luck and isinstance(luck[0], int) else otherwise


def _drawn(names: Sequence[str], n: int, luck: list[int | str]) -> tuple[str, ...]:
    found = list[str]()
    while luck and luck[0] in names and len(found) < n:
        found.append(str(luck.pop(0)))
    return tuple([*found, *(name for name in names if name not in found)][:n])


def _within(
    said: Sequence[Counter[str]], wanted: Sequence[Counter[str]], *, whole: bool = False, in_order: bool = False
) -> bool:
    """Is each line the beginning of a wanted one of its own, or with `whole` that one?"""
    left = list(wanted)
    for line in said:
        found = next(
            (one for one in left[: 1 if in_order else None] if line == one or (not whole and line <= one)), None
        )
        if found is None:
            return False
        left.remove(found)
    return True


def _lines(text: str) -> list[Counter[str]]:
    return [_words(line) for line in text.split("\n") if line.strip()]


def _words(text: str) -> Counter[str]:
    return Counter(word.casefold() for word in _WORD.findall(text))
