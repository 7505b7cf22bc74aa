"""The map as SVG: kept for two positions, true to what a seat may know, and readable."""

from __future__ import annotations

import io
import random
import re
import xml.etree.ElementTree as ET
from functools import cache
from itertools import combinations, product

import pytest
from markupsafe import Markup
from PIL import Image, ImageChops

from pbem.games.hammer import GAME
from pbem.games.hammer.look import LOOK
from pbem.games.hammer.look.map import style
from pbem.games.hammer.look.map.geometry import EAST, GEOMETRY, WEST, Corners, places, sea_way
from pbem.games.hammer.look.map.ground import LETTERED
from pbem.games.hammer.look.map.scene import Journey, scene
from pbem.games.hammer.rules.printed import AREAS, BLOCKS, BORDER, ENGLISH, SCOTTISH, SIDES, SLUG
from pbem.games.hammer.views import HammerView
from pbem.kernel import Ask
from pbem.look.picture import FAMILIES, MOVING, STILL, with_fonts
from pbem.look.pixels import png
from tests.conformance import Record, play
from tests.hammer.builder import Table
from tests.hammer.golden import compare
from tests.hammer.look_board import _attack
from tests.hammer.map import _crowded, _fight, _public, contrast


@cache
def game() -> Record:
    return play(GAME, {}, 2, 260)


def _drawn(table: Table, *seats: str | None) -> Markup:
    return LOOK.picture([table.view(seat) for seat in seats], _public(table))


def _moving(svg: str) -> str:
    """Return what differs from position to position, a line for each thing."""
    part = svg[svg.index('<g id="hm-contested"') : svg.index('<g id="hm-key"')]
    return part.strip()


def test_two_positions_as_both_sides_see_them() -> None:
    for name, table in (("fight", _fight()), ("crowded", _crowded())):
        for seat in SIDES:
            compare(f"map_{name}_{seat}.txt", _moving(_drawn(table, seat)))


def test_the_drawing_has_the_areas_and_borders_of_the_rules() -> None:
    assert GEOMETRY["areas"].keys() == AREAS.keys()
    drawn = {frozenset((border["a"], border["b"])) for border in GEOMETRY["borders"]}
    assert drawn == {frozenset(pair) for pair in BORDER}


def test_a_map_is_well_formed_and_its_ids_stand_once() -> None:
    for seats in ((ENGLISH,), (SCOTTISH,), (None,), SIDES):
        svg = _drawn(_fight(), *seats)
        root = ET.fromstring(svg)  # noqa: S314 - our own drawing
        ids = [element.get("id") for element in root.iter() if element.get("id")]
        assert len(ids) == len(set(ids))
        assert all(name is not None and name.startswith("hm-") for name in ids)
        used = {value[1:] for element in root.iter() for name, value in element.items() if name == "href"}
        assert used <= set(ids)
        assert set(re.findall(r"url\(#([a-z-]+)\)", svg)) <= set(ids)


@pytest.mark.slow
def test_only_own_blocks_and_those_revealed_are_named() -> None:
    record = game()
    for index in record.every(9):
        for seat in (ENGLISH, SCOTTISH, None):
            view = record.view(index, seat)
            assert isinstance(view, HammerView)
            may = {name for name in BLOCKS if (own := view.own(name)) and own.at in AREAS}
            may |= {name for name in BLOCKS if SLUG[name] in view.revealed}
            svg = LOOK.picture([view], [])
            shown = set(re.findall(r'id="hm-block-([a-z-]+)"', svg))
            assert shown == {name.lower().replace(" ", "-") for name in may}, record.at(index)
            backs = sum(map(int, re.findall(r'class="back.*?class="count mid"[^>]*>(\d+)<', svg)))
            assert backs + len(shown) == sum(map(sum, (counts.values() for counts in view.occupancy.values()))), (
                record.at(index)
            )


def test_twins_give_the_same_picture() -> None:
    record = game()
    rng = random.Random(5)
    for index in record.every(23):
        stop = record.stops[index]
        for seat in stop.wants.seats if isinstance(stop.wants, Ask) else ():
            twin = GAME.determinise(record.view(index, seat), rng)
            other = GAME.read_view(GAME.view(twin, seat))
            assert LOOK.picture([other], []) == LOOK.picture([record.view(index, seat)], []), record.at(index)


