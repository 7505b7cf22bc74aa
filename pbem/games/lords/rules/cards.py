"""The printed values of the cards, and the players' agreements before the game.

Read once, when the module is imported, from `data/lords.json`. "Reading the cards": clan, rank, strength, power; a card is named
by clan and strength, "Scott 8". The two royal cards are "Bruce a" and "Bruce b".
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import cache, lru_cache
from importlib import resources
from typing import Annotated, Literal

from typing_extensions import TypeAliasType

from pbem.kernel import Json, one_of

_DATA = json.loads(resources.files("pbem.games.lords").joinpath("data/lords.json").read_text(encoding="utf-8"))

CLANS: tuple[str, ...] = tuple(_DATA["clans"])
"""The eight normal clans, in the order of their ranks."""
COCHRANE, COCKBURN, FERGUSON, FORSYTH = "Cochrane", "Cockburn", "Ferguson", "Forsyth"
MACDONNELL, MAKGILL, SCOTT, WEMYSS = "MacDonnell", "Makgill", "Scott", "Wemyss"
BRUCE = "Bruce"
ROYAL = ("Bruce a", "Bruce b")
BRUCE_STRENGTH: int = _DATA["bruce"]["strength"]
BRUCE_RANKS: tuple[int, int] = (_DATA["bruce"]["ranks"][0], _DATA["bruce"]["ranks"][1])
LASTING: frozenset[str] = frozenset(_DATA["end_of_round"])
"""The clans with a power that takes effect at the end of the round."""

_PRINTED = {
    f"{clan} {strength}": (strength, order + len(CLANS) * (strength - 1))
    for order, clan in enumerate(CLANS, 1)
    for strength in _DATA["strengths"]
}
NORMAL: tuple[str, ...] = tuple(_PRINTED)
"""The 96 cards of the eight clans."""
SEATS = ("angus", "buchan", "carrick", "douglas", "erroll")
Seat = TypeAliasType("Seat", Annotated[str, one_of(SEATS)])
Card = TypeAliasType("Card", Annotated[str, one_of((*NORMAL, *ROYAL))])
Clan = Annotated[str, one_of((*CLANS, BRUCE))]
HAND, LIMIT, RECRUITS, TURNS = 5, 10, 5, 5
MOST_ROUNDS = 200
"""The maximum of the option `rounds`."""
"""Cards dealt to each, the most that one may hold and still recruit, recruits on the table, turns of a round."""


@dataclass(frozen=True, slots=True)
class Agreed:
    """The agreed terms: the points that end the game, how supporters are claimed, when a power activates, Bruce or not.

    - `condition` is "lowest" (no lower face-up follower) or "clan" (no follower of the same clan, the rule for four and five).
    - `bruce` holds strength and the two ranks of the royal cards; it is empty if they are set aside.
    - `rounds` is the maximum number of rounds, 0 for no limit.
    """

    goal: int = 40
    claims: Literal["together", "in turn"] = "together"
    condition: Literal["lowest", "clan"] = "lowest"
    bruce: tuple[int, ...] = ()
    rounds: int = 0

    @cache  # noqa: B019 - there are few of them
    def as_json(self) -> dict[str, Json]:
        """Return the terms as views and positions have them; None values are left out."""
        said = {**asdict(self), "bruce": list(self.bruce)}
        return {name: value for name, value in said.items() if value is not None}

    @property
    def cards(self) -> tuple[str, ...]:
        """All cards of this game, in the order in which they are listed for the first deal."""
        return NORMAL + ROYAL if self.bruce else NORMAL

    def strength(self, card: str) -> int:
        """Return the number in the upper left corner of a card.

        >>> Agreed().strength("Makgill 7")
        7
        """
        return self.bruce[0] if card in ROYAL else _PRINTED[card][0]

    def rank(self, card: str) -> int:
        """Return the number in the upper right corner of a card: no two are alike.

        >>> Agreed().rank("Makgill 1"), Agreed().rank("Makgill 9")
        (2, 66)
        """
        return self.bruce[1 + ROYAL.index(card)] if card in ROYAL else _PRINTED[card][1]

    def worth(self, card: str) -> tuple[int, int]:
        """Return by what cards are called strong or weak: their strength, of equals their rank."""
        return self.strength(card), self.rank(card)

    def may_activate(self, card: str, face_up: tuple[str, ...]) -> bool:
        """May the power of a card be used that is mustered face-up to these other face-up followers ("Clan powers")?"""
        mine = self.strength(card)
        if self.condition == "clan":  # Alternative rules with 4 or 5 players
            return not any(clan(other) == clan(card) and self.strength(other) <= mine for other in face_up)
        return not any(self.strength(other) < mine for other in face_up)


@lru_cache(maxsize=256)
def clan(card: str) -> str:
    """Return the clan of a card.

    >>> clan("Bruce a")
    'Bruce'
    """
    return card.split(" ", 1)[0]


@cache
def slug(card: str) -> str:
    """Return the key of a card in a JSON object.

    >>> slug("MacDonnell 12")
    'macdonnell_12'
    """
    return card.lower().replace(" ", "_")
