"""The subject of a question, for programs: the flip, the square, the region of the battle, the glory card."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pbem.kernel import Json

from .. import law
from ..rules.names import CARDINAL, TAPESTRY, WALL
from ..views import SwordsView


def matter(view: SwordsView) -> dict[str, Json]:
    """Return what the seat's question is about; {} for nothing that the question's name does not say."""
    found = _MATTERS.get(view.question)
    return found(view) if found else {}


def _flip(view: SwordsView) -> dict[str, Json]:
    table = view.table
    return {"flip": table.flip, "icon": table.icon, "number": table.number}


def _formation(view: SwordsView) -> dict[str, Json]:
    return {"square": law.formation(view).square, "number": view.table.number}


def _battles(view: SwordsView) -> dict[str, Json]:
    return {"regions": list(view.table.battles())}


def _fight(view: SwordsView) -> dict[str, Json]:
    return {"region": law.fight(view).region}


def _castles(view: SwordsView) -> dict[str, Json]:
    fight = law.fight(view)
    return {"region": fight.region, "castles": list(fight.castles(view.table, view.seat))}


def _retreat(view: SwordsView) -> dict[str, Json]:
    region = law.fight(view).region
    return {"region": region, "regions": list(view.table.ways(view.seat, region))}


def _card(name: str) -> Callable[[SwordsView], dict[str, Json]]:
    return lambda view: {"card": name}


_MATTERS: Mapping[str, Callable[[SwordsView], dict[str, Json]]] = {
    "place": _flip, "deploy": _formation, "battle": _battles, "sword": _fight, "castles": _castles, "commit": _fight,
    "druid": _fight, "retreat": _retreat, "cardinal": _card(CARDINAL), "wall": _card(WALL), "tapestry": _card(TAPESTRY),
}  # fmt: skip
"""Question -> its subject."""