def test_the_views_of_both_sides_show_every_block() -> None:
    record = game()
    for index in record.every(31):
        svg = LOOK.picture([record.view(index, seat) for seat in SIDES], [])
        board = record.stops[index].state.board
        assert svg.count('id="hm-block-') == sum(1 for piece in board.pieces if piece.on_map)
        assert 'id="hm-stack-' not in svg


def test_a_line_begins_a_layer_or_ends_one_or_holds_whole_elements() -> None:
    for seats in ((ENGLISH,), (None,), SIDES):
        moving = str(_drawn(_fight(), *seats)).partition(str(MOVING))[2].strip("\n").split("\n")
        assert moving.pop() == "</svg>"
        layers = [line for line in moving if re.fullmatch(r'<g id="hm-[a-z]+">', line)]
        assert len(layers) == moving.count("</g>") == 5
        for line in moving:
            if line not in layers and line != "</g>":
                ET.fromstring(f"<g>{line}</g>")  # noqa: S314 - our own drawing


def test_of_a_way_over_three_borders_the_board_alone_shows_the_end() -> None:
    table = Table({"England": "Hobelars"}, {"Lennox": "Wallace"}).turn("Move 2", "Move 1")
    view = table.order("MOVE England: Hobelars > Annan > Carrick > Lennox").view(ENGLISH)
    assert scene([view], []).ways == (Journey(ENGLISH, ("Carrick", "Lennox"), 1, main=True),)
    assert LOOK.picture([view], []).count('class="move english main"') == 1


def test_moves_that_were_taken_back_are_no_arrows() -> None:
    view = Table({"Fife": "Edward"}, {"Mar": "Mar"}).turn("Move 3", "Move 2").view(ENGLISH)
    turn = {"f": "turn", "year": 1297, "turn": 1}
    moved = {"f": "move", "side": ENGLISH, "route": ["Fife", "Lothian"], "n": 1}
    assert len(scene([view], [turn, moved]).ways) == 1
    assert scene([view], [turn, moved, {"f": "takeback", "seat": ENGLISH, "ask": 9}]).ways == ()


def test_moves_are_arrows_and_main_attacks_and_borders_are_marked() -> None:
    table = _attack()
    svg = _drawn(table, ENGLISH)
    assert svg.count('<g class="move english main" ') == 1
    assert svg.count('<g class="move scottish') == 2
    assert "E 3/6" in svg
    facts = _public(table)
    quiet = Table({"Ross": "Ross"}, {"Mar": "Mar"}).turn("Move 1", "Move 2").view(ENGLISH)
    assert '<g class="move' not in LOOK.picture([quiet], [])
    assert LOOK.picture([quiet], facts).count('<g class="move') == 5


@pytest.mark.parametrize("area", sorted(AREAS))
def test_blocks_stand_side_by_side_up_to_eleven_in_an_area(area: str) -> None:
    for first, second in ((1, 0), (0, 4), (3, 3), (5, 6), (11, 0)):
        size, at = places(area, first, second)
        assert len(at) == first + second
        for (x, y), (a, b) in combinations(at, 2):
            assert abs(x - a) >= size or abs(y - b) >= size
    assert places(area, 1).size >= 32


def test_a_label_keeps_clear_of_the_blocks() -> None:
    for area, drawn in GEOMETRY["areas"].items():
        x, y = drawn["label"]
        for n in (1, 3, 6, 11):
            size, at = places(area, n)
            for left, top in at:
                beside = left > x + drawn["width"] or left + size < x - drawn["width"]
                assert beside or top >= y + 8 or top + size <= y - 6, (area, n)


def test_every_coast_has_its_place_at_sea_and_ways_by_sea_stay_on_one_side() -> None:
    assert {area for area in AREAS if AREAS[area].coastal} == EAST.keys() | WEST.keys()
    assert len(sea_way("Buchan", "Lothian").lines) == 1
    assert len(sea_way("Lennox", "Fife").lines) == 2
    assert sea_way("Ross", "Galloway").at[0] < sea_way("Ross", "Angus").at[0]


def test_what_is_written_stands_out_from_its_ground() -> None:
    for what, (ink, grounds) in style.PAIRS.items():
        for ground in grounds:
            assert contrast(ink, ground) >= 4.5, (what, ink, ground)


