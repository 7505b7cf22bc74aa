"""The position format: a whole game as JSON, and back. A view holds the same table: nothing of it is hidden from anybody.

::

    {"board": every field of `Board` by its name; what is keyed by regions, castles, cards or squares has slugs as keys
               ("hadrians_wall", "b2"); "deck": {"stag": [1, 3]}, the numbers left of each icon; "terms" with "parts", where they
               are not ours
     "stack": [{"at": "war", "step": "round", …}, {"at": "season", …}, …],   each procedure, outermost first
     "result": {"winner": "pink", "why": "points", …}}                         only when the game is over
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import fields
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from pbem.errors import FormError
from pbem.i18n import _
from pbem.kernel import FramedPosition, Json

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
from .parts import Agreed, PrintedParts
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
    model_config = ConfigDict(frozen=True, extra="forbid")


class TermsLaid(_Laid):
    """What was agreed on; `parts` where they are not ours."""

    castles: Literal["present", "any"]
    crown: Literal["nobody", "itself"]
    tie: Literal["board", "all"]
    merchant: Literal["every", "once"]
    parts: PrintedParts | None = None


class BoardLaid(_Laid):
    """The table as JSON: see `Board` for what each of these is."""

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

    def table(self) -> Board:
        """Return the table that this is. Raises KeyError for a name that the parts have not."""
        terms = self.terms
        agreed = Agreed(terms.parts, terms.castles, terms.crown, terms.tie, terms.merchant)
        parts = agreed.parts
        plain = {f.name: getattr(self, f.name) for f in fields(Board)}
        named = {name: _named(parts, plain[name]) for name in ("tokens", "cubes", "castles", "glory", "held")}
        boards = {seat: {key.upper(): c for key, c in laid.items()} for seat, laid in self.boards.items()}
        left = (DeckCard(icon, number) for icon, numbers in self.deck.items() for number in numbers)
        lists = {"seats": tuple(self.seats), "wall": tuple(self.wall), "deck": in_order(parts, left)}
        return Board(**{**plain, **named, **lists, "terms": agreed, "boards": boards})


def _named(parts: PrintedParts, laid: Mapping[str, V]) -> dict[str, V]:
    return {parts.meant(key): value for key, value in laid.items()}


def lay(board: Board) -> dict[str, Json]:
    """Return the table as JSON."""
    terms = board.terms
    laid: dict[str, Json] = {f.name: getattr(board, f.name) for f in fields(board)}
    for name in ("tokens", "cubes", "castles", "glory", "held"):
        laid[name] = {slug(key): _copied(value) for key, value in laid[name].items()}
    agreed = {"castles": terms.castles, "crown": terms.crown, "tie": terms.tie, "merchant": terms.merchant}
    deck: dict[str, list[int]] = {}
    for icon, number in board.deck:
        deck.setdefault(icon, []).append(number)
    return {
        **laid,
        "terms": {**agreed, **({"parts": terms.own.model_dump(mode="json")} if terms.own else {})},
        "seats": list(board.seats),
        "boards": {seat: {key.lower(): c for key, c in board.boards[seat].items()} for seat in board.seats},
        "supply": dict(board.supply),
        "points": dict(board.points),
        "wall": list(board.wall),
        "deck": deck,
    }


def _copied(value: Any) -> Json:
    return dict(value) if isinstance(value, Mapping) else value


def stacked(stack: tuple[Any, ...]) -> list[Json]:
    """Return the procedures under way as JSON."""
    found: list[Json] = _STACK.dump_python(stack, mode="json")
    return found


class _SwordsPosition(FramedPosition[State]):
    """Whoever writes a position must have put every cube in one place, and somebody in every seat."""

    def lay(self, board: Board) -> Json:
        return lay(board)

    def table(self, laid: BoardLaid) -> Board:
        try:
            return laid.table()
        except KeyError as error:
            raise FormError(_("The position names {name}, which its parts have not.", name=error.args[0])) from None

    def check(self, state: State) -> None:
        if flaw := next(flaws(state.board), ""):
            raise FormError(flaw)


POSITION = _SwordsPosition(State, "Swords Over Scotland", BoardLaid, _STACK)


def flaws(board: Board) -> Any:
    """Go through what is wrong with a table, in sentences."""
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
