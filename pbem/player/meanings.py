"""What acts mean that cannot be undone: told before they are signed, in the same words by the commands and by the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.i18n import N_, _
from pbem.ledger import TAKEBACK

if TYPE_CHECKING:
    from .seat import Seat

MEANS = {
    "address": N_(
        "The host of each of your games ({hosts}) is told that your letters go to {address}. He "
        "writes there to ask whether you read them; the change is valid only after your reply. A "
        "wrong address cuts you off until you change it again."
    ),
    "address friends": N_(
        "Your letters to friends come from {address} from now on. Tell each of your friends: he names it under “A letter was "
        "lost, or my friend has moved”."
    ),
    "confirm": N_("The host's letters of your games go to the address at which this letter came, from then on."),
    "member": N_(
        "The code is returned to the club and confirms what the letter says: that you join the club, "
        "leave it, or change your name there."
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
        "The key of this desk is gone, but its games are here. Your recovery key signs that a new "
        "key replaces it. Each game pauses until everybody has compared the new key by telephone and "
        "declared themselves ready."
    ),
    "no letters": N_("Nothing comes by mail any more: who does not look at the door misses his turn."),
    "rekey": N_(
        "A new key replaces yours at once in all your current games: {games}. Each game with a host "
        "pauses until everybody has compared the new key by telephone and declared themselves ready. "
        "The old key is kept. It stays valid until the host, or your friend, has your letter."
    ),
    "renew": N_(
        "Use this only when few links are left. The key stays the same. Everybody declares again "
        "that they are ready, and the game pauses until then."
    ),
    "stay": N_("This helps only while that letter has not been sent. A letter that was sent may still move the game."),
    "welcome spare": N_(
        "Your own key replaces the one that the host keeps. From then on you sign for yourself, and "
        "your replies to mails are no longer valid as orders. There is no way back. Everybody "
        "declares again that they are ready."
    ),
    "welcome host": N_(
        "The game continues under the new host when all agree. From the moment you sign, nothing "
        "more is signed for the present host. Entries that the new host does not have are void. The "
        "letter shows the new host's key: compare it by telephone before you send."
    ),
    "welcome player": N_(
        "A new player takes the seat of one who has vanished, if all others agree too. The former "
        "player is then out of the game. The letter shows what to compare with the new player by "
        "telephone: compare it before you send."
    ),
}
"""What follows from acts of a desk."""
NO_GAME = N_("there is no such game")


def means(act: str, **values: object) -> str:
    """Return what follows from an act of a desk, in the language that is spoken."""
    return _(MEANS[act], **values)


def meaning(seat: Seat, what: str, number: int | None = None) -> str:
    """Return the consequence if a seat says this, with its number; "" if it cannot be said."""
    match what:
        case "agree":
            return _agreed(seat, number or 0)
        case _ if what == TAKEBACK:
            return _(
                "You ask all others to let you answer question {n} again. If they agree, all answers since "
                "then become void. Your request is refused if dice were rolled or something was revealed "
                "since then.",
                n=number,
            )
        case "leave":
            return _(
                "The hours are added to your time to answer this question. They are deducted from the {left} "
                "hours of leave that you have left in the whole game, and are not given back.",
                left=leave_left(seat),
            )
        case "rules":
            rules = seat.pack.rules
            return _(
                "You agree to continue the game by version {version} of the rules of {game}, the version "
                "installed here. The change is made when all others agree too. There is no way back to the "
                "previous version.",
                version=rules.version,
                game=rules.title,
            )
        case _:
            return _(_SAID.get(what, ""))


_SAID = {
    "draw": N_(
        "You offer to end the game without a winner. The offer is valid until the next order is "
        "entered. If all others agree to it, the game is over."
    ),
    "claim": N_(
        "You claim the game, as the time of those who should have answered is over. If it is so by the log, the game ends "
        "against them, for good. You may as well wait for them."
    ),
    "resign": N_(
        "You give up this game. Once the host has your resignation, you cannot take it back. You get "
        "no more questions, and the game ends or continues without you."
    ),
}


def _agreed(seat: Seat, n: int) -> str:
    offer = seat.course.offers.get(n)
    if offer is None:
        return ""
    if offer.act == "draw":
        return _("If all others agree, too, or have, the game ends without a winner: at once, and for good.")
    return _(
        "If all others agree too, all answers from question {n} on become void, and that question is put again.",
        n=offer.about,
    )


def leave_left(seat: Seat) -> int:
    """Return how many hours of leave a seat has left in the whole game."""
    return seat.course.terms.leave - seat.course.seats[seat.notes.seat].leave
