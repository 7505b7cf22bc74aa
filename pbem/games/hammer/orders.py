"""The orders: their models and canonical text, of the game turn, then of winter (7.1-7.6).

`str(order)` is text that a player could have typed; the questions parse it into the order again.
"""

from __future__ import annotations

from typing import Literal

from pbem.kernel import Order, OrderPart


class Pass(Order):
    """PASS: do nothing."""

    verb: Literal["PASS"] = "PASS"


class PlayCard(Order, form="{verb} {card}"):
    """CARD Move 3: play a card (3.1)."""

    verb: Literal["CARD"] = "CARD"
    card: str


class Herald(Order, form="{verb} {noble}"):
    """HERALD Angus: name the enemy noble whom the Herald asks to change sides."""

    verb: Literal["HERALD"] = "HERALD"
    noble: str


class Pillage(Order, form="{verb} {target} FROM {group}"):
    """PILLAGE Fife FROM Angus: the enemy group in the first area takes two hits, for the group in the second."""

    verb: Literal["PILLAGE"] = "PILLAGE"
    target: str
    group: str


class SeaMove(Order, form="{verb} {blocks}: {start} > {to}"):
    """SEA Wallace, Douglas: Fife > Ross: one or two blocks from a coastal area to another one that is friendly."""

    verb: Literal["SEA"] = "SEA"
    blocks: tuple[str, ...]
    start: str
    to: str


class Truce(Order):
    """TRUCE: the opponent may move, but not attack."""

    verb: Literal["TRUCE"] = "TRUCE"


class Step(OrderPart, form="{block} {steps}"):
    """Steps added to one block."""

    block: str
    steps: int


class Victuals(Order, form="{verb} {area}: {steps}"):
    """VICTUALS Fife: Wallace 2, Douglas 1: up to three steps among the blocks of one group."""

    verb: Literal["VICTUALS"] = "VICTUALS"
    area: str
    steps: tuple[Step, ...]


class Coronation(Order, form="{verb} {candidate}"):
    """CORONATION Bruce: crown Bruce or Comyn in Fife instead of the event (6.21)."""

    verb: Literal["CORONATION"] = "CORONATION"
    candidate: str


class ReturnOfTheKing(Order):
    """RETURN: King Balliol returns from exile, instead of the event (6.22)."""

    verb: Literal["RETURN"] = "RETURN"


class March(OrderPart):
    """One line of a move: blocks of one area that take the same route; `start` is "" for the Norse alone.

    `main` declares it the main attack (5.32), `rally` makes it part of a rally to a leader (option).
    """

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


class NextBattle(Order, form="{verb} {area}"):
    """NEXT Lanark: fight this battle next (5.1)."""

    verb: Literal["NEXT"] = "NEXT"
    area: str


class Act(OrderPart):
    """What one block does in its combat turn: FIRE, RETREAT (to a place) or PASS."""

    block: str
    action: Literal["FIRE", "RETREAT", "PASS"]
    to: str = ""

    def __str__(self) -> str:
        return f"{self.block} {self.action}{' ' + self.to if self.to else ''}"


class BattleActions(Order, form="{verb} {area}: {acts}"):
    """BATTLE Lanark: Wallace FIRE, Moray RETREAT Lennox, Bruce PASS: what blocks do in their combat turns, in this order (5.31).

    Unnamed blocks are asked about when the others have acted.
    """

    verb: Literal["BATTLE"] = "BATTLE"
    area: str
    acts: tuple[Act, ...]


class Hits(Order, form="{verb} {area}: {blocks}"):
    """HITS Lanark: Wallace, Douglas: which of the equally strong blocks are reduced (5.41)."""

    verb: Literal["HITS"] = "HITS"
    area: str
    blocks: tuple[str, ...]


class Gains(Order, form="{verb} {area}: {steps}"):
    """GAINS Angus: Wallace 2: add the steps won by pillage to blocks of the pillaging group."""

    verb: Literal["GAINS"] = "GAINS"
    area: str
    steps: tuple[Step, ...]


class Place(OrderPart, form="{block} > {to}"):
    """Where one block goes."""

    block: str
    to: str


class Retreat(Order, form="{verb} {area}: {places}"):
    """RETREAT Lanark: Wallace > Lennox, Douglas > Annan: where blocks of one letter go that must retreat after round 3 (5.5).

    They retreat in the order named. A block that finds no exit is left out, and lost.
    """

    verb: Literal["RETREAT"] = "RETREAT"
    area: str
    places: tuple[Place, ...]


class Regroup(Order, form="{verb} {area}: {places}"):
    """REGROUP Lanark: Wallace > Lennox: where victorious blocks go; unnamed blocks stay (5.6)."""

    verb: Literal["REGROUP"] = "REGROUP"
    area: str
    places: tuple[Place, ...]


class Raid(Order, form="{verb} {block}"):
    """RAID Cumbria Infantry: the English block that a border raid disbands (5.9)."""

    verb: Literal["RAID"] = "RAID"
    block: str


# winter

STAY, DISBAND, DONE = "STAY", "DISBAND", "DONE"


class Going(OrderPart):
    """Where one block goes when the nobles go home: an area, STAY or DISBAND."""

    block: str
    to: str

    def __str__(self) -> str:
        who = "KING" if self.block == "King" else f"HOME {self.block}"
        return f"{who} {self.to}" if self.to in (STAY, DISBAND) else f"{who} > {self.to}"


class GoHome(Order):
    """HOME Bruce > Annan; HOME Moray STAY; KING > Fife: the choices of 7.1 and 7.2, one line for each block."""

    verb: Literal["HOME"] = "HOME"
    goings: tuple[Going, ...] = ()

    def __str__(self) -> str:
        return "\n".join(map(str, self.goings)) or DONE


class Disband(Order):
    """DISBAND Cumbria Infantry; EDWARD STAYS; WALLACE > Selkirk: which blocks do not winter where they are (7.3-7.5).

    Blocks that the rules disband anyway need not be named.
    """

    verb: Literal["DISBAND"] = "DISBAND"
    edward: bool = False
    wallace: bool = False
    blocks: tuple[str, ...] = ()

    def __str__(self) -> str:
        lines = []
        if self.edward:
            lines.append("EDWARD STAYS")
        if self.wallace:
            lines.append("WALLACE > Selkirk")
        if self.blocks:
            lines.append(f"DISBAND {', '.join(self.blocks)}")
        return "\n".join(lines) or DONE


class Steps(OrderPart, form="BUILD {area}: {steps}"):
    """The steps built in one area."""

    area: str
    steps: tuple[Step, ...]


class Landing(OrderPart, form="LAND {area} > {to}"):
    """The coast where Norse or French land that are drawn for an inland area (option)."""

    area: str
    to: str


class Build(Order):
    """BUILD Fife: Douglas 2, Barclay 1; DRAW Fife; DONE: what replacement points are used for (7.6); LAND: an option.

    The draws are made one after the other when the steps have been built. After them the Scots are asked again, unless
    they said DONE; an order without draws is always done. By the option of landing inland LAND Lanark > Carrick says where
    Norse or French go that are drawn for Lanark; unsaid it is the first neighbouring coast, as the board names them.
    """

    verb: Literal["BUILD"] = "BUILD"
    builds: tuple[Steps, ...] = ()
    draws: tuple[str, ...] = ()
    landings: tuple[Landing, ...] = ()
    done: bool = False

    def __str__(self) -> str:
        lines = [*map(str, self.builds), *(f"DRAW {area}" for area in self.draws), *map(str, self.landings)]
        return "\n".join([*lines, DONE] if self.done else lines)
