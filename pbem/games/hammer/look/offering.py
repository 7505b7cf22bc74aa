"""Order lines to copy and edit: the advised order, the alternatives, and lines that may accompany it."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.i18n import _
from pbem.kernel import Order
from pbem.look import offers
from pbem.look.offers import Touching

from ..orders import DONE
from ..rules import BORDER, NEIGHBOURS
from ..views import HammerView

_ALONG = {
    "card": ("AHEAD ACT IF FIRST: PASS",),
    "act": (
        "PLAN BATTLE ANY: FIGHT; HITS ANY; REGROUP STAY",
        "AHEAD CARD: CARD",
    ),
    "home": ("PLAN KEEP ANY", "PLAN BUILD ANY: DRAW 1, STRENGTHEN WEAKEST"),
}
"""What may go with an answer, to be made fitting: it saves mails."""


def template(view: HammerView, advice: Order, touching: Touching) -> str:
    """Return order lines to copy and edit, made from the touches of the view; the advised order is first."""
    first = str(advice).removesuffix(f"\n{DONE}")  # so that lines can be added
    what: str = (view.ask or {})["what"]
    along = [*_ALONG.get(what, ()), *(_ways_out(view) if what == "act" else ())]
    return _with_the_last_card(view, offers.template(touching, first, along))


def _ways_out(view: HammerView) -> Iterator[str]:
    """Go through a plan for the first area of the seat that the enemy may attack, where a neighbouring one of its own is open."""
    held = [area for area, counts in view.occupancy.items() if counts[view.seat] and not counts[view.enemy]]
    for area in held:
        around = NEIGHBOURS[area]
        ways = [there for there in around if there in held and BORDER[area, there].limit >= view.count(area, view.seat)]
        if ways and any(view.count(there, view.enemy) for there in around):
            yield f"PLAN BATTLE {area}: RETREAT {ways[0]} IF ODDS BELOW 1:2; FIGHT"
            return


def _with_the_last_card(view: HammerView, lines: str) -> str:
    """Let the next card go ahead where the hand leaves no choice: that is a mail less."""
    ahead, shown = f"AHEAD CARD: CARD {next(iter(view.hand), '')}", lines.split("\n")
    if len(set(view.hand)) != 1 or f"# {ahead}" not in shown:
        return lines
    shown.remove(f"# {ahead}")
    at = next((no for no, line in enumerate(shown) if line.startswith("#")), len(shown))
    no_other = _("you hold no other")
    return "\n".join([*shown[:at], f"{ahead}   # {no_other}", *shown[at:]])
