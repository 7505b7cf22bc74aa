"""The orders of the game turn: their models and canonical text. The orders of winter stand in `winter_orders`.

`str(order)` is what a player could have typed; `reading` makes the order of it again.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from pbem.kernel import Order


class Pass(Order):
    """PASS: do nothing."""

    verb: Literal["PASS"] = "PASS"

    def __str__(self) -> str:
        return "PASS"


class PlayCard(Order):
    """CARD Move 3: play a card (3.1)."""

    verb: Literal["CARD"] = "CARD"
    card: str

    def __str__(self) -> str:
        return f"CARD {self.card}"


class Herald(Order):
    """HERALD Angus: name the enemy noble whom the Herald asks to change sides."""

    verb: Literal["HERALD"] = "HERALD"
    noble: str

    def __str__(self) -> str:
        return f"HERALD {self.noble}"


class Pillage(Order):
    """PILLAGE Fife FROM Angus: the enemy group in the first area takes two hits, for the group in the second."""

    verb: Literal["PILLAGE"] = "PILLAGE"
    target: str
    group: str

    def __str__(self) -> str:
        return f"PILLAGE {self.target} FROM {self.group}"


class SeaMove(Order):
    """SEA Wallace, Douglas: Fife > Ross: one or two blocks from a coastal area to another one that is friendly."""

    verb: Literal["SEA"] = "SEA"
    blocks: tuple[str, ...]
    start: str
    to: str

    def __str__(self) -> str:
        return f"SEA {', '.join(self.blocks)}: {self.start} > {self.to}"


class Truce(Order):
    """TRUCE: the opponent may move, but not attack."""

    verb: Literal["TRUCE"] = "TRUCE"

    def __str__(self) -> str:
        return "TRUCE"


class Step(BaseModel):
    """Steps added to one block."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    block: str
    steps: int

    def __str__(self) -> str:
        return f"{self.block} {self.steps}"


class Victuals(Order):
    """VICTUALS Fife: Wallace 2, Douglas 1: up to three steps among the blocks of one group."""

    verb: Literal["VICTUALS"] = "VICTUALS"
    area: str
    steps: tuple[Step, ...]

    def __str__(self) -> str:
        return f"VICTUALS {self.area}: {', '.join(map(str, self.steps))}"


class Coronation(Order):
    """CORONATION Bruce: crown Bruce or Comyn in Fife instead of the event (6.21)."""

    verb: Literal["CORONATION"] = "CORONATION"
    candidate: str

    def __str__(self) -> str:
        return f"CORONATION {self.candidate}"


class ReturnOfTheKing(Order):
    """RETURN: King Balliol returns from exile, instead of the event (6.22)."""

    verb: Literal["RETURN"] = "RETURN"

    def __str__(self) -> str:
        return "RETURN"


class March(BaseModel):
    """One line of a move: blocks of one area that take the same route; `start` is "" for the Norse alone.

    `main` declares it the main attack (5.32), `rally` makes it part of a rally to a leader (option).
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    start: str
    blocks: tuple[str, ...]
    route: tuple[str, ...]
    main: bool = False
    rally: bool = False

    def __str__(self) -> str:
        where = f"{self.start}: " if self.start else ""
        what = " MAIN" * self.main + " RALLY" * self.rally
        return f"MOVE {where}{', '.join(self.blocks)} > {' > '.join(self.route)}{what}"


class Move(Order):
    """MOVE Fife: Wallace, Douglas > Mentieth > Lanark MAIN: all moves of a Move card, a line a route (4.0); RALLY: an option."""

    verb: Literal["MOVE"] = "MOVE"
    marches: tuple[March, ...]

    def __str__(self) -> str:
        return "\n".join(map(str, self.marches))


class NextBattle(Order):
    """NEXT Lanark: fight this battle next (5.1)."""

    verb: Literal["NEXT"] = "NEXT"
    area: str

    def __str__(self) -> str:
        return f"NEXT {self.area}"


class Act(BaseModel):
    """What one block does in its combat turn: FIRE, RETREAT (to a place) or PASS."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    block: str
    action: Literal["FIRE", "RETREAT", "PASS"]
    to: str = ""

    def __str__(self) -> str:
        return f"{self.block} {self.action}{' ' + self.to if self.to else ''}"


class BattleActions(Order):
    """BATTLE Lanark: Wallace FIRE, Moray RETREAT Lennox, Bruce PASS: what blocks do in their combat turns, in this order (5.31).

    Who is not named is asked about when the others have acted.
    """

    verb: Literal["BATTLE"] = "BATTLE"
    area: str
    acts: tuple[Act, ...]

    def __str__(self) -> str:
        return f"BATTLE {self.area}: {', '.join(map(str, self.acts))}"


class Hits(Order):
    """HITS Lanark: Wallace, Douglas: which of the equally strong blocks are reduced (5.41)."""

    verb: Literal["HITS"] = "HITS"
    area: str
    blocks: tuple[str, ...]

    def __str__(self) -> str:
        return f"HITS {self.area}: {', '.join(self.blocks)}"


class Gains(Order):
    """GAINS Angus: Wallace 2: add the steps won by pillage to blocks of the pillaging group."""

    verb: Literal["GAINS"] = "GAINS"
    area: str
    steps: tuple[Step, ...]

    def __str__(self) -> str:
        return f"GAINS {self.area}: {', '.join(map(str, self.steps))}"


class Place(BaseModel):
    """Where one block goes."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    block: str
    to: str

    def __str__(self) -> str:
        return f"{self.block} > {self.to}"


class Retreat(Order):
    """RETREAT Lanark: Wallace > Lennox, Douglas > Annan: where blocks of one letter go that must retreat after round 3 (5.5).

    They retreat in the order named. A block that finds no exit is left out, and lost.
    """

    verb: Literal["RETREAT"] = "RETREAT"
    area: str
    places: tuple[Place, ...]

    def __str__(self) -> str:
        return f"RETREAT {self.area}: {', '.join(map(str, self.places))}"


class Regroup(Order):
    """REGROUP Lanark: Wallace > Lennox: where victorious blocks go; who is not named stays (5.6)."""

    verb: Literal["REGROUP"] = "REGROUP"
    area: str
    places: tuple[Place, ...]

    def __str__(self) -> str:
        return f"REGROUP {self.area}: {', '.join(map(str, self.places))}"


class Raid(Order):
    """RAID Cumbria Infantry: the English block that a border raid disbands (5.9)."""

    verb: Literal["RAID"] = "RAID"
    block: str

    def __str__(self) -> str:
        return f"RAID {self.block}"
