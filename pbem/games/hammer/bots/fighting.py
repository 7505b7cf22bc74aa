"""Battles: who fires, who retreats and where, who takes hits, where victors regroup, which battle comes first."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.kernel import Order

from .. import orders
from ..game import GAME
from ..questions.question import asked_area
from ..rules import (
    BLOCK_OF,
    BLOCKS,
    ENGLAND,
    ENGLISH,
    NOBLES,
    NORSE,
    WALLACE,
    Exits,
    Fight,
    combat_turn,
    default_places,
    exits_seen,
    raided,
    tied_seen,
)
from ..views import HammerView
from .adding import added
from .force import NOTHING, ROUNDS, Odds, block_force, odds, together
from .ground import Ground
from .situation import Situation

FLEE = 0.2
"""Below this chance to win, who may leave leaves."""


def act_in_battle(view: HammerView) -> Order:
    """Return what the blocks do in their combat turn: first those fire who stay, then those go who flee."""
    now = Situation(view, second=True)
    battle = view.fight
    turn, fleeing = combat_turn(view), list[str]()
    for name in sorted(turn.blocks, key=lambda n: (n not in NOBLES, n)):
        if turn.fire and _flees(now, battle, name, _chance(now, battle, fleeing)):
            fleeing.append(name)
    places = _places(view, turn.area, turn.exits, fleeing, leave=True)
    going = [orders.Act(block=place.block, action="RETREAT", to=place.to) for place in places]
    gone = {act.block for act in going}
    staying = [orders.Act(block=n, action="FIRE" if turn.fire else "PASS") for n in turn.blocks if n not in gone]
    return orders.BattleActions(area=turn.area, acts=(*staying, *going))


def _chance(now: Situation, battle: Fight, fleeing: Sequence[str]) -> float:
    """Return our chance to win the rest of the battle without the blocks that flee."""
    ours, reserve = _split(now, battle, fleeing)
    front = battle.front(now.foe)
    shown = {BLOCK_OF[key]: entry.strength for key, entry in now.view.revealed.items()}
    defends = battle.attacker == now.side
    held, variants = battle.area if defends else "", now.view.variants
    theirs = together(block_force(n, shown.get(n, 2), variants, now.plus(n, held)) for n in front)
    theirs_late = now.guess(max(0, now.foes.get(battle.area, 0) - len(front)))
    own = now.force(ours, "" if defends else battle.area)
    own_late = now.force(reserve, "" if defends else battle.area)
    rounds = max(1, ROUNDS + 1 - battle.round)
    if battle.attacker == now.side:
        return odds(own, theirs, own_late, theirs_late, rounds).wins
    return 1.0 - odds(theirs, own, theirs_late, own_late, rounds).wins


def _split(now: Situation, battle: Fight, fleeing: Sequence[str]) -> tuple[list[str], list[str]]:
    there = [n for n in now.own.get(battle.area, ()) if n not in fleeing and n not in battle.leaving]
    front = battle.front(now.side)
    return [n for n in there if n in front], [n for n in there if n not in front]


def _flees(now: Situation, battle: Fight, name: str, chance: float) -> bool:
    attacks = battle.attacker == now.side
    if now.is_crown(name):
        return chance < 0.75 or (now.strength[name] <= 1 and chance < 0.9)
    if attacks and battle.round == ROUNDS:
        return False  # he fires, and must go afterwards
    if name in NOBLES and battle.area in BLOCKS[name].homes and not attacks:
        return chance < 0.05  # if he goes the enemy holds his home, and in winter he changes sides at full strength
    if now.side == ENGLISH and name not in NOBLES and BLOCKS[name].type != "infantry":
        return chance < 0.1 and not attacks  # who disbands in winter anyhow has nothing to spare himself for
    limit = FLEE
    if name in NOBLES:
        limit += 0.1
    if name == WALLACE or now.strength[name] == 1:
        limit += 0.05
    return chance < limit


def take_hits(view: HammerView) -> Order:
    """Return which of the equally strong blocks take hits: those worth least."""
    now = Situation(view, second=True)
    among, hits = tied_seen(view)
    tied = sorted(among, key=lambda n: _worth(now, n))
    return orders.Hits(area=view.fight.area, blocks=tuple(tied[:hits]))


def _worth(now: Situation, name: str) -> tuple[float, str]:
    block = BLOCKS[name]
    rated = now.rated[name]
    value = now.step_worth(name) * (1 + rated.most) + 0.2 * "CBA".index(rated.letter)
    if now.strength.get(name, 2) == 1:
        value += 5.0 * (name in NOBLES) + 3.0 * block.cross  # the last step is a captive, or a block gone for good
    return value, name


def pillage_losses(view: HammerView) -> Order:
    """Return the losses that cost least."""
    now = Situation(view, second=True)

    def cost(order: Order) -> tuple[float, str]:
        assert isinstance(order, orders.Hits)  # noqa: S101 - the question takes no other
        return added(_worth(now, n)[0] for n in order.blocks), str(order)

    return min(GAME.options(view), key=cost)


def gains(view: HammerView) -> Order:
    """Return the gains that are worth most."""
    now = Situation(view, second=True)

    def value(order: Order) -> tuple[float, str]:
        steps = order.steps if isinstance(order, orders.Gains) else ()
        return added(s.steps * fed(now, s.block) for s in steps), str(order)

    return max(GAME.options(view), key=value)


def fed(now: Situation, name: str) -> float:
    """Return the worth of one step more to a block."""
    rated = now.rated[name]
    return rated.most + 0.5 * "CBA".index(rated.letter) + (0.5 if now.strength.get(name, 2) < 2 else 0.0)


# going


def places(view: HammerView, area: str, open_to: Exits, blocks: Sequence[str]) -> tuple[orders.Place, ...]:
    """Return where blocks would retreat to, if there is a way."""
    return _places(view, area, open_to, blocks, leave=True)


def retreat(view: HammerView) -> Order:
    """Return where the retreating blocks go: to the safest ground, nobles first."""
    area, blocks = asked_area(view), view.frames["retreat"]["blocks"]
    open_to = exits_seen(view, area)
    places = _places(view, area, open_to, blocks, leave=True)
    if {p.block for p in places} != set(blocks):
        places = default_places(open_to, blocks)
    return orders.Retreat(area=area, places=places)


def regroup(view: HammerView) -> Order:
    """Return where the victors go: they spread out where that gains ground."""
    area = asked_area(view)
    open_to = exits_seen(view, area, regroup=True)
    places = _places(view, area, open_to, view.groups.get(area, ()), leave=False)
    return orders.Regroup(area=area, places=places) if places else orders.Pass()


def _places(
    view: HammerView, area: str, open_to: Exits, blocks: Sequence[str], leave: bool
) -> tuple[orders.Place, ...]:
    now = Situation(view, second=True)
    ground = Ground(now)
    room, coasts = dict(open_to.room), list(open_to.coasts)
    standing = {there: now.own.get(there, ()) for there in (*room, *coasts)}
    here = () if leave else tuple(blocks)
    found = []
    for name in sorted(blocks, key=lambda n: (n == NORSE, n not in NOBLES, n)):
        without = tuple(n for n in here if n != name)
        lost = 0.0 if leave else ground.worth(area, here) - ground.worth(area, without)
        choices = coasts if name == NORSE else [there for there, n in room.items() if n]
        judged = [
            (ground.worth(to, (*standing.get(to, ()), name)) - ground.worth(to, standing.get(to, ())) - lost, to)
            for to in choices
        ]
        if not judged:
            continue
        gain, to = max(judged)
        if leave or gain > 0.5:
            found.append(orders.Place(block=name, to=to))
            standing[to] = (*standing.get(to, ()), name)
            here = without
            if name != NORSE:
                room[to] -= 1
    return tuple(found)


# other choices


def next_battle(view: HammerView) -> Order:
    """Return the battle to fight first: the surest, since it opens ways to retreat for the others."""
    now = Situation(view, second=True)

    def sure(area: str) -> tuple[float, str]:
        return _hope(now, area).wins, area

    return orders.NextBattle(area=max(view.contested, key=sure))


def _hope(now: Situation, area: str) -> Odds:
    return odds(now.force(now.own.get(area, ())), now.foe_force(area, defends=True), NOTHING, NOTHING)


def raid(view: HammerView) -> Order:
    """Return the English block that a border raid costs: one in England, or the weakest that does not hold an area."""
    now = Situation(view, second=True)
    place = {n: area for area, names in now.own.items() for n in names}

    def worth(name: str) -> tuple[float, str]:
        area = place[name]
        alone = len(now.own[area]) == 1 and area != ENGLAND
        return now.strength[name] * BLOCKS[name].rating / 3 + 2.0 * (area != ENGLAND) + 4.0 * alone, name

    return orders.Raid(block=min(raided(view), key=worth))
