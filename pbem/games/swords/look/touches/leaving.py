"""Retreats: whether one is healed, then cube by cube to a neighbour, or all the rest at once; committed cubes to glory cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from pbem.errors import OrderError
from pbem.i18n import _, _n
from pbem.kernel import read_lines
from pbem.look.touches import Touch

from ... import law
from ...orders import NONE, Bid, Heal, Retreat, RetreatTo
from ...reading import VERBS, LineReader
from ...rules import battle_law
from ...rules.names import GLORY
from ...rules.troops import Troops
from ...views import SwordsView
from ..words import a_cube, card, troops
from .names import Touched


class _Draft(NamedTuple):
    """A retreat in progress."""

    ways: Mapping[str, Troops]
    bids: Mapping[str, int]
    heal: str
    begun: bool

    def lines(self, healing: bool) -> tuple[str, ...]:
        """Return it as lines; `healing`: with a line about the Druid."""
        ways = ", ".join(str(RetreatTo(troops=some, region=name)) for name, some in self.ways.items())
        bids = ", ".join(str(Bid(cubes=n, card=name)) for name, n in self.bids.items())
        return (
            *((f"HEAL {self.heal}",) if healing else ()),
            *((f"RETREAT {ways or NONE}",) if self.begun else ()),
            *((f"GLORY {bids}",) if bids else ()),
        )


def leave(view: SwordsView, lines: Sequence[str]) -> Sequence[Touch]:
    """Return the touches of a retreat."""
    table, region, fallen = view.table, law.fight(view).region, law.fallen(view)
    ways = table.ways(view.seat, region)
    heals = [heal.heal for heal in battle_law.heals(table, view.seat, fallen)] if ways else ["NO"]
    draft = _read(view, lines)
    if draft is None:
        return ()
    if len(heals) > 1 and not lines:
        label = Touched(view).label
        return [Touch(f"choice:HEAL {heal}", label(f"HEAL {heal}"), (f"HEAL {heal}",)) for heal in heals]
    healed = battle_law.healed(Retreat.model_validate({"heal": draft.heal}))
    going = table.troops(view.seat, region) + healed if ways else Troops()
    went = sum(draft.ways.values(), Troops())
    left = Troops(going.own - went.own, going.picts - went.picts)
    healing = any(line.upper().startswith("HEAL") for line in lines)
    if not left.total and not draft.begun:
        return [
            Touch(
                "choice:RETREAT NONE",
                _("No cube is left to retreat"),
                draft._replace(begun=True).lines(healing),
                closes=True,
            )
        ]
    return [
        *_goings(draft, ways, left, healing),
        *(_bids(view, draft, fallen.own - healed.own, healing) if not left.total else ()),
    ]


def _read(view: SwordsView, lines: Sequence[str]) -> _Draft | None:
    """Return what a draft says; None where it cannot be gone on with."""
    reader, ways, bids, heal, begun = LineReader(view.table.parts), dict[str, Troops](), dict[str, int](), "NO", False
    try:
        for line in read_lines("\n".join(lines)):
            verb, part = reader.part(line, VERBS["retreat"])
            if isinstance(part, Heal):
                heal = part.heal
            elif isinstance(part, Retreat):
                begun = begun or verb == "RETREAT"
                ways |= {way.region: way.troops for way in part.ways}
                bids |= {bid.card: bid.cubes for bid in part.glory}
    except OrderError:
        return None
    return _Draft(ways, bids, heal, begun)


def _goings(draft: _Draft, ways: Sequence[str], left: Troops, healing: bool) -> Iterator[Touch]:
    """Go through ways for one cube more, and for all that are left."""
    for goal in ways if left.total else ():
        gone = draft.ways.get(goal, Troops())
        for some in (Troops(1), Troops(0, 1)):
            if some.own <= left.own and some.picts <= left.picts and some != left:
                made = draft._replace(ways={**draft.ways, goal: gone + some}, begun=True).lines(healing)
                yield Touch(
                    f"area:{goal}",
                    _("{cube} to {region}", cube=a_cube(bool(some.picts)).capitalize(), region=goal),
                    made,
                )
        made = draft._replace(ways={**draft.ways, goal: gone + left}, begun=True).lines(healing)
        label = _("All to {region}: {troops}", region=goal, troops=troops(left))
        one = _("To {region}: {troops}", region=goal, troops=troops(left))
        yield Touch(f"area:{goal}", label if left.total > 1 else one, made, closes=True)


def _bids(view: SwordsView, draft: _Draft, dead: int, healing: bool) -> Iterator[Touch]:
    left = dead - sum(draft.bids.values())
    for name in GLORY if left > 0 else ():
        if name in view.table.glory:
            n = draft.bids.get(name, 0) + 1
            made = draft._replace(bids={**draft.bids, name: n}).lines(healing)
            label = _n("{n} committed cube on {card}", "{n} committed cubes on {card}", n, card=card(name))
            yield Touch(f"card:{name}", label, made, closes=True)
