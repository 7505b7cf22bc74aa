"""A log of two told once more, when it is over: what each seat heard and saw after every entry, and what everybody did.

It follows from both secrets, by the true position; a log that goes on cannot be told so. Its proofs are taken as they stand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from pbem.kernel import Json
from pbem.kernel.knowing import Knowing
from pbem.ledger import Entry
from pbem.ledger.pair import PairCourse, known_course
from pbem.ledger.pair.course import JOINS, is_consent

from .as_it_was import TrueSteps, heard_by

Who: TypeAlias = str | None
"""A seat; None is everybody."""


class Retold(NamedTuple):
    """What came of one entry: by seat, and None for everybody, the facts that were heard, and what is seen after them."""

    n: int
    facts: Mapping[Who, tuple[Json, ...]]
    views: Mapping[Who, Json]


def retold(knowing: Knowing, course: PairCourse, entries: Sequence[Entry], last: int) -> Iterator[Retold]:
    """Go through a finished log, up to entry `last`, of which `course` is the end: a Retold for where the game begins, and
    for each entry that anybody hears of.

    On the way between two questions no view can be shown; then the one before stands. Raises Fault where the rules find one.
    """
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
        if entry.n == JOINS or any(facts.values()):
            yield Retold(entry.n, facts, {who: knowing.view(steps.stood, who) for who in everybody})


def _said(entry: Entry) -> Iterator[dict[str, Json]]:
    """Go through what players say in an entry besides orders, as facts; of what is taken back the rules' own fact tells."""
    if is_consent(entry.fields["say"]):
        return
    for act in entry.fields["say"]["acts"]:
        match act["do"]:
            case "say":
                yield {"f": "say", "n": entry.n, "seat": entry.fields["by"], "act": act["what"]}
            case "word":
                yield {"f": "say", "n": entry.n, "seat": act["say"]["seat"], "act": act["say"]["what"]}
