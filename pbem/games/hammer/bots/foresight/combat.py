"""A battle in small: three rounds, letter by letter, dice, captives, who flees; and the way out (5.0)."""

from __future__ import annotations

from typing import NamedTuple

from .model import SmallGame
from .numbers import (
    CELTS,
    CROSS,
    DEAD,
    DICE,
    EDWARD,
    ENGLAND,
    ENGLISH,
    FORCE,
    HOMES,
    KING,
    LETTER,
    LIMITS,
    LIVES_IN,
    NEAR,
    NORSE,
    POOL,
    RATING,
    SCOTS,
    SIX,
    TURNS,
    Dice,
)

ROUNDS = 3
TURNS_A_ROUND = 6
FLEE = ((0.5, 0.5), (0.9, 0.5))
"""By side, below which share of the enemy's power it gives way as attacker and as defender: nobles at home flee, too."""
CROWN = 1.1
"""So does a leader if his death loses the game."""


def power(model: SmallGame, blocks: list[int], area: int = -1) -> float:
    """Return what blocks are worth in a fight; as defenders of `area` if it is named. Power grows as the square of numbers."""
    st, steps, force = model.st, 0, 0.0
    for b in blocks:
        steps += st[b]
        force += st[b] * (FORCE[b] + 1 if area in HOMES[b] and TURNS[b] else FORCE[b])
    return steps * force


def fight(model: SmallGame, area: int, dice: Dice) -> None:
    """Fight the battle in an area to its end."""
    _Fight(model, area, dice).through(0, 0, frozenset())


def fight_on(model: SmallGame, area: int, dice: Dice, at: BattleMoment, stay: frozenset[int]) -> None:
    """Continue a battle in its middle; blocks in `stay` fire in this round in any case."""
    _Fight(model, area, dice, stay).through(at.round - 1, at.turn, at.acted)


class BattleMoment(NamedTuple):
    """A moment of a battle: the round from 1, the combat turn of six in the round, and the blocks that have acted in it."""

    round: int
    turn: int
    acted: frozenset[int]


class _Fight:
    def __init__(self, model: SmallGame, area: int, dice: Dice, stay: frozenset[int] = frozenset()) -> None:
        self.model, self.area, self.dice, self.stay = model, area, dice, stay
        self.attacker = model.attacker.get(area, ENGLISH)
        late = model.late
        self.front = [[b for b in there[area] if b not in late] for there in model.men]

    def through(self, start: int, turn: int, acted: frozenset[int]) -> None:
        model, area = self.model, self.area
        english, scots = model.men
        if not start and not turn and not acted:
            self._unity(self.front[ENGLISH])
        for n in range(start, ROUNDS):
            if n > start:
                here = [b for b in english[area] if b not in self.front[ENGLISH]]
                self.front = [english[area][:], scots[area][:]]
                self._unity(here)
            if not english[area] or not scots[area]:
                return
            self._round(n, turn if n == start else 0, acted if n == start else frozenset())
            if model.winner >= 0:
                return
            if not n and not self.front[1 - self.attacker] and self.front[self.attacker]:
                self.attacker = 1 - self.attacker
        if english[area] and scots[area]:
            self._withdraw()

    def _unity(self, blocks: list[int]) -> None:
        """Ulster and Wales may go home when they are revealed (5.2)."""
        for b in blocks:
            if b in CELTS and self.dice.random() * 3 < 1:
                self.model.take(b)
        self.front[ENGLISH] = [b for b in self.front[ENGLISH] if self.model.at[b] == self.area]

    def _round(self, n: int, start: int, acted: frozenset[int]) -> None:
        model, front = self.model, self.front
        fleeing = self._fleeing(n) - self.stay
        self.stay = frozenset()
        for turn in range(start, TURNS_A_ROUND):
            side = self.attacker if turn % 2 else 1 - self.attacker
            for b in [b for b in front[side] if LETTER[b] == turn // 2]:
                if b not in front[side] or (turn == start and b in acted):
                    continue
                if b in fleeing and self._flee(b):
                    front[side].remove(b)
                elif front[1 - side]:
                    self._fire(b, side)
                if model.winner >= 0:
                    return

    def _fleeing(self, n: int) -> set[int]:
        """Return who gives way in this round, if he can."""
        model, area, found = self.model, self.area, set[int]()
        for side in (ENGLISH, SCOTS):
            foe, mine = model.men[1 - side][area], model.men[side][area]
            theirs = power(model, foe, area if side == self.attacker else -1)
            ours = power(model, mine, -1 if side == self.attacker else area)
            defends = side != self.attacker
            if ours < FLEE[side][defends] * theirs:
                found.update(mine)
            if ours < CROWN * theirs:
                found.update(b for b in mine if b == KING or (b == EDWARD and model.edward > 1))
        if n == ROUNDS - 1:
            found -= set(model.men[self.attacker][area])  # they fire, and go afterwards
        return found

    def _fire(self, b: int, side: int) -> None:
        model, area = self.model, self.area
        rating = RATING[b] + (TURNS[b] and side != self.attacker and area in HOMES[b])
        strength = model.st[b]
        foes, st = self.front[1 - side], model.st
        for _ in range(DICE[rating][strength][int(self.dice.random() * SIX**strength)]):
            if not foes:
                return
            victim = self._victim(foes)
            st[victim] -= 1
            if not st[victim]:
                foes.remove(victim)
                self._eliminate(victim)

    def _victim(self, foes: list[int]) -> int:
        """Return who takes a hit: one of the strongest, a soldier before a noble."""
        return max(foes, key=lambda f: (self.model.st[f], not TURNS[f], -RATING[f]))

    def _eliminate(self, b: int) -> None:
        model = self.model
        if TURNS[b]:
            model.turn_over(b)
            model.st[b] = 1
        elif b == KING:
            model.winner = ENGLISH
        elif b == EDWARD and model.edward > 1:
            model.winner = SCOTS
        elif b == EDWARD:
            model.take(b, POOL)
            model.edward = 2
        else:
            model.take(b, DEAD if CROSS[b] else POOL)

    def _flee(self, b: int) -> bool:
        if (to := refuge(self.model, b, self.area)) >= 0:
            self.model.go(b, to)
        return to >= 0

    def _withdraw(self) -> None:
        """After round 3 the attackers must go (5.3)."""
        for b in self.model.men[self.attacker][self.area][:]:
            if not self._flee(b):
                self._eliminate(b)


def refuge(model: SmallGame, b: int, area: int) -> int:
    """Return where a block retreats to, -1 if it has no way: to its home, to valuable ground, to friends."""
    side = model.side[b]
    foes, own = model.men[1 - side], model.men[side]
    best, found = -1.0, -1
    if b == NORSE:
        return next((a for a, there in enumerate(own) if there and a not in (area, ENGLAND) and not foes[a]), -1)
    for to in NEAR[area]:
        if foes[to] or to == ENGLAND or model.shut.get((area, to), side) != side:
            continue
        if side == ENGLISH and area == ENGLAND:
            continue
        value = 2.0 * (to in HOMES[b]) + LIMITS[side][to] * 0.3 + 0.4 * bool(own[to]) + 0.5 * bool(LIVES_IN[to])
        if value > best:
            best, found = value, to
    return found
