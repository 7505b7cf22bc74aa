"""The features of a position between two turns, as numbers: the input of its evaluation.

Most features exist twice, for the English and for the Scots; an evaluation (`outlook`) weighs them.
"""

from __future__ import annotations

from math import sqrt

from ...rules import ROSTER
from ..adding import added
from .model import SmallGame
from .numbers import (
    AREA,
    EDWARD,
    ENGLAND,
    ENGLISH,
    FORCE,
    HOMES,
    INFANTRY,
    KING,
    LIMIT,
    LIMITS,
    MORAY,
    NEAR,
    OWNERS,
    POOL,
    SCOTS,
    TURNING,
    TURNS,
    WALLACE,
)

ACROSS = 2
"""The assumed number of blocks that cross the English border, or a red one, in a turn."""
FURTHER = 0.5
"""What power two borders away counts for."""
HOLD = 1.3
"""What the power of those who are attacked counts for: they hit first."""
STRAY, EMPTY_HOME = 4.0, 30.0
"""The squared power that is half a danger: to undefended blocks, and to an empty home."""
EDWARD_II = 3.0
"""How much worse a danger to Edward II is: his death loses the game (9.1)."""
FEW = 3

_AREAS = range(len(NEAR))
NORTH, SOUTH = AREA["Lennox"], AREA["Carrick"]
"""The areas before the first are the north, those from the second on the south."""
BESIDE: tuple[tuple[tuple[int, int], ...], ...] = tuple(
    tuple((b, ACROSS if ENGLAND in (a, b) else LIMIT[a, b]) for b in NEAR[a]) for a in _AREAS
)
"""By area, those beside it, and how many blocks go there in a turn."""


def _two_away(a: int) -> tuple[int, ...]:
    """Return the areas to which wide ways lead over one other."""
    through = [b for b in NEAR[a] if LIMIT[a, b] > ACROSS and ENGLAND not in (a, b)]
    return tuple(sorted({c for b in through for c in NEAR[b]} - {a, ENGLAND, *NEAR[a]}))


TWO_AWAY: tuple[tuple[int, ...], ...] = tuple(map(_two_away, _AREAS))

_OF_A_SIDE = (
    "risk", "lost", "abroad", "top risk", "lone", "pool", "quarters", "castles", "noble steps", "north", "south", "stack",
    "contact",
)  # fmt: skip
NAMES: tuple[str, ...] = (
    *(ROSTER[n] for n in TURNING),
    "lead", "few English", "few Scots",
    "Moray", "Moray in danger", "Wallace", "Wallace's steps", "Wallace in danger", "King", "King in danger",
    "Edward I", "Edward in Scotland", "Edward in danger",
    "infantry", "knights and archers", "levy", "Scottish steps", "Scottish blocks", "raid",
    *(f"English {what}" for what in _OF_A_SIDE),
    *(f"Scottish {what}" for what in _OF_A_SIDE),
)  # fmt: skip
"""What they are: who follows whom; nobles; leaders; common blocks; then by side
nobles in danger, away from homes that are taken, away from others, in the greatest danger, alone; blocks in the pool, who can
winter, castles, steps of nobles, of others in the north and the south, the strongest group, enemies in danger."""


