"""What all drawings owe a page: colours reach what several places of a drawing refer to."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest
from markupsafe import Markup
from PIL import ImageChops

from pbem.games import find, known
from pbem.look import pixels
from pbem.look.picture import MOVING, STILL
from pbem.look.pixels import png
from tests.conformance import play

DRAWN = ["hammer", "lords", "swords"]
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("game", known())
def test_no_class_in_what_is_referred_to_hangs_on_an_element_outside(game: str) -> None:
    """A browser matches `.sw .fort` inside a `<use>` only if `.sw` stands in there, too."""
    pack = find(game)
    record = play(pack.rules, {}, 1)
    svg = str(pack.look.picture([record.view(len(record.stops) // 2, None)], []))
    if not svg:
        return
    root = ET.fromstring(svg)  # noqa: S314 - our own drawing
    whole = root.get("class")
    for defined in root.iter(f"{SVG}defs"):
        for one in defined:
            classes = [part for part in one.iter() if part.get("class")]
            assert not classes or one.get("class") == whole, f"{one.get('id')}: its classes do not reach a page"


def _drawings(game: str, *steps: int) -> list[Markup]:
    pack = find(game)
    record = play(pack.rules, {}, 1, max(steps) + 1)
    return [pack.look.picture([record.view(step, None)], []) for step in steps]


def _forget() -> None:
    pixels._ground.cache_clear()
    pixels._piece.cache_clear()


@pytest.mark.slow
@pytest.mark.parametrize("width", [1000, 500])
@pytest.mark.parametrize("game", DRAWN)
def test_a_picture_of_pieces_is_what_it_would_be_drawn_as_one(game: str, width: int) -> None:
    (svg,) = _drawings(game, 60)
    whole = svg.replace(STILL, "").replace(MOVING, "")
    apart, together = (pixels._pixels(one, width) for one in (svg, whole))
    assert apart.size == together.size
    difference = ImageChops.difference(apart, together).convert("L").histogram()
    assert sum(difference[24:]) < sum(difference) / 2000


@pytest.mark.slow
@pytest.mark.parametrize("game", DRAWN)
def test_a_picture_does_not_tell_what_was_drawn_before_it(game: str) -> None:
    before, svg = _drawings(game, 57, 60)
    _forget()
    alone = png(svg, 500)
    _forget()
    png(before, 500)
    assert png(svg, 500) == alone


@pytest.mark.slow
@pytest.mark.parametrize("game", DRAWN)
def test_of_the_next_picture_only_what_differs_is_drawn(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before, svg = _drawings(game, 59, 60)
    _forget()
    png(before, 500)
    new = set(pixels._lines(svg.partition(MOVING)[2])) - set(pixels._lines(before.partition(MOVING)[2]))
    drawn = []
    draw = pixels._drawn

    def count(svg: str, width: int | None = None, paper: str | None = None) -> bytes:
        drawn.append(svg)
        return draw(svg, width, paper)

    monkeypatch.setattr(pixels, "_drawn", count)
    monkeypatch.setattr(pixels, "kept", lambda _kind, _made_from, make: make())
    png(svg, 500)
    assert svg != before
    assert 0 < len(drawn) <= 2 * len(new), "where it lies, and its pixels"
    drawn.clear()
    png(svg, 500)
    assert not drawn
