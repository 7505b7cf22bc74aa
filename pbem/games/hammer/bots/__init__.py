"""Built-in players of Hammer of the Scots. They see a view, as a player does, and nothing else. Where each story lives:

=========  ===========================================================================
playing    which card, and what is done with it
marching   moves
fighting   battles, retreats, regroups, raids
wintering  the winter
planning   what is said in advance
ground     what it is worth to have certain blocks in an area: the judgement behind all
situation  a view thought through: own blocks, guesses about the enemy's, what is at stake
force      the odds of a fight
=========  ===========================================================================
"""

from __future__ import annotations

from collections.abc import Callable

from pbem.games.bot import Bot, RandomBot
from pbem.kernel import Chooser, Json, Order, View

from .. import orders
from ..game import GAME
from ..rules.raids import raided
from ..rules.scenarios import last_year
from ..views import HammerView
from . import fighting, planning, playing, wintering


class SensibleBot(Bot):
    """Defends nobles, attacks when strong, winters well. Every answer of his own is checked; `strayed` counts the illegal ones."""

    def __init__(self) -> None:
        self.strayed = 0

    def answer(self, view: View, chooser: Chooser) -> Order:
        assert isinstance(view, HammerView)  # noqa: S101 - the view model of this game
        order = self._judge(view, chooser)
        if GAME.why_not(view, order) is None:
            return order
        self.strayed += 1
        return GAME.default(view)

    @staticmethod
    def _judge(view: HammerView, chooser: Chooser) -> Order:
        ask = view.ask
        assert ask is not None  # noqa: S101 - only a seat that is asked answers
        match ask["what"]:
            case "card":
                return playing.choose_card(view, chooser)
            case "act":
                return playing.use_card(view)
            case "next battle":
                return fighting.next_battle(view)
            case "battle action":
                return fighting.act_in_battle(view)
            case "hits":
                return fighting.take_hits(view, ask)
            case "pillage losses":
                return fighting.pillage_losses(view, GAME.options(view))
            case "pillage gains":
                return fighting.gains(view, GAME.options(view))
            case "retreats":
                return fighting.retreat(view, ask)
            case "regroup":
                return fighting.regroup(view, ask)
            case "raid":
                return fighting.raid(view, raided(view))
            case "home":
                return wintering.go_home(view)
            case "disband":
                return wintering.disband(view)
            case "build":
                return wintering.build(view)
            case _:
                return GAME.default(view)


class PlanningBot(SensibleBot):
    """The same player, who says in advance what he can: plans for battles, the winter and all else that may come."""

    def plans(self, view: View) -> str:
        assert isinstance(view, HammerView)  # noqa: S101 - the view model of this game
        return planning.plans(view)

    def ahead(self, view: View, order: Order) -> str:
        """Return what is sent ahead with a card: what Player 1 does with it, before whom nobody acts."""
        assert isinstance(view, HammerView)  # noqa: S101 - the view model of this game
        if not isinstance(order, orders.PlayCard):
            return ""
        then = playing.use_card(playing.once_played(view, order.card))
        return f"AHEAD ACT IF FIRST: {str(then).replace(chr(10), '; ')}"


CAMPAIGN_YEARS = 40
"""A campaign between these players is over after so many years; half of them would never end by sudden death."""


def ending(options: Json) -> Json:
    """Return options under which these players come to an end."""
    endless = last_year(options["scenario"], options["years"]) is None
    return {**options, "years": CAMPAIGN_YEARS} if endless else options


BOTS: dict[str, Callable[[], Bot]] = {
    "random": lambda: RandomBot(GAME),
    "sensible": SensibleBot,
    "planning": PlanningBot,
}
