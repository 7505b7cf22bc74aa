"""Classes whose methods are written later are those that the standard library would have made."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from dataclasses import FrozenInstanceError, field
from itertools import product
from typing import Any

import pytest

from pbem import records

OPTIONS = [
    dict(zip(("frozen", "slots", "eq", "unsafe_hash", "kw_only"), chosen, strict=True))
    for chosen in product((False, True), repeat=5)
]


def _made(dataclass: Any, options: dict[str, bool]) -> Any:
    class Point:
        """A place, and what was found there."""

        x: int
        y: int = 2
        found: list[int] = field(default_factory=list, compare=False)
        hidden: str = field(default="h", repr=False)

    return dataclass(Point, **options) if options else dataclass(Point)


def _tried(kind: Any) -> list[object]:
    """What comes of everything that is done with a class, errors among it."""
    first, other = kind(x=1), kind(x=1, y=3, found=[4])
    done: list[Any] = [
        lambda: kind(1, 5),
        kind,
        lambda: kind(x=1, z=2),
        lambda: (first == kind(x=1), first == other, first != other, first == 1, other == kind(x=1, y=3)),
        lambda: hash(first) == hash(kind(x=1)),
        lambda: hash(first) == hash(other),
        lambda: dataclasses.asdict(other),
        lambda: dataclasses.replace(other, x=9),
        lambda: copy.copy(other),
        lambda: copy.deepcopy(other).found is other.found,
        lambda: setattr(kind(x=1), "x", 2),
        lambda: delattr(kind(x=1), "x"),
        lambda: kind.__match_args__,
        lambda: hasattr(first, "__dict__"),
        lambda: kind(x=1).found is kind(x=1).found,
        lambda: kind.y,
    ]
    found: list[object] = []
    for attempt in done:
        try:
            found.append(repr(attempt()))
        except (TypeError, AttributeError) as error:
            found.append((type(error), str(error)))
    return found


@pytest.mark.parametrize("options", [{}, *OPTIONS], ids=str)
def test_a_class_does_what_one_of_the_standard_library_does(options: dict[str, bool]) -> None:
    assert _tried(_made(records.dataclass, options)) == _tried(_made(dataclasses.dataclass, options))


@records.dataclass(frozen=True, slots=True)
class Kept:
    """What is written down whole."""

    name: str
    parts: tuple[int, ...] = ()


@records.dataclass(frozen=True, slots=True)
class KeptLonger(Kept):
    """The same with a field more, which is looked at when it is made."""

    until: int = 0

    def __post_init__(self) -> None:
        if self.until < 0:
            raise ValueError(self.until)

    def __repr__(self) -> str:
        return f"until {self.until}"


def test_what_is_frozen_can_be_written_down_and_read() -> None:
    assert pickle.loads(pickle.dumps(Kept("a", (1,)))) == Kept("a", (1,))  # noqa: S301 - our own


def test_a_class_may_derive_from_another_and_say_what_is_done() -> None:
    made = KeptLonger("a", (), 3)
    assert (made.name, made.until, repr(made), repr(Kept("a"))) == ("a", 3, "until 3", "Kept(name='a', parts=())")
    assert made != Kept("a")
    assert Kept("a") != made
    assert made == KeptLonger("a", until=3)
    with pytest.raises(ValueError, match="-1"):
        KeptLonger("a", until=-1)
    with pytest.raises(FrozenInstanceError):
        made.until = 4  # type: ignore[misc]


def test_one_may_derive_from_a_frozen_class_of_the_standard_library() -> None:
    @dataclasses.dataclass(frozen=True, slots=True)
    class Below:
        a: int

    @records.dataclass(frozen=True, slots=True)
    class Above(Below):
        b: int = 1

    assert repr(Above(2)).endswith("Above(a=2, b=1)")
    assert hash(Above(2)) == hash(Above(2, 1))
    with pytest.raises(FrozenInstanceError):
        Above(2).b = 3  # type: ignore[misc]


def test_a_method_is_written_by_its_first_call_and_no_other() -> None:
    kind = _made(records.dataclass, {"frozen": True, "eq": True})
    unwritten = kind.__eq__
    made = kind(x=1)
    assert kind.__eq__ is unwritten
    assert made == kind(x=1)
    assert kind.__eq__ is not unwritten
