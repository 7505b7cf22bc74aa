"""What is asked in the Winter Turn, and order lines for it. Rules 7.1-7.6."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..rules.facts import ENGLISH, MORAY, SCOTTISH
from ..rules.variants import ANDREW_DE_MORAY
from ..rules.winter_builds import buildable, draw_refusal, landing_places, points_left, spend_sensibly
from ..rules.winter_disband import edward_refusal, quarters, wallace_refusal
from ..rules.winter_homes import ANDREW_GAINS, home_choices
from ..winter_orders import DISBAND, STAY, Disband, Going
from .words import block, count, hanging, listed, solid

if TYPE_CHECKING:
    from ..views import HammerView
    from .questions import Question


def _home(view: HammerView, _: dict[str, Any]) -> list[str]:
    lines = hanging(
        "", f"The Winter Turn of {view.year}. The nobles go home (7.1), the Scottish King to a cathedral (7.2)."
    )
    choices = home_choices(view)
    for name, places in choices.items():
        words = {STAY: "stay where he is", DISBAND: "disband"}
        own = view.own(name)
        here = f" (in {own.at})" if own and STAY in places else ""
        lines += hanging("  ", f"{name}{here}: {' or '.join(words.get(place, place) for place in places)}")
    if MORAY in choices and ANDREW_DE_MORAY in view.variants:
        lines += hanging("", f"At home Moray gains up to {count(ANDREW_GAINS, 'step')} (option).")
    if not choices:
        lines += hanging("", "You have no choice to make: neither Moray nor the King is on the map.")
    return lines


def home_lines(view: HammerView) -> Iterator[str]:
    """Go through a line for each choice, what keeps most first, the others behind `#` below it."""
    for name, places in home_choices(view).items():
        first, *others = (str(Going(block=name, to=place)) for place in places)
        yield first
        yield from (f"# {line}" for line in others)


def _disband(view: HammerView, _: dict[str, Any]) -> list[str]:
    plan = quarters(view.seat, view.groups, Disband(), view.variants)
    if view.seat == ENGLISH:
        lines = hanging(
            "", "Who disbands for the winter (7.3)? Beside the nobles only infantry may stay, up to the Castle Limits."
        )
        if edward_refusal(view) is None:
            lines += hanging("", "If EDWARD STAYS, all blocks in his area may, and there is no Feudal Levy (7.4, 7.7).")
    else:
        lines = hanging(
            "", "Who disbands for the winter (7.5)? Beside the nobles blocks may stay within the Castle Limits."
        )
        if wallace_refusal(view) is None:
            lines += hanging(
                "", "WALLACE > Selkirk: there he gains up to two steps, and the limit does not bind him (7.5)."
            )
    lines.append("")
    for area, (free, able) in plan.areas.items():
        if able:
            lines += hanging("  ", f"{area}: {_blocks(view, able)}; {min(free, len(able))} may stay")
    if plan.forced:
        lines += hanging("  ", f"These disband without being named: {listed(map(solid, plan.forced))}")
    return lines


def _blocks(view: HammerView, names: tuple[str, ...]) -> str:
    owned = ((name, view.own(name)) for name in names)
    return ", ".join(block(name, own.strength, view.variants) for name, own in owned if own) or "nobody"


def disband_lines(view: HammerView) -> Iterator[str]:
    """Go through what may be ordered of Edward or Wallace."""
    if view.seat == ENGLISH and edward_refusal(view) is None:
        yield "EDWARD STAYS"
    if view.seat == SCOTTISH and wallace_refusal(view) is None:
        yield "WALLACE > Selkirk"


def _build(view: HammerView, _: dict[str, Any]) -> list[str]:
    if view.seat == ENGLISH:
        what = "a step for infantry or a noble in the area (7.63)"
    else:
        what = "a step for a block in the area, or a block drawn from the pool, at strength 1 and within the Castle Limit (7.62)"
    lines = hanging("", f"Replacement points: each gives {what}. What is not used is lost.")
    if _landings(view):
        lines += hanging(
            "", "Norse or French drawn inland land on a coast of yours beside it: LAND, or the first of them (option)."
        )
    lines.append("")
    idle = []
    for area, points in points_left(view).items():
        uses = [f"steps for {_blocks(view, tuple(names))}"] if (names := buildable(view, area)) else []
        if draw_refusal(view, area, (), points) is None:
            uses.append("DRAW")
        if uses:
            lines += hanging("  ", f"{area}, {count(points, 'point')}: {', or '.join(uses)}")
        else:
            idle.append(solid(f"{area} {points}"))
    return [*lines, *(hanging("  ", f"No use for the points of {listed(idle)}.") if idle else [])]


def build_lines(view: HammerView) -> Iterator[str]:
    """Go through one step for the first block of each area that can gain one, then where Norse and French may land."""
    for area in points_left(view):
        for name in list(buildable(view, area))[:1]:
            yield f"BUILD {area}: {name} 1"
    drawn = spend_sensibly(view).draws  # what stands above these lines already
    for area, places in _landings(view).items():
        draw = "" if area in drawn else f"DRAW {area}\n"
        yield from (f"{draw}LAND {area} > {to}" for to in places)


def _landings(view: HammerView) -> dict[str, tuple[str, ...]]:
    """Return the inland areas for which a block may be drawn, and where Norse and French would land."""
    found = {
        area: landing_places(area, view.occupancy, view.variants)
        for area, points in points_left(view).items()
        if view.seat != ENGLISH and draw_refusal(view, area, (), points) is None
    }
    return {area: places for area, places in found.items() if places}


SAYS: dict[str, Question] = {"home": _home, "disband": _disband, "build": _build}
"""Name of a question -> its text."""
