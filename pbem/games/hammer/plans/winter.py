"""The answers of plans in winter: where nobles go, which blocks disband, what is built. The asked seat's view decides.

- `PLAN HOME Bruce > Annan OR Carrick`, `PLAN HOME Moray > STAY`, `PLAN HOME King > Fife`: the winter home, if there is a choice
- `PLAN KEEP King, Norse, ANY`: who stays if room is short; `ANY`: then the strongest
- `PLAN DISBAND Hobelars`: who disbands in any case
- `PLAN EDWARD GOES`, `PLAN EDWARD STAYS`: whether Edward winters in Scotland; without it you are asked about English disbanding
- `PLAN WALLACE STAYS`, `PLAN WALLACE GOES`: whether Wallace goes to Selkirk; without it you are asked about Scottish disbanding
- `PLAN BUILD Fife: DRAW 2, STRENGTHEN Wallace, NEW, WEAKEST`: how to use an area's points. `BUILD ANY`: areas without a line.
  `NEW`: blocks just drawn, in a second round. `NOTHING`
- `PLAN BUILD Lanark: DRAW 1, LAND Carrick OR Annan`: where Norse or French drawn inland land (default: the first open area of the
  board)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pbem.kernel import Planned

from .. import orders
from ..orders import Build, Disband, GoHome, Going, Landing, Steps
from ..rules import (
    ENGLISH,
    SLUG,
    buildable,
    draw_refusal,
    edward_refusal,
    hand_out,
    home_choices,
    landing_places,
    points_left,
    quarters,
    wallace_refusal,
)
from ..views import HammerView
from .clauses import ANY, NEW, WEAKEST, BuildClause, Clause, Home, Leader, Listing


def home(view: HammerView, clauses: Sequence[Clause]) -> Planned | None:
    """Return where those go who have a choice; every one of them must have his clause, or one way only."""
    wished = {clause.block: clause for clause in clauses if isinstance(clause, Home)}
    goings: list[Going] = []
    spoke: list[str] = []
    for block, choices in home_choices(view).items():
        clause = wished.get(block)
        to = next((place for place in clause.places if place in choices), "") if clause else ""
        if not to and len(choices) > 1:
            return None
        if to:
            spoke.append(str(clause))
        goings.append(Going(block=block, to=to or choices[0]))
    return Planned(GoHome(goings=tuple(goings)), " / ".join(spoke)) if spoke else None


def disband(view: HammerView, clauses: Sequence[Clause]) -> Planned | None:
    """Return the blocks that disband: those named, and without room for all, those to be kept last.

    Edward or Wallace must have a clause, wherever he is. Otherwise the fact that his side is asked would reveal his place.
    """
    leader = "EDWARD" if view.seat == ENGLISH else "WALLACE"
    has_choice = not (edward_refusal(view) if view.seat == ENGLISH else wallace_refusal(view))
    said = next((c for c in clauses if isinstance(c, Leader) and c.block == leader), None)
    if said is None:
        return None
    stays = has_choice and said.action == ("STAYS" if view.seat == ENGLISH else "GOES")
    order = Disband(edward=stays and view.seat == ENGLISH, wallace=stays and view.seat != ENGLISH)
    spoke = [str(said)]
    kept, gone = _names(clauses, "KEEP"), _names(clauses, "DISBAND")
    leaving: list[str] = []
    for free, able in quarters(view.seat, view.groups, order, view.variants).areas.values():
        named = [name for name in able if name in gone]
        others = [name for name in able if name not in gone]
        if named:
            spoke.append(f"DISBAND {', '.join(gone)}")
        leaving += named
        too_many = len(others) - free
        if too_many > 0:
            ranked = [name for name in others if name in kept or ANY in kept]
            if len(others) - len(ranked) > too_many or not kept:
                return None  # more of those who are not named stay than the plan can tell apart
            stay = sorted(ranked, key=lambda name: _keeping(view, kept, name))[:free]
            leaving += [name for name in others if name not in stay]
            spoke.append(f"KEEP {', '.join(kept)}")
    return Planned(order.model_copy(update={"blocks": tuple(leaving)}), " / ".join(dict.fromkeys(spoke)))


def _keeping(view: HammerView, kept: Sequence[str], name: str) -> tuple[int, int]:
    """Return a sort key: named blocks are kept in that order; the others, where ANY is, the strongest first."""
    if name in kept:
        return kept.index(name), 0
    return kept.index(ANY), -view.blocks[SLUG[name]].strength


def _names(clauses: Iterable[Clause], verb: str) -> tuple[str, ...]:
    return next((c.names for c in clauses if isinstance(c, Listing) and c.verb == verb), ())


def build(view: HammerView, clauses: Sequence[Clause]) -> Planned | None:
    """Return what points are used for; where blocks are drawn to be strengthened, in two rounds."""
    said = {clause.area: clause for clause in clauses if isinstance(clause, BuildClause)}
    used = {area for area, _ in view.frames["builds"].get("used", ())}
    draws: list[str] = []
    builds: list[Steps] = []
    spoke: dict[str, None] = {}
    for area, points in points_left(view).items():
        clause = said.get(area) or said.get(ANY)
        if clause is None:
            if buildable(view, area) or not draw_refusal(view, area, draws, points):
                return None
            continue
        spoke[str(clause)] = None
        before = len(draws)
        for _ in range(clause.draws if area not in used else 0):
            if not draw_refusal(view, area, draws, points):
                draws.append(area)
                points -= 1
        if len(draws) == before or NEW not in clause.names:
            if steps := _steps(view, area, points, clause.names):
                builds.append(Steps(area=area, steps=steps))
    if not spoke:
        return None
    landings = [
        found for area in dict.fromkeys(draws) if (found := _landing(view, area, said.get(area) or said.get(ANY)))
    ]
    later = any(NEW in clause.names for area in draws if (clause := said.get(area) or said.get(ANY)))
    order = Build(builds=tuple(builds), draws=tuple(draws), landings=tuple(landings), done=not later)
    return Planned(order, " / ".join(spoke))


def _landing(view: HammerView, area: str, clause: BuildClause | None) -> Landing | None:
    open_to = landing_places(area, view.occupancy, view.variants)
    to = next((coast for coast in clause.coasts if coast in open_to), "") if clause else ""
    return Landing(area=area, to=to) if to else None


def _steps(view: HammerView, area: str, points: int, names: Sequence[str]) -> tuple[orders.Step, ...]:
    room = buildable(view, area)

    def pick(left: Mapping[str, int]) -> str:
        for name in names:
            able = [n for n in left if name in (n, WEAKEST) or (name == NEW and _strength(view, n) == 1)]
            if able:
                return min(able, key=lambda n: _strength(view, n) + room[n] - left[n])
        return ""

    return hand_out(room, points, pick)


def _strength(view: HammerView, name: str) -> int:
    return view.blocks[SLUG[name]].strength
