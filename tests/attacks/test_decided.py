"""Six places where the page of the format and the programs said different things: each is decided, and has an honest twin."""

from __future__ import annotations

import pytest

from pbem.ledger import verify
from tests.ledger.decided import DECIDED, Decided, bytes_of
from tests.ledger.files import found


def of_point(point: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(
        "row", [pytest.param(row, id=name) for name, row in DECIDED.items() if row.point == point]
    )


def _holds(row: Decided) -> None:
    made, entry = row.misdeed()
    assert found(verify(bytes_of(made))) == (entry, row.code, row.party)
    twin = verify(bytes_of(row.twin()[0]))
    assert twin.verdict in ("clean", "unfinished"), twin.reason


@of_point("a")
def test_the_reason_of_a_skip_is_true(row: Decided) -> None:
    """ORDERING, for a host who writes “late” without a claim, “due” under one, or “out” for a seat that plays."""
    _holds(row)


@of_point("b")
def test_a_result_names_a_winner_of_the_game_or_nobody(row: Decided) -> None:
    """FORM, if the host's result names a winner without a seat."""
    _holds(row)


@of_point("c")
def test_the_game_ends_at_once_where_one_seat_is_left(row: Decided) -> None:
    """ORDERING, for a host who plays on or ends the game without a cause."""
    _holds(row)


@of_point("d")
def test_a_host_entry_is_blamed_on_the_signer_of_a_head_over_it(row: Decided) -> None:
    """The present host takes office again with his own key: BIND, his fault. If only the named key signed, the supplier's."""
    _holds(row)


@of_point("e")
def test_a_file_that_begins_with_an_attachment_is_the_supplier_s_fault(row: Decided) -> None:
    """FORM at entry 0."""
    _holds(row)


@of_point("f")
def test_the_first_change_of_a_key_is_free_and_the_second_is_not(row: Decided) -> None:
    _holds(row)
