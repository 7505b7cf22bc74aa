"""Why a value does not fit a model: the place, what was read, both bounds; and in French."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pbem.i18n import speaking
from pbem.i18n.misfits import misfit, place


class _Cat(BaseModel):
    kind: Literal["cat"]
    lives: int = Field(ge=1, le=9)


class _Dog(BaseModel):
    kind: Literal["dog"]
    name: str = Field(pattern="^[a-z]+$")


class _House(BaseModel):
    model_config = ConfigDict(extra="forbid")

    rooms: int = Field(default=3, ge=2, le=5)
    pets: list[Annotated[_Cat | _Dog, Field(discriminator="kind")]] = Field(default=[], max_length=2)
    doors: dict[str, Annotated[int, Field(ge=1)]] = {}
    lamps: dict[Literal["hall", "cellar"], int] = {}
    is_open: bool = False
    colour: Literal["red", "blue", "green"] = "red"
    called: str = Field(default="ab", min_length=2, max_length=4)
    pair: tuple[int, Annotated[int, Field(le=3)]] = (1, 1)


def wrong(value: Any) -> list[str]:
    """Return what is said of a house that does not fit."""
    schema = _House.model_json_schema()
    with pytest.raises(ValidationError) as refused:
        _House.model_validate(value)
    return [f"{place(error, schema)}: {misfit(error, schema)}" for error in refused.value.errors()]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"rooms": 9}, "rooms: it is 2 to 5, not “9”"),
        ({"rooms": 1}, "rooms: it is 2 to 5, not “1”"),
        ({"rooms": "many"}, "rooms: it is a whole number, 2 to 5, not “many”"),
        ({"doors": {"front": 0}}, "doors.front: it is 1 or more, not “0”"),
        ({"pair": [1, 4]}, "pair.1: it is 3 or less, not “4”"),
        ({"pair": [1, "x"]}, "pair.1: it is a whole number, 3 or less, not “x”"),
        ({"pair": 3}, "pair: it is a list, not “3”"),
        ({"is_open": "perhaps"}, "is_open: it is true or false, not “perhaps”"),
        ({"colour": "pink"}, "colour: it is red, blue or green, not “pink”"),
        ({"called": "x"}, "called: it is a text of 2 to 4 letters, not “x”"),
        ({"called": 7}, "called: it is a text, not “7”"),
        ({"called": None}, "called: it is a text, not “null”"),
        ({"called": [True]}, "called: it is a text, not “[true]”"),
        ({"pets": {}}, "pets: it is a list, not “{}”"),
        ({"pets": [{"kind": "cat", "lives": 10}]}, "pets.0.lives: it is 1 to 9, not “10”"),
        ({"pets": [{"kind": "dog", "name": "X"}]}, "pets.0.name: it is a text of the form ^[a-z]+$, not “X”"),
        ({"pets": [{"kind": "cat"}]}, "pets.0.lives: this field is missing"),
        ({"pets": [{"kind": "cat", "lives": 9}] * 3}, "pets: it is a list of 2 or less, not of 3"),
        ({"pets": [{"kind": "cow"}]}, "pets.0: it is cat, dog, not “cow”"),
        ({"pets": [{"lives": 9}]}, "pets.0: it lacks kind: cat, dog"),
        ({"doors": {"x": []}}, "doors.x: it is a whole number, 1 or more, not “[]”"),
        ({"lamps": {"hall": 1, "attic": 2}}, "lamps.attic: it is hall or cellar, not “attic”"),
        ({"roms": 3}, "roms: there is no such field; did you mean rooms?"),
        ({"xyz": 3}, "xyz: there is no such field; the fields are rooms, pets, doors, lamps, is_open, colour, called, pair"),
        (7, ": it is an object, not “7”"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_told_with_what_would(value: Any, said: str) -> None:
    assert wrong(value) == [said]


def test_a_long_value_is_cut() -> None:
    assert wrong({"colour": "x" * 1000}) == [f"colour: it is red, blue or green, not “{'x' * 60}…”"]


def test_it_is_told_in_french() -> None:
    with speaking("fr"):
        assert wrong({"rooms": 9}) == ["rooms: il faut de 2 à 5, et non «\xa09\xa0»"]
