"""The full notation of a game of two without a host, written from its finished log.

A log of two records no questions and no dice: they follow from both secrets and the rules. So its notation is written by going
through the log by the true position (`pbem.referee.pair.as_it_was`). Each line has the number of the entry that completed a step of
the rules: the orders and the dice of the step, or `tell` for a step without either. `pbem.story.hostless` plays it again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from pbem.errors import Fault, UsageError
from pbem.games.without_host import knowing_by_version, play_alike
from pbem.kernel import Event, Fact, Order, Outcome
from pbem.kernel.knowing import Knowing
from pbem.ledger import TAKEBACK, Entry
from pbem.ledger.pair import PairCourse, known_course
from pbem.ledger.pair.course import JOINS
from pbem.referee.pair import missing_rules, other_rules, retold
from pbem.referee.pair.as_it_was import TrueSteps
from pbem.story.hostless import BACK, HEARD
from pbem.story.notation import ChangeLine, GameHead, Line, LogNamed, Notation, NoteLine, OrderLine, RollLine, TellLine


def hostless_notation(course: PairCourse, entries: Sequence[Entry]) -> Notation:
    """Return the full notation of a game of two that is over; `course` is the state at its end.

    Raises UsageError if its rules are not here, because other rules may tell another game, and Fault where they find one.
    """
    first, last = course.first, entries[-1]
    if (knowing := knowing_by_version(first["rules"])) is None:
        raise UsageError(missing_rules(first["rules"]))
    again = known_course(entries[: JOINS + 1], goes_on=True)
    watched: Any = _Watched(knowing)
    steps = watched.steps = TrueSteps(watched, again, {seat: course.vault(seat) for seat in course.names})
    lines, kept, heard, is_open = [], 0, 0, True
    try:
        for tell in retold(knowing, course, entries, last.n, steps):
            said = [NoteLine(n=tell.n, fact=fact) for fact in tell.facts[None] if fact["f"] == "say"]
            here = sorted([*watched.lines(tell.n), *_heard(steps, tell.n, heard, kept)], key=lambda one: one[:2])
            if steps.way_back is not None and steps.way_back.n == tell.n:
                state, _stood, before = steps.way_back.known
                behind = next((no for no, step in enumerate(watched.went) if step.state is state), len(watched.went))
                kept = sum(at < heard + len(before) if is_fact else no < behind for at, is_fact, no, _line in here)
            lines += [*said, *(line for _at, _is_fact, _no, line in here)]
            if is_open and steps.result is not None and (how := steps.course.closed[0]):
                change = {"out": [steps.course.closed[1]], "why": how, "by": tell.n}
                lines.append(ChangeLine(n=tell.n, change={"agreed": tell.n} if how == "agreed" else change))
            is_open, heard = steps.result is None, len(steps.happened)
            watched.went.clear()
    except Fault as found:
        if play_alike(first["rules"]):
            raise
        raise UsageError(other_rules(found.entry, first["rules"])) from found
    head = GameHead(
        game=first["rules"]["id"], ver=first["rules"]["ver"], sha256=first["rules"]["sha256"], host="none",
        options=first["opts"], log=LogNamed(id=course.game, n=last.n, head=last.hash),
    )  # fmt: skip
    return Notation(head, lines)


class _Step(NamedTuple):
    """A step of the rules: how much had happened before it, the position, and its input."""

    at: int
    state: Any
    given: Mapping[str, Order] | Outcome | None


class _Watched:
    """Who knows what in a game, with a note of each step that is taken; the rest is the game's own."""

    def __init__(self, knowing: Knowing) -> None:
        self.knowing = knowing
        self.steps: TrueSteps | None = None
        self.went: list[_Step] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self.knowing, name)

    def go(self, state: Any, given: Mapping[str, Order] | Outcome | None = None) -> tuple[Any, tuple[Event, ...]]:
        """Take a step, and note it."""
        self.went.append(_Step(len(self.steps.happened) if self.steps else 0, state, given))
        return self.knowing.go(state, given)

    def lines(self, n: int) -> Iterator[tuple[int, bool, int, Line]]:
        """Yield the lines of the noted steps: how much had happened before, False (a fact has True), the step, the line."""
        for no, (at, state, given) in enumerate(self.went):
            if isinstance(given, Mapping):
                for seat, order in given.items():
                    yield at, False, no, OrderLine(n=n, seat=seat, order=str(order))
            elif given is None:
                yield at, False, no, TellLine(n=n)
            else:
                drawn = [one for some in given for one in some]
                chain = self.knowing.game.wants(state).label  # type: ignore[union-attr] # chance alone has an outcome
                yield at, False, no, RollLine(n=n, chain=chain, res=drawn)


def _heard(steps: TrueSteps, n: int, since: int, kept: int) -> Iterator[tuple[int, bool, int, Line]]:
    """Yield the lines of what happened beside the rules in an entry: pledged plans, and an answer that was taken back."""
    for at, event in enumerate(steps.happened[since:], since):
        fact = event.heard_by(None) if isinstance(event, Fact) else None
        if fact is not None and fact["f"] == TAKEBACK:
            yield at, True, 0, ChangeLine(n=n, change={BACK: fact["ask"], "seat": fact["seat"], "kept": kept})
        elif fact is not None and fact["f"] in HEARD:
            yield at, True, 0, NoteLine(n=n, fact=fact)
