"""Plans and orders ahead in games of two: they answer at the player's own desk, and nobody else hears of them.

The law is one of bytes: the same orders make the same letters, whether a plan gave them or their player, who may have plans that
never speak besides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from pbem.games import find
from pbem.games.hammer.orders import PlayCard
from pbem.games.without_host import knowing_of
from pbem.kernel import Planned
from pbem.ledger.pair import verify_pair
from pbem.player.pair import laying, saying, turns
from pbem.player.pair.advance import why_silent
from pbem.player.pair.notes import PairNotes
from pbem.referee.pair import audit_pair
from tests.pair.plans import Remembered, Stopped, Typed, spoken, stops

from .friends import Friend
from .planners import AT, MODES, SOME_RULES, AtDesk, Planner, played, seated

LETTERS = 44
NEVER = "\nPLAN ASK ALWAYS\nAHEAD ACT IF YEAR 1305: PASS"
"""Goes along with an order, and never answers anything."""


Table = tuple[AtDesk, AtDesk, list[bytes], Path]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """Two who have played some turns of Hammer by plans and orders ahead, their letters, and copies of their desks before."""
    folder = tmp_path_factory.mktemp("planned")
    mode = MODES[3]
    planners = Planner("hammer", mode, "one"), Planner("hammer", mode, "other")
    one, other = seated(folder, "hammer", "p5", planners, rules=SOME_RULES)
    before = folder / "before"
    for desk in (one, other):
        desk.copied(before / desk.home.name, desk.answer)
    return one, other, played(one, other, LETTERS), before


def again(table: Table, to: Path, along: str = "") -> tuple[AtDesk, AtDesk]:
    """The same two before all that, who will type what was answered then."""
    one, other, _letters, before = table
    made = []
    for desk in (one, other):
        fresh = AtDesk(before / desk.home.name, desk.answer)
        made.append(fresh.copied(to / desk.home.name, Typed(desk.typed(), along)))
    return made[0], made[1]


def test_plans_answer_what_they_cover_and_their_player_is_told(table: Table) -> None:
    one, other, letters, _before = table
    assert len(letters) == LETTERS
    facts = [*spoken(one), *spoken(other)]
    assert {fact["f"] for fact in facts} == {"plan", "ahead"}
    assert len(facts) > one.asked + other.asked
    for desk in (one, other):
        assert len(desk.typed()) == desk.asked + len(spoken(desk))
        assert {fact["seat"] for fact in spoken(desk)} == {desk.notes.seat}
    assert verify_pair(one.log).verdict == verify_pair(other.log).verdict == "unfinished"


@pytest.mark.slow
@pytest.mark.parametrize("along", ["", NEVER])
def test_not_one_byte_tells_whether_a_plan_answered(table: Table, tmp_path: Path, along: str) -> None:
    one, other = again(table, tmp_path, along)
    assert played(one, other, LETTERS) == table[2]
    assert not [*spoken(one), *spoken(other)]
    assert one.log == table[0].log


@pytest.mark.slow
def test_what_is_answered_by_plans_is_what_audit_finds_in_order(table: Table, tmp_path: Path) -> None:
    one, other = (desk.copied(tmp_path / desk.home.name, desk.answer) for desk in table[:2])
    mine, theirs = (one, other) if one.desk.pairs.seat(one.notes).state == "mine" else (other, one)
    assert "Signed" in saying.say(mine.desk.pairs.seat(mine.notes), "resign", AT)
    theirs.reads(mine.sends())
    assert theirs.goes_on() is None
    mine.reads(theirs.sends())
    assert mine.log == theirs.log
    assert audit_pair(mine.log, knowing_of).verdict == "clean"


def turns_by_plans(table: Table, tmp_path: Path) -> Iterator[tuple[AtDesk, AtDesk]]:
    """Go through the turns in which plans answer: his desk before it, and when it was signed."""
    folder, before = tmp_path / "again", table[3]
    one, other = (
        AtDesk(before / desk.home.name, desk.answer).copied(folder / desk.home.name, desk.answer) for desk in table[:2]
    )
    one.answer, other.answer = (Remembered(Planner("hammer", MODES[3], seed)) for seed in ("one", "other"))
    for letter in range(LETTERS):
        kept, spoken_before = one.copied(tmp_path / f"before {letter}", one.answer), len(one.notes.spoken)
        kept.asked = one.asked
        one.answers()
        if len(one.notes.spoken) > spoken_before:
            yield kept, one
        other.reads(one.sends())
        one, other = other, one


@pytest.mark.slow
def test_who_is_stopped_at_any_write_signs_what_his_plans_answer_once_only(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kinds, stopped = set(), 0
    for before, signed in turns_by_plans(table, tmp_path):
        kind = signed.asked > before.asked
        if kind in kinds:
            continue
        kinds.add(kind)
        (letter,) = signed.desk.tray.unsent()
        for at in range(1, 100):
            trial = before.copied(tmp_path / f"{kind} {at}", before.answer)
            with monkeypatch.context() as patch:
                count = stops(patch, at)
                with suppress(Stopped):
                    trial.answers()
            if count[0] < at:
                break
            stopped += 1
            trial.answers()
            assert trial.log == signed.log
            assert trial.notes.spoken == signed.notes.spoken
            assert (trial.notes.along, trial.notes.ahead) == (signed.notes.along, signed.notes.ahead)
            if not trial.desk.tray.unsent():
                laying.again(trial.desk.pairs.seat(trial.notes), AT)
            assert trial.sends() == letter.read_bytes()
    assert kinds == {False, True}
    assert stopped > 12


def test_what_is_sent_ahead_takes_nothing_away_that_is_to_answer_still(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for before, signed in turns_by_plans(table, tmp_path):
        first = spoken(signed)[len(spoken(before))]
        if first["f"] == "ahead":
            break
    pairs, waits = before.desk.pairs, before.notes.ahead
    assert waits
    gone_on = pairs.seat(before.notes).play()
    for _unsigned in turns.without_him(pairs.seat(before.notes), gone_on):
        pass
    assert gone_on.marked[0] == int(min(waits, key=int))
    monkeypatch.setattr(turns, "standing", lambda *_about: gone_on)  # as where more is asked in the same turn
    assert turns.send_ahead(pairs.seat(before.notes), "AHEAD CARD: ASK").endswith(": ASK")
    monkeypatch.undo()
    assert waits.items() <= before.notes.ahead.items()
    before.goes_on()
    assert first in spoken(before)


def by_plans_alone(table: Table, tmp_path: Path) -> tuple[AtDesk, AtDesk]:
    """A desk at which a letter was read that plans will answer, and nothing else; and the friend's."""
    for before, signed in turns_by_plans(table, tmp_path):
        if signed.asked == before.asked and spoken(signed)[-1]["f"] == "plan":
            friends = {desk.home.name: desk for desk in table[:2]} | {signed.home.name: signed}
            (name,) = friends.keys() - {signed.home.name}
            return before, AtDesk(tmp_path / "again" / name, friends[name].answer)
    raise AssertionError


