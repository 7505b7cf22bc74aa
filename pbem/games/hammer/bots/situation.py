"""A seat's view as the built-in players see it: his blocks, the enemy's numbers, what is at stake where, the threats.

Everything here is read from the view. Hidden blocks are guessed from public knowledge: their number in an area, and that a noble
is mostly at home.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from ..rules import (
    AREAS,
    BLOCK_OF,
    BLOCKS,
    BORDER,
    EDWARD,
    ENGLAND,
    ENGLISH,
    KING,
    NEIGHBOURS,
    NOBLES,
    SCHILTROMS,
    SCOTTISH,
    SLUG,
    WALLACE,
    home_bonus,
    last_year,
    ratings,
)
from ..views import HammerView
from .force import NOTHING, Force, block_force, together

NOBLE = 10.0
"""The worth of a noble who changes sides; all other values are measured by it."""
CROWN = 60.0
"""The worth of a leader if his death loses the game (9.1)."""
NEARNESS = (1.0, 0.75, 0.6, 0.5, 0.45)
"""How much of what winter brings counts now, by the game turns still to come this year."""
_GUESS = {ENGLISH: Force(2.8, 0.05, 0.7, 0.55), SCOTTISH: Force(2.6, 0.15, 0.25, 0.7)}
"""An unknown block, except for a noble at home."""
_NOBLE_DEFENDS, _NOBLE = Force(2.4, 0.0, 1.2, 0.0), Force(2.4, 0.0, 0.8, 0.0)


def _distances() -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for start in AREAS:
        reached, edge = {start: 0}, [start]
        while edge:
            further = {there: reached[here] + 1 for here in edge for there in NEIGHBOURS[here] if there not in reached}
            reached.update(further)
            edge = list(further)
        found[start] = reached
    return found


_IN_SCHILTROM = 0.7
"""What the option of schiltroms adds to Scottish infantry: one, unless archers are there."""

DISTANCE: dict[str, dict[str, int]] = _distances()
"""How many borders lie between two areas."""
LIVES_IN: dict[str, tuple[str, ...]] = {area: tuple(n for n in NOBLES if area in BLOCKS[n].homes) for area in AREAS}
"""The nobles (not Moray) at home in an area."""


class Situation:
    """One seat's view, thought through; `second` says that the enemy has moved already this turn."""

    def __init__(self, view: HammerView, second: bool = False) -> None:
        self.view, self.side, self.foe = view, view.seat, view.enemy
        self.own: dict[str, tuple[str, ...]] = {a: names for a, names in view.groups.items() if a in AREAS}
        self.strength: dict[str, int] = {n: view.blocks[SLUG[n]].strength for names in self.own.values() for n in names}
        self.foes: dict[str, int] = {a: n for a, counts in view.occupancy.items() if (n := counts[self.foe])}
        choosing = bool(view.ask) and view.ask["what"] == "card"  # type: ignore[index]
        self.turns_left: int = max(0, view.cards[self.side].left - int(choosing))
        """Game turns of this year after the present one."""
        self.answers: int = self.turns_left + int(not second)
        """How often the enemy may still move this year."""
        self.last_year: bool = view.year == last_year(view.scenario, view.years or 0)
        self.rated = ratings(view.variants)
        self.nearness = NEARNESS[min(4, self.turns_left)]
        self._foe_forces: dict[tuple[str, bool], Force] = {}

    def follows(self, noble: str) -> str:
        """Return whom a noble follows."""
        return self.view.nobles[SLUG[noble]]

    def is_crown(self, name: str) -> bool:
        """Return whether this leader's death loses the game."""
        return name == KING or (name == EDWARD and self.view.edward == 2)

    def step_worth(self, name: str) -> float:
        """Return the worth of one step of an own block: the English levy is renewed, clans are drawn at strength 1."""
        block = BLOCKS[name]
        if self.is_crown(name):
            return 3.0
        if name == WALLACE:
            return 1.3
        if self.side == ENGLISH:
            return 0.5 if block.type in ("infantry", "noble") else 0.35
        return 0.7

    # what is at stake where

    @cached_property
    def stakes(self) -> dict[str, float]:
        """By area, the worth of a hold in winter: for a home of theirs above 0, for one of ours below 0."""
        found: dict[str, float] = {}
        for name in NOBLES:
            ours = self.follows(name) == self.side
            for home in BLOCKS[name].homes:
                value = NOBLE * self.nearness
                if ours and self.side == ENGLISH:
                    value = min(NOBLE, 1.3 * value)  # most of the English nobles stand alone, and far away
                if others := [other for other in BLOCKS[name].homes if other != home]:
                    # 7.12: he changes sides only if both his homes are taken
                    taken = self.foes.get(others[0]) if ours else self.own.get(others[0])
                    value *= 1.0 if taken else 0.35
                found[home] = -value if ours else value
        return found

    # forces

    def force(self, names: Iterable[str], area: str = "") -> Force:
        """Return the force of own blocks; as defenders of `area` if it is named."""
        steps = first = second = third = 0.0
        for name in names:
            letter, most = self.rated[name]
            strength = self.strength[name]
            hits = strength * (most + self.plus(name, area)) / 6
            steps += strength
            if letter == "A":
                first += hits
            elif letter == "B":
                second += hits
            else:
                third += hits
        return Force(steps, first, second, third)

    def plus(self, name: str, area: str) -> float:
        """Return what may be added to a block's rating, as a defender of `area` if it is named."""
        variants = self.view.variants
        if BLOCKS[name].homes:
            return float(home_bonus(name, area, bool(area), variants))
        infantry = SCHILTROMS in variants and (BLOCKS[name].owner, BLOCKS[name].type) == (SCOTTISH, "infantry")
        return _IN_SCHILTROM * infantry

    @cached_property
    def _revealed(self) -> dict[str, list[tuple[str, int]]]:
        found: dict[str, list[tuple[str, int]]] = {}
        for key, shown in self.view.revealed.items():
            if shown.side == self.foe:
                found.setdefault(shown.at, []).append((BLOCK_OF[key], shown.strength or 2))
        return found

    def foe_force(self, area: str, defends: bool) -> Force:
        """Return what the enemy in an area may amount to."""
        found = self._foe_forces.get((area, defends))
        if found is None:
            found = self._foe_forces[area, defends] = self._foe_force(area, defends)
        return found

    def _foe_force(self, area: str, defends: bool) -> Force:
        known = self._revealed.get(area, ())
        hidden = max(0, self.foes.get(area, 0) - len(known))
        found = together(
            block_force(name, strength, self.view.variants, self.plus(name, area if defends else ""))
            for name, strength in known
        )
        if hidden and any(self.follows(n) == self.foe for n in LIVES_IN[area] if n not in dict(known)):
            found += _NOBLE_DEFENDS if defends else _NOBLE
            hidden -= 1
        return found + self.guess(hidden)

    def guess(self, blocks: float) -> Force:
        """Return what some unknown enemy blocks may amount to."""
        return _GUESS[self.foe].times(blocks) if blocks else NOTHING

    def captives(self, area: str) -> float:
        """Return how many enemy nobles may be expected among the blocks in an area."""
        if known := dict(self._revealed.get(area, ())):
            return sum(name in NOBLES for name in known)
        return 0.85 * any(self.follows(n) == self.foe for n in LIVES_IN[area]) if self.foes.get(area) else 0.0

    @cached_property
    def threats(self) -> dict[str, Force]:
        """By area, what the enemy could bring there in one move."""
        return {area: self.guess(self._near(area)) for area in AREAS}

    def _near(self, area: str) -> float:
        near = 0.0
        for there, count in self.foes.items():
            far = DISTANCE[there][area]
            if there == area or far > 2:
                continue
            if ENGLAND in (there, area):
                near += min(count, 2) * (0.8 if far == 1 else 0.5)  # 4.4: one block a Group Move
            elif far == 1:
                near += min(count, BORDER[there, area].limit)
            else:
                near += min(count, 4) * 0.4
        return min(near, 6.0)

    def winter_room(self, area: str) -> int:
        """Return the number of blocks that may winter in an area, beyond the own nobles who will be home there."""
        printed = AREAS[area]
        limit = printed.limit + int(printed.cathedral and self.side == SCOTTISH)
        return max(0, limit - sum(1 for n in LIVES_IN[area] if self.follows(n) == self.side))
