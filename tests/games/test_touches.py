"""Touches of orders that can be listed: word by word, nothing twice, every order and no other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from pbem.look.touches import Touch, listed, parts

PLAYS = ["MUSTER Ann 1", "MUSTER Ann 1 DOWN", "MUSTER Ann 2\nMUSTER Bob 3", "MUSTER Ann 2\nMUSTER Bob 4 DOWN", "PASS"]


def reached(orders: Sequence[str], draft: tuple[str, ...] = ()) -> Iterator[str]:
    """Go through all that touches close."""
    for touch in listed(orders, draft):
        if touch.closes:
            yield "\n".join(touch.draft)
        if touch.at != "end":
            yield from reached(orders, touch.draft)


@pytest.mark.parametrize("orders", [PLAYS, ["", "MOVE"], ["A", "A B", "A B C"], ["PASS"], ["BID E1", "BID E2"]])
def test_touches_make_every_listed_order_and_no_other(orders: list[str]) -> None:
    assert set(reached(orders)) == set(orders)


def test_what_all_have_in_common_is_not_asked_for() -> None:
    assert [touch.draft for touch in listed(PLAYS, ())] == [("MUSTER Ann",), ("PASS",)]
    assert listed(PLAYS, ("MUSTER Ann 2",)) == (
        Touch("choice:3", "3", ("MUSTER Ann 2", "MUSTER Bob 3"), closes=True),
        Touch("choice:4 DOWN", "4 DOWN", ("MUSTER Ann 2", "MUSTER Bob 4 DOWN"), closes=True),
    )


def test_a_whole_order_may_go_on_or_end() -> None:
    ends, down = listed(PLAYS, ("MUSTER Ann 1",))
    assert (ends.at, ends.draft, ends.closes) == ("end", ("MUSTER Ann 1",), True)
    assert down.draft == ("MUSTER Ann 1 DOWN",)


@pytest.mark.parametrize("draft", [("PASS",), ("RECRUIT",), ("MUSTER Ann 1", "PASS")])
def test_a_draft_that_cannot_be_gone_on_with_has_none(draft: tuple[str, ...]) -> None:
    assert listed(PLAYS, draft) == ()


def test_a_draft_is_read_as_loosely_as_it_may_be_typed() -> None:
    assert listed(PLAYS, ("  muster   ann 2",)) == listed(PLAYS, ("MUSTER Ann 2",))


def test_plans_and_orders_sent_ahead_are_told_from_the_order() -> None:
    found = parts(["MOVE Fife: King >", " plan KEEP ANY", "AHEAD TURN: PASS", "PLANS"])
    assert found == (("MOVE Fife: King >", "PLANS"), (" plan KEEP ANY",), ("AHEAD TURN: PASS",))
