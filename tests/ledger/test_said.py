"""The sample logs of what is said besides orders, and what follows, verify for ever; each holds what it is a sample of."""

from __future__ import annotations

import pytest

from pbem.ledger import Log, redact, verify
from tests.ledger.files import DATA

HOLDS = {
    "talk": {"say", "extend", "skip", "end"},
    "resignations": {"say", "skip", "end"},
    "takeback": {"say", "amend"},
    "rules": {"say", "amend"},
    "rekey": {"rekey", "ready"},
    "recovery": {"rekey", "ready"},
    "player": {"skip", "say", "amend", "ready"},
    "player_after_claim": {"say", "skip", "amend", "ready"},
    "another_host": {"say", "host", "ready"},
    "ahead": {"order", "end"},
    "calls": {"rekey", "ready", "say", "extend", "end"},
}


@pytest.mark.parametrize("name", HOLDS)
def test_the_sample_is_in_order_in_every_copy(name: str) -> None:
    data = (DATA / "said" / f"{name}.pbem").read_bytes()
    log = Log.parse(data)
    assert {entry.k for entry in log.entries} >= HOLDS[name]
    expected = "clean" if log.finished else "unfinished"
    assert verify(data).verdict == expected
    for seat in log.entries[0].fields["seats"]:
        assert verify(redact(log, seat), seat).verdict == expected


def test_no_sample_is_left_out() -> None:
    assert {path.stem for path in (DATA / "said").glob("*.pbem")} == set(HOLDS)
