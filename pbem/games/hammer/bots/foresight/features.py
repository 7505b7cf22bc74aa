"""What is to be seen of a position between two turns, as numbers: what a judgement of it is made from.

Each is said from the English side and from the Scottish one; a judgement (`outlook`) weighs them.
"""

from __future__ import annotations

from ...rules import ROSTER
from .model import SmallGame
from .numbers import (
    CROSS,
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
"""So many blocks may be thought to cross the English border in a turn, as a red one."""
FURTHER = 0.5
"""What power two borders away counts for."""
HOME = 1.3
"""What defenders' power counts for: they hit first."""
AREAS = range(len(NEAR))

_SHARE: tuple[tuple[tuple[int, int], ...], ...] = tuple(
    tuple((b, ACROSS if ENGLAND in (a, b) else LIMIT[a, b]) for b in NEAR[a]) for a in AREAS
)
_TWO_AWAY: tuple[tuple[int, ...], ...] = tuple(
    tuple(
        sorted(
            {
                c
                for b in NEAR[a]
                if LIMIT[a, b] > ACROSS and b != ENGLAND and a != ENGLAND
                for c in NEAR[b]
                if c != a and c not in NEAR[a] and c != ENGLAND
            }
        )
    )
    for a in AREAS
)
NORTH: tuple[bool, ...] = tuple(a != ENGLAND and a < 12 for a in AREAS)
SOUTH: tuple[bool, ...] = tuple(a >= 15 for a in AREAS)

NAMES = (
    *(ROSTER[n] for n in TURNING),
    "lead", "few scots", "few english",
    "moray", "wallace", "wallace steps", "king", "king risk", "edward alive", "edward abroad", "edward risk",
    "moray risk", "wallace risk",
    "english risk", "scots risk", "english lost", "scots lost", "english abroad", "scots abroad",
    "english top risk", "scots top risk", "english lone", "scots lone",
    "english infantry", "english knights", "english levy", "english pool", "english quarters",
    "scots steps", "scots blocks", "scots pool", "scots quarters",
    "english noble steps", "scots noble steps",
    "english north", "scots north", "scots south", "english south", "english castles", "scots castles", "english stack", "scots stack",
    "hands english", "hands scots", "contact english", "contact scots", "raid",
)  # fmt: skip


def features(model: SmallGame, hands: tuple[float, float] = (0.0, 0.0)) -> list[float]:
    """Return what is to be seen, in the order of `NAMES`."""
    st, at, side, men = model.st, model.at, model.side, model.men
    root, plain = ([0.0] * len(NEAR), [0.0] * len(NEAR)), ([0.0] * len(NEAR), [0.0] * len(NEAR))
    threat = ([0.0] * len(NEAR), [0.0] * len(NEAR))
    knights = infantry = levy = 0
    quarters, castles, steps, blocks, contact = [0, 0], [0, 0], [0, 0], [0, 0], [0.0, 0.0]
    north, south, stack = [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]
    nobles = [0, 0]
    for s in (ENGLISH, SCOTS):
        own, r, p, reach = men[s], root[s], plain[s], threat[s]
        limits = LIMITS[s]
        for a, there in enumerate(own):
            if not there:
                continue
            total, force, home, others, able = 0, 0.0, 0.0, 0, 0
            room = limits[a]
            for b in there:
                n = st[b]
                total += n
                force += n * FORCE[b]
                if TURNS[b]:
                    if a in HOMES[b]:
                        home += n
                        room -= 1
                    nobles[s] += n
                else:
                    others += n
                    blocks[s] += 1
                    if s == SCOTS or INFANTRY[b]:
                        able += 1
                    if s == ENGLISH:
                        if a == ENGLAND:
                            levy += n
                        elif INFANTRY[b]:
                            infantry += n
                        else:
                            knights += n
            steps[s] += others
            root_here = (total * force) ** 0.5
            p[a] = root_here
            r[a] = (total * (force + home)) ** 0.5 if home else root_here
            if a != ENGLAND:
                castles[s] += limits[a]
                quarters[s] += min(max(0, room), able)
                if NORTH[a]:
                    north[s] += others
                elif SOUTH[a]:
                    south[s] += others
                if root_here > stack[s]:
                    stack[s] = root_here
            count = len(there)
            for b, most in _SHARE[a]:
                reach[b] += root_here if count <= most else root_here * most / count
            for b in _TWO_AWAY[a]:
                reach[b] += FURTHER * root_here
    risk, lost, abroad, top, lone = [0.0, 0.0], [0, 0], [0, 0], [0.0, 0.0], [0, 0]
    for n in TURNING:
        s = side[n]
        a = at[n]
        foes = men[1 - s]
        if len(men[s][a]) == 1:
            lone[s] += 1
        t, o = threat[1 - s][a], root[s][a]
        found = t * t / (t * t + HOME * o * o + 4.0)
        if a not in HOMES[n]:
            free = [h for h in HOMES[n] if not foes[h]]
            if free:
                abroad[s] += 1
                t = min(threat[1 - s][h] for h in free)
                found = max(found, t * t / (t * t + 30.0))
            else:
                lost[s] += 1
        risk[s] += found
        if found > top[s]:
            top[s] = found
    for s in (ENGLISH, SCOTS):
        foes = root[1 - s]
        for a in AREAS:
            if foes[a] and threat[s][a]:
                t, o = threat[s][a], foes[a]
                contact[s] += t * t / (t * t + HOME * o * o + 4.0)

    def danger(b: int) -> float:
        a = at[b]
        if a < 0:
            return 0.0
        s = side[b]
        t, o = threat[1 - s][a], root[s][a]
        return t * t / (t * t + HOME * o * o + 4.0)

    lead = model.nobles()
    scots = sum(side[n] for n in TURNING) + (at[MORAY] >= 0)
    english = len(TURNING) + (at[MORAY] >= 0) - scots
    pool = [0, 0]
    for b, owner in enumerate(OWNERS):
        if owner >= 0 and at[b] == POOL:
            pool[owner] += 1
    edward = at[EDWARD]
    return [
        *(1.0 - 2.0 * side[n] for n in TURNING),
        float(lead), float(max(0, 3 - scots)), float(max(0, 3 - english)),
        float(at[MORAY] >= 0), float(at[WALLACE] >= 0), float(st[WALLACE] if at[WALLACE] >= 0 else 0),
        float(at[KING] >= 0), danger(KING), float(model.edward == 1), float(edward > ENGLAND),
        danger(EDWARD) * (1.0 if model.edward == 1 else 3.0),
        danger(MORAY), danger(WALLACE),
        risk[0], risk[1], float(lost[0]), float(lost[1]), float(abroad[0]), float(abroad[1]),
        top[0], top[1], float(lone[0]), float(lone[1]),
        float(infantry), float(knights), float(levy), float(pool[0]), float(quarters[0]),
        float(steps[1]), float(blocks[1]), float(pool[1]), float(quarters[1]),
        float(nobles[0]), float(nobles[1]),
        float(north[0]), float(north[1]), float(south[1]), float(south[0]), float(castles[0]), float(castles[1]), stack[0], stack[1],
        hands[0], hands[1], contact[0], contact[1], float(bool(men[SCOTS][ENGLAND])),
    ]  # fmt: skip
