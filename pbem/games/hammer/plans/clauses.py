"""The clauses of a plan as values, each with its canonical text. One clause is one line.

A clause is used where it clearly fits; if no clause covers a decision, the seat is asked. `reading` parses clauses. Their answers
are in `battles`, `winter` and `matters`.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

ANY = "ANY"
"""Represents every battle, every area, or all blocks that are not named."""
ALL = "ALL"
WEAKEST = "WEAKEST"
NEW = "NEW"
STAY = "STAY"


class Condition(NamedTuple):
    """When a retreat begins: from a round on, below odds (own to enemy steps in front), after losses, or when a block is weak."""

    kind: Literal["ROUND", "ODDS", "LOST", "BELOW"]
    n: int
    to: int = 0
    block: str = ""

    def __str__(self) -> str:
        match self.kind:
            case "ODDS":
                return f"ODDS BELOW {self.n}:{self.to}"
            case "BELOW":
                return f"{self.block} BELOW {self.n}"
            case _:
                return f"{self.kind} {self.n}"


class Part(NamedTuple):
    """What blocks (none named: all) do in their combat turns: FIGHT, or RETREAT to the first of the places that is open."""

    action: Literal["FIGHT", "RETREAT"]
    blocks: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    conditions: tuple[Condition, ...] = ()

    def __str__(self) -> str:
        words = [", ".join(self.blocks), self.action, ", ".join(self.places)]
        if self.conditions:
            words.append("IF " + " OR ".join(map(str, self.conditions)))
        return " ".join(filter(None, words))


class Target(NamedTuple):
    """Where a block (or ALL) regroups to."""

    block: str
    to: str

    def __str__(self) -> str:
        return f"{self.block} > {self.to}"


class BattleClause(NamedTuple):
    """BATTLE Lanark DEFENDING: RETREAT Lennox IF ROUND 3; FIGHT; HITS Douglas, ANY; REGROUP STAY: a plan for battles."""

    area: str
    role: Literal["", "ATTACKING", "DEFENDING"] = ""
    parts: tuple[Part, ...] = ()
    hits: tuple[str, ...] = ()
    regroup: tuple[Target, ...] | None = None

    def __str__(self) -> str:
        said = [str(part) for part in self.parts]
        if self.hits:
            said.append(f"HITS {', '.join(self.hits)}")
        if self.regroup is not None:
            said.append(f"REGROUP {', '.join(map(str, self.regroup)) or STAY}")
        return f"{self.head}: {'; '.join(said)}"

    @property
    def head(self) -> str:
        """How the line begins."""
        return " ".join(filter(None, ("BATTLE", self.area, self.role)))

    @property
    def rank(self) -> tuple[bool, bool]:
        """The sort key of a clause: one area before any, then one role before any."""
        return self.area == ANY, not self.role


class Listing(NamedTuple):
    """NEXT, RAID, GAINS, KEEP or DISBAND with names in the order of preference."""

    verb: Literal["NEXT", "RAID", "GAINS", "KEEP", "DISBAND"]
    names: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.verb} {', '.join(self.names)}"


class Home(NamedTuple):
    """HOME Bruce > Annan OR Carrick: where one block goes in winter, the first of the places that it may go to."""

    block: str
    places: tuple[str, ...]

    def __str__(self) -> str:
        return f"HOME {self.block} > {' OR '.join(self.places)}"


class Leader(NamedTuple):
    """EDWARD STAYS, EDWARD GOES, WALLACE STAYS, WALLACE GOES: does Edward winter in Scotland, does Wallace go to Selkirk."""

    block: Literal["EDWARD", "WALLACE"]
    action: Literal["STAYS", "GOES"]

    def __str__(self) -> str:
        return f"{self.block} {self.action}"


class BuildClause(NamedTuple):
    """BUILD ANY: DRAW 2, STRENGTHEN Wallace, WEAKEST: what an area's replacement points are used for; NEW are the blocks drawn.

    By the option of landing inland LAND Carrick OR Lennox says where Norse and French land, the first that is open.
    """

    area: str
    draws: int = 0
    names: tuple[str, ...] = ()
    coasts: tuple[str, ...] = ()

    def __str__(self) -> str:
        said = [f"DRAW {self.draws}"] if self.draws else []
        if self.coasts:
            said.append(f"LAND {' OR '.join(self.coasts)}")
        if self.names:
            said.append(f"STRENGTHEN {', '.join(self.names)}")
        return f"BUILD {self.area}: {', '.join(said) or 'NOTHING'}"


class Asking(NamedTuple):
    """ASK ALWAYS: no clause is used. ASK WHEN IT MATTERS: unimportant questions are answered without asking (`matters`)."""

    when: Literal["ALWAYS", "WHEN IT MATTERS"]

    def __str__(self) -> str:
        return f"ASK {self.when}"


Clause = BattleClause | Listing | Home | Leader | BuildClause | Asking
