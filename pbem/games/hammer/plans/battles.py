"""The answers of plans in battles: combat turns, hits, retreats, regroups, which battle comes first, raids and pillage.

They are decided from the asked seat's view alone, and only where the clauses cover the question. A retreat without an open place
among those named is skipped, and the seat is asked about the blocks then left uncovered. A plan for a battle has these parts:

- `FIGHT`: every block fires; with no enemy in front it passes
- `FIGHT 2 ROUNDS, THEN RETREAT Lennox, Carrick`: as `RETREAT Lennox, Carrick IF ROUND 3; FIGHT`
- `RETREAT Lennox, Carrick`: each block retreats in its combat turn, to the first open place; also after round 3
- `RETREAT Lennox IF …`: the same under a condition; separate several with `OR`:
  - `IF ROUND 2`: from round 2 on
  - `IF ODDS BELOW 1:2`: your steps in front are less than half of the enemy's
  - `IF LOST 3`: your side lost three steps or more in this battle
  - `IF Wallace BELOW 2`: Wallace has fewer than two steps in front, or isn't there
- `Wallace, Douglas RETREAT Lennox IF …`, `Wallace FIGHT`: for these blocks only; comes before parts for all
- `HITS Douglas, Campbell, ANY`: which of equally strong blocks loses steps first; also in a pillage
- `REGROUP STAY`: victors stay
- `REGROUP Wallace > Lennox, ALL > Fife`: where victors go. If a named block has no way, you are asked; others stay

Lines of their own:

- `PLAN NEXT Lanark, Fife, ANY`: the next battle
- `PLAN RAID Cumbria Infantry, WEAKEST`: the block that a border raid costs
- `PLAN GAINS Wallace, WEAKEST`: who gains the steps of a pillage
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pbem.kernel import Planned

from .. import orders
from ..questions.question import PASS
from ..questions.turn import room_in
from ..rules import (
    BLOCKS,
    SLUG,
    CombatTurn,
    Exits,
    Fight,
    combat_turn,
    exits_seen,
    forced_and_tied,
    raided,
    take_hits,
    tied_seen,
)
from ..views import HammerView
from .clauses import ALL, ANY, WEAKEST, BattleClause, Clause, Condition, Listing, Part, Target


def _plans(clauses: Iterable[Clause], area: str, role: str) -> list[BattleClause]:
    """Return the plans for a battle, the most specific first."""
    fitting = (c for c in clauses if isinstance(c, BattleClause) and c.area in (area, ANY) and c.role in (role, ""))
    return sorted(fitting, key=lambda plan: plan.rank)


def _role(view: HammerView, attacker: str) -> str:
    return "ATTACKING" if view.seat == attacker else "DEFENDING"


# combat turns


def act(view: HammerView, clauses: Sequence[Clause]) -> Planned | None:
    """Return the actions of the blocks in the current combat turn: those who fire first, then those who go."""
    battle, turn = view.fight, combat_turn(view)
    plans = _plans(clauses, battle.area, _role(view, battle.attacker))
    staying: list[orders.Act] = []
    going: list[orders.Act] = []
    spoke: dict[str, None] = {}
    for name in turn.blocks:
        if found := next(_acts(plans, view, battle, turn, name), None):
            clause, does = found
            spoke[clause] = None
            (going if does.to else staying).append(does)
            turn = turn.after(does)
    if not staying and not going:
        return None
    return Planned(orders.BattleActions(area=battle.area, acts=(*staying, *going)), " / ".join(spoke))


def _acts(
    plans: Iterable[BattleClause], view: HammerView, battle: Fight, turn: CombatTurn, name: str
) -> Iterator[tuple[str, orders.Act]]:
    for plan in plans:
        for part in plan.parts:
            if part.blocks and name not in part.blocks:
                continue
            if part.conditions and not any(_holds(condition, view, battle) for condition in part.conditions):
                continue
            if does := _does(part, turn, name):
                yield f"{plan.head}: {part}", does


def _does(part: Part, turn: CombatTurn, name: str) -> orders.Act | None:
    if part.action == "FIGHT":
        return orders.Act(block=name, action="FIRE" if turn.fire else "PASS")
    ways = turn.exits.ways(name)
    to = next((place for place in part.places if place in ways), "")
    return orders.Act(block=name, action="RETREAT", to=to) if to else None


def _holds(condition: Condition, view: HammerView, battle: Fight) -> bool:
    own, foe = battle.strengths(view.seat), battle.strengths(view.enemy)
    match condition.kind:
        case "ROUND":
            return battle.round >= condition.n
        case "LOST":
            return battle.lost[view.seat] >= condition.n
        case "ODDS":  # below a:b
            return sum(own.values()) * condition.to < sum(foe.values()) * condition.n
        case "BELOW":
            return own.get(condition.block, 0) < condition.n


# hits


def _choose(names: Sequence[str], tied: Sequence[str], n: int) -> tuple[str, ...] | None:
    """Return which of the tied blocks are hit by the order of preference; None where it does not say."""
    place = {name: i for i, name in enumerate(names)}
    others = place.get(ANY)
    able = [name for name in tied if name in place or others is not None]
    chosen = sorted(able, key=lambda name: place.get(name, others if others is not None else 0))[:n]
    return tuple(chosen) if len(chosen) == n else None


def hits(view: HammerView, clauses: Sequence[Clause]) -> Planned | None:
    """Return which of the equally strong blocks are hit."""
    battle = view.fight
    tied, n = tied_seen(view)
    for plan in _plans(clauses, battle.area, _role(view, battle.attacker)):
        if chosen := _choose(plan.hits, tied, n):
            order = orders.Hits(area=battle.area, blocks=chosen)
            return Planned(order, f"{plan.head}: HITS {', '.join(plan.hits)}")
    return None


def losses(view: HammerView, clauses: Sequence[Clause]) -> Planned | None:
    """Return how the losses of a pillage fall."""
    ask = view.ask or {}
    area, n = ask["area"], ask["hits"]
    for plan in _plans(clauses, area, ""):
        strength = view.strengths(area)
        found: list[str] = []
        while plan.hits and len(found) < n and strength:
            forced, tied, _ = forced_and_tied(strength, 1)
            chosen = forced or _choose(plan.hits, tied, 1)
            if not chosen:
                break
            found += chosen
            strength = take_hits(strength, chosen)
        if found and (len(found) == n or not strength):
            order = orders.Hits(area=area, blocks=tuple(found))
            return Planned(order, f"{plan.head}: HITS {', '.join(plan.hits)}")
    return None


def gains(view: HammerView, clauses: Sequence[Clause]) -> Planned | None:
    """Return who of the pillaging group gains the steps."""
    ask = view.ask or {}
    area, left = ask["area"], ask["steps"]
    clause = _listing(clauses, "GAINS")
    if clause is None:
        return None
    room = dict(room_in(view, area))
    steps: dict[str, int] = {}
    for name in clause.names:
        able = sorted(room, key=lambda n: -room[n]) if name == WEAKEST else [name] if name in room else []
        for block in able:
            given = min(left, room[block] - steps.get(block, 0))
            if given > 0:
                steps[block] = steps.get(block, 0) + given
                left -= given
    order = orders.Gains(area=area, steps=tuple(orders.Step(block=name, steps=n) for name, n in steps.items()))
    return Planned(order if steps else PASS, str(clause))


# ways


def retreats(view: HammerView, clauses: Sequence[Clause]) -> Planned | None:
    """Return where the blocks go that must retreat after round 3: to the places of the plan, in its order."""
    ask = view.ask or {}
    area, blocks = ask["area"], view.frames["retreat"]["blocks"]
    for plan in _plans(clauses, area, "ATTACKING"):
        open_to = exits_seen(view, area)
        places: list[orders.Place] = []
        for name in blocks:
            wished = [p for part in plan.parts if not part.blocks or name in part.blocks for p in part.places]
            if to := next((place for place in wished if place in open_to.ways(name)), ""):
                places.append(orders.Place(block=name, to=to))
                open_to = open_to.after(name, to)
        if len(places) == len(blocks):
            return Planned(orders.Retreat(area=area, places=tuple(places)), str(plan))
    return None


def regroup(view: HammerView, clauses: Sequence[Clause]) -> Planned | None:
    """Return where the victors regroup to."""
    area = (view.ask or {})["area"]
    for plan in _plans(clauses, area, ""):
        if plan.regroup is None:
            continue
        places = _targets(plan.regroup, exits_seen(view, area, regroup=True), view.groups.get(area, ()))
        if places is None:
            continue
        said = f"{plan.head}: REGROUP {', '.join(map(str, plan.regroup)) or 'STAY'}"
        return Planned(orders.Regroup(area=area, places=places) if places else PASS, said)
    return None


def _targets(targets: Sequence[Target], open_to: Exits, blocks: Sequence[str]) -> tuple[orders.Place, ...] | None:
    """Return the places of those who are there; None where somebody named has no way to his place."""
    places: list[orders.Place] = []
    for target in targets:
        gone = {place.block for place in places}
        named = (
            [n for n in blocks if n not in gone] if target.block == ALL else [n for n in blocks if n == target.block]
        )
        for name in named:
            if target.to in open_to.ways(name):
                places.append(orders.Place(block=name, to=target.to))
                open_to = open_to.after(name, target.to)
            elif target.block != ALL:
                return None
    return tuple(places)


# other choices


def _listing(clauses: Iterable[Clause], verb: str) -> Listing | None:
    return next((clause for clause in clauses if isinstance(clause, Listing) and clause.verb == verb), None)


def next_battle(view: HammerView, clauses: Sequence[Clause]) -> Planned | None:
    """Return the battle that is fought next."""
    clause = _listing(clauses, "NEXT")
    for name in clause.names if clause else ():
        if name in view.contested or name == ANY:
            order = orders.NextBattle(area=view.contested[0] if name == ANY else name)
            return Planned(order, str(clause))
    return None


def raid(view: HammerView, clauses: Sequence[Clause]) -> Planned | None:
    """Return the block that a border raid costs the English."""
    clause, able = _listing(clauses, "RAID"), raided(view)
    weakest = min(able, key=lambda name: (view.blocks[SLUG[name]].strength, BLOCKS[name].rating))
    for name in clause.names if clause else ():
        if name in able or name == WEAKEST:
            return Planned(orders.Raid(block=weakest if name == WEAKEST else name), str(clause))
    return None
