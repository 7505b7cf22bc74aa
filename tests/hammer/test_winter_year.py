"""The levy (7.7), the Winter Turn as a whole (7.0, 7.8), Edward II (6.1), and the last winter (9.0)."""

from __future__ import annotations

import pytest

from pbem.games.hammer.rules.levy import levy_size
from pbem.games.hammer.rules.printed import BLOCKS, ENGLISH, NOBLES, SCOTTISH
from pbem.games.hammer.rules.winter import Winter, is_last_winter
from pbem.kernel import Chance, Draw, End, Json
from tests.hammer.builder import Table, altered
from tests.hammer.winter_builder import WinterTable

RED = [name for name, block in BLOCKS.items() if block.owner == ENGLISH]


def _all_but(*pool: str) -> str:
    return ", ".join(name for name in RED if name not in pool)


# 7.7


@pytest.mark.parametrize(("pool", "levied"), [(0, 0), (1, 1), (2, 1), (7, 4), (13, 7)])
def test_7_7_half_the_pool_is_drawn_rounded_up(pool: int, levied: int) -> None:
    assert levy_size(pool) == levied


def test_7_7_the_levy_comes_to_england_at_full_strength() -> None:
    table = WinterTable({"Teviot": _all_but("Edward", "Hobelars", "York Infantry")}, {}).levy()
    wanted = table.stop.wants
    assert wanted == Chance("priv:english", (Draw(2, ("Edward", "Hobelars", "York Infantry")),))
    table.draw("York Infantry", "Edward")  # Edward counts, and can be drawn
    assert table.blocks("England") == {"Edward": 4, "York Infantry": 4}
    assert table.facts("levy") == table.facts("levy", SCOTTISH) == [{"f": "levy", "n": 2}]
    assert table.facts("levy", ENGLISH) == [{"f": "levy", "n": 2, "blocks": ["York Infantry", "Edward"]}]


def test_7_7_an_empty_pool_levies_nobody() -> None:
    table = WinterTable({"Teviot": _all_but()}, {}).levy()
    assert table.facts("levy") == [{"f": "levy", "n": 0}]
    assert table.asked == ("chance", "deal:2")


def test_7_7_no_levy_when_edward_i_has_just_wintered_in_scotland() -> None:
    table = WinterTable({"Teviot": "Edward"}, {}, 1299, wintered=1299).levy()
    assert table.facts("no levy") == [{"f": "no levy"}]
    assert not table.facts("levy")
    assert table.blocks("England") == {}
    assert WinterTable({"Teviot": "Edward"}, {}, 1299, wintered=1298).levy().asked == ("chance", "priv:english")


# 7.0, 7.8: the whole


def test_7_0_the_winter_goes_through_its_actions_in_their_order() -> None:
    table = WinterTable(
        {"England": "Hobelars 1", "Lothian": "Cumbria Infantry 1", "Annan": "Bruce", "Badenoch": "Comyn"},
        {"Fife": "Wallace 2, Barclay", "Garmoran": "Moray 2"},
    ).winter()
    asked = []
    answers = {
        (ENGLISH, "home"): "HOME Bruce > Annan\nHOME Comyn > Badenoch",
        (SCOTTISH, "home"): "HOME Moray",
        (ENGLISH, "disband"): "DONE",
        (SCOTTISH, "disband"): "WALLACE > Selkirk",
    }
    builds = "BUILD Lothian: Cumbria Infantry 2", "BUILD Moray: Moray\nDRAW Fife\nDONE"
    while table.asked != ("chance", "deal:2"):
        asked.append(table.asked)
        if table.asked == ("chance", "priv:scottish"):
            table.draw("Graham")
        elif table.asked == ("english+scottish", "build"):
            table.both(*builds)
        elif table.asked == ("chance", "priv:english"):
            wanted = table.stop.wants
            assert isinstance(wanted, Chance)
            assert isinstance(wanted.requests[0], Draw)
            assert wanted.requests[0].n == 7  # thirteen in the pool
            table.draw(*wanted.requests[0].of[:7])
        else:
            table.order(answers[table.asked])
    assert asked == [
        (ENGLISH, "home"), (SCOTTISH, "home"), (ENGLISH, "disband"), (SCOTTISH, "disband"),
        ("english+scottish", "build"), ("chance", "priv:scottish"), ("chance", "priv:english"),
    ]  # fmt: skip
    assert (table.board.year, table.board.turn) == (1298, 0)  # 7.8
    assert table.on_map(SCOTTISH) == {"Wallace": "Selkirk", "Barclay": "Fife", "Graham": "Fife", "Moray": "Moray"}
    assert (table.strength("Wallace"), table.strength("Moray")) == (4, 3)
    assert (table.at("Cumbria Infantry"), table.strength("Cumbria Infantry")) == ("Lothian", 3)


