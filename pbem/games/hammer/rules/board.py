"""The board: the place of every block, and the traces of the turn. Immutable; every change makes a new one.

A noble is one piece with a side, though two blocks represent him in the box (2.22). A piece off the map is in `pool`, `off` (not
yet in the game) or `dead`, with strength 0. Rules 4.5 (area control), 5.5 (border control).
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from pbem.kernel import changed

from .printed import AREAS, BLOCKS, CARD_NAME, ENGLISH, INDEX, POOL, SCOTTISH, SIDES
from .variants import BORDERS_BY_BATTLE


class Piece(NamedTuple):
    """One block: its side, its place, its strength.

    `start` and `via` say where it came from this turn: the area where its move began and the last area before this one ("sea" for
    the Norse); both are "" if it did not move. `known` is what the enemy sees: 0 nothing, 1 its place, 2 its place and strength.
    """

    name: str
    side: str
    at: str
    strength: int
    start: str = ""
    via: str = ""
    known: int = 0

    @property
    def on_map(self) -> bool:
        return self.at in AREAS

    def upright(self, at: str = "") -> Piece:
        """Return it standing upright, its way forgotten: where it is, or in another area."""
        return Piece(self.name, self.side, at or self.at, self.strength)

    def gone(self, to: str = POOL) -> Piece:
        """Return it off the map: in its draw pool, or dead."""
        return Piece(self.name, self.side, to, 0)

    def moved(self, at: str, start: str, via: str, known: int) -> Piece:
        """Return it where its move has brought it."""
        return Piece(self.name, self.side, at, self.strength, start, via, known)

    def left_with(self, strength: int) -> Piece:
        """Return it with another strength."""
        return Piece(self.name, self.side, self.at, strength, self.start, self.via, self.known)

    def shown(self, known: int) -> Piece:
        """Return it as the enemy sees so much of it."""
        return Piece(self.name, self.side, self.at, self.strength, self.start, self.via, known)


def by_roster(names: Iterable[str]) -> tuple[str, ...]:
    """Return names in the roster's order."""
    return tuple(sorted(names, key=INDEX.__getitem__))


class Whereabouts(NamedTuple):
    """The places of all blocks: computed once, then updated by changes, since most steps move no block.

    `blocks` are the names by place and side, in the roster's order; `occupancy` has the numbers of blocks in each occupied area.
    The order of the keys has no meaning: it depends on the history.
    """

    blocks: Mapping[tuple[str, str], tuple[str, ...]]
    occupancy: Occupancy

    @staticmethod
    def of(pieces: Iterable[Piece]) -> Whereabouts:
        """Return the places of the given pieces."""
        blocks: dict[tuple[str, str], tuple[str, ...]] = {}
        for piece in pieces:
            where = piece.at, piece.side
            blocks[where] = (*blocks.get(where, ()), piece.name)
        return Whereabouts(blocks, _counted(blocks, {}, (at for at, _side in blocks)))

    def after(self, changes: Sequence[tuple[Piece, Piece]]) -> Whereabouts:
        """Return it when pieces have become others."""
        blocks, places = dict(self.blocks), {}
        for was, now in changes:
            before, after = (was.at, was.side), (now.at, now.side)
            left, here = blocks[before], blocks.get(after, ())
            i = left.index(was.name)
            if stayed := left[:i] + left[i + 1 :]:
                blocks[before] = stayed
            else:
                del blocks[before]
            blocks[after] = by_roster((*here, now.name)) if here else (now.name,)
            places[was.at] = places[now.at] = True
        return Whereabouts(blocks, _counted(blocks, self.occupancy, places))


def _counted(blocks: Mapping[tuple[str, str], tuple[str, ...]], before: Occupancy, anew: Iterable[str]) -> Occupancy:
    """Return the occupancy with the blocks of the given places counted again."""
    found = dict(before)
    for area in anew:
        english, scottish = len(blocks.get((area, ENGLISH), ())), len(blocks.get((area, SCOTTISH), ()))
        if (english or scottish) and area in AREAS:
            found[area] = {ENGLISH: english, SCOTTISH: scottish}
        else:
            found.pop(area, None)
    return found


class _BesideFields:
    """The slot for values computed from a board's pieces."""

    __slots__ = ("whereabouts",)
    whereabouts: Whereabouts
    """The places of all blocks."""


