"""Plans and orders ahead as two friends type them: what is taken and shown, what is refused, and what comes of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.player.pair import turns
from tests.pair.plans_typed import asked

from .friends import Friend, TwoFriends
from .planners import AT


def an_order(friend: Friend, *lines: str) -> tuple[int, str]:
    """Let him type the default answer with some lines besides."""
    play = turns.asked(friend.desk.pairs.seat(friend.notes), AT)
    return friend.pbem("order", "-", typed="\n".join([str(play.game.default(play.view)), *lines, ""]))


def test_commands_take_plans_and_orders_ahead(tmp_path: Path) -> None:
    both = TwoFriends(tmp_path, "--game", "hammer")
    both.join()
    one, _other = asked(both, both.bob, both.ann)
    log = one.log
    for lines, why in (
        (["PLAN DANCE"], "no such plan"),
        (["AHEAD CARD: CARD Nonsense"], "Nonsense"),
        (["AHEAD DANCE: PASS"], "DANCE"),
        (["AHEAD 77: PASS"], "77"),
    ):
        code, said = an_order(one, *lines)
        assert (code, why in said) == (2, True), said
    assert (one.log, one.notes.along, one.notes.ahead, one.notes.answers) == (log, "", {}, [])
    (standing := tmp_path / "standing").write_text("ANY: FIGHT; REGROUP STAY\n", "utf-8")
    assert "PLAN BATTLE ANY: FIGHT; REGROUP STAY" in one.does("plan", standing)
    assert "Of your last order these plans hold:" not in one.does("plan")
    play = turns.asked(one.desk.pairs.seat(one.notes), AT)
    card = next(text for text in map(str, play.game.options(play.view)) if text != str(play.game.default(play.view)))
    code, said = an_order(one, "AHEAD ACT IF FIRST: PASS", f"AHEAD CARD: {card}")
    assert code == 0, said
    for line in (
        "PLAN BATTLE ANY: FIGHT; REGROUP STAY",
        "AHEAD 2 IF YEAR 1297 AND FIRST: PASS",
        f"AHEAD 3 IF YEAR 1297: {card}",
    ):
        assert f"  {line}\n" in said
        assert line in one.does("plan")
        assert line in one.does("games")
        assert line.encode() not in one.log
    code, said = one.pbem("order", "-", typed="AHEAD CARD: ASK\nAHEAD ACT: PASS\n")
    assert code == 0
    assert said.startswith("Kept here, until it is asked:\n")
    assert said.endswith("  AHEAD 3: ASK\n  AHEAD 2 IF YEAR 1297: PASS\n")
    said = one.does("plan")
    assert "Of your last order these plans hold:" in said
    assert "AHEAD 3" not in said
    assert "AHEAD 2 IF YEAR 1297: PASS" in said
    (planned := tmp_path / "plans").write_text("NEXT ANY\n", "utf-8")
    code, said = one.pbem("order", "-", "--plans", planned, typed="CARD Move 1\n")
    assert code == 2
    assert "You have no standing plans in this game." in one.does("plan", "--none")
    assert not one.notes.along
    assert [plans for _text, plans in one.notes.ahead.values()] == [""], "no plan comes back with what was sent ahead"


@pytest.mark.slow
def test_what_was_sent_ahead_answers_or_it_is_said_why_not(tmp_path: Path) -> None:
    both = TwoFriends(tmp_path, "--game", "hammer")
    both.join()
    one, other = asked(both, both.bob, both.ann)
    for line, comes in (
        ("AHEAD ACT IF YEAR 1305: PASS", "- line 1: “IF YEAR 1297 AND YEAR 1305: PASS”: it is not so: YEAR 1305."),
        ("AHEAD ACT: PASS", "Your order sent ahead was used for “act”: PASS."),
    ):
        while turns.asked(one.desk.pairs.seat(one.notes), AT).question.what != "card":  # type: ignore[union-attr]
            one, other = asked(both, one, other)
        code, said = an_order(one, line)
        assert code == 0, said
        mine, seen = one, ""
        while comes not in seen:
            assert both.pass_on(one, other)
            seen, one, other = both.said if other is mine else "", other, one
        one, other = asked(both, one, other)