@pytest.mark.slow
def test_the_png_is_opaque_has_128_colours_and_is_small_enough_for_mail() -> None:
    made = png(_drawn(_crowded(), *SIDES))
    assert len(made) < 200_000
    image = Image.open(io.BytesIO(made))
    assert (image.mode, image.size) == ("P", (1000, 1240))
    assert "transparency" not in image.info
    assert len(image.getcolors() or ()) <= 128
    assert png(_drawn(_crowded(), *SIDES), 300) == png(_drawn(_crowded(), *SIDES), 300)


def test_every_text_names_a_font_that_comes_along() -> None:
    svg = _drawn(_fight(), ENGLISH)
    assert set(re.findall(r'font-family:"([^"]+)"', svg)) == set(FAMILIES)
    alone = with_fonts(svg)
    assert all(f'@font-face{{font-family:"{name}"' in alone for name in FAMILIES)
    assert "http" not in alone.replace("http://www.w3.org/2000/svg", "")


@pytest.mark.slow
def test_the_ground_is_drawn_once_and_the_picture_is_the_same() -> None:
    svg = _drawn(_fight(), ENGLISH)
    whole = svg.replace(STILL, "").replace(MOVING, "")
    apart, together = (Image.open(io.BytesIO(png(one, 400))).convert("RGB") for one in (svg, whole))
    difference = ImageChops.difference(apart, together).convert("L")
    assert sum(difference.histogram()[24:]) < 0.002 * 400 * 496


_PLACED = r'transform="translate\(([\d.]+) ([\d.]+)\)'
_BLOCK = re.compile(r'class="(?:face|back) [a-z]+" ' + _PLACED + r'(?: scale\(([\d.]+)\))?"')
_NUMBER = re.compile(r'class="used [a-z]+" ' + _PLACED + r'"><rect[^>]* width="([\d.]+)"')


def _blocks(svg: str) -> list[Corners]:
    found = [(float(x), float(y), 44 * float(scale or 1)) for x, y, scale in _BLOCK.findall(svg)]
    return [(x, y, x + size, y + size) for x, y, size in found]


def _numbers(svg: str) -> list[Corners]:
    found = [(float(x), float(y), float(wide) / 2) for x, y, wide in _NUMBER.findall(svg)]
    return [(x - half, y - 8.5, x + half, y + 8.5) for x, y, half in found]


@pytest.mark.slow
def test_no_number_covers_a_block_another_number_or_a_name() -> None:
    record = game()
    told = 0
    for index in record.every(3):
        views = [record.view(index, seat) for seat in SIDES]
        for shown in (views[:1], views[1:], views):
            svg = LOOK.picture(shown, [])
            blocks, numbers = _blocks(svg), _numbers(svg)
            told += len(numbers)
            for one, other in [*product(numbers, (*blocks, *LETTERED)), *combinations(numbers, 2)]:
                assert not (one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]), (
                    record.at(index)
                )
    assert told > 100


def test_no_two_blocks_read_alike() -> None:
    svg = LOOK.picture([_crowded().view(seat) for seat in SIDES], [])
    written = re.findall(r'x="21" y="37.2">([^<]+)<', svg)
    assert len(written) == len(set(written)) > 20
    assert {"York Kn.", "York Inf.", "Lanc. Arch.", "Lanc. Inf."} <= set(written)


def test_a_battle_is_drawn_in_two_lines_as_everybody_sees_it() -> None:
    table = _fight()
    drawn = LOOK.scene([table.view(ENGLISH)])
    assert drawn == LOOK.scene([table.view(SCOTTISH)])
    assert "The battle of Lanark, round 1" in drawn
    assert drawn.index("The Scots defend") < drawn.index("The English attack")
    assert 'id="' not in drawn, "it stands beside the map, whose ids are its own"
    battle = table.view(ENGLISH).battle
    assert battle is not None
    fronts = [*battle.english, *battle.scottish]
    assert drawn.count('class="face ') == len(fronts) > 2
    ET.fromstring(drawn)  # noqa: S314 - our own drawing


def test_where_nothing_is_fought_there_is_no_scene() -> None:
    assert LOOK.scene([_crowded().view(ENGLISH)]) == ""


def test_whoever_points_at_a_block_is_told_what_it_is() -> None:
    svg = _drawn(_crowded(), ENGLISH)
    assert "<title>Lancaster Archers, English: strength 2 of 3, combat B3</title>" in svg
    assert "<title>Scots: 5 blocks, turned down</title>" in svg