class _Army:
    """The blocks of one side on the map, and their reach."""

    __slots__ = (
        "blocks", "castles", "infantry", "knights", "levy", "noble_steps", "north", "quarters", "reach", "root", "south", "stack",
        "steps",
    )  # fmt: skip

    def __init__(self, model: SmallGame, side: int) -> None:
        self.blocks = self.castles = self.infantry = self.knights = self.levy = self.noble_steps = 0
        self.north = self.south = self.steps = self.quarters = 0
        self.stack = 0.0
        self.root = [0.0] * len(NEAR)
        """By area, the root of the power of those who defend it."""
        self.reach = [0.0] * len(NEAR)
        """By area, the root of the power that could come there."""
        for area, there in enumerate(model.men[side]):
            if there:
                self._count(model.st, side, area, there)

    def _count(self, st: list[int], side: int, area: int, there: list[int]) -> None:
        total = home = others = able = 0
        force, room = 0.0, LIMITS[side][area]
        for b in there:
            steps = st[b]
            total += steps
            force += steps * FORCE[b]
            if TURNS[b]:
                self.noble_steps += steps
                if area in HOMES[b]:
                    home += steps
                    room -= 1
                continue
            others += steps
            self.blocks += 1
            able += side == SCOTS or INFANTRY[b]
            if area == ENGLAND:
                self.levy += steps
            elif INFANTRY[b]:
                self.infantry += steps
            else:
                self.knights += steps
        self.steps += others
        root = sqrt(total * force)
        self.root[area] = sqrt(total * (force + home)) if home else root
        self._spread(area, root, len(there))
        if area == ENGLAND:
            return
        self.castles += LIMITS[side][area]
        self.quarters += min(max(0, room), able)
        self.stack = max(self.stack, root)
        if area < NORTH:
            self.north += others
        elif area >= SOUTH:
            self.south += others

    def _spread(self, area: int, root: float, count: int) -> None:
        reach = self.reach
        for b, most in BESIDE[area]:
            reach[b] += root if count <= most else root * most / count
        for b in TWO_AWAY[area]:
            reach[b] += FURTHER * root


class _Nobles:
    """How safe the nobles of one side are."""

    __slots__ = ("abroad", "lone", "lost", "risk", "top")

    def __init__(self, model: SmallGame, side: int, own: _Army, enemy: _Army) -> None:
        self.risk = self.top = 0.0
        self.lost = self.abroad = self.lone = 0
        men, foes = model.men[side], model.men[1 - side]
        for n in TURNING:
            if model.side[n] != side:
                continue
            area = model.at[n]
            self.lone += len(men[area]) == 1
            risk = _danger(enemy.reach[area], own.root[area])
            if area not in HOMES[n]:
                if free := [home for home in HOMES[n] if not foes[home]]:
                    self.abroad += 1
                    t = min(enemy.reach[home] for home in free)
                    risk = max(risk, t * t / (t * t + EMPTY_HOME))
                else:
                    self.lost += 1
            self.risk += risk
            self.top = max(self.top, risk)


def _danger(theirs: float, ours: float) -> float:
    """Return how dangerous power is that can come, by the roots of both powers."""
    t = theirs * theirs
    return t / (t + HOLD * ours * ours + STRAY)


def features(model: SmallGame) -> list[float]:
    """Return the features, in the order of `NAMES`."""
    st, at = model.st, model.at
    armies = _Army(model, ENGLISH), _Army(model, SCOTS)
    english, scots = armies
    following = sum(model.side[n] for n in TURNING)

    def danger(block: int) -> float:
        side, area = model.side[block], at[block]
        return _danger(armies[1 - side].reach[area], armies[side].root[area]) if area >= 0 else 0.0

    found: list[float] = [1 - 2 * model.side[n] for n in TURNING]
    found += (
        model.nobles(), max(0, FEW - len(TURNING) + following), max(0, FEW - following - (at[MORAY] >= 0)),
        at[MORAY] >= 0, danger(MORAY), at[WALLACE] >= 0, st[WALLACE], danger(WALLACE), at[KING] >= 0, danger(KING),
        model.edward == 1, at[EDWARD] > ENGLAND, danger(EDWARD) * (1.0 if model.edward == 1 else EDWARD_II),
        english.infantry, english.knights, english.levy, scots.steps, scots.blocks, bool(model.men[SCOTS][ENGLAND]),
    )  # fmt: skip
    for side, own in enumerate(armies):
        enemy = armies[1 - side]
        nobles = _Nobles(model, side, own, enemy)
        pool = sum(at[b] == POOL for b, owner in enumerate(OWNERS) if owner == side)
        contact = added(_danger(own.reach[a], theirs) for a, theirs in enumerate(enemy.root) if theirs and own.reach[a])
        found += (
            nobles.risk, nobles.lost, nobles.abroad, nobles.top, nobles.lone, pool, own.quarters, own.castles,
            own.noble_steps, own.north, own.south, own.stack, contact,
        )  # fmt: skip
    return found
