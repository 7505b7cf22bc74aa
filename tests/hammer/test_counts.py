"""Small positions are counted out: a change of the rules that allows or forbids anything there changes a number.

PBEM_GOLDEN=write with these tests writes the numbers anew (`docs/reference/counts.md`).
"""

from __future__ import annotations

import os

import pytest

from pbem.games import find
from pbem.games.positions import read
from tests.hammer.counting import CASES, Case, count
from tests.hammer.guessing import guessed

GUESSED = {
    "battle": 3,
    "bruce_two_homes": 1,
    "herald": 1,
    "move_two_groups": 2,
    "norse": 1,
    "pillage": 1,
    "reserve": 3,
    "sea_move": 1,
    "truce": 1,
    "victuals": 1,
    "winter_builds": 2,
    "withdraw": 3,
}
"""How many decisions deep all that could be typed is typed."""


@pytest.mark.variants
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.path.stem)
def test_the_decisions_from_a_small_position_are_as_many_as_on_file(case: Case) -> None:
    if os.environ.get("PBEM_GOLDEN") == "write":
        case.rewrite()
        return
    assert case.counts, "nothing was counted"
    assert case.counted() == case.counts, f"{case.path.name} has changed; PBEM_GOLDEN=write writes it anew"


@pytest.mark.slow
@pytest.mark.parametrize("case", [case for case in CASES if case.path.stem in GUESSED], ids=lambda case: case.path.stem)
def test_typing_everything_finds_as_many(case: Case) -> None:
    depth = GUESSED[case.path.stem]
    assert tuple(map(str, count(case.start(), depth, guessed))) == case.counts[:depth]


def test_a_file_of_counts_is_a_position() -> None:
    for case in CASES:
        placed = read(case.path.read_text("utf-8"), find("hammer"))
        assert placed.state.board.year == case.start().state.board.year
