"""What acts mean that cannot be undone: told before they are signed, in the same words by the commands and by the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.i18n import N_, _
from pbem.ledger import TAKEBACK

if TYPE_CHECKING:
    from .seat import Seat

MEANS = {
    "address": N_(
        "For each of your games ({hosts}) the host is told that your letters go to {address}. He asks there whether "
        "you read them; only then it counts. A wrong address cuts you off until you change it again."
    ),
    "confirm": N_("The host's letters of your games go to the address at which this letter came, from then on."),
    "member": N_(
        "The code goes back to the club, and counts: you belong to it from then on, or leave it, or have another name there. The "
        "letter says which."
    ),
    "copy": N_(
        "Only where the host asks for it, as he has gone back to a backup. He gets what you alone may see of the game; "
        "he knew it before."
    ),
    "decline": N_(
        "The letter is forgotten here, and nothing is signed. The host is told nothing: he cancels a game that nobody "
        "joins. With the letter you can still take the seat later."
    ),
    "key back": N_("Only if a host has refused the change. The letters that tell of the new key are laid aside."),
    "key lost": N_(
        "The key of this desk is gone; its games are here. Your recovery key signs that a new key takes its place. "
        "Each game stands still until everybody has compared the new one by telephone and said that he is ready."
    ),
    "no letters": N_("Nothing comes by mail any more: who does not look at the door misses his turn."),
    "rekey": N_(
        "A new key takes the place of yours at once, in all games that go on: {games}. Each that has a host stands still until "
        "everybody has compared the new one by telephone and said that he is ready. The key before is kept, and counts "
        "until the host, or your friend, has your letter."
    ),
    "renew": N_(
        "Only where few links are left. The key stays; everybody says again that he is ready, and until then the game "
        "stands still."
    ),
    "stay": N_("It helps only while that letter has not been sent. What was sent may still move the game."),
    "welcome spare": N_(
        "Your own key takes the place of the one that the host keeps. From then on you sign yourself, and what you reply to a mail "
        "counts no more. There is no way back. Everybody says once more that he is ready."
    ),
    "welcome host": N_(
        "The game goes on under him when all agree. From the moment you sign, nothing more is signed for the host of "
        "now. Entries that the new one has not got count no more. His key is shown with the letter: compare it by "
        "telephone before you send."
    ),
    "welcome player": N_(
        "He takes the seat of a player who has vanished, if all others agree, too; the one before is out of the game "
        "then. What you are to compare with him by telephone is shown with the letter: compare it before you send."
    ),
}
"""What follows from acts of a desk."""
NO_GAME = N_("there is no such game")


def means(act: str, **values: object) -> str:
    """Return what follows from an act of a desk, in the language that is spoken."""
    return _(MEANS[act], **values)


def meaning(seat: Seat, what: str, number: int | None = None) -> str:
    """Return what follows if a seat says this, with its number; "" where there is no such thing to say."""
    match what:
        case "agree":
            return _agreed(seat, number or 0)
        case _ if what == TAKEBACK:
            return _(
                "You ask all others to let you answer question {n} anew. If they agree, what was answered since then counts no "
                "more. It is refused where dice fell, or something was shown, since then.",
                n=number,
            )
        case "leave":
            return _(
                "The hours are added to your time to answer this question, and taken off the {left} hours of leave that you "
                "have left in the whole game. They are not given back.",
                left=leave_left(seat),
            )
        case "rules":
            rules = seat.pack.rules
            return _(
                "You agree that the game goes on by version {version} of the rules of {game}, which is the one here. It does "
                "when all others agree, too; there is no way back to the version before.",
                version=rules.version,
                game=rules.title,
            )
        case _:
            return _(_SAID.get(what, ""))


_SAID = {
    "draw": N_(
        "You offer that the game ends without a winner. The offer stands until the next order is entered; if all others agree "
        "to it, the game is over."
    ),
    "claim": N_(
        "You claim the game, as the time of those who should have answered is over. If it is so by the log, the game ends "
        "against them, for good. You may as well wait for them."
    ),
    "resign": N_(
        "You give this game up. Once the host has it, it cannot be taken back: you are asked nothing more, and the game ends "
        "or goes on without you."
    ),
}


def _agreed(seat: Seat, n: int) -> str:
    offer = seat.course.offers.get(n)
    if offer is None:
        return ""
    if offer.act == "draw":
        return _("If all others agree, too, or have, the game ends without a winner: at once, and for good.")
    return _(
        "If all others agree, too, what was answered from question {n} on counts no more, and it is put again.",
        n=offer.about,
    )


def leave_left(seat: Seat) -> int:
    """Return how many hours of leave a seat has left in the whole game."""
    return seat.course.terms.leave - seat.course.seats[seat.notes.seat].leave
