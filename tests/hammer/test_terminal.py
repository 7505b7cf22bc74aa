"""The map in characters: kept for two positions, never too wide, made from the seat's view alone."""

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
from tests.hammer.look_board import _attack
from tests.hammer.map import _crowded

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


@pytest.mark.variants
@pytest.mark.parametrize("area", AREAS)
def test_every_area_has_room_for_its_name_and_all_blocks_that_there_are(area: str) -> None:
    sides = {side: ", ".join(name for name, b in BLOCKS.items() if b.owner == side) for side in SIDES}
    view = Table({area: sides[ENGLISH]}, {area: sides[SCOTTISH]}).turn("Move 1", "Move 2").view(ENGLISH)
    text = "\n".join(_plain(LOOK.terminal(view)))
    assert f"{area} " in text
    assert all(f"{letter}{view.count(area, side)}" in text for letter, side in zip("ES", SIDES, strict=True))


@pytest.mark.slow
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


def test_colour_is_never_the_only_sign_of_a_side() -> None:
    lines = LOOK.terminal(_attack().dice(3).view(ENGLISH))
    lanark = next(i for i, line in enumerate(_plain(lines)) if "Lanark 2!" in line)
    assert any("E4 York Kn 3" in line for line in _plain(lines)[lanark:])
    assert any("S4 Wallace 3" in line for line in _plain(lines)[lanark:])


def test_a_game_without_a_drawing_shows_its_board() -> None:
    view = _attack().view(ENGLISH)
    assert "\n".join(_plain(Look.terminal(LOOK, view))) == LOOK.board(view)
    assert Look.touches(LOOK, view, ()) == ()