@dataclass(frozen=True, slots=True)
class Board(_BesideFields):
    """Everything on and beside the map, except the local data of procedures.

    - `variants` names the rules that this game plays differently (`rules.variants`), `bid` is a tournament's (`rules.bids`),
      `years` is the maximum number played (`rules.scenarios.last_year`).
    - `first` is Player 1 of this turn ("" before the cards are revealed); `truce` the side that may not attack (Truce).
    - `dealt` are the ten cards of deal number `deal`: places 0-4 are English, 5-9 Scottish. `played` are the places played by
      either, in order.
    - `king` is the crowned noble; `edward` is 1 or 2 (6.1). `wintered` is the last year whose winter Edward I spent in Scotland
      (7.4), 0 for none.
    - `attacks` has (area, side, start, via) of each main attack (5.32).
    - `crossed` has (area, area, side, blocks) for the borders used in this turn's movement (4.3).
    - `marks` has (area, area, side) for the control of a border (5.5; `closed_ways` says which of its directions are closed).
    - `retreated` has the borders used by retreats in this combat round.
    """

    scenario: str
    year: int
    turn: int
    pieces: tuple[Piece, ...]
    variants: tuple[str, ...] = ()
    bid: str = ""
    years: int = 0
    first: str = ""
    truce: str = ""
    deal: int = 0
    dealt: tuple[str, ...] = ()
    played: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    king: str = ""
    edward: int = 1
    wintered: int = 0
    attacks: tuple[tuple[str, str, str, str], ...] = ()
    crossed: tuple[tuple[str, str, str, int], ...] = ()
    marks: tuple[tuple[str, str, str], ...] = ()
    retreated: tuple[tuple[str, str, str, int], ...] = ()

    kept: ClassVar = {"whereabouts": "pieces"}

    def __post_init__(self) -> None:
        object.__setattr__(self, "whereabouts", Whereabouts.of(self.pieces))

    def __reduce__(self) -> tuple[Any, ...]:
        return Board, tuple(getattr(self, name) for name in Board.__slots__)

    def __getitem__(self, name: str) -> Piece:
        """Return the piece of that name."""
        return self.pieces[INDEX[name]]

    def put(self, *pieces: Piece, **changes: Any) -> Board:
        """Return the board with these pieces in place of their former selves, and other fields changed as named."""
        new, elsewhere = list(self.pieces), []
        for piece in pieces:
            i = INDEX[piece.name]
            was = new[i]
            if was.at != piece.at or was.side != piece.side:
                elsewhere.append((was, piece))
            new[i] = piece
        whereabouts = self.whereabouts.after(elsewhere) if elsewhere else self.whereabouts
        return changed(self, pieces=tuple(new), whereabouts=whereabouts, **changes)  # type: ignore[call-arg]

    def blocks_in(self, area: str, side: str) -> tuple[str, ...]:
        """Return the names of a side's blocks in an area (or "pool", "dead" …), in the roster's order."""
        return self.whereabouts.blocks.get((area, side), ())

    def hand(self, side: str) -> tuple[int, ...]:
        """Return the places of the cards left in a side's hand."""
        i = SIDES.index(side)
        return tuple(n for n in range(5 * i, 5 * i + 5) if n not in self.played[i]) if self.dealt else ()

    def card(self, place: int) -> str:
        """Return what players call the card at a place of this year's deal."""
        return CARD_NAME[self.dealt[place]]

    def last_card(self, side: str) -> str:
        """Return what players call the card that a side played last."""
        return self.card(self.played[SIDES.index(side)][-1])

    def occupancy(self) -> Occupancy:
        """Return the number of blocks of each side in each occupied area."""
        return self.whereabouts.occupancy

    def contested(self) -> tuple[str, ...]:
        """Return the areas with blocks of both sides (4.5), in the board's order."""
        found = self.whereabouts.occupancy
        both = [area for area, counts in found.items() if counts[ENGLISH] and counts[SCOTTISH]]
        return tuple(sorted(both, key=_PLACE.__getitem__))

    def nobles(self, side: str) -> tuple[str, ...]:
        """Return the nobles on the map who follow a side, Moray included."""
        nobles = map(self.pieces.__getitem__, _NOBLES)
        return tuple([p.name for p in nobles if p.side == side and p.at in AREAS])


_PLACE = {area: i for i, area in enumerate(AREAS)}
_NOBLES = tuple(INDEX[name] for name, block in BLOCKS.items() if block.is_noble)

Occupancy = Mapping[str, Mapping[str, int]]
"""Blocks by area and side; areas without blocks are left out."""


@dataclass(frozen=True, slots=True)
class State:
    """A whole game: the board, the procedures under way (the last is on top), and the result once it is over."""

    board: Board
    stack: tuple[Any, ...]
    result: dict[str, str] | None = None


Mark = tuple[str, str, str]
"""Two neighbours, and the side that controls the border between them."""


def mark(variants: Container[str], via: str, to: str, border: tuple[str, str], side: str) -> Mark:
    """Return the mark that blocks leave which cross a border last, to enter a battle in `to` (5.5)."""
    # 2.3, 5.5 and 4.6: only the battle that was entered over it matters, so the direction is kept
    return (via, to, side) if BORDERS_BY_BATTLE in variants else (*border, side)


def closed_ways(variants: Container[str], marks: Iterable[Mark]) -> dict[tuple[str, str], str]:
    """Return, for each way from an area to its neighbour, the side with a mark that closes it to the enemy (5.5).

    2.3: only the way back out of the battle.
    """
    if BORDERS_BY_BATTLE in variants:
        return {(to, via): side for via, to, side in marks}
    return {pair: side for a, b, side in marks for pair in ((a, b), (b, a))}