def test_7_0_what_moved_last_turn_is_forgotten() -> None:
    table = WinterTable({"Lothian": "York Infantry"}, {"Fife": "Barclay"})
    moved = table.start["Barclay"]._replace(start="Angus", via="Angus", known=2)
    table.start = altered(table.start.put(moved), marks=(("Angus", "Fife", SCOTTISH),))
    table.winter()
    assert not table.view(ENGLISH).arrivals
    assert not table.view(ENGLISH).marks
    assert "barclay" not in table.view(ENGLISH).revealed


# 6.1


def test_6_1_edward_i_becomes_edward_ii_at_the_end_of_1306() -> None:
    in_1306 = WinterTable({"Teviot": _all_but()}, {}, 1306).levy()
    assert (in_1306.board.edward, in_1306.facts("edward ii")) == (2, [{"f": "edward ii"}])
    assert WinterTable({"Teviot": _all_but()}, {}, 1304).levy().board.edward == 1
    dead_before = WinterTable({"Teviot": _all_but()}, {}, 1306, edward=2).levy()
    assert not dead_before.facts("edward ii")


# 9.0


def _last(english: int, scots: dict[str, str], year: int = 1305) -> WinterTable:
    """Return the last winter, after 7.2, with so many English nobles of the thirteen."""
    table = WinterTable({}, scots, year)
    board = table.start
    for i, name in enumerate(NOBLES):
        board = board.put(board[name]._replace(side=ENGLISH if i < english else SCOTTISH))
    table.start = board
    return table.begin(Winter("homes"))


def _result(table: Table) -> Json:
    wanted = table.stop.wants
    assert isinstance(wanted, End)
    return wanted.result


def test_9_0_the_last_winter_ends_after_7_2_for_a_side_with_eight_nobles() -> None:
    assert _last(8, {"Fife": "Moray"}).asked == ("end", "majority")
    assert _result(_last(8, {"Fife": "Moray"}))["winner"] == ENGLISH
    assert _result(_last(6, {"pool": "Moray"}))["winner"] == SCOTTISH


def test_9_0_or_when_no_tie_can_arise_because_moray_is_dead() -> None:
    ended = _last(7, {"dead": "Moray", "Fife": "Wallace"})
    assert _result(ended) == {"winner": ENGLISH, "why": "majority"}


def test_9_0_else_it_is_played_through_the_scottish_builds_and_wallace_breaks_the_tie() -> None:
    table = _last(7, {"Fife": "Moray, Wallace"})
    assert table.asked == (SCOTTISH, "disband")
    table.order("DONE")
    assert table.asked == (SCOTTISH, "build")
    table.order("DONE")
    assert _result(table) == {"winner": SCOTTISH, "why": "tie wallace"}


def test_9_0_without_wallace_on_the_map_the_english_win_the_tie() -> None:
    table = _last(7, {"Fife": "Moray, Wallace"}).order("DISBAND Wallace").order("DONE")
    assert _result(table) == {"winner": ENGLISH, "why": "tie no wallace"}


def test_9_0_the_last_draw_may_bring_moray_and_the_tie() -> None:
    table = _last(7, {"Fife": "Wallace", "pool": "Moray"}).order("DONE").order("DRAW Fife\nDONE").draw("Moray")
    assert _result(table) == {"winner": SCOTTISH, "why": "tie wallace"}
    other = _last(7, {"Fife": "Wallace", "pool": "Moray"}).order("DONE").order("DRAW Fife\nDONE").draw("Keith")
    assert _result(other) == {"winner": ENGLISH, "why": "majority"}


def test_9_0_other_winters_decide_nothing() -> None:
    assert _last(8, {"Fife": "Moray"}, 1304).asked[0] != "end"
    board = WinterTable({}, {}, 1305).start
    assert is_last_winter(board)
    assert not is_last_winter(altered(board, scenario="campaign"))  # ruling 8.3
    assert is_last_winter(altered(board, scenario="bruce", year=1314))
