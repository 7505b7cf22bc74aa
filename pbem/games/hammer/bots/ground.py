"""The worth of certain blocks in an area: the one evaluation behind moves, regroups and retreats.

`Ground.worth(area, staying, coming)` weighs the noble at home there, the coming battle, the enemy's possible reinforcements, and
whether the blocks can winter there. A plan is good if it raises the sum over all areas it changes.
"""

from __future__ import annotations

from functools import cached_property

from ..rules import AREAS, BLOCKS, ENGLAND, ENGLISH, KING, NOBLES, WALLACE
from .adding import added
from .force import NOTHING, odds
from .situation import CROWN, DISTANCE, LIVES_IN, NOBLE, Situation

Blocks = tuple[str, ...]
GARRISON = (4.5, 4.5, 4.5, 4.0, 4.0)
"""What an English infantry block in a castle is worth, by the game turns still to come this year."""


class Ground:
    """The worth of areas in one situation; remembers what it has worked out."""

    def __init__(self, situation: Situation) -> None:
        self.now = situation
        self._known: dict[tuple[str, Blocks, Blocks, Blocks], float] = {}

    def worth(self, area: str, staying: Blocks = (), coming: Blocks = (), late: Blocks = ()) -> float:
        """Return the worth of the area to us with these blocks in it; `coming` attack or move in, `late` are their reserve."""
        key = (area, staying, coming, late)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._worth(*key)
        return found

    def _worth(self, area: str, staying: Blocks, coming: Blocks, late: Blocks) -> float:
        now = self.now
        blocks = staying + coming + late
        stake = now.stakes.get(area, 0.0)
        if not blocks:
            if now.foes.get(area):
                return min(0.0, stake)
            return min(0.0, stake) * self._taken(area)
        if now.foes.get(area):
            return self._battle(area, staying, coming, late, stake)
        return self._held(area, blocks, stake)

    def _taken(self, area: str) -> float:
        """How likely the enemy is to walk into an empty area before winter."""
        if not self.now.answers:
            return 0.0
        near = self.now.threats[area].steps / 2.7
        return min(0.95, 0.5 * near) * (1.0 if self.now.answers > 1 else 0.85)

    def _held(self, area: str, blocks: Blocks, stake: float) -> float:
        now = self.now
        threat = now.threats[area]
        lost = 0.0
        if now.answers and threat.steps:
            # the enemy comes only if it pays, and he cannot come everywhere
            lost = (odds(threat, now.force(blocks, area)).wins - 0.15) * 0.55
            lost = max(0.0, lost) * (1.0 if now.answers > 1 else 0.8)
        value = max(0.0, stake) * (1.0 - lost) + min(0.0, stake) * lost
        value -= lost * self._at_risk(area, blocks)
        if area == ENGLAND:
            value += self._in_england(blocks)
        else:
            value += added(self._standing(name, area) for name in blocks)
        return value + self._wintering(area, blocks)

    def _at_risk(self, area: str, blocks: Blocks) -> float:
        now = self.now
        risk = 0.0
        for name in blocks:
            risk += 0.3 * now.step_worth(name) * now.strength[name] + 0.4 * self._capture(name, area)
            if now.is_crown(name):
                risk += 0.5 * CROWN
        return risk

    def _capture(self, name: str, area: str) -> float:
        """Return the cost of a captured noble: at home little more than his home, which is counted by itself."""
        if name not in NOBLES:
            return 0.0
        return NOBLE * (0.2 if area in BLOCKS[name].homes else 1.0)

    def _battle(self, area: str, staying: Blocks, coming: Blocks, late: Blocks, stake: float) -> float:
        now = self.now
        if staying:
            # attacked there: what comes is a reserve
            fight = odds(
                now.foe_force(area, defends=False), now.force(staying, area), later=now.force(coming + late, area)
            )
            wins, kept, theirs = 1.0 - fight.wins, fight.defender, fight.attacker
        else:
            # Player 1's target may be reinforced
            helped = now.threats[area].times(0.3) if now.answers > now.turns_left else NOTHING
            fight = odds(now.force(coming), now.foe_force(area, defends=True), now.force(late), helped)
            wins, kept, theirs = fight.wins, fight.attacker, fight.defender
        blocks = staying + coming + late
        value = wins * max(0.0, stake) * 0.85 + (1.0 - wins) * min(0.0, stake)
        value += wins * NOBLE * 0.5 * now.captives(area)
        foe_steps = now.foe_force(area, defends=False).steps
        value += 0.55 * (1.0 - theirs) * foe_steps
        for name in blocks:
            value -= (1.0 - kept) * now.step_worth(name) * now.strength[name]
            value -= 0.9 * (1.0 - wins) * (1.0 - kept) * self._capture(name, area)
            if now.is_crown(name):
                value -= (1.0 - wins) * CROWN * 0.6
        return value + 0.5 * added(self._standing(name, area) for name in blocks)

    # where a block stands well

    @cached_property
    def _goals(self) -> tuple[str, ...]:
        """Where we want to be in winter and are not: their nobles' homes, and ours that they hold."""
        now = self.now
        return tuple(
            a
            for a, stake in now.stakes.items()
            if (stake > 0 and not now.own.get(a)) or (stake < 0 and now.foes.get(a))
        )

    @cached_property
    def _far(self) -> dict[str, int]:
        return {area: min((DISTANCE[area][goal] for goal in self._goals), default=0) for area in AREAS}

    def _standing(self, name: str, area: str) -> float:
        if name in NOBLES and area in BLOCKS[name].homes:
            return 2.5
        urge = 0.3 if name in NOBLES else 0.6
        return -urge * self._far[area]

    def _in_england(self, blocks: Blocks) -> float:
        now = self.now
        if now.side == ENGLISH:
            # they are of no use there, and disband in winter
            return -(5.5 if now.turns_left else 2.5) * len(blocks)
        loss = 2.0 if any(now.foes.values()) else 0.0  # 5.9: a raid costs the English one block a turn
        leaving = () if now.turns_left > 1 else [n for n in blocks if n not in (WALLACE, KING)]
        at_home = added(0.8 * now.strength[n] for n in leaving)
        return loss * (1 + 0.3 * now.turns_left) - at_home - 0.8 * (len(blocks) - 1)

    def _wintering(self, area: str, blocks: Blocks) -> float:
        """Return the worth of their possible wintering there, or the loss if they cannot (7.32, 7.5)."""
        now = self.now
        if area == ENGLAND or now.last_year:
            return 0.0
        if now.side == ENGLISH:
            # infantry that garrisons a castle need not cross the border again, and stands by the noble at home there
            able = [n for n in blocks if BLOCKS[n].type == "infantry"]
            guards = any(now.follows(n) == ENGLISH for n in LIVES_IN[area])
            return GARRISON[now.turns_left] * min(len(able), now.winter_room(area)) * (1.3 if guards else 1.0)
        if now.turns_left > 1:
            return 0.0
        steps = sorted((now.strength[n] for n in blocks if n not in NOBLES), reverse=True)
        staying = sum(steps[: now.winter_room(area)])
        return (0.25 if now.turns_left else 0.6) * (staying - 0.5 * (sum(steps) - staying))
