"""Plans and what is sent ahead are not part of games of two: they are not offered, and are refused by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.games import find
from pbem.player.pair.alone import for_two
from tests.pair.friends import TwoFriends
from tests.pair.playing import Couple, at_random
from tests.pair.test_bad_days import ahead, both

__all__ = ["both"]


@pytest.mark.parametrize("line", ["PLAN KEEP ANY", "ahead TURN: PASS"])
def test_what_would_go_along_is_refused_and_nothing_is_signed(both: TwoFriends, tmp_path: Path, line: str) -> None:
    one, _other = ahead(both)
    play = one.desk.pairs.asked(one.notes, "2026-01-02T03:04:05Z")
    order, log = str(play.game.default(play.view)), one.log
    code, said = one.pbem("order", "-", typed=f"{order}\n{line}\n")
    assert (code, "do not go with an order in a game of two" in said) == (2, True), said
    (tmp_path / "plans").write_text("KEEP ANY", "utf-8")
    code, said = one.pbem("order", "-", "--plans", tmp_path / "plans", typed=order)
    assert (code, "no plans in games of two" in said) == (2, True), said
    assert one.log == log
    assert not one.notes.answers
    _code, said = one.pbem("order", typed=f"{line}\nplan\nquit\n")
    assert said.count("do not go with an order in a game of two") == 2
    assert "plan quit" not in said


def test_what_would_go_along_is_not_offered() -> None:
    pack = find("hammer")
    couple, asides = Couple(pack, {"scenario": "bruce"}), ("choice:PLAN", "choice:AHEAD")
    while (play := couple.plays[couple.plays["scottish"].course.baton]).question is None:
        couple.play(at_random(1), most=1)
    look, alone = pack.look, for_two(pack).look
    assert [touch for touch in look.touches(play.view, ()) if touch.at in asides] or "AHEAD" in look.template(play.view)
    assert not [touch for touch in alone.touches(play.view, ()) if touch.at in asides]
    assert not alone.touches(play.view, ("PLAN",))
    assert alone.template(play.view).split("\n")[0] == look.template(play.view).split("\n")[0]
    assert "AHEAD" not in alone.template(play.view)
    assert "PLAN" not in alone.template(play.view)
