"""The orders of Swords Over Scotland: the models and their canonical text; `reading` parses typed orders.

=========  ================================================================  ====================================================
question   order                                                             says
=========  ================================================================  ====================================================
setup      CUBE Moray                                                        one of the first four cubes
place      PLACE B2 · PLACE B2 FROM Moray · PLACE B2 WITH PICT · NOTHING      a cube on the player board; marked, all at once
deploy     DEPLOY A1 B1 B2 B3 PULL A1 B1 TO Moray THEN MOVE 2 Moray > Fife   formation, who is pulled, whither; the special action:
           … THEN ADD Buchan · … THEN TAKE Inverness · no THEN               MOVE (S), ADD (box), TAKE (T); none: declined
merchant   MERCHANT A1 > B3 · MERCHANT STAY                                  Merchant's Outpost
battle     BATTLE Moray                                                      which battle is next
sword      SWORD NOW · SWORD NOW FROM Fife · SWORD LATER · SWORD NO           Long Sword: before the castles, after them, not
castles    KILL pink, picts                                                  a colour for each castle
commit     COMMIT 3 · COMMIT 2 + 1 PICTS                                     sealed, all at once
druid      HEAL YES · HEAL PICT · HEAL NO                                    the winner's Druid
retreat    RETREAT 2 Fife, 1 + 1 PICTS Moray; GLORY 2 Drums; HEAL YES        a line each; what is not named goes to the supply
cardinal   CARDINAL Moray · CARDINAL STAY                                    where the Cardinal stands
wall       WALL Moray - Ross · WALL STAY                                     on which border the wall stands
tapestry   TAPESTRY stag · TAPESTRY STAY                                     which icon is wild
=========  ================================================================  ====================================================
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, field_validator

from pbem.kernel import Order, OrderPart

from .rules.names import COLOURS, GLORY, Colour, Glory, IconOrNone, Name, NameOrNone, Square
from .rules.parts import MOST_CASTLES, MOST_REGIONS
from .rules.shapes import FOUR, ordered
from .rules.troops import Troops

STAY = "STAY"
NONE = "NONE"
Yes = Literal["YES", "PICT", "NO"]


def _from(source: str, pict: bool) -> str:
    return f"{f' FROM {source}' if source else ''}{' WITH PICT' if pict else ''}"


class Cube(Order, form="{verb} {region}"):
    """CUBE Moray: one of the cubes that are placed before the first round."""

    verb: Literal["CUBE"] = "CUBE"
    region: Name


class Place(Order):
    """PLACE B2: a cube on a square of your player board; with an empty supply FROM a region, a castle or a glory card."""

    verb: Literal["PLACE"] = "PLACE"
    square: Square
    source: NameOrNone = ""
    pict: bool = False

    def __str__(self) -> str:
        return f"PLACE {self.square}{_from(self.source, self.pict)}"


class Nothing(Order):
    """NOTHING: when you can place no cube."""

    verb: Literal["NOTHING"] = "NOTHING"


class Move(OrderPart, form="{verb} {troops} {start} > {goal}"):
    """S-shape: MOVE 2 Moray > Fife."""

    verb: Literal["MOVE"] = "MOVE"
    troops: Troops
    start: Name
    goal: Name


class Add(OrderPart):
    """Box-shape: ADD Buchan, from the supply."""

    verb: Literal["ADD"] = "ADD"
    region: Name
    pict: bool = False

    def __str__(self) -> str:
        return f"ADD {self.region}{_from('', self.pict)}"


class Take(OrderPart):
    """T-shape: TAKE Inverness, with a cube of the region deployed to."""

    verb: Literal["TAKE"] = "TAKE"
    castle: Name
    pict: bool = False

    def __str__(self) -> str:
        return f"TAKE {self.castle}{_from('', self.pict)}"


Special = Move | Add | Take


class Deploy(Order):
    """DEPLOY A1 B1 B2 B3 PULL A1 B1 TO Moray THEN TAKE Inverness: a formation, its cubes to a region, and its action, if any."""

    verb: Literal["DEPLOY"] = "DEPLOY"
    squares: tuple[Square, ...] = Field(min_length=FOUR, max_length=FOUR)
    pulled: tuple[Square, ...] = Field(min_length=1, max_length=FOUR)
    region: Name
    special: Special | None = None

    @field_validator("squares", "pulled")
    @classmethod
    def _in_reading_order(cls, squares: tuple[str, ...]) -> tuple[str, ...]:
        return ordered(squares)

    def __str__(self) -> str:
        then = f" THEN {self.special}" if self.special else ""
        return f"DEPLOY {' '.join(self.squares)} PULL {' '.join(self.pulled)} TO {self.region}{then}"


class Carry(Order):
    """MERCHANT A1 > B3: a cube of your player board to another free square there."""

    verb: Literal["MERCHANT"] = "MERCHANT"
    start: Square | None = None
    goal: Square | None = None

    def __str__(self) -> str:
        return f"MERCHANT {self.start} > {self.goal}" if self.start else f"MERCHANT {STAY}"


class Choose(Order, form="{verb} {region}"):
    """BATTLE Moray: which battle is next."""

    verb: Literal["BATTLE"] = "BATTLE"
    region: Name


class DrawSword(Order):
    """SWORD NOW: a cube more for this battle; LATER, and you are asked again after the castles."""

    verb: Literal["SWORD"] = "SWORD"
    when: Literal["NOW", "LATER", "NO"]
    source: NameOrNone = ""
    pict: bool = False

    def __str__(self) -> str:
        return f"SWORD {self.when}{_from(self.source, self.pict)}"


class Kill(Order, form="{verb} {colours}"):
    """KILL pink, picts: a colour for each of your castles in the battle."""

    verb: Literal["KILL"] = "KILL"
    colours: tuple[Colour, ...] = Field(max_length=MOST_CASTLES + 1)
    """One more than there are castles: Edinburgh speaks as well."""

    @field_validator("colours")
    @classmethod
    def _in_order(cls, colours: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(sorted(colours, key=COLOURS.index))


class Commit(Order, form="{verb} {troops}"):
    """COMMIT 2 + 1 PICTS: the number of your cubes committed, some of them Picts."""

    verb: Literal["COMMIT"] = "COMMIT"
    troops: Troops


class Heal(Order, form="{verb} {heal}"):
    """HEAL YES: a committed cube of the winner who has the Druid stays; PICT if it is a Pict."""

    verb: Literal["HEAL"] = "HEAL"
    heal: Yes


class RetreatTo(OrderPart, form="{troops} {region}"):
    """2 Fife: whither some of the cubes retreat."""

    troops: Troops
    region: Name


class Bid(OrderPart, form="{cubes} {card}"):
    """2 Drums: committed cubes that go to a glory card."""

    cubes: Annotated[int, Field(ge=0, le=99)]
    card: Glory


class Retreat(Order):
    """RETREAT 2 Fife, 1 Ross; GLORY 2 Drums; HEAL YES: where the cubes of a lost battle go."""

    verb: Literal["RETREAT"] = "RETREAT"
    ways: tuple[RetreatTo, ...] = Field(default=(), max_length=MOST_REGIONS)
    glory: tuple[Bid, ...] = Field(default=(), max_length=len(GLORY))
    heal: Yes = "NO"

    def __str__(self) -> str:
        lines = [f"RETREAT {', '.join(map(str, self.ways)) or NONE}"]
        lines += [f"GLORY {', '.join(map(str, self.glory))}"] if self.glory else []
        return "\n".join(lines + ([f"HEAL {self.heal}"] if self.heal != "NO" else []))


class PutCardinal(Order):
    """CARDINAL Moray: where the Cardinal goes; CARDINAL STAY leaves him."""

    verb: Literal["CARDINAL"] = "CARDINAL"
    region: NameOrNone = ""

    def __str__(self) -> str:
        return f"CARDINAL {self.region or STAY}"


class PutWall(Order):
    """WALL Moray - Ross: to which border the wall goes; WALL STAY leaves it."""

    verb: Literal["WALL"] = "WALL"
    border: tuple[Name, ...] = Field(default=(), max_length=2)

    def __str__(self) -> str:
        return f"WALL {' - '.join(self.border) or STAY}"


class PutTapestry(Order):
    """TAPESTRY stag: which icon is wild; TAPESTRY STAY leaves it."""

    verb: Literal["TAPESTRY"] = "TAPESTRY"
    icon: IconOrNone = ""

    def __str__(self) -> str:
        return f"TAPESTRY {self.icon or STAY}"
