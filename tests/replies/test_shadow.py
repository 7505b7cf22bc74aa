"""The reader in shadow: no reply orders what nobody meant, and few that mean an order are refused."""

from __future__ import annotations

import pytest

from .programs import PROGRAMS
from .shadow import run

MOST_REFUSED = 15
"""So many of a thousand replies that mean an order may be refused, or not be found; a ceiling, which only goes down."""


def test_a_few_replies_are_read_as_they_were_meant() -> None:
    figures = run(len(PROGRAMS) // 2, seed=2, games=("lords",), most=12)
    assert not figures.wrong, figures.wrong
    assert len(figures.refused) <= 1, figures.refused


@pytest.mark.slow
def test_five_thousand_replies_of_whole_games_order_nothing_that_nobody_meant() -> None:
    figures = run(5400)
    assert figures.replies >= 5000
    assert not figures.wrong, "\n".join(figures.wrong)
    assert 1000 * len(figures.refused) <= MOST_REFUSED * figures.meant, "\n".join(figures.refused)
    print(figures)