def test_with_an_offer_before_him_a_player_is_asked_whatever_his_plans_say(table: Table, tmp_path: Path) -> None:
    mine, friend = by_plans_alone(table, tmp_path)
    trial = mine.copied(tmp_path / "without", mine.answer)
    assert trial.goes_on() is None
    saying.say(friend.desk.pairs.seat(friend.notes), "draw", AT)
    mine.reads(friend.sends())
    heard = mine.notes.spoken
    play = mine.goes_on()
    assert play is not None
    assert play.question is not None
    assert mine.notes.spoken == heard
    text = str(play.game.default(play.view))
    assert turns.order(mine.desk.pairs.seat(mine.notes), play, text, AT).startswith(text)
    assert not mine.notes.heard


def test_lost_notes_lose_plans_and_nothing_else(table: Table, tmp_path: Path) -> None:
    """Your plans in a game of two are notes on your machine. Without them you answer yourself."""
    mine, _friend = by_plans_alone(table, tmp_path)
    (notes,) = (mine.home / "games").glob("*.two")
    notes.unlink()
    mine.desk.read(notes.with_suffix(".pbem").read_bytes(), AT)
    play = mine.goes_on()
    assert play is not None
    assert play.question is not None
    assert not mine.notes.spoken


def test_a_plan_that_says_what_is_not_legal_is_not_used_and_it_is_said_why(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, _friend = by_plans_alone(table, tmp_path)
    monkeypatch.setattr(type(find("hammer").rules), "planned", lambda *_about: Planned(PlayCard(card="Move 3"), "SO"))
    heard = mine.notes.spoken
    play = mine.goes_on()
    assert play is not None
    assert mine.notes.spoken == heard
    (why,) = why_silent(mine.notes, play)
    assert why.startswith("Your plan would answer CARD Move 3, which is not legal now: ")
    shown = " ".join(Friend(mine.home).does("board").split())
    assert why in shown
    assert re.search(r"YOUR PLAN\W+It was not used", shown), shown
    assert "YOUR ORDER SENT AHEAD" not in shown


def test_notes_know_which_answers_they_were_written_behind() -> None:
    def fresh(**more: Any) -> PairNotes:
        return PairNotes("g", "ann", "Tiny", "", along="FIGHT", ahead={"7": ["PASS", ""]}, **more)

    for notes, answered, answers, holds in (
        (fresh(behind=3), 3, [], True),
        (fresh(behind=3, answers=["A", "B"]), 3, ["A", "B"], True),
        (fresh(behind=3, answers=["A", "B"]), 4, ["B"], True),
        (fresh(behind=3, answers=["A", "B"]), 5, [], True),
        (fresh(behind=3, answers=["A"]), 5, [], False),
        (fresh(behind=3), 2, [], False),
        (fresh(), 9, [], True),
    ):
        notes.settle(answered, 20)
        assert (notes.answers, bool(notes.along), bool(notes.ahead), notes.behind) == (answers, holds, holds, answered)
