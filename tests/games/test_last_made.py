"""What is taken over from what was made before is equal to what is made anew, and one object where nothing has changed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from pbem.kernel import Frame, FramedPosition, LastMade, taken_over, written

KEYS = st.sampled_from("abcd")
VALUES = st.recursive(
    st.integers(0, 3) | st.text("xy", max_size=2),
    lambda below: st.lists(below, max_size=3) | st.dictionaries(KEYS, below),
)


def test_a_part_that_is_the_same_object_is_not_made_again() -> None:
    made: list[tuple[str, ...]] = []

    def listed(part: tuple[str, ...]) -> list[str]:
        made.append(part)
        return [*part]

    last, hand = LastMade(), ("Scott 1", "Scott 2")
    first = last.of("hand", hand, listed)
    assert last.of("hand", hand, listed) is first
    assert last.of("hand", (*hand, "Scott 3"), listed) == ["Scott 1", "Scott 2", "Scott 3"]
    assert made == [hand, (*hand, "Scott 3")]


def test_what_is_equal_is_the_object_that_was_there() -> None:
    last = LastMade()
    first = last.of("areas", (1,), lambda _: {"fife": {"english": 1}, "ross": {"scottish": 2}})
    then = last.of("areas", (2,), lambda _: {"fife": {"english": 1}, "ross": {"scottish": 3}})
    assert then == {"fife": {"english": 1}, "ross": {"scottish": 3}}
    assert then["fife"] is first["fife"]
    assert first == {"fife": {"english": 1}, "ross": {"scottish": 2}}, "what was made before is left as it is"
    assert last.of("areas", (3,), lambda _: {"fife": {"english": 1}, "ross": {"scottish": 3}}) is then


@given(VALUES, VALUES)
def test_what_is_taken_over_is_what_was_made(new: Any, was: Any) -> None:
    said, before = json.dumps(new), json.dumps(was)
    assert json.dumps(taken_over(new, was), sort_keys=True) == json.dumps(json.loads(said), sort_keys=True)
    assert json.dumps(was) == before


@dataclass(frozen=True)
class _Counting(Frame):
    left: int = 1


@dataclass(frozen=True)
class _Asking(Frame):
    left: bool = True


@dataclass(frozen=True)
class _Position:
    board: dict[str, int]
    stack: tuple[_Counting | _Asking, ...]
    result: None = None


def test_what_two_kinds_of_procedures_call_alike_stays_of_its_kind() -> None:
    """1 and true are equal, and are not written alike: what stood where a procedure stands now changes nothing of its text."""
    kept = FramedPosition(_Position, "Kinds", dict[str, int], TypeAdapter(tuple[_Counting | _Asking, ...]))
    states = [_Position({"a": 1}, (kind("step"),)) for kind in (_Counting, _Asking, _Counting)]
    assert [kept.text(state) for state in states] == [written(kept.dump(state)) for state in states]
    assert "true" in kept.text(states[1])
