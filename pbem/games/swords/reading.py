"""Reads orders: from what a player typed to models, with every bad line named. Names may be cut short, as everywhere.

It sees the view for the names of regions, castles and icons. Verbs that do not belong to the open question are refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache

from pydantic import ValidationError

from pbem.errors import OrderError, Problem
from pbem.i18n import N_, _
from pbem.kernel import LastMade, Line, Names, Order, read_each, read_orders

from .orders import (
    NONE,
    STAY,
    Add,
    Bid,
    Carry,
    Choose,
    Commit,
    Cube,
    Deploy,
    DrawSword,
    Heal,
    Kill,
    Move,
    Nothing,
    Place,
    PutCardinal,
    PutTapestry,
    PutWall,
    Retreat,
    RetreatTo,
    Special,
    Take,
)
from .rules.names import ALSO, COLOURS, GLORY
from .rules.parts import PrintedParts
from .rules.shapes import FOUR
from .rules.troops import Troops

VERBS: Mapping[str, tuple[str, ...]] = {
    "setup": ("CUBE",), "place": ("PLACE", "NOTHING"), "deploy": ("DEPLOY",), "merchant": ("MERCHANT",), "battle": ("BATTLE",),
    "sword": ("SWORD",), "castles": ("KILL",), "commit": ("COMMIT",), "druid": ("HEAL",), "retreat": ("RETREAT", "GLORY", "HEAL"),
    "cardinal": ("CARDINAL",), "wall": ("WALL",), "tapestry": ("TAPESTRY",),
}  # fmt: skip
"""The first words of the lines that answer each question."""
EXAMPLE: Mapping[str, str] = {
    "CUBE": "CUBE Moray", "PLACE": "PLACE B2", "NOTHING": "NOTHING", "DEPLOY": "DEPLOY A1 B1 B2 B3 PULL A1 B1 TO Moray",
    "MERCHANT": "MERCHANT A1 > B3", "BATTLE": "BATTLE Moray", "SWORD": "SWORD NOW", "KILL": "KILL pink", "COMMIT": "COMMIT 3",
    "HEAL": "HEAL YES", "RETREAT": "RETREAT 2 Fife, 1 Moray", "GLORY": "GLORY 2 Drums", "CARDINAL": "CARDINAL Moray",
    "WALL": "WALL Moray - Ross", "TAPESTRY": "TAPESTRY stag",
}  # fmt: skip
"""How a line with each verb may look."""
_FRENCH = {
    "Bannière sanglante": "A Bloody Banner", "Cornemuse": "Bagpipes", "Druide": "Druid", "Tambours": "Drums",
    "Château d’Édimbourg": "Edinburgh Castle", "Mur d’Hadrien": "Hadrian's Wall", "Grande épée": "Long Sword",
    "Comptoir du marchand": "Merchant's Outpost", "Tapisserie": "Tapestry", "Couronne": "The Crown",
}  # fmt: skip
"""The cards as a French report names them, so that they can be typed so."""
_FRENCH_COLOURS = {"noir": "black", "blanc": "white", "rose": "pink", "jaune": "yellow"}
_FRENCH_ICONS = {"harpe": "harp", "cerf": "stag", "épée": "sword", "chardon": "thistle"}
CARDS = Names(GLORY, N_("glory card"), ALSO, _FRENCH)
COLOUR_NAMES = Names(COLOURS, N_("colour"), abroad=_FRENCH_COLOURS)
_SPECIAL = Names(("MOVE", "ADD", "TAKE"), N_("special action"))
_WHEN, _YES = Names(("NOW", "LATER", "NO"), N_("answer")), Names(("YES", "PICT", "NO"), N_("answer"))
_LAST = LastMade()
_SQUARE = re.compile(r"([A-H])\s*([1-8])", re.IGNORECASE)
_TROOPS = re.compile(r"(?:(\d{1,2})(?!\d)(?!\s*PICTS?\b))?\s*\+?\s*(?:(\d{1,2})\s*PICTS?\b)?", re.IGNORECASE)
_FROM = re.compile(r"(.*?)(?:\s*\bFROM\s+(.+?))?(\s*\bWITH\s+PICTS?)?", re.IGNORECASE)
_DEPLOY = re.compile(r"(.+?)\s+PULL\s+(.+?)\s+TO\s+(.+?)(?:\s+THEN\s+(.+))?", re.IGNORECASE)
_MOVE = re.compile(r"(.+?)\s*>\s*(.+)")


@cache
def _verbs(verbs: tuple[str, ...]) -> Names:
    return Names(verbs, N_("order"))


def read_order(parts: PrintedParts, text: str, question: str) -> Order:
    """Return the order that a text means, for a question. Raises OrderError with every bad line."""
    verbs = VERBS.get(question)
    if verbs is None:
        raise OrderError(Problem(0, "", _("you are not asked anything now")))
    reader: LineReader = _LAST.of("reader", parts, LineReader)
    lines = read_orders(text)
    found, problems = read_each(lines, lambda line: (line, *reader.part(line, verbs)))
    if not lines:
        problems.append(Problem(0, "", _("there is no order here"), legal=", ".join(verbs)))
    seen: set[str] = set()
    for line, verb, _order in found:
        if verb in seen or (seen and question != "retreat"):
            problems.append(Problem(line.no, line.text, _("one such line is enough here")))
        seen.add(verb)
    if problems:
        raise OrderError(*sorted(problems, key=lambda problem: problem.line))
    return _together([order for _line, _verb, order in found])


def _together(orders: list[Order]) -> Order:
    """Return the lines of a retreat as one order; any other order has one line."""
    if not any(isinstance(order, Retreat) for order in orders):
        return orders[0]
    whole = Retreat()
    for order in orders:
        match order:
            case Retreat(ways=ways, glory=glory):
                whole = whole.model_copy(update={"ways": ways or whole.ways, "glory": glory or whole.glory})
            case Heal(heal=heal):
                whole = whole.model_copy(update={"heal": heal})
    return whole


class LineReader:
    """Reads the lines of orders for one set of parts."""

    def __init__(self, parts: PrintedParts) -> None:
        self.parts = parts
        self.regions = Names(parts.names, N_("region"))
        self.castles = Names(parts.strongholds, N_("castle"))
        self.places = Names((*parts.names, *parts.strongholds, *GLORY), N_("place of a cube"), ALSO, _FRENCH)
        self.icons = Names(
            parts.icons, N_("icon"), abroad={said: icon for said, icon in _FRENCH_ICONS.items() if icon in parts.icons}
        )
        self._read: Mapping[str, Callable[[Line, str], Order]] = {
            "CUBE": lambda line, said: Cube(region=self.regions.find(said, line)),
            "PLACE": self._place,
            "NOTHING": self._nothing,
            "DEPLOY": self._deploy,
            "MERCHANT": self._merchant,
            "BATTLE": lambda line, said: Choose(region=self.regions.find(said, line)),
            "SWORD": self._sword,
            "KILL": lambda line, said: Kill(colours=tuple(COLOUR_NAMES.find(word, line) for word in _some(line, said))),
            "COMMIT": self._commit,
            "HEAL": self._heal,
            "RETREAT": self._retreat,
            "GLORY": self._glory,
            "CARDINAL": self._cardinal,
            "WALL": self._wall,
            "TAPESTRY": self._tapestry,
        }

    def part(self, line: Line, verbs: tuple[str, ...]) -> tuple[str, Order]:
        """Return the verb of a line, and the order or the part of one that it is. Raises OrderError."""
        word, _blank, said = line.text.partition(" ")
        verb = _verbs(verbs).find(word.rstrip(":"), line)
        if not said.strip() and verb != "NOTHING":
            raise line.refusal(_("{verb} says nothing", verb=verb), EXAMPLE[verb])
        try:
            return verb, self._read[verb](line, said.strip())
        except ValidationError:
            raise line.refusal(_("this cannot be read"), EXAMPLE[verb]) from None

    # What stands in them

    def _squares(self, line: Line, said: str) -> tuple[str, ...]:
        found = tuple(square(line, word) for word in said.replace(",", " ").split())
        if not found:
            raise line.refusal(_("squares are a letter and a number"), "A1 B1")
        return found

    def whence(self, line: Line, said: str) -> tuple[str, str, bool]:
        """Return the text before FROM, the source of a cube, and whether it is a Pict."""
        if not (found := _FROM.fullmatch(said)):
            raise line.refusal(_("this cannot be read"))
        source = self.places.find(found[2], line) if found[2] and found[2].upper() != "SUPPLY" else ""
        return found[1], source, bool(found[3])

    def troops(self, line: Line, said: str) -> tuple[Troops, str]:
        """Return the cubes that a text begins with, and what comes behind."""
        found = _TROOPS.match(said)
        if not found or not (found[1] or found[2]):
            raise line.refusal(_("how many cubes?"), "2, 2 + 1 PICTS")
        return Troops(int(found[1] or 0), int(found[2] or 0)), said[found.end() :].strip()

    # The orders

    def _place(self, line: Line, said: str) -> Order:
        on, source, pict = self.whence(line, said)
        return Place(square=square(line, on.strip()), source=source, pict=pict)

    def _nothing(self, line: Line, said: str) -> Order:
        if said:
            raise line.refusal(_("NOTHING stands alone"), "NOTHING")
        return Nothing()

    def _deploy(self, line: Line, said: str) -> Order:
        found = _DEPLOY.fullmatch(said)
        if not found:
            raise line.refusal(_("say the four squares, those pulled, and the region"), EXAMPLE["DEPLOY"])
        squares, pulled = (self._squares(line, said) for said in found.groups()[:2])
        if len(squares) != FOUR or len(pulled) > FOUR:
            raise line.refusal(_("say the four squares, those pulled, and the region"), EXAMPLE["DEPLOY"])
        return Deploy(
            squares=squares,
            pulled=pulled,
            region=self.regions.find(found[3], line),
            special=self.special(line, found[4]) if found[4] else None,
        )

    def special(self, line: Line, said: str) -> Special:
        """Return the special action that a text means. Raises OrderError."""
        word, _blank, rest = said.partition(" ")
        verb = _SPECIAL.find(word, line)
        if verb == "MOVE":
            troops, ends = self.troops(line, rest)
            found = _MOVE.fullmatch(ends)
            if not found:
                raise line.refusal(_("say from where to where"), "MOVE 2 Moray > Fife")
            start, goal = (self.regions.find(end, line) for end in found.groups())
            return Move(troops=troops, start=start, goal=goal)
        name, _source, pict = self.whence(line, rest)
        if verb == "ADD":
            return Add(region=self.regions.find(name, line), pict=pict)
        return Take(castle=self.castles.find(name, line), pict=pict)

    def _merchant(self, line: Line, said: str) -> Order:
        if said.upper() == STAY:
            return Carry()
        found = _MOVE.fullmatch(said)
        if not found:
            raise line.refusal(_("say from which square to which"), f"MERCHANT {STAY}")
        start, goal = (square(line, end) for end in found.groups())
        return Carry(start=start, goal=goal)

    def _sword(self, line: Line, said: str) -> Order:
        when, source, pict = self.whence(line, said)
        word = _WHEN.find(when.strip(), line)
        return DrawSword.model_validate({"when": word, "source": source, "pict": pict})

    def _commit(self, line: Line, said: str) -> Order:
        troops, rest = self.troops(line, said)
        if rest:
            raise line.refusal(_("a number is all that is committed"), "COMMIT 2 + 1 PICTS")
        return Commit(troops=troops)

    def _heal(self, line: Line, said: str) -> Order:
        return Heal.model_validate({"heal": _YES.find(said, line)})

    def _retreat(self, line: Line, said: str) -> Order:
        if said.upper() == NONE:
            return Retreat()
        return Retreat(ways=tuple(self._way(line, item) for item in _some(line, said)))

    def _way(self, line: Line, said: str) -> RetreatTo:
        troops, name = self.troops(line, said)
        return RetreatTo(
            troops=troops, region=self.regions.find(re.sub(r"^TO\s+", "", name, flags=re.IGNORECASE), line)
        )

    def _glory(self, line: Line, said: str) -> Order:
        if said.upper() == NONE:
            return Retreat()
        return Retreat(glory=tuple(self._bid(line, item) for item in _some(line, said)))

    def _bid(self, line: Line, said: str) -> Bid:
        troops, name = self.troops(line, said)
        if troops.picts:
            raise line.refusal(_("Picts do not go to glory cards"), EXAMPLE["GLORY"])
        return Bid(cubes=troops.own, card=CARDS.find(name, line))

    def _cardinal(self, line: Line, said: str) -> Order:
        return PutCardinal() if said.upper() == STAY else PutCardinal(region=self.regions.find(said, line))

    def _wall(self, line: Line, said: str) -> Order:
        if said.upper() == STAY:
            return PutWall()
        return self.wall(line, [self.regions.find(end, line) for end in re.split(r"\s+-\s+|\s*[/>]\s*", said)])

    def wall(self, line: Line, ends: list[str]) -> Order:
        """Return the order that puts the wall between two regions. Raises OrderError unless they are neighbours."""
        for border in self.parts.borders:
            if sorted(border) == sorted(ends):
                return PutWall(border=border)
        if len(ends) != 2:
            raise line.refusal(_("a border are two regions"), EXAMPLE["WALL"])
        beside = ", ".join(self.parts.neighbours(ends[0]))
        raise line.refusal(_("{one} and {other} have no border", one=ends[0], other=ends[1]), beside)

    def _tapestry(self, line: Line, said: str) -> Order:
        return PutTapestry() if said.upper() == STAY else PutTapestry(icon=self.icons.find(said, line))


def listed(said: str) -> list[str]:
    """Return the items of a list."""
    return [item.strip() for item in said.split(",") if item.strip()]


def _some(line: Line, said: str) -> list[str]:
    """Return the items of a list. Raises OrderError if it is empty."""
    if not (found := listed(said)):
        raise line.refusal(_("nothing stands between the commas"))
    return found


def square(line: Line, said: str) -> str:
    """Return the square that a text means. Raises OrderError."""
    found = _SQUARE.fullmatch(said.strip())
    if not found:
        raise line.refusal(_("squares are a letter and a number"), "B2", said)
    return f"{found[1].upper()}{found[2]}"
