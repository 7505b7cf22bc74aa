"""What a report says beside a question: how it is answered, what comes of silence, why it is asked though one answer is legal.

It knows the view of the seat that is asked, what the rules make of that, and nothing else.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from pbem.errors import OrderError
from pbem.i18n import _
from pbem.kernel import Planning, SendingAhead

if TYPE_CHECKING:
    from pbem.games.pack import GamePack
    from pbem.kernel import Order, View

    from .report import Ways


def only(view: View, pack: GamePack) -> Order | None:
    """Return the one legal answer to what is asked in a view; None where there are more, or a log asks and its view does not."""
    try:
        found = list(islice(pack.rules.options(view), 2))
    except OrderError:
        return None
    return found[0] if len(found) == 1 else None


def why_asked(pack: GamePack, *, marked: bool, due: bool) -> str:
    """Return why a question is put that has one legal answer; where it is `due`, what comes of silence; and what would spare it."""
    if marked:
        said = [_("This is the only answer. It is asked all the same: your share in the coming dice goes with it.")]
        if isinstance(pack.rules, SendingAhead):
            said.append(_("An AHEAD line with the order before it would have answered it."))
    else:
        said = [_("This is the only answer. It is asked all the same: else all would learn that you have no other.")]
        if due:
            said.append(
                _("When the time is over it is taken for you, and you are not late; sent now, the game goes on.")
            )
        if isinstance(pack.rules, Planning):
            said.append(_("A PLAN can answer such questions."))
    return " ".join([*said, _("With pbem turn --only-answers sign your program signs such answers by itself.")])


def answering(ways: Ways, silent: int = 0) -> list[str]:
    """Return how an answer is sent, in sentences, and what comes of silence.

    `silent` is the number of the answer that counts for a seat that does not answer; 0 where the list has no such answer, or where
    the letter has said it already.
    """
    said = [
        _("Reply with a number, or in words.")
        if ways.by_reply
        else _(
            "Answer with pbem turn: type a number, or the order in words. Or save this mail, and type pbem read MAIL, pbem order "
            "and pbem send."
        )
    ]
    if ways.page and not ways.by_reply:
        said.append(_("Or on the page of this host: {page}", page=ways.page))
    if ways.late == "claim":
        said.append(_("If you do not answer in time, an opponent may claim the game."))
    if ways.late == "default" and silent:
        said.append(_("If you do not answer in time, number {n} counts.", n=silent))
    return said
