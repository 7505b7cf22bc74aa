"""The possible next touches: recruits, cards of the hand, powers and targets, supporters. Additional lines are in `ahead`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from pbem.games.touching import beside
from pbem.i18n import _
from pbem.kernel import Order
from pbem.look import filling
from pbem.look.filling import Says
from pbem.look.touches import Touch, parts

from ..game import GAME
from ..orders import Claim, Muster, TakeRecruit
from ..reading import QUESTIONS, STRONGEST
from ..rules.cards import clan
from ..views import LordsView
from .ahead import ahead_touches, plan_touches
from .words import follower

Lines = tuple[str, ...]


def touches(view: LordsView, draft: Sequence[str]) -> Sequence[Touch]:
    """Return what may be touched after a draft; () for a seat that is not asked."""
    if not view.question:
        return ()
    drafted = [" ".join(line.split()) for line in draft]
    return beside(
        GAME, view, drafted,
        order=lambda lines: filling.touches(QUESTIONS[view.question], _SAYS, view, lines),
        plan=partial(plan_touches, view),
        ahead=partial(ahead_touches, view, _left(view, parts(drafted).order)),
    )  # fmt: skip


def _recruits(view: LordsView, _order: TakeRecruit, place: int) -> str:
    if (recruit := view.recruits[place - 1]).up:
        return _("Recruit {card}", card=recruit.card)
    return _("Recruit the face-down card at place {place}", place=place)


def _turned_on(_view: LordsView, order: Muster, target: str) -> str:
    last = order.plays[-1]
    return _("Use {clan} on {target}", clan=last.copy_of or clan(last.card), target=follower(target))


def _lies(view: LordsView, _order: Order, target: str) -> str:
    """Return where a follower or supporter is touched: "angus 2" at "follower:angus/2"."""
    seat, _blank, place = target.partition(" ")
    return f"follower:{seat}/{place}" if seat in view.armies else f"card:{target}"


def _recruit_lies(view: LordsView, _order: TakeRecruit, place: int) -> str:
    recruit = view.recruits[place - 1]
    return f"card:{recruit.card}" if recruit.up else f"recruit:{place}"


def _wanted(_view: LordsView, _order: Claim, card: str) -> str:
    return _("Claim the strongest") if card == STRONGEST else _("Claim {card}", card=card)


_SAYS = {
    "place": Says(_recruits, _recruit_lies),
    "card": Says(lambda _view, _order, card: _("Muster {card}", card=card), lambda _view, _order, card: f"card:{card}"),
    "down": Says(
        lambda _view, order, _on: _("{card} face-down", card=order.plays[-1].card),
        lambda _view, _order, _on: "choice:DOWN",
    ),
    "use": Says(
        lambda _view, order, _on: _("Use the power of {card}", card=order.plays[-1].card),
        lambda _view, _order, _on: "choice:USE",
    ),
    "copy_of": Says(
        lambda _view, _order, name: _("Copy the power of {clan}", clan=name),
        lambda _view, _order, name: f"choice:{name}",
    ),
    "target": Says(_turned_on, _lies),
    "cards": Says(_wanted, lambda _view, _order, card: f"{'choice' if card == STRONGEST else 'card'}:{card}"),
    "": Says(lambda _view, _order, _name: _("Pass"), lambda _view, _order, _name: "choice:PASS"),
}
"""The words of each field."""


# Turns sent ahead


def _left(view: LordsView, order: Lines) -> list[str]:
    """Return the hand that is left after the lines of an order so far."""
    begun = [f"{line} ".upper() for line in order]
    hand = [card for card in view.hand if not any(line.startswith(f"MUSTER {card} ".upper()) for line in begun)]
    for place, recruit in enumerate(view.recruits if begun else (), 1):
        if recruit.up and f"RECRUIT {place} " in begun:
            hand.append(recruit.card)
    return hand
