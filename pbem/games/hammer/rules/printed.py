"""The printed values of the board, the blocks and the cards: areas, borders, blocks, deck.

Read once, when the module is imported, from `data/hammer.json`; nothing here changes during a game. Rules 1.1-1.4, 2.x, 3.0.
"""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import NamedTuple

ENGLISH, SCOTTISH = "english", "scottish"
SIDES = (ENGLISH, SCOTTISH)
ENGLAND = "England"
POOL, OFF, DEAD = "pool", "off", "dead"
"""The places of blocks outside the areas: in the draw pool, not yet in the game, out of the game for good."""


class Area(NamedTuple):
    """An area of the board (1.1), its castle limit (1.2), cathedral (1.3) and the noble at home there (1.4)."""

    name: str
    limit: int
    cathedral: bool
    coastal: bool
    home_of: str


class Border(NamedTuple):
    """A border between two areas: how many blocks may cross it (4.3), and if it is part of the Anglo-Scottish one (4.4)."""

    a: str
    b: str
    limit: int
    red: bool
    anglo_scottish: bool


class Block(NamedTuple):
    """What a block bears: `owner` is "" for the thirteen nobles that have a red and a blue block (2.22).

    `move` is 0 for the Norse (4.7); `letter` and `rating` are the combat rating (2.12); `cross` is the black cross (5.8).
    """

    name: str
    owner: str
    type: str
    move: int
    letter: str
    rating: int
    max: int
    cross: bool
    faction: str
    homes: tuple[str, ...]

    @property
    def is_noble(self) -> bool:
        return self.type == "noble"


_DATA = json.loads(resources.files("pbem.games.hammer").joinpath("data/hammer.json").read_text(encoding="utf-8"))

AREAS: dict[str, Area] = {
    a["name"]: Area(a["name"], a["castle_limit"], a["cathedral"], a["coastal"], a.get("home_of", ""))
    for a in _DATA["areas"]
}
BORDERS: tuple[Border, ...] = tuple(
    Border(b["between"][0], b["between"][1], b["limit"], b["kind"] == "red", b["anglo_scottish"])
    for b in _DATA["borders"]
)
BORDER: dict[tuple[str, str], Border] = {pair: b for b in BORDERS for pair in ((b.a, b.b), (b.b, b.a))}
"""The border between two neighbours, in either order."""
NEIGHBOURS: dict[str, tuple[str, ...]] = {
    name: tuple(other for other in AREAS if (name, other) in BORDER) for name in AREAS
}
COAST: tuple[str, ...] = tuple(a.name for a in AREAS.values() if a.coastal)
NORSE_COAST: tuple[str, ...] = tuple(name for name in COAST if name != ENGLAND)
"""Where the Norse can be: they never enter England (4.7)."""
SEAS: dict[str, frozenset[str]] = {
    "Irish Sea": frozenset(_DATA["irish_sea"]),
    "North Sea": frozenset(_DATA["north_sea"]),
}
"""The areas on either sea; Ross and England lie on both."""
CATHEDRALS: tuple[str, ...] = tuple(a.name for a in AREAS.values() if a.cathedral)


def _read_blocks() -> dict[str, Block]:
    homes: dict[str, list[str]] = {}
    for area in AREAS.values():
        if area.home_of:
            homes.setdefault(area.home_of, []).append(area.name)
    both = [b["name"] for b in _DATA["blocks"] if b["side"] == "English" and b["type"] == "noble"]
    found: dict[str, Block] = {}
    for b in sorted(_DATA["blocks"], key=lambda b: (b["type"] == "noble", b["side"])):
        name = b["name"]
        owner = "" if name in both else b["side"].lower()
        rating = b["combat"]
        found[name] = Block(
            name, owner, b["type"], b.get("move", 0), rating[0], int(rating[1]), b["max_strength"], b["black_cross"],
            b.get("faction", ""), tuple(homes.get(name, ())),
        )  # fmt: skip
    return found


BLOCKS: dict[str, Block] = _read_blocks()
"""All 43 blocks, a noble's two labels counted as one: non-nobles of the English, of the Scots, then the nobles."""
ROSTER: tuple[str, ...] = tuple(BLOCKS)
INDEX: dict[str, int] = {name: i for i, name in enumerate(ROSTER)}
NOBLES: tuple[str, ...] = tuple(name for name, b in BLOCKS.items() if b.is_noble and not b.owner)
"""The thirteen nobles who can change sides: all but Moray (5.7)."""
MORAY, WALLACE, KING, EDWARD, NORSE, FRENCH = "Moray", "Wallace", "King", "Edward", "Norse", "French Knights"
CELTIC: frozenset[str] = frozenset(name for name in ROSTER if name.split()[0] in ("Wales", "Ulster"))
"""Soldiers from Ulster or Wales (5.2)."""
ALIASES = {"Stewart": "Steward"}
"""8.2 writes Stewart where the block says Steward."""

EVENTS = ("Herald", "Pillage", "Sea Move", "Truce", "Victuals")
DECK: tuple[str, ...] = tuple(
    f"{c['card']} {chr(ord('a') + i)}" if c["copies"] > 1 else c["card"]
    for c in _DATA["deck"]
    for i in range(c["copies"])
)
"""The 25 cards, each with a name of its own: "Move 3 a", "Move 3 b" … "Herald"."""
CARD_NAME: dict[str, str] = {card: card if card in EVENTS else card[:-2] for card in DECK}
"""What players call a card: "Move 3" for "Move 3 a"."""


def enemy(side: str) -> str:
    """Return the other side."""
    return SCOTTISH if side == ENGLISH else ENGLISH


def slug(name: str) -> str:
    """Return the key of a block or an area in a JSON object.

    >>> slug("Lancaster Archers")
    'lancaster_archers'
    """
    return name.lower().replace(" ", "_")


SLUG: dict[str, str] = {name: slug(name) for name in (*ROSTER, *AREAS)}
BLOCK_OF: dict[str, str] = {SLUG[name]: name for name in ROSTER}
AREA_OF: dict[str, str] = {SLUG[name]: name for name in AREAS}


CARDS_A_YEAR = 5
"""The number of cards dealt to each side (3.0)."""


@cache
def acting_side(attacker: str, turn: int) -> str:
    """Return the current combat turn: of the six in a round, defender A is the first, attacker A the second … (5.31)."""
    return attacker if turn % 2 else enemy(attacker)


def is_event(card: str) -> bool:
    """Is this an event card (3.12)?"""
    return card in EVENTS


def card_value(card: str) -> int:
    """Return how many Group Moves a Move card gives (3.11), 0 for an event card."""
    return 0 if card in EVENTS else int(card[-1])
