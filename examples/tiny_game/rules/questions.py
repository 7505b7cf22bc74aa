"""The three questions of Tiny, each stated once: reading, legality, options and touches follow from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pbem.i18n import N_, _
from pbem.kernel import Names, Order, Refusal
from pbem.kernel.slots import Question, Slot, Way, of_these

from ..orders import ALL_CARDS, ALL_TOKENS, Act, Keep, PlayCard
from .board import worth
from .sight import TinyView

ACTS = ("BANK", "DIG")


def _question(
    kind: type[Order],
    kind_of_name: str,
    names: Sequence[str],
    among: Callable[[TinyView], Sequence[str]],
    but: Callable[[str], Refusal],
    silence: Callable[[TinyView], Order],
) -> Question[TinyView]:
    """Return a question that is answered by one name."""
    (field,) = kind.model_fields
    slot: Slot[TinyView] = Slot(
        lambda view, _order: among(view),
        of_these(Names(names, kind_of_name)),
        kind_of_name,
        but=lambda _view, _order, name: but(name),
    )
    return Question((Way(kind, {field: slot}),), silence, _another, ("CARD", "ACT", "KEEP"))


def _another(_view: TinyView, order: Order) -> Refusal:
    return Refusal(_("“{order}” does not answer what is asked", order=order), "2")


QUESTIONS: Mapping[str, Question[TinyView]] = {
    "card": _question(  # 2.1; 7: the lowest card
        PlayCard, N_("card"), ALL_CARDS, lambda view: view.mine.hand,
        lambda card: Refusal(_("{card} is not in your hand", card=card), "2.1"),
        lambda view: PlayCard(card=min(view.mine.hand, key=worth)),
    ),
    "act": _question(  # 4; 7: BANK
        Act, N_("act"), ACTS, lambda _view: ACTS,
        lambda act: Refusal(_("“{act}” is no act", act=act), "4"),
        lambda _view: Act(act="BANK"),
    ),
    "keep": _question(  # 4.2; 7: the better token
        Keep, N_("token"), ALL_TOKENS, lambda view: view.drawn,
        lambda token: Refusal(_("{token} is not one of the two tokens that you drew", token=token), "4.2"),
        lambda view: Keep(keep=max(view.drawn, key=worth)),
    ),
}  # fmt: skip
