"""How a replay passes through a game: which reports of a log are one step of its page.

A log tells each decision by itself, such as “the English stay in Galloway”, a volley without a hit, or the cards before a move.
Such facts need no step of their own. A game names them in the table PACE of its tale (`pbem.games.hammer.look.tale`). A fact that
`leads` belongs to what follows, and one that `trails` to what came before. Without a table each report is a step.

Only public facts decide, so that all views of a page have the same steps, and the steps betray nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from pbem.kernel import Json

Pace: TypeAlias = Mapping[str, tuple[str, str]]
"""By kind of fact: “leads” or “trails”, and the field that has to be empty or 0 for it; "" for none."""
LEADS, TRAILS = "leads", "trails"
LONGEST = 4
"""How many reports one step may have, so that nobody misses a long winter."""


def pace_of(package: str) -> Pace:
    """Return the table of the game in a package; an empty one if it has none."""
    name = f"{package}.look"
    if getattr(find_spec(name), "submodule_search_locations", None) and find_spec(f"{name}.tale"):
        pace: Pace = getattr(import_module(f"{name}.tale"), "PACE", {})
        return pace
    return {}


def role(pace: Pace, facts: Sequence[Json]) -> str:
    """Return whether the facts of a report belong to what follows, to what came before, or ("") to neither.

    >>> pace = {"cards": ("leads", ""), "regroup": ("trails", "to")}
    >>> role(pace, [{"f": "regroup", "to": {}}, {"f": "cards"}]), role(pace, [{"f": "regroup", "to": {"fife": 1}}])
    ('leads', '')
    """
    found = set()
    for fact in facts:
        kind, field = pace.get(str(fact.get("f")), ("", "")) if isinstance(fact, dict) else ("", "")
        found.add("" if field and fact.get(field) else kind)
    if "" in found or not pace:
        return ""
    return LEADS if LEADS in found else TRAILS


def steps_of(pace: Pace, public: Mapping[int, Sequence[Json]]) -> dict[int, int]:
    """Return by report the first report of its step. The last report has a step of its own, and so has the first.

    >>> pace = {"cards": ("leads", ""), "hit": ("trails", "")}
    >>> steps_of(pace, {2: [], 4: [{"f": "cards"}], 6: [{"f": "move"}], 8: [{"f": "hit"}], 9: [{"f": "turn"}]})
    {2: 2, 4: 4, 6: 4, 8: 4, 9: 9}
    """
    found: dict[int, int] = {}
    begun, leads, size = -1, False, 0
    last = max(public, default=0)
    for n, facts in public.items():
        here = role(pace, facts)
        joins = (leads or here == TRAILS) and 0 < size < LONGEST and n != last and begun != min(public)
        begun, size = (begun, size + 1) if joins else (n, 1)
        found[n], leads = begun, here == LEADS or (leads and joins and here == TRAILS)
    return found


def grouped(steps: Mapping[int, int], told: Mapping[int, Sequence[Json]]) -> Iterator[tuple[int, list[int]]]:
    """Yield the steps of one view: the number of each, and its reports. A report that the public did not get is a step."""
    inside: dict[int, list[int]] = {}
    for n in told:
        inside.setdefault(steps.get(n, n), []).append(n)
    yield from inside.items()
