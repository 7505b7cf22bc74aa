"""What is asked in the Winter Turn, and order lines for it. Rules 7.1-7.6."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pbem.words import _, _n

from ..orders import DISBAND, STAY, Disband, Going
from ..rules import (
    ANDREW_DE_MORAY,
    ANDREW_GAINS,
    ENGLISH,
    MORAY,
    SCOTTISH,
    buildable,
    draw_refusal,
    edward_refusal,
    home_choices,
    landing_places,
    points_left,
    quarters,
    spend_sensibly,
    wallace_refusal,
)
from ..views import HammerView
from .questions import Question
from .words import block, hanging, listed, solid, steps


def _home(view: HammerView, ask: dict[str, Any]) -> list[str]:
    asked = _(
        "The Winter Turn of {year}. The nobles go home (7.1), the Scottish King to a cathedral (7.2).", year=view.year
    )
    lines = hanging("", asked)
    choices = home_choices(view)
    for name, places in choices.items():
        words = {STAY: _("stay where he is"), DISBAND: _("disband")}
        own = view.own(name)
        here = _(" (in {area})", area=own.at) if own and STAY in places else ""
        may = _(" or ").join(words.get(place, place) for place in places)
        lines += hanging("  ", _("{noble}{here}: {places}", noble=name, here=here, places=may))
    if MORAY in choices and ANDREW_DE_MORAY in view.variants:
        lines += hanging("", _("At home Moray gains up to {steps} (option).", steps=steps(ANDREW_GAINS)))
    if not choices:
        lines += hanging("", _("You have no choice to make: neither Moray nor the King is on the map."))
    return lines


def home_lines(view: HammerView) -> Iterator[str]:
    """Go through a line for each choice, what keeps most first, the others behind `#` below it."""
    for name, places in home_choices(view).items():
        first, *others = (str(Going(block=name, to=place)) for place in places)
        yield first
        yield from (f"# {line}" for line in others)


def _disband(view: HammerView, ask: dict[str, Any]) -> list[str]:
    plan = quarters(view.seat, view.groups, Disband(), view.variants)
    if view.seat == ENGLISH:
        asked = [
            _("Who disbands for the winter (7.3)? Beside the nobles only infantry may stay, up to the Castle Limits.")
        ]
        if edward_refusal(view) is None:
            asked.append(_("If EDWARD STAYS, all blocks in his area may, and there is no Feudal Levy (7.4, 7.7)."))
    else:
        asked = [_("Who disbands for the winter (7.5)? Beside the nobles blocks may stay within the Castle Limits.")]
        if wallace_refusal(view) is None:
            asked.append(_("WALLACE > Selkirk: there he gains up to two steps, and the limit does not bind him (7.5)."))
    lines = [line for text in asked for line in hanging("", text)] + [""]
    for area, (free, able) in plan.areas.items():
        if able:
            stay = min(free, len(able))
            lines += hanging(
                "  ",
                _n(
                    "{area}: {blocks}; {n} may stay", "{area}: {blocks}; {n} may stay",
                    stay, area=area, blocks=_blocks(view, able),
                ),
            )  # fmt: skip
    if plan.forced:
        gone = listed(map(solid, plan.forced))
        lines += hanging("  ", _("These disband without being named: {blocks}", blocks=gone))
    return lines


def _blocks(view: HammerView, names: tuple[str, ...]) -> str:
    owned = ((name, view.own(name)) for name in names)
    return ", ".join(block(name, own.strength, view.variants) for name, own in owned if own) or _("nobody")


def disband_lines(view: HammerView) -> Iterator[str]:
    """Go through what may be ordered of Edward or Wallace."""
    if view.seat == ENGLISH and edward_refusal(view) is None:
        yield "EDWARD STAYS"
    if view.seat == SCOTTISH and wallace_refusal(view) is None:
        yield "WALLACE > Selkirk"


def _build(view: HammerView, ask: dict[str, Any]) -> list[str]:
    asked = [
        _("Replacement points: each gives a step for infantry or a noble in the area (7.63). What is not used is lost.")
        if view.seat == ENGLISH
        else _(
            "Replacement points: each gives a step for a block in the area, or a block drawn from the pool, at strength 1 "
            "and within the Castle Limit (7.62). What is not used is lost."
        )
    ]
    if _landings(view):
        asked.append(
            _("Norse or French drawn inland land on a coast of yours beside it: LAND, or the first of them (option).")
        )
    lines = [line for text in asked for line in hanging("", text)] + [""]
    idle = []
    for area, points in points_left(view).items():
        names = tuple(buildable(view, area))
        uses = [_("steps for {blocks}", blocks=_blocks(view, names))] if names else []
        if draw_refusal(view, area, (), points) is None:
            uses.append("DRAW")
        if uses:
            told = _n(
                "{area}, {n} point: {uses}", "{area}, {n} points: {uses}", points, area=area, uses=_(", or ").join(uses)
            )
            lines += hanging("  ", told)
        else:
            idle.append(solid(f"{area} {points}"))
    return [*lines, *(hanging("  ", _("No use for the points of {areas}.", areas=listed(idle))) if idle else [])]


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
