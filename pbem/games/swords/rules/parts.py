"""The printed parts: regions with their tokens, borders, castles, the player board, the deployment cards; ours or somebody's own.

The rule book tells how they work, but not their printed values. Ours are `data/swords.json`, a reconstruction. The option `parts`
takes another such object, which is checked only here. So an owner of the game can enter its map.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from importlib import resources
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from pbem.i18n import _

from .names import GLORY, Icon, Name, slug

RESERVED = frozenset(
    ("any", "from", "more", "none", "now", "pict", "picts", "pull", "stay", "supply", "then", "to", "with")
)
"""Words of orders: no name has one of them."""
MOST_BYTES = 30_000
"""The maximum number of bytes of an exchanged set of parts, as canonical JSON."""
MOST_REGIONS, MOST_CASTLES = 30, 40
Border = tuple[str, str]
_Pair = Annotated[tuple[Name, Name], Field()]
_Token = Annotated[int, Field(ge=1, le=40)]


class _File(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class RegionPart(_File):
    """A region, and the number on its token: for two or three players, for four."""

    name: Name
    token: tuple[_Token, _Token]


class CastlePart(_File):
    """A castle, and its border."""

    name: Name
    border: _Pair


class DeploymentCard(_File):
    """A deployment card: its icon, and the number on its other side."""

    icon: Icon
    number: Annotated[int, Field(ge=1, le=4)]


class PrintedParts(_File):
    """A whole set of parts, as in the file. `source` says where it comes from and is shown to nobody."""

    source: str = Field(default="", max_length=1000)
    regions: tuple[RegionPart, ...] = Field(min_length=2, max_length=MOST_REGIONS)
    land: tuple[_Pair, ...] = Field(default=(), max_length=200)
    sea: tuple[_Pair, ...] = Field(default=(), max_length=200)
    castles: tuple[CastlePart, ...] = Field(default=(), max_length=MOST_CASTLES)
    icons: tuple[Icon, ...] = Field(min_length=4, max_length=4)
    player_board: tuple[Annotated[tuple[Icon, ...], Field(max_length=8)], ...] = Field(min_length=3, max_length=8)
    deployment_cards: tuple[DeploymentCard, ...] = Field(min_length=4, max_length=40)
    cubes: int = Field(default=21, ge=8, le=60)
    first_cubes: int = Field(default=4, ge=1, le=8)
    rounds: int = Field(default=3, ge=1, le=6)
    last_number: int = Field(default=4, ge=1, le=4)
    picts: int = Field(default=7, ge=1, le=20)

    @model_validator(mode="after")
    def _fits(self) -> PrintedParts:
        if flaw := next(_flaws(self), ""):
            raise ValueError(flaw)
        return self

    # What can be read off them

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The regions, in the order of the file."""
        return tuple(region.name for region in self.regions)

    @cached_property
    def strongholds(self) -> tuple[str, ...]:
        """The castles, in the order of the file."""
        return tuple(castle.name for castle in self.castles)

    @cached_property
    def borders(self) -> tuple[Border, ...]:
        """All borders, those over land first."""
        return (*self.land, *self.sea)

    @cached_property
    def squares(self) -> dict[str, str]:
        """Every square of a player board and its icon, row by row: "B2" is the second of the second row."""
        return {
            f"{'ABCDEFGH'[column]}{row}": icon
            for row, line in enumerate(self.player_board, 1)
            for column, icon in enumerate(line)
        }

    def neighbours(self, region: str) -> tuple[str, ...]:
        """Return the regions adjacent to one, by land or sea, in the order of the file."""
        beside = {name for border in self.borders if region in border for name in border} - {region}
        return tuple(name for name in self.names if name in beside)

    def border_of(self, castle: str) -> Border:
        """Return the border of a castle."""
        return next(part.border for part in self.castles if part.name == castle)

    def castles_of(self, region: str) -> tuple[str, ...]:
        """Return the castles on the borders of a region."""
        return tuple(castle.name for castle in self.castles if region in castle.border)

    def token(self, region: str, players: int) -> int:
        """Return the number on a region's token: the lower side for two or three, the other for four."""
        low, high = next(part.token for part in self.regions if part.name == region)
        return high if players > 3 else low

    def meant(self, key: str) -> str:
        """Return the region, castle or glory card that a key of a JSON object means. Raises KeyError."""
        return self._by_slug[key]

    @cached_property
    def _by_slug(self) -> dict[str, str]:
        return {slug(name): name for name in (*self.names, *self.strongholds, *GLORY)}


