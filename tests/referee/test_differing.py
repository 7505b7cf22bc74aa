"""A verdict names what was false in words: which cards came from where, and what a view showed too much."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.referee.differing import RequestsDiffer, ViewsDiffer

DECK = [{"op": "draw", "n": 2, "of": ["Herald", "Truce", "Move 1"]}]


@pytest.mark.parametrize(
    ("of", "says"),
    [
        (["Herald", "Move 1", "Truce"], ("another order", "place 2", "“Move 1”", "“Truce”")),
        (["Herald", "Truce", "Move 3"], ("another list", "too much in it: Move 3", "missing: Move 1")),
        (["Herald", "Truce"], ("another list", "too much in it: nothing", "missing: Move 1")),
    ],
)
def test_another_deck_is_told_by_its_cards(of: list[str], says: tuple[str, ...]) -> None:
    said = str(RequestsDiffer([{**DECK[0], "of": of}], DECK))
    assert all(part in said for part in says), said
    assert "[" not in said


def test_other_dice_are_told_short() -> None:
    said = str(RequestsDiffer([{"op": "roll", "n": 3, "sides": 6}] * 40, [{"op": "roll", "n": 2, "sides": 6}]))
    assert '"n": 3' in said
    assert len(said) < 250


def test_what_a_view_shows_too_much_is_named_by_its_place() -> None:
    due: dict[str, Any] = {"blocks": {"edward": {"at": "Fife"}}, "cards": [1, 2]}
    assert str(ViewsDiffer({**due, "blocks": {**due["blocks"], "wallace": {"at": "Fife"}}}, due)) == (
        'blocks › wallace is {"at": "Fife"}, by the rules nothing'
    )
    assert str(ViewsDiffer({**due, "cards": [1, 3]}, due)) == "cards › 2 is 3, by the rules 2"
    assert str(ViewsDiffer({**due, "cards": [True, 2]}, due)) == "cards › 1 is true, by the rules 1"
    many = str(ViewsDiffer({**due, "cards": 1, "more": {str(no): no for no in range(9)}}, {**due, "more": {}}))
    assert many.endswith(" …")
    assert many.count("by the rules") == 3
