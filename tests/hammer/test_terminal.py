"""The map in characters and the hints for a move: kept for two positions, never too wide, made from the seat's view alone."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from pbem.games.hammer import GAME
from pbem.games.hammer.look import LOOK
from pbem.games.hammer.look.terminal.ground import touching
from pbem.games.hammer.rules.printed import AREAS, BLOCKS, BORDER, ENGLISH, SCOTTISH, SIDES
from pbem.kernel import Ask
from pbem.look import Look, Span
from tests.conformance import play
from tests.hammer.builder import Table
from tests.hammer.golden import compare
from tests.hammer.test_look_board import _attack
from tests.hammer.test_map import _crowded
from tests.hammer.winter_builder import WinterTable

STYLES = {"", "bold", "dim", "reverse", "red", "blue", "green", "yellow", "cyan"}


def _plain(lines: Sequence[Sequence[Span]]) -> list[str]:
    return ["".join(span.text for span in line) for line in lines]


def _marked(lines: Sequence[Sequence[Span]]) -> str:
    """Return the text with its styles: «red|Wallace 3»."""
    return "\n".join("".join(f"«{s.style}|{s.text}»" if s.style else s.text for s in line) for line in lines)


@pytest.mark.parametrize("seat", SIDES)
@pytest.mark.parametrize("position", ["fight", "crowded"])
def test_the_map_in_characters(position: str, seat: str) -> None:
    table = _crowded() if position == "crowded" else _attack().dice(3)
    lines = LOOK.terminal(table.view(seat))
    compare(f"terminal_{position}_{seat}.txt", "\n".join(_plain(lines)))
    compare(f"terminal_{position}_{seat}_styles.txt", _marked(lines))


def test_1_1_areas_touch_on_the_ground_where_they_have_a_border_and_nowhere_else() -> None:
    assert touching() == set(BORDER)


@pytest.mark.parametrize("area", AREAS)
def test_every_area_has_room_for_its_name_and_all_blocks_that_there_are(area: str) -> None:
    sides = {side: ", ".join(name for name, b in BLOCKS.items() if b.owner == side) for side in SIDES}
    view = Table({area: sides[ENGLISH]}, {area: sides[SCOTTISH]}).turn("Move 1", "Move 2").view(ENGLISH)
    text = "\n".join(_plain(LOOK.terminal(view)))
    assert f"{area} " in text
    assert all(f"{letter}{view.count(area, side)}" in text for letter, side in zip("ES", SIDES, strict=True))


def test_no_line_is_too_wide_and_no_view_tells_more_than_its_twin_over_a_whole_game() -> None:
    rng = random.Random(9)
    for stop in play(GAME, {}, 9, limit=400).stops[::16]:
        for seat in (*SIDES, None):
            view = GAME.read_view(GAME.view(stop.state, seat))
            lines = LOOK.terminal(view)
            assert max(map(len, _plain(lines))) < 80
            assert {word for line in lines for span in line for word in span.style.split(" ")} <= STYLES
            if seat and isinstance(stop.wants, Ask) and seat in stop.wants.seats:
                twin = GAME.read_view(GAME.view(GAME.determinise(view, rng), seat))
                assert LOOK.terminal(twin) == lines
                assert LOOK.hints(twin, ()) == LOOK.hints(view, ())
                written = str(GAME.options(view).sample(rng)).split("\n")
                for n in range(len(written) + 1):
                    assert all(len(line) <= 72 for line in LOOK.hints(view, written[:n]).split("\n"))


def test_colour_is_never_the_only_sign_of_a_side() -> None:
    lines = LOOK.terminal(_attack().dice(3).view(ENGLISH))
    lanark = next(i for i, line in enumerate(_plain(lines)) if "Lanark 2!" in line)
    assert any("E4 York Kn 3" in line for line in _plain(lines)[lanark:])
    assert any("S4 Wallace 3" in line for line in _plain(lines)[lanark:])


def test_a_game_without_a_drawing_shows_its_board() -> None:
    view = _attack().view(ENGLISH)
    assert "\n".join(_plain(Look.terminal(LOOK, view))) == LOOK.board(view)
    assert Look.hints(LOOK, view, ()) == ""


# What may still be added to a move


def _moving() -> Table:
    return Table(
        {"Ross": "Ross", "Annan": "York Knights, Edward", "England": "Hobelars, Wales Archers"},
        {"Lanark": "Wallace", "Mar": "Mar"},
    ).turn("Move 3", "Move 2")


def _hinted(*lines: str) -> list[str]:
    return [line.strip() for line in LOOK.hints(_moving().view(ENGLISH), lines).split("\n")]


def test_4_2_the_group_moves_left_stand_first() -> None:
    assert _hinted()[0] == "3 Group Moves of 3 left."
    assert _hinted("MOVE Annan: Edward > Carrick")[0] == "2 Group Moves of 3 left."
    assert _hinted("MOVE Annan: Edward > Carrick", "MOVE Annan: York > Lanark")[0] == "2 Group Moves of 3 left."


def test_4_4_over_the_border_of_england_each_block_costs_one() -> None:
    assert _hinted("MOVE England: ALL > Dunbar")[0] == "1 Group Move of 3 left."


def test_4_3_the_room_on_a_border_shrinks() -> None:
    assert any("Lanark ! [2r], Selkirk [2r]" in line for line in _hinted())
    assert any("Lanark ! [2r], Selkirk [1r]" in line for line in _hinted("MOVE Annan: York > Selkirk"))


def test_4_0_who_has_moved_is_written_and_no_longer_listed() -> None:
    hinted = _hinted("MOVE Annan: York > Selkirk")
    assert "Annan       Edward (3)" in hinted
    assert hinted[-1] == "Written: York Knights > Selkirk."


def test_2_13_each_area_stands_where_it_is_reached_first() -> None:
    hinted = _hinted()
    first = hinted.index("Ross        Ross (2)")
    assert hinted[first + 1] == "1: Garmoran [2r], Moray [2r]"
    assert any(line.startswith("2: ") and "Lennox" in line for line in hinted)


def test_4_6_pinned_blocks_are_told() -> None:
    table = Table({"Lanark": "York Knights, Edward, Hobelars"}, {"Mentieth": "Wallace", "Mar": "Mar"})
    table.turn("Move 1", "Move 2").order("MOVE Mentieth: Wallace > Lanark")
    hints = LOOK.hints(table.view(ENGLISH), ())
    assert "2 blocks may leave (4.6)" in " ".join(hints.split())


def test_rally_who_may_join_is_told_though_no_group_move_is_left() -> None:
    scots = {"Fife": "King", "Atholl": "Atholl", "Lennox": "Campbell", "Mar": "Mar"}
    table = Table({"Ross": "Ross"}, scots, variants=("rally",)).turn("Truce", "Move 1").order("PASS")
    view = table.view(SCOTTISH)
    assert LOOK.hints(view, ()).endswith("for one Group Move:\n  Fife        Atholl, Campbell")
    after = LOOK.hints(view, ["MOVE Atholl: Atholl > Fife RALLY"]).split("\n")
    assert after[0] == "0 Group Moves of 1 left."
    assert after[-2:] == ["  Fife        Campbell", "Written: Atholl > Fife."]
    assert "rally" not in LOOK.hints(view, ["MOVE Fife: King > Angus"])
    table.order("MOVE Atholl: Atholl > Fife RALLY\nMOVE Lennox: Campbell > Mentieth > Fife RALLY")
    assert set(table.blocks("Fife")) == {"King", "Atholl", "Campbell"}


def test_4_7_the_norse_sail() -> None:
    table = Table({"Ross": "Ross"}, {"Fife": "Norse", "Mar": "Mar"}).turn("Move 1", "Move 2")
    hints = LOOK.hints(table.view(SCOTTISH), ())
    assert "Norse       by sea:" in hints
    assert "England" not in hints


def test_when_nothing_is_left_it_says_so() -> None:
    table = Table({"Ross": "Ross"}, {"Mar": "Mar"}).turn("Move 1", "Move 2").order("PASS")
    assert "No other block may move: END." in LOOK.hints(table.view(ENGLISH), ["MOVE Ross: Ross > Moray"])


def test_other_questions_need_no_hints() -> None:
    assert LOOK.hints(Table({"Ross": "Ross"}, {"Mar": "Mar"}).turn("Herald", "Move 2").view(ENGLISH), ()) == ""


# What may still be added to a build


def _built(*lines: str) -> list[str]:
    table = WinterTable({}, {"Fife": "Wallace 2, Fraser", "Mar": "Mar 2", "dead": "Moray"}).builds()
    return [line.strip() for line in LOOK.hints(table.view(SCOTTISH), lines).split("\n")]


def test_7_62_points_and_room_shrink_as_steps_are_written() -> None:
    assert _built() == [
        "4 replacement points left.",
        "Mar         1 point: Mar up to 1",
        "Fife        3 points: Wallace up to 2, DRAW Fife",
    ]
    assert _built("BUILD Fife: Wallace 2") == [
        "2 replacement points left.",
        "Mar         1 point: Mar up to 1",
        "Fife        1 point: DRAW Fife",
    ]


def test_7_62_draws_cost_points_and_room_too() -> None:
    assert _built("DRAW Fife")[2] == "Fife        2 points: Wallace up to 2"
    assert _built("BUILD Mar: Mar 1", "DRAW Fife", "BUILD Fife: Wallace 2") == [
        "0 replacement points left.",
        "There is no other use for them: DONE, then END.",
    ]
