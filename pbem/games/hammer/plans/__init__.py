"""Plans: a player's answers in advance to questions that may come. The docstrings list what a plan can say.

=========  =====================================================================
clauses    what a plan can say, and its canonical text
reading    from typed text to clauses
battles    the answers of plans in battles
winter     the answers of plans in winter
matters    what does not matter, for seats that are asked only when it does
=========  =====================================================================

Plans are sealed until the game's end and applied by the rules, from the seat's own view. So host and audit get the same answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pbem.kernel import Planned

from ..views import HammerView
from . import battles, winter
from .clauses import Asking, Clause
from .matters import matters, trifle
from .reading import clauses, read_plans

__all__ = ["planned", "read_plans"]

_ANSWERS: Mapping[str, Callable[[HammerView, Sequence[Clause]], Planned | None]] = {
    "battle action": battles.act,
    "hits": battles.hits,
    "pillage losses": battles.losses,
    "pillage gains": battles.gains,
    "retreats": battles.retreats,
    "regroup": battles.regroup,
    "next battle": battles.next_battle,
    "raid": battles.raid,
    "home": winter.home,
    "disband": winter.disband,
    "build": winter.build,
}


def planned(view: HammerView, plans: str) -> Planned | None:
    """Return what canonical plans answer to the question in a view, before anybody has judged it; None where they do not."""
    said = clauses(plans)
    asking = next((clause.when for clause in said if isinstance(clause, Asking)), "")
    what = (view.ask or {}).get("what", "")
    if what not in _ANSWERS or asking == "ALWAYS" or (asking and matters(view, what)):
        return None
    return _ANSWERS[what](view, said) or (trifle(view, what) if asking else None)
