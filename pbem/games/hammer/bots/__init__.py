"""Built-in players of Hammer of the Scots. They see only a view, as a player does. The modules:

=========  ===========================================================================
playing    which card, and its use
marching   moves
fighting   battles, retreats, regroups, raids
wintering  the winter
planning   plans
ground     the worth of certain blocks in an area: the evaluation behind all
situation  an analysis of a view: own blocks, guesses about the enemy's, what is at stake
force      the odds of a fight
adding     sums that are the same in every Python
thinking   players who look ahead, by trial (`tried`) on the small model (`foresight`);
           builds, homes and retreats they answer as the sensible player
=========  ===========================================================================
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from pbem.games.bot import Bot, RandomBot
from pbem.kernel import Chooser, Json, Order, View

from .. import orders
from ..game import GAME
from ..rules import last_year
from ..views import HammerView
from . import fighting, planning, playing, wintering
from .foresight.opinion import opinion
from .thinking import ThinkingBot

_ANSWERS: Mapping[str, Callable[[HammerView], Order]] = {
    "act": playing.use_card,
    "next battle": fighting.next_battle,
    "battle action": fighting.act_in_battle,
    "hits": fighting.take_hits,
    "pillage losses": fighting.pillage_losses,
    "pillage gains": fighting.gains,
    "retreats": fighting.retreat,
    "regroup": fighting.regroup,
    "raid": fighting.raid,
    "home": wintering.go_home,
    "disband": wintering.disband,
    "build": wintering.build,
}
"""Every question but that for a card, which leaves something to chance."""


class SensibleBot(Bot):
    """Defends nobles, attacks when strong, winters well. Every answer of his own is checked; `strayed` counts the illegal ones."""

    def __init__(self) -> None:
        self.strayed = 0

    def answer(self, view: View, chooser: Chooser) -> Order:
        seen = _seen(view)
        what = (seen.ask or {})["what"]
        order = playing.choose_card(seen, chooser) if what == "card" else _ANSWERS[what](seen)
        if GAME.why_not(view, order) is None:
            return order
        self.strayed += 1
        return GAME.default(view)


class PlanningBot(SensibleBot):
    """The same player with standing orders: plans for battles, the winter and all other questions that may come."""

    def plans(self, view: View) -> str:
        return planning.plans(_seen(view))

    def ahead(self, view: View, order: Order) -> str:
        """Return the premove for a card: what Player 1 does with it, as nobody acts before him."""
        if not isinstance(order, orders.PlayCard):
            return ""
        then = playing.use_card(playing.once_played(_seen(view), order.card))
        return f"AHEAD ACT IF FIRST: {str(then).replace(chr(10), '; ')}"


def _seen(view: View) -> HammerView:
    return cast(HammerView, view)


CAMPAIGN_YEARS = 40
"""The number of years after which a campaign between these players ends; half of them would never end by sudden death."""


def ending(options: Json) -> Json:
    """Return options under which these players come to an end."""
    endless = last_year(options["scenario"], options["years"]) is None
    return {**options, "years": CAMPAIGN_YEARS} if endless else options


BOTS: dict[str, Callable[[], Bot]] = {
    "random": lambda: RandomBot(GAME),
    "sensible": SensibleBot,
    "normal": lambda: ThinkingBot(SensibleBot(), 300),
    "hard": lambda: ThinkingBot(SensibleBot(), 1000, more=True),
    "planning": PlanningBot,
}

__all__ = ["BOTS", "PlanningBot", "SensibleBot", "ThinkingBot", "ending", "opinion"]
