"""The position format: a whole game as JSON, and back. A view contains the same table, which is public.

::

    {"board": every field of `Board` by its name; objects keyed by regions, castles, cards or squares have slugs as keys
               ("hadrians_wall", "b2"); "deck": {"stag": [1, 3]}, the numbers left of each icon; "terms" with "parts", if they
               are not ours
     "stack": [{"at": "war", "step": "round", …}, {"at": "season", …}, …],   each procedure, outermost first
     "result": {"winner": "pink", "why": "points", …}}                         only when the game is over
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cached_property, partial
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from pbem.errors import FormError
from pbem.i18n import _
from pbem.kernel import FramedPosition, Json, LastMade

from .board import Board, DeckCard, in_order
from .names import (
    BANNER,
    GLORY,
    PICTS,
    SEATS,
    Colour,
    Icon,
    IconOrNone,
    Key,
    Name,
    NameOrNone,
    Seat,
    SeatOrNone,
    SquareKey,
    slug,
)
from .parts import TERMS, Agreed, PrintedParts
from .war import Procedure, State

V = TypeVar("V")
Count = Annotated[int, Field(ge=0, le=999)]
Points = Annotated[int, Field(ge=0, le=99_999)]
MOST_PROCEDURES = 60
AnyProcedure: TypeAlias = Annotated[Procedure, Field(discriminator="at")]
_STACK: TypeAdapter[tuple[Any, ...]] = TypeAdapter(
    Annotated[tuple[AnyProcedure, ...], Field(max_length=MOST_PROCEDURES)]
)


class _Laid(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class TermsLaid(_Laid):
    """The agreed terms; `parts` if they are not ours. Views by version 1 of the rules do not name `own` and `sword`."""

    castles: Literal["any", "present"]
    own: Literal["any", "last"] = "last"
    sword: Literal["participant", "any"] = "participant"
    crown: Literal["nobody", "itself"]
    tie: Literal["board", "all"]
    merchant: Literal["every", "once"]
    parts: PrintedParts | None = None


class BoardLaid(_Laid):
    """The table as JSON: see `Board` for the meaning of each field."""

    terms: TermsLaid
    seats: Annotated[list[Seat], Field(max_length=len(SEATS))]
    tokens: dict[Key, Count]
    cubes: dict[Key, dict[Colour, Count]]
    castles: dict[Key, Colour]
    boards: dict[Seat, dict[SquareKey, Colour]]
    supply: dict[Seat, Count]
    glory: dict[Key, dict[Seat, Count]]
    points: dict[Seat, Points]
    picts: Count
    aside: Count
    held: dict[Key, Seat]
    cardinal: NameOrNone
    wall: Annotated[list[Name], Field(max_length=2)]
    wild: IconOrNone
    leader: SeatOrNone
    round: Count
    flip: Count
    deck: dict[Icon, Annotated[list[Count], Field(max_length=40)]]
    top: Count
    icon: IconOrNone
    number: Count

    @cached_property
    def table(self) -> Board:
        """The table that this is. Raises KeyError for a name that the parts have not."""
        terms = self.terms
        agreed = Agreed(terms.parts, **{name: getattr(terms, name) for name in TERMS})
        parts = agreed.parts
        last = _BY_PARTS.of("", parts, lambda parts: LastMade()).of
        named = partial(_named, parts)
        return Board(
            agreed, tuple(self.seats), last("tokens", self.tokens, named), last("cubes", self.cubes, named),
            last("castles", self.castles, named), last("boards", self.boards, _covered), self.supply,
            last("glory", self.glory, named), self.points, self.picts, self.aside, last("held", self.held, named), self.cardinal,
            tuple(self.wall), self.wild, self.leader, self.round, self.flip, last("deck", self.deck, partial(_left, parts)),
            self.top, self.icon, self.number,
        )  # fmt: skip


_BY_PARTS = LastMade()
"""The last result of reading: a text means the same only with the same parts."""


def _named(parts: PrintedParts, laid: Mapping[str, V]) -> dict[str, V]:
    return {parts.meant(key): value for key, value in laid.items()}


def _covered(boards: Mapping[str, Mapping[str, str]]) -> dict[str, dict[str, str]]:
    return {seat: {key.upper(): colour for key, colour in laid.items()} for seat, laid in boards.items()}


def _left(parts: PrintedParts, deck: Mapping[str, list[int]]) -> tuple[DeckCard, ...]:
    return in_order(parts, (DeckCard(icon, number) for icon, numbers in deck.items() for number in numbers))


def _terms(terms: Agreed) -> Json:
    parts = {"parts": terms.printed.model_dump(mode="json")} if terms.printed else {}
    return {**{name: getattr(terms, name) for name in TERMS}, **parts}


def _slugged(there: Mapping[str, Any]) -> Json:
    return {slug(key): dict(value) if isinstance(value, Mapping) else value for key, value in there.items()}


def _boards(boards: Mapping[str, Mapping[str, str]]) -> Json:
    return {seat: {key.lower(): c for key, c in boards[seat].items()} for seat in SEATS if seat in boards}


def _deck(deck: tuple[DeckCard, ...]) -> Json:
    left: dict[str, list[int]] = {}
    for icon, number in deck:
        left.setdefault(icon, []).append(number)
    return left


_LAY: Mapping[str, Callable[[Any], Json]] = {
    "terms": _terms, "seats": list, "tokens": _slugged, "cubes": _slugged, "castles": _slugged, "boards": _boards,
    "supply": dict, "glory": _slugged, "points": dict, "held": _slugged, "wall": list, "deck": _deck,
}  # fmt: skip
"""How the fields of a table are laid that are not JSON as they are."""
_FIELDS = tuple(field.name for field in fields(Board))


def lay(board: Board) -> dict[str, Json]:
    """Return the table as JSON."""
    return {name: _LAY[name](getattr(board, name)) if name in _LAY else getattr(board, name) for name in _FIELDS}


class _SwordsPosition(FramedPosition[State]):
    """Checks that a position has every cube in one place, and a player in every seat."""

    def lay(self, board: Board) -> Json:
        return lay(board)

    def laid(self, board: Board) -> dict[str, Json]:
        last = self._last.of
        return {
            name: last(name, getattr(board, name), _LAY[name]) if name in _LAY else getattr(board, name)
            for name in _FIELDS
        }

    def table(self, laid: BoardLaid) -> Board:
        try:
            return laid.table
        except KeyError as error:
            raise FormError(_("The position names {name}, which its parts have not.", name=error.args[0])) from None

    def check(self, state: State) -> None:
        if flaw := next(flaws(state.board), ""):
            raise FormError(flaw)


POSITION = _SwordsPosition(State, "Swords Over Scotland", BoardLaid, _STACK)


def flaws(board: Board) -> Any:
    """Yield the flaws of a table, in sentences."""
    parts = board.parts
    for name in ("boards", "supply", "points"):
        if set(getattr(board, name)) != set(board.seats):
            yield _("The {name} of a position belong to its seats: {seats}.", name=name, seats=", ".join(board.seats))
            return
    if set(board.tokens) != set(parts.names) or not set(board.cubes) <= set(parts.names):
        yield _("Every region has a token, and cubes lie in regions.")
    if not set(board.castles) <= set(parts.strongholds) or not set(board.glory) <= set(GLORY):
        yield _("Cubes are in castles and on glory cards that there are.")
    if any(set(covered) - set(parts.squares) for covered in board.boards.values()):
        yield _("Cubes lie on squares of the player board.")
    if board.wall and frozenset(board.wall) not in {frozenset(border) for border in parts.borders}:
        yield _("Hadrian's Wall stands on a border.")
    if (board.cardinal and board.cardinal not in parts.names) or (board.wild and board.wild not in parts.icons):
        yield _("The Cardinal stands in a region, and the Tapestry's cube lies on one of the icons.")
    if board.deck and board.top not in {card.number for card in board.deck}:
        yield _("The number on top of the deck is that of a card in it.")
    laid: Counter[str] = Counter()
    for colour, n in board.every_cube():
        laid[colour] += n
    wanted = {**dict.fromkeys(board.seats, parts.cubes), PICTS: parts.picts if BANNER in board.glory else 0}
    for colour, n in {**laid, **wanted}.items():
        if laid[colour] != wanted.get(colour, 0):
            yield _("There are {n} cubes of {colour}, not {laid}.", n=n, colour=colour, laid=laid[colour])
