"""Border raids, sudden death, the majority. Rules 5.9, 9.0, 9.1."""

from __future__ import annotations

import pytest

from pbem.games.hammer.rules.printed import ENGLISH, NOBLES, SCOTTISH
from pbem.games.hammer.rules.victory import final, settled, sudden_death
from tests.hammer.builder import Table, altered, pieces

HOME = {"Dunbar": "Dunbar"}


def turn_ends(english: dict[str, str], scots: dict[str, str]) -> Table:
    """Return the table when both have done nothing."""
    return Table(english, scots).turn("Move 1", "Move 1").orders("PASS", "PASS")


def test_5_9_a_raid_costs_one_block_of_the_english_choice() -> None:
    table = turn_ends({**HOME, "Lanark": "York Infantry, Edward"}, {"England": "Wallace, Keith", "Ross": "Ross"})
    assert table.asked == (ENGLISH, "raid")
    assert "(rule 5.9)" in table.refused("RAID Dunbar")
    assert table.options() == ["RAID Edward", "RAID York Infantry"]
    table.order("RAID Edward")
    assert table.at("Edward") == "pool"
    assert table.board.edward == 1
    assert table.facts("raid", SCOTTISH) == [{"f": "raid", "n": 2, "area": "Lanark"}]
    assert table.facts("raid", ENGLISH)[0]["block"] == "Edward"


def test_5_9_no_raid_without_scots_in_england() -> None:
    assert turn_ends({**HOME, "Lanark": "York Infantry"}, {"Ross": "Ross"}).facts("raid") == []


def test_5_9_if_only_nobles_are_on_the_map_nothing_is_lost() -> None:
    table = turn_ends(HOME, {"England": "Wallace", "Ross": "Ross"})
    assert table.facts("raid") == [{"f": "raid", "n": 1}]


def test_5_9_the_only_block_is_lost_without_a_question() -> None:
    table = turn_ends({**HOME, "Lanark": "York Infantry"}, {"England": "Wallace", "Ross": "Ross"})
    assert table.at("York Infantry") == "pool"


def test_5_9_also_in_turns_of_two_events() -> None:
    table = Table({**HOME, "Lanark": "York Infantry"}, {"England": "Wallace", "Ross": "Ross"}).turn("Herald", "Truce")
    assert table.orders("PASS", "PASS").facts("raid")


def nobles(english: int, moray: str = "Moray", wallace: str = "Fife") -> Table:
    """Return a board with the first so many nobles English, the rest Scottish."""
    mine, yours = NOBLES[:english], NOBLES[english:]
    scots = {"Lanark": ", ".join(yours)} if yours else {}
    scots[moray] = ", ".join(filter(None, [scots.get(moray, ""), "Moray"]))
    scots[wallace] = ", ".join(filter(None, [scots.get(wallace, ""), "Wallace"]))
    return Table({"Dunbar": ", ".join(mine)} if mine else {}, scots)


@pytest.mark.parametrize(
    ("english", "moray", "winner"),
    [
        (0, "Moray", SCOTTISH),
        (13, "pool", ENGLISH),
        (13, "dead", ENGLISH),
        (13, "Moray", ""),
        (12, "dead", ""),
        (1, "dead", ""),
    ],
)
def test_9_1_whoever_holds_all_nobles_in_play_wins(english: int, moray: str, winner: str) -> None:
    result = sudden_death(nobles(english, moray).board)
    assert (result["winner"] if result else "") == winner


def test_9_1_is_looked_at_when_a_game_turn_ends() -> None:
    table = nobles(13, "dead", "dead").turn("Move 1", "Move 1").orders("PASS", "PASS")
    assert table.asked == ("end", "all nobles")
    assert table.facts("victory") == [{"f": "victory", "winner": ENGLISH, "why": "all nobles"}]


@pytest.mark.parametrize(
    ("english", "moray", "wallace", "winner", "why"),
    [
        (8, "Moray", "Fife", ENGLISH, "majority"),
        (6, "dead", "Fife", SCOTTISH, "majority"),
        (7, "dead", "Fife", ENGLISH, "majority"),
        (7, "pool", "Fife", ENGLISH, "majority"),
        (7, "Moray", "Fife", SCOTTISH, "tie wallace"),
        (7, "Moray", "pool", ENGLISH, "tie no wallace"),
        (7, "Moray", "dead", ENGLISH, "tie no wallace"),
    ],
)
def test_9_0_the_majority_wins_and_wallace_breaks_a_tie(
    english: int, moray: str, wallace: str, winner: str, why: str
) -> None:
    assert final(nobles(english, moray, wallace).board) == {"winner": winner, "why": why}


@pytest.mark.parametrize(
    ("english", "moray", "certain"),
    [(8, "pool", True), (6, "pool", True), (7, "dead", True), (7, "pool", False), (7, "Moray", False)],
)
def test_9_0_the_last_winter_is_played_until_the_result_is_certain(english: int, moray: str, certain: bool) -> None:
    assert (settled(nobles(english, moray).board) is not None) == certain


def test_the_builder_puts_every_block_somewhere() -> None:
    assert len(pieces(HOME, {})) == 43
    assert altered(nobles(3).board, year=1300).year == 1300
