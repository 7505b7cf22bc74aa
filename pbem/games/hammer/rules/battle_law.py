"""Combat turns: the side, the blocks that act, and the legal actions of each, from the view of the asked seat.

Rules 5.31, 5.4, 5.41, 5.5. The blocks named in an order act one by one, in that order; unnamed blocks are asked about again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations
from typing import NamedTuple

from pbem.kernel import Refusal

from ..orders import Act
from .asked import Asked
from .hits import forced_and_tied, has_one_target, on_the_strongest
from .printed import NORSE
from .ratings import ratings
from .retreat_law import Exits, exits_seen
from .said import _

LETTERS = "ABC"


def waiting(front: Iterable[str], turn: int, acted: Sequence[str], variants: tuple[str, ...]) -> tuple[str, ...]:
    """Return the blocks of a front line that may act in this combat turn and have not."""
    letter, rated = LETTERS[turn // 2], ratings(variants)
    return tuple([name for name in front if rated[name].letter == letter and name not in acted])


class CombatTurn(NamedTuple):
    """What a seat may order now: the blocks still to act, whether an enemy is in front, and where one may retreat to."""

    area: str
    letter: str
    blocks: tuple[str, ...]
    fire: bool
    exits: Exits

    def acts(self, name: str) -> Iterator[Act]:
        """Go through what a block may do."""
        if self.fire:
            yield Act(block=name, action="FIRE")
        yield from (Act(block=name, action="RETREAT", to=to) for to in self.exits.ways(name))
        yield Act(block=name, action="PASS")

    def refusal(self, act: Act) -> Refusal | None:
        """Return why a block may not do that."""
        name, ways = act.block, self.exits.ways(act.block)
        if name not in self.blocks:
            return Refusal(_("it is not the turn of {name}", name=name), "5.31")
        if act.action == "FIRE" and not self.fire:
            return Refusal(_("there is no enemy block in front to fire at"), "5.4")
        if act.action != "RETREAT":
            return Refusal(_("{name} names a place and does not retreat", name=name), "5.31") if act.to else None
        if act.to:
            return self.exits.refusal(name, act.to, "5.5")
        if not ways:
            return Refusal(_("{name} has nowhere to retreat to", name=name), "4.7" if name == NORSE else "5.5")
        return Refusal(_("where {name} retreats to is missing", name=name), "5.5")

    def after(self, act: Act) -> CombatTurn:
        """Return what may be ordered of the other blocks when this one has done that."""
        left = tuple(name for name in self.blocks if name != act.block)
        return self._replace(blocks=left, exits=self.exits.after(act.block, act.to) if act.to else self.exits)


def combat_turn(view: Asked) -> CombatTurn:
    """Return the combat turn that the seat is asked about."""
    battle = view.fight
    blocks = waiting(battle.front(view.seat), battle.turn, battle.acted, view.variants)
    fire = bool(battle.front(view.enemy))
    return CombatTurn(battle.area, LETTERS[battle.turn // 2], blocks, fire, exits_seen(view, battle.area))


def acts_refusal(turn: CombatTurn, acts: Sequence[Act]) -> Refusal | None:
    """Return why blocks may not act so, in this order."""
    if not acts:
        return Refusal(_("an order names a block and what it does"), "5.31")
    named: set[str] = set()
    for act in acts:
        if act.block in named:
            return Refusal(_("{block} is named twice", block=act.block), "5.31")
        if refusal := turn.refusal(act):
            return refusal
        named.add(act.block)
        turn = turn.after(act)
    return None


def every_acts(turn: CombatTurn) -> Iterator[tuple[Act, ...]]:
    """Go through all legal orders: for all blocks together first, in every order, then for fewer and fewer of them."""

    def further(left: CombatTurn, names: Sequence[str]) -> Iterator[tuple[Act, ...]]:
        if not names:
            yield ()
            return
        for act in left.acts(names[0]):
            for others in further(left.after(act), names[1:]):
                yield (act, *others)

    for n in range(len(turn.blocks), 0, -1):
        for names in permutations(turn.blocks, n):
            yield from further(turn, names)


def tied_seen(view: Asked) -> tuple[tuple[str, ...], int]:
    """Return the seat's equally strong blocks, and how many of them are hit (5.41); by the options it is one for all hits."""
    battle = view.fight
    own = battle.strengths(view.seat)
    if has_one_target(view.variants):
        return on_the_strongest(own, battle.hits)[1], 1
    _forced, tied, hits = forced_and_tied(own, battle.hits)
    return tied, hits
