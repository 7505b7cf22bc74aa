"""Rules that come to no end: the audit counts what they do for one entry, and says FORM; honest rules stay far below."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest
import tiny_game
from tiny_game.rules import Tiny

from pbem.errors import EndlessError, UsageError
from pbem.games import find
from pbem.kernel import Ask, Chance, Frame, Game, Planned, Roll, Run, Stop
from pbem.kernel.ahead import MOST, choose
from pbem.kernel.frames import MOST_STEPS, advance
from pbem.ledger import Verdict
from pbem.referee import Referee
from pbem.referee.audit import audit
from pbem.referee.referee import MOST_EVENTS, MOST_PLANNED, AskDue, TellDue
from pbem.referee.table import Table

SHA = "0" * 64


@dataclass(frozen=True, slots=True)
class Turning(Frame):
    """A procedure that takes so many steps."""

    left: int = 0

    def do_turn(self, run: Run[Any]) -> None:
        if self.left:
            run.goto("turn", left=self.left - 1)
        else:
            run.end({})


@dataclass(frozen=True, slots=True)
class State:
    board: None
    stack: tuple[Frame, ...]
    result: Any = None


@pytest.mark.parametrize("steps", [0, 1, MOST_STEPS - 1])
def test_rules_that_come_to_an_end_may_take_all_the_steps_there_are(steps: int) -> None:
    assert advance(State(None, (Turning("turn", steps),))).state.result == {}


def test_one_step_more_is_no_end() -> None:
    with pytest.raises(EndlessError, match=f"{MOST_STEPS} steps"):
        advance(State(None, (Turning("turn", MOST_STEPS),)))


def played() -> tuple[bytes, int, int]:
    """A log of Tiny, and the entries of its first public roll and of its first order."""
    table = Table(tiny_game.GAME, {"players": 2, "turns": 2}, "endless", hours=24)
    while table.open:
        legal = {seat: next(iter(table.game.options(table.referee.view(seat)))) for seat in table.waiting}
        table.answer({seat: (str(order), "") for seat, order in legal.items()})
    entries = table.ledger.log.entries
    roll = next(entry.n for entry in entries if entry.fields.get("chain") == "pub")
    return table.whole(), roll, next(entry.n for entry in entries if entry.k == "order")


def judged(game: Game, data: bytes, sha256: str = SHA) -> Verdict:
    return audit(data, lambda _game: (game, sha256)).verdict


class NeverStarts(Tiny):
    """With these rules the setting up takes no end."""

    def start(self, options: Any) -> Stop:
        return advance(State(None, (Turning("turn", MOST_STEPS),)))


class TurnsRound(Tiny):
    """With these rules a question that has been answered is gone round for ever."""

    def step(self, state: Any, given: Any) -> Stop:
        return (
            advance(State(None, (Turning("turn", MOST_STEPS),)))
            if isinstance(given, dict)
            else super().step(state, given)
        )


def test_an_audit_says_where_rules_come_to_no_end() -> None:
    """FORM."""
    data, _roll, order = played()
    assert judged(tiny_game.GAME, data).verdict == "clean"
    found = judged(NeverStarts(), data)
    assert (found.verdict, found.entry, found.code, found.party) == ("fault", 0, "FORM", "host")
    found = judged(TurnsRound(), data)
    # with the last of the two answers the rules go on
    assert (found.verdict, found.entry, found.code, found.party) == ("fault", order + 1, "FORM", "host")
    assert "come to no end" in found.reason


@pytest.mark.parametrize("game", [NeverStarts(), TurnsRound()])
def test_nobody_is_blamed_for_other_bytes_than_those_the_log_names(game: Game) -> None:
    found = judged(game, played()[0], "9" * 64)
    assert (found.verdict, found.code, found.party) == ("cannot_judge", "RULES", "nobody")


class Strange(Tiny):
    """Other rules under the same version: they do not know the options."""

    def start(self, options: Any) -> Stop:
        raise UsageError("such a game is not known here")


class ForOthers(Tiny):
    """Other rules under the same version: other seats play."""

    def seats(self, options: Any) -> tuple[str, ...]:
        return ("xan", "yve")


@pytest.mark.parametrize("game", [Strange(), ForOthers()])
def test_options_that_only_other_rules_refuse_are_nobodys_fault(game: Game) -> None:
    """Entry 0 is judged by the rules that the log names, or by none."""
    data, _roll, _order = played()
    found = judged(game, data, "9" * 64)
    assert (found.verdict, found.entry, found.code, found.party) == ("cannot_judge", 0, "RULES", "nobody")
    assert "manifest" in found.reason
    found = judged(game, data)
    assert (found.verdict, found.entry, found.code, found.party) == ("fault", 0, "ORDERING", "host")


def test_other_rules_stay_other_rules_when_the_game_goes_on_by_known_ones() -> None:
    """What the first stretch came to by other bytes is carried into the second."""

    class Later(Tiny):
        version = 2

        def view(self, state: Any, seat: str | None) -> Any:
            return {**super().view(state, seat), "turns": 99}

    table = Table(tiny_game.GAME, {"players": 2, "turns": 3}, "later", hours=24)
    table.go_by(type("Two", (Tiny,), {"version": 2})())
    data = table.whole()

    def shelf(sha256: str) -> dict[Any, Any]:
        return {("tiny", 1): (tiny_game.GAME, sha256)}

    assert audit(data, lambda _game: (Later(), SHA), shelf(SHA)).verdict.verdict == "fault"
    assert audit(data, lambda _game: (Later(), SHA), shelf("9" * 64)).verdict.verdict == "cannot_judge"


class PlansForEver(Tiny):
    """Plans answer, and the same question is put again."""

    def planned(self, view: Any, plans: str) -> Planned | None:
        return Planned(self.default(view), plans)

    def read_plans(self, text: str) -> str:
        return text

    def step(self, state: Any, given: Any) -> Stop:
        stop = super().step(state, given)
        if not isinstance(given, dict):
            return stop
        wants = self.wants(state)
        assert isinstance(wants, Ask)
        return Stop(state, (), replace(wants, mark=False))


def asked(game: Game) -> Referee:
    """A game of Tiny up to its first question."""
    referee = Referee.start(game, {"players": 2, "turns": 2})
    n = 7
    while isinstance(referee.wants, Chance):
        drawn = tuple(
            tuple(range(1, request.n + 1)) if isinstance(request, Roll) else tuple(request.of[: request.n])
            for request in referee.wants.requests
        )
        referee.rolled(drawn, n)
        n += 1
    referee.told()
    referee.asked(n)
    assert isinstance(referee.wants, Ask)
    return referee


def test_where_plans_answer_without_an_end_those_who_are_asked_answer_themselves() -> None:
    """The host stops the plans and asks the players."""
    referee = asked(PlansForEver())
    given = {seat: replace(referee.silence(seat), plans="ANY") for seat in referee.seats}
    for n in (100, 200):
        referee.answered(given)
        told = referee.due()
        assert isinstance(told, TellDue)
        assert {"f": "plans", "most": MOST_PLANNED} in told.facts[""]
        assert sum(fact["f"] == "plan" for fact in told.facts["ann"]) == MOST_PLANNED
        referee.told()
        due = referee.due()
        assert isinstance(due, AskDue)
        assert due.to == referee.seats
        referee.asked(n)


class RollsForEver(Tiny):
    """After the first answers dice fall, and dice, and dice."""

    def step(self, state: Any, given: Any) -> Stop:
        if isinstance(given, dict) or getattr(self, "rolling", False):
            self.rolling = True
            return Stop(state, (), Chance("pub", (Roll(1, 6),)))
        return super().step(state, given)


def test_rules_that_ask_for_dice_without_an_end_are_stopped() -> None:
    """So a host stops as well, who would write a log without an end."""
    referee = asked(RollsForEver())
    referee.answered({seat: referee.silence(seat) for seat in referee.seats})
    for n in range(MOST_EVENTS):
        referee.rolled(((1,),), 100 + n)
    with pytest.raises(EndlessError, match=f"{MOST_EVENTS} random events"):
        referee.rolled(((1,),), 9999)


def test_an_order_sent_ahead_has_few_lines() -> None:
    game = tiny_game.GAME
    referee = asked(game)
    view = referee.view("ann")
    legal = str(next(iter(game.options(view))))
    never = "CARD t9"
    assert getattr(choose(game, view, "\n".join([never] * (MOST - 1) + [legal])), "line", None) == legal
    refused = choose(game, view, "\n".join([never] * MOST + [legal]))
    assert isinstance(refused, list)
    assert f"{MOST} lines" in refused[0].why


@pytest.mark.parametrize(("name", "options"), [("hammer", {"scenario": "braveheart"}), ("lords", {})])
def test_honest_rules_stay_far_below(name: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundredth of the budget is enough for the setting up of every game here, and for what follows."""
    monkeypatch.setattr("pbem.kernel.frames.MOST_STEPS", MOST_STEPS // 100)
    pack = find(name)
    table = Table(pack.rules, options, "below", hours=24)
    for _question in range(20):
        legal = {seat: table.game.default(table.referee.view(seat)) for seat in table.waiting}
        table.answer({seat: (str(order), "") for seat, order in legal.items()})
    assert table.open
