"""A finished log of two retold: what each seat heard and saw after every entry, and what everybody did.

It follows from both secrets and the true position, so an unfinished log cannot be retold. Its proofs are not checked again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from pbem.kernel import Json
from pbem.kernel.knowing import Knowing
from pbem.ledger import Entry
from pbem.ledger.pair import PairCourse, known_course
from pbem.ledger.pair.course import JOINS
from pbem.ledger.statements import is_consent

from .as_it_was import TrueSteps, heard_by

Who: TypeAlias = str | None
"""A seat; None is everybody."""


class Retold(NamedTuple):
    """The result of one entry: by seat, and None for everybody, the facts heard and the view after them."""

    n: int
    facts: Mapping[Who, tuple[Json, ...]]
    views: Mapping[Who, Json]


def retold(
    knowing: Knowing, course: PairCourse, entries: Sequence[Entry], last: int, steps: TrueSteps | None = None
) -> Iterator[Retold]:
    """Go through a finished log up to entry `last`; yield a Retold for the beginning of the game, and for each entry with facts.

    `course` is the state at the end of the log. A caller that watches the game gives `steps`, the game at its beginning, and gets
    every entry. Between two questions no view can be shown, so the previous one is given. Raises Fault if the rules find one.
    """
    if not (watches := steps is not None):
        again = known_course(entries[: JOINS + 1], goes_on=True)
        steps = TrueSteps(knowing, again, {seat: course.vault(seat) for seat in course.names})
    everybody: tuple[Who, ...] = (None, *course.names)
    heard = offer = 0
    for entry in entries[JOINS : last + 1]:
        said: list[Json] = []
        if entry.n > JOINS:
            steps.take_turn(entry)
            for fact in _said(entry):
                if fact["act"] == "draw":
                    offer = entry.n
                said.append({**fact, "about": offer} if fact["act"] == "agree" else fact)
        events, heard = steps.happened[heard:], len(steps.happened)
        facts = {who: (*said, *heard_by(events, who)) for who in everybody}
        if entry.n == JOINS or watches or any(facts.values()):
            yield Retold(entry.n, facts, {who: knowing.view(steps.stood, who) for who in everybody})


def _said(entry: Entry) -> Iterator[dict[str, Json]]:
    """Yield the statements in an entry other than orders, as facts; for a take-back the rules have a fact of their own."""
    if is_consent(entry.fields["say"]):
        return
    for act in entry.fields["say"]["acts"]:
        match act["do"]:
            case "say":
                yield {"f": "say", "n": entry.n, "seat": entry.fields["by"], "act": act["what"]}
            case "word":
                yield {"f": "say", "n": entry.n, "seat": act["say"]["seat"], "act": act["say"]["what"]}
