"""Verdicts in words, of files whose first entry is not what it should be: there is a verdict all the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pbem.ledger import verify
from pbem.reports.verdict_details import Judged

LOG = (Path(__file__).parents[1] / "golden" / "logs" / "tiny-1.pbem").read_bytes()
SEATS: tuple[Any, ...] = ([1, 2], [None], [["ann"]], {"ann": 1}, 5, None, "ann", [], [{}])


@pytest.mark.parametrize("seats", SEATS, ids=str)
@pytest.mark.parametrize("game", ["tiny", "swords", "tournament", 7])
def test_seats_that_are_none_get_a_verdict_in_words(game: Any, seats: Any) -> None:
    """A stranger's file has seats that are not names. The verdict uses their ids."""
    first, *rest = LOG.split(b"\n")
    fields = json.loads(first)
    fields["seats"], fields["rules"]["id"] = seats, game
    data = b"\n".join([json.dumps(fields).encode(), *rest])
    found = Judged.of(verify(data), data, rules=False)
    assert found.fault
    assert found.text().strip()
