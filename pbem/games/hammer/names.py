"""The permitted texts of a view: only the names that board, blocks, cards and rules have.

The views in a log may come from a stranger, and they are shown to people. So a view with other texts is refused when it is read,
before a sentence or a drawing is made.
"""

from __future__ import annotations

from dataclasses import MISSING
from functools import cache
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field
from typing_extensions import TypeAliasType

from pbem.kernel import one_of, only_checks

from .rules import (
    AREA_OF,
    AREAS,
    BIDS,
    BLOCK_OF,
    BORDER,
    CARD_NAME,
    DEAD,
    NESTING,
    NOBLES,
    OFF,
    POOL,
    ROSTER,
    SCENARIOS,
    SEA,
    SIDES,
    SLUG,
    VARIANTS,
    WHY,
    Procedure,
)
from .rules.told import AreaKey, Block, BlockKey

Side = Literal["english", "scottish"]
Nobody = Literal[""]
King = Literal["", "Bruce", "Comyn", "Balliol"]
Question = Literal[
    "card", "act", "next battle", "battle action", "hits", "pillage losses", "pillage gains", "retreats", "regroup", "raid",
    "home", "disband", "build",
]  # fmt: skip
CARDS = tuple(dict.fromkeys(CARD_NAME.values()))
Scenario = Annotated[str, one_of(SCENARIOS)]
Variant = Annotated[str, one_of(VARIANTS)]
Bid = Annotated[str, one_of(("", *BIDS))]
Place = TypeAliasType("Place", Annotated[str, one_of((*AREAS, POOL, OFF, DEAD))])
Card = TypeAliasType("Card", Annotated[str, one_of(CARDS)])
Outcome = Annotated[
    dict[Annotated[str, one_of(("winner", "why"))], Annotated[str, one_of((*SIDES, *WHY))]], Field(min_length=2)
]
"""The end of a game: the winner, and the reason."""

NobleKey = Annotated[str, one_of(SLUG[name] for name in NOBLES)]
BorderKey = TypeAliasType("BorderKey", Annotated[str, one_of(f"{SLUG[a]}:{SLUG[b]}" for a, b in BORDER)])
_WAY = f"({'|'.join(AREA_OF)})?:({'|'.join((*AREA_OF, SEA))})?"
Way = TypeAliasType("Way", Annotated[str, Field(pattern=f"^{_WAY}$")])
SideWay = TypeAliasType("SideWay", Annotated[str, Field(pattern=f"^(english|scottish):{_WAY}$")])
"""How a block came, and of which side: as `rules.view.way` writes it; a position may leave open whence."""

_WORDS = frozenset((*ROSTER, *AREAS, *CARDS, *SIDES, "FIRE", "PASS", "RETREAT", ""))
_KEYS = frozenset((*BLOCK_OF, "area", "points"))


def _known(value: Any) -> bool:
    """Return whether a value consists only of numbers and names of the game."""
    match value:
        case str():
            return value in _WORDS
        case int():
            return True
        case list():
            return all(map(_known, value))
        case dict():
            return value.keys() <= _KEYS and all(map(_known, value.values()))
    return False


_FORMERLY = {"nobles_go_home": ("was",)}
"""Further locals in views by version 1 of the rules."""


@cache
def _form(name: str) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Return a procedure's steps, the locals that a view may show, and the locals that it always shows."""
    kind = Procedure.known(name)
    steps = frozenset(step for way, _, step in (one.partition("_") for one in dir(kind)) if way in ("do", "want"))
    locals_ = {local: default for local, default in kind.defaults() if local != "step"}
    always = frozenset(local for local, default in locals_.items() if default is MISSING)
    return steps, frozenset((*locals_, *(("places",) if kind.hides else ()), *_FORMERLY.get(name, ()))), always


@only_checks
def _procedures(frames: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    for name, shown in frames.items():
        steps, may, must = _form(name)
        said = {local: value for local, value in shown.items() if local != "step"}
        if shown.get("step") not in steps or not must <= said.keys() <= may or not all(map(_known, said.values())):
            raise ValueError(f"no procedure of the game is {name} so")
    return frames


@only_checks
def _particulars(told: dict[str, Any]) -> dict[str, Any]:
    if not all(map(_known, told.values())):
        raise ValueError("no question of the game has these particulars")
    return told


Procedures = Annotated[dict[Annotated[str, one_of(NESTING)], dict[str, Any]], AfterValidator(_procedures)]
"""The procedures under way: each by its name, with its step and the locals that differ from their defaults."""
_Particular = Annotated[str, one_of(("area", "card", "court", "hits", "nobles", "player", "points", "steps"))]
Particulars = Annotated[dict[_Particular, Any], AfterValidator(_particulars)]
"""The particulars that a seat is told with a question."""

__all__ = [
    "AreaKey", "Bid", "Block", "BlockKey", "BorderKey", "Card", "King", "NobleKey", "Nobody", "Outcome", "Particulars", "Place",
    "Procedures", "Question", "Scenario", "Side", "SideWay", "Variant", "Way",
]  # fmt: skip
