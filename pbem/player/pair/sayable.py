"""What may be said in a game of two besides orders, as it stands: each with what follows from it, told before it is signed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.i18n import N_, _
from pbem.player.sayable import Saying

from .offers import asked_back, is_offered, why_not_back
from .turns import waits_to_play_on

if TYPE_CHECKING:
    from .shelf import PairSeat

MEANT = {
    "resign": N_("You give this game up, and your friend wins. Both programs show their secrets then."),
    "draw": N_("You offer a draw. The game ends if your friend agrees; until then it goes on."),
    "agree": N_("The game ends as a draw. Both programs show their secrets then."),
    "let": N_(
        "What your friend answered last counts no more, and he is asked again; what you have seen of it you have seen. The same "
        "dice will come. What you had said in advance holds no longer."
    ),
    "takeback": N_(
        "You ask your friend to let you take back what your last turn ends with, all that you answered in it without a break. If "
        "he agrees, you are asked again, with the same dice to come. What he has seen of it he has seen. If he plays on, it stands."
    ),
    "withdraw": N_("Your invitation is forgotten here: should your friend join by it after all, nothing comes of it."),
    "prove": N_(
        "You show what proves that your friend's turn, which your program has refused, is at fault. Where that is your secret, "
        "everything of yours is open then, and the game is over."
    ),
    "play_on": N_("You say nothing to what lies before you, and your program goes on with what it has to say."),
}
"""What follows from each."""
_CALLED = {
    "agree": N_("Agree to the draw that your friend offers"),
    "let": N_("Let your friend take back what he answered last"),
    "takeback": N_("Ask back what you answered last"),
    "play_on": N_("Play on"),
    "draw": N_("Offer a draw"),
    "resign": N_("Resign"),
    "withdraw": N_("Withdraw the invitation"),
}


def sayings_of_two(seat: PairSeat) -> tuple[Saying, ...]:
    """Return what may be said now; nothing once the game is over."""
    table = seat.table
    if table.waits:
        return (_saying("withdraw"),)
    play = seat.play()
    if play.course.is_over or play.result is not None:
        return ()
    found, said = [], ""
    back: tuple[Saying, ...] = ()
    if "draw" in seat.notes.says:
        said = _("You have said that already: your next order takes the offer along.")
        without = _("Your next order goes without the offer of a draw.")
        back = (Saying("withdraw", None, _("Take the offer of a draw back"), without, ""),)
    if asked_back(seat):
        found.append(_saying("let"))
    if is_offered(seat, play):
        found.append(_saying("agree"))
        said = _("Your friend offers a draw already.")
    if waits_to_play_on(seat):
        found.append(_saying("play_on"))
    if play.course.baton != seat.notes.seat:
        found.append(_saying("takeback", why_not_back(seat, play)))
    return (*found, _saying("draw", said), _saying("resign"), *back)


def _saying(what: str, why_not: str = "") -> Saying:
    return Saying(what, None, _(_CALLED[what]), _(MEANT[what]), why_not)
