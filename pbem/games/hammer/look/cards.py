"""Hammer's cards and dice for a page: hand, cards of this turn, pool; the dice and losses of battles.

It is made from a view, or from one fact. The reports tell the same in their own words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.i18n import N_
from pbem.look.shown import CardRow, Die, HandCard, Rolled, Struck

from ..rules import BLOCK_OF, BLOCKS, ENGLISH, POOL, SCOTTISH, SIDES, card_value, is_event, told
from ..rules.said import _, _n, named
from ..views import HammerView
from .map.style import ENGLISH as RED
from .map.style import SCOTTISH as BLUE
from .words import SIDE, capital, hits, rating, the

COLOURS = {ENGLISH: RED, SCOTTISH: BLUE}
EVENT = "#6d5413"
SAYS = {
    "Herald": N_("Name an enemy noble, not Moray. On a die of 1 to 4 he joins you."),
    "Pillage": N_("An enemy group beside one of yours takes two hits; what it loses you may gain."),
    "Sea Move": N_("One or two blocks go from coast to coast, to where you stand alone."),
    "Truce": N_("The enemy may move this turn, but not attack."),
    "Victuals": N_("Up to three steps for your blocks in one area."),
}


def card_rows(view: HammerView) -> Iterator[CardRow]:
    """Yield the card rows of a seat."""
    if not view.seat:
        return
    hand = tuple(_card(name, view.seat) for name in view.hand)
    left = view.cards[view.enemy].left
    if hand or left:
        yield CardRow(_("Your hand"), hand)
    if shown := tuple(_played(view)):
        yield CardRow(_("Played this turn"), shown, small=True)
    if left:
        held = _n("{who} hold {n} card", "{who} hold {n} cards", left, who=the(view.enemy))
        yield CardRow(capital(held), (), left, small=True)
    if pool := tuple(_piece(view, name) for name in view.groups.get(POOL, ())):
        yield CardRow(_("Your draw pool"), pool, small=True)


def _card(name: str, side: str, kind: str = "") -> HandCard:
    if is_event(name):
        return HandCard(named(name), f"card:{name}", "", kind or _("event"), _(SAYS[name]), EVENT)
    n = card_value(name)
    says = _n("One of your groups moves.", "Up to {n} of your groups move.", n)
    return HandCard(named(name), f"card:{name}", str(n), kind or _("moves"), says, COLOURS[side])


def _played(view: HammerView) -> Iterator[HandCard]:
    """Go through the cards of this turn, once they are turned up."""
    for side in SIDES:
        played = view.cards[side].played
        if view.turn and len(played) >= view.turn and "winter" not in view.frames:
            yield _card(played[view.turn - 1], side, _(SIDE[side]))._replace(at="")


def _piece(view: HammerView, name: str) -> HandCard:
    return HandCard(
        named(name), f"block:{name}", str(BLOCKS[name].max), rating(name, view.variants), "", COLOURS[view.seat]
    )


def rolled(fact: told.HammerFact) -> Rolled | None:
    """Return the dice of a volley, of the Herald, of Celtic unity."""
    match fact:
        case told.Fire(block, most, dice, n):
            name = f"{named(block)}, {fact.letter or BLOCKS[block].letter}{most}"
            return Rolled(f"block:{block}", name, _dice(dice, most), hits(n) if n else _("no hit"))
        case told.HeraldAnswer(noble, die, success):
            says = _("he listens") if success else _("he will not listen")
            return Rolled(f"block:{noble}", _("{noble} and the Herald", noble=noble), _dice((die,), 4), says)
        case told.Unity(block, die, gone):
            name = _("Celtic unity, {block}", block=block)
            return Rolled(f"block:{block}", name, (Die(die, gone),), _("it leaves") if gone else _("it stays"))
    return None


def _dice(shown: Sequence[int], most: int) -> tuple[Die, ...]:
    return tuple(Die(die, die <= most) for die in shown)


def struck(fact: told.HammerFact) -> Iterator[Struck]:
    """Go through the blocks that a volley has struck."""
    match fact:
        case told.Hit(strengths):
            for key, n in strengths.items():
                if n:
                    name = BLOCK_OF[key]
                    yield Struck(f"block:{name}", _("{block} reduced to {strength}", block=name, strength=n))
        case told.Killed(_area, _side, block):
            yield Struck(f"block:{block}", _("{block} eliminated", block=block), gone=True)
        case told.Captured(_area, noble, side):
            yield Struck(
                f"block:{noble}", _("{noble} captured: he joins {side}", noble=noble, side=the(side)), gone=True
            )
