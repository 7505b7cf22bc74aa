"""Values are made of each other as `dataclasses.replace` makes them, and facts are JSON when somebody looks."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, dataclass, fields, replace
from typing import Any, ClassVar

import pytest

from pbem.games.hammer.rules.battle import Battle
from pbem.games.hammer.rules.board import Board
from pbem.games.hammer.rules.setup import set_up
from pbem.kernel import Fact, Frame, Happening, Run, changed, hidden


@dataclass(frozen=True, slots=True)
class _Walk(Frame):
    steps: int = 0
    rest: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Slotless:
    steps: int = 0


class _Sum:
    __slots__ = ("total",)
    total: int


@dataclass(frozen=True, slots=True)
class _Counted(_Sum):
    row: tuple[int, ...]
    name: str = ""

    kept: ClassVar = {"total": "row"}

    def __post_init__(self) -> None:
        object.__setattr__(self, "total", sum(self.row))


class _Said(Happening, kind="said"):
    n: int
    who: str | None = hidden()


BATTLE = Battle("begin", "Fife", "english", ("Edward",), ("Wallace",))


@pytest.mark.parametrize(
    ("value", "changes"),
    [
        (_Walk("begin"), {"step": "end", "rest": ("a",)}),
        (_Slotless(), {"steps": 3}),
        (BATTLE, {"step": "turn", "hits": 2}),
        (set_up("braveheart").board, {"turn": 3, "first": "english"}),
        (set_up("braveheart"), {"stack": ()}),
    ],
)
def test_a_changed_value_is_what_replace_returns(value: Any, changes: dict[str, Any]) -> None:
    before = copy.copy(value)
    found = changed(value, **changes)
    assert (found, type(found)) == (replace(value, **changes), type(value))
    assert value == before
    with pytest.raises(FrozenInstanceError):
        setattr(found, fields(found)[0].name, None)


@pytest.mark.parametrize("value", [_Walk("begin"), _Slotless(), BATTLE])
def test_what_is_no_field_is_refused(value: Any) -> None:
    with pytest.raises((AttributeError, TypeError)):
        changed(value, nothing=1)


def test_a_class_made_to_fill_its_values_is_no_kind_of_the_game() -> None:
    changed(BATTLE, step="turn")
    assert Battle.known("battle") is Battle


def test_what_is_kept_goes_along_as_long_as_its_field_stays() -> None:
    one = _Counted((1, 2))
    assert changed(one, name="b").total == 3
    assert changed(one, row=(4, 5)).total == 9


def test_a_board_is_pickled_and_copied_with_what_is_kept() -> None:
    board = set_up("bruce").board
    for other in (pickle.loads(pickle.dumps(board)), copy.deepcopy(board), replace(board)):  # noqa: S301
        assert isinstance(other, Board)
        assert (other, other.whereabouts) == (board, board.whereabouts)


def test_a_fact_is_json_when_it_is_looked_at() -> None:
    run = Run[None](None, ())
    run.tell(_Said(3, "ann"), "ann")
    run.tell(_Said(4))
    first, second = run.events
    assert first == Fact({"f": "said", "n": 3}, {"ann": {"f": "said", "n": 3, "who": "ann"}})
    assert second == Fact({"f": "said", "n": 4})
    assert second != Fact({"f": "said", "n": 5})
    assert repr(second) == "Fact(public={'f': 'said', 'n': 4}, private={})"


def test_what_nobody_looks_at_is_never_made(monkeypatch: pytest.MonkeyPatch) -> None:
    made, real = list[bool](), _Said.json

    def json(said: _Said, *, knows: bool) -> dict[str, Any]:
        made.append(knows)
        return real(said, knows=knows)

    monkeypatch.setattr(_Said, "json", json)
    run = Run[None](None, ())
    run.tell(_Said(3, "ann"), "ann")
    assert not made
    (fact,) = run.events
    assert isinstance(fact, Fact)
    assert [fact.heard_by("ann"), fact.heard_by(None), fact.public] == [
        {"f": "said", "n": 3, "who": "ann"}, {"f": "said", "n": 3}, {"f": "said", "n": 3},
    ]  # fmt: skip
    assert made == [True, False]
