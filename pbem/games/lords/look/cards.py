"""The hand as cards: clan, strength, rank, and the power of the clan. All other players' cards are face-down."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.i18n import N_, _
from pbem.look.shown import CardRow, HandCard

from ..rules.cards import BRUCE, COCHRANE, COCKBURN, FERGUSON, FORSYTH, MACDONNELL, MAKGILL, SCOTT, WEMYSS, clan
from ..views import LordsView
from .style import TARTANS
from .words import points

POWERS = {
    SCOTT: N_("Copies the power of any face-up follower."),
    MAKGILL: N_("You muster another card at once."),
    MACDONNELL: N_("Stays in your army for another round."),
    WEMYSS: N_("Discards a follower of any army."),
    FERGUSON: N_("Changes places with a follower of an opponent."),
    FORSYTH: N_("You draw the top card of the pile."),
    COCKBURN: N_("Changes places with a supporter."),
    COCHRANE: N_("You claim two supporters when your turn comes."),
    BRUCE: N_("Counts for any clan at the end of the round."),
}


def card_rows(view: LordsView) -> Iterator[CardRow]:
    """Yield the card rows of a seat: its hand, and what it has won."""
    if not view.seat:
        return
    yield CardRow(_("Your hand"), tuple(_card(view, card) for card in view.hand))
    if won := view.won[view.seat]:
        title = _("Your victory pile: {points}", points=points(view.points(view.seat)))
        yield CardRow(title, tuple(_card(view, card)._replace(at="", says="") for card in won), small=True)


def _card(view: LordsView, card: str) -> HandCard:
    name, rank = clan(card), _("rank {rank}", rank=view.terms.rank(card))
    return HandCard(name, f"card:{card}", str(view.terms.strength(card)), rank, _(POWERS[name]), TARTANS[name])
