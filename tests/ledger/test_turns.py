"""The table of turns is what the course does: no game leaves it, and what it does not name is objected to."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from pbem.ledger import Log
from pbem.ledger.course import Course, after, objection
from pbem.ledger.course.state import Phase
from pbem.ledger.course.turns import MEANS, TURNS
from pbem.ledger.entries import CANDIDATE, PROTO
from tests.golden_logs import FOLDER

from .files import DATA

FILES = sorted([*FOLDER.glob("*.pbem"), *(DATA / "said").glob("*.pbem")])
ELSEWHERE = {
    ("asked", "renew"), ("called", "renew"),  # thousands of events: tests/attacks/test_renew.py
    ("play", "end"), ("called", "end"), ("called", "amend"), ("called", "host"), ("called", "rekey"), ("called", "extend"),
    ("roster", "say"), ("ready", "say"), ("play", "say"), ("told", "say"), ("answered", "say"),
}  # fmt: skip
"""What a test of its own brings about: `tests/attacks/test_calls.py`, `test_talk.py`, `test_replace.py`, `test_another_host.py`;
and what no host writes, though it may stand: an offer of a draw, in any phase (below)."""


def steps(path: Path) -> Iterator[tuple[Course, str, Course]]:
    course = Course()
    for entry in Log.parse(path.read_bytes()).entries:
        before, course = course, after(course, entry.fields)
        yield before, entry.k, course


@cache
def seen() -> set[tuple[Phase, str, Phase]]:
    return {(before.phase, kind, then.phase) for path in FILES for before, kind, then in steps(path)}


def test_every_phase_is_in_the_table() -> None:
    assert set(TURNS) == set(MEANS)
    assert {then for kinds in TURNS.values() for leads in kinds.values() for then in leads} == set(TURNS)


@pytest.mark.slow
def test_no_game_leaves_the_table() -> None:
    assert {(phase, kind, then) for phase, kind, then in seen() if then not in TURNS[phase].get(kind, ())} == set()


@pytest.mark.slow
def test_a_course_stays_what_it_was() -> None:
    """An audit keeps the course behind each entry: the next one is made beside it."""
    for path in FILES:
        found = [(then, then.dump()) for _before, _kind, then in steps(path)]
        assert [then.dump() for then, _was in found] == [was for _then, was in found]


def test_each_line_of_the_table_happens() -> None:
    happens = {(phase, kind) for phase, kind, _then in seen()}
    assert {(phase, kind) for phase, kinds in TURNS.items() for kind in kinds} - happens <= ELSEWHERE


@pytest.mark.variants
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_the_table_does_not_name_may_not_come(path: Path) -> None:
    """An entry of each kind that the log has, tried in each phase that it comes through."""
    log = Log.parse(path.read_bytes())
    assert log.entries[0].fields["proto"] in (PROTO, CANDIDATE)
    kinds = {entry.k: entry.fields for entry in log.entries if entry.k != "game"}
    tried = set()
    for before, _kind, _then in steps(path):
        for kind in kinds.keys() - TURNS[before.phase].keys() if before.order else ():
            if (before.phase, kind) not in tried:
                tried.add((before.phase, kind))
                assert objection(before, kinds[kind]), (before.phase, kind)
    assert tried


@pytest.mark.slow
def test_a_draw_may_be_offered_in_every_phase_that_has_a_seat() -> None:
    """As the page says of offers; so the table names it, and who makes a checker from the table says the same of such a log."""
    offered: dict[Phase, set[Phase]] = {}
    for before, _kind, _then in (step for path in FILES for step in steps(path)):
        seat = next((name for name, holder in before.seats.items() if holder.key and not holder.gone), "")
        if not seat or before.phase == "over" or before.owed or before.phase in offered:
            continue
        answer = before.seats[seat].answer
        after_ = [[before.question.n, 99]] if before.question and before.phase != "asked" and answer[0] >= 0 else []
        say = {
            "act": "draw",
            "seat": seat,
            "no": before.next_no(seat),
            "seen": [before.next - 1, "0" * 64],
            "after": after_,
        }
        entry = {"k": "say", "by": seat, "at": before.clock, "say": say}
        if objection(before, entry) is None:
            offered[before.phase] = {after(before, entry).phase}
    assert offered == {phase: {phase} for phase in TURNS if phase != "over"}
    assert all("say" in TURNS[phase] and phase in TURNS[phase]["say"] for phase in offered)
