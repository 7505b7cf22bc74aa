"""The referee: a snapshot loses nothing, plans speak where they cover, and who stays silent is answered for."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from typing import Any

import pytest
import tiny_game

from pbem.errors import OrderError
from pbem.games import find
from pbem.kernel import Game, Json
from pbem.ledger import Log, verify
from pbem.referee import AnswersDue, AskDue, EndDue, OrderRef, RandDue, Referee, TellDue
from pbem.referee.audit import audit
from pbem.referee.table import Table

TINY = tiny_game.GAME


def written(referee: Referee, chance: random.Random, n: int) -> tuple[list[Any], int]:
    """Write what is due until a question is open or the game is over, with dice of our own; return it all, and the next n."""
    done: list[Any] = []
    while not isinstance(due := referee.due(), AnswersDue | EndDue):
        done.append(due)
        match due:
            case RandDue():
                drawn = []
                for request in due.chance.requests:
                    of = request.json().get("of")
                    drawn.append(
                        tuple(chance.sample(of, request.n) if of else [chance.randint(1, 6) for _ in range(request.n)])
                    )
                referee.rolled(tuple(drawn), n)
            case TellDue():
                referee.told()
            case AskDue():
                referee.asked(n)
        n += 1
    return [*done, referee.due()], n


def answers(referee: Referee, chance: random.Random, plans: str) -> dict[str, Any]:
    due = referee.due()
    assert isinstance(due, AnswersDue)
    legal = {seat: referee.game.options(referee.view(seat)) for seat in due.to}
    return {seat: referee.read(seat, str(options.sample(chance)), plans) for seat, options in legal.items()}


@pytest.mark.parametrize(
    ("game", "options", "plans", "most"),
    [
        pytest.param(TINY, {"players": 3, "turns": 6}, "ACT BANK", 99, id="tiny"),
        pytest.param(TINY, {"players": 2, "turns": 8}, "", 99, id="tiny-without-plans"),
        pytest.param(find("hammer").rules, {"scenario": "braveheart"}, "", 60, id="hammer"),
    ],
)
def test_going_on_from_a_snapshot_is_going_on(game: Game, options: Json, plans: str, most: int) -> None:
    """At every question: what is due from then on, to the next question, is the same, whoever was killed in between."""
    going = Referee.start(game, options)
    chance = random.Random(1)
    _, n = written(going, chance, 7)
    for question in range(most):
        snapshot = json.loads(json.dumps(going.snapshot()))
        resumed = Referee.resume(game, options, snapshot)
        assert resumed.snapshot() == snapshot
        assert resumed.due() == going.due()
        if isinstance(going.due(), EndDue):
            return
        given = answers(going, random.Random(question), plans)
        assert answers(resumed, random.Random(question), plans) == given
        skipped = frozenset(list(given)[:1]) if question % 5 == 4 else frozenset()
        for referee in (going, resumed):
            referee.answered({**given, **{seat: referee.silence(seat) for seat in skipped}}, skipped)
        twin = random.Random(f"dice {question}")
        first, n = written(going, random.Random(f"dice {question}"), n)
        second, _ = written(resumed, twin, n - len(first) + 1)
        assert second == first
    assert most < 99, "the game never ends"


def test_a_snapshot_is_taken_only_where_nothing_is_half_told() -> None:
    referee = Referee.start(TINY, {})
    with pytest.raises(TypeError, match="would lose facts"):
        referee.snapshot()


# --- plans ------------------------------------------------------------------------------------------------------------


def table(plan: Mapping[str, str], turns: int = 1) -> Table:
    """A turn in which each plays his first card, with his plan; the winner's may speak."""
    made = Table(TINY, {"players": 2, "turns": turns}, "plans", hours=24)
    assert made.open
    made.answer(
        {seat: (str(next(iter(TINY.options(made.referee.view(seat))))), plan.get(seat, "")) for seat in made.open.to}
    )
    return made


def facts(made: Table) -> list[Json]:
    return [fact for entry in made.ledger.log.entries if entry.k == "tell" for fact in entry.fields["pub"]["facts"]]


def test_without_a_plan_the_winner_is_asked() -> None:
    made = table({})
    entry = made.ledger.log.entries[-1]
    assert (entry.k, entry.fields["what"]) == ("ask", "act")


@pytest.mark.parametrize("plan", ["ACT BANK", "ACT DIG"])
def test_a_plan_that_covers_the_question_answers_it_and_is_told(plan: str) -> None:
    made = table({"ann": plan, "bob": plan})
    winner = next(fact["winner"] for fact in facts(made) if fact["f"] == "roll")
    assert {"f": "plan", "seat": winner, "what": "act", "order": plan, "clause": plan} in facts(made)
    assert not any(entry.k == "ask" and entry.fields["what"] == "act" for entry in made.ledger.log.entries)
    assert verify(made.whole(), "host").verdict in ("clean", "unfinished")
    assert audit(made.whole(), lambda _: (TINY, "0" * 64)).verdict.verdict in ("clean", "unfinished")


