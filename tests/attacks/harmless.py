"""Whether what a person is shown can do no harm: a drawing, a page, a text; whatever stood in the log that it was made from.

Each raises an AssertionError that says what came alive. What is allowed is listed, not what is forbidden.
"""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
import zlib
from base64 import b64decode
from html.parser import HTMLParser

SVG = "{http://www.w3.org/2000/svg}"
DRAWN = {"svg", "g", "path", "rect", "circle", "text", "title", "use", "defs", "style", "pattern", "clipPath"}
OF_DRAWINGS = {
    "aria-labelledby", "class", "cx", "cy", "clip-path", "d", "data-at", "data-wide",
    "fill", "fill-opacity", "fill-rule", "font-size", "height", "href",
    "id",
    "patternTransform", "patternUnits", "points", "r", "role", "rx", "stroke", "stroke-dasharray", "stroke-linecap",
    "stroke-linejoin", "stroke-opacity", "stroke-width", "text-anchor", "transform", "viewBox", "width", "x", "y",
}  # fmt: skip
SET = {
    "html", "head", "meta", "title", "style", "body", "main", "div", "table", "caption", "thead", "tbody", "tr", "td", "th",
    "h1", "h2", "h3", "p", "pre", "ol", "ul", "li", "b", "span", "br",
}  # fmt: skip
OF_PAGES = {
    "align", "border", "cellpadding", "cellspacing", "charset", "class", "content", "http-equiv", "lang", "name", "role", "scope",
    "style", "width",
}  # fmt: skip
REPLAYING = {"header", "section", "nav", "ol", "details", "summary", "dl", "dt", "dd", "label", "select", "option", "input",
             "button", "noscript", "script"}  # fmt: skip
OF_REPLAYS = {"aria-hidden", "aria-label", "aria-live", "disabled", "for", "hidden", "max", "min", "open", "selected", "step",
              "tabindex", "title", "type", "value"}  # fmt: skip
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def drawing(svg: str) -> None:
    """A drawing is well-formed, of known elements in one namespace, and refers to nothing but itself."""
    for element in ET.fromstring(svg).iter():  # noqa: S314 - as a browser would read it
        assert isinstance(element.tag, str), "a comment or instruction"
        assert element.tag.startswith(SVG), element.tag
        assert element.tag.removeprefix(SVG) in DRAWN, element.tag
        for name, value in element.attrib.items():
            assert name in OF_DRAWINGS, name
            assert name != "href" or value.startswith("#"), value
            assert not re.search(r"url\((?!#)", value), value
    shows(svg)


class _Page(HTMLParser):
    """The elements of a page, and what each script and style sheet holds."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))


def page(text: str, *, scripts: int = 0) -> None:
    """A page or mail has known elements and attributes only, and no more scripts than its own."""
    read, lowered = _Page(text), {name.lower() for name in OF_DRAWINGS}
    elements, attributes = SET | {one.lower() for one in DRAWN} | {"img"}, OF_PAGES | lowered | {"xmlns", "src", "alt"}
    if scripts:
        elements, attributes = elements | REPLAYING, attributes | OF_REPLAYS
    for tag, given in read.elements:
        assert tag in elements, tag
        assert given.keys() <= attributes, given.keys() - attributes
        assert given.get("href", "#").startswith("#"), given
        assert given.get("src", "cid:").startswith("cid:"), given
        assert tag != "img" or given["src"], "a picture from elsewhere"
        assert given.get("http-equiv", "Content-Security-Policy") == "Content-Security-Policy"
    assert sum(tag == "script" for tag, _ in read.elements) == scripts
    shows(text)


def replayed(text: str) -> None:
    """A page that steps through a game is harmless, and so is every line that its script puts into it."""
    page(text, scripts=3)
    packed = re.search(r'id="data">([^<]*)<', text)
    assert packed
    data = json.loads(zlib.decompress(b64decode(packed[1]), wbits=-15))
    for line in data["lines"]:
        page(line)
    shows(json.dumps([film["chapters"] for film in data["films"]], ensure_ascii=False))


def shows(text: str) -> None:
    """A text has nothing that a terminal obeys or a reader does not see."""
    found = OBEYED.search(text)
    assert not found, f"{found[0]!r} in {text[max(0, found.start() - 40) : found.end() + 40]!r}"
