"""What an order means beyond its lines: additions by the program, and the fate of blocks that no line names.

A player sees it before signing, and again in the host's answer. It comes from the view of the asked seat.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from .. import orders
from ..questions import QUESTIONS
from ..questions.winter import WinterQuestion
from ..rules import (
    AREAS,
    EDWARD,
    ENGLAND,
    NORSE,
    SCOTTISH,
    SELKIRK,
    WALLACE,
    Tally,
    attack_group,
    castle_limit,
    combat_turn,
    home_choices,
    landing_places,
    mover,
    origin,
    points_left,
    quarters,
    wallace_refusal,
)
from ..rules.said import _
from ..views import HammerView
from .words import listed


def unsaid(view: HammerView, text: str) -> Iterator[str]:
    """Yield the sentences, from a legal order's text. Raises OrderError if the text is not an order."""
    question = QUESTIONS[(view.ask or {})["what"]]
    order = question.read(view, text)
    match order:
        case orders.GoHome() if isinstance(question, WinterQuestion):
            subjects = question.read_all(view, text).subjects
            choices = home_choices(view)
            for going in order.goings:
                if going.block not in subjects and len(choices.get(going.block, ())) > 1:
                    yield _("You did not name {block}, so this was filled in: {line}", block=going.block, line=going)
        case orders.Disband():
            yield from _winter(view, order)
        case orders.Build():
            yield from _builds(view, order)
        case orders.Move():
            yield from _main_attacks(view, order)
        case orders.BattleActions(acts=acts):
            named = {act.block for act in acts}
            if left := [name for name in combat_turn(view).blocks if name not in named]:
                yield _("You will be asked again: {blocks}", blocks=listed(left))
        case orders.Regroup(area=area, places=places):
            if left := _not_in(view.groups.get(area, ()), places):
                yield _("These blocks stay in {area}: {blocks}", area=area, blocks=listed(left))
        case orders.Retreat(places=places):
            if left := _not_in(view.frames["retreat"]["blocks"], places):
                yield _("These blocks have no way out and are eliminated (5.5): {blocks}", blocks=listed(left))


def afterwards(view: HammerView, after: HammerView, text: str) -> Iterator[str]:
    """Go through what a legal order uses up of a Move card (4.2), and the binding castle limits that it exceeds (7.5)."""
    order = QUESTIONS[(view.ask or {})["what"]].read(view, text)
    if isinstance(order, orders.Move):
        tally = Tally(mover(view))
        for march in order.marches:
            tally.add(march)
        yield _("Group Moves used: {n} of {card}.", n=tally.cost, card=tally.who.group_moves)
    if isinstance(order, (orders.GoHome, orders.Disband)):
        free = _unbound(view, order)
        stand = {
            area: (
                len([name for name in after.groups.get(area, ()) if name not in free]),
                castle_limit(area, view.seat),
            )
            for area in AREAS
            if area != ENGLAND
        }
        if over := [f"{area} {n}/{limit}" for area, (n, limit) in stand.items() if n > limit]:
            yield _("More blocks than the castle limit then (7.5): {areas}", areas=listed(over))


def _unbound(view: HammerView, order: orders.GoHome | orders.Disband) -> set[str]:
    """Return the blocks that no castle limit binds: Wallace who winters in Selkirk (7.5), and all who winter with Edward (7.4)."""
    edward = view.own(EDWARD)
    with_edward = view.groups.get(edward.at, ()) if edward and getattr(order, "edward", False) else ()
    return {*with_edward, *([WALLACE] if getattr(order, "wallace", False) else [])}


def in_winter(view: HammerView, after: HammerView, text: str) -> HammerView | None:
    """Return the view after an order of the winter with the question still in it, and the points that are left: so the map shows
    who may stay, and what can be built."""
    order = QUESTIONS[(view.ask or {})["what"]].read(view, text)
    if not isinstance(order, orders.Disband | orders.Build):
        return None
    left = _left(view, order) if isinstance(order, orders.Build) else {}
    points = {"points": [{"area": area, "points": n} for area, n in left.items() if n]} if left else {}
    return after.model_copy(update={"wait": view.wait, "particulars": {**(view.particulars or {}), **points}})


def _left(view: HammerView, order: orders.Build) -> dict[str, int]:
    steps = (build.area for build in order.builds for step in build.steps for _n in range(step.steps))
    used = Counter([*order.draws, *steps])
    return {area: n - used[area] for area, n in points_left(view).items()}


def stays(view: HammerView, after: HammerView) -> frozenset[str]:
    """Return the own blocks that have stayed in their places, by their names in the drawing."""
    return frozenset(
        f"block:{name}" for place, names in view.groups.items() for name in names if name in after.groups.get(place, ())
    )


def _not_in(names: tuple[str, ...], places: tuple[orders.Place, ...]) -> list[str]:
    return [name for name in names if name not in {place.block for place in places}]


def _winter(view: HammerView, order: orders.Disband) -> Iterator[str]:
    forced = quarters(view.seat, view.groups, order, view.variants).forced
    if gone := [name for name in forced if name not in order.blocks]:
        yield _("No room for the winter, so these blocks go to the pool: {blocks}", blocks=listed(gone))
    wallace = view.own(WALLACE)
    named = order.wallace or WALLACE in (*order.blocks, *forced)
    if view.seat == SCOTTISH and wallace and not named and not wallace_refusal(view) and wallace.at != SELKIRK:
        yield _("Wallace stays in {area}.", area=wallace.at)


def _builds(view: HammerView, order: orders.Build) -> Iterator[str]:
    if order.done:
        if lost := [f"{area} {n}" for area, n in _left(view, order).items() if n]:
            yield _("Points that you do not use, and lose: {areas}", areas=listed(lost))
    else:
        yield _("When these are drawn you are asked again, as long as points are left.")
    said = {landing.area for landing in order.landings}
    for area in dict.fromkeys(order.draws):
        places = landing_places(area, view.occupancy, view.variants)
        if places and area not in said:
            yield _("Norse or French drawn for {area} land in {to}.", area=area, to=places[0])


def _main_attacks(view: HammerView, order: orders.Move) -> Iterator[str]:
    """Go through the areas that several groups attack, where no line says which is the main attack (5.32)."""
    who, groups, chosen = mover(view), dict[str, dict[tuple[str, str], list[str]]](), set[str]()
    for march in order.marches:
        start, end = march.start or who.places[NORSE], march.route[-1]
        if who.is_attack(end):
            group = attack_group(view.variants, *origin(march, start), end)
            groups.setdefault(end, {}).setdefault(group, []).extend(march.blocks)
        if march.main:
            chosen.add(end)
    for area, found in groups.items():
        if area not in chosen and len(found) > 1:
            first = next(iter(found.values()))
            yield _("The main attack on {area}, by the first line: {blocks} (5.32)", area=area, blocks=listed(first))


__all__ = ["afterwards", "stays", "unsaid"]
