"""The table of Swords Over Scotland: every cube and its place. Nothing here ever changes in place.

A cube has a colour: a seat's, or that of the Picts, who count for the seat that controls them. Mappings have no empty entries: no
region without cubes, no colour with a count of zero. Their order has no meaning; iterations are in the order of the parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pbem.kernel import changed

from .names import BANNER, CROWN, PICTS, WALL
from .parts import Agreed, PrintedParts
from .troops import Troops

CubeCounts = Mapping[str, int]


class DeckCard(NamedTuple):
    """A deployment card that is not flipped yet."""

    icon: str
    number: int


class Most(NamedTuple):
    """The seat that has the most of something ("": nobody), and how: alone, by the Crown, as the next below a tie."""

    seat: str
    how: str


@dataclass(frozen=True, slots=True)
class Board:
    """Everything on the table.

    - `supply` are the seats' own cubes, `picts` those in the supply of their controller, `aside` those at the side of the board.
    - `held` is the holder of each glory card, as last settled.
    - `deck` are the cards not flipped in this round, in the order of the parts; `top` is the number on the card on top.
    - `icon` and `number` are the pair that is played.
    """

    terms: Agreed
    seats: tuple[str, ...]
    tokens: CubeCounts
    cubes: Mapping[str, CubeCounts]
    castles: Mapping[str, str]
    boards: Mapping[str, Mapping[str, str]]
    supply: CubeCounts
    glory: Mapping[str, CubeCounts]
    points: CubeCounts
    picts: int = 0
    aside: int = 0
    held: Mapping[str, str] = field(default_factory=dict)
    cardinal: str = ""
    wall: tuple[str, ...] = ()
    wild: str = ""
    leader: str = ""
    round: int = 0
    flip: int = 0
    deck: tuple[DeckCard, ...] = ()
    top: int = 0
    icon: str = ""
    number: int = 0

    @staticmethod
    def set_up(terms: Agreed, seats: tuple[str, ...], leader: str = "") -> Board:
        """Return the table before anything is drawn or placed."""
        parts = terms.parts
        none: dict[str, Any] = {seat: {} for seat in seats}
        return Board(
            terms, seats, {name: parts.token(name, len(seats)) for name in parts.names}, {}, {}, none,
            dict.fromkeys(seats, parts.cubes), {}, dict.fromkeys(seats, 0), leader=leader,
        )  # fmt: skip

    # What can be read off the table

    @property
    def parts(self) -> PrintedParts:
        return self.terms.parts

    @property
    def in_turn(self) -> tuple[str, ...]:
        """The seats in clockwise order, from the leader on."""
        start = self.seats.index(self.leader)
        return self.seats[start:] + self.seats[:start]

    def has(self, seat: str, card: str) -> bool:
        """Does a seat hold a glory card?"""
        return self.held.get(card, "") == seat

    def colours(self, seat: str) -> tuple[str, ...]:
        """Return the colours that are a seat's own now: the Picts, too, while it controls them."""
        return (seat, PICTS) if self.has(seat, BANNER) else (seat,)

    def owner(self, colour: str) -> str:
        """Return for whom a cube of a colour counts now, "" for nobody."""
        return self.held.get(BANNER, "") if colour == PICTS else colour

    def count(self, region: str, colour: str) -> int:
        """Return how many cubes of a colour are in a region."""
        return self.cubes.get(region, {}).get(colour, 0)

    def troops(self, seat: str, region: str) -> Troops:
        """Return a seat's cubes in a region, Picts included while it controls them."""
        picts = self.count(region, PICTS) if self.has(seat, BANNER) else 0
        return Troops(self.count(region, seat), picts)

    def spare(self, seat: str) -> Troops:
        """Return the cubes in a seat's supply."""
        return Troops(self.supply[seat], self.picts if self.has(seat, BANNER) else 0)

    def strength(self, region: str) -> dict[str, int]:
        """Return how many cubes each seat has in a region: those who have any, in seat order."""
        here, leads_picts = self.cubes.get(region, {}), self.owner(PICTS)
        found = {seat: here.get(seat, 0) + (here.get(PICTS, 0) if seat == leads_picts else 0) for seat in self.seats}
        return {seat: n for seat, n in found.items() if n}

    def presence(self, seat: str) -> tuple[str, ...]:
        """Return the regions in which a seat has a cube."""
        return tuple(name for name in self.parts.names if self.troops(seat, name).total)

    def battles(self) -> tuple[str, ...]:
        """Return the regions in which a battle is triggered: cubes of two or more, together the token's number or more."""
        strength = {name: self.strength(name) for name in self.parts.names}
        return tuple(name for name, n in strength.items() if len(n) > 1 and sum(n.values()) >= self.tokens[name])

    def held_castles(self, seat: str, region: str) -> tuple[str, ...]:
        """Return the castles on a region's border that a seat occupies."""
        own = self.colours(seat)
        return tuple(castle for castle in self.parts.castles_of(region) if self.castles.get(castle) in own)

    def open_to(self, seat: str, start: str, goal: str) -> bool:
        """May a seat's cubes cross the border between two adjacent regions? Hadrian's Wall stops all but its holder's."""
        return {start, goal} != set(self.wall) or self.has(seat, WALL)

    def ways(self, seat: str, region: str) -> tuple[str, ...]:
        """Return the adjacent regions to which a seat's cubes may go."""
        return tuple(goal for goal in self.parts.neighbours(region) if self.open_to(seat, region, goal))

    def on_map(self, seat: str, *, glory: bool) -> int:
        """Return how many cubes a seat has on the board: in regions and castles; on glory cards, too, where that is agreed."""
        own = self.colours(seat)
        found = sum(self.troops(seat, name).total for name in self.parts.names)
        found += sum(colour in own for colour in self.castles.values())
        return found + (sum(bids.get(seat, 0) for bids in self.glory.values()) if glory else 0)

    def most(self, counts: CubeCounts, crown: str | None = None, *, zero: bool = False) -> Most:
        """Return the seat with the highest count of at least one. The Crown wins a tie; without it, the next lower count decides.

        `crown` is the holder of the Crown, by default the one on the table. With `zero` it also wins a tie of zeros.
        """
        wins_ties = self.held.get(CROWN, "") if crown is None else crown
        for no, level in enumerate(sorted({n for n in counts.values() if n > 0 or zero}, reverse=True)):
            level_with = [seat for seat in self.seats if counts.get(seat) == level]
            if len(level_with) > 1:
                if wins_ties in level_with:
                    return Most(wins_ties, "crown")
            elif level:
                return Most(level_with[0], "third" if no else "most")
        return Most("", "tie" if any(counts.values()) else "empty")

    def holders(self) -> dict[str, str]:
        """Return the seat with the majority on each glory card now; the Crown first, since it wins ties on the others."""
        before = self.held.get(CROWN, "") if self.terms.crown == "itself" else ""
        crown = self.most(self.glory[CROWN], before).seat if CROWN in self.glory else ""
        found = {card: self.most(bids, crown).seat for card, bids in self.glory.items() if card != CROWN}
        return {card: seat for card, seat in {CROWN: crown, **found}.items() if seat}

    def free_squares(self, seat: str) -> tuple[str, ...]:
        """Return the squares of a player board that no cube covers."""
        return tuple(square for square in self.parts.squares if square not in self.boards[seat])

    def every_cube(self) -> Iterator[tuple[str, int]]:
        """Go through all cubes, wherever they are: colour and how many."""
        for counts in (*self.cubes.values(), *self.glory.values(), self.supply):
            yield from counts.items()
        for colours in (self.castles, *self.boards.values()):
            yield from ((colour, 1) for colour in colours.values())
        yield PICTS, self.picts + self.aside

    # What becomes of it

    def change(self, region: str, colour: str, n: int) -> Board:
        """Return the table with `n` cubes of a colour added in a region, or removed if negative."""
        return changed(self, cubes=_with(self.cubes, region, colour, n))

    def bid(self, card: str, seat: str, n: int) -> Board:
        """Return the table with `n` of a seat's cubes added on a glory card, or removed if negative."""
        own = _changed(self.glory[card], seat, n)
        return changed(self, glory={**self.glory, card: own})

    def store(self, colour: str, n: int) -> Board:
        """Return the table with `n` cubes of a colour added in its owner's supply, or removed if negative.

        Picts without a controller go aside.
        """
        if colour != PICTS:
            return changed(self, supply={**self.supply, colour: self.supply[colour] + n})
        if self.owner(PICTS):
            return changed(self, picts=self.picts + n)
        return changed(self, aside=self.aside + n)

    def march(self, seat: str, troops: Troops, start: str, goal: str) -> Board:
        """Return the table after cubes went from one region to another."""
        board = self
        for colour, n in ((seat, troops.own), (PICTS, troops.picts)):
            board = board.change(start, colour, -n).change(goal, colour, n)
        return board

    def send_home(self, seat: str, troops: Troops, region: str) -> Board:
        """Return the table after cubes went from a region to the supply."""
        board = self
        for colour, n in ((seat, troops.own), (PICTS, troops.picts)):
            board = board.change(region, colour, -n).store(colour, n)
        return board

    def occupy(self, castle: str, colour: str) -> Board:
        """Return the table with a cube in a castle; "" leaves it empty."""
        others = {name: there for name, there in self.castles.items() if name != castle}
        return changed(self, castles={**others, castle: colour} if colour else others)

    def cover(self, seat: str, square: str, colour: str) -> Board:
        """Return the table with a cube on a square of a player board; "" leaves it free."""
        others = {name: there for name, there in self.boards[seat].items() if name != square}
        covered = {**others, square: colour} if colour else others
        return changed(self, boards={**self.boards, seat: covered})

    def score(self, seat: str, points: int) -> Board:
        """Return the table with points added for a seat."""
        return changed(self, points={**self.points, seat: self.points[seat] + points})


def _changed(counts: CubeCounts, colour: str, n: int) -> CubeCounts:
    found = {**counts, colour: counts.get(colour, 0) + n}
    return {name: count for name, count in found.items() if count}


def _with(cubes: Mapping[str, CubeCounts], region: str, colour: str, n: int) -> Mapping[str, CubeCounts]:
    found = {**cubes, region: _changed(cubes.get(region, {}), colour, n)}
    return {name: counts for name, counts in found.items() if counts}


def in_order(parts: PrintedParts, cards: Iterable[DeckCard]) -> tuple[DeckCard, ...]:
    """Return deployment cards in the order of the parts; those that the parts have not are left out."""
    left, found = list(cards), []
    for printed in parts.deployment_cards:
        card = DeckCard(printed.icon, printed.number)
        if card in left:
            left.remove(card)
            found.append(card)
    return tuple(found)


def clockwise(seats: Iterable[str], order: tuple[str, ...]) -> tuple[str, ...]:
    """Return seats in an order that goes round the table."""
    wanted = set(seats)
    return tuple(seat for seat in order if seat in wanted)
