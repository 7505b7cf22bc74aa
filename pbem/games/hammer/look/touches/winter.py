"""The touches of the Winter Turn: where nobles go, which blocks leave, what is built. Rules 7.1-7.6.

Lines are in the order of the canonical text, in whatever order they are touched; only draws and steps keep the order of the
touches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from pbem.look.touches import Touch

from ... import orders
from ...orders import DISBAND, DONE, STAY
from ...rules import (
    AREAS,
    EDWARD,
    SELKIRK,
    WALLACE,
    build_refusals,
    buildable,
    disband_refusals,
    home_choices,
    landing_places,
    points_left,
    quarters,
)
from ...rules.said import _, _n
from ...views import HammerView
from . import reading
from .feeding import gains


def _done(label: str) -> Touch:
    return Touch(f"choice:{DONE}", label, (DONE,), closes=True)


# home


def _home(view: HammerView, draft: Sequence[str]) -> Iterator[Touch]:
    """Go through where those may go of whom nothing is said yet."""
    choices, named = home_choices(view), _named(view, draft)
    if named is None:
        return
    if not choices and not draft:
        yield _done(_("Nobody has a choice: go on"))
    said = [going.block for going in named]
    left = ((block, to) for block, places in choices.items() if block not in said for to in places)
    yield from (_goes(view, choices, named, orders.Going(block=block, to=to)) for block, to in left)


def _named(view: HammerView, draft: Sequence[str]) -> list[orders.Going] | None:
    """Return where those go of whom the lines say so; None for a draft that cannot be gone on with."""
    if not draft:
        return []
    said, choices = reading.read_winter(view, draft), home_choices(view)
    if said is None or not isinstance(said.order, orders.GoHome):
        return None
    named = [going for going in said.order.goings if going.block in said.subjects]
    return named if all(going.to in choices.get(going.block, ()) for going in named) else None


def _goes(
    view: HammerView, choices: Mapping[str, Sequence[str]], named: Sequence[orders.Going], going: orders.Going
) -> Touch:
    together = sorted([*named, going], key=lambda one: list(choices).index(one.block))
    draft = tuple(map(str, together))
    read = reading.read_winter(view, draft)
    closes = read is not None and reading.is_legal(view, read.order)
    return Touch(f"block:{going.block}", _where(going.block, going.to), draft, closes=closes)


def _where(block: str, to: str) -> str:
    if to == STAY:
        return _("{block} stays where he is", block=block)
    if to == DISBAND:
        return _("{block} disbands", block=block)
    return _("{block} goes to {area}", block=block, area=to)


# disband


def _disband(view: HammerView, draft: Sequence[str]) -> Iterator[Touch]:
    """Yield the further blocks that may disband; and whether Edward stays in Scotland, or Wallace goes to Selkirk."""
    order = _disbanding(view, draft)
    if order is None:
        return
    if not draft and reading.is_legal(view, order):
        yield _done(_("Nobody disbands but those who must"))
    yield from _leaders(view, order)
    yield from _leaving(view, order)


def _disbanding(view: HammerView, draft: Sequence[str]) -> orders.Disband | None:
    """Return the draft so far; None if it is closed by DONE, or an entry for a block is wrong."""
    if not draft:
        return orders.Disband()
    said = reading.read_winter(view, draft)
    if said is None or not said.subjects or not isinstance(said.order, orders.Disband):
        return None
    wrong = any(part in said.subjects for part, _refusal in disband_refusals(view, said.order))
    return None if wrong else said.order


def _leaders(view: HammerView, order: orders.Disband) -> Iterator[Touch]:
    edward = order.model_copy(update={"edward": True})
    if not order.edward and _is_open(view, edward, EDWARD):
        yield reading.made(view, f"block:{EDWARD}", _("Edward stays in Scotland, with all in his area"), edward)
    wallace = order.model_copy(update={"wallace": True})
    if not order.wallace and _is_open(view, wallace, WALLACE) and WALLACE not in view.groups.get(SELKIRK, ()):
        yield reading.made(view, f"block:{WALLACE}", _("Wallace goes to {area}", area=SELKIRK), wallace)


def _is_open(view: HammerView, order: orders.Disband, name: str) -> bool:
    """Return whether the entry for a block is right. Others may still have to disband as well."""
    return all(part != name for part, _refusal in disband_refusals(view, order))


def _leaving(view: HammerView, order: orders.Disband) -> Iterator[Touch]:
    """Go through the blocks that may disband and need not."""
    plan = quarters(view.seat, view.groups, order, view.variants)
    for area in (area for area in AREAS if area in view.groups):
        for name in view.groups[area]:
            gone = order.model_copy(update={"blocks": (*order.blocks, name)})
            if name not in plan.forced and _is_open(view, gone, name):
                label = _("Disband {block} in {area}", block=name, area=area)
                yield reading.made(view, f"block:{name}", label, gone, _more(plan.areas.get(area), order))


def _more(room: tuple[int, Sequence[str]] | None, order: orders.Disband) -> str:
    """Say how many must still disband in an area."""
    free, able = room or (0, ())
    over = len([name for name in able if name not in order.blocks]) - free
    return _n("{n} more must disband here", "{n} more must disband here", over) if over > 0 and able else ""


# build


def _build(view: HammerView, draft: Sequence[str]) -> Iterator[Touch]:
    """Go through the uses that points still have: a step, a draw, where those land who are drawn, or nothing more."""
    if not draft:
        yield _done(_("Nothing is built"))
        yield from _uses(view, orders.Build())
        return
    said = reading.read_winter(view, draft)
    if said is None or not isinstance(said.order, orders.Build) or not reading.is_legal(view, said.order):
        return
    builds, draws, done = said.order.builds, said.order.draws, said.order.done
    if (builds or draws) and not (done and draws):  # nothing comes behind DONE
        order = said.order.model_copy(update={"done": False})
        yield from _uses(view, order)
        yield from _closing(order)


def _uses(view: HammerView, order: orders.Build) -> Iterator[Touch]:
    for area in points_left(view):
        yield from _steps(view, order, area)
        drawn = order.model_copy(update={"draws": (*order.draws, area)})
        if _is_right(view, drawn):
            yield _built(f"area:{area}", _("Draw a block for {area}", area=area), drawn, _left(view, drawn, area))
        yield from _landings(view, order, area)


def _steps(view: HammerView, order: orders.Build, area: str) -> Iterator[Touch]:
    """Go through the blocks that may gain a step more from the points of an area."""
    for name in buildable(view, area):
        more = order.model_copy(update={"builds": _one_step_more(order.builds, area, name)})
        if _is_right(view, more):
            n = next(
                step.steps for build in more.builds if build.area == area for step in build.steps if step.block == name
            )
            yield _built(f"block:{name}", gains(name, area, n), more, _left(view, more, area))


def _one_step_more(builds: Sequence[orders.Steps], area: str, name: str) -> tuple[orders.Steps, ...]:
    gained = {build.area: {step.block: step.steps for step in build.steps} for build in builds}
    here = gained.setdefault(area, {})
    here[name] = here.get(name, 0) + 1
    return tuple(
        orders.Steps(area=there, steps=tuple(orders.Step(block=block, steps=n) for block, n in steps.items()))
        for there, steps in gained.items()
    )


def _landings(view: HammerView, order: orders.Build, area: str) -> Iterator[Touch]:
    """Go through the coasts where Norse and French may land that are drawn for an area (option)."""
    for to in landing_places(area, view.occupancy, view.variants):
        landed = order.model_copy(update={"landings": (*order.landings, orders.Landing(area=area, to=to))})
        if _is_right(view, landed):
            label = _("Norse or French drawn for {area} land in {to}", area=area, to=to)
            yield _built(f"area:{to}", label, landed)


def _is_right(view: HammerView, order: orders.Build) -> bool:
    closed = order.model_copy(update={"done": True})
    return next(iter(build_refusals(view, closed)), None) is None


def _closing(order: orders.Build) -> Iterator[Touch]:
    """After draws the Scots are asked again, unless they say that this is all."""
    if order.draws:
        done = order.model_copy(update={"done": True})
        yield _built(f"choice:{DONE}", _("Nothing more is built when these are drawn"), done)


def _built(at: str, label: str, order: orders.Build, note: str = "") -> Touch:
    return Touch(at, label, tuple(str(order).split("\n")), note, closes=True)


def _left(view: HammerView, order: orders.Build, area: str) -> str:
    """Say how many points an area has left then, and whether there is a use for them."""
    used = sum(step.steps for build in order.builds if build.area == area for step in build.steps)
    left = points_left(view)[area] - used - order.draws.count(area)
    # who is drawn can gain a step when the Scots are asked again; then the pool is another, too
    kept = order.model_copy(update={"draws": (), "landings": ()})
    if left and area not in order.draws and not any(_is_right(view, further) for further in _further(view, kept, area)):
        return _n("{n} point left, of no use", "{n} points left, of no use", left)
    return _n("{n} point left", "{n} points left", left)


def _further(view: HammerView, order: orders.Build, area: str) -> Iterator[orders.Build]:
    """Go through what a point more of an area could be used for."""
    yield order.model_copy(update={"draws": (*order.draws, area)})
    for name in buildable(view, area):
        yield order.model_copy(update={"builds": _one_step_more(order.builds, area, name)})


TOUCHES: Mapping[str, Callable[[HammerView, Sequence[str]], Iterator[Touch]]] = {
    "home": _home,
    "disband": _disband,
    "build": _build,
}
"""Each question of the Winter Turn -> its touches."""
