"""Orders and positions as JSON are bounded: no list and no number of the schemas is without an end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import ValidationError

from pbem.errors import OrderError
from pbem.games import find
from pbem.games.swords.orders import Deploy, PutWall
from pbem.games.swords.reading import read_order
from pbem.games.swords.rules.parts import STANDARD
from pbem.schemas import of_game


def boundless(form: Any, at: str = "") -> Iterator[str]:
    """Go through the places of lists and numbers that have no upper bound."""
    if isinstance(form, dict):
        bound = {"array": "maxItems", "integer": "maximum"}.get(str(form.get("type")))
        if bound and bound not in form:
            yield at
        for name, inner in form.items():
            yield from boundless(inner, f"{at}/{name}")
    elif isinstance(form, list):
        for number, inner in enumerate(form):
            yield from boundless(inner, f"{at}/{number}")


@pytest.mark.parametrize("name", ["orders", "position"])
def test_every_list_and_number_is_bounded(name: str) -> None:
    assert [*boundless(of_game(find("swords"))[f"swords-{name}"])] == []


def test_what_has_no_bound_is_found() -> None:
    assert [*boundless({"properties": {"a": {"type": "array", "items": {"type": "integer", "maximum": 1}}}})] == [
        "/properties/a"
    ]


def test_a_formation_has_four_squares() -> None:
    four = ("A1", "B1", "B2", "B3")
    assert Deploy(squares=four, pulled=("A1",), region="Moray").squares == four
    for squares in (four[:3], (*four, "C3")):
        with pytest.raises(ValidationError):
            Deploy(squares=squares, pulled=("A1",), region="Moray")
        with pytest.raises(OrderError, match="say the four squares") as refused:
            read_order(STANDARD, f"DEPLOY {' '.join(squares)} PULL A1 TO Moray", "deploy")
        assert refused.value.problems[0].legal
    with pytest.raises(ValidationError):
        PutWall(border=("Moray", "Ross", "Fife"))
