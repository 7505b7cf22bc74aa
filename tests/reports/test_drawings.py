"""What all drawings owe a page: colours reach what several places of a drawing refer to."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from pbem.games import find, known
from tests.conformance import play

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