def test_another_seats_plan_answers_nothing() -> None:
    winner = next(fact["winner"] for fact in facts(table({})) if fact["f"] == "roll")
    other = "bob" if winner == "ann" else "ann"
    made = table({other: "ACT BANK"})
    assert made.ledger.log.entries[-1].fields["to"] == [winner]
    assert not any(fact["f"] == "plan" for fact in facts(made))


def test_a_plan_is_in_force_until_the_seats_next_order() -> None:
    """The next card comes with empty plans: then the winner is asked again."""
    made = table({"ann": "ACT BANK", "bob": "ACT BANK"}, turns=3)
    asked = []
    while made.open is not None:
        orders = {seat: (str(TINY.default(made.referee.view(seat))), "") for seat in made.open.to}
        made.answer(orders)
        asked += [entry.fields["what"] for entry in made.ledger.log.entries[-2:] if entry.k == "ask"]
    assert sum(fact["f"] == "plan" for fact in facts(made)) == 1
    assert asked.count("act") == 2


def test_a_plan_stays_in_force_for_a_seat_that_is_skipped() -> None:
    """No next order came, so the old plans speak on."""
    made = table({"ann": "ACT BANK", "bob": "ACT BANK"}, turns=3)
    while made.open is not None:
        made.answer({}, skipped=made.open.to)
    assert sum(fact["f"] == "plan" for fact in facts(made)) == 3


def test_no_plan_answers_a_marked_question() -> None:
    made = table({"ann": "ACT BANK", "bob": "ACT BANK"}, turns=2)
    assert made.open is not None
    assert set(made.open.to) == {"ann", "bob"}
    assert made.ledger.log.entries[-1].fields["mark"] == 3


# --- silence, bad orders ----------------------------------------------------------------------------------------------


def test_who_stays_silent_is_answered_for_by_his_default_and_it_is_told() -> None:
    made = Table(TINY, {"players": 2, "turns": 1}, "silence", hours=24)
    view = made.referee.view("bob")
    made.answer({"ann": (str(TINY.default(made.referee.view("ann"))), "")}, skipped=["bob"])
    assert {"f": "skip", "seat": "bob"} in facts(made)
    played = {fact["seat"]: fact["card"] for fact in facts(made) if fact["f"] == "play"}
    assert f"CARD {played['bob']}" == str(TINY.default(view))


def test_a_skipped_seats_link_stays_the_last_one_it_gave() -> None:
    """5, fair 2: a skip leaves a gap; nobody can change the dice by staying silent and then choosing."""
    made = Table(TINY, {"players": 2, "turns": 2}, "gap", hours=24)
    while made.open is not None:
        both = len(made.open.to) > 1
        silent = ["bob"] if both and made.ledger.log.entries[-1].fields.get("mark") == 2 else []
        made.answer({s: (str(TINY.default(made.referee.view(s))), "") for s in made.open.to if s not in silent}, silent)
    said = [entry.fields["say"] for entry in Log.parse(made.whole()).entries if entry.fields.get("by") == "bob"]
    given = {say["link_n"] for say in said if "link_n" in say}
    assert given == {1, 3}
    assert verify(made.whole()).verdict == "clean"


def test_an_illegal_order_changes_nothing() -> None:
    made = Table(TINY, {"players": 2, "turns": 1}, "bad")
    before = (made.referee.snapshot(), made.whole())
    for text in ("CARD c13", "ACT BANK", "", "XYZZY", "CARD c1\nCARD c2"):
        with pytest.raises(OrderError):
            made.referee.read("ann", text)
    with pytest.raises(OrderError, match="nothing is asked of cat"):
        made.referee.read("cat", "CARD c1")
    with pytest.raises(OrderError):
        made.referee.read("ann", str(TINY.default(made.referee.view("ann"))), plans="ACT LATER")
    assert (made.referee.snapshot(), made.whole()) == before


def test_what_is_opened_is_what_was_resolved() -> None:
    """Until resolved and open answers are opened by the next tell, those secret to the end never."""
    made = Table(TINY, {"players": 2, "turns": 1}, "opens", hours=24)
    due = made.open
    assert due
    given = {seat: made.referee.read(seat, str(TINY.default(made.referee.view(seat)))) for seat in due.to}
    referee = Referee.resume(TINY, {"players": 2, "turns": 1}, made.referee.snapshot())
    referee.answered(given)
    chance = referee.due()
    assert isinstance(chance, RandDue)
    referee.rolled(((6, 1),), 99)
    tell = referee.due()
    assert isinstance(tell, TellDue)
    assert [ref for ref in tell.opens if isinstance(ref, OrderRef)] == [OrderRef(seat, due.ask) for seat in due.to]
    assert tell.rolls == (chance.index,)
