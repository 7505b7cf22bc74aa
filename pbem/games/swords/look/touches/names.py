"""Where the words of an order are touched on the picture, and what they say to somebody who hears the screen."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pbem.i18n import _

from ...orders import STAY
from ...rules.names import COLOURS, GLORY
from ...views import SwordsView
from ..words import both, card, colour, icon, place


class Touched:
    """The words that a touch adds to an order for the seat of a view."""

    def __init__(self, view: SwordsView) -> None:
        self.view, self.parts = view, view.table.parts

    def at(self, words: str) -> str:
        """Return the place to touch: the first place that the words name, or otherwise a choice."""
        name = words.removeprefix("THEN ").removesuffix(" WITH PICT")
        name = name.removeprefix("FROM ").removeprefix("ADD ").removeprefix("TAKE ")
        first = name.split(" ", maxsplit=1)[0]
        ends = name.split(" - ")
        if name in self.parts.names:
            return f"area:{name}"
        if name in self.parts.strongholds:
            return f"castle:{name}"
        if name in GLORY:
            return f"card:{name}"
        if first in self.parts.squares:
            return f"square:{self.view.seat}/{first}"
        if len(ends) == 2 and set(ends) <= set(self.parts.names):
            return f"border:{'/'.join(sorted(ends))}"
        return f"choice:{words}"

    def label(self, words: str) -> str:
        """Return what the words say, in the reader's language."""
        words = words.removeprefix("THEN ")
        verb, _blank, rest = words.partition(" ")
        if rest == STAY:
            return _("Nothing is moved")
        pict = rest.endswith("WITH PICT")
        if verb in _SAID and (rest or verb in (STAY, "NOTHING")):
            said = _SAID[verb](self.thing(rest.removesuffix("WITH PICT").strip()))
            return _("{what}, one of the Picts", what=said) if pict else said
        said = self.thing(words.removesuffix("WITH PICT").strip())
        return _("{what}, one of the Picts", what=said) if words.endswith("WITH PICT") else said

    def ahead(self, words: str) -> str:
        """Return the meaning of sending these words ahead for the next flip."""
        return _("Next flip: {what}", what=self.label(words))

    def thing(self, words: str) -> str:
        """Return the description of words that are not a verb's."""
        name, _from, source = words.partition(" FROM ")
        if source:
            return _("{what}, from {place}", what=self.thing(name), place=place(source))
        if name in self.parts.squares:
            return _("{square} ({icon})", square=name, icon=icon(self.parts.squares[name]))
        if name in GLORY:
            return card(name)
        if name in self.parts.icons:
            return icon(name)
        colours = name.split(", ")
        if set(colours) <= set(COLOURS):
            return both(map(colour, colours))
        return _ANSWERS[name]() if name in _ANSWERS else name


def _wall(border: str) -> str:
    one, _dash, other = border.partition(" - ")
    return _("The wall between {one} and {other}", one=one.removesuffix(" -"), other=other or "…")


_SAID: Mapping[str, Callable[[str], str]] = {
    "CUBE": lambda what: _("A cube to {place}", place=what),
    "PLACE": lambda what: _("A cube on {square}", square=what),
    "NOTHING": lambda _what: _("Nothing can be placed"),
    "MERCHANT": lambda what: _("Move a cube of your board: {what}", what=what),
    "BATTLE": lambda what: _("The battle of {region}", region=what),
    "SWORD": lambda what: _("Long Sword: {what}", what=what),
    "KILL": lambda what: _("Remove {colours}", colours=what),
    "COMMIT": lambda what: _("Commit {n}", n=what),
    "HEAL": lambda what: _("Heal: {what}", what=what),
    "CARDINAL": lambda what: _("The Cardinal to {place}", place=what),
    "WALL": _wall,
    "TAPESTRY": lambda what: _("Wild is {icon}", icon=what),
    "FROM": lambda what: _("from {place}", place=place(what)),
    "MOVE": lambda what: _("Move {what}", what=what),
    "ADD": lambda what: _("Add a cube in {place}", place=what),
    "TAKE": lambda what: _("Take {castle}", castle=what),
}
_ANSWERS: Mapping[str, Callable[[], str]] = {
    STAY: lambda: _("stay as it is"),
    "NOTHING": lambda: _("Nothing can be placed"),
    "NOW": lambda: _("now"),
    "LATER": lambda: _("after the castles"),
    "NO": lambda: _("no"),
    "YES": lambda: _("yes"),
    "PICT": lambda: _("one of the Picts"),
    "MOVE": lambda: _("Then move cubes"),
    "ADD": lambda: _("Then add a cube"),
    "TAKE": lambda: _("Then take a castle"),
}
