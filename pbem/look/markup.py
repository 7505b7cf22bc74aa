"""The one way in which markup is made from values: a template as a literal, and the values by name.

`markup` escapes every value, unless it is markup itself. It takes a field only where escaping is enough: in a text, or within an
attribute's double quotes. So a value can never begin an element or an attribute. It returns a `markupsafe.Markup`, which templates
show unchanged; they escape every other text. A project test finds markup that is put together in any other way.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache

from markupsafe import Markup

from pbem.i18n.visible import UNSEEN, in_a_line

KEPT = 4096
"""The number of results kept for reuse: most of a drawing stays the same from position to position."""
_FIELD = re.compile(r"\{(\w+)\}")
_SIGNS = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;"}
_SPECIAL = re.compile("[&<>\"']")
_UNSAFE = re.compile(f"{_SPECIAL.pattern}|{UNSEEN}")
_ENDS = re.compile(r"</(style|script)|<!--", re.IGNORECASE)
_NEVER = re.compile(r"on\w*|style|src|srcset|srcdoc|action|formaction")
"""Attributes that hold no value of ours: a script, a style, an address."""


@lru_cache(KEPT, typed=True)  # a text and markup of the same letters are two
def markup(template: str, /, **values: str | float) -> Markup:
    """Return a template, a literal, with its values in the places that it names in braces.

    Raises ValueError for a template with a field where escaping would not help.

    >>> markup('<text class="{kind}">{says}</text>', kind='a" onload="b', says="<b>")
    Markup('<text class="a&quot; onload=&quot;b">&lt;b&gt;</text>')
    >>> markup("<g>{inner}</g>", inner=markup("<path/>"))
    Markup('<g><path/></g>')
    """
    begin, rest = _taken_apart(template)
    parts: list[str] = [begin]
    for name, in_text, text in rest:
        value = values[name]
        parts += (value if in_text and type(value) is Markup else plain(str(value)), text)
    return Markup("".join(parts))  # noqa: S704 - every value is escaped


def joined(parts: Iterable[str] = (), between: str = "") -> Markup:
    """Return texts and pieces of markup one after the other; texts are escaped."""
    return Markup(between.join([part if type(part) is Markup else plain(part) for part in parts]))  # noqa: S704 - as above


def stylesheet(text: str) -> Markup:
    """Return a style sheet of ours as an element. Raises ValueError for one that would end it."""
    return Markup(f"<style>{of_ours(text)}</style>")  # noqa: S704 - nothing in it ends it


def of_ours(text: str) -> Markup:
    """Return a style sheet or script of ours, to be put in its element. Raises ValueError where it would end that itself."""
    if _ENDS.search(text):
        raise ValueError("a style sheet or script does not end its element")
    return Markup(text)  # noqa: S704 - its element ends where it should


def plain(text: str) -> str:
    """Return a text as markup, in one line and with every character visible."""
    if _UNSAFE.search(text) is None:
        return text
    return _SPECIAL.sub(lambda found: _SIGNS[found[0]], in_a_line(text))


@cache
def _taken_apart(template: str) -> tuple[str, tuple[tuple[str, bool, str], ...]]:
    """Return the beginning of a template and, for each field, its name, whether it is in a text, and the template after it."""
    begin, *others = _FIELD.split(template)
    names, texts = others[::2], others[1::2]
    place = _Place()
    place.read(begin)
    found = []
    for name, text in zip(names, texts, strict=True):
        place.hold(template)
        found.append((name, not place.attribute, text))
        place.read(text)
    if place.in_tag or (names and re.search("<(script|style)", template)):
        raise ValueError(f"not a template for values: {template}")
    return begin, tuple(found)


class _Place:
    """The context at a place in a template: a text, a tag, or the value of an attribute."""

    def __init__(self) -> None:
        self.in_tag = False
        self.attribute = self.value = ""

    def read(self, text: str) -> None:
        """Continue behind one of its pieces."""
        for sign in text:
            if self.attribute:
                self.value += sign
                if sign == '"':
                    self.attribute = ""
            elif not self.in_tag:
                self.in_tag, self.value = sign == "<", ""
            elif sign == ">":
                self.in_tag = False
            elif sign == '"':
                self.attribute, self.value = self.value.removesuffix("=").split()[-1], ""
            else:
                self.value += sign

    def hold(self, template: str) -> None:
        """Put a field here. Raises ValueError if no field is allowed here."""
        if self.in_tag and not self.attribute:
            raise ValueError(f"a field stands in a tag, outside of quotes: {template}")
        if _NEVER.fullmatch(self.attribute) or (self.attribute.endswith("href") and not self.value.startswith("#")):
            raise ValueError(f"the attribute {self.attribute} takes no value: {template}")
        self.value += "?"


def unnamed(made: Markup) -> Markup:
    """Return markup of ours without its names, so that it can be shown twice without being a touch target.

    >>> unnamed(markup('<g id="a" class="b" data-at="block:{name}"/>', name="Fife"))
    Markup('<g class="b"/>')
    """
    return Markup(re.sub(r' (?:id|data-at)="[^"]*"', "", made))  # noqa: S704 - less of what is markup already