def _flaws(parts: PrintedParts) -> Iterator[str]:
    """Yield the flaws of a set of parts, as messages without their full stop."""
    yield from _of_names(parts)
    yield from _of_map(parts)
    yield from _of_board(parts)
    if len(json.dumps(parts.model_dump(mode="json"), ensure_ascii=False).encode()) > MOST_BYTES:
        yield _("they have more than {n} bytes", n=MOST_BYTES)


def _of_names(parts: PrintedParts) -> Iterator[str]:
    seen: dict[str, str] = {slug(name): name for name in GLORY}
    for name in (*parts.names, *parts.strongholds):
        key = slug(name)
        if not re.fullmatch(r"[a-z][a-z_]*", key) or len(key.replace("_", "")) < sum(map(str.isalpha, name)):
            yield _("{name} has letters that cannot be told apart in plain text", name=name)
        elif RESERVED.intersection(key.split("_")):
            yield _("{name} has a word that orders use", name=name)
        elif key in seen:
            yield _(
                "{name} is too like {other}: each region and castle needs a name of its own", name=name, other=seen[key]
            )
        seen[key] = name
    if len(set(parts.icons)) < len(parts.icons):
        yield _("the four icons differ")


def _of_map(parts: PrintedParts) -> Iterator[str]:
    for border in (*parts.borders, *(castle.border for castle in parts.castles)):
        for name in border:
            if name not in parts.names:
                yield _("{name} is at a border and no region", name=name)
        if border[0] == border[1]:
            yield _("{name} does not border on itself", name=border[0])
    kinds = [frozenset(border) for border in parts.borders]
    if len(set(kinds)) < len(kinds):
        yield _("a border is named twice")
    for castle in parts.castles:
        if frozenset(castle.border) not in kinds:
            yield _("{castle} stands on no border", castle=castle.name)
    reached = _reached(parts, parts.names[:1])
    if apart := [name for name in parts.names if name not in reached]:
        yield _("the map is in pieces: {name} cannot be reached", name=apart[0])


def _reached(parts: PrintedParts, start: Sequence[str]) -> set[str]:
    todo, seen = list(start), set(start)
    while todo:
        new = [name for name in parts.neighbours(todo.pop()) if name not in seen]
        todo += new
        seen.update(new)
    return seen


def _of_board(parts: PrintedParts) -> Iterator[str]:
    widths = {len(row) for row in parts.player_board}
    if len(widths) > 1 or not 3 <= min(widths) <= 8:
        yield _("the rows of the player board have 3 to 8 squares, all alike")
    for name, found in (("player_board", set(parts.squares.values())), ("deployment_cards", _icons(parts))):
        for icon in parts.icons:
            if icon not in found:
                yield _("{where} has no {icon}", where=name, icon=icon)
        for icon in sorted(found.difference(parts.icons)):
            yield _("{where} has {icon}, which is none of the icons", where=name, icon=icon)
    if parts.first_cubes >= parts.cubes:
        yield _("more cubes are placed at the beginning than there are")


def _icons(parts: PrintedParts) -> set[str]:
    return {card.icon for card in parts.deployment_cards}


def _standard() -> PrintedParts:
    data: Any = json.loads(
        resources.files("pbem.games.swords").joinpath("data/swords.json").read_text(encoding="utf-8")
    )
    return PrintedParts.model_validate(data)


STANDARD = _standard()
"""Our reconstruction."""


@dataclass(frozen=True, slots=True)
class Agreed:
    """The options that the table must know. `printed` are the parts, None where they are ours."""

    printed: PrintedParts | None = None
    castles: Literal["any", "present"] = "any"
    own: Literal["any", "last"] = "any"
    sword: Literal["participant", "any"] = "participant"
    crown: Literal["nobody", "itself"] = "nobody"
    tie: Literal["board", "all"] = "board"
    merchant: Literal["every", "once"] = "every"

    @property
    def parts(self) -> PrintedParts:
        """The parts that are played with."""
        return self.printed or STANDARD


TERMS = tuple(field.name for field in fields(Agreed) if field.name != "printed")
"""The readings of the rules that players may choose, by the names of their options."""
