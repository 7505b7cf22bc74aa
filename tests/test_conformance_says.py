"""A check of the conformance suite that fails says what differs."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conformance.forms import same


@pytest.mark.parametrize(
    ("found", "due", "said"),
    [
        ({"a": {"b": [1, 2]}}, {"a": {"b": [1, 3]}}, "turn 2: /a/b/1 is 2 and should be 3"),
        ({"a": 1}, {}, "turn 2: /a is 1 and should be not there"),
        ([], ["x"], "turn 2: /0 is not there and should be 'x'"),
        ("ann", "bob", "turn 2: all of it is 'ann' and should be 'bob'"),
        ({"a": 1}, {"a": True}, "turn 2: /a is 1 and should be True"),
    ],
)
def test_the_first_place_that_differs_is_named(found: Any, due: Any, said: str) -> None:
    same(found, found, "turn 2")
    with pytest.raises(AssertionError) as failed:
        same(found, due, "turn 2")
    assert str(failed.value) == said
