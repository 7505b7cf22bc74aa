"""The picture of Swords Over Scotland: all that lies on the table is on it, whatever parts are played with, and nothing else."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from pbem.games.swords.look import LOOK
from pbem.games.swords.look.picture.geometry import HEIGHT, WIDTH, layout
from pbem.games.swords.rules.names import COLOURS, GLORY
from pbem.games.swords.rules.parts import STANDARD, PrintedParts
from pbem.look.picture import MOVING, STILL
from tests.swords.set_up import own, start
from tests.swords.table import Table, battle, table


def drawn(game: Table, seat: str | None = "pink") -> ET.Element:
    return ET.fromstring(LOOK.picture([game.view(seat)], []))  # noqa: S314 - our own drawing


def texts(root: ET.Element) -> list[str]:
    return [(one.text or "") for one in root.iter() if one.tag.endswith("text")]


def at(root: ET.Element, what: str) -> list[ET.Element]:
    return [one for one in root.iter() if one.get("data-at") == what]


def test_every_place_of_the_table_can_be_touched() -> None:
    root = drawn(table(players=3, game="The Crown, A Bloody Banner, Quaich"))
    for name in STANDARD.names:
        assert len(at(root, f"area:{name}")) == 2, "the land and its plate"
    for castle in STANDARD.strongholds:
        assert len(at(root, f"castle:{castle}")) == 1
    for one, other in STANDARD.borders:
        assert len(at(root, f"border:{'/'.join(sorted((one, other)))}")) == 1
    for seat in ("pink", "yellow", "black"):
        assert all(len(at(root, f"square:{seat}/{square}")) == 1 for square in STANDARD.squares)
    assert not at(root, "square:white/A1")
    assert all(len(at(root, f"card:{card}")) == 1 for card in ("The Crown", "A Bloody Banner", "Quaich"))


def test_squares_are_named_on_each_player_board_as_buttons_and_orders_name_them() -> None:
    names = [one.text for one in drawn(table(players=3)).iter() if "of-square" in one.get("class", "")]
    assert names == [*"ABCDEF", *"1234"] * 3
    own_board = own(player_board=[["harp"] * 8, ["stag"] * 8, ["sword"] * 8, ["thistle"] * 8, ["harp"] * 8])
    names = [one.text for one in drawn(start(players=2, parts=own_board)).iter() if "of-square" in one.get("class", "")]
    assert names == [*"ABCDEFGH", *"12345"] * 2


def test_what_lies_there_is_told_by_form_and_number_as_well() -> None:
    game = table(
        cubes={"Moray": "pink 4, picts 2"}, castles_={"Blair": "yellow"}, boards={"pink": "A1 B1*"},
        glory={"A Bloody Banner": "pink 2, yellow 1", "Drums": ""}, wall=("Moray", "Ross"), cardinal="Fife", points={"pink": 31},
    )  # fmt: skip
    root = drawn(game)
    plate = at(root, "area:Moray")[1]
    assert [text for text in texts(plate) if text.isdigit()] == ["7", "4", "2"], "the token, and counts"
    uses = [one.get("href") for one in plate.iter() if one.get("href")]
    assert uses == ["#sw-cube-pink", "#sw-cube-picts"]
    assert [one.get("href") for one in at(root, "castle:Blair")[0].iter() if one.get("href")] == [
        "#sw-cube-yellow",
        "#sw-fort",
    ]
    assert [one.get("href") for one in at(root, "square:pink/B1")[0].iter() if one.get("href")] == ["#sw-cube-picts"]
    assert "31" in texts(root)
    assert any(one.get("class") == "wall" for one in root.iter())
    assert "#sw-cardinal" in {one.get("href") for one in at(root, "area:Fife")[1].iter()}
    marks = {
        re.sub(r"[\d.]+", "0", str(path.get("d")))
        for path in plate.iter()
        if path.get("transform", "").startswith("translate(14")
    }
    assert len(marks) == 2, "a form for each colour"


def test_all_see_the_same_table() -> None:
    game = battle()
    drawn = {seat: LOOK.picture([game.view(seat)], []) for seat in ("pink", "yellow", None)}
    pictures = {re.sub(r' data-wide="[^"]*"', "", svg) for svg in drawn.values()}
    scenes = {LOOK.scene([game.view(seat)]) for seat in ("pink", "yellow", None)}
    assert (len(pictures), len(scenes)) == (1, 1)


def test_on_a_wide_screen_the_own_board_stands_beside_the_map_and_is_the_largest() -> None:
    game = battle()
    for seat in ("pink", "yellow"):
        root = ET.fromstring(LOOK.picture([game.view(seat)], []))  # noqa: S314 - our own drawing
        boards = {
            one.get("data-wide", ""): square.get("data-at", "")
            for one in root.iter()
            for square in one
            if square.get("data-at", "").startswith("square:") and one.get("data-wide")
        }
        scales = {
            at.removeprefix("square:").partition("/")[0]: float(wide.rpartition("scale(")[2][:-1])
            for wide, at in boards.items()
        }
        assert max(scales, key=scales.__getitem__) == seat, scales
        left = {float(re.findall(r"translate\(([\d.]+)", wide)[0]) for wide in boards}
        assert min(left) > 900, "a board lies on the map"


def test_a_battle_is_a_scene_and_nothing_else_is() -> None:
    game = battle(castles_={"Blair": "pink"}, glory={"Drums": "yellow 1"})
    scene = LOOK.scene([game.view("pink")])
    root = ET.fromstring(scene)  # noqa: S314 - our own drawing
    assert texts(root)[:2] == ["7", "The battle of Moray"]
    assert {"Pink", "Yellow", "Drums"} <= set(texts(root))
    assert " id=" not in scene, "it stands on one page with the picture"
    assert not LOOK.scene([table().view("pink")])


def test_the_same_ground_lies_below_every_moment() -> None:
    stills = set()
    for game in (table(), battle(), table(cubes={"Ross": "pink 1"}, icon="harp", number=4)):
        picture = LOOK.picture([game.view(None)], [])
        stills.add(picture.partition(MOVING)[0].partition(STILL)[2])
        for line in picture.partition(MOVING)[2].splitlines()[1:-1]:
            assert line.count("<g") - line.count("</g>") in (0, 1, -1)
    assert len(stills) == 1


def test_plates_lie_on_the_map_and_apart() -> None:
    lies = layout(STANDARD)
    assert set(lies.plates) == set(STANDARD.names)
    assert set(lies.ways) == set(map(frozenset, STANDARD.borders))
    for x, y in lies.plates.values():
        assert 60 < x < WIDTH - 60
        assert 40 < y < HEIGHT - 60
    for (ax, ay), (bx, by) in pairwise(sorted(lies.plates.values())):
        assert abs(ax - bx) > 110 or abs(ay - by) > 70


@pytest.mark.parametrize("n", [2, 7, 30])
def test_parts_of_ones_own_are_drawn_as_plates_and_lines(n: int) -> None:
    names = [f"Shire {'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[no % 26] * (1 + no // 26)}" for no in range(n)]
    changes: Any = {
        "regions": [{"name": name, "token": [4, 5]} for name in names],
        "land": [list(pair) for pair in pairwise(names)], "sea": [], "castles": [{"name": "Keep", "border": names[:2]}],
    }  # fmt: skip
    parts = PrintedParts.model_validate(own(**changes))
    lies = layout(parts)
    assert not lies.ours
    assert len(set(lies.plates.values())) == n
    root = drawn(start(players=2, glory="first", first="pink", parts=own(**changes)))
    assert all(at(root, f"area:{name}") for name in names)


def test_icons_of_ones_own_are_written(  # the squares of a stranger's board bear names that we have not drawn
) -> None:
    icons = ["oak", "ash", "elm", "yew"]
    cards = [{"icon": icon, "number": n} for icon in icons for n in (1, 2, 3)]
    parts = own(icons=icons, player_board=[icons, icons[::-1], icons], deployment_cards=cards)
    assert {"oak", "yew"} <= set(texts(drawn(start(players=2, glory="first", first="pink", parts=parts))))


def test_every_colour_and_card_is_drawn() -> None:
    for first in range(0, 12, 3):
        cards = GLORY[first : first + 3]
        shown = texts(drawn(table(players=4, game=", ".join(cards))))
        assert len([text for text in shown if text == "nobody"]) == 3
    root = drawn(
        table(cubes={"Fife": "pink 1, yellow 2, black 3, white 4, picts 5"}, players=4, game="A Bloody Banner")
    )
    uses = [one.get("href") for one in at(root, "area:Fife")[1].iter() if one.get("href")]
    assert uses == [f"#sw-cube-{colour}" for colour in COLOURS]
