"""The odds of a battle: of a volley exactly, of the whole by trials, against battles that the rules fight themselves."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from pbem.games import find
from pbem.games.hammer.look.odds import TRIALS, chances, odds
from pbem.games.hammer.rules.printed import ENGLISH, SCOTTISH
from pbem.kernel import Ask, Chance, Fact
from pbem.look import PageTable
from tests.conformance.playing import outcome
from tests.hammer.battle import lanark
from tests.hammer.builder import Table

GAME, LOOK = find("hammer").rules, find("hammer").look
FOUGHT, WITHIN = 400, 8
"""So many battles are fought by the rules; in percent, how far the odds may be from what they come to."""


def tables(table: Table, seat: str, seed: int = 1) -> tuple[PageTable, ...]:
    return tuple(odds(table.view(seat), Random(seed)))


def ends(found: PageTable) -> list[int]:
    """The chances of the three ends: the English win, the Scots win, nobody has after three rounds."""
    return [int(row[1].split()[0]) for row in found.rows[:3]]


@pytest.mark.parametrize(("dice", "most"), [(1, 1), (4, 3), (3, 4), (2, 2)])
def test_a_volley_is_reckoned_exactly(dice: int, most: int) -> None:
    found = chances(dice, most)
    assert sum(found) == 6**dice
    assert sum(n * part for n, part in enumerate(found)) * 6 == dice * most * 6**dice, (
        "on the average dice × most / 6 hit"
    )


def test_a_noble_at_home_hits_with_one_more() -> None:
    by_name = {row[0]: row for row in tables(lanark("York Infantry 2", "Steward"), SCOTTISH)[0].rows}
    assert by_name["Steward"][2] == "1–3", "he defends Lanark, his home (1.4)"
    assert by_name["York Infantry"][1:4] == ("2", "1–2", "56 %")


def by_the_rules(table: Table, rng: Random) -> str:
    """Fight the battle on by the rules, all firing; return who wins it, "" where the attackers must leave."""
    stop = table.stop
    while True:
        facts = [event.public for event in stop.events if isinstance(event, Fact) and event.public]
        for fact in facts:
            if fact["f"] in ("battle over", "withdraw"):
                return str(fact.get("winner", ""))
        wanted = stop.wants
        if isinstance(wanted, Chance):
            stop = GAME.step(stop.state, outcome(wanted, rng))
            continue
        assert isinstance(wanted, Ask)
        (seat,) = wanted.seats
        orders = list(GAME.options(GAME.read_view(GAME.view(stop.state, seat))))
        fire = [one for one in orders if not {"RETREAT", "PASS"} & set(str(one).replace(",", " ").split())]
        stop = GAME.step(stop.state, {seat: (fire or orders)[0]})


@pytest.mark.slow
def test_trials_come_to_what_the_rules_come_to() -> None:
    table = lanark("York Infantry 3, Wales Archers 2", "Barclay 3, Douglas 2")
    if table.asked[0] == "chance":
        table.dice(4)
    rng, won = Random(7), Counter[str]()
    for _battle in range(FOUGHT):
        won[by_the_rules(table, rng)] += 1
    fought = [100 * won[side] // FOUGHT for side in (ENGLISH, SCOTTISH, "")]
    told = ends(tables(table, SCOTTISH)[1])
    assert all(abs(a - b) <= WITHIN for a, b in zip(fought, told, strict=True)), (
        f"{fought} by the rules, {told} by trials"
    )


def test_the_odds_are_of_all_trials_and_the_same_for_the_same_luck() -> None:
    table = lanark("York Infantry 3", "Barclay 3")
    found = tables(table, SCOTTISH)
    assert found == tables(table, SCOTTISH)
    assert len({tables(table, SCOTTISH, seed) for seed in range(6)}) > 1, "other luck comes to the same"
    assert 98 <= sum(ends(found[1])) <= 102
    assert str(TRIALS) in found[1].note


def test_where_nobody_fights_there_are_no_odds() -> None:
    assert (
        LOOK.odds(Table({"Dunbar": "Dunbar"}, {"Ross": "Ross"}).turn("Move 1", "Move 1").view(ENGLISH), Random(1)) == ()
    )
