"""The subject of a question, for programs: what the view says about it, and the blocks and areas concerned."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pbem.kernel import Json

from ..orders import Disband
from ..rules import combat_turn, has_one_target, home_choices, quarters, raided, tied_seen
from ..views import HammerView


def matter(view: HammerView) -> dict[str, Json]:
    """Return what the seat's question is about: `area` and the particulars of its view, then `blocks` or `areas`; {} for none."""
    ask = view.ask
    if ask is None:
        return {}
    more = _MORE.get(ask["what"])
    return {name: said for name, said in ask.items() if name != "what"} | (more(view, ask) if more else {})


def _there(view: HammerView, ask: dict[str, Any]) -> dict[str, Json]:
    return {"blocks": list(view.groups.get(ask["area"], ()))}


def _battles(view: HammerView, _ask: dict[str, Any]) -> dict[str, Json]:
    return {"areas": list(view.contested)}


def _acting(view: HammerView, _ask: dict[str, Any]) -> dict[str, Json]:
    return {"blocks": list(combat_turn(view).blocks)}


def _hits(view: HammerView, _ask: dict[str, Any]) -> dict[str, Json]:
    tied, hits = tied_seen(view)
    return {"blocks": list(tied), "hits": view.fight.hits if has_one_target(view.variants) else hits}


def _retreats(view: HammerView, _ask: dict[str, Any]) -> dict[str, Json]:
    return {"blocks": list(view.frames["retreat"]["blocks"])}


def _raid(view: HammerView, _ask: dict[str, Any]) -> dict[str, Json]:
    return {"blocks": list(raided(view))}


def _home(view: HammerView, _ask: dict[str, Any]) -> dict[str, Json]:
    return {"blocks": list(home_choices(view))}


def _disband(view: HammerView, _ask: dict[str, Any]) -> dict[str, Json]:
    plan = quarters(view.seat, view.groups, Disband(), view.variants)
    return {"blocks": [name for _free, able in plan.areas.values() for name in able]}


_MORE: Mapping[str, Callable[[HammerView, dict[str, Any]], dict[str, Json]]] = {
    "next battle": _battles, "battle action": _acting, "hits": _hits, "retreats": _retreats, "regroup": _there,
    "pillage losses": _there, "pillage gains": _there, "raid": _raid, "home": _home, "disband": _disband,
}  # fmt: skip
"""Question -> further data about it. The areas of “build” are among its particulars, with their points."""
