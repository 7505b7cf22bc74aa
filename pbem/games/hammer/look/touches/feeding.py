"""The touches that give blocks of one area steps, one at a time: Victuals, and what a pillage has won."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.look.touches import Touch

from ... import orders
from ...rules import BLOCKS
from ...rules.said import _, _n
from ...views import HammerView
from . import reading

Feeding = orders.Victuals | orders.Gains


def one_step_more(view: HammerView, order: Feeding, area: str) -> Iterator[Touch]:
    """Go through the blocks of an area that may gain another step."""
    for name in view.groups.get(area, ()):
        gained = {step.block: step.steps for step in order.steps}
        gained[name] = n = gained.get(name, 0) + 1
        steps = tuple(orders.Step(block=block, steps=k) for block, k in _in_order(view, order, gained).items())
        more = order.model_copy(update={"area": area, "steps": steps})
        if reading.is_legal(view, more):
            yield reading.made(view, f"block:{name}", gains(name, area, n), more, _reached(view, name, n))


def gains(name: str, area: str, n: int) -> str:
    """Say that a block in an area gains steps."""
    return _n("{block} in {area}: {n} step more", "{block} in {area}: {n} steps more", n, block=name, area=area)


def _in_order(view: HammerView, order: Feeding, gained: dict[str, int]) -> dict[str, int]:
    """Return what blocks gain in the order in which the options name them; Victuals are composed, and keep their own."""
    if isinstance(order, orders.Victuals):
        return gained
    return {name: gained[name] for name in view.groups.get(order.area, ()) if name in gained}


def _reached(view: HammerView, name: str, n: int) -> str:
    own = view.own(name)
    return _("strength {n} of {most}", n=(own.strength if own else 0) + n, most=BLOCKS[name].max)
