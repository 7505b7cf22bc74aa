"""What is said quickly of a line's form is what pydantic says of it: of every line of recorded games, and of many near it."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from pbem.ledger import entries, register
from pbem.ledger.declared import Form
from pbem.ledger.forms import fault
from pbem.ledger.pair.forms import CHECKS
from tests.ledger.mutants import Item, another, gone, near, odd

GOLDEN = Path(__file__).parents[1] / "golden"
TRIES = 40
AT_MOST = 4
"""So many lines of one form and log are changed."""
DECLARED = {
    name: {**forms}
    for name, forms in {
        "now": entries.KINDS | entries.RANDS | entries.LINES, "pair": CHECKS.forms,
        "values": entries.VALUES, "register": register.KINDS,
    }.items()
}  # fmt: skip


def _validates(declared: Any) -> Callable[[Any], bool]:
    validate = TypeAdapter(declared).validator.validate_python

    def validates(value: Any) -> bool:
        try:
            validate(value)
        except ValidationError:
            return False
        return True

    return validates


def _named(line: Any) -> str:
    kind = line.get("k") if isinstance(line, dict) else line[0]
    return str(line["chain"]).partition(":")[0] if kind == "rand" else str(kind)


def _lines(path: Path) -> Iterator[tuple[str, Any]]:
    """Go through the lines of a log with the names of their forms, of each at most a few."""
    seen: dict[str, int] = {}
    for text in path.read_text("utf-8").splitlines():
        line = json.loads(text)
        if isinstance(line, dict):  # what a log says beyond its form is taken off before it is looked at
            line = {name: value for name, value in line.items() if not name.startswith("x:")}
        name = _named(line)
        seen[name] = seen.get(name, 0) + 1
        if seen[name] <= AT_MOST:
            yield name, line


def _agree(declared: Any, lines: list[Any]) -> tuple[int, int]:
    """Ask both about lines and what is near them; return how many have the form, and how many have not."""
    form, validates, chance = Form(declared), _validates(declared), random.Random(1)
    said = [0, 0]
    for line in lines:
        assert form.passes(line)
        for _try in range(TRIES):
            item = Item(copy.deepcopy(line))
            try:
                for _time in range(chance.choice((1, 1, 2))):
                    chance.choice((odd, near, gone, another))([item], chance)
            except IndexError:  # an attachment has no fields
                continue
            assert form.passes(item.value) == validates(item.value), item.value
            said[not form.passes(item.value)] += 1
    return said[0], said[1]


LOGS = [*sorted((GOLDEN / "logs").glob("*.pbem")), *sorted((GOLDEN / "logs-of-two").glob("*.pbem"))]


@pytest.mark.variants
@pytest.mark.parametrize("path", LOGS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_both_say_the_same_of_lines_and_of_what_is_near_them(path: Path) -> None:
    lines = [*_lines(path)]
    forms = DECLARED["pair" if path.parent.name == "logs-of-two" else "now"]
    forms = {**entries.LINES, **forms}
    right, wrong = 0, 0
    for name in {name for name, _line in lines}:
        some = _agree(forms[name], [line for other, line in lines if other == name])
        right, wrong = right + some[0], wrong + some[1]
    assert right, "what is changed is still right now and then"
    assert wrong > right


@pytest.mark.parametrize(("group", "name"), [(group, name) for group, forms in DECLARED.items() for name in forms])
def test_each_form_is_one_that_can_be_asked_quickly(group: str, name: str) -> None:
    form, validates = Form(DECLARED[group][name]), _validates(DECLARED[group][name])
    for value in (None, 1, True, "", "x", [], {}, [1], {"k": name}, "0" * 64):
        assert form.passes(value) == validates(value), value


def test_why_not_is_said_by_pydantic() -> None:
    form = Form(entries.KINDS["skip"])
    assert fault(form, {"k": "skip"}) == "n: the field is missing"
