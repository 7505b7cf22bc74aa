"""The three scenarios as the book gives them: their years, and the places of blocks. Rules 8.1-8.3, 9.0 (the last year).

It has only printed values; `setup` makes a position of them. Nothing here changes during a game.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import NamedTuple

from .printed import DEAD, FRENCH, KING, MORAY, OFF, WALLACE
from .variants import FRENCH_IN_POOL

MOST_YEARS = 100
"""The maximum of the option `years`."""


class Scenario(NamedTuple):
    """One scenario.

    Nobles named in neither side's deployment are English and at home, Comyn in Badenoch. All other unnamed blocks are in their
    draw pools. `beside` are the blocks out of the game, or not yet in it. `levy` is the number of blocks that the English draw at
    first; `king` is the noble already crowned (6.2). `last_year` is None if the book counts nobles in no year (8.3).
    """

    title: str
    first_year: int
    last_year: int | None
    english: Mapping[str, str]
    scots: Mapping[str, str]
    beside: Mapping[str, str]
    levy: int
    king: str = ""


BRAVEHEART = Scenario(
    "Braveheart", 1297, 1305,
    english={"Cumbria Infantry": "Lothian", "Northumber Infantry": "Mentieth"},
    scots={
        "Bruce": "Annan", "Galloway": "Galloway", "Wallace": "Fife", "Douglas": "Fife", "Barclay": "Fife",
        "Moray": "Moray", "Fraser": "Moray", "Grant": "Strathspey",
    },
    beside={KING: OFF, FRENCH: OFF},
    levy=4,
)  # fmt: skip
THE_BRUCE = Scenario(
    "The Bruce", 1306, 1314,
    # Mentieth and the Steward (8.2 writes Stewart) are at home, as the Comyn nobles are
    english={
        "Cumbria Infantry": "Moray", "Northumber Infantry": "Mentieth", "Durham Infantry": "Lothian",
        "Westmor Infantry": "Lanark",
    },
    scots={
        "Dunbar": "Dunbar", "Lennox": "Lennox", "Atholl": "Atholl", "Mar": "Mar", "Bruce": "Carrick",
        "King": "Fife", "Douglas": "Fife", "Barclay": "Fife", "Campbell": "Lennox", "Lindsay": "Carrick",
    },
    beside={WALLACE: DEAD, MORAY: DEAD, FRENCH: OFF},
    levy=6,
    king="Bruce",
)  # fmt: skip
CAMPAIGN = BRAVEHEART._replace(title="Campaign", last_year=None)


def scenario(name: str, variants: Container[str] = ()) -> Scenario:
    """Return a scenario as the edition prints it that is played."""
    found = SCENARIOS[name]
    if name == "bruce" and FRENCH_IN_POOL in variants:
        # 2.3, 8.2: only Wallace and Moray are set aside, and the eight nobles of 7.62 are asked for in Braveheart alone
        return found._replace(beside={name: at for name, at in found.beside.items() if name != FRENCH})
    return found


SCENARIOS: Mapping[str, Scenario] = {"braveheart": BRAVEHEART, "bruce": THE_BRUCE, "campaign": CAMPAIGN}
"""Every scenario by the name that it has in a game's options."""


def last_year(name: str, years: int) -> int | None:
    """Return after which year nobles are counted (9.0): the scenario's last or, by the option, its `years`-th if that is sooner.

    None where no year is the last: a campaign ends by sudden death alone (8.3). 0 `years` are no option.
    """
    found = SCENARIOS[name]
    ends = [found.last_year] if found.last_year else []
    if years:
        ends.append(found.first_year + years - 1)
    return min(ends, default=None)
