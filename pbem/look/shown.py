"""What a page shows of a game besides words and drawings: cards as cards, dice that fall, whom it cost (ring 3).

It is text and small numbers; how it looks is the page's. Nothing here knows a rule or a view.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class HandCard(NamedTuple):
    """A card, or a piece that one has in hand, as it lies before a seat."""

    name: str
    """As players call it: "Move 3"."""
    at: str = ""
    """What is touched with it, as `Touch.at` says it: "card:Move 3"; "" if it is never touched."""
    figure: str = ""
    """What stands on it large: its strength, how far it moves."""
    kind: str = ""
    """What it is, in a word or two: "event", "rank 12"."""
    says: str = ""
    """What it does, in a sentence."""
    colour: str = ""
    """Of its band, "#rrggbb": an ornament, which tells nothing that no word tells."""


class CardRow(NamedTuple):
    """Cards that lie together: a hand, what was played, a pool."""

    title: str
    cards: tuple[HandCard, ...]
    backs: int = 0
    """So many more lie there face-down."""
    small: bool = False
    """Are they shown small, as they matter less than others?"""


class Die(NamedTuple):
    """A die that was rolled, and whether it counts, such as a hit."""

    shows: int
    counts: bool


class Struck(NamedTuple):
    """Who was struck, such as a block that lost steps."""

    at: str
    says: str
    """In a sentence: a screen reader says it."""
    gone: bool = False
    """Is it out of the fight by it?"""


class Rolled(NamedTuple):
    """Dice that were rolled at once."""

    at: str
    """What rolled them, as `Touch.at` says it: "block:Wallace"; "" for nothing that is drawn."""
    name: str
    """What they were rolled for, short: "Wallace, A3"."""
    dice: tuple[Die, ...]
    says: str
    """What came of it: "2 hits"."""


class Afterwards(NamedTuple):
    """What is told of an order beside the position to which it leads.

    `says`: what it uses up, and which limits it exceeds. `stays`: what the drawing calls by a name and the order does not move,
    though it may be drawn a little aside ("block:Moray"). `drawn`: the view to draw, where the drawing shows what is asked as well.
    """

    says: tuple[str, ...] = ()
    stays: frozenset[str] = frozenset()
    drawn: Any = None
