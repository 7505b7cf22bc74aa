"""What the sensible player says in advance: plans for all that may be asked before his next order."""

from __future__ import annotations

from ..rules import AREAS, BLOCKS, EDWARD, ENGLAND, ENGLISH, KING, MORAY, NOBLES, WALLACE
from ..views import HammerView
from .ground import Ground
from .situation import Situation

FEW = 8
"""The maximum number of places to retreat to that are named, the best first."""


def plans(view: HammerView) -> str:
    """Return plans that answer everything but the questions that are always put."""
    now = Situation(view, second=True)
    refuges = ", ".join(_refuges(now))
    hits = ", ".join(_by_worth(now))
    battle = f"HITS {hits}, ANY; REGROUP STAY"
    lines = [
        f"BATTLE ANY ATTACKING: RETREAT {refuges} IF ODDS BELOW 1:3; FIGHT; {battle}",
        f"BATTLE ANY DEFENDING: RETREAT {refuges} IF ODDS BELOW 1:4; FIGHT; {battle}",
        f"BATTLE ANY: {battle}",
        "NEXT ANY", "RAID WEAKEST", "GAINS WEAKEST",
        "BUILD ANY: DRAW ALL, STRENGTHEN WEAKEST",
        f"KEEP {KING}, {WALLACE}, ANY",
        "EDWARD GOES" if view.seat == ENGLISH else "WALLACE GOES",
    ]  # fmt: skip
    lines += [_home(now, name) for name in ("Bruce", "Comyn", MORAY)]
    return "\n".join(lines)


def _refuges(now: Situation) -> list[str]:
    ground = Ground(now)
    areas = [area for area in AREAS if area != ENGLAND and not now.foes.get(area)]
    return sorted(areas, key=lambda a: (-ground.worth(a, now.own.get(a, ())), a))[:FEW]


def _by_worth(now: Situation) -> list[str]:
    """Common soldiers take hits first, then nobles, then leaders."""
    own = [name for names in now.own.values() for name in names]
    leaders = (KING, WALLACE, EDWARD, MORAY)
    return sorted(own, key=lambda n: (n in leaders, n in NOBLES, BLOCKS[n].rating, n))[:FEW]


def _home(now: Situation, name: str) -> str:
    homes = sorted(BLOCKS[name].homes, key=lambda area: (now.threats[area].steps, area))
    last = " OR STAY" if name == MORAY else ""
    return f"HOME {name} > {' OR '.join(homes)}{last}"
