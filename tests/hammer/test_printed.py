"""What is printed on board, blocks and cards, counted against the rule book's own tables. Rules 1.1-1.4, 2.x, 3.0, 5.8."""

from __future__ import annotations

from collections import Counter

import pytest

from pbem.games.hammer.rules.printed import (
    AREAS,
    BLOCKS,
    BORDER,
    BORDERS,
    CARD_NAME,
    CATHEDRALS,
    CELTIC,
    DECK,
    ENGLAND,
    ENGLISH,
    NOBLES,
    SCOTTISH,
    Block,
)


@pytest.mark.parametrize(("a", "b"), [("Carrick", "Argyll"), ("Lothian", "Fife")])
def test_1_1_some_areas_touch_without_a_border(a: str, b: str) -> None:
    assert (a, b) not in BORDER


def test_1_2_castle_limits_go_from_0_to_3() -> None:
    assert {area.limit for area in AREAS.values()} == {0, 1, 2, 3}
    assert AREAS["Angus"].limit == AREAS["Buchan"].limit == AREAS["Fife"].limit == 2
    assert AREAS[ENGLAND].limit == AREAS["Selkirk"].limit == 0


def test_1_3_three_areas_have_a_cathedral() -> None:
    assert set(CATHEDRALS) == {"Strathspey", "Lennox", "Fife"}


def test_1_4_fourteen_nobles_have_a_home_bruce_and_comyn_two() -> None:
    homes = {name: set(block.homes) for name, block in BLOCKS.items() if block.is_noble}
    assert len(homes) == 14
    assert homes["Bruce"] == {"Annan", "Carrick"}
    assert homes["Comyn"] == {"Badenoch", "Lochaber"}
    assert {name for name, at in homes.items() if len(at) != 1} == {"Bruce", "Comyn"}
    assert homes["Buchan"] == {"Buchan"}


def kinds(owner: str) -> Counter[tuple[str, int, str]]:
    """Return how many blocks of each type, move and combat rating a side has, its nobles' labels included."""

    def kind(block: Block) -> tuple[str, int, str]:
        return block.type, block.move, f"{block.letter}{block.rating}"

    return Counter(kind(block) for block in BLOCKS.values() if block.owner == owner or (not block.owner))


def test_2_1_the_english_blocks_are_those_of_the_table() -> None:
    assert kinds(ENGLISH) == {
        ("king", 3, "B4"): 1, ("archers", 2, "B3"): 2, ("knights", 2, "B3"): 3, ("hobelars", 3, "A2"): 1,
        ("infantry", 2, "C2"): 6, ("infantry", 2, "C3"): 2, ("noble", 2, "B2"): 13,
    }  # fmt: skip


def test_2_1_the_scottish_blocks_are_those_of_the_table() -> None:
    # the Norse do not march: their rate is 0 (4.7)
    assert kinds(SCOTTISH) == {
        ("wallace", 3, "A3"): 1, ("king", 3, "A3"): 1, ("archers", 3, "B2"): 1, ("cavalry", 3, "B1"): 1,
        ("knights", 2, "B3"): 1, ("norse", 0, "A2"): 1, ("infantry", 2, "C2"): 5, ("infantry", 2, "C3"): 3,
        ("noble", 2, "B2"): 14,
    }  # fmt: skip


def test_2_11_blocks_have_a_strength_of_4_at_most_and_no_fewer_than_2() -> None:
    assert {block.max for block in BLOCKS.values()} == {2, 3, 4}


def test_2_22_every_noble_but_moray_can_be_of_either_side_and_belongs_to_a_faction() -> None:
    assert [name for name, block in BLOCKS.items() if block.is_noble and block.owner] == ["Moray"]
    assert Counter(BLOCKS[name].faction for name in NOBLES) == {"Bruce": 7, "Comyn": 6}


def test_5_2_welsh_and_ulster_infantry_and_archers_are_celtic() -> None:
    assert sorted(CELTIC) == ["Ulster Infantry", "Wales Archers", "Wales Infantry"]


def test_5_8_six_blocks_bear_a_black_cross() -> None:
    crosses = {name for name, block in BLOCKS.items() if block.cross}
    assert crosses == {"Wallace", "Moray", "Norse", "French Knights", "Hobelars", "Edward"}


def test_3_0_the_deck_has_twenty_move_and_five_event_cards() -> None:
    names = Counter(CARD_NAME[card] for card in DECK)
    assert len(DECK) == len(set(DECK)) == 25
    assert sum(n for name, n in names.items() if name.startswith("Move ")) == 20
    assert [names[event] for event in ("Herald", "Pillage", "Sea Move", "Truce", "Victuals")] == [1] * 5


def test_4_3_a_green_border_lets_six_blocks_through_a_red_one_two() -> None:
    assert {(border.red, border.limit) for border in BORDERS} == {(False, 6), (True, 2)}


def test_4_4_three_borders_lead_to_england_the_one_to_teviot_red() -> None:
    found = {(border.a, border.b): border.red for border in BORDERS if border.anglo_scottish}
    assert found == {("England", "Dunbar"): False, ("England", "Annan"): False, ("England", "Teviot"): True}
    assert {pair for pair in BORDER if ENGLAND in pair} == {pair for a, b in found for pair in ((a, b), (b, a))}
