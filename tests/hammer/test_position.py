"""The position format: what it says, and what it refuses."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from pbem.errors import FormError
from pbem.games.hammer import GAME
from tests.hammer.builder import Table


def position() -> Any:
    """Return a position in the middle of a battle."""
    table = Table({"Dunbar": "Dunbar", "Mentieth": "York Infantry"}, {"Lanark": "Wallace 2", "Ross": "Ross"})
    table.turn("Move 1", "Move 1").order("MOVE Mentieth: York Infantry > Lanark").order("PASS")
    return GAME.dump(table.stop.state)


def test_a_position_names_blocks_places_and_procedures() -> None:
    found = position()
    assert found["board"]["pieces"]["wallace"] == ["scottish", "Lanark", 2, "", "", 2]
    assert found["board"]["pieces"]["york_infantry"] == ["english", "Lanark", 4, "Mentieth", "Mentieth", 2]
    assert found["board"]["pieces"]["dunbar"] == ["english", "Dunbar", 3]
    assert [entry["at"] for entry in found["stack"]] == ["year", "turn", "battles", "battle"]
    assert GAME.dump(GAME.load(found)) == found


def _without_wallace(found: Any) -> None:
    del found["board"]["pieces"]["wallace"]


def _too_strong(found: Any) -> None:
    found["board"]["pieces"]["wallace"][2] = 5


def _wrong_side(found: Any) -> None:
    found["board"]["pieces"]["wallace"][0] = "english"


def _too_short(found: Any) -> None:
    found["board"]["pieces"]["wallace"] = ["scottish"]


def _with(*entry: Any) -> Any:
    def harm(found: Any) -> None:
        found["board"]["pieces"]["wallace"] = list(entry)

    return harm


def _true_is_no_number(found: Any) -> None:
    found["board"]["pieces"]["wallace"][2] = True


def _scenario_in_a_list(found: Any) -> None:
    found["board"]["scenario"] = ["braveheart"]


def _result_in_numbers(found: Any) -> None:
    found["result"] = {"winner": 1}


def _no_such_field(found: Any) -> None:
    found["board"]["weather"] = "rain"


def _no_such_procedure(found: Any) -> None:
    found["stack"][0]["at"] = "siege"


def _no_such_step(found: Any) -> None:
    found["stack"][0]["step"] = "siege"


def _too_many_locals(found: Any) -> None:
    found["stack"][0]["weather"] = "rain"


def _wrong_local(found: Any) -> None:
    found["stack"][-1]["round"] = "second"


def _wrong_board(found: Any) -> None:
    found["board"]["year"] = "MCCXCVII"


def _no_list(found: Any) -> None:
    found["stack"] = "year"


@pytest.mark.parametrize(
    ("harm", "says"),
    [
        (_without_wallace, "every block of the game exactly once"),
        (_too_strong, "Wallace cannot be scottish with strength 5"),
        (_wrong_side, "Wallace cannot be english"),
        (_too_short, "does not say where Wallace is"),
        (_with("scottish", "Lanark", "2"), "Wallace cannot be scottish with strength 2"),
        (_with("scottish", "Lanark", [2]), "with strength"),
        (_with("scottish", "Lanark", None), "with strength None"),
        (_with(["scottish"], "Lanark", 2), "Wallace cannot be"),
        (_with("scottish", "Lanark", 2, "", "", "1"), "with strength 2"),
        (_with("scottish", "Lanark", 2, "", "", 3), "known 3"),
        (_with("scottish", ["Lanark"], 2), "Wallace cannot stand in"),
        (_with("scottish", "Atlantis", 2), "cannot stand in “Atlantis”"),
        (_with("scottish", "Lanark", 2, 7, "", 0), "from “7”"),
        (_with("scottish", "Lanark", 2, "Fife", {}, 0), "over “{}”"),
        (_true_is_no_number, "with strength True"),
        (_scenario_in_a_list, "The scenario of a position is one of"),
        (_result_in_numbers, "The result of a position"),
        (_no_such_field, "The board of a position has the fields"),
        (_no_such_procedure, "no procedure “siege”"),
        (_no_such_step, "The procedure “year” has no step “siege”, but "),
        (_too_many_locals, "has other fields than"),
        (_wrong_local, "The procedure “battle” cannot be read"),
        (_wrong_board, "The board of the position cannot be read"),
        (_no_list, "The stack of a position is a list"),
    ],
)
def test_a_harmed_position_is_refused_in_words(harm: Any, says: str) -> None:
    found = copy.deepcopy(position())
    harm(found)
    with pytest.raises(FormError, match=says):
        GAME.load(found)
