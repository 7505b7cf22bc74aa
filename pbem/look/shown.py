"""Parts of a game that a page shows in addition to words and drawings: cards, dice that fall, and losses (ring 3).

It is text and small numbers; the page decides how it looks. Nothing here knows a rule or a view.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class HandCard(NamedTuple):
    """A card, or a piece in hand, as a seat sees it."""

    name: str
    """As players call it: "Move 3"."""
    at: str = ""
    """The touch target of the card, in the form of `Touch.at`: "card:Move 3"; "" if it is never touched."""
    figure: str = ""
    """The large figure on it: its strength, or how far it moves."""
    kind: str = ""
    """Its kind, in a word or two: "event", "rank 12"."""
    says: str = ""
    """What it does, in a sentence."""
    colour: str = ""
    """Of its band, "#rrggbb": an ornament, which tells nothing that no word tells."""


class CardRow(NamedTuple):
    """Cards shown together: a hand, played cards, a pool."""

    title: str
    cards: tuple[HandCard, ...]
    backs: int = 0
    """The number of further, face-down cards."""
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
    """Its result: "2 hits"."""


class Afterwards(NamedTuple):
    """Information about an order, in addition to the position after it.

    - `says`: what it uses up, and which limits it exceeds.
    - `stays`: named things of the drawing that the order does not move, even if drawn slightly aside ("block:Moray").
    - `drawn`: the view to draw, if the drawing also shows the question.
    """

    says: tuple[str, ...] = ()
    stays: frozenset[str] = frozenset()
    drawn: Any = None
