"""A hand that is thrown away by the option deal_123: each says it of his own, and the audit blames nobody who said what was so."""

from __future__ import annotations

import pytest

from pbem.games import find
from pbem.referee.pair.judging import audit_pair

from .playing import Couple, at_random


@pytest.mark.slow
def test_who_keeps_his_hand_and_who_throws_it_away_are_both_believed_at_the_end() -> None:
    pack = find("hammer")
    couple = Couple(pack, {"deal_123": True, "years": 1}, "8")
    assert couple.play(at_random(1))
    said = [
        act["part"]
        for entry in couple.entries
        for act in entry.fields.get("say", {}).get("acts", ())
        if act["do"] == "part"
    ]
    assert {"again": True} in said
    assert {} in said
    assert audit_pair(couple.dump(), lambda _rules: pack.knowing).verdict == "clean"
