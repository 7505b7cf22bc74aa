"""Names: seats, colours of cubes, glory cards, squares; and the permitted forms of names of exchangeable parts.

Regions, castles and icons may come from somebody's own file (option `parts`): in a view and a fact they are texts of a narrow
form, never free ones. As keys of JSON objects they are slugs.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Annotated

from pydantic import Field
from typing_extensions import TypeAliasType

from pbem.kernel import one_of

SEATS = ("pink", "yellow", "black", "white")
"""The players, clockwise round the table, by the colour of their cubes."""
PICTS = "picts"
COLOURS = (*SEATS, PICTS)
"""The colours of cubes; blue are the Picts."""

BAGPIPES, BANNER, CARDINAL, CROWN = "Bagpipes", "A Bloody Banner", "Cardinal", "The Crown"
DRUID, DRUMS, EDINBURGH, WALL = "Druid", "Drums", "Edinburgh Castle", "Hadrian's Wall"
SWORD, MERCHANT, TAPESTRY, QUAICH = "Long Sword", "Merchant's Outpost", "Tapestry", "Quaich"
GLORY = (BAGPIPES, BANNER, CARDINAL, CROWN, DRUID, DRUMS, EDINBURGH, WALL, SWORD, MERCHANT, TAPESTRY, QUAICH)
"""The twelve glory cards, in the order of the rule book's glossary; the Quaich is last there."""
FIRST_GAME = (CROWN, EDINBURGH, BANNER)
"""The three that the rule book recommends for a first game."""
ALSO = {"Banner": BANNER, "Crown": CROWN, "Castle": EDINBURGH, "Wall": WALL, "Sword": SWORD, "Outpost": MERCHANT}
"""Alternative names of cards."""

_LETTERS = "A-Za-zÀ-ÖØ-öø-ÿ"
NAME = rf"^[{_LETTERS}]+([ '-][{_LETTERS}]+){{0,5}}$"
MOST_LETTERS = 24
KEY = r"^[a-z][a-z_]{0,23}$"

Seat = TypeAliasType("Seat", Annotated[str, one_of(SEATS)])
SeatOrNone = TypeAliasType("SeatOrNone", Annotated[str, one_of(("", *SEATS))])
Colour = TypeAliasType("Colour", Annotated[str, one_of(COLOURS)])
Glory = TypeAliasType("Glory", Annotated[str, one_of(GLORY)])
Name = Annotated[str, Field(pattern=NAME, max_length=MOST_LETTERS)]
"""The name of a region or castle."""
NameOrNone = Annotated[str, Field(pattern=rf"^$|{NAME}", max_length=MOST_LETTERS)]
Key = Annotated[str, Field(pattern=KEY)]
"""A region, castle or glory card as the key of a JSON object."""
Icon = Annotated[str, Field(pattern=r"^[a-z]{1,16}$")]
IconOrNone = Annotated[str, Field(pattern=r"^[a-z]{0,16}$")]
Square = Annotated[str, Field(pattern=r"^[A-H][1-8]$")]
"""A square of a player board: column and row, "B2"."""
Squares = Annotated[tuple[Square, ...], Field(max_length=64)]
"""Squares of one player board."""
Turns = Annotated[tuple[Seat, ...], Field(max_length=len(SEATS))]
"""Seats, in the order in which they come."""
Cards = Annotated[tuple[Glory, ...], Field(max_length=len(GLORY))]
Times = Annotated[int, Field(ge=0, le=99)]
"""How often something was done."""
SquareKey = Annotated[str, Field(pattern=r"^[a-h][1-8]$")]


@cache
def slug(name: str) -> str:
    """Return the key of a name in a JSON object.

    >>> slug("Hadrian's Wall"), slug("Île de l'Aigle")
    ('hadrians_wall', 'ile_de_laigle')
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[ -]+", "_", re.sub(r"[^a-z -]", "", plain)).strip("_")
