"""Patches between views, and what passes over parts that are one object."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pbem.ledger.patch import diff, fold

VALUES = st.recursive(
    st.booleans() | st.integers(0, 2) | st.text("xy", max_size=2),
    lambda below: st.lists(below, max_size=2) | st.dictionaries(st.sampled_from("abc"), below),
)
VIEWS = st.dictionaries(st.sampled_from("abcd"), VALUES)


@given(VIEWS, VIEWS, st.data())
def test_a_patch_past_shared_parts_is_that_of_whole_views(old: Any, new: Any, data: Any) -> None:
    """Whatever stays is one object in both, as rules have it that take over what has not changed."""
    shared = {**new, **{key: old[key] for key in data.draw(st.sets(st.sampled_from([*old]))) if old}} if old else new
    patch = diff(old, shared)
    assert patch == diff(copy.deepcopy(old), copy.deepcopy(shared))
    assert fold(old, patch) == shared


def test_a_part_that_is_gone_is_named_also_where_a_patch_is_sent_as_a_view() -> None:
    assert diff({"a": 1}, {}) == {"a": None}
    assert diff({}, {"a": None, "b": {"c": None}}) == {"a": None, "b": {"c": None}}
