"""The orders of the Winter Turn (7.1-7.6): their models and canonical text.

Each answers one question of `winter_questions`; `winter_reading` makes an order of what a player typed.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from pbem.kernel import Order

from .orders import Step

STAY, DISBAND = "STAY", "DISBAND"
DONE = "DONE"


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Going(_Part):
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
    """DISBAND Cumbria Infantry; EDWARD STAYS; WALLACE > Selkirk: who does not winter where he stands (7.3-7.5).

    Blocks that the rules disband anyhow need not be named.
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


class Steps(_Part):
    """The steps built in one area."""

    area: str
    steps: tuple[Step, ...]

    def __str__(self) -> str:
        return f"BUILD {self.area}: {', '.join(map(str, self.steps))}"


class Landing(_Part):
    """The coast where Norse or French land that are drawn for an inland area (option)."""

    area: str
    to: str

    def __str__(self) -> str:
        return f"LAND {self.area} > {self.to}"


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
