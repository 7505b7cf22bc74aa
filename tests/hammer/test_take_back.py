"""What an answer has told is not taken back: a Pillage or a hit is no way to look under the enemy's blocks (ADR 47)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from pbem.games import find
from pbem.games.hammer import GAME, Hammer
from pbem.games.hammer.rules.printed import DEAD, ENGLISH, OFF, SCOTTISH
from pbem.kernel import Ask, End
from pbem.referee.table import Table as Played
from tests.conformance import Conformance
from tests.conformance.playing import outcome
from tests.hammer.builder import Table
from tests.hammer.options_battle import fought


def told(table: Table, text: str) -> bool:
    """Give an order; was something told by it that it may not be taken back?"""
    before = table.stop.state
    after = table.order(text).stop
    assert isinstance(after.wants, Ask)
    return GAME.told_secret(before, after.state)


@pytest.mark.parametrize("steps", [1, 2, 3])
def test_take_back_pillage_shows_how_strong_a_block_is(steps: int) -> None:
    table = Table({"Annan": f"York Infantry {steps}", "Ross": "Ross"}, {"Lanark": "Wallace 2"}).turn(
        "Move 1", "Pillage"
    )
    assert told(table, "PILLAGE Annan FROM Lanark")


def test_take_back_pillage_may_be_while_its_victim_chooses() -> None:
    """Of two blocks the owner is always asked, however strong they are: that tells nothing."""
    table = Table({"Annan": "York Infantry 4, Hobelars", "Ross": "Ross"}, {"Lanark": "Wallace 2"}).turn(
        "Move 1", "Pillage"
    )
    assert not told(table, "PILLAGE Annan FROM Lanark")
    assert table.asked == (ENGLISH, "pillage losses")
    # his hits are his own blocks'; what the Scots hear of them, they hear by his answer
    assert not told(table, "HITS Annan: York Infantry, York Infantry")


def fight(order: str, *dice: int, scots: str = "Wallace, Norse 2") -> Table:
    """Let the Scots, who defend Lanark, act until the English have to say who of two is hit."""
    table = fought("York Infantry 4, Lancaster Infantry 4", scots, ()).order(order).dice(*dice)
    assert table.asked == (ENGLISH, "hits")
    return table


def test_take_back_hits_show_what_the_enemy_has_ordered_of_others() -> None:
    """Whether he is asked again or his next block acts at once: he has ordered it, and it was hidden."""
    for order in ("BATTLE Lanark: Wallace FIRE, Norse PASS", "BATTLE Lanark: Wallace FIRE"):
        table = fight(order, 1, 6, 6, 6)
        assert told(table, "HITS Lanark: York Infantry")


def test_take_back_hits_show_where_the_enemy_retreats_to() -> None:
    table = fight("BATTLE Lanark: Wallace RETREAT Selkirk, Norse FIRE", 1, 6)
    assert told(table, "HITS Lanark: York Infantry")


def test_take_back_hits_may_be_where_nobody_else_acts() -> None:
    table = fight("BATTLE ALL FIRE", 1, 6, 6, 6, scots="Wallace")
    assert not told(table, "HITS Lanark: York Infantry")
    assert table.asked == (ENGLISH, "battle action")


def test_take_back_moves_may_be() -> None:
    table = Table({"Lothian": "York Infantry, Hobelars"}, {"Fife": "Wallace, Douglas"}).turn("Move 2", "Move 1")
    assert not told(table, "MOVE Lothian: Hobelars > Dunbar")
    assert table.asked == (SCOTTISH, "act")


def test_take_back_most_answers_of_a_game_may_be() -> None:
    """The rules are not so careful that nothing is left: most that are followed by a question."""
    rng, open_to, closed = random.Random("taken back"), 0, 0
    bot = find("hammer").bots["random"]()
    stop = GAME.start({"years": 3})
    while not isinstance(stop.wants, End):
        if isinstance(stop.wants, Ask):
            given: Any = {
                seat: bot.answer(GAME.read_view(GAME.view(stop.state, seat)), rng) for seat in stop.wants.seats
            }
        else:
            given = outcome(stop.wants, rng)
        before, stop = stop, GAME.step(stop.state, given)
        if isinstance(before.wants, Ask) and len(before.wants.seats) == 1 and isinstance(stop.wants, Ask):
            closed += GAME.told_secret(before.state, stop.state)
            open_to += 1
    assert closed < open_to / 3


class LooksAtWhatIsTurnedUp(Hammer):
    """As these rules were: a block that is turned up, or put beside the map, and nothing else."""

    def told_secret(self, before: Any, after: Any) -> bool:
        beside = (DEAD, OFF)
        pairs = zip(before.board.pieces, after.board.pieces, strict=True)
        return any(now.known > was.known or (now.at in beside and was.at not in beside) for was, now in pairs)


def test_the_conformance_suite_finds_a_take_back_that_probes() -> None:
    """A player answers to see something hidden and takes the answer back. The conformance suite rejects rules that
    allow it."""

    class Case(Conformance):
        game = LooksAtWhatIsTurnedUp()
        where = ""
        games, seed, stride = 1, 0, 1

    with pytest.raises(AssertionError, match="PILLAGE"):
        Case().test_what_an_answer_probes_is_told()


@pytest.mark.slow
def test_take_back_by_mail_there_is_no_way_behind_a_pillage_that_has_told() -> None:
    """A game is played until a Pillage hits a block that stands alone: then the referee knows no point to go back to."""
    bot = find("hammer").bots["random"]()
    for seed in range(40):
        table, chance = Played(GAME, {"years": 1}, f"probe {seed}", hours=24), random.Random(f"probe {seed}")
        while table.open:
            before = table.referee.state
            said = {seat: str(bot.answer(table.referee.view(seat), chance)) for seat in table.open.to}
            (*_, order) = said.values()
            table.answer({seat: (text, "") for seat, text in said.items()})
            after = table.referee.state
            lost = [
                now.name
                for was, now in zip(before.board.pieces, after.board.pieces, strict=True)
                if was[1:4] != now[1:4]
            ]
            if order.startswith("PILLAGE") and lost and table.open:
                assert table.referee.trail.points == []
                return
    raise AssertionError("no such Pillage in forty games")
