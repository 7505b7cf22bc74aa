"""Plans in a game of Swords Over Scotland by two without a host: they answer what follows a placing, and nobody hears of them."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from pbem.games import find
from pbem.games.without_host import knowing_of
from pbem.player.pair import saying
from pbem.referee.pair import audit_pair

from .planners import AT, AtDesk, played, seated
from .plans import Typed, spoken

PLANS = (
    "CUBE Moray, Fife, Ross", "DEPLOY ANY TO ANY", "KILL black, ANY", "COMMIT ANY: HALF", "RETREAT Moray, ANY", "GLORY NONE",
    "HEAL NO", "NEXT ANY", "SWORD NO", "MERCHANT STAY", "CARDINAL STAY",
)  # fmt: skip
LETTERS = 60


class Said:
    """The sensible player, who says in advance whatever a plan can say."""

    def __init__(self, seed: str) -> None:
        self.bot, self.chance = find("swords").bots["sensible"](), random.Random(seed)

    def __call__(self, view: Any, _what: str) -> str:
        return "\n".join([str(self.bot.answer(view, self.chance)), *(f"PLAN {line}" for line in PLANS)])


def ended(one: AtDesk, other: AtDesk) -> bytes:
    """Let whose turn it is resign; return the log at both desks."""
    mine, theirs = (one, other) if one.desk.pairs.seat(one.notes).state == "mine" else (other, one)
    saying.say(mine.desk.pairs.seat(mine.notes), "resign", AT)
    theirs.reads(mine.sends())
    assert theirs.goes_on() is None
    mine.reads(theirs.sends())
    assert mine.log == theirs.log
    return mine.log


@pytest.mark.slow
def test_plans_answer_what_follows_a_placing_and_not_one_byte_tells(tmp_path: Path) -> None:
    one, other = seated(tmp_path / "planned", "swords", "s1", (Said("one"), Said("other")), options={"players": 2})
    before, before_other = (desk.copied(tmp_path / "typed" / desk.home.name, desk.answer) for desk in (one, other))
    letters = played(one, other, LETTERS)
    clauses = {fact["clause"].split()[0] for desk in (one, other) for fact in spoken(desk)}
    assert clauses == {"CUBE", "DEPLOY", "COMMIT", "RETREAT"}
    for desk in (one, other):
        assert len(desk.typed()) == desk.asked + len(spoken(desk))
    before.answer, before_other.answer = Typed(one.typed()), Typed(other.typed())
    assert played(before, before_other, LETTERS) == letters
    assert not [*spoken(before), *spoken(before_other)]
    assert audit_pair(ended(one, other), knowing_of).verdict == "clean"
